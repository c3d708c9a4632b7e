import { createBreather } from "../../ledger/ground/breather.ts";
import { DAY_MS } from "../../domain/time/local-day.ts";
import { forgetEvents } from "../../ledger/events/events.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";

/** For how long what happened is told. A warehouse that was away for longer reads results and the audit. */
const EVENTS_KEPT_MS = 30 * DAY_MS;

/** Transactions of one turn, an hour: two million events. */
const MOST_A_TURN = 1_000;

/** Forgets what happened longer ago, in transactions of some thousand rows. Safe to repeat. */
export async function forgetOldEvents({
  ledger,
  now,
}: {
  ledger: Ledger;
  now: () => number;
}): Promise<number> {
  const breathe = createBreather();
  let forgotten = 0;
  for (let turn = 0; turn < MOST_A_TURN; turn += 1) {
    const { gone, isLeft } = await ledger.transaction((tx) => forgetEvents(tx, now() - EVENTS_KEPT_MS));
    forgotten += gone;
    if (!isLeft) break;
    await breathe();
  }
  return forgotten;
}
