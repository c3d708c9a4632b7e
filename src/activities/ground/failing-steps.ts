import { noteFailure, noteSuccess, type Step } from "../../ledger/ground/failing-steps.ts";
import {
  ConnectionError,
  PlatformError,
  RateLimitedError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";

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
export function noteStepFailure(deps: Deps, step: Step, error: unknown, tries?: number): Promise<void> {
  const { ledger, log, pace, now } = deps;
  const isNonsense = error instanceof UnexpectedResponseError;
  return noteFailure(ledger, step, {
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
