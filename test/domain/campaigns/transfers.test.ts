import { describe, expect, it } from "vitest";

import { policyOf, readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { keptBusy, saysTransferred, transferPace } from "../../../src/domain/campaigns/transfer-pacing.ts";
import { createWindowMemo } from "../../../src/domain/policy/calling-window.ts";
import { createNeverMemo, whyNever } from "../../../src/domain/policy/never-dialed.ts";
import { decideZones } from "../../../src/domain/policy/policy-gate.ts";

const SPEC = {
  name: "spring",
  agent_id: "agent-1",
  from_numbers: ["+12025550100"],
  concurrency: 20,
  window: "always",
};
const read = (transfers: unknown) => readCampaignSpec({ ...SPEC, transfers });

function problemsOf(transfers: unknown): string[] {
  const reading = read(transfers);
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field} ${problem}`);
}

describe("those who take transferred calls, as a spec says them", () => {
  it("may have hours, a capacity, or both", () => {
    const hours = { hours: { weekdays: ["09:00-17:00"] }, timezone: "America/New_York" };
    const capacity = { capacity: 4, expect: 0.15, talk: "6m" };
    for (const transfers of [hours, capacity, { ...hours, ...capacity, answer: "analysis.transferred" }])
      expect(problemsOf(transfers)).toEqual([]);
  });

  it.each([
    [{}, /say hours, capacity, or both/],
    [{ hours: { weekdays: ["09:00-17:00"] } }, /timezone .*is missing/],
    [{ hours: { weekdays: ["09:00-17:00"] }, timezone: "Mars/Base" }, /is no time zone/],
    [{ timezone: "America/New_York", capacity: 1, expect: 1, talk: "1m" }, /there are none/],
    [{ capacity: 4 }, /expect .*is missing/],
    [{ capacity: 4, expect: 0.1 }, /^transfers\.talk .*is missing/],
    [{ capacity: 0, expect: 0.1, talk: "1m" }, /must be 1 or more/],
    [{ capacity: 4, expect: 15, talk: "6m" }, /a share of 1 at most/],
    [{ capacity: 4, expect: 0.1, talk: "6m", answer: "transferred" }, /analysis\.transferred/],
    [
      { hours: { weekdays: ["09:00-17:00"] }, timezone: "America/New_York", expect: 0.1 },
      /pacing by capacity/,
    ],
  ])("%j is refused, by what is wrong with it", (transfers, problem) => {
    expect(problemsOf(transfers).join("\n")).toMatch(problem);
  });

  it("are a policy of what is said: hours by their own clock, a capacity with what it is expected to meet", () => {
    const hours = { hours: { saturday: ["09:00-12:00"] }, timezone: "America/New_York" };
    const capacity = { capacity: 4, expect: 0.15, talk: "6m" };
    const policyIn = (transfers: unknown) => {
      const reading = read(transfers);
      if (!reading.ok) throw new Error("refused");
      return policyOf(reading.spec, 1).transfers;
    };
    const saturdays = {
      window: { kind: "weekly", days: [[], [], [], [], [], [{ startMinute: 540, endMinute: 720 }], []] },
      zone: "America/New_York",
    };
    const four = { people: 4, expectedShare: 0.15, talkMs: 360_000, answer: undefined };
    expect(policyIn(hours)).toEqual({ hours: saturdays });
    expect(policyIn(capacity)).toEqual({ capacity: four });
    expect(policyIn({ ...hours, ...capacity, answer: "analysis.transferred" })).toEqual({
      hours: saturdays,
      capacity: { ...four, answer: "analysis.transferred" },
    });
  });

  it("have an answer kept that tells of a transfer, and calls waited for until they are processed", () => {
    const reading = read({ capacity: 4, expect: 0.15, talk: "6m", answer: "analysis.transferred" });
    if (!reading.ok) throw new Error("refused");
    expect(policyOf(reading.spec, 1)).toMatchObject({
      keptFields: ["analysis.transferred"],
      analysisWaitMs: 600_000,
    });
    const unasked = read({ capacity: 4, expect: 0.15, talk: "6m" });
    if (!unasked.ok) throw new Error("refused");
    expect(policyOf(unasked.spec, 1)).toMatchObject({ analysisWaitMs: 0 });
    expect(policyOf(unasked.spec, 1).keptFields).toBeUndefined();
  });
});

describe("their hours", () => {
  const reading = read({ hours: { weekdays: ["09:00-17:00"] }, timezone: "America/New_York" });
  if (!reading.ok) throw new Error("refused");
  const policy = policyOf(reading.spec, 1);
  const at = (iso: string, zones = ["America/Los_Angeles"]) =>
    decideZones({
      facts: { zones, places: [] },
      policy,
      nowMs: Date.parse(iso),
      windowOf: createWindowMemo(policy.window),
      lists: [],
    });

  it("are those of their own clock, wherever somebody is called", () => {
    // 13:59 and 14:00 UTC are 08:59 and 09:00 in New York, 22:00 is 17:00.
    expect(at("2026-11-23T13:59:59Z")).toMatchObject({
      kind: "wait",
      reason: "transfer_closed",
      untilMs: Date.parse("2026-11-23T14:00:00Z"),
    });
    expect(at("2026-11-23T14:00:00Z")).toEqual({
      kind: "dial",
      untilMs: Date.parse("2026-11-23T22:00:00Z"),
    });
    expect(at("2026-11-23T22:00:00Z", ["Asia/Tokyo"])).toMatchObject({ reason: "transfer_closed" });
    // From Friday on they are back on Monday.
    expect(at("2026-11-27T22:00:00Z")).toMatchObject({ untilMs: Date.parse("2026-11-30T14:00:00Z") });
  });
});

describe("their hours, and a window that never meets them", () => {
  const given = (changes: object) => {
    const transfers = { hours: { weekdays: ["09:00-17:00"] }, timezone: "America/New_York" };
    const reading = readCampaignSpec({
      ...SPEC,
      window: { weekdays: ["09:00-18:00"] },
      transfers,
      ...changes,
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    return policyOf(reading.spec, 1);
  };
  const decisionAt = (policy: ReturnType<typeof given>, zone: string, iso: string) =>
    decideZones({
      facts: { zones: [zone], places: [] },
      policy,
      nowMs: Date.parse(iso),
      windowOf: createWindowMemo(policy.window),
      lists: [],
    });
  const HOURS = Array.from({ length: 24 * 8 }, (_, hour) =>
    new Date(Date.UTC(2026, 10, 23) + hour * 3_600_000).toISOString(),
  );

  it("give up who is in Guam, at whatever hour that is asked, with a word on both", () => {
    const policy = given({});
    for (const iso of HOURS)
      expect(decisionAt(policy, "Pacific/Guam", iso), iso).toEqual({
        kind: "never",
        reason: "no_transfer_hours",
        detail:
          "zones Pacific/Guam: no time within 14 days at which the window is open and those who take transferred calls are there, by the clocks of America/New_York",
      });
    const never = createNeverMemo(policy.window, Date.parse("2026-11-23T00:00:00Z"), policy.transfers);
    expect(never(["Pacific/Guam"])).toBe("no_transfer_hours");
    expect(never(["America/Chicago"])).toBeUndefined();
    expect(createNeverMemo(policy.window, 0)(["Pacific/Guam"])).toBeUndefined();
    expect(whyNever({ reason: "no_transfer_hours", zones: ["Pacific/Guam"] }, 0)).toEqual({
      why: "the window in Pacific/Guam is never open while those who take transferred calls are there, within 14 days",
      remedy: "widen the window, or the hours of transfers",
    });
  });

  it("give up nobody where they meet for an hour, whichever of the two is closed when that is asked", () => {
    // 17:00 in New York is 22:00 in London.
    const policy = given({ window: { weekdays: ["13:30-18:00"] } });
    const kinds = HOURS.map((iso) => decisionAt(policy, "Europe/London", iso).kind);
    expect(new Set(kinds)).toEqual(new Set(["wait", "dial"]));
    // They meet on Fridays alone.
    const seldom = given({
      transfers: { hours: { friday: ["09:00-10:00"] }, timezone: "America/New_York" },
    });
    expect(HOURS.map((iso) => decisionAt(seldom, "Europe/London", iso).kind)).not.toContain("never");
  });

  it("put off, and do not give up, for the sake of days off, be they ever so long", () => {
    const from = Date.UTC(2026, 10, 23);
    const dayOf = (day: number) => new Date(from + day * 86_400_000).toISOString().slice(0, 10);
    const away = given({ exceptions: [{ date: dayOf(0), to: dayOf(29), name: "away" }] });
    expect(decisionAt(away, "America/Chicago", "2026-11-23T15:00:00Z")).toMatchObject({ kind: "wait" });
    expect(decisionAt(away, "Pacific/Guam", "2026-11-23T15:00:00Z")).toMatchObject({
      kind: "never",
      reason: "no_transfer_hours",
    });
    // Whom no window opens for is told of by that.
    const closed = given({ window: { saturday: ["09:00-10:00"] } });
    expect(decisionAt(closed, "America/Chicago", "2026-11-23T15:00:00Z")).toMatchObject({
      reason: "no_transfer_hours",
    });
  });
});

describe("their capacity", () => {
  const CAPACITY = { people: 4, expectedShare: 0.2, talkMs: 300_000, answer: "analysis.transferred" };
  const NOTHING = { calls: 0, conversations: 0, known: 0, transfers: 0, meanHoldMs: undefined };

  it("leaves as many lines as keep all of them busy, taking every call for a conversation at first", () => {
    // A call a minute and line, one in five for five minutes: a line keeps one of them busy.
    expect(transferPace(CAPACITY, NOTHING)).toEqual({ people: 4, lines: 4, share: 0.2 });
  });

  it("learns from the campaign's own calls how many are conversations, how long they are, how many are transferred", () => {
    const many = { calls: 10_000, conversations: 4_000, known: 4_000, transfers: 400, meanHoldMs: 30_000 };
    const { lines, share } = transferPace(CAPACITY, many);
    expect(share).toBeCloseTo(0.04, 2);
    // 4 people * 30 s / (0.04 * 300 s)
    expect(lines).toBeGreaterThanOrEqual(9);
    expect(lines).toBeLessThanOrEqual(10);
    // Without an answer that tells, what is expected stays.
    const untold = transferPace({ ...CAPACITY, answer: undefined }, { ...many, transfers: 0 });
    expect(untold.share).toBeCloseTo(0.08, 2);
    expect(untold.lines).toBeLessThan(lines);
  });

  it("learns nothing of the share from conversations of which nobody says whether they were transferred", () => {
    const silent = { calls: 1_000, conversations: 1_000, known: 0, transfers: 0, meanHoldMs: 60_000 };
    expect(transferPace(CAPACITY, silent)).toEqual(transferPace({ ...CAPACITY, answer: undefined }, silent));
    // A tenth of them say it, of which half were transferred.
    const { share } = transferPace(CAPACITY, { ...silent, known: 100, transfers: 50 });
    expect(share).toBeCloseTo((50 + 0.2 * 20) / 120, 5);
  });

  it("is not thrown over by a first call, nor by nobody who was transferred among a few", () => {
    const one = transferPace(CAPACITY, {
      calls: 1,
      conversations: 0,
      known: 0,
      transfers: 0,
      meanHoldMs: 20_000,
    });
    expect(one.lines).toBe(4);
    const few = transferPace(CAPACITY, {
      calls: 5,
      conversations: 5,
      known: 5,
      transfers: 0,
      meanHoldMs: 60_000,
    });
    expect(few.lines).toBeLessThanOrEqual(5);
  });

  it("leaves what the calls of others do not keep busy", () => {
    const elsewhere = keptBusy(CAPACITY, NOTHING, 3);
    expect(elsewhere).toBeCloseTo(3, 9);
    expect(transferPace(CAPACITY, NOTHING, elsewhere)).toEqual({ people: 4, lines: 1, share: 0.2 });
    expect(transferPace(CAPACITY, NOTHING, 1.5).lines).toBe(2);
    expect(transferPace(CAPACITY, NOTHING, 40).lines).toBe(1);
  });

  it("leaves one line, however few they are: who dials nobody learns nothing", () => {
    expect(transferPace({ ...CAPACITY, people: 1, expectedShare: 1, talkMs: 3_600_000 }, NOTHING).lines).toBe(
      1,
    );
  });

  it.each([
    [true, true],
    ["true", true],
    ["Yes", true],
    [" yes\n", true],
    ["y", true],
    [false, false],
    ["no", false],
    ["False", false],
    ["N", false],
    ["perhaps", undefined],
    ["untrue", undefined],
    ["yesterday", undefined],
    ["not sure", undefined],
    ["to the casino", undefined],
    ["", undefined],
    [null, undefined],
    [1, undefined],
    [undefined, undefined],
  ])("an answer of %j says that a call was transferred: %s", (answer, says) => {
    expect(saysTransferred("analysis.transferred", { analysis: { transferred: answer } })).toBe(says);
    expect(saysTransferred("analysis.transferred", undefined)).toBeUndefined();
    expect(saysTransferred("analysis.transferred", {})).toBeUndefined();
    expect(saysTransferred("analysis.transferred", { analysis: {} })).toBeUndefined();
  });
});
