import { readCampaignSpec, type CampaignSpec } from "./campaign-spec.ts";
import type { ContactSource } from "./contact-source.ts";
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

function inlineSpecOf(run: Run, of: { brand: string; name: string }): CampaignSpec {
  const reading = readCampaignSpec({ ...run.spec, ...of });
  // It was read when the schedule was.
  if (!reading.ok)
    throw new Error(`the spec of a schedule can't be read: ${JSON.stringify(reading.problems)}`);
  return reading.spec;
}
