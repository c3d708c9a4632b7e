import { setTimeout as delay } from "node:timers/promises";

import { readClock } from "../../ledger/ground/clock.ts";
import { isContention, LedgerUnavailableError, type Ledger } from "../../ledger/ground/connection.ts";

/*
 * Tries of a step come a minute apart once they have failed for a minute. Where the ledger was away, each step of each
 * campaign would be late by that when it is back. So a step that finds it away waits until it answers: then dialing goes
 * on at once, and Temporal has no more to do meanwhile than with steps that take their time.
 */

/** Between two looks of a process at a ledger that is away. */
const LOOK_EVERY_MS = 500;

/** Who waits longer tries again, so that no step is cut off by its time. */
const LONGEST_MS = 60_000;

/** One look at a time, for all steps of this process. */
const looking = new WeakMap<Ledger, Promise<boolean>>();

/** Whether it is the ledger that is away, as opposed to somebody who held what was needed, or a statement that it refuses. */
export function isLedgerAway(error: unknown): boolean {
  return error instanceof LedgerUnavailableError && !isContention(error);
}

/**
 * Resolves once the ledger answers; or when it did not in time, or nobody wants to know any more. Never rejects.
 *
 * @returns whether it was seen to be away: one that answers all the while, and fails a statement, is not to be asked more
 *   often for that
 */
export async function untilLedgerAnswers(
  ledger: Ledger,
  { signal, boundMs = LONGEST_MS }: { signal: AbortSignal; boundMs?: number },
): Promise<boolean> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(boundMs)]);
  let wasAway = false;
  while (!over.aborted && !(await look(ledger))) {
    wasAway = true;
    await delay(LOOK_EVERY_MS, undefined, { signal: over }).catch(() => {});
  }
  return wasAway;
}

function look(ledger: Ledger): Promise<boolean> {
  const under = looking.get(ledger) ?? answers(ledger).finally(() => looking.delete(ledger));
  looking.set(ledger, under);
  return under;
}

async function answers({ db }: Ledger): Promise<boolean> {
  try {
    await readClock(db);
    return true;
  } catch (error) {
    return !isLedgerAway(error);
  }
}
