import { DAY_MS, dateText, dayOf } from "../time/local-day.ts";
import { isZoneName, zoneOf } from "../time/zone-data.ts";

/*
 * Days of money. A budget of a day is one of UTC, or of the zone that it names: from the first moment of a date there to
 * the first one of the next, which is 23 or 25 hours where the clocks are put forward or back.
 *
 * What is spent and held is written down by stretches, each within one day of UTC and of every zone that bound its
 * campaign at its leases. So a sum over a day is one over whole stretches, and nothing that was written down is ever
 * moved: a budget of another zone finds stretches that were begun before it, and counts each that was leased from on its
 * day, whole. It may count too much on the day of such a change, and never too little.
 */

/** What budgets go by that name no zone. */
export const MONEY_ZONE = "UTC";

export interface MoneyDay {
  zone: string;
  /** As ISO 8601 writes it. */
  date: string;
  /** Unix milliseconds. */
  beginsAtMs: number;
  endsAtMs: number;
}

/**
 * The day that it is by a zone's clocks. Of a zone that the data of this process do not have, it is the day of UTC, and
 * says so: a budget that another process was told with newer data must not keep this one from planning.
 */
export function moneyDayAt(nowMs: number, zone = MONEY_ZONE): MoneyDay {
  const known = isZoneName(zone) ? zone : MONEY_ZONE;
  const clocks = zoneOf(known);
  const beginning = (day: number) => clocks.firstInstantMs(day * DAY_MS);
  let day = dayOf(clocks.localMs(nowMs));
  // Clocks that were put back over midnight show the day before once more: the next one has begun all the same.
  while (beginning(day + 1) <= nowMs) day += 1;
  return { zone: known, date: dateText(day), beginsAtMs: beginning(day), endsAtMs: beginning(day + 1) };
}

/** When the stretch began that money leased at a moment is of: with the last of the days that bind it, or of UTC. */
export function stretchBegunMs(nowMs: number, days: readonly MoneyDay[]): number {
  return Math.max(moneyDayAt(nowMs).beginsAtMs, ...days.map(({ beginsAtMs }) => beginsAtMs));
}

/** Stretches that may have been leased from on a day began later than this: none is longer than a day of UTC. */
export function earliestStretchMs({ beginsAtMs }: MoneyDay): number {
  return beginsAtMs - DAY_MS;
}
