import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DueHeap } from "../../../../src/domain/campaigns/rehearsal/due-heap.ts";

describe("who is due first", () => {
  it("is nobody, at no time, where nobody is in it", () => {
    const heap = new DueHeap();
    expect([heap.size, heap.firstMs, heap.pop()]).toEqual([0, Number.POSITIVE_INFINITY, undefined]);
  });

  it("is what sorting finds, however pushes and pops alternate", () => {
    const step = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant("pop" as const));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = new DueHeap();
        const dueOf: number[] = [];
        let inIt: number[] = [];
        for (const one of steps) {
          if (one === "pop") {
            const id = heap.pop();
            const leastMs = Math.min(...inIt.map((known) => dueOf[known] ?? 0));
            expect(id === undefined ? undefined : dueOf[id]).toBe(inIt.length === 0 ? undefined : leastMs);
            inIt = inIt.filter((known) => known !== id);
          } else {
            heap.push(one, dueOf.length);
            inIt.push(dueOf.length);
            dueOf.push(one);
          }
          expect(heap.size).toBe(inIt.length);
          expect(heap.firstMs).toBe(
            Math.min(Number.POSITIVE_INFINITY, ...inIt.map((known) => dueOf[known] ?? 0)),
          );
        }
      }),
    );
  });
});
