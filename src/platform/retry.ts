import { onAbort } from "./abort.ts";
import { backoffMs } from "./backoff.ts";
import {
  BadGatewayError,
  ConnectionError,
  GatewayTimeoutError,
  InternalServerError,
  PlatformError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
} from "./errors.ts";
import type { Settings } from "./options.ts";

/**
 * True where the same request may be sent again by itself: a transient failure (contract 7, rule 1; a
 * connection that was never made, or was lost under a read) whose request did nothing. What may have
 * happened is never repeated here. A read that timed out is not repeated either: whoever waited that long
 * should decide.
 */
export function isRepeatable(error: PlatformError): boolean {
  if (error.effect === "may_have_happened") return false;
  if (error instanceof TimeoutError) return !error.sent;
  return (
    error instanceof RateLimitedError ||
    error instanceof InternalServerError ||
    error instanceof BadGatewayError ||
    error instanceof UnavailableError ||
    error instanceof GatewayTimeoutError ||
    error instanceof ConnectionError
  );
}

/**
 * Runs tries until one succeeds, fails for good, or the policy's tries are used up; then throws the last
 * error. Between tries it waits the longer of backoff and Retry-After (bounded, retry-after.ts). An abort ends
 * the wait; the try that then follows refuses at once.
 */
export async function withRetry<T>(
  retry: Settings["retry"],
  signal: AbortSignal | undefined,
  run: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(attempt);
    } catch (error) {
      if (!(error instanceof PlatformError) || attempt >= retry.attempts || !isRepeatable(error)) throw error;
      await rest(Math.max(backoffMs(attempt, retry.backoff), error.retryAfterMs ?? 0), signal);
    }
  }
}

function rest(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(wake, waitMs);
    const forget = onAbort(signal, wake);
    function wake(): void {
      clearTimeout(timer);
      forget();
      resolve();
    }
  });
}
