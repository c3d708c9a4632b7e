import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { LaneHeads } from "../../../../src/domain/campaigns/rehearsal/lane-heads.ts";

const NEVER = Number.POSITIVE_INFINITY;

interface Head {
  priority: number;
  firstKey: number | undefined;
  retryMs: number;
}

/** By looking at every lane: by priority, then retries that are due, then first calls; the earlier lane of two alike. */
function nextOf(heads: readonly Head[], nowMs: number): number | undefined {
  const turnOf = ({ priority, firstKey, retryMs }: Head): [number, number, number] =>
    retryMs <= nowMs ? [-priority, 0, retryMs] : [-priority, 1, firstKey ?? NEVER];
  const [next] = heads
    .flatMap((head, lane) => {
      const turn = turnOf(head);
      return turn[2] === NEVER ? [] : [{ lane, turn }];
    })
    .toSorted((a, b) => {
      const at = a.turn.findIndex((part, index) => part !== b.turn[index]);
      return at < 0 ? a.lane - b.lane : (a.turn[at] ?? 0) - (b.turn[at] ?? 0);
    });
  return next?.lane;
}

function dueOf(heads: readonly Head[], nowMs: number): number {
  return heads.some(({ firstKey }) => firstKey !== undefined)
    ? nowMs
    : Math.min(NEVER, ...heads.map(({ retryMs }) => retryMs));
}

const key = fc.integer({ min: -20, max: 20 });

describe("whose turn is next among lanes", () => {
  it("is what a look at every lane finds, whatever changes at their heads", () => {
    const change = fc.record({
      lane: fc.nat(),
      firstKey: fc.option(key, { nil: undefined }),
      retryMs: fc.oneof(key, fc.constant(NEVER)),
      nowMs: key,
    });
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
        fc.array(change, { maxLength: 60 }),
        (priorities, changes) => {
          const shown = new LaneHeads(priorities);
          const heads = priorities.map((priority): Head => ({
            priority,
            firstKey: undefined,
            retryMs: NEVER,
          }));
          for (const { lane: nth, firstKey, retryMs, nowMs } of changes) {
            if (heads.length > 0) {
              const lane = nth % heads.length;
              heads[lane] = { priority: priorities[lane] ?? 0, firstKey, retryMs };
              shown.show(lane, firstKey, retryMs);
            }
            expect(shown.next(nowMs)).toBe(nextOf(heads, nowMs));
            expect(shown.dueMs(nowMs)).toBe(dueOf(heads, nowMs));
          }
        },
      ),
    );
  });

  it("is nobody's where there are no lanes", () => {
    const none = new LaneHeads([]);
    expect(none.next(0)).toBeUndefined();
    expect(none.dueMs(0)).toBe(NEVER);
  });
});
