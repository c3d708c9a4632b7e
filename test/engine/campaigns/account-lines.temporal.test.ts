import { afterAll, beforeAll, expect, it } from "vitest";

import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { expectAccounted } from "../../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  tell,
  until,
  untilOver,
  type Engine,
} from "../../support/engine.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";

const LINES = 21;

/** Until it is ended. */
const ENDLESS_MS = 100_000_000;

describeSomeLedger("campaigns that share an account's lines", (ledger) => {
  let engine: Engine;
  let from = 610_000;
  beforeAll(async () => {
    engine = await startEngine(ledger(), { speed: 100, account: { limit: LINES, reserve: 0 } });
    await engine.startWorkers();
  });
  afterAll(() => engine.close());

  const people = (count: number) => {
    const phones = phoneNumbers(count, (from += 1_000));
    for (const phone of phones)
      engine.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: ENDLESS_MS }]);
    return phones;
  };
  /** Calls of one attempt each, so that what was dialed is counted by numbers. */
  const begin = (phones: readonly string[], weight: number) =>
    startTestCampaign(engine, phones, { weight, concurrency: 100, retry: { max_attempts: 1, delays: {} } });
  const heldBy = async (id: string) =>
    (await listUnsettled(ledger().db, id)).reduce((sum, batch) => sum + batch.held, 0);
  const isWaiting = async (id: string) => given(await readCampaign(ledger().db, id)).waiting > 0;
  const dialed = (phones: readonly string[]) =>
    phones.filter((phone) => engine.sandbox.dialLog.of(phone).length > 0).length;

  const endedCalls = new Set<string>();
  const endCalls = async (phones: readonly string[]) => {
    for (const { call_id: id } of phones.flatMap((phone) => engine.sandbox.dialLog.of(phone))) {
      if (endedCalls.has(id)) continue;
      await engine.deps.platform.calls.end(id);
      endedCalls.add(id);
    }
  };

  it("dial by their weights, never more at once than there are, and everybody of all of them", async () => {
    const before = people(LINES);
    const first = await begin(before, 1);
    await until("all lines to be busy", () => dialed(before) === LINES);
    const lists = [people(48), people(48), people(48)] as const;
    const ids = await Promise.all([begin(lists[0], 1), begin(lists[1], 2), begin(lists[2], 4)]);
    for (const id of ids) await until("it to wait", () => isWaiting(id));
    await endCalls(before);
    const all = lists.flat();
    // As often as all lines are busy, each list has its part of them, until the heaviest is through.
    for (let calls = LINES; calls <= 4 * LINES; calls += LINES) {
      await until("all lines to be busy", () => dialed(all) === calls);
      expect(lists.map(dialed)).toEqual([1, 2, 4].map((weight) => (calls * weight) / 7));
      await endCalls(all);
    }
    await until("everybody to be dialed", async () => {
      await endCalls(all);
      return dialed(all) === all.length;
    });
    await endCalls(all);
    for (const id of [first, ...ids]) expect((await untilOver(engine, id)).state).toBe("completed");
    for (const id of [first, ...ids]) await expectAccounted(engine, id);
    expect(engine.sandbox.stats().peakActiveCalls).toBeLessThanOrEqual(LINES);
  });

  it("have the lines of one that is paused, which has half of them again once it goes on", async () => {
    const lists = [people(84), people(84)] as const;
    const paused = await begin(lists[0], 1);
    await until("one to have them all", () => dialed(lists[0]) === LINES);
    const other = await begin(lists[1], 1);
    await until("the other to wait", () => isWaiting(other));
    await tell(engine, paused, "pause");
    // Until the platform hears of it, its batches go on, and whom they dial then would never end.
    await until("all lines to be the other's", async () => {
      await endCalls(lists[0]);
      return dialed(lists[1]) === LINES;
    });
    expect(await heldBy(paused)).toBe(0);
    await tell(engine, paused, "resume");
    await until("it to wait", () => isWaiting(paused));
    await until("half of them back", async () => {
      await endCalls(lists[1]);
      return (await heldBy(paused)) >= Math.floor(LINES / 2);
    });
    for (const id of [paused, other]) await tell(engine, id, "cancel");
    for (const [at, id] of [paused, other].entries()) {
      await until("it to be over", async () => {
        await endCalls(lists[at] ?? []);
        return given(await readCampaign(ledger().db, id)).state === "cancelled";
      });
      await expectAccounted(engine, id);
    }
    expect(engine.sandbox.stats().peakActiveCalls).toBeLessThanOrEqual(LINES);
  });
});
