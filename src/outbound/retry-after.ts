import { parseHttpDate } from "../platform/http-date.ts";

/** Deliveries are tried over days; a receiver can ask for one of them, not for our patience with it. */
const MAX_MS = 86_400_000;

/**
 * Reads Retry-After (RFC 9110 10.2.3): seconds, or a date, which is taken relative to the answer's own `Date`.
 *
 * @returns milliseconds from 0 to a day; undefined where there is none or it makes no sense.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string>>,
  nowMs: number,
): number | undefined {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,12}$/.test(text)) return Math.min(Number(text) * 1_000, MAX_MS);
  const dateMs = parseHttpDate(text);
  if (dateMs === undefined) return undefined;
  const fromMs = parseHttpDate(headers["date"]) ?? nowMs;
  return Math.min(Math.max(dateMs - fromMs, 0), MAX_MS);
}
