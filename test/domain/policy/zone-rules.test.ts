import { describe, expect, it } from "vitest";

import { windowOf } from "../../../src/domain/campaigns/window-spec.ts";
import { createWindowMemo, type WindowStatus } from "../../../src/domain/policy/calling-window.ts";
import type { DialingPolicy } from "../../../src/domain/policy/dialing-policy.ts";
import type { GateDecision, ZoneQuestion } from "../../../src/domain/policy/gate-question.ts";
import { decideZones } from "../../../src/domain/policy/policy-gate.ts";
import type { SourceInScope } from "../../../src/domain/policy/suppression-source.ts";
import { endsFirst } from "../../../src/domain/policy/zone-rules.ts";

/** A Wednesday, noon in UTC and eight in New York. */
const NOW_MS = Date.UTC(2026, 5, 3, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FOREVER = Number.POSITIVE_INFINITY;

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
  leastGapMs: 0,
  frequency: [],
  presetConsents: [],
  numbers: { countries: undefined, kinds: [] },
  consent: undefined,
};

interface Asked {
  zones?: string[];
  policy?: Partial<DialingPolicy>;
  lists?: readonly SourceInScope[];
  /** What the window is said to be, where that is not what is asked about. */
  status?: WindowStatus;
}

function question({ zones = ["America/New_York"], policy = {}, lists = [], status }: Asked): ZoneQuestion {
  const whole = { ...ALWAYS, ...policy };
  return {
    facts: { zones, places: [] },
    policy: whole,
    nowMs: NOW_MS,
    windowOf: status ? () => status : createWindowMemo(whole.window),
    lists,
  };
}

const ask = (asked: Asked): GateDecision => decideZones(question(asked));
const hours = (from: string, to: string, zone = "UTC") => ({
  transfers: { hours: { window: windowOf({ weekdays: [`${from}-${to}`] }), zone } },
});
const list = (source: string, ageMs: number, maxAgeMs: number | undefined): SourceInScope => ({
  source,
  renewedAtMs: NOW_MS - ageMs,
  maxAgeMs,
});

describe("whoever is in a set of zones", () => {
  it("may be dialed by nothing that holds them, for ever", () => {
    expect(ask({})).toEqual({ kind: "dial", untilMs: FOREVER });
  });

  it("waits for the window, and is told of the day off or of the rule that keeps it closed", () => {
    const opensAtMs = NOW_MS + HOUR_MS;
    const closed = (more: { dayOff?: string; rule?: string }) =>
      ask({ status: { open: false, opensAtMs, ...more } });
    expect(closed({})).toEqual({ kind: "wait", reason: "window", untilMs: opensAtMs });
    expect(closed({ rule: "rule fl-hours" })).toEqual({
      kind: "wait",
      reason: "window",
      untilMs: opensAtMs,
      detail: "rule fl-hours",
    });
    expect(closed({ dayOff: "Stocktaking", rule: "rule fl-hours" })).toEqual({
      kind: "wait",
      reason: "day_off",
      untilMs: opensAtMs,
      detail: "Stocktaking",
    });
  });

  it("whom no window opens for is through, with the zones and the rule that leave none", () => {
    const never = (zones: string[], rule?: string) =>
      ask({ zones, status: { open: false, opensAtMs: undefined, ...(rule !== undefined && { rule }) } });
    expect(never(["Asia/Tokyo", "America/New_York"])).toEqual({
      kind: "never",
      reason: "no_common_window",
      detail: "zones Asia/Tokyo, America/New_York: no common opening within 14 days",
    });
    expect(never([], "rule fl-hours")).toMatchObject({
      detail: "no time zone is known for the number: no common opening within 14 days, by rule fl-hours",
    });
  });

  describe("and those who take transferred calls", () => {
    it("may be dialed while these are there, by their clock", () => {
      expect(ask({ policy: hours("09:00", "13:00") })).toEqual({ kind: "dial", untilMs: NOW_MS + HOUR_MS });
      expect(ask({ policy: hours("07:00", "13:00", "America/New_York") })).toEqual({
        kind: "dial",
        untilMs: NOW_MS + 5 * HOUR_MS,
      });
    });

    it("waits for them, and is told by whose clocks", () => {
      expect(ask({ policy: hours("13:00", "17:00") })).toEqual({
        kind: "wait",
        reason: "transfer_closed",
        untilMs: NOW_MS + HOUR_MS,
        detail: "by the clocks of UTC",
      });
    });

    it("is through where they are never there while the window is open, whether or not it is open now", () => {
      const window = windowOf({ weekdays: ["08:00-10:00"] });
      const never = { kind: "never", reason: "no_transfer_hours" };
      const nights = hours("01:00", "02:00");
      expect(ask({ policy: { window, ...nights } })).toMatchObject(never);
      expect(ask({ zones: ["America/Los_Angeles"], policy: { window, ...nights } })).toMatchObject(never);
      expect(ask({ policy: { window, ...hours("12:30", "13:30") } })).toMatchObject({ kind: "wait" });
    });

    it("whom no window opens for is told of by that", () => {
      const window = windowOf({ weekdays: ["09:00-10:00"] });
      const zones = ["America/New_York", "Asia/Tokyo"];
      expect(ask({ zones, policy: { window, ...hours("01:00", "02:00") } })).toMatchObject({
        reason: "no_common_window",
      });
    });
  });

  it("waits for a source that the campaign requires, and is looked at again within the hour", () => {
    const policy = { requiredSources: ["dnc"] };
    expect(ask({ policy })).toMatchObject({
      kind: "wait",
      reason: "missing_source",
      untilMs: NOW_MS + HOUR_MS,
    });
    expect(ask({ policy, lists: [list("dnc", 0, undefined)] })).toEqual({ kind: "dial", untilMs: FOREVER });
  });

  it("may be dialed until the first list is too old, and waits for that one from then on", () => {
    const lists = [
      list("other", 0, undefined),
      list("late", HOUR_MS, 5 * HOUR_MS),
      list("dnc", HOUR_MS, 2 * HOUR_MS),
    ];
    expect(ask({ lists })).toEqual({ kind: "dial", untilMs: NOW_MS + HOUR_MS });
    expect(ask({ lists: [...lists, list("stale", 2 * HOUR_MS, 2 * HOUR_MS)] })).toMatchObject({
      kind: "wait",
      reason: "stale_list",
      untilMs: NOW_MS + HOUR_MS,
      detail: expect.stringContaining("the list of the source stale"),
    });
  });
});

describe("what ends the time in which they may be dialed first", () => {
  const end = (changes: Asked) => endsFirst(question(changes));
  const closing = { open: true, untilMs: NOW_MS + 4 * HOUR_MS } as const;
  const policy = { endsAtMs: NOW_MS + 5 * HOUR_MS, ...hours("09:00", "18:00") };
  const fresh = [list("dnc", HOUR_MS, 8 * HOUR_MS)];

  it("is the window, unless something else ends sooner", () => {
    expect(end({})).toBe("window");
    expect(end({ status: closing, policy, lists: fresh })).toBe("window");
  });

  it.each<[string, Asked]>([
    ["after_end", { policy: { ...policy, endsAtMs: NOW_MS + HOUR_MS } }],
    ["transfer_closed", { policy: { ...policy, ...hours("09:00", "13:00") } }],
    ["stale_list", { lists: [list("dnc", HOUR_MS, 2 * HOUR_MS)] }],
  ])("is %s where that does", (word, changes) => {
    expect(end({ status: closing, policy, lists: fresh, ...changes })).toBe(word);
  });

  it("is the end of the campaign, the window, those who take calls, and then lists, where several end at once", () => {
    const untilMs = NOW_MS + HOUR_MS;
    const all = {
      status: { open: true, untilMs } as const,
      policy: { endsAtMs: untilMs, ...hours("09:00", "13:00") },
      lists: [list("dnc", HOUR_MS, 2 * HOUR_MS)],
    };
    expect(end(all)).toBe("after_end");
    expect(end({ ...all, policy: hours("09:00", "13:00") })).toBe("window");
    expect(end({ ...all, policy: hours("09:00", "13:00"), status: closing })).toBe("transfer_closed");
  });

  it("is nothing that keeps them from being dialed already", () => {
    expect(end({ status: closing, policy: { ...policy, endsAtMs: NOW_MS } })).toBe("window");
    expect(end({ status: closing, lists: [list("dnc", 9 * HOUR_MS, HOUR_MS)] })).toBe("window");
  });
});
