import { z } from "zod";

import { queryInteger } from "./query.ts";

const DATE_CHARACTERS = "2000-01-01".length;

/** ISO 8601; a time without a zone is UTC, wherever the sandbox runs. */
const moment = z
  .string()
  .regex(
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?$/,
    "Invalid ISO 8601 date",
  )
  .refine((value) => !Number.isNaN(wallTimeOf(value)), "Invalid date");

/** Milliseconds since 1970 of a `moment`: of a date alone, of its beginning. */
function wallTimeOf(value: string): number {
  const hasTime = value.length > DATE_CHARACTERS;
  const hasZone = /(Z|[+-]\d{2}:?\d{2})$/.test(value.slice(DATE_CHARACTERS));
  return Date.parse(hasTime && !hasZone ? `${value}Z` : value);
}

const DAY_MS = 86_400_000;

/** Ten years: whoever wants more leaves it out. */
const MOST_DAYS = 3_650;

/**
 * A stretch of time as a filter, ends included. The contract's names are `from_date` and `to_date`; published clients
 * say `start_date`, `end_date` and `days`, too.
 */
export const periodFields = {
  from_date: moment.optional(),
  to_date: moment.optional(),
  start_date: moment.optional(),
  end_date: moment.optional(),
  /** The last so many times 24 hours. */
  days: queryInteger(z.int().min(1).max(MOST_DAYS).optional()),
};

export type Period = Partial<z.output<z.ZodObject<typeof periodFields>>>;

/** One end of a period: when it is, and the words for it. */
interface Bound {
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  readonly text: string;
}

/** The bounds that a period sets, in the words that were asked with; null where it sets none. Of several, all hold. */
export function boundsIn(period: Period, nowMs: number): { from: Bound | null; to: Bound | null } {
  const { from_date: from, start_date: start, to_date: to, end_date: end, days } = period;
  const since = days === undefined ? null : nowMs - days * DAY_MS;
  const starts = [
    ...given(from, start).map((text) => ({ wallMs: wallTimeOf(text), text })),
    ...(since === null ? [] : [{ wallMs: since, text: new Date(since).toISOString() }]),
  ];
  const ends = given(to, end).map((text) => ({ wallMs: lastOf(text), text }));
  return {
    from: starts.toSorted((one, other) => other.wallMs - one.wallMs)[0] ?? null,
    to: ends.toSorted((one, other) => one.wallMs - other.wallMs)[0] ?? null,
  };
}

function given(...texts: readonly (string | undefined)[]): string[] {
  return texts.filter((text) => text !== undefined);
}

/** A date alone, as the end of a period, is the whole day. */
function lastOf(value: string): number {
  return value.length > DATE_CHARACTERS ? wallTimeOf(value) : wallTimeOf(value) + DAY_MS - 1;
}
