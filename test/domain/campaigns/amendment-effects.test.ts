import { beforeEach, describe, expect, it } from "vitest";

import { AmendmentEffects } from "../../../src/domain/campaigns/amendment-effects.ts";
import type { GateDecision } from "../../../src/domain/policy/gate-question.ts";

const dial = (untilMs = Number.POSITIVE_INFINITY): GateDecision => ({ kind: "dial", untilMs });
const waits = (untilMs: number, reason: "window" | "not_due" = "window"): GateDecision => ({
  kind: "wait",
  reason,
  untilMs,
});
const never = (reason: "suppressed" | "after_end"): GateDecision => ({
  kind: "never",
  reason,
  detail: "told elsewhere",
});

describe("what an amendment makes of people", () => {
  let effects: AmendmentEffects;
  beforeEach(() => {
    effects = new AmendmentEffects();
  });

  it("is nothing where both policies say the same, however soon a call has to begin", () => {
    effects.add("+1", dial(1), dial(2));
    effects.add("+2", waits(5), waits(5));
    effects.add("+3", never("suppressed"), never("suppressed"));
    expect([effects.asked, effects.unchanged, effects.all()]).toEqual([3, 3, []]);
  });

  it("is told of each pair of answers by itself, the most people first", () => {
    effects.add("+1", dial(), never("suppressed"));
    effects.add("+2", waits(5), dial());
    effects.add("+3", waits(9), dial());
    effects.add("+4", never("suppressed"), never("after_end"));
    effects.add("+5", waits(5), waits(5, "not_due"));
    effects.add("+6", waits(5), dial());
    effects.add("+7", dial(), never("suppressed"));
    expect([effects.asked, effects.unchanged]).toEqual([7, 0]);
    const all = effects.all();
    expect(all.slice(0, 2)).toEqual([
      {
        before: { kind: "waits", reason: "window" },
        after: { kind: "called" },
        contacts: 3,
        untilMs: undefined,
        samples: ["+2", "+3", "+6"],
      },
      {
        before: { kind: "called" },
        after: { kind: "excluded", reason: "suppressed" },
        contacts: 2,
        untilMs: undefined,
        samples: ["+1", "+7"],
      },
    ]);
    expect(all.map(({ contacts }) => contacts)).toEqual([3, 2, 1, 1]);
  });

  it("says until when they wait after it, the first and the last, and a few of their numbers", () => {
    for (const [index, untilMs] of [30, 10, 20, 40].entries())
      effects.add(`+${index}`, dial(), waits(untilMs));
    expect(effects.all()).toEqual([
      {
        before: { kind: "called" },
        after: { kind: "waits", reason: "window" },
        contacts: 4,
        untilMs: { first: 10, last: 40 },
        samples: ["+0", "+1", "+2"],
      },
    ]);
  });

  it("is one, too, where they wait for the same until another time", () => {
    effects.add("+1", waits(5), waits(6));
    expect(effects.all()).toMatchObject([{ contacts: 1, untilMs: { first: 6, last: 6 } }]);
    expect(effects.unchanged).toBe(0);
  });
});
