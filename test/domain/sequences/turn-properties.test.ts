import fc from "fast-check";
import { expect, it } from "vitest";

import { DISPOSITIONS } from "../../../src/domain/policy/disposition.ts";
import {
  readSequence,
  readStoredSequence,
  type SequenceDefinition,
} from "../../../src/domain/sequences/definition.ts";
import { takeTurn, type TurnInput } from "../../../src/domain/sequences/turn.ts";
import { Person, START_MS, written } from "./support.ts";
import { takeSplit } from "../../../src/domain/sequences/beginnings.ts";

const EVENTS = ["replied", "purchased", "outdial.inbound_call"];
const CONDITIONS = [
  'variables.plan == "pro"',
  'last_call.disposition == "answered"',
  'events.exists(e, e.name == "purchased")',
  "size(events) > 3",
  "int(variables.count) > 2",
  "now > instant(variables.date)",
];

const pick = (max: number) => fc.nat({ max: max - 1 });

/** A step that leads somewhere ahead, or back by way of a wait, or of a call: such as are stored go on, too. */
function stepOf(index: number, count: number): fc.Arbitrary<object> {
  const ahead = fc.nat({ max: count - index - 1 }).map((n) => `s${Math.min(index + 1 + n, count)}`);
  const anywhere = pick(count + 1).map((n) => `s${n}`);
  const condition = fc.constantFrom(...CONDITIONS);
  const id = `s${index}`;
  return fc.oneof(
    fc
      .tuple(anywhere, fc.constantFrom("1h", "1s", "10d"))
      .map(([next, duration]) => ({ id, wait: { for: duration }, next })),
    fc
      .tuple(anywhere, fc.constantFrom("00:00", "09:30"))
      .map(([next, until]) => ({ id, wait: { until }, next })),
    fc.tuple(ahead, ahead).map(([next, problem]) => ({
      id,
      wait: { until_date: "variables.date", offset: "-1d" },
      next,
      on: { problem },
    })),
    fc.tuple(anywhere, anywhere, fc.constantFrom(...EVENTS)).map(([event, timeout, name]) => ({
      id,
      wait_for: { event: name, timeout: "2d" },
      on: { event, timeout },
    })),
    fc.tuple(anywhere, anywhere, anywhere, ahead).map(([answered, unknown, otherwise, refused]) => ({
      id,
      call: { variables: { seen: "size(events)" } },
      on: { answered, unknown, otherwise, refused },
    })),
    anywhere.map((next) => ({ id, call: { give_up_after: "1d" }, next })),
    fc
      .tuple(condition, ahead, ahead)
      .map(([when, to, otherwise]) => ({ id, branch: [{ when, to }, { otherwise }] })),
    fc.tuple(ahead, ahead).map(([a, b]) => ({
      id,
      split: [
        { weight: 1, to: a },
        { weight: 2, to: b },
      ],
    })),
    fc.tuple(ahead, ahead, ahead).map(([done, failed, unknown]) => ({
      id,
      automation: { workflow_id: "w", data: { n: "size(events)" } },
      on: { done, failed, unknown },
    })),
    ahead.map((next) => ({ id, webhook: { url: "https://example.com/" }, next })),
    ahead.map((next) => ({ id, set: { count: 'int(variables.?count.orValue("0")) + 1' }, next })),
    ahead.map((next) => ({ id, suppress: { reason: "asked" }, next })),
  );
}

const definitions: fc.Arbitrary<SequenceDefinition> = fc
  .integer({ min: 1, max: 8 })
  .chain((count) =>
    fc.tuple(
      fc.tuple(...Array.from({ length: count }, (_, index) => stepOf(index, count))),
      fc.constantFrom("close", "reschedule", "ignore"),
      fc.constantFrom(
        [],
        [{ when: CONDITIONS[2], outcome: "won" }],
        [{ when: CONDITIONS[4], outcome: "often" }],
      ),
      fc.constant(`s${count}`),
    ),
  )
  .map(([steps, inbound, goals, end]) =>
    reachable([...steps, { id: end, exit: { outcome: "over" } }], { inbound: { do: inbound }, goals }),
  );

/** Without the steps that nothing leads to: those, and rounds through calls, are the only mistakes made here. */
function reachable(steps: readonly object[], changes: object): SequenceDefinition {
  const value = written(steps, changes);
  const reading = readSequence(value);
  const problems = reading.ok ? [] : reading.problems;
  const lost = new Set(
    problems.flatMap(({ field, problem }) => {
      if (problem.startsWith("goes round without a pause")) return [];
      if (!problem.startsWith("is never reached")) throw new Error(`${field} ${problem}`);
      return [field];
    }),
  );
  if (lost.size === 0) {
    const stored = readStoredSequence(value);
    if (stored.ok) return stored.definition;
    throw new Error(JSON.stringify(stored.problems));
  }
  return reachable(
    steps.filter((_, index) => !lost.has(`steps[${index}]`)),
    changes,
  );
}

const input: fc.Arbitrary<TurnInput> = fc.oneof(
  fc.constantFrom(...EVENTS).map((name): TurnInput => ({ kind: "event", name, data: {}, atMs: START_MS })),
  {
    weight: 4,
    arbitrary: fc
      .tuple(pick(4), fc.option(fc.constantFrom(...DISPOSITIONS), { nil: undefined }))
      .map(([callNo, disposition]): TurnInput => ({
        kind: "call_over",
        callNo: callNo + 1,
        disposition,
        reason: "r",
        attempts: 1,
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(pick(3), fc.constantFrom("done" as const, "failed" as const, "unknown" as const))
      .map(([n, state]): TurnInput => ({ kind: "action_over", n: n + 1, state })),
  },
  fc.constant<TurnInput>({ kind: "skip", actor: "a" }),
  fc.constant<TurnInput>({ kind: "withdrawal", callNo: 1, result: "withdrawn" }),
);

const moments = fc.array(
  fc.record({
    waitMs: fc.constantFrom(0, 1_000, 3_600_000, 86_400_000, 20 * 86_400_000),
    inputs: fc.array(input, { maxLength: 4 }),
  }),
  { maxLength: 25 },
);

const people = fc.record({
  variables: fc.constantFrom<Record<string, string>>(
    {},
    { plan: "pro" },
    { count: "7", date: "2026-12-05" },
    { date: "never" },
  ),
  refused: fc.boolean(),
  withdrawing: fc.constantFrom(
    "withdrawn" as const,
    "in_flight" as const,
    "over" as const,
    "unknown" as const,
  ),
});

it("whatever happens on whatever way: it waits or is over, within its bounds, and the same again", () => {
  fc.assert(
    fc.property(definitions, people, moments, (definition, { variables, refused, withdrawing }, at) => {
      const walk = (): Person => {
        const one = new Person(definition, variables);
        one.withdrawing = withdrawing;
        if (refused) one.placing = { reason: "suppressed", detail: "" };
        one.take();
        for (const { waitMs, inputs } of at) {
          one.after(waitMs, ...inputs);
          if (one.next.kind === "wait" && one.next.untilMs !== undefined)
            expect(one.next.untilMs).toBeGreaterThan(one.nowMs);
          expect(["wait", "done"]).toContain(one.next.kind);
        }
        return one;
      };
      const one = walk();
      const { position } = one;
      expect(position.counters.steps).toBeLessThanOrEqual(10_000);
      expect(position.events.length).toBeLessThanOrEqual(50);
      expect(position.told.length).toBeLessThanOrEqual(20);
      expect(position.ended === null).toBe(one.next.kind !== "done");
      if (position.ended) expect(position.waiting).toBeNull();
      // Each call and each action is asked for once.
      const calls = one.asked.flatMap((next) => (next.kind === "call" ? [next.callNo] : []));
      expect(calls).toEqual(Array.from({ length: position.counters.calls }, (_, n) => n + 1));
      const actions = one.asked.flatMap((next) => (next.kind === "action" ? [next.n] : []));
      expect(actions).toEqual(Array.from({ length: position.counters.actions }, (_, n) => n + 1));
      // What it gives is JSON and nothing else, and the same for the same.
      const again = walk();
      expect(again.position).toEqual(position);
      expect(again.journey).toEqual(one.journey);
      expect(JSON.parse(JSON.stringify(again.effects))).toEqual(one.effects);
    }),
    { numRuns: 250 },
  );
});

it("a turn changes nothing that it was given", () => {
  fc.assert(
    fc.property(definitions, fc.array(input, { maxLength: 4 }), (definition, inputs) => {
      const { position, facts } = new Person(definition).take();
      const before = JSON.stringify({ position, definition });
      const turn = takeTurn({ definition, position, inputs, facts, nowMs: START_MS });
      expect(JSON.stringify({ position, definition })).toBe(before);
      expect(turn.taken).toBeGreaterThanOrEqual(Math.min(1, inputs.length));
    }),
    { numRuns: 100 },
  );
});

it("splits come near to whatever their weights are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 5 }),
      fc.uuid(),
      (weights, salt) => {
        const ways = weights.map((weight, n) => ({ weight, to: String(n) }));
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const draws = 2_000;
        const counts = weights.map(() => 0);
        for (let n = 0; n < draws; n += 1) {
          const to = Number(takeSplit(ways, [salt, String(n)]));
          counts[to] = (counts[to] ?? 0) + 1;
        }
        for (const [n, weight] of weights.entries()) {
          const share = weight / total;
          // Six standard deviations: once in some hundred million tries.
          const bound = 6 * Math.sqrt((share * (1 - share)) / draws);
          expect(Math.abs((counts[n] ?? 0) / draws - share)).toBeLessThan(bound);
        }
      },
    ),
    { numRuns: 25 },
  );
});
