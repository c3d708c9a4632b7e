import type { StoryEntryWire, StoryWire } from "../../http/wire/people.ts";
import { provenMoment } from "../view/local-times.ts";

/* What terminals and pages say alike of a story. */

type Check = NonNullable<StoryEntryWire["checks"]>[number];

/** Whether the rules allowed a call, in one word for its whole list; undefined: it was none. */
export function verdictOf({ checks }: Pick<StoryEntryWire, "checks">): "allowed" | "not allowed" | undefined {
  if (checks === null) return undefined;
  return checks.some(({ allowed }) => allowed === false) ? "not allowed" : "allowed";
}

export const VERDICT_TEXTS = {
  allowed: "every rule that the ledger can show allowed it when its start was permitted",
  "not allowed": "by what the ledger shows now, a rule did not allow it",
} as const;

/** What a rule is about, in words: `window`, `called just now`. */
export function ruleText({ rule }: Pick<Check, "rule">): string {
  return rule.replaceAll("_", " ");
}

export function checkWord({ allowed }: Pick<Check, "allowed">): "yes" | "no" | "?" {
  if (allowed === null) return "?";
  return allowed ? "yes" : "no";
}

/** When it was, or from when until when. */
export function spanText({ at, until }: StoryEntryWire, zones: readonly string[]): string {
  const from = provenMoment(at, zones);
  if (until === null) return from;
  return until === "still" ? `${from}, and since then` : `${from} until ${provenMoment(until, zones)}`;
}

/** Of which campaign or sequence, run, brand and policy it is. */
export function placeText({ campaign, sequence, brand, policy_version: version }: StoryEntryWire): string {
  const place = campaign
    ? [campaign.standing ? `campaign ${campaign.name}` : `campaign ${campaign.name} (run ${campaign.run})`]
    : sequence
      ? [`sequence ${sequence.name} (version ${sequence.version})`]
      : [];
  return [
    ...place,
    ...(brand === null ? [] : [`brand ${brand}`]),
    ...(version === null ? [] : [`policy ${version}`]),
  ].join(", ");
}

/** `as the number says`, where that is where the zones come from. */
export function zonesFrom({ zones, zones_of_number: ofNumber }: StoryWire): string {
  const same = zones.length === ofNumber.length && zones.every((zone) => ofNumber.includes(zone));
  if (same) return "as the number says";
  return ofNumber.length === 0
    ? "given with the person; the number says none"
    : `given with the person, or held to a whole country; the number alone says ${ofNumber.join(", ")}`;
}

export function suppressedText({ brand, source, reason, since }: StoryWire["suppressed"][number]): string {
  return `${brand === null ? "in every brand" : `in the brand ${brand}`} since ${since} (${source}: ${reason})`;
}

export function countsText(
  { counts }: StoryWire,
  countText: (count: number, noun: string) => string,
): string {
  return [
    countText(counts.campaigns, "campaign"),
    countText(counts.calls, "call"),
    countText(counts.enrolments, "enrolment"),
  ].join(", ");
}

/** What is said of a story that is not whole. */
export function leftOut({ entries, next_after: after }: StoryWire): string {
  return `not the whole story: what is later than the ${entries.length} entries told here follows with --after "${after ?? ""}"`;
}
