import { expect, it, onTestFinished } from "vitest";

import { createRequestBudget, type RequestBudget } from "../../../src/chores/ground/request-budget.ts";
import { countSenders } from "../../../src/ledger/ground/request-budget.ts";
import { createLimiter, type Limiter } from "../../../src/platform/index.ts";
import { describeLedgers } from "../../support/ledgers.ts";

const SILENT = { info() {}, warn() {}, error() {} };
const NOW = { signal: undefined, withinMs: 60_000, atOnce: true };
const refused = (retryAfterMs: number) => ({ kind: "refused", retryAfterMs }) as const;

describeLedgers("processes that use one key of the platform", (ledger) => {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const join = (perSecond?: number): { limiter: Limiter; budget: RequestBudget } => {
    const limiter: Limiter = createLimiter({
      maxConcurrent: 16,
      ...(perSecond !== undefined && { maxPerSecond: perSecond }),
      onRefused: (refusal) => budget.tell(refusal),
    });
    const budget = createRequestBudget({ ledger: ledger(), limiter, perSecond, log: SILENT, now });
    onTestFinished(() => budget.leave());
    return { limiter, budget };
  };
  const passAll = async (...all: { budget: RequestBudget }[]) => {
    for (const { budget } of all) await budget.pass();
  };

  it("heed a refusal that one of them got: nothing begins before its time, and half as much at once", async () => {
    const [one, other, third] = [join(), join(), join()];
    await passAll(one, other, third);
    (await one.limiter.acquire(NOW)).end(refused(30_000));
    await passAll(one, other, third);
    for (const { limiter } of [one, other, third]) {
      expect(limiter.state).toMatchObject({ concurrency: 8 });
      expect(limiter.state.heldForMs).toBeGreaterThan(25_000);
    }
    await passAll(one, other, third);
    expect(other.limiter.state.concurrency, "once").toBe(8);
  });

  it("keep the longest time that any of them was told", async () => {
    const [one, other, third] = [join(), join(), join()];
    (await one.limiter.acquire(NOW)).end(refused(50_000));
    (await other.limiter.acquire(NOW)).end(refused(1_000));
    await passAll(one, other, third);
    expect(third.limiter.state.heldForMs).toBeGreaterThan(40_000);
  });

  it("hear nothing of one that begins an hour from now, and of the next one in spite of it", async () => {
    const [ahead, right] = [join(), join()];
    const hourMs = 3_600_000;
    ahead.budget.tell({ beganAtMs: now() + hourMs, heldUntilMs: now() + hourMs + 30_000 });
    await passAll(ahead);
    for (let pass = 0; pass < 5; pass += 1) await passAll(right);
    expect(right.limiter.state).toMatchObject({ concurrency: 16, heldForMs: 0 });
    ahead.budget.tell({ beganAtMs: now(), heldUntilMs: now() + 20_000 });
    await passAll(ahead, right);
    expect(right.limiter.state.concurrency).toBe(8);
    expect(right.limiter.state.heldForMs).toBeGreaterThan(0);
    expect(right.limiter.state.heldForMs).toBeLessThanOrEqual(20_000);
  });

  it("are not slowed down by one of long ago, nor for hours by one of a clock that is ahead", async () => {
    const one = join();
    one.budget.tell({ beganAtMs: now() + 5_000, heldUntilMs: now() + 3 * 3_600_000 });
    await passAll(one);
    expect(one.limiter.state.heldForMs).toBeLessThanOrEqual(60_000);
    aheadMs += 3_600_000;
    const late = join();
    await passAll(late);
    expect(late.limiter.state).toMatchObject({ concurrency: 16, heldForMs: 0 });
  });

  it("have even parts of what all of them may send, of those that are up", async () => {
    const [one, other] = [join(40), join(40)];
    await passAll(one, other);
    aheadMs += 6_000;
    await passAll(one, other);
    for (const { limiter } of [one, other]) expect(limiter.state.perSecond).toBe(20);
    await other.budget.leave();
    aheadMs += 6_000;
    await passAll(one);
    expect(one.limiter.state.perSecond).toBe(40);
  });

  it("count each other on by a clock that is set back", async () => {
    aheadMs += 3_600_000;
    const one = join(40);
    await passAll(one);
    aheadMs -= 3_600_000;
    const other = join(40);
    await passAll(one, other);
    aheadMs += 6_000;
    await passAll(one, other);
    for (const { limiter } of [one, other]) expect(limiter.state.perSecond).toBe(20);
    await other.budget.leave();
    await one.budget.leave();
  });

  it("count one that was killed for seconds, and forget it", async () => {
    const count = (holder: string) => countSenders(ledger().db, { holder, termMs: 15_000, nowMs: now() });
    expect(await count("killed")).toBe(1);
    expect(await count("other")).toBe(2);
    aheadMs += 15_001;
    expect(await count("other")).toBe(1);
  });
});
