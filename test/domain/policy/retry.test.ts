import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  readCampaignSpec,
  policyOf,
  type CampaignSpecInput,
} from "../../../src/domain/campaigns/campaign-spec.ts";
import {
  DISPOSITIONS,
  isRetryable,
  RETRYABLE_DISPOSITIONS,
  type Disposition,
} from "../../../src/domain/policy/disposition.ts";
import type { DialingPolicy } from "../../../src/domain/policy/dialing-policy.ts";
import { createOpeningsAhead } from "../../../src/domain/policy/openings-ahead.ts";
import { partOfDay } from "../../../src/domain/policy/parts-of-day.ts";
import { afterAttempt, type EndedAttempt } from "../../../src/domain/policy/retry.ts";

const ENDED_MS = Date.UTC(2026, 5, 3, 12);

function policy(retry: NonNullable<CampaignSpecInput["retry"]>, other: Partial<CampaignSpecInput> = {}) {
  const reading = readCampaignSpec({
    name: "retries",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    retry,
    ...other,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return policyOf(reading.spec, 1);
}

const ended = (disposition: Disposition, attempts = 1, sameDisposition = attempts): EndedAttempt => ({
  disposition,
  endedAtMs: ENDED_MS,
  attempts,
  sameDisposition,
  where: { zones: [], places: [] },
  calledMs: [],
});

function after(attempt: EndedAttempt, under: DialingPolicy) {
  return afterAttempt(attempt, under, createOpeningsAhead(under.window));
}

const ALL_DELAYS = { no_answer: "30m", busy: "10m", voicemail: "4h", failed: "0s" };

describe("what follows an ended attempt", () => {
  it.each([
    ["no_answer", 1_800_000],
    ["busy", 600_000],
    ["voicemail", 14_400_000],
    ["failed", 0],
  ] as const)("%s is called again after its own delay, counted from its end", (disposition, delayMs) => {
    expect(after(ended(disposition), policy({ max_attempts: 3, delays: ALL_DELAYS }))).toEqual({
      kind: "retry",
      dueAtMs: ENDED_MS + delayMs,
    });
  });

  it.each([
    ["answered", "reached"],
    ["callback_requested", "reached"],
    ["invalid_number", "not_retryable"],
    ["opted_out", "not_retryable"],
    ["unknown", "not_retryable"],
  ] as const)("%s ends its contact (%s)", (disposition, reason) => {
    expect(after(ended(disposition), policy({ max_attempts: 10, delays: ALL_DELAYS }))).toEqual({
      kind: "final",
      reason,
    });
  });

  it("says something of every disposition, and retries exactly those that may have a delay", () => {
    const wide = policy({ max_attempts: 10, delays: ALL_DELAYS });
    const retried = DISPOSITIONS.filter((one) => after(ended(one), wide).kind === "retry");
    expect(retried.sort()).toEqual([...RETRYABLE_DISPOSITIONS].sort());
    expect(DISPOSITIONS.filter(isRetryable).sort()).toEqual([...RETRYABLE_DISPOSITIONS].sort());
  });

  it("ends at the cap of attempts, whatever they came to", () => {
    const two = policy({ max_attempts: 2, delays: ALL_DELAYS });
    expect(after(ended("busy", 1), two)).toMatchObject({ kind: "retry" });
    expect(after(ended("busy", 2, 1), two)).toEqual({ kind: "final", reason: "max_attempts" });
    expect(after(ended("busy", 5, 1), two)).toEqual({ kind: "final", reason: "max_attempts" });
  });

  it("ends at the cap of its disposition before the cap of attempts", () => {
    const capped = policy({ max_attempts: 5, delays: ALL_DELAYS, max_per_disposition: { busy: 2 } });
    expect(after(ended("busy", 3, 1), capped)).toMatchObject({ kind: "retry" });
    expect(after(ended("busy", 3, 2), capped)).toEqual({
      kind: "final",
      reason: "max_per_disposition",
    });
    expect(after(ended("no_answer", 3, 3), capped)).toMatchObject({ kind: "retry" });
  });

  it("ends where its disposition was given no delay", () => {
    expect(after(ended("voicemail"), policy({ max_attempts: 3, delays: { busy: "1m" } }))).toEqual({
      kind: "final",
      reason: "no_delay_set",
    });
  });

  it("never makes more attempts than the cap, however the outcomes come", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.array(fc.constantFrom(...DISPOSITIONS), { minLength: 12, maxLength: 12 }),
        (maxAttempts, outcomes) => {
          const limits = policy({ max_attempts: maxAttempts, delays: ALL_DELAYS });
          const made: Disposition[] = [];
          for (const disposition of outcomes) {
            made.push(disposition);
            const same = made.filter((one) => one === disposition).length;
            if (after(ended(disposition, made.length, same), limits).kind === "final") break;
          }
          expect(made.length).toBeLessThanOrEqual(maxAttempts);
        },
      ),
    );
  });
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEW_YORK = ["America/New_York"];
const BOTH_COASTS = ["America/Los_Angeles", "America/New_York"];
const DAILY = { weekdays: ["09:00-20:00"], weekend: ["09:00-20:00"] };

type Retry = NonNullable<CampaignSpecInput["retry"]>;
type Delay = NonNullable<Retry["delays"]>["busy"];

/** When somebody who was busy at these moments, the last of which ended at once, is due again. */
function dueAfter(
  called: string | string[],
  delay: NonNullable<Delay>,
  {
    zones = NEW_YORK,
    places = [],
    ...other
  }: Omit<Partial<CampaignSpecInput>, "zones"> & { zones?: string[]; places?: string[] } = {},
): string {
  const under = policy({ max_attempts: 10, delays: { busy: delay } }, { window: DAILY, ...other });
  const calledMs = [called].flat().map((moment) => Date.parse(moment));
  const times = calledMs.length;
  const endedAtMs = calledMs.at(-1) ?? Number.NaN;
  const next = after(
    {
      disposition: "busy",
      endedAtMs,
      attempts: times,
      sameDisposition: times,
      where: { zones, places },
      calledMs,
    },
    under,
  );
  if (next.kind !== "retry") throw new Error(next.reason);
  return new Date(next.dueAtMs).toISOString();
}

describe("a retry that looks ahead, under presets", () => {
  const florida = { window: "always", presets: ["us-states"], places: ["US-FL"] } as const;
  /** Friday, half past six in the evening in Miami. */
  const friday = "2026-10-16T18:30:00-04:00";

  it("goes by the hours of the contact's state, and not by those of every state with its clock", () => {
    const { places: _places, ...anywhere } = florida;
    expect(dueAfter(friday, "next_window", { ...florida, presets: ["us-states"], places: ["US-FL"] })).toBe(
      "2026-10-17T12:00:00.000Z",
    );
    // Of somebody who may be in any state: when all of them allow it.
    expect(dueAfter(friday, "next_window", { ...anywhere, presets: ["us-states"] })).toBe(
      "2026-10-19T14:00:00.000Z",
    );
  });

  it("finds the parts of the day that the state leaves", () => {
    const called = ["2026-10-13T09:00:00-04:00", "2026-10-14T12:00:00-04:00", "2026-10-15T15:00:00-04:00"];
    const delay = { after: "1h", at: "other_part_of_day" } as const;
    expect(dueAfter(called, delay, { ...florida, presets: ["us-states"], places: ["US-FL"] })).toBe(
      "2026-10-15T21:00:00.000Z",
    );
  });
});

describe("a list of delays", () => {
  it("goes by how often the contact came to that, and its last one holds for all behind it", () => {
    const under = policy({ max_attempts: 9, delays: { busy: ["10m", "1h", "1d"], no_answer: ["2m"] } });
    const delaysMs = [1, 2, 3, 4, 8].map((times) => {
      const next = after(ended("busy", 8, times), under);
      return next.kind === "retry" ? next.dueAtMs - ENDED_MS : undefined;
    });
    expect(delaysMs).toEqual([600_000, HOUR_MS, DAY_MS, DAY_MS, DAY_MS]);
    expect(after(ended("no_answer", 8, 3), under)).toEqual({ kind: "retry", dueAtMs: ENDED_MS + 120_000 });
  });

  it("may have the next window, or another part of the day, among its delays", () => {
    const delay = ["10m", "next_window"];
    expect(dueAfter("2026-06-03T14:00Z", delay)).toBe("2026-06-03T14:10:00.000Z");
    expect(dueAfter(["2026-06-03T14:00Z", "2026-06-03T15:00Z"], delay)).toBe("2026-06-04T13:00:00.000Z");
  });
});

describe("a backoff", () => {
  it("multiplies the delay each time that the contact comes to that, up to its bound", () => {
    const backoff = { first: "10m", factor: 3, at_most: "2h" };
    const under = policy({ max_attempts: 10, delays: { busy: backoff } });
    const delaysMs = [1, 2, 3, 4, 9].map((times) => {
      const next = after(ended("busy", 9, times), under);
      return next.kind === "retry" ? next.dueAtMs - ENDED_MS : undefined;
    });
    expect(delaysMs).toEqual([600_000, 1_800_000, 5_400_000, 2 * HOUR_MS, 2 * HOUR_MS]);
  });
});

describe("the next window", () => {
  it.each([
    [
      "opens the next day, however early the call was",
      "2026-06-03T13:00:01Z",
      {},
      "2026-06-04T13:00:00.000Z",
    ],
    [
      "is the one behind a break at noon",
      "2026-06-03T14:00Z",
      { window: { weekdays: ["09:00-12:00", "13:00-18:00"] } },
      "2026-06-03T17:00:00.000Z",
    ],
    ["is the one that opens as the call ends", "2026-06-03T13:00Z", {}, "2026-06-03T13:00:00.000Z"],
    [
      "of a call that ended when it was closed is the one that opens then",
      "2026-06-04T02:00Z",
      {},
      "2026-06-04T13:00:00.000Z",
    ],
    [
      "is Monday's after a Friday",
      "2026-06-05T14:00Z",
      { window: { weekdays: ["09:00-18:00"] } },
      "2026-06-08T13:00:00.000Z",
    ],
    ["passes over holidays", "2026-11-25T20:00Z", { holidays: ["US"] }, "2026-11-27T14:00:00.000Z"],
    [
      "passes over exceptions of weeks",
      "2026-06-03T14:00Z",
      { exceptions: [{ date: "2026-06-04", to: "2026-07-10" }] },
      "2026-07-11T13:00:00.000Z",
    ],
    ["opens by the clocks of that day: back", "2026-10-31T19:00Z", {}, "2026-11-01T14:00:00.000Z"],
    ["opens by the clocks of that day: forward", "2027-03-13T19:00Z", {}, "2027-03-14T13:00:00.000Z"],
    [
      "opens in all zones that the contact may be in",
      "2026-10-31T19:00Z",
      { zones: BOTH_COASTS },
      "2026-11-01T17:00:00.000Z",
    ],
    [
      "is not found over and over in a window that crosses midnight",
      "2026-06-05T23:00Z",
      { window: { friday: ["18:00-24:00"], saturday: ["00:00-12:00"] } },
      "2026-06-12T22:00:00.000Z",
    ],
    [
      "of a window that never closes is a day later",
      "2026-06-03T14:00Z",
      { window: "always" as const },
      "2026-06-04T14:00:00.000Z",
    ],
    [
      "of one that is open all days, too",
      "2026-06-03T14:00Z",
      { window: { weekdays: ["00:00-24:00"], weekend: ["00:00-24:00"] } },
      "2026-06-04T14:00:00.000Z",
    ],
    [
      "of one that closes only for a holiday in a week is a day later",
      "2026-12-18T14:00Z",
      { window: "always" as const, holidays: ["US"] },
      "2026-12-19T14:00:00.000Z",
    ],
    [
      "of one that closes for a holiday within a day is behind it",
      "2026-12-24T14:00Z",
      { window: "always" as const, holidays: ["US"] },
      "2026-12-26T05:00:00.000Z",
    ],
  ])("%s", (_what, called, other, due) => {
    expect(dueAfter(called, "next_window", other)).toBe(due);
  });

  it("may be one that opens so long after the call at the earliest", () => {
    const delay = { after: "2d", at: "next_window" } as const;
    expect(dueAfter("2026-06-03T14:00Z", delay)).toBe("2026-06-06T13:00:00.000Z");
  });
});

describe("another part of the day", () => {
  const delay = { after: "1h", at: "other_part_of_day" } as const;
  const [morning, midday, afternoon, evening] = [
    "2026-06-01T13:30Z",
    "2026-06-01T16:00Z",
    "2026-06-01T19:00Z",
    "2026-06-01T21:30Z",
  ];

  it.each([
    ["begins behind the one of the call", morning, {}, "2026-06-01T15:00:00.000Z"],
    ["may have begun when the delay is over", "2026-06-01T14:30Z", {}, "2026-06-01T15:30:00.000Z"],
    ["is one that was not tried", [morning, midday], {}, "2026-06-01T18:00:00.000Z"],
    [
      "is one that was not tried, in whatever order",
      [evening, "2026-06-02T13:30Z"],
      {},
      "2026-06-02T15:00:00.000Z",
    ],
    [
      "is one unlike the last where all were tried",
      [morning, midday, afternoon, evening],
      {},
      "2026-06-02T13:00:00.000Z",
    ],
    [
      "may lie days ahead where the window is such",
      [morning, midday, afternoon],
      { window: { weekdays: ["09:00-17:00"], saturday: ["15:00-19:00"] } },
      "2026-06-06T21:00:00.000Z",
    ],
    [
      "is none of a few minutes",
      "2026-06-01T14:54Z",
      { window: { weekdays: ["09:00-11:05"], saturday: ["12:00-13:00"] } },
      "2026-06-06T16:00:00.000Z",
    ],
    ["is never the night", evening, { window: "always" as const }, "2026-06-02T12:00:00.000Z"],
    [
      "passes over days off",
      evening,
      { exceptions: [{ date: "2026-06-02", to: "2026-06-20" }] },
      "2026-06-21T13:00:00.000Z",
    ],
    ["goes by the clocks of that day", "2026-10-31T21:30Z", {}, "2026-11-01T14:00:00.000Z"],
    [
      "is another one wherever the contact may be",
      "2026-12-01T17:30Z",
      { zones: BOTH_COASTS },
      "2026-12-01T19:00:00.000Z",
    ],
    [
      "comes after the delay alone where the window is within one part",
      "2026-06-01T13:30Z",
      { window: { weekdays: ["09:00-11:00"] } },
      "2026-06-01T14:30:00.000Z",
    ],
    [
      "comes after the delay alone where nobody knows a zone",
      evening,
      { window: "always" as const, zones: [] },
      "2026-06-01T22:30:00.000Z",
    ],
  ])("%s", (_what, called, other, due) => {
    expect(dueAfter(called, delay, other)).toBe(due);
  });

  it.each([
    ["2026-06-01T11:59:59Z", "night"],
    ["2026-06-01T12:00:00Z", "morning"],
    ["2026-06-01T14:59:59Z", "morning"],
    ["2026-06-01T15:00:00Z", "midday"],
    ["2026-06-01T18:00:00Z", "afternoon"],
    ["2026-06-01T21:00:00Z", "evening"],
    ["2026-06-02T00:59:59Z", "evening"],
    ["2026-06-02T01:00:00Z", "night"],
  ])("at %s it is %s in New York", (moment, part) => {
    expect(partOfDay("America/New_York", Date.parse(moment))).toBe(part);
  });
});
