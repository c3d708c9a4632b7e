import type { RehearsedCall } from "./rehearsal.ts";

/** What the rules, and those that they are compared with, make of a call. */
export interface ComparedCall {
  callId: string;
  /** What the ledger holds of it; undefined: it is not from there. */
  recorded: string | undefined;
  now: RehearsedCall;
  /** Undefined: nothing is compared. */
  before: RehearsedCall | undefined;
}

/** In what two rule sets differ over one call. */
export type Difference = "disposition" | "follow_ups" | "way";

/** Where the new rules decide otherwise than the old ones. Of an opt-out it matters most, of a reason not at all. */
export function differencesOf({ now, before }: ComparedCall): Difference[] {
  if (!before) return [];
  const differs: Difference[] = [];
  if (now.disposition !== before.disposition) differs.push("disposition");
  if (JSON.stringify(now.followUps) !== JSON.stringify(before.followUps)) differs.push("follow_ups");
  if (wayWords(now) !== wayWords(before)) differs.push("way");
  return differs;
}

function wayWords({ way }: RehearsedCall): string {
  return way ? JSON.stringify([way.passed, way.step, way.outcome]) : "";
}
