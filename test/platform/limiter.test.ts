import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { endpoints } from "../../src/platform/endpoints.ts";
import { createLimiter, InvalidRequestError, type Limiter, type Refusal } from "../../src/platform/index.ts";
import type { HeldBack, Permit } from "../../src/platform/limiter.ts";

const served = { kind: "served" } as const;
const unclear = { kind: "unclear" } as const;
const refused = (retryAfterMs?: number) => ({ kind: "refused", retryAfterMs }) as const;
const LONG = { signal: undefined, withinMs: 100_000 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Requests that ask one after the other, each noted when it may begin. */
function ask(limiter: Limiter, names: string, begun: Map<string, Permit>): void {
  for (const name of names) void limiter.acquire(LONG).then((permit) => begun.set(name, permit));
}

/** Lets time pass; timers fire in it. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function why(held: Promise<unknown>): Promise<unknown> {
  return held.then(
    () => "begun",
    (error: HeldBack) => error.why,
  );
}

describe("how many are under way", () => {
  test("is bounded, and who came first goes first", async () => {
    const limiter = createLimiter({ maxConcurrent: 2 });
    const begun = new Map<string, Permit>();
    ask(limiter, "abcde", begun);
    await pass(0);
    expect([...begun.keys()]).toEqual(["a", "b"]);
    expect(limiter.state).toMatchObject({ underWay: 2, waiting: 3 });
    begun.get("b")?.end(served);
    await pass(0);
    expect([...begun.keys()]).toEqual(["a", "b", "c"]);
    for (const name of "acde") {
      begun.get(name)?.end(unclear);
      await pass(0);
    }
    expect([...begun.keys()].join("")).toBe("abcde");
    expect(limiter.state).toMatchObject({ underWay: 0, waiting: 0 });
  });

  test("is counted once for a request that says twice that it has ended", async () => {
    const limiter = createLimiter({ maxConcurrent: 2 });
    const permit = await limiter.acquire(LONG);
    permit.end(served);
    permit.end(served);
    expect(limiter.state.underWay).toBe(0);
  });

  test("halves at a refusal, once for all that were under way together, and grows again by one a round", async () => {
    const limiter = createLimiter({ maxConcurrent: 16 });
    const permits = await Promise.all(Array.from({ length: 16 }, () => limiter.acquire(LONG)));
    await pass(10);
    for (const permit of permits) permit.end(refused());
    expect(limiter.state.concurrency).toBe(8);
    for (let round = 0; round < 9; round++) {
      const permit = limiter.acquire(LONG);
      await pass(2_000);
      (await permit).end(served);
    }
    expect(limiter.state.concurrency).toBe(9);
  });

  test("is never less than one, however often the platform refuses, and never more than the maximum", async () => {
    const limiter = createLimiter({ maxConcurrent: 4 });
    for (let nth = 0; nth < 20; nth++) {
      const permit = limiter.acquire(LONG);
      await pass(10_000);
      (await permit).end(refused());
    }
    expect(limiter.state).toMatchObject({ concurrency: 1, perSecond: 0.5 });
    for (let nth = 0; nth < 100; nth++) {
      const permit = limiter.acquire(LONG);
      await pass(10_000);
      (await permit).end(served);
    }
    expect(limiter.state).toMatchObject({ concurrency: 4, perSecond: undefined });
  });
});

describe("how fast they begin", () => {
  test("is free until the platform refuses, then half of what was refused", async () => {
    const limiter = createLimiter({ maxConcurrent: 100 });
    const permits = await Promise.all(Array.from({ length: 40 }, () => limiter.acquire(LONG)));
    expect(limiter.state.perSecond).toBeUndefined();
    permits[0]?.end(refused());
    expect(limiter.state.perSecond).toBe(20);
    const begun = new Map<string, Permit>();
    ask(limiter, "abcdefghij", begun);
    await pass(0);
    expect(begun.size).toBe(0);
    await pass(250);
    expect(begun.size).toBe(5);
    await pass(250);
    expect(begun.size).toBe(10);
  });

  test("is not more than the maximum that was set, not even in the first second", async () => {
    const limiter = createLimiter({ maxPerSecond: 10, maxConcurrent: 100 });
    const begun = new Map<string, Permit>();
    ask(limiter, "abcdefghijklmnopqrst", begun);
    await pass(0);
    expect(begun.size).toBe(1);
    await pass(950);
    expect(begun.size).toBe(10);
    await pass(950);
    expect(begun.size).toBe(20);
  });

  test("is not slowed down much by a lone refusal", async () => {
    const limiter = createLimiter();
    (await limiter.acquire(LONG)).end(refused());
    expect(limiter.state.perSecond).toBe(2);
  });

  test("is free again once twice the refused pace is served", async () => {
    const limiter = createLimiter();
    (await limiter.acquire(LONG)).end(refused());
    let servedCount = 0;
    while (limiter.state.perSecond !== undefined) {
      const permit = limiter.acquire(LONG);
      await pass(1_000);
      (await permit).end(served);
      servedCount += 1;
      expect(servedCount).toBeLessThan(100);
    }
    expect(servedCount).toBeGreaterThan(8);
  });
});

describe("a platform that says how long to wait", () => {
  test("is not asked before that, by anybody", async () => {
    const limiter = createLimiter();
    (await limiter.acquire(LONG)).end(refused(20_000));
    const begun = new Map<string, Permit>();
    ask(limiter, "ab", begun);
    await pass(19_900);
    expect(begun.size).toBe(0);
    expect(limiter.state.heldForMs).toBeGreaterThan(0);
    await pass(200);
    expect([...begun.keys()]).toEqual(["a"]);
    await pass(1_000);
    expect(begun.size).toBe(2);
  });

  test("is not waited for by a request whose own time is shorter: it hears at once how long it is", async () => {
    const limiter = createLimiter();
    (await limiter.acquire(LONG)).end(refused(20_000));
    const held = limiter.acquire({ signal: undefined, withinMs: 5_000 });
    await expect(held).rejects.toMatchObject({ why: "held", retryAfterMs: 20_000 });
    expect(limiter.state.waiting).toBe(0);
  });
});

describe("what can't wait", () => {
  test("begins at once, though the platform wants no request and as many are under way as may be, and counts", async () => {
    const limiter = createLimiter({ maxConcurrent: 2, maxPerSecond: 2 });
    const permits = [await limiter.acquire(LONG)];
    permits[0]?.end(refused(20_000));
    const begun = new Map<string, Permit>();
    ask(limiter, "a", begun);
    for (let nth = 0; nth < 3; nth++) permits.push(await limiter.acquire({ ...LONG, atOnce: true }));
    expect(limiter.state).toMatchObject({ underWay: 3, waiting: 1 });
    await pass(20_500);
    expect(begun.size, "as many are under way as may be").toBe(0);
    for (const permit of permits) permit.end(served);
    await pass(1_000);
    expect(begun.size).toBe(1);
  });

  test("slows down whatever comes after it", async () => {
    const limiter = createLimiter({ maxPerSecond: 2 });
    for (let nth = 0; nth < 4; nth++) await limiter.acquire({ ...LONG, atOnce: true });
    const begun = new Map<string, Permit>();
    ask(limiter, "a", begun);
    await pass(1_900);
    expect(begun.size).toBe(0);
    await pass(200);
    expect(begun.size).toBe(1);
  });

  test("is what ends calls or keeps them from beginning", () => {
    const found = Object.entries(endpoints).filter(([, endpoint]) => "atOnce" in endpoint);
    expect(found.map(([name]) => name).sort()).toEqual([
      "batchCalls.cancel",
      "batchCalls.delete",
      "batchCalls.pause",
      "calls.end",
    ]);
  });
});

describe("a refusal of another process", () => {
  /** Two limiters of one key, and what each tells the other. */
  const pair = () => {
    const told: Refusal[] = [];
    const one = createLimiter({ maxConcurrent: 16, onRefused: (refusal) => void told.push(refusal) });
    return { one, other: createLimiter({ maxConcurrent: 16 }), told };
  };

  test("is heeded as one of its own: nothing begins before its time, and then half as fast", async () => {
    const { one, other, told } = pair();
    (await one.acquire(LONG)).end(refused(5_000));
    expect(told).toHaveLength(1);
    for (const refusal of told) other.heed(refusal);
    expect(other.state).toMatchObject({ concurrency: 8, perSecond: 2 });
    const begun = new Map<string, Permit>();
    ask(other, "a", begun);
    await pass(4_900);
    expect(begun.size).toBe(0);
    await pass(200);
    expect(begun.size).toBe(1);
  });

  test("is heeded once, however often it is heard of, and not where it is the one that was heard already", async () => {
    const { one, other, told } = pair();
    const [first, second] = [await one.acquire(LONG), await other.acquire(LONG)];
    await pass(10);
    second.end(refused());
    first.end(refused());
    for (const refusal of [...told, ...told]) other.heed(refusal);
    expect(other.state.concurrency).toBe(8);
    await pass(10);
    (await one.acquire({ ...LONG, atOnce: true })).end(refused());
    for (const refusal of told) other.heed(refusal);
    expect(other.state.concurrency, "another one").toBe(4);
  });
});

describe("a part of what all processes may send", () => {
  test("grows and shrinks with how many there are, and never above what the platform takes", async () => {
    const limiter = createLimiter({ maxPerSecond: 40 });
    limiter.allow(10);
    expect(limiter.state.perSecond).toBe(10);
    limiter.allow(20);
    expect(limiter.state.perSecond).toBe(20);
    (await limiter.acquire(LONG)).end(refused());
    expect(limiter.state.perSecond).toBe(2);
    limiter.allow(40);
    expect(limiter.state.perSecond).toBe(2);
    limiter.allow(1);
    expect(limiter.state.perSecond).toBe(1);
    expect(() => limiter.allow(0)).toThrow(InvalidRequestError);
  });
});

describe("a wait", () => {
  test("ends with the request's own time, and with its signal; the others move up", async () => {
    const limiter = createLimiter({ maxConcurrent: 1 });
    const first = await limiter.acquire(LONG);
    const abort = new AbortController();
    const late = why(limiter.acquire({ signal: undefined, withinMs: 50 }));
    const aborted = why(limiter.acquire({ signal: abort.signal, withinMs: 100_000 }));
    const begun = new Map<string, Permit>();
    ask(limiter, "a", begun);
    await pass(50);
    abort.abort();
    expect([await late, await aborted]).toEqual(["late", "aborted"]);
    expect(limiter.state.waiting).toBe(1);
    first.end(served);
    await pass(0);
    expect([...begun.keys()]).toEqual(["a"]);
    expect(await why(limiter.acquire({ signal: AbortSignal.abort(), withinMs: 9 }))).toBe("aborted");
  });

  test("is refused where the queue is full", async () => {
    vi.useRealTimers(); // Ten thousand fake ones take their time.
    const limiter = createLimiter({ maxConcurrent: 1 });
    const abort = new AbortController();
    const wait = { signal: abort.signal, withinMs: 60_000 };
    const waits = Array.from({ length: 10_001 }, () => why(limiter.acquire(wait)));
    expect(await why(limiter.acquire(wait))).toBe("full");
    abort.abort();
    expect(await waits[0]).toBe("begun");
    expect(new Set(await Promise.all(waits.slice(1)))).toEqual(new Set(["aborted"]));
  });
});

test.each([{ maxConcurrent: 0 }, { maxConcurrent: 1.5 }, { maxPerSecond: 0 }, { maxPerSecond: Number.NaN }])(
  "a maximum that can't be used is refused: %j",
  (options) => {
    expect(() => createLimiter(options)).toThrow(InvalidRequestError);
  },
);
