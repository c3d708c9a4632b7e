import { parseHttpDate } from "./http-date.ts";

/** The longest wait a platform can ask of us: one wrong header must not put a campaign to sleep for days. */
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * Reads Retry-After (RFC 9110 10.2.3): seconds, or a date. Milliseconds from 0 to `RETRY_AFTER_MAX_MS`;
 * undefined where there is none or it makes no sense. Negative seconds and past dates are 0.
 * A date is taken relative to the answer's own `Date`, so that clocks that disagree do no harm.
 */
export function parseRetryAfter(
  value: string | undefined,
  answer: { readonly date: string | undefined; readonly nowMs: number },
): number | undefined {
  const text = value?.trim();
  if (text === undefined) return undefined;
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return bounded(Number(text) * 1000);
  const dateMs = parseHttpDate(text);
  if (dateMs === undefined) return undefined;
  return bounded(dateMs - (parseHttpDate(answer.date) ?? answer.nowMs));
}

function bounded(waitMs: number): number {
  return Math.round(Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS));
}
