import type { ReportWire } from "../../http/wire/campaigns.ts";
import type { Colours } from "./colours.ts";
import { countText, numberText } from "./words.ts";

/** The ledger's attempts held against what somebody outside saw being dialed. */
export interface WitnessCheck {
  dials: number;
  attempts: number;
  /** Numbers that were dialed more often than the ledger knows of (I1). */
  tooOften: string[];
}

export function compareWithWitness(
  dials: ReadonlyMap<string, number>,
  attempts: ReadonlyMap<string, number>,
): WitnessCheck {
  const sum = (counts: ReadonlyMap<string, number>) =>
    [...counts.values()].reduce((total, count) => total + count, 0);
  const tooOften = [...dials]
    .filter(([phone, count]) => count > (attempts.get(phone) ?? 0))
    .map(([phone]) => phone);
  return { dials: sum(dials), attempts: sum(attempts), tooOften };
}

/** What the comparison says, and whether everybody is accounted for. */
export function witnessLines(
  { dials, attempts, tooOften }: WitnessCheck,
  { contacts }: ReportWire,
  colours: Colours,
): string[] {
  const through = contacts.done + contacts.excluded;
  const all = through === contacts.total && contacts.open === 0;
  const yes = colours.green("ok  ");
  const no = colours.red("FAIL");
  return [
    `${all ? yes : no} ${numberText(through)} of ${countText(contacts.total, "contact")} accounted for`,
    tooOften.length === 0
      ? `${yes} ${countText(dials, "dial")} seen by the sandbox, ${countText(attempts, "attempt")} in the ledger: no number dialed too often`
      : `${no} ${countText(dials, "dial")} seen by the sandbox, ${countText(attempts, "attempt")} in the ledger: ${countText(tooOften.length, "number")} dialed too often (${tooOften.slice(0, 5).join(", ")})`,
  ];
}
