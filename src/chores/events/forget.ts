import { createBreather } from "../../ledger/ground/breather.ts";
import { cutoffsAt } from "../../domain/ground/retention.ts";
import { readRetention } from "../../ledger/ground/retention.ts";
import { forgetEvents } from "../../ledger/events/events.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";

/** Transactions of one turn, an hour: two million events. */
const MOST_A_TURN = 1_000;

/** Forgets what happened longer ago than it is told, 30 days unless somebody said otherwise, in transactions of some thousand rows. Safe to repeat. */
export async function forgetOldEvents({
  ledger,
  now,
}: {
  ledger: Ledger;
  now: () => number;
}): Promise<number> {
  const breathe = createBreather();
  const beforeMs = cutoffsAt(await readRetention(ledger.db), now()).events;
  let forgotten = 0;
  if (beforeMs === undefined) return forgotten;
  for (let turn = 0; turn < MOST_A_TURN; turn += 1) {
    const { gone, isLeft } = await ledger.transaction((tx) => forgetEvents(tx, beforeMs));
    forgotten += gone;
    if (!isLeft) break;
    await breathe();
  }
  return forgotten;
}
