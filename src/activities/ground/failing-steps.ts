import os from "node:os";

import { noteFailure, noteSuccess, type Step } from "../../ledger/ground/failing-steps.ts";
import {
  ConnectionError,
  PlatformError,
  RateLimitedError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { requireRightClock, WrongClockError } from "./clock-check.ts";

/* What fails again and again, as activities see it: ledger/ground/failing-steps.ts has the rules. */

type Deps = Pick<ActivityDeps, "ledger" | "log" | "now" | "pace">;

/** A step of a batch's life. */
export function batchStep(
  batchId: string,
  verb: "create" | "start" | "tend" | "follow" | "settle" | "end",
): Step {
  return { of: "batch", id: batchId, verb };
}

/**
 * Counts a failure, and tells people where it goes on. Never throws.
 *
 * @param tries its failures in a row, where somebody counts them who outlives this process
 */
export async function noteStepFailure(deps: Deps, step: Step, error: unknown, tries?: number): Promise<void> {
  // Told once for the machine (clockWatch): of steps there may be thousands.
  if (error instanceof WrongClockError) return;
  const { ledger, log, pace, now } = deps;
  const isNonsense = error instanceof UnexpectedResponseError;
  await noteFailure(ledger, step, {
    error,
    away: isNonsense || isAway(error) ? "platform" : undefined,
    tries,
    // Who is away comes back by themselves, mostly; what makes no sense is mended by people.
    awayMs: isNonsense ? pace.startDoubtMs : pace.batchLookMs,
    nowMs: now(),
    log,
  });
}

/** Notes that a step succeeded. Never throws. `asked`: the platform answered what it needed. */
export function noteStepSuccess(deps: Deps, step: Step, { asked }: { asked: boolean }): Promise<void> {
  const { ledger, log, now } = deps;
  return noteSuccess(ledger, step, { ports: asked ? ["ledger", "platform"] : ["ledger"], nowMs: now(), log });
}

const FIRST_SERVER_ERROR = 500;

/** Whether the platform did not do its part, as opposed to having refused. */
function isAway(error: unknown): boolean {
  if (!(error instanceof PlatformError)) return false;
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    error instanceof RateLimitedError ||
    (error.status ?? 0) >= FIRST_SERVER_ERROR
  );
}

/** What a machine does by its clock. */
const BY_THE_CLOCK: Step = { of: "chore", id: `what goes by the clock of ${os.hostname()}`, verb: "go by" };

/** Whether this machine's clock is right, for whoever looks every few seconds; where it goes on being wrong, people are told. */
export function clockWatch(deps: Deps): () => Promise<boolean> {
  const { ledger, log, now, pace } = deps;
  let wasRight = true;
  return async () => {
    try {
      await requireRightClock(deps);
      await noteSuccess(ledger, BY_THE_CLOCK, { ports: [], nowMs: now(), log });
      wasRight = true;
    } catch (error) {
      if (!(error instanceof WrongClockError)) throw error;
      if (wasRight) log.error({}, `nothing is done by the clock here: ${error.message}`);
      wasRight = false;
      // It is written down as the others reckon time.
      const nowMs = now() + error.aheadMs;
      await noteFailure(ledger, BY_THE_CLOCK, { error, awayMs: pace.batchLookMs, nowMs, log });
    }
    return wasRight;
  };
}
