/** Waits for what takes time on the platform, by looking. */
import { onAbort } from "./abort.ts";
import { type FieldError, InvalidRequestError, PlatformError, TimeoutError } from "./errors.ts";
import type { BatchCall } from "./operations/batch-calls.ts";
import type { Call } from "./operations/calls.ts";
import { isTimerMs } from "./options.ts";
import type { CallOptions } from "./request.ts";
import { isRepeatable } from "./retry.ts";

export interface WaitOptions extends CallOptions {
  /** For how long to wait in all. Default an hour: calls and batches go on meanwhile, whatever is waited for. */
  readonly withinMs?: number | undefined;
  /** Between two looks. Default 2 s. */
  readonly everyMs?: number | undefined;
}

const WITHIN_MS = 3_600_000;
const EVERY_MS = 2_000;

/** Words of calls that are over (contract 3.2, and as published clients see them). */
const CALL_ENDED = new Set(["ended", "completed", "failed", "error"]);

/** Words of batches that are over: the contract shows none; these are seen. */
const BATCH_ENDED = new Set([
  "completed",
  "complete",
  "cancelled",
  "canceled",
  "failed",
  "finished",
  "ended",
]);

/** Words for a call's processing that has come to an end. */
const PROCESSED = new Set(["completed", "failed"]);

/** A call of which nothing more is said. */
export function isCallEnded({ status, end_time: endTime }: Call): boolean {
  return CALL_ENDED.has(status?.toLowerCase() ?? "") || (status === undefined && endTime !== undefined);
}

/** A call whose transcript, recording and analysis are there, or will not be. */
export function isCallProcessed(call: Call): boolean {
  return isCallEnded(call) && PROCESSED.has(call.processing_status?.toLowerCase() ?? "");
}

/** A batch that calls nobody any more, by its word for itself. */
export function isBatchEnded({ status }: Pick<BatchCall, "status">): boolean {
  return BATCH_ENDED.has(status?.toLowerCase() ?? "");
}

/**
 * Looks until something is so, and resolves with what was then seen. A look that fails in a way that passes
 * (rate limits, 5xx, a lost connection, a timeout) is one that saw nothing; one that is under way is waited for.
 *
 * @throws TimeoutError where it is not so in time; PlatformError of a look that fails for good.
 */
export async function waitUntil<Seen>(
  what: string,
  look: (options: CallOptions) => Promise<Seen>,
  isSo: (seen: Seen) => boolean,
  { withinMs = WITHIN_MS, everyMs = EVERY_MS, ...options }: WaitOptions = {},
): Promise<Seen> {
  checkWaits({ withinMs, everyMs });
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    let waitMs = everyMs;
    try {
      const seen = await look(options);
      if (isSo(seen)) return seen;
    } catch (error) {
      if (!passes(error)) throw error;
      waitMs = Math.max(everyMs, error.retryAfterMs ?? 0);
    }
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) throw late(what, withinMs);
    await rest(Math.min(waitMs, leftMs), options.signal);
  }
}

/** Whether a look that failed may be made again: it changes nothing, whatever became of it. */
export function passes(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (isRepeatable(error) || error instanceof TimeoutError);
}

/** @throws InvalidRequestError which names each that is no time */
export function checkWaits(waits: Readonly<Record<string, number>>): void {
  const fieldErrors = Object.entries(waits).flatMap(([field, ms]): FieldError[] =>
    isTimerMs(ms) ? [] : [{ field, message: "must be a number of milliseconds from 1" }],
  );
  if (fieldErrors.length === 0) return;
  const problem = "invalid wait";
  throw new InvalidRequestError({ endpoint: undefined, problem, effect: "none", fieldErrors });
}

function late(what: string, withinMs: number): TimeoutError {
  const problem = `${what} has not ended within ${Math.round(withinMs)} ms; it goes on`;
  return new TimeoutError({ endpoint: undefined, problem, effect: "none", sent: true });
}

/** An abort ends the wait; the look that then follows refuses at once. */
function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(wake, ms);
    const forget = onAbort(signal, wake);
    function wake(): void {
      clearTimeout(timer);
      forget();
      resolve();
    }
  });
}
