import { describe, expect, it } from "vitest";

import { createGathering } from "../../src/http/gathering.ts";

/** Work whose end this test says, with all that was done together. */
function held() {
  const together: number[][] = [];
  const waiting: (() => void)[] = [];
  const perform = async (inputs: readonly number[]) => {
    together.push([...inputs]);
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
    return inputs.map((n) => n * 10);
  };
  const next = async () => {
    waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { together, perform, next };
}

class AwayError extends Error {}
const isOfAll = (error: unknown) => error instanceof AwayError;

describe("what costs a round trip each", () => {
  it("begins at once where nothing is under way, and what comes meanwhile is done together", async () => {
    const { together, perform, next } = held();
    const work = createGathering({ most: 100, perform, isOfAll });
    const all = Promise.all([1, 2, 3].map(work));
    expect(together).toEqual([[1]]);
    await next();
    expect(together).toEqual([[1], [2, 3]]);
    const late = work(4);
    expect(together).toHaveLength(2);
    await next();
    await next();
    expect(await all).toEqual([10, 20, 30]);
    expect(await late).toBe(40);
    expect(together).toEqual([[1], [2, 3], [4]]);
  });

  it("is done for no more at once than there is room for, however heavy the first is", async () => {
    const { together, perform, next } = held();
    const work = createGathering({ most: 3, mostWeight: 10, weightOf: (n: number) => n, perform, isOfAll });
    const all = Promise.all([1, 50, 2, 3, 6, 1, 1, 1, 1].map(work));
    for (let n = 0; n < 9; n += 1) await next();
    expect(await all).toHaveLength(9);
    expect(together).toEqual([[1], [50], [2, 3], [6, 1, 1], [1, 1]]);
  });

  it("fails for the one that is at fault, and for nobody beside it", async () => {
    const tried: number[][] = [];
    const work = createGathering({
      most: 100,
      isOfAll,
      perform: async (inputs: readonly number[]) => {
        tried.push([...inputs]);
        if (inputs.includes(13)) throw new RangeError("13 is none");
        return inputs;
      },
    });
    const all = await Promise.allSettled([1, 2, 13, 4].map(work));
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(tried).toEqual([[1], [2, 13, 4], [2], [13], [4]]);
  });

  it("that is held up keeps waiting alone, and holds up nobody else", async () => {
    class HeldError extends Error {}
    let letGo: (() => void) | undefined;
    const work = createGathering({
      most: 100,
      isOfAll,
      isHeldUp: (error) => error instanceof HeldError,
      perform: async (inputs: readonly number[], isAlone) => {
        if (!inputs.includes(13)) return inputs;
        if (!isAlone) throw new HeldError();
        await new Promise<void>((resolve) => {
          letGo = resolve;
        });
        return inputs;
      },
    });
    const held = work(13);
    expect(await Promise.all([1, 2].map(work))).toEqual([1, 2]);
    expect(await work(3)).toBe(3);
    letGo?.();
    expect(await held).toBe(13);
  });

  it("is not tried one by one where nothing can be done for any of them", async () => {
    let tried = 0;
    const work = createGathering({
      most: 100,
      isOfAll,
      perform: async (): Promise<number[]> => {
        tried += 1;
        throw new AwayError("away");
      },
    });
    const all = await Promise.allSettled([1, 2, 3].map(work));
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(tried).toBe(2);
  });
});
