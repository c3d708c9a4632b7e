import fc from "fast-check";
import { expect, test } from "vitest";

import { Outcomes } from "../../src/sandbox/outcomes.ts";
import { Simulator, UNREACHABLE_ERROR } from "../../src/sandbox/simulator.ts";
import type { Outcome } from "../../src/sandbox/simulator.ts";
import { phones } from "./support.ts";

test("what happens on a dial depends on the seed, the number and the count alone, not on the order of dialing", () => {
  fc.assert(
    fc.property(fc.integer(), fc.array(fc.constantFrom(...phones(6)), { maxLength: 60 }), (seed, dials) => {
      const inOrder = new Outcomes(new Simulator(seed));
      const reversed = new Outcomes(new Simulator(seed));
      const plans = dials.map((number) => [number, inOrder.next(number)] as const);
      const others = dials.toReversed().map((number) => [number, reversed.next(number)] as const);
      for (const [number, { nth, plan }] of plans) {
        expect(others).toContainEqual([number, { nth, plan }]);
      }
    }),
  );
});

test("another seed is another world", () => {
  const numbers = phones(200);
  const one = numbers.map((number) => new Simulator(1).plan(number, 1));
  const other = numbers.map((number) => new Simulator(2).plan(number, 1));
  expect(one).not.toEqual(other);
});

test("the default mix comes to the stated shares, within realistic durations", () => {
  const simulator = new Simulator(11);
  const counts: Record<Outcome, number> = {
    answered: 0,
    voicemail: 0,
    no_answer: 0,
    busy: 0,
    failed: 0,
    unreachable: 0,
  };
  const bounds: Record<Outcome, readonly [number, number, number, number]> = {
    answered: [5_000, 25_000, 20_000, 180_000],
    voicemail: [15_000, 25_000, 20_000, 40_000],
    no_answer: [25_000, 40_000, 0, 0],
    busy: [1_000, 3_000, 0, 0],
    failed: [1_000, 4_000, 0, 0],
    unreachable: [1_000, 2_000, 0, 0],
  };
  const numbers = phones(10_000);
  const strange: unknown[] = [];
  for (const number of numbers) {
    const plan = simulator.plan(number, 1);
    const [ringLow, ringHigh, talkLow, talkHigh] = bounds[plan.outcome];
    counts[plan.outcome] += 1;
    const isWithin =
      plan.ringMs >= ringLow && plan.ringMs <= ringHigh && plan.talkMs >= talkLow && plan.talkMs <= talkHigh;
    const isAnswered = plan.outcome === "answered" || plan.outcome === "voicemail";
    if (!isWithin || isAnswered !== (plan.error === null)) {
      strange.push({ number, ...plan });
    }
  }
  expect(strange).toEqual([]);
  const share = (outcome: Outcome) => counts[outcome] / numbers.length;
  expect(share("answered")).toBeCloseTo(0.45, 1);
  expect(share("voicemail")).toBeCloseTo(0.15, 1);
  expect(share("no_answer")).toBeCloseTo(0.2, 1);
  expect(share("busy")).toBeCloseTo(0.1, 1);
  expect(share("failed")).toBeCloseTo(0.05, 1);
  expect(share("unreachable")).toBeCloseTo(0.05, 1);
});

test("an unreachable number is unreachable on every dial, with SIP 404", () => {
  const simulator = new Simulator(5, { unreachableShare: 0.5 });
  for (const number of phones(100)) {
    const plans = [1, 2, 3, 4].map((nth) => simulator.plan(number, nth));
    const unreachable = plans.filter(({ outcome }) => outcome === "unreachable");
    expect([0, 4]).toContain(unreachable.length);
    expect(unreachable.every(({ error }) => error === UNREACHABLE_ERROR)).toBe(true);
  }
});

test("weights decide the mix", () => {
  const weights = { answered: 0, voicemail: 0, no_answer: 0, busy: 1, failed: 0 };
  const simulator = new Simulator(1, { weights, unreachableShare: 0 });
  expect(phones(50).every((number) => simulator.plan(number, 1).outcome === "busy")).toBe(true);
});

test("forced outcomes come one a dial, the last stays, and an empty list gives the number back to the seed", () => {
  const outcomes = new Outcomes(new Simulator(1));
  const number = "+14155550000";
  const seeded = new Simulator(1).plan(number, 5);
  outcomes.next(number);
  outcomes.force(number, ["busy", { outcome: "answered", talk_ms: 1_000, opted_out: true }]);
  const forced = [outcomes.next(number), outcomes.next(number), outcomes.next(number)];
  expect(forced.map(({ plan }) => plan.outcome)).toEqual(["busy", "answered", "answered"]);
  expect(forced[1]?.plan).toMatchObject({ talkMs: 1_000, optedOut: true, error: null });
  outcomes.force(number, []);
  expect(outcomes.next(number)).toEqual({ nth: 5, plan: seeded });
});
