import { isOver } from "../../../domain/campaigns/campaign-state.ts";
import { readStoredSpec, type CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { specDifference, whyFixed, type FieldDifference } from "../../../domain/campaigns/spec-difference.ts";
import type { CampaignWire, ListWire } from "../../../http/wire/campaigns.ts";
import { shellText } from "../../hints.ts";

/*
 * What `outdial run` does, given what there is. Pure. A campaign is known by its name (and brand): the same
 * spec and list carry on with it, others are refused unless a change is asked for.
 */

/** Why a campaign is paused whose `run` was interrupted: the next `run` may resume it by itself. */
export const INTERRUPTED_REASON = "interrupted: `outdial run` was ended; running it again carries on";

export interface RunWish {
  spec: CampaignSpec;
  list: { name: string; digest: string };
  /** --amend, --new, --partial */
  amend: boolean;
  isNew: boolean;
  partial: boolean;
}

export interface CarryOn {
  kind: "carry_on";
  amend: boolean;
  takeList: boolean;
  /** The campaign may start though a list was only taken in part. */
  allowPartial: boolean;
  /** hold: somebody else paused it, and has to resume it. */
  next: "start" | "resume" | "follow" | "hold";
}

export type RunDecision =
  | { kind: "create" }
  /** It is over: its report, and nobody is dialed. */
  | { kind: "report" }
  | { kind: "refuse"; message: string }
  | CarryOn;

export function decideRun(existing: CampaignWire | undefined, wish: RunWish): RunDecision {
  if (!existing) return { kind: "create" };
  const differences = differencesOf(existing, wish.spec);
  const list = existing.lists.find(({ digest }) => digest === wish.list.digest);
  return isOver(existing.state)
    ? decideOver(existing, wish, differences, list)
    : decideOpen(existing, wish, differences, list);
}

function decideOver(
  existing: CampaignWire,
  { isNew, list: wanted }: RunWish,
  differences: readonly FieldDifference[],
  list: ListWire | undefined,
): RunDecision {
  if (isNew) return { kind: "create" };
  if (differences.length === 0 && list) return { kind: "report" };
  return refuse(
    `campaign "${existing.name}" is ${existing.state} (run ${existing.run}), and not with what you gave now:`,
    [...differences.map(differenceLine), ...(list ? [] : [listLine(existing, wanted)])],
    "call it by another name, or make its next run with --new",
  );
}

function decideOpen(
  existing: CampaignWire,
  wish: RunWish,
  differences: readonly FieldDifference[],
  list: ListWire | undefined,
): RunDecision {
  const { name, state } = existing;
  if (wish.isNew) {
    return refuse(
      `campaign "${name}" is ${state}: a new run beside it would call the same people`,
      [],
      `carry on with it (without --new), or end it first with \`outdial campaign cancel ${shellText(name)}\``,
    );
  }
  // Nobody was accepted and nothing begun: another list takes nothing back.
  const isBlank = state === "scheduled" && existing.contacts.total === 0;
  const isOtherList = list === undefined && !isBlank;
  const fixed = differences.filter(({ amendable }) => !amendable);
  const lines = [...differences.map(differenceLine), ...(isOtherList ? [listLine(existing, wish.list)] : [])];
  if (fixed.length > 0) {
    return refuse(
      `campaign "${name}" is ${state} with another spec:`,
      lines,
      `${fixed.map(({ field }) => field).join(", ")} can't change in a campaign that is under way: call it by another name, or cancel it and use --new`,
    );
  }
  if (lines.length > 0 && state === "draining") {
    return refuse(
      `campaign "${name}" is ending, and not with what you gave now:`,
      lines,
      "wait until it is over, then use --new",
    );
  }
  if (lines.length > 0 && !wish.amend) {
    return refuse(
      `campaign "${name}" is ${state}, and not with what you gave now:`,
      lines,
      `put it in force with --amend${isOtherList ? ", which adds the list to the campaign" : ""}, or give what it was begun with`,
    );
  }
  return {
    kind: "carry_on",
    amend: differences.length > 0,
    takeList: state !== "draining" && (list?.completed_at ?? null) === null,
    allowPartial: wish.partial || isBlank,
    next: nextStep(existing),
  };
}

function nextStep({ state, state_reason }: CampaignWire): CarryOn["next"] {
  if (state === "scheduled") return "start";
  if (state !== "paused") return "follow";
  return state_reason === INTERRUPTED_REASON ? "resume" : "hold";
}

function differencesOf(existing: CampaignWire, spec: CampaignSpec): FieldDifference[] {
  const reading = readStoredSpec(existing.spec);
  if (!reading.ok)
    throw new Error(`the campaign's spec in the ledger can't be read: ${JSON.stringify(reading.problems)}`);
  return specDifference(reading.spec, spec);
}

function differenceLine({ field, before, after }: FieldDifference): string {
  return `${field}: was ${before}, is now ${after}${whyFixed(field)}`;
}

/** Enough of a digest to tell two lists apart. */
const DIGEST_SHOWN = 12;

function listLine({ lists }: CampaignWire, wanted: RunWish["list"]): string {
  const had = lists.map(({ source_name, digest }) => `${source_name} (${digest.slice(0, DIGEST_SHOWN)})`);
  return `contacts: ${had.length === 0 ? "had no list" : `were ${had.join(", ")}`}, is now ${wanted.name} (${wanted.digest.slice(0, DIGEST_SHOWN)})`;
}

function refuse(what: string, lines: readonly string[], remedy: string): RunDecision {
  const body = lines.length === 0 ? ": " : `\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
  return { kind: "refuse", message: `${what}${body}${remedy}` };
}
