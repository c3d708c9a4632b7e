import { describe, expect, it } from "vitest";

import { policyOf, readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { saysTransferred, transferPace } from "../../../src/domain/campaigns/transfer-pacing.ts";
import { createWindowMemo } from "../../../src/domain/policy/calling-window.ts";
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

  it("leaves one line, however few they are: who dials nobody learns nothing", () => {
    expect(transferPace({ ...CAPACITY, people: 1, expectedShare: 1, talkMs: 3_600_000 }, NOTHING).lines).toBe(
      1,
    );
  });

  it.each([
    [true, true],
    ["true", true],
    ["Yes", true],
    [false, false],
    ["no", false],
    ["False", false],
    ["perhaps", undefined],
    ["", undefined],
    [null, undefined],
    [1, undefined],
    [undefined, undefined],
  ])("an answer of %j says that a call was transferred: %s", (answer, says) => {
    expect(saysTransferred("analysis.transferred", { analysis: { transferred: answer } })).toBe(says);
    expect(saysTransferred("analysis.transferred", undefined)).toBeUndefined();
    expect(saysTransferred("analysis.transferred", { analysis: {} })).toBeUndefined();
  });
});
