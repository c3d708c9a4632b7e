import { readStoredSpec, type CampaignSpec } from "../campaigns/campaign-spec.ts";
import { isOver, type CampaignState } from "../campaigns/campaign-state.ts";
import type { ContactSource } from "../campaigns/contact-source.ts";
import { parseDurationMs } from "../time/duration.ts";
import type { ScheduleDefinition } from "./schedule.ts";

type Run = ScheduleDefinition["run"];

/** Whose campaign a schedule runs. */
export function recurringOf(run: Run): { brand: string; name: string } {
  return { brand: run.brand ?? "default", name: run.campaign ?? "" };
}

export type RecurringSpec =
  | { ok: true; spec: CampaignSpec; source: ContactSource }
  /** Why no run can be made, with what to do. */
  | { ok: false; problem: string };

/**
 * The spec of the next run of a recurring campaign, and where its contacts are: what the schedule says stands before
 * what the campaign says.
 *
 * @param template the spec of the campaign's newest run; undefined where there is none
 */
export function recurringSpecOf(run: Run, template: CampaignSpec | undefined, nowMs: number): RecurringSpec {
  const { brand, name } = recurringOf(run);
  const base = run.spec === undefined ? template : inlineSpecOf(run, { brand, name });
  if (!base)
    return {
      ok: false,
      problem: `brand ${brand} has no campaign ${name}: apply or create it, or put its spec into the schedule (run.spec)`,
    };
  const spec =
    run.not_called_within === undefined ? base : { ...base, not_called_within: run.not_called_within };
  const source = run.contacts ?? spec.contacts;
  if (!source)
    return {
      ok: false,
      problem: `nothing says where the contacts of campaign ${name} are: name a source in the schedule (run.contacts) or in the campaign (contacts)`,
    };
  if (spec.ends_at !== undefined && Date.parse(spec.ends_at) <= nowMs)
    return {
      ok: false,
      problem: `campaign ${name} ended at ${spec.ends_at}: take ends_at out of it, or pause the schedule`,
    };
  return { ok: true, spec, source };
}

/** What a schedule says of the campaign whose runs it begins. Without `campaign` it begins none. */
export interface ScheduleSays {
  name: string;
  brand: string;
  campaign?: string | undefined;
  not_called_within?: string | undefined;
  /** The campaign's spec stands in the schedule. */
  has_spec: boolean;
}

export function saysOf({ name, run }: ScheduleDefinition): ScheduleSays {
  const { campaign, not_called_within: notCalledWithin } = run;
  const { brand } = recurringOf(run);
  return { name, brand, campaign, not_called_within: notCalledWithin, has_spec: run.spec !== undefined };
}

/** The newest run of a declared campaign. */
export interface DeclaredRun {
  spec: CampaignSpec;
  state: CampaignState;
  /** A schedule made it, which may say something else by now, of another campaign, or be removed. */
  isOfSchedule: boolean;
}

/**
 * The spec that a declared campaign is to have. What its schedules say in `not_called_within` stands before what its
 * document says, as in the runs that they begin: applying the document again takes it off none of them.
 *
 * @param schedules all that begin runs of it
 * @param newest undefined where there is none, and for the spec of a next one
 */
export function declaredSpecOf(
  document: CampaignSpec,
  schedules: readonly ScheduleSays[],
  newest: DeclaredRun | undefined,
): CampaignSpec {
  const { not_called_within: own, ...rest } = document;
  const within = withinOf(
    own,
    schedules.map((schedule) => schedule.not_called_within ?? own),
    newest,
  );
  return within === undefined ? rest : { ...rest, not_called_within: within };
}

function withinOf(
  own: string | undefined,
  asked: readonly (string | undefined)[],
  newest: DeclaredRun | undefined,
): string | undefined {
  // Whoever begins a run, a person too, leaves out all who are to be left out.
  const longest = longestOf([...asked, own]);
  // What waits for whoever begins it is amended before it calls anybody.
  if (!newest || (newest.state === "scheduled" && !newest.isOfSchedule)) return longest;
  const is = newest.spec.not_called_within;
  // Any one of them may have begun it.
  if (asked.includes(is)) return is;
  // Who asked for it may be gone: that nobody says it any more is no order to call those whom it leaves out.
  const stays = own === undefined || (newest.isOfSchedule && !isOver(newest.state));
  return stays ? longestOf([longest, is]) : longest;
}

/** Whoever is left out by one of them is left out. */
function longestOf(durations: readonly (string | undefined)[]): string | undefined {
  const backMs = (text: string | undefined) => parseDurationMs(text ?? "") ?? 0;
  return durations.toSorted((a, b) => backMs(b) - backMs(a))[0];
}

function inlineSpecOf(run: Run, of: { brand: string; name: string }): CampaignSpec {
  const reading = readStoredSpec({ ...run.spec, ...of });
  // It was read when the schedule was.
  if (!reading.ok)
    throw new Error(`the spec of a schedule can't be read: ${JSON.stringify(reading.problems)}`);
  return reading.spec;
}
