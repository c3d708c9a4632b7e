import { describe, expect, it } from "vitest";

import {
  BATCH_STATES,
  canMoveBatch,
  isPastDialBy,
  neverStarted,
  type BatchState,
} from "../../../src/domain/campaigns/batch-state.ts";
import {
  CAMPAIGN_STATES,
  isOver,
  objectionTo,
  type CampaignCommand,
  type CampaignState,
} from "../../../src/domain/campaigns/campaign-state.ts";
import { NOT_RETRYABLE_FAILURES, RETRYABLE_FAILURES } from "../../../src/activities/failures.ts";

describe("a batch's states", () => {
  const MOVES: Record<BatchState, Partial<Record<BatchState, true>>> = {
    planned: { created: true, draining: true },
    created: { starting: true, draining: true },
    // Back, where the answer to the start itself said that nothing happened.
    starting: { created: true, running: true, draining: true },
    running: { draining: true, settled: true },
    draining: { settled: true },
    settled: {},
  };

  it.each(BATCH_STATES.flatMap((from) => BATCH_STATES.map((to) => [from, to] as const)))(
    "%s to %s",
    (from, to) => {
      expect(canMoveBatch(from, to)).toBe(MOVES[from][to] ?? false);
    },
  );

  it("end what may be dialed at the last moment itself, where there is one", () => {
    expect(isPastDialBy({ dialByMs: 10 }, 9)).toBe(false);
    expect(isPastDialBy({ dialByMs: 10 }, 10)).toBe(true);
    expect(isPastDialBy({ dialByMs: undefined }, 10)).toBe(false);
  });

  it("reach `starting` from `created` alone, so that there is one place where a start is permitted", () => {
    expect(BATCH_STATES.filter((from) => canMoveBatch(from, "starting"))).toEqual(["created"]);
  });

  it("never come back to life once a batch is draining or settled", () => {
    for (const from of ["draining", "settled"] as const)
      for (const to of ["planned", "created", "starting", "running"] as const)
        expect(canMoveBatch(from, to)).toBe(false);
  });

  it.each([
    ["planned", undefined, true],
    ["created", undefined, true],
    ["created", 5, true],
    ["starting", 5, false],
    ["running", 5, false],
    ["draining", undefined, true],
    ["draining", 5, false],
    ["settled", 5, false],
  ] as const)("%s with a start sent at %s can have dialed nobody: %s", (state, sentAtMs, never) => {
    expect(neverStarted(state, sentAtMs)).toBe(never);
  });
});

describe("what a campaign may be told in each state", () => {
  const ALLOWED: Record<CampaignCommand, readonly CampaignState[]> = {
    start: ["scheduled"],
    pause: ["running"],
    resume: ["paused"],
    approve: ["paused"],
    cancel: ["scheduled", "running", "paused"],
    amend: ["scheduled", "running", "paused"],
    append: ["scheduled", "running", "paused"],
  };
  const commands = Object.keys(ALLOWED) as CampaignCommand[];

  const fits = commands.flatMap((command) => ALLOWED[command].map((state) => [command, state] as const));
  const others = commands.flatMap((command) =>
    CAMPAIGN_STATES.filter((state) => !ALLOWED[command].includes(state)).map(
      (state) => [command, state] as const,
    ),
  );

  it.each(fits)("%s while %s", (command, state) => {
    expect(objectionTo(command, state)).toBeUndefined();
  });

  it.each(others)("not %s while %s, and says what it takes", (command, state) => {
    const objection = objectionTo(command, state);
    for (const word of [state, `\`${command}\``, ...ALLOWED[command]]) expect(objection).toContain(word);
  });

  it("nothing, once it is ending or over", () => {
    for (const command of commands)
      for (const state of ["draining", "completed", "cancelled"] as const)
        expect(objectionTo(command, state)).toBeDefined();
  });

  it.each(CAMPAIGN_STATES.map((state) => [state, state === "completed" || state === "cancelled"] as const))(
    "%s is over: %s",
    (state, over) => {
      expect(isOver(state)).toBe(over);
    },
  );
});

describe("types of failures", () => {
  it("keep their names, which stand in histories", () => {
    expect([...NOT_RETRYABLE_FAILURES, ...RETRYABLE_FAILURES]).toEqual([
      "InvalidRequest",
      "Unauthorized",
      "Forbidden",
      "NotFound",
      "Conflict",
      "PaymentRequired",
      "OutcomeUnknown",
      "RateLimited",
      "PlatformUnavailable",
      "LedgerUnavailable",
    ]);
  });

  it("are retried or not, never both", () => {
    const retried: readonly string[] = RETRYABLE_FAILURES;
    expect(NOT_RETRYABLE_FAILURES.filter((type) => retried.includes(type))).toEqual([]);
  });
});
