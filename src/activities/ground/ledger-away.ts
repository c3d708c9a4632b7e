import { setTimeout as delay } from "node:timers/promises";

import { isContention, LedgerUnavailableError, type Ledger } from "../../ledger/ground/connection.ts";
import { takesWrites } from "../../ledger/ground/takes-writes.ts";

/*
 * Tries of a step come a minute apart once they have failed for a minute. Where the ledger was away, each step of each
 * campaign would be late by that when it is back. So a step that finds it away waits until it answers: then dialing goes
 * on at once, and Temporal has no more to do meanwhile than with steps that take their time.
 */

/** Between two looks of a process at a ledger that is away. */
const LOOK_EVERY_MS = 500;

/** Who waits longer tries again, so that no step is cut off by its time, whatever its statements have taken of it. */
const LONGEST_MS = 30_000;

/** How far apart Temporal's first two tries are. */
const FIRST_WAIT_MS = 1_000;

/** Who finds it back had missed it by no more than what a statement takes to fail. */
const JUST_BACK_MS = 10_000;

/** Of each ledger of this process: the look that is under way, for all steps together, and when it was last away. */
interface Looks {
  under?: Promise<boolean> | undefined;
  /** By the clock of the process, which nobody sets. */
  awayAtMs: number;
}

const looksAt = new WeakMap<Ledger, Looks>();

/** Whether it is the ledger that is away, as opposed to somebody who held what was needed, or a statement that it refuses. */
export function isLedgerAway(error: unknown): boolean {
  return error instanceof LedgerUnavailableError && !isContention(error);
}

/**
 * How long a try waits: no longer than until the next one would come without it. So a process that alone is cut off from
 * the ledger keeps no step from the others for longer than it did by failing.
 *
 * @param attempt from 1
 */
export function ledgerWaitMs(attempt: number): number {
  return Math.min(LONGEST_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
}

/**
 * Resolves once the ledger answers; or when it did not in time, or nobody wants to know any more. Never rejects.
 *
 * @returns whether it was seen to be away: one that answers all the while, and fails a statement, is not to be asked more
 *   often for that
 */
export async function untilLedgerAnswers(
  ledger: Ledger,
  { signal, boundMs }: { signal: AbortSignal; boundMs: number },
): Promise<boolean> {
  const looks = looksAt.get(ledger) ?? { awayAtMs: Number.NEGATIVE_INFINITY };
  looksAt.set(ledger, looks);
  let wasAway = performance.now() - looks.awayAtMs < JUST_BACK_MS;
  let end = () => {};
  const over = new Promise<"over">((resolve) => {
    end = () => resolve("over");
  });
  const timer = setTimeout(end, boundMs);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    for (;;) {
      const seen = await Promise.race([look(ledger, looks), over]);
      if (seen === true) return wasAway;
      wasAway = true;
      if (seen === "over") return wasAway;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

/** A look, and the pause after one that found nothing: whoever comes meanwhile shares both. */
function look(ledger: Ledger, looks: Looks): Promise<boolean> {
  looks.under ??= answers(ledger)
    .then(async (isThere) => {
      if (isThere) return true;
      looks.awayAtMs = performance.now();
      await delay(LOOK_EVERY_MS);
      return false;
    })
    .finally(() => {
      looks.under = undefined;
    });
  return looks.under;
}

/** By the connections that nothing else waits for: where all others are in use, the ledger is there. */
async function answers({ urgent }: Ledger): Promise<boolean> {
  try {
    return await takesWrites(urgent.db);
  } catch (error) {
    return !isLedgerAway(error);
  }
}
