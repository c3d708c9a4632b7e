import type { OperationFacts } from "./generated.ts";

/*
 * Only what changes nothing, or comes under a key, is asked for again: whatever else was sent may have been done.
 */

export interface RetryOptions {
  /** How often a request comes again where it may; 3 by default, 0: never. */
  retries?: number;
  /** Longer than this is not waited for the next try, whatever `Retry-After` says; 30 seconds by default. */
  longestWaitMs?: number;
}

const RETRIES = 3;
const LONGEST_WAIT_MS = 30_000;
/** Doubled with each try. */
const FIRST_WAIT_MS = 250;

/** 429 and 503: come back later. 409 with `Retry-After`: the same request is under way. */
const LATER: ReadonlySet<number> = new Set([429, 503]);

export function isWorthRepeating(
  { retries = RETRIES }: RetryOptions,
  { method }: OperationFacts,
  { headers, body }: { headers: Record<string, string>; body?: unknown },
  tried: number,
): boolean {
  const isSafe = method === "GET" || headers["idempotency-key"] !== undefined;
  // A stream can be read once.
  const isWhole = typeof ReadableStream === "undefined" || !(body instanceof ReadableStream);
  return tried <= retries && isSafe && isWhole;
}

/** How long to wait, in milliseconds; undefined: it is of no use, or takes too long. */
export function retryWaitMs(
  { longestWaitMs = LONGEST_WAIT_MS }: RetryOptions,
  answer: Response | undefined,
  tried: number,
): number | undefined {
  // Half of it is drawn, so that many clients do not come back as one.
  const backoffMs = FIRST_WAIT_MS * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
  if (!answer) return Math.min(backoffMs, longestWaitMs);
  const named = answer.headers.get("retry-after");
  const mayComeBack = LATER.has(answer.status) || (answer.status === 409 && named !== null);
  if (!mayComeBack) return undefined;
  const seconds = Number(named ?? Number.NaN);
  const waitMs =
    Number.isFinite(seconds) && named !== null ? Math.max(seconds * 1_000, backoffMs) : backoffMs;
  return waitMs > longestWaitMs ? undefined : waitMs;
}

/** @throws the signal's reason */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, ms);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
