const WEEKDAY_FIRST = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** The obsolete form of C's asctime names no zone, and is UTC all the same. */
const ZONE_LAST = /(?:GMT|UTC?|Z|[+-]\d{4})$/i;

/**
 * Reads an HTTP date (RFC 9110 5.6.7) to epoch milliseconds; undefined for anything else.
 * Asks for the weekday, since `Date.parse` alone takes almost any text with a number in it.
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !WEEKDAY_FIRST.test(text)) return undefined;
  const epochMs = Date.parse(ZONE_LAST.test(text) ? text : `${text} GMT`);
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
