import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createWindowMemo } from "../../../src/domain/policy/calling-window.ts";
import { windowOf } from "../../../src/domain/campaigns/window-spec.ts";
import { RETRYABLE_DISPOSITIONS } from "../../../src/domain/policy/disposition.ts";
import {
  waitText,
  type ContactFacts,
  type GateDecision,
  type GateQuestion,
} from "../../../src/domain/policy/gate-question.ts";
import { NEVER_REASONS, WAIT_REASONS } from "../../../src/domain/policy/gate-reasons.ts";
import { decide, decideZones } from "../../../src/domain/policy/policy-gate.ts";
import type { ConsentPolicy } from "../../../src/domain/policy/consent.ts";
import type { SourceInScope } from "../../../src/domain/policy/suppression-source.ts";
import { type DialingPolicy, type FrequencyCap } from "../../../src/domain/policy/dialing-policy.ts";
import { COSTLY_KINDS, type CostlyKind } from "../../../src/domain/policy/number-kind.ts";
import { NO_DATES, type WindowDates } from "../../../src/domain/policy/window-dates.ts";
import type { RetryDelay } from "../../../src/domain/policy/retry-delay.ts";
import { dayOf } from "../../../src/domain/time/local-day.ts";

const NOW_MS = Date.UTC(2026, 5, 3, 12);
const HOUR_MS = 3_600_000;
const FOREVER = Number.POSITIVE_INFINITY;

const WELCOME: ContactFacts = {
  number: { country: "US", costly: undefined },
  zones: ["UTC"],
  places: [],
  suppression: undefined,
  consents: [],
  attempts: 0,
  attemptsByDisposition: {},
  lastDisposition: undefined,
  openElsewhere: false,
  dueAtMs: NOW_MS - HOUR_MS,
  calledBackAtMs: undefined,
  calledAtMs: undefined,
  lastCallAtMs: undefined,
  ownLastCallAtMs: undefined,
  cappedSinceMs: [],
  perhapsCappedSinceMs: [],
  undecidedUntilMs: undefined,
  isSimulated: false,
};
const once = (afterMs: number): RetryDelay => ({ kind: "list", waits: [{ kind: "delay", afterMs }] });

const ALWAYS: DialingPolicy = {
  version: 1,
  window: { kind: "always" },
  maxAttempts: 3,
  delays: {},
  maxPerDisposition: {},
  startsAtMs: undefined,
  endsAtMs: undefined,
  analysisRules: [],
  analysisWaitMs: 0,
  inbound: { kind: "ignore" },
  notCalledWithinMs: undefined,
  leastGapMs: 300_000,
  frequency: [],
  presetConsents: [],
  numbers: { countries: undefined, kinds: [] },
  consent: undefined,
};
const DAY_MS = 24 * HOUR_MS;
/** Two attempts a day, by calls of the brand; who is there waits. */
const CAP: FrequencyCap = {
  counts: "attempts",
  atMost: 2,
  withinMs: DAY_MS,
  across: "brand",
  thenEnd: false,
};
const TODAY_OFF: WindowDates = {
  ...NO_DATES,
  blackouts: [{ fromDay: dayOf(NOW_MS), lastDay: dayOf(NOW_MS), name: "Stocktaking" }],
};
const OFFICE_HOURS = windowOf({ weekdays: ["09:00-18:00"] });
const CLOSES_MS = Date.UTC(2026, 5, 3, 18);

function ask(
  facts: Partial<ContactFacts> = {},
  policy: Partial<DialingPolicy> = {},
  nowMs = NOW_MS,
  lists: readonly SourceInScope[] = [],
): GateDecision {
  return decide({ ...question(facts, policy, nowMs), lists });
}

function question(
  facts: Partial<ContactFacts>,
  policy: Partial<DialingPolicy>,
  nowMs = NOW_MS,
): GateQuestion {
  const whole = { ...ALWAYS, ...policy };
  return {
    facts: { ...WELCOME, ...facts },
    policy: whole,
    nowMs,
    openAttemptWaitMs: 60_000,
    windowOf: createWindowMemo(whole.window),
    lists: [],
  };
}

const CONSENT: ConsentPolicy = { require: "express", maxAgeMs: undefined };

/** Each rule's objection, in the order in which they stand before each other, and what brings it about. */
const OBJECTIONS: readonly {
  kind: "never" | "wait";
  reason: string;
  facts?: Partial<ContactFacts>;
  policy?: Partial<DialingPolicy>;
  lists?: readonly SourceInScope[];
}[] = [
  {
    kind: "never",
    reason: "suppressed",
    facts: { suppression: { scope: "global", source: "dnc", reason: "asked" } },
  },
  {
    kind: "never",
    reason: "number_not_allowed",
    facts: { number: { country: "GB", costly: "premium_rate" } },
  },
  { kind: "never", reason: "no_consent", policy: { consent: CONSENT } },
  {
    kind: "never",
    reason: "consent_expired",
    facts: { consents: [{ basis: "express", atMs: NOW_MS - HOUR_MS, expiresAtMs: NOW_MS }] },
    policy: { consent: CONSENT },
  },
  { kind: "never", reason: "max_attempts", facts: { attempts: 3 } },
  {
    kind: "never",
    reason: "max_per_disposition",
    facts: { lastDisposition: "busy", attemptsByDisposition: { busy: 2 } },
    policy: { maxPerDisposition: { busy: 2 } },
  },
  {
    kind: "never",
    reason: "called_back",
    facts: { calledBackAtMs: NOW_MS - HOUR_MS },
    policy: { inbound: { kind: "close" } },
  },
  {
    kind: "never",
    reason: "called_lately",
    facts: { calledAtMs: NOW_MS - HOUR_MS },
    policy: { notCalledWithinMs: 2 * HOUR_MS },
  },
  {
    kind: "never",
    reason: "called_often",
    facts: { cappedSinceMs: [NOW_MS - HOUR_MS] },
    policy: { frequency: [{ ...CAP, thenEnd: true }] },
  },
  { kind: "never", reason: "after_end", policy: { endsAtMs: NOW_MS } },
  { kind: "wait", reason: "before_start", policy: { startsAtMs: NOW_MS + HOUR_MS } },
  { kind: "wait", reason: "window", policy: { window: windowOf({ weekdays: ["13:00-14:00"] }) } },
  {
    kind: "wait",
    reason: "day_off",
    policy: { window: { ...OFFICE_HOURS, dates: TODAY_OFF } },
  },
  { kind: "wait", reason: "missing_source", policy: { requiredSources: ["another"] } },
  {
    kind: "wait",
    reason: "transfer_closed",
    policy: {
      transfers: {
        hours: {
          // An hour of the morning, which is to come, and is one of every window here.
          window: {
            kind: "weekly",
            days: Array.from({ length: 7 }, () => [{ startMinute: 540, endMinute: 600 }]),
          },
          zone: "America/New_York",
        },
      },
    },
  },
  {
    kind: "wait",
    reason: "stale_list",
    lists: [{ source: "ftc", renewedAtMs: NOW_MS - HOUR_MS, maxAgeMs: HOUR_MS }],
  },
  {
    kind: "wait",
    reason: "called_back_lately",
    facts: { calledBackAtMs: NOW_MS - HOUR_MS },
    policy: { inbound: { kind: "reschedule", delayMs: 2 * HOUR_MS } },
  },
  { kind: "wait", reason: "called_just_now", facts: { lastCallAtMs: NOW_MS - 299_999 } },
  {
    kind: "wait",
    reason: "frequency",
    facts: { cappedSinceMs: [NOW_MS - HOUR_MS] },
    policy: { frequency: [CAP] },
  },
  { kind: "wait", reason: "not_due", facts: { dueAtMs: NOW_MS + 1 } },
  { kind: "wait", reason: "open_attempt", facts: { openElsewhere: true } },
  { kind: "wait", reason: "undecided_call", facts: { undecidedUntilMs: NOW_MS + HOUR_MS } },
  {
    kind: "wait",
    reason: "not_scrubbed",
    lists: [
      {
        source: "carrier",
        renewedAtMs: undefined,
        maxAgeMs: undefined,
        scrubber: {
          sourceId: 1,
          source: "carrier",
          sinceMs: 0,
          cacheMs: 24 * HOUR_MS,
          whenAway: "wait",
          awayTriedAtMs: undefined,
        },
      },
    ],
  },
];

describe("each rule alone", () => {
  it("lets a contact through that nothing speaks against", () => {
    expect(ask()).toEqual({ kind: "dial", untilMs: FOREVER });
  });

  it.each(OBJECTIONS)("$kind: $reason", ({ kind, reason, facts, policy, lists }) => {
    expect(ask(facts, policy, NOW_MS, lists)).toMatchObject({ kind, reason });
  });

  it("asks nobody for consent where the policy does not, and for no list where there is none with an age", () => {
    expect(ask({ consents: [{ basis: undefined, atMs: NOW_MS - 1, expiresAtMs: undefined }] })).toMatchObject(
      {
        kind: "dial",
      },
    );
  });

  it("dials as long as consent holds and the list that ends first is young enough", () => {
    const consents = [
      { basis: "express" as const, atMs: NOW_MS - HOUR_MS, expiresAtMs: NOW_MS + 5 * HOUR_MS },
    ];
    expect(ask({ consents }, { consent: CONSENT })).toEqual({ kind: "dial", untilMs: NOW_MS + 5 * HOUR_MS });
    const list = (source: string, maxAgeMs: number) => ({ source, maxAgeMs, renewedAtMs: NOW_MS - HOUR_MS });
    const lists = [list("late", 9 * HOUR_MS), list("soon", 3 * HOUR_MS)];
    expect(ask({}, {}, NOW_MS, lists)).toEqual({ kind: "dial", untilMs: NOW_MS + 2 * HOUR_MS });
    expect(ask({ dueAtMs: 0 }, {}, NOW_MS + 2 * HOUR_MS, lists)).toEqual({
      kind: "wait",
      reason: "stale_list",
      untilMs: NOW_MS + 3 * HOUR_MS,
      detail: expect.stringContaining("the list of the source soon is of "),
    });
  });

  it.each([
    [{ scope: "brand", source: "call", reason: "opted out" } as const, "brand suppression (call): opted out"],
    [{ scope: "global", source: "dnc", reason: "register" } as const, "global suppression (dnc): register"],
  ])("says which suppression it was", (suppression, detail) => {
    expect(ask({ suppression })).toEqual({ kind: "never", reason: "suppressed", detail });
  });

  it("counts attempts up to the last one that is allowed", () => {
    expect(ask({ attempts: 2 })).toMatchObject({ kind: "dial" });
    expect(ask({ attempts: 3 })).toEqual({
      kind: "never",
      reason: "max_attempts",
      detail: "3 of 3 attempts made",
    });
    expect(ask({ attempts: 7 }, { maxAttempts: 2 })).toMatchObject({ reason: "max_attempts" });
  });

  it("counts a disposition against its own cap, and only the last one's", () => {
    const busyTwice = { attempts: 2, attemptsByDisposition: { busy: 2 } } as const;
    const policy = { maxPerDisposition: { busy: 2 } };
    expect(ask({ ...busyTwice, lastDisposition: "busy" }, policy)).toEqual({
      kind: "never",
      reason: "max_per_disposition",
      detail: "2 of 2 attempts came to busy",
    });
    expect(ask({ ...busyTwice, lastDisposition: "no_answer" }, policy)).toMatchObject({ kind: "dial" });
    expect(ask({ ...busyTwice, lastDisposition: "busy" }, { maxPerDisposition: { busy: 3 } })).toMatchObject({
      kind: "dial",
    });
    expect(ask({ lastDisposition: "busy" }, policy)).toMatchObject({ kind: "dial" });
  });

  it("dials from the campaign's start on and no more from its end on", () => {
    const policy = { startsAtMs: NOW_MS, endsAtMs: NOW_MS + HOUR_MS };
    expect(ask({}, policy, NOW_MS - 1)).toEqual({ kind: "wait", reason: "before_start", untilMs: NOW_MS });
    expect(ask({ dueAtMs: 0 }, policy, NOW_MS)).toEqual({ kind: "dial", untilMs: NOW_MS + HOUR_MS });
    expect(ask({}, policy, NOW_MS + HOUR_MS - 1)).toMatchObject({ kind: "dial" });
    expect(ask({}, policy, NOW_MS + HOUR_MS)).toEqual({
      kind: "never",
      reason: "after_end",
      detail: "the campaign ended at 2026-06-03T13:00:00.000Z",
    });
  });

  it("waits for the window to open and names the moment", () => {
    const eveningMs = Date.UTC(2026, 5, 3, 20);
    expect(ask({ dueAtMs: 0 }, { window: OFFICE_HOURS }, eveningMs)).toEqual({
      kind: "wait",
      reason: "window",
      untilMs: Date.UTC(2026, 5, 4, 9),
    });
  });

  it("never dials a number that no window opens for, and says whether zones are unknown or do not meet", () => {
    const policy = { window: OFFICE_HOURS };
    expect(ask({ zones: [] }, policy)).toEqual({
      kind: "never",
      reason: "no_common_window",
      detail: "no time zone is known for the number: no common opening within 14 days",
    });
    const zones = ["America/Los_Angeles", "Asia/Tokyo"];
    expect(ask({ zones }, { window: windowOf({ weekdays: ["10:00-11:00"] }) })).toMatchObject({
      reason: "no_common_window",
      detail: expect.stringContaining("America/Los_Angeles, Asia/Tokyo"),
    });
  });

  it("does not ask for zones where the window is always", () => {
    expect(ask({ zones: [] })).toEqual({ kind: "dial", untilMs: FOREVER });
  });

  it("is due at its moment, not before", () => {
    expect(ask({ dueAtMs: NOW_MS })).toMatchObject({ kind: "dial" });
    expect(ask({ dueAtMs: NOW_MS + 1 })).toEqual({ kind: "wait", reason: "not_due", untilMs: NOW_MS + 1 });
  });

  it("looks again after a while at a number that somebody else is calling", () => {
    expect(ask({ openElsewhere: true })).toEqual({
      kind: "wait",
      reason: "open_attempt",
      untilMs: NOW_MS + 60_000,
    });
  });
});

describe("while nobody knows yet what a call to the number came to", () => {
  it("nobody calls it, and it is looked at again after a while, up to when that is known or never will be", () => {
    expect(ask({ undecidedUntilMs: NOW_MS + HOUR_MS })).toEqual({
      kind: "wait",
      reason: "undecided_call",
      untilMs: NOW_MS + 60_000,
    });
    expect(ask({ undecidedUntilMs: NOW_MS + 1 })).toMatchObject({ untilMs: NOW_MS + 1 });
    expect(ask({ undecidedUntilMs: NOW_MS })).toMatchObject({ kind: "dial" });
  });
});

describe("between two calls to a number", () => {
  const calledMs = NOW_MS - 120_000;

  it("there is as long as the policy says, from the end of the last one", () => {
    expect(ask({ lastCallAtMs: calledMs })).toEqual({
      kind: "wait",
      reason: "called_just_now",
      untilMs: calledMs + 300_000,
    });
    expect(ask({ lastCallAtMs: calledMs }, { leastGapMs: 120_000 })).toMatchObject({ kind: "dial" });
  });

  it("there is a minute at least, but for calls that are simulated", () => {
    const justNow = { lastCallAtMs: NOW_MS - 59_999 };
    expect(ask(justNow, { leastGapMs: 0 })).toMatchObject({ untilMs: NOW_MS + 1 });
    expect(ask({ lastCallAtMs: NOW_MS - 60_000 }, { leastGapMs: 0 })).toMatchObject({ kind: "dial" });
    expect(ask({ ...justNow, isSimulated: true }, { leastGapMs: 0 })).toMatchObject({ kind: "dial" });
    expect(ask({ ...justNow, isSimulated: true })).toMatchObject({ reason: "called_just_now" });
  });

  it("of one contact there is as long as the policy says, or as its own delay where that is shorter", () => {
    const retried = { attempts: 1, lastDisposition: "busy", ownLastCallAtMs: calledMs } as const;
    expect(ask(retried)).toMatchObject({ reason: "called_just_now", untilMs: calledMs + 300_000 });
    expect(ask(retried, { delays: { busy: once(90_000) } })).toMatchObject({ kind: "dial" });
    expect(ask(retried, { delays: { busy: once(180_000) } })).toMatchObject({ untilMs: calledMs + 180_000 });
    expect(ask(retried, { delays: { busy: once(2 * HOUR_MS) } })).toMatchObject({
      untilMs: calledMs + 300_000,
    });
    // The delay is of what that call came to.
    expect(ask(retried, { delays: { no_answer: once(90_000) } })).toMatchObject({
      untilMs: calledMs + 300_000,
    });
  });

  it("of one contact there is as long as its delay says of the time that it came to that", () => {
    const facts = { attempts: 2, lastDisposition: "busy", ownLastCallAtMs: calledMs } as const;
    const list: RetryDelay = {
      kind: "list",
      waits: [
        { kind: "delay", afterMs: 90_000 },
        { kind: "delay", afterMs: 200_000 },
      ],
    };
    const backoff: RetryDelay = { kind: "backoff", firstMs: 90_000, factor: 2, atMostMs: 3_600_000 };
    const untilMs = (times: number, delay: RetryDelay) => {
      const decision = ask({ ...facts, attemptsByDisposition: { busy: times } }, { delays: { busy: delay } });
      return decision.kind === "wait" ? decision.untilMs - calledMs : decision.kind;
    };
    expect([1, 2, 3].map((times) => untilMs(times, list))).toEqual(["dial", 200_000, 200_000]);
    expect([1, 2, 3].map((times) => untilMs(times, backoff))).toEqual(["dial", 180_000, 300_000]);
    // When a window opens says nothing of how long ago the call was.
    const next: RetryDelay = { kind: "list", waits: [{ kind: "next_window", afterMs: 0 }] };
    expect(untilMs(1, next)).toBe(300_000);
    const later: RetryDelay = { kind: "list", waits: [{ kind: "other_part_of_day", afterMs: 180_000 }] };
    expect(untilMs(1, later)).toBe(180_000);
  });

  it("of one contact there is a minute at least, whatever its delay, but for calls that are simulated", () => {
    const retried = { attempts: 1, lastDisposition: "busy", ownLastCallAtMs: NOW_MS - 1 } as const;
    const atOnce = { delays: { busy: once(0) }, leastGapMs: 0 };
    expect(ask(retried, atOnce)).toEqual({
      kind: "wait",
      reason: "called_just_now",
      untilMs: NOW_MS + 59_999,
    });
    expect(ask({ ...retried, ownLastCallAtMs: NOW_MS - 60_000 }, atOnce)).toMatchObject({ kind: "dial" });
    expect(ask({ ...retried, isSimulated: true }, atOnce)).toMatchObject({ kind: "dial" });
    expect(ask({ ...retried, isSimulated: true }, { delays: { busy: once(0) } })).toMatchObject({
      kind: "dial",
    });
  });

  it("the longer of two gaps counts", () => {
    const facts = {
      lastDisposition: "busy",
      ownLastCallAtMs: calledMs,
      lastCallAtMs: calledMs - 10_000,
    } as const;
    expect(ask(facts, { delays: { busy: once(200_000) } })).toMatchObject({ untilMs: calledMs + 290_000 });
    expect(ask(facts, { delays: { busy: once(295_000) } })).toMatchObject({ untilMs: calledMs + 295_000 });
  });

  it("nobody waits for ever for a call that is told to have ended in the future", () => {
    expect(ask({ lastCallAtMs: NOW_MS + 1_000 * HOUR_MS })).toMatchObject({ untilMs: NOW_MS + 300_000 });
  });
});

const ONCE = ["inbound", "window", "frequency", "consent"] as const;

describe("how often a number is called", () => {
  it("is bound until the oldest of as many calls as are allowed is out of reach, to the moment", () => {
    const frequency = [CAP];
    const sinceMs = NOW_MS - DAY_MS + 1;
    expect(ask({ cappedSinceMs: [sinceMs] }, { frequency })).toEqual({
      kind: "wait",
      reason: "frequency",
      untilMs: NOW_MS + 1,
      detail: "2 attempts of the brand within 1d",
    });
    expect(ask({ cappedSinceMs: [sinceMs - 1] }, { frequency })).toMatchObject({ kind: "dial" });
    expect(ask({ cappedSinceMs: [undefined] }, { frequency })).toMatchObject({ kind: "dial" });
  });

  it("of several caps the one that holds longest is told", () => {
    const talks: FrequencyCap = {
      counts: "conversations",
      atMost: 1,
      withinMs: 7 * DAY_MS,
      across: "everything",
      thenEnd: false,
    };
    const frequency = [CAP, talks, { ...CAP, withinMs: HOUR_MS }];
    const cappedSinceMs = [NOW_MS - HOUR_MS, NOW_MS - 2 * DAY_MS, NOW_MS - 1];
    expect(ask({ cappedSinceMs }, { frequency })).toEqual({
      kind: "wait",
      reason: "frequency",
      untilMs: NOW_MS + 5 * DAY_MS,
      detail: "1 conversation of every brand within 7d",
    });
    expect(ask({ cappedSinceMs: [cappedSinceMs[0], undefined, cappedSinceMs[2]] }, { frequency })).toEqual({
      kind: "wait",
      reason: "frequency",
      untilMs: NOW_MS + 23 * HOUR_MS,
      detail: "2 attempts of the brand within 1d",
    });
  });

  it("ends a contact where the cap says so, for as long as it holds", () => {
    const frequency = [
      { ...CAP, withinMs: HOUR_MS },
      { ...CAP, thenEnd: true },
    ];
    expect(ask({ cappedSinceMs: [NOW_MS - 1, NOW_MS - 1] }, { frequency })).toEqual({
      kind: "never",
      reason: "called_often",
      detail: "2 attempts of the brand within 1d",
    });
    expect(ask({ cappedSinceMs: [NOW_MS - 1, NOW_MS - DAY_MS] }, { frequency })).toMatchObject({
      reason: "frequency",
    });
    expect(ask({ cappedSinceMs: [NOW_MS - HOUR_MS, NOW_MS - DAY_MS] }, { frequency })).toMatchObject({
      kind: "dial",
    });
  });

  it("is looked at again after a while where it depends on a call of which nobody knows yet", () => {
    const frequency = [{ ...CAP, counts: "conversations", thenEnd: true } as const];
    const perhaps = (sinceMs: number) => ask({ perhapsCappedSinceMs: [sinceMs] }, { frequency });
    expect(perhaps(NOW_MS - HOUR_MS)).toEqual({
      kind: "wait",
      reason: "undecided_call",
      untilMs: NOW_MS + 60_000,
      detail: "perhaps 2 conversations of the brand within 1d",
    });
    expect(perhaps(NOW_MS - DAY_MS + 1)).toMatchObject({ untilMs: NOW_MS + 1 });
    expect(perhaps(NOW_MS - DAY_MS)).toMatchObject({ kind: "dial" });
    // What is certain goes before.
    const both = { cappedSinceMs: [NOW_MS - HOUR_MS], perhapsCappedSinceMs: [NOW_MS - 1] };
    expect(ask(both, { frequency: [{ ...CAP }] })).toMatchObject({
      reason: "frequency",
      untilMs: NOW_MS + 23 * HOUR_MS,
    });
  });

  it("nobody waits longer for calls that are told to have ended in the future", () => {
    expect(ask({ cappedSinceMs: [NOW_MS + 9 * DAY_MS] }, { frequency: [CAP] })).toMatchObject({
      untilMs: NOW_MS + DAY_MS,
    });
  });
});

describe("which numbers may be called", () => {
  const number = (country: string | undefined, costly?: CostlyKind) => ({ number: { country, costly } });
  const numbers = (countries: string[] | undefined, kinds: CostlyKind[] = []) => ({
    numbers: { countries, kinds },
  });

  it.each(COSTLY_KINDS)("%s is called only where it is named", (costly) => {
    const others = COSTLY_KINDS.filter((kind) => kind !== costly);
    expect(ask(number("GB", costly), numbers(undefined, others))).toEqual({
      kind: "never",
      reason: "number_not_allowed",
      detail: `a number of the kind ${costly}, which numbers.kinds does not name`,
    });
    expect(ask(number("GB", costly), numbers(undefined, [costly]))).toMatchObject({ kind: "dial" });
  });

  it("of any country where none is named, and of those that are", () => {
    for (const country of ["US", "DE", undefined])
      expect(ask(number(country))).toMatchObject({ kind: "dial" });
    expect(ask(number("CA"), numbers(["US", "CA"]))).toMatchObject({ kind: "dial" });
    expect(ask(number("DE"), numbers(["US", "CA"]))).toEqual({
      kind: "never",
      reason: "number_not_allowed",
      detail: "a number of DE, which numbers.countries does not name",
    });
    expect(ask(number(undefined), numbers(["US"]))).toMatchObject({
      detail: "a number of no one country, which numbers.countries does not name",
    });
    // A kind that is named is of these countries, too.
    expect(ask(number("DE", "shared_cost"), numbers(["US"], ["shared_cost"]))).toMatchObject({
      reason: "number_not_allowed",
    });
  });
});

describe("a day off", () => {
  it("is waited for, and said which it is, where the window would be open now or sooner", () => {
    const window = { ...OFFICE_HOURS, dates: TODAY_OFF };
    const wait = {
      kind: "wait",
      reason: "day_off",
      untilMs: Date.UTC(2026, 5, 4, 9),
      detail: "2026-06-03 is a blackout day (Stocktaking)",
    };
    expect(ask({}, { window })).toEqual(wait);
    expect(ask({}, { window }, Date.UTC(2026, 5, 2, 20))).toEqual(wait);
    expect(ask({}, { window }, Date.UTC(2026, 5, 3, 20))).toEqual({
      kind: "wait",
      reason: "window",
      untilMs: Date.UTC(2026, 5, 4, 9),
    });
  });
});

function bitsIn(number: number): number {
  let bits = 0;
  for (let left = number; left !== 0; left &= left - 1) bits += 1;
  return bits;
}

describe("rules together", () => {
  it("the earliest end of permission counts", () => {
    expect(ask({}, { window: OFFICE_HOURS })).toEqual({ kind: "dial", untilMs: CLOSES_MS });
    expect(ask({}, { window: OFFICE_HOURS, endsAtMs: CLOSES_MS - 1 })).toEqual({
      kind: "dial",
      untilMs: CLOSES_MS - 1,
    });
    expect(ask({}, { window: OFFICE_HOURS, endsAtMs: CLOSES_MS + 1 })).toEqual({
      kind: "dial",
      untilMs: CLOSES_MS,
    });
    expect(ask({}, { endsAtMs: CLOSES_MS })).toEqual({ kind: "dial", untilMs: CLOSES_MS });
  });

  // Every combination of up to four, and all of them but up to one: all combinations would be two to their number.
  it("the first rule that objects decides, whichever others do, and no wait stands before a never", () => {
    for (let chosen = 1; chosen < 2 ** OBJECTIONS.length; chosen += 1) {
      const many = bitsIn(chosen);
      if (many > 4 && many < OBJECTIONS.length - 1) continue;
      const objecting = OBJECTIONS.filter((_objection, index) => (chosen & (2 ** index)) !== 0);
      // A policy says one thing about those who call back, and has one window, and one list of caps.
      if (ONCE.some((field) => objecting.filter((one) => one.policy?.[field]).length > 1)) continue;
      const facts = Object.assign({}, ...objecting.map((one) => one.facts ?? {}));
      const policy = Object.assign({}, ...objecting.map((one) => one.policy ?? {}));
      const lists = objecting.flatMap((one) => one.lists ?? []);
      const expected = objecting.find((one) => one.kind === "never") ?? objecting[0];
      expect(
        ask(facts, policy, NOW_MS, lists),
        `of ${objecting.map((one) => one.reason).join(", ")}`,
      ).toMatchObject({
        kind: expected?.kind,
        reason: expected?.reason,
      });
    }
  });

  it("every reason has a rule that gives it", () => {
    const given = new Set([...OBJECTIONS.map((one) => one.reason), "no_common_window", "no_transfer_hours"]);
    expect([...given].sort()).toEqual([...Object.keys(WAIT_REASONS), ...Object.keys(NEVER_REASONS)].sort());
  });
});

it("a wait is told with its end, and with more where there is more to say", () => {
  const wait = { kind: "wait", reason: "window", untilMs: NOW_MS } as const;
  expect(waitText(wait)).toBe("until 2026-06-03T12:00:00.000Z");
  expect(waitText({ ...wait, detail: "2026-06-03 is a blackout day" })).toBe(
    "until 2026-06-03T12:00:00.000Z: 2026-06-03 is a blackout day",
  );
});

describe("somebody who called us", () => {
  const calledBackAtMs = NOW_MS - HOUR_MS;

  it("is called on where the campaign ignores it", () => {
    expect(ask({ calledBackAtMs })).toEqual({ kind: "dial", untilMs: FOREVER });
  });

  it("is through where it closes them, and the reason says when they called", () => {
    expect(ask({ calledBackAtMs }, { inbound: { kind: "close" } })).toEqual({
      kind: "never",
      reason: "called_back",
      detail: `the contact called us at ${new Date(calledBackAtMs).toISOString()}`,
    });
    expect(ask({}, { inbound: { kind: "close" } })).toMatchObject({ kind: "dial" });
  });

  it("is left alone for as long as a reschedule says, to the moment", () => {
    const inbound = { kind: "reschedule", delayMs: HOUR_MS } as const;
    expect(ask({ calledBackAtMs: calledBackAtMs + 1 }, { inbound })).toEqual({
      kind: "wait",
      reason: "called_back_lately",
      untilMs: NOW_MS + 1,
    });
    expect(ask({ calledBackAtMs }, { inbound })).toMatchObject({ kind: "dial" });
  });
});

describe("somebody who was called by another campaign", () => {
  it("is left out within the time that the campaign says, to the moment, and told when the call was", () => {
    const policy = { notCalledWithinMs: HOUR_MS };
    expect(ask({ calledAtMs: NOW_MS - HOUR_MS + 1 }, policy)).toEqual({
      kind: "never",
      reason: "called_lately",
      detail: `called at ${new Date(NOW_MS - HOUR_MS + 1).toISOString()}, which is within 1h`,
    });
    expect(ask({ calledAtMs: NOW_MS - HOUR_MS }, policy)).toMatchObject({ kind: "dial" });
    expect(ask({}, policy)).toMatchObject({ kind: "dial" });
    expect(ask({ calledAtMs: NOW_MS - 1 })).toMatchObject({ kind: "dial" });
  });
});

describe("a whole group of zones asked at once", () => {
  const facts = fc.record({
    zones: fc.constantFrom(
      ["UTC"],
      [],
      ["America/New_York", "Asia/Tokyo"],
      ["Europe/Berlin", "Asia/Kolkata"],
    ),
    attempts: fc.nat(4),
    lastDisposition: fc.constantFrom(undefined, ...RETRYABLE_DISPOSITIONS),
    attemptsByDisposition: fc.constantFrom({}, { busy: 1 }, { busy: 2, no_answer: 1 }),
    openElsewhere: fc.boolean(),
    dueAtMs: fc.integer({ min: NOW_MS - HOUR_MS, max: NOW_MS + HOUR_MS }),
    suppression: fc.constantFrom(undefined, { scope: "brand" as const, source: "call", reason: "asked" }),
  });
  const edge = fc.option(fc.integer({ min: NOW_MS - 48 * HOUR_MS, max: NOW_MS + 48 * HOUR_MS }), {
    nil: undefined,
  });
  const policy = fc.record({
    window: fc.constantFrom(
      { kind: "always" as const },
      OFFICE_HOURS,
      windowOf({ saturday: ["00:00-24:00"] }),
    ),
    startsAtMs: edge,
    endsAtMs: edge,
    maxAttempts: fc.integer({ min: 1, max: 4 }),
    maxPerDisposition: fc.constantFrom({}, { busy: 1 }),
  });

  it("never says no to a group in which somebody may be dialed, and never allows longer to one of it", () => {
    fc.assert(
      fc.property(facts, policy, (ofContact, ofCampaign) => {
        const one = decide(question(ofContact, ofCampaign));
        const group = decideZones(question(ofContact, ofCampaign));
        // Whoever may be dialed is in a group that may be, until the same moment.
        expect(one.kind === "dial" ? one : group).toEqual(group);
        expect(group.kind === "never" ? one.kind : "never").toBe("never");
      }),
      { numRuns: 2_000 },
    );
  });

  it("always decides, with an end that is not over yet", () => {
    fc.assert(
      fc.property(facts, policy, (ofContact, ofCampaign) => {
        const decision = decide(question(ofContact, ofCampaign));
        const bound = decision.kind === "never" ? decision.detail.length : decision.untilMs - NOW_MS;
        expect(bound).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });
});
