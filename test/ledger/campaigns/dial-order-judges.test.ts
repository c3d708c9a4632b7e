import { expect, it } from "vitest";

import { hasCaller, Rests, stickyObjections } from "../support/dial-callers.ts";
import { journeyObjections, type Journey } from "../support/dial-journeys.ts";
import { hasLineOfAccount, lineObjections } from "../support/dial-lines.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../support/dial-oracle.ts";
import { orderObjections } from "../support/dial-order.ts";
import type { Planned, Running } from "../support/dial-records.ts";
import { ANN, campaignOf, dialAt, NOON_MS, plannedOf, type Spec } from "../support/dial-samples.ts";
import type { Rest } from "../support/dial-sequences.ts";
import { definitionOf } from "../support/enrolling.ts";

/* Those who judge lines, order, numbers and sequences of a log of dials object where they should. */

const LEEDS_MS = Date.UTC(2026, 10, 25, 12);
const BOB = { ...ANN, phone: "+442079460116", worth: 6 };

it("another number than before is objected to, unless the one before had no call left", () => {
  const rests = new Rests();
  const campaign = campaignOf({ caller_ids: { sticky: true, per_hour: 1 } });
  const numbers = ["+12025550100", "+442079460100"];
  const batches = numbers.map((from, index) =>
    plannedOf(campaign, {
      id: from,
      from,
      planning: index + 1,
      plannedMs: NOON_MS + index * 2 * HOUR_MS,
      begunMs: NOON_MS + index * 2 * HOUR_MS,
    }),
  );
  const dials = batches.map(({ id, from, plannedMs }) => dialAt(plannedMs, { batch: id, from }));
  expect(stickyObjections(dials, { planned: batches, rests })).toHaveLength(1);
  const busy = plannedOf(campaign, { id: "busy", planning: 2, begunMs: NOON_MS + 90 * MINUTE_MS });
  expect(stickyObjections(dials, { planned: [...batches, busy], rests })).toEqual([]);
  expect(stickyObjections(dials.slice(0, 1), { planned: batches, rests })).toEqual([]);
});

it("a number that is new has a tenth of its calls, and more with the time", () => {
  const rests = new Rests();
  const campaign = campaignOf({
    from_numbers: ["+12025550100"],
    caller_ids: { per_day: 10, warm_up: "2d" },
  });
  const [spec] = campaign.specs;
  if (spec === undefined) throw new Error("it has one");
  const first = plannedOf(campaign);
  expect(hasCaller(spec, NOON_MS, { planned: [], rests })).toBe(true);
  expect(hasCaller(spec, NOON_MS, { planned: [first], rests })).toBe(false);
  rests.settle([dialAt(NOON_MS)], spec, NOON_MS);
  expect(hasCaller(spec, NOON_MS + HOUR_MS, { planned: [first], rests })).toBe(false);
  expect(hasCaller(spec, NOON_MS + 6 * HOUR_MS, { planned: [first], rests })).toBe(true);
});

it("calls beyond the lines of a batch, a campaign, a brand, an account or lists are objected to", () => {
  const calls = (changes: Spec, slots: number, others: Partial<Running> = {}) => {
    const batch = plannedOf(campaignOf(changes), { slots });
    const other = plannedOf({ ...campaignOf(), id: "other", ...others }, { id: "other", planning: 0 });
    const log = [dialAt(NOON_MS, { batch: "other" }), dialAt(NOON_MS), dialAt(NOON_MS, { contact: 2 })];
    return (account: Parameters<typeof lineObjections>[2]) =>
      lineObjections(log, [batch, other], account).length;
  };
  expect(calls({ concurrency: 2 }, 2)(undefined)).toBe(0);
  expect(calls({ concurrency: 1 }, 2)(undefined)).toBe(2);
  expect(calls({ concurrency: 2 }, 1)(undefined)).toBe(2);
  expect(calls({ concurrency: 2 }, 2)({ limit: 3, reserve: 0 })).toBe(0);
  expect(calls({ concurrency: 2 }, 2)({ limit: 2, reserve: 0 })).toBe(2);
  expect(calls({ concurrency: 2 }, 2)({ limit: 3, reserve: 1 })).toBe(2);
  const brands = new Map([["one", 2]]);
  expect(calls({ concurrency: 2 }, 2)({ limit: 3, reserve: 0, brands })).toBe(2);
  expect(calls({ concurrency: 2 }, 2, { brand: "two" })({ limit: 3, reserve: 0, brands })).toBe(0);
  // Whoever was planned before has its line, whatever is planned behind it.
  const early = plannedOf(campaignOf({ concurrency: 1 }), { planning: 1 });
  const late = plannedOf({ ...campaignOf(), id: "late" }, { id: "late", planning: 2 });
  const log = [dialAt(NOON_MS, { batch: "late" }), dialAt(NOON_MS)];
  expect(lineObjections(log, [early, late], { limit: 1, reserve: 0 })).toHaveLength(1);
});

it("an account has a line for lists beside what is kept for calls that are placed one by one", () => {
  const list = campaignOf();
  const placed = { ...campaignOf(), isStanding: true };
  const underWay = [plannedOf(list)];
  const hasLine = (campaign: Running) => hasLineOfAccount(campaign, underWay, { limit: 2, reserve: 1 });
  expect([hasLine(list), hasLine(placed)]).toEqual([false, true]);
});

it("somebody who is planned before others of a higher level, or before them in their list, is objected to", () => {
  const people = [
    { id: 1, person: ANN },
    { id: 2, person: BOB },
  ];
  const both = ([first, second]: readonly [number, number], changes: Spec, more: Partial<Planned> = {}) => {
    const campaign = campaignOf(changes);
    const batch = (contact: number, planning: number): Planned => {
      const plannedMs = LEEDS_MS + planning * MINUTE_MS;
      const phone = contact === 1 ? ANN.phone : BOB.phone;
      const called = [{ contact, phone }];
      return plannedOf(campaign, { id: String(contact), planning, plannedMs, called, ...more });
    };
    const planned = [batch(first, 1), batch(second, 2)];
    const log = planned.map(({ id, plannedMs }) => dialAt(plannedMs, { contact: Number(id), batch: id }));
    return orderObjections(campaign, people, { log, planned }).length;
  };
  const contact_priority = { column: "worth", first: 9, last: 0 };
  expect(both([2, 1], { contact_priority })).toBe(0);
  expect(both([1, 2], { contact_priority })).toBe(1);
  expect(both([1, 2], {})).toBe(0);
  expect(both([2, 1], {})).toBe(1);
  expect(both([2, 1], { order: "newest_first" })).toBe(0);
  expect(both([1, 2], { order: "newest_first" })).toBe(1);
  // Who goes first may have been out of reach.
  expect(both([1, 2], { contact_priority, window: { saturday: ["09:00-12:00"] } })).toBe(0);
});

it("a second call of a sequence before its rest is over, and one that is placed late, are objected to", () => {
  const journey = (rest: Rest, secondMs: number, changes: Partial<Journey> = {}) => {
    const definition = definitionOf([{ id: "first", call: {} }], { holidays: ["US"] });
    const told = { id: "s", name: "s", definition, rest, isPaused: false, wasPaused: false };
    const new_yorker = { ...ANN, zones: ["America/New_York"] };
    const enrolled = {
      id: "e",
      sequence: told,
      person: new_yorker,
      enrolledMs: NOON_MS,
      isResting: false,
      wasResting: false,
      hasLeft: false,
    };
    const call = (no: number, placedMs: number, endedMs: number) => ({
      contact: no,
      enrolment: enrolled,
      no,
      placedMs,
      endedMs,
    });
    const calls = [call(1, NOON_MS, NOON_MS + MINUTE_MS), call(2, secondMs, secondMs + MINUTE_MS)];
    const log = [dialAt(NOON_MS), dialAt(secondMs, { contact: 2 })];
    const turnsMs = Array.from({ length: 400 }, (_, hour) => NOON_MS + (hour * HOUR_MS) / 2);
    return journeyObjections({ enrolled, isOver: true, calls, ...changes }, { log, turnsMs }).length;
  };
  // A Wednesday at noon in New York; the day behind it is Thanksgiving.
  expect(journey({ for: "90m" }, NOON_MS + 90 * MINUTE_MS)).toBe(1);
  expect(journey({ for: "90m" }, NOON_MS + 2 * HOUR_MS)).toBe(0);
  expect(journey({ for: "90m" }, NOON_MS + 3 * HOUR_MS)).toBe(1);
  expect(journey({ for: "90m" }, NOON_MS + 2 * HOUR_MS, { isOver: false })).toBe(1);
  expect(journey({ business_days: 1 }, NOON_MS + DAY_MS + HOUR_MS)).toBe(1);
  expect(journey({ business_days: 1 }, NOON_MS + 2 * DAY_MS + HOUR_MS / 2)).toBe(0);
  expect(journey({ business_days: 2, at: "10:00" }, NOON_MS + 4 * DAY_MS)).toBe(1);
  expect(journey({ business_days: 2, at: "10:00" }, NOON_MS + 5 * DAY_MS - 2 * HOUR_MS)).toBe(0);
  expect(journey({ until: "10:00", days: "weekdays" }, NOON_MS + DAY_MS - 2 * HOUR_MS)).toBe(0);
  expect(journey({ until: "10:00", days: "business" }, NOON_MS + DAY_MS - 2 * HOUR_MS)).toBe(1);
  expect(journey({ until: "10:00", days: "business" }, NOON_MS + 2 * DAY_MS - 2 * HOUR_MS)).toBe(0);
});
