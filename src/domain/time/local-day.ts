/* Local dates are counted in days: 1970-01-01 is day 0, wherever. */

export const DAY_MS = 86_400_000;

/** The date that a clock shows. */
export function dayOf(localMs: number): number {
  return Math.floor(localMs / DAY_MS);
}

/** 0 is Monday, 6 is Sunday. */
export function weekdayOf(day: number): number {
  // 1970-01-01 was a Thursday. The remainder of days before it is below 0.
  return (((day + 3) % 7) + 7) % 7;
}

/** As ISO 8601 writes it. */
export function dateText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Of a date as ISO 8601 writes it; NaN where it is none. */
export function dayOfDate(date: string): number {
  return Date.parse(`${date}T00:00Z`) / DAY_MS;
}
