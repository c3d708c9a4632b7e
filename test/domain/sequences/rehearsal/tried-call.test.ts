import { describe, expect, it } from "vitest";

import {
  policyOf,
  readCampaignSpec,
  type CampaignSpecInput,
} from "../../../../src/domain/campaigns/campaign-spec.ts";
import { LEAST_LEAD_MS } from "../../../../src/domain/campaigns/rehearsal/plan.ts";
import type { Disposition } from "../../../../src/domain/policy/disposition.ts";
import {
  tryCall,
  type CallQuestion,
  type PastCall,
} from "../../../../src/domain/sequences/rehearsal/tried-call.ts";
import { DAY_MS, HOUR_MS, START_MS } from "../support.ts";

const MINUTE_MS = 60_000;

function tried(spec: Partial<CampaignSpecInput>, question: Partial<CallQuestion> = {}) {
  const reading = readCampaignSpec({
    name: "welcome.first",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    window: "always",
    least_gap: "0s",
    ...spec,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return tryCall({
    step: "first",
    spec: reading.spec,
    window: policyOf(reading.spec, 1).window,
    person: {
      number: { country: "DE", costly: undefined },
      zones: ["Europe/Berlin"],
      places: ["DE"],
      consents: [],
      isSuppressed: false,
    },
    before: [],
    fromMs: START_MS,
    untilMs: START_MS + 30 * DAY_MS,
    disposition: "answered",
    ...question,
  });
}

const past = (step: string, agoMs: number, disposition: Disposition = "answered"): PastCall => ({
  step,
  endedMs: START_MS - agoMs,
  disposition,
});

describe("a call that is rehearsed", () => {
  it.each<[Disposition, number]>([
    ["answered", 60],
    ["voicemail", 60],
    ["invalid_number", 30],
  ])("that is %s is over after %i seconds", (disposition, seconds) => {
    expect(tried({}, { disposition })).toEqual({
      triedMs: [START_MS],
      calls: [{ step: "first", endedMs: START_MS + seconds * 1_000, disposition }],
      end: { kind: "over", atMs: START_MS + seconds * 1_000, seconds },
    });
  });

  it("is refused to somebody who is suppressed, at once and without a try", () => {
    const person = {
      number: { country: "DE", costly: undefined },
      zones: ["Europe/Berlin"],
      places: ["DE"],
      consents: [],
      isSuppressed: true,
    };
    expect(tried({}, { person })).toEqual({
      triedMs: [],
      calls: [],
      end: { kind: "refused", atMs: START_MS, reason: "suppressed" },
    });
  });

  it("is given up when its time is over: with that, or with the try that is up then", () => {
    const retry = { max_attempts: 5, delays: { busy: "1h" } } as const;
    const untilMs = START_MS + 90 * MINUTE_MS;
    // The second try has ended at an hour and a minute: the third would be too late.
    expect(tried({ retry }, { disposition: "busy", untilMs })).toMatchObject({
      triedMs: [START_MS, START_MS + HOUR_MS + 30_000],
      end: { kind: "gave_up", atMs: untilMs },
    });
    // One second before the end of its time it begins, and is waited for.
    expect(tried({ retry }, { disposition: "busy", untilMs: START_MS + 1_000 })).toMatchObject({
      triedMs: [START_MS],
      end: { kind: "gave_up", atMs: START_MS + 30_000 },
    });
    expect(tried({}, { untilMs: START_MS })).toEqual({
      triedMs: [],
      calls: [],
      end: { kind: "gave_up", atMs: START_MS },
    });
  });

  it("has as many tries of an outcome as its policy gives, counted as they were", () => {
    const retry = {
      max_attempts: 10,
      delays: { busy: "10m" },
      max_per_disposition: { busy: 3 },
    } as const;
    expect(tried({ retry }, { disposition: "busy" }).triedMs).toHaveLength(3);
  });

  it("does not begin where its window closes too soon for one, and waits for the next", () => {
    // Noon in Berlin.
    const closing = (ms: number) => {
      const fromMs = Date.parse("2026-12-01T11:00:00Z") - ms;
      return tried({ window: { tuesday: ["09:00-12:00"], wednesday: ["09:00-12:00"] } }, { fromMs }).triedMs;
    };
    expect(closing(LEAST_LEAD_MS)).toEqual([Date.parse("2026-12-01T11:00:00Z") - LEAST_LEAD_MS]);
    expect(closing(LEAST_LEAD_MS - 1)).toEqual([Date.parse("2026-12-02T08:00:00Z")]);
  });

  it("keeps the least gap to calls of other steps, and its own to its own", () => {
    const least_gap = "4h";
    expect(tried({ least_gap }, { before: [past("other", HOUR_MS)] }).triedMs).toEqual([
      START_MS + 3 * HOUR_MS,
    ]);
    const retry = { max_attempts: 2, delays: { busy: "10m" } } as const;
    // A shorter delay of its own goes before the gap, to its own calls.
    expect(
      tried({ least_gap, retry }, { disposition: "busy", before: [past("other", 5 * HOUR_MS)] }).triedMs,
    ).toEqual([START_MS, START_MS + 10 * MINUTE_MS + 30_000]);
  });

  it("is refused to whoever was called lately by another step, and by no other", () => {
    const rule = { not_called_within: "1d" } as const;
    const other = [past("other", 20 * HOUR_MS), past("first", 30 * HOUR_MS)];
    expect(tried(rule, { before: other })).toMatchObject({
      triedMs: [],
      end: { kind: "refused", reason: "called_lately" },
    });
    expect(tried(rule, { before: [past("other", 25 * HOUR_MS), past("first", HOUR_MS)] }).triedMs).toEqual([
      START_MS,
    ]);
  });

  describe("under a cap", () => {
    const attempts = (most: number, at_cap: "wait" | "end" = "wait") => ({
      frequency: [{ attempts: most, within: "1d" as const, at_cap }],
    });
    const before = [past("a", 20 * HOUR_MS, "no_answer"), past("b", 2 * HOUR_MS)];

    it("waits until the first of so many calls is a day ago, and is made at once under it", () => {
      expect(tried(attempts(2), { before }).triedMs).toEqual([START_MS + 4 * HOUR_MS]);
      expect(tried(attempts(3), { before }).triedMs).toEqual([START_MS]);
      expect(tried(attempts(1), { before }).triedMs).toEqual([START_MS + 22 * HOUR_MS]);
      // One that ended a day ago to the millisecond counts no more.
      expect(tried(attempts(1), { before: [past("a", DAY_MS)] }).triedMs).toEqual([START_MS]);
    });

    it("of conversations counts those alone", () => {
      const frequency = [{ conversations: 1, within: "1d" as const }];
      expect(tried({ frequency }, { before }).triedMs).toEqual([START_MS + 22 * HOUR_MS]);
      const unheard = [past("a", HOUR_MS, "no_answer"), past("b", HOUR_MS, "voicemail")];
      expect(tried({ frequency }, { before: unheard }).triedMs).toEqual([START_MS]);
    });

    it("counts its own tries, too, and is refused where it ends there", () => {
      const retry = { max_attempts: 3, delays: { busy: "10m" } } as const;
      expect(tried({ ...attempts(2, "end"), retry }, { disposition: "busy" })).toMatchObject({
        triedMs: [START_MS, START_MS + 10 * MINUTE_MS + 30_000],
        end: { kind: "refused" },
      });
    });
  });
});
