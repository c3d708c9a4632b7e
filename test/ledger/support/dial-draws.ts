import fc from "fast-check";

import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import type { Luck } from "./dial-engine.ts";
import type { Change, Fixed, Policy } from "./dial-life.ts";
import type { DrawnSequence, Rest } from "./dial-sequences.ts";
import type { Person } from "./dial-oracle.ts";

/* What lives are drawn from: policies, what happens to campaigns under them, and what calls come to. */

const NEW_YORK = ["America/New_York"];
/** Whom they call. */
export const PEOPLE: readonly Person[] = [
  person("+12025550111", "US", NEW_YORK, ["US-DC"]),
  person("+13055550112", "US", NEW_YORK, ["US-FL"]),
  person("+12125550113", "US", NEW_YORK, ["US-LA", "US-NY"]),
  person("+12135550114", "US", ["America/New_York", "America/Los_Angeles"], ["US-CA", "US-NY"]),
  ...["+4930123411", "+4930123412"].map((phone) => person(phone, "DE", ["Europe/Berlin"], ["DE"])),
  person("+442079460115", "GB", ["Europe/London"], ["GB"]),
  { ...person("+19005550123", "US", NEW_YORK, ["US-NY"]), costly: "premium_rate" },
];

function person(phone: string, country: string, zones: readonly string[], places: readonly string[]): Person {
  // Half of them.
  const consentedAtMs = Number(phone.at(-1)) % 2 === 0 ? Date.UTC(2026, 3, 1) : undefined;
  return { phone, country, costly: undefined, zones, places, consentedAtMs, worth: Number(phone.at(-1)) };
}

/** Shortly before clocks change in Europe, Thanksgiving, and Christmas. */
const BEGINNINGS = [Date.UTC(2026, 9, 23, 13), Date.UTC(2026, 10, 25, 15), Date.UTC(2026, 11, 23, 11)];

const dateNear = (beginMs: number, days: number) =>
  new Date(beginMs + days * 86_400_000).toISOString().slice(0, 10);

const window = fc.constantFrom<NonNullable<Policy["window"]>>(
  "always",
  { weekdays: ["09:00-12:00", "13:00-18:00"] },
  { weekdays: ["08:00-21:00"], saturday: ["10:00-16:00"] },
  { weekdays: ["10:00-19:30"], thursday: [], sunday: ["12:00-18:00"] },
  { weekdays: ["09:00-11:00"] },
);
const cap = fc
  .record({
    count: fc.integer({ min: 1, max: 3 }),
    what: fc.constantFrom("attempts" as const, "attempts" as const, "conversations" as const),
    within: fc.constantFrom("2h", "1d", "3d"),
    across: fc.constantFrom("brand" as const, "everything" as const),
    at_cap: fc.constantFrom("wait" as const, "wait" as const, "end" as const),
  })
  .map(({ count, what, ...rest }) => ({ [what]: count, ...rest }));
const callerIds = fc
  .record(
    {
      sticky: fc.boolean(),
      match: fc.constantFrom("none" as const, "country" as const),
      per_hour: fc.integer({ min: 1, max: 5 }),
      daily: fc.record({
        per_day: fc.integer({ min: 3, max: 12 }),
        warm_up: fc.constantFrom(undefined, undefined, "8h", "3d"),
      }),
      health: fc.constant({ answered: 0.4, newest: 10, at_least: 10, rest: "3h" }),
    },
    { requiredKeys: ["sticky", "match"] },
  )
  .map(({ daily: { per_day, warm_up } = {}, ...rest }) => ({
    ...rest,
    ...(per_day !== undefined && { per_day }),
    ...(warm_up !== undefined && { warm_up }),
  }));
const breaker = fc
  .record(
    {
      newest: fc.constantFrom(5, 10),
      failed: fc.constantFrom(0.3, 0.6),
      voicemail: fc.constantFrom(0.3, 0.6),
      probe: fc.record({
        after: fc.constantFrom("15m", "3h"),
        calls: fc.integer({ min: 1, max: 3 }),
        tries: fc.integer({ min: 1, max: 2 }),
      }),
    },
    { requiredKeys: ["newest", "failed"] },
  )
  .map((one) => ({ ...one, at_least: 5 }));
const retry = fc.record(
  {
    max_attempts: fc.integer({ min: 1, max: 4 }),
    delays: fc.constantFrom<NonNullable<NonNullable<Policy["retry"]>["delays"]>[]>(
      { busy: ["5m", "next_window"], no_answer: { first: "10m", factor: 3, at_most: "2h" }, failed: "5m" },
      {
        busy: { after: "30m", at: "other_part_of_day" },
        no_answer: "next_window",
        voicemail: { after: "1d", at: "next_window" },
      },
      { busy: [{ after: "1h", at: "other_part_of_day" }, "1d"], no_answer: ["1m", "1h"] },
      { busy: "10m", no_answer: "1h", voicemail: "4h", failed: "5m" },
      { busy: "1m", no_answer: "2m" },
      { no_answer: "1d", voicemail: "2d" },
    ),
    max_per_disposition: fc.constantFrom({ busy: 2 }, { no_answer: 1 }),
  },
  { requiredKeys: ["max_attempts", "delays"] },
);
const policyAround = (beginMs: number): fc.Arbitrary<Policy> =>
  fc
    .record({
      window,
      retry,
      least_gap: fc.constantFrom("0s", "5m", "2h"),
      presets: fc.oneof<fc.Arbitrary<string[]>[]>(
        fc.constant<string[]>([]),
        fc.subarray(["us-states", "de", "uk", "careful"]),
        fc.constantFrom<string[][]>(["us-states"], ["careful"]),
      ),
      holidays: fc.subarray(["US", "DE-BY"]),
      exceptions: fc.uniqueArray(
        fc.record({
          day: fc.integer({ min: -1, max: 9 }),
          hours: fc.constantFrom<(string[] | undefined)[]>(undefined, ["10:00-14:00"]),
        }),
        { maxLength: 3, selector: ({ day }) => day },
      ),
      frequency: fc.array(cap, { maxLength: 2 }),
      not_called_within: fc.constantFrom(undefined, undefined, "1d"),
      numbers: fc.constantFrom<Policy["numbers"][]>(
        undefined,
        undefined,
        { countries: ["US", "GB"] },
        { kinds: ["premium_rate"] },
      ),
      ends: fc.constantFrom(undefined, undefined, 3, 8),
      concurrency: fc.constantFrom(1, 2, 6, 6),
      callers: fc.option(callerIds, { nil: undefined }),
      canary: fc.constantFrom(undefined, undefined, undefined, 1, 4),
      breaks: fc.option(breaker, { nil: undefined }),
      order: fc.constantFrom(undefined, "newest_first" as const),
      weight: fc.constantFrom(1, 1, 2, 4),
      priority: fc.constantFrom("normal" as const, "normal" as const, "high" as const, "low" as const),
      inbound: fc.constantFrom<Policy["inbound"][]>("ignore", "close", { reschedule: "26h" }),
      consent: fc.constantFrom<Policy["consent"][]>(
        undefined,
        undefined,
        undefined,
        { require: "any" },
        { require: "express", max_age: "2d" },
        { require: "express_written" },
      ),
    })
    .map(({ presets, holidays, exceptions, frequency, not_called_within, numbers, ends, ...more }) => {
      const { consent, callers, canary, breaks, order, ...rest } = more;
      return {
        ...rest,
        ...(consent && { consent }),
        ...(callers && { caller_ids: callers }),
        ...(canary !== undefined && { canary }),
        ...(breaks && { breaker: breaks }),
        ...(order && { order }),
        ...(presets.length > 0 && { presets }),
        ...(holidays.length > 0 && { holidays }),
        ...(exceptions.length > 0 && {
          exceptions: exceptions.map(({ day, hours }) => ({
            date: dateNear(beginMs, day),
            ...(hours && { hours }),
          })),
        }),
        ...(frequency.length > 0 && { frequency }),
        ...(not_called_within !== undefined && { not_called_within }),
        ...(numbers !== undefined && { numbers }),
        ...(ends !== undefined && { ends_at: `${dateNear(beginMs, ends)}T16:20:00Z` }),
      };
    });

const which = fc.nat(1_000);
const brand = fc.constantFrom(undefined, "one", "two");
const changesAround = (beginMs: number): fc.Arbitrary<Change> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant("advance" as const),
        minutes: fc.constantFrom(1, 7, 30, 61, 150, 600),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("amend" as const), which, policy: policyAround(beginMs) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("pause" as const, "resume" as const, "resume" as const),
        which,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("approve" as const), which }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), which }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("inbound" as const), which }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("enroll" as const), which, into: fc.nat(1) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("leave" as const, "rest" as const, "go_on" as const, "go_on" as const),
        which,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom("park" as const, "unpark" as const, "unpark" as const),
        which,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("blackout" as const),
        brand,
        inDays: fc.integer({ min: -1, max: 4 }),
        days: fc.nat(2),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("lift" as const), which }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("suppress" as const), which, brand }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("withdraw" as const),
        which,
        // Nobody in particular: everybody who is not through.
        who: fc.oneof(
          { weight: 5, arbitrary: fc.array(which, { minLength: 1, maxLength: 3 }) },
          { weight: 1, arbitrary: fc.constant([]) },
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("source" as const),
        which,
        brand,
        hours: fc.constantFrom(undefined, 1, 3, 20, 72),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("renew" as const),
        which,
        listed: fc.array(which, { maxLength: 3 }),
        hoursAgo: fc.constantFrom(0, 0, 2),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), which }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("consent" as const),
        which,
        brand: fc.constantFrom("one", "two"),
        basis: fc.constantFrom("express", "express_written", "legitimate_interest"),
        hoursAgo: fc.constantFrom(0, 1, 30),
        hours: fc.constantFrom(undefined, 2, 40),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("unsay" as const),
        which,
        brand: fc.constantFrom("one", "two"),
      }),
    },
  );
const rest = fc.constantFrom<Rest[]>(
  { for: "1m" },
  { for: "90m" },
  { for: "2d" },
  { business_days: 1 },
  { business_days: 2, at: "10:00" },
  { until: "10:00", days: "weekdays" },
  { until: "16:30", days: "business" },
);
/** What calls of a sequence may be told of what campaigns are. */
const sequenceAround = (beginMs: number): fc.Arbitrary<DrawnSequence> =>
  fc.record({ rest, policy: policyAround(beginMs) }).map(({ rest: waits, policy }) => {
    const { window: hours, holidays, exceptions, presets, frequency, numbers, consent, ...others } = policy;
    const { retry: tries, least_gap, concurrency, weight } = others;
    const days = {
      ...(hours && { window: hours }),
      ...(holidays && { holidays }),
      ...(exceptions && { exceptions }),
    };
    const rules = {
      ...(presets && { presets }),
      ...(frequency && { frequency }),
      ...(numbers && { numbers }),
    };
    const own = {
      ...(consent && { consent }),
      ...(tries && { retry: tries }),
      ...(least_gap && { least_gap }),
    };
    return { rest: waits, policy: { ...days, ...rules, ...own, concurrency, weight } };
  });
/** In the others each campaign has lines of its own. */
const account = fc.option(
  fc
    .record({
      limit: fc.integer({ min: 1, max: 8 }),
      reserve: fc.constantFrom(0, 0, 1),
      brands: fc.constantFrom(undefined, undefined, new Map([["one", 2]])),
    })
    .map(({ limit, reserve, brands }) => ({
      limit,
      reserve: Math.min(reserve, limit - 1),
      ...(brands && { brands }),
    })),
  { nil: undefined, freq: 2 },
);
const luck: fc.Arbitrary<Luck> = fc.record({
  outcomes: fc.array(
    fc.constantFrom<Disposition[]>(
      ...(["answered", "no_answer", "no_answer", "busy", "busy", "voicemail", "failed", "unknown"] as const),
      ...(["no_answer", "busy", "answered", "callback_requested", "opted_out"] as const),
    ),
    { minLength: 3, maxLength: 9 },
  ),
  minutes: fc.array(fc.constantFrom(1, 1, 2, 5, 40), { minLength: 2, maxLength: 5 }),
  startsLater: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  atOnce: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 4 }),
  kills: fc.array(fc.record({ commits: fc.nat(60), isCommitted: fc.boolean() }), { maxLength: 6 }),
});
/** A life: what it begins with, and what happens in it. */
export const life = fc.constantFrom(...BEGINNINGS).chain((beginMs) =>
  fc.record({
    beginMs: fc.constant(beginMs),
    fixed: fc.record(
      {
        variants: fc.constant<NonNullable<Fixed["variants"]>>([
          { name: "a" },
          { name: "b", agent_id: "other", weight: 2 },
        ]),
        contact_priority: fc.constant<NonNullable<Fixed["contact_priority"]>>({
          column: "worth",
          first: 9,
          last: 0,
        }),
      },
      { requiredKeys: [] },
    ),
    policies: fc.array(policyAround(beginMs), { minLength: 3, maxLength: 3 }),
    sequences: fc.array(sequenceAround(beginMs), { minLength: 2, maxLength: 2 }),
    enrolled: fc.array(fc.record({ which, into: fc.nat(1) }), { minLength: 1, maxLength: 6 }),
    account,
    isSimulated: fc.boolean(),
    changes: fc.array(changesAround(beginMs), { minLength: 5, maxLength: 25 }),
    luck,
  }),
);
