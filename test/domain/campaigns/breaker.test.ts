import { describe, expect, it } from "vitest";

import {
  letterOf,
  probeAtMs,
  probeRoom,
  verdictOf,
  type BreakerPolicy,
} from "../../../src/domain/campaigns/breaker.ts";
import { breakerPolicyOf, breakerSchema } from "../../../src/domain/campaigns/breaker-spec.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import { DISPOSITIONS } from "../../../src/domain/policy/disposition.ts";

const MINUTE_MS = 60_000;

const policy = (spec: Record<string, unknown>): BreakerPolicy => breakerPolicyOf(breakerSchema.parse(spec));

const lettersOf = (dispositions: readonly (typeof DISPOSITIONS)[number][], durationSeconds = 60) =>
  dispositions.map((disposition) => letterOf({ disposition, durationSeconds }, { shortMs: 10_000 })).join("");

describe("a breaker opens", () => {
  const failing = policy({ newest: 10, at_least: 5, failed: 0.4 });

  it.each([
    ["fewer calls than say something", "ffff", "goes_on"],
    ["a share below its limit", "fnnnn", "goes_on"],
    ["a share at its limit", "ffnnn", "opens"],
    ["what is older than the newest calls", `ffffff${"n".repeat(10)}`, "goes_on"],
    ["the newest calls alone", `${"n".repeat(20)}ffffnnnnnn`, "opens"],
    ["no call at all", "", "goes_on"],
  ])("or not: %s", (_what, newest, kind) => {
    expect(verdictOf(newest, failing, "closed").kind).toBe(kind);
  });

  it("by each disposition that is named, and no other", () => {
    for (const cause of ["failed", "invalid_number", "voicemail", "opted_out"] as const) {
      const one = policy({ newest: 5, at_least: 5, [cause]: 1 });
      for (const disposition of DISPOSITIONS) {
        const newest = lettersOf([disposition, disposition, disposition, disposition, disposition]);
        // Nobody knows of an unknown call that it did not fail.
        const counts = disposition === cause || (cause === "failed" && disposition === "unknown");
        expect(verdictOf(newest, one, "closed").kind, `${cause}: ${disposition}`).toBe(
          counts ? "opens" : "goes_on",
        );
      }
    }
  });

  it("by conversations that were over at once, as a share of the conversations", () => {
    const short = policy({ newest: 20, at_least: 5, short: { under: "10s", share: 0.5 } });
    expect(verdictOf(`sss${"a".repeat(2)}`, short, "closed")).toEqual({
      kind: "opens",
      detail: "3 of the last 5 conversations were over within 10s (50 % open its breaker)",
    });
    expect(verdictOf(`sss${"n".repeat(15)}`, short, "closed").kind, "three conversations say nothing").toBe(
      "goes_on",
    );
    expect(verdictOf("sssoaaaa", short, "closed").kind, "three of eight").toBe("goes_on");
    expect(
      verdictOf(`sss${"n".repeat(9)}aa`, short, "closed"),
      "whoever is not reached is none",
    ).toMatchObject({ kind: "opens", detail: expect.stringMatching(/^3 of the last 5 conversations/) });
  });

  it("and says what, of how many, and what its limit is", () => {
    expect(verdictOf("fffnn", failing, "closed")).toEqual({
      kind: "opens",
      detail: "3 of the last 5 calls came to failed (40 % open its breaker)",
    });
  });

  it("never while it is open", () => {
    expect(verdictOf("ffffffffff", failing, "open").kind).toBe("undecided");
  });
});

describe("a call is short", () => {
  it.each([
    ["answered", 9.9, "s"],
    ["answered", 10, "a"],
    ["answered", undefined, "a"],
    ["callback_requested", 3, "s"],
    ["opted_out", 3, "o"],
    ["voicemail", 3, "v"],
  ] as const)("or not: %s after %s s", (disposition, durationSeconds, letter) => {
    expect(letterOf({ disposition, durationSeconds }, { shortMs: 10_000 })).toBe(letter);
  });
});

describe("a probe", () => {
  const probing = policy({
    newest: 50,
    at_least: 20,
    failed: 0.5,
    short: { under: "10s", share: 0.5 },
    probe: { after: "15m", calls: 4, tries: 2 },
  });

  it.each([
    ["is not decided before all of its calls are over", "nnn", "undecided"],
    ["is not decided before all of its calls are over, bad as they are", "fff", "undecided"],
    ["goes well", "fnnn", "goes_on"],
    ["opens the breaker again", "ffnn", "opens"],
    ["opens it by half of its calls that were conversations", "ssna", "opens"],
    ["says nothing by one conversation", "snnn", "goes_on"],
  ])("%s", (_what, newest, kind) => {
    expect(verdictOf(newest, probing, "probing").kind).toBe(kind);
  });

  it("is none before the breaker has opened: its few calls decide nothing then", () => {
    for (const newest of ["", "nnn", "ffff"])
      expect(verdictOf(newest, probing, "closed").kind, newest).toBe("goes_on");
    expect(verdictOf("f".repeat(20), probing, "closed").kind).toBe("opens");
  });

  it("that an amendment takes away makes no call more, and those that it made are judged as all others", () => {
    const without = policy({ newest: 50, at_least: 20, failed: 0.5 });
    expect(probeRoom(without, "", 0)).toBe(0);
    for (const newest of ["", "ffff"])
      expect(verdictOf(newest, without, "probing").kind, newest).toBe("goes_on");
    expect(verdictOf("f".repeat(20), without, "probing").kind).toBe("opens");
  });

  it("has calls left but for those that are over or under way", () => {
    expect(probeRoom(probing, "", 0)).toBe(4);
    expect(probeRoom(probing, "n", 2)).toBe(1);
    expect(probeRoom(probing, "nnn", 2)).toBe(0);
  });

  it("comes after its time, so many times in a row, and then a person looks", () => {
    expect(probeAtMs(probing, 1, 1_000)).toBe(1_000 + 15 * MINUTE_MS);
    expect(probeAtMs(probing, 2, 1_000)).toBe(1_000 + 15 * MINUTE_MS);
    expect(probeAtMs(probing, 3, 1_000)).toBeUndefined();
    expect(probeAtMs(policy({ failed: 0.5 }), 1, 1_000), "without a probe").toBeUndefined();
  });
});

describe("a spec's breaker", () => {
  const problemsOf = (changes: Record<string, unknown>) => {
    const reading = readCampaignSpec({
      name: "x",
      agent_id: "a",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      ...changes,
    });
    return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
  };

  it("is a policy of what it says: shares, times in milliseconds, and a probe where one is wanted", () => {
    const said = { newest: 30, at_least: 10, voicemail: 0.8, short: { under: "10s", share: 0.5 } };
    const without = {
      newest: 30,
      atLeast: 10,
      shares: { voicemail: 0.8, short: 0.5 },
      shortMs: 10_000,
      probe: undefined,
    };
    expect(policy(said)).toEqual(without);
    expect(policy({ ...said, probe: { after: "15m", calls: 4, tries: 2 } })).toEqual({
      ...without,
      probe: { calls: 4, tries: 2, afterMs: 15 * MINUTE_MS },
    });
  });

  it("has what it does not say", () => {
    expect(breakerSchema.parse({ failed: 0.3, probe: { after: "1h" } })).toEqual({
      newest: 50,
      at_least: 20,
      failed: 0.3,
      probe: { after: "1h", calls: 5, tries: 3 },
    });
  });

  it.each([
    [{ breaker: {} }, /^breaker: must say what opens it/],
    [{ breaker: { failed: 30 } }, /^breaker\.failed: must be a share of 1 at most, such as 0\.3 for 30 %/],
    [{ breaker: { failed: 0 } }, /^breaker\.failed: must be a share above 0/],
    [{ breaker: { failed: 0.3, newest: 10 } }, /^breaker\.at_least: must not be more than `newest`/],
    [
      { breaker: { failed: 0.3, probe: { after: "5s" } } },
      /^breaker\.probe\.after: must be a duration from 1m to 7d/,
    ],
    [
      { breaker: { short: { under: "1h", share: 0.5 } } },
      /^breaker\.short\.under: must be a duration from 1s to 10m/,
    ],
    [{ canary: 0 }, /^canary: must be 1 or more/],
  ])("is refused where it can't be meant: %j", (changes, problem) => {
    expect(problemsOf(changes)).toEqual([expect.stringMatching(problem)]);
  });
});
