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
import { afterAttempt, type EndedAttempt } from "../../../src/domain/policy/retry.ts";

const ENDED_MS = Date.UTC(2026, 5, 3, 12);

function policy(retry: NonNullable<CampaignSpecInput["retry"]>) {
  const reading = readCampaignSpec({
    name: "retries",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    retry,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return policyOf(reading.spec, 1);
}

const ended = (disposition: Disposition, attempts = 1, sameDisposition = attempts): EndedAttempt => ({
  disposition,
  endedAtMs: ENDED_MS,
  attempts,
  sameDisposition,
});

const ALL_DELAYS = { no_answer: "30m", busy: "10m", voicemail: "4h", failed: "0s" };

describe("what follows an ended attempt", () => {
  it.each([
    ["no_answer", 1_800_000],
    ["busy", 600_000],
    ["voicemail", 14_400_000],
    ["failed", 0],
  ] as const)("%s is called again after its own delay, counted from its end", (disposition, delayMs) => {
    expect(afterAttempt(ended(disposition), policy({ max_attempts: 3, delays: ALL_DELAYS }))).toEqual({
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
    expect(afterAttempt(ended(disposition), policy({ max_attempts: 10, delays: ALL_DELAYS }))).toEqual({
      kind: "final",
      reason,
    });
  });

  it("says something of every disposition, and retries exactly those that may have a delay", () => {
    const wide = policy({ max_attempts: 10, delays: ALL_DELAYS });
    const retried = DISPOSITIONS.filter((one) => afterAttempt(ended(one), wide).kind === "retry");
    expect(retried.sort()).toEqual([...RETRYABLE_DISPOSITIONS].sort());
    expect(DISPOSITIONS.filter(isRetryable).sort()).toEqual([...RETRYABLE_DISPOSITIONS].sort());
  });

  it("ends at the cap of attempts, whatever they came to", () => {
    const two = policy({ max_attempts: 2, delays: ALL_DELAYS });
    expect(afterAttempt(ended("busy", 1), two)).toMatchObject({ kind: "retry" });
    expect(afterAttempt(ended("busy", 2, 1), two)).toEqual({ kind: "final", reason: "max_attempts" });
    expect(afterAttempt(ended("busy", 5, 1), two)).toEqual({ kind: "final", reason: "max_attempts" });
  });

  it("ends at the cap of its disposition before the cap of attempts", () => {
    const capped = policy({ max_attempts: 5, delays: ALL_DELAYS, max_per_disposition: { busy: 2 } });
    expect(afterAttempt(ended("busy", 3, 1), capped)).toMatchObject({ kind: "retry" });
    expect(afterAttempt(ended("busy", 3, 2), capped)).toEqual({
      kind: "final",
      reason: "max_per_disposition",
    });
    expect(afterAttempt(ended("no_answer", 3, 3), capped)).toMatchObject({ kind: "retry" });
  });

  it("ends where its disposition was given no delay", () => {
    expect(afterAttempt(ended("voicemail"), policy({ max_attempts: 3, delays: { busy: "1m" } }))).toEqual({
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
            if (afterAttempt(ended(disposition, made.length, same), limits).kind === "final") break;
          }
          expect(made.length).toBeLessThanOrEqual(maxAttempts);
        },
      ),
    );
  });
});
