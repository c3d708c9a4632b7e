import { writingsOf } from "../../domain/ground/number-in-text.ts";

/** A date: its digits may be a number's without its country. */
const NO_DATE = "(?![[:digit:]]{4}-[[:digit:]]{2}-[[:digit:]]{2}(?:[^[:digit:]]|$))";

/**
 * How people and programs write a number, as a pattern of PostgreSQL: its digits with what stands between them, and no
 * part of a longer one.
 */
export function patternOf(phone: string): string {
  const digits = writingsOf(phone).toSorted((a, b) => b.length - a.length);
  const written = digits.map((one) => Array.from(one).join("[ ().\\-/]{0,3}")).join("|");
  return `[+]?(?<![[:digit:]])${NO_DATE}(?:${written})(?![[:digit:]])`;
}
