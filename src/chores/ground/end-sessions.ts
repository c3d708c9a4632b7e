import { createBreather } from "../../ledger/ground/breather.ts";
import type { Ledger } from "../../ledger/ground/connection.ts";
import { removeOverSessions } from "../../ledger/ground/sessions.ts";

/** Transactions of one turn, an hour: a hundred thousand sessions. */
const MOST_A_TURN = 100;

/** Removes what is left of sessions that are over, and of sign-in links that nobody opened. Safe to repeat. */
export async function removeOldSessions({
  ledger,
  sessionIdleMs: idleMs,
  now,
}: {
  ledger: Ledger;
  sessionIdleMs: number;
  now: () => number;
}): Promise<void> {
  const breathe = createBreather();
  for (let turn = 0; turn < MOST_A_TURN; turn += 1) {
    if (!(await ledger.transaction((tx) => removeOverSessions(tx, { idleMs, nowMs: now() })))) return;
    await breathe();
  }
}
