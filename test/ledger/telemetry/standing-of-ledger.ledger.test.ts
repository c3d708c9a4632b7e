import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";

import { readBatches } from "../../../src/ledger/campaigns/batches.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { raiseAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { putOutbox } from "../../../src/ledger/ground/outbox.ts";
import {
  readCampaigns,
  readStanding,
  type StandingOfLedger,
} from "../../../src/ledger/telemetry/standing-of-ledger.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { counted } from "../support/counted.ts";
import {
  createScheduled,
  ended,
  freshPhones,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
  SECOND_MS,
  start,
} from "../support/scenario.ts";

describeLedgers("how the ledger stands, for metrics", (ledger) => {
  const nowMs = NOW_MS + 5 * MINUTE_MS;
  const standing = (atMs = nowMs): Promise<StandingOfLedger> =>
    readStanding(ledger().db, { campaigns: 200, now: () => atMs });

  let campaignId = "";
  let batchId = "";
  beforeAll(async () => {
    campaignId = await running(ledger(), freshPhones(30), { name: "spring", concurrency: 4 });
    batchId = given((await planAndStart(ledger(), campaignId))[0]);
  });

  it("says of each campaign that is not over how its people and its lines are", async () => {
    await createScheduled(ledger(), { name: "summer", concurrency: 9 });
    const { campaigns, lines, listed } = await standing();
    const held = given((await readBatches(ledger().db, [batchId]))[0]).held;
    expect(campaigns.find(({ name }) => name === "spring")).toMatchObject({
      brand: "default",
      run: 1,
      ofSequence: false,
      open: 30 - (await openPhones(ledger(), batchId)).length,
      leased: (await openPhones(ledger(), batchId)).length,
      done: 0,
      attempts: 0,
      limit: 4,
      busy: held,
    });
    expect(
      campaigns.find(({ name }) => name === "summer"),
      "it does not run",
    ).toMatchObject({ limit: 0, busy: 0 });
    expect(lines).toMatchObject({ limit: 4, busy: held });
    expect(listed).toEqual(
      expect.arrayContaining([
        { list: "campaign", word: "running", n: 1 },
        { list: "campaign", word: "scheduled", n: 1 },
        { list: "batch", word: "running", n: 1 },
      ]),
    );
  });

  it("tells those apart that have the most lines, and the rest together", async () => {
    const told = await readCampaigns(ledger().db, 1);
    expect(new Set(told.map(({ name }) => name))).toEqual(new Set(["spring", null]));
    const rest = given(told.find(({ name }) => name === null));
    expect(rest).toMatchObject({ brand: "other", run: null, ofSequence: false });
    const all = await readCampaigns(ledger().db, 200);
    const sum = (of: typeof told) => of.reduce((n, { open, leased, done }) => n + open + leased + done, 0);
    expect(sum(told)).toBe(sum(all));
  });

  it("counts what waits, what is overdue and what is before people, and since when", async () => {
    const before = await standing();
    await putOutbox(ledger().db, [
      { kind: "delivery", subject: "one", dueAtMs: nowMs - 90 * SECOND_MS },
      { kind: "delivery", subject: "two", dueAtMs: nowMs + MINUTE_MS },
    ]);
    await raiseAttention(ledger().db, {
      kind: "breaker_open",
      subject: "campaign",
      brand: "default",
      summary: "it paused itself",
      remedy: "look",
      nowMs,
    });
    await rows(
      ledger().db,
      sql`update batches set look_by = ${new Date(nowMs - 1).toISOString()}::timestamptz where id = ${batchId}::uuid`,
    );
    const now = await standing();
    expect(now.outbox.find(({ kind }) => kind === "delivery")).toEqual({
      kind: "delivery",
      n: 2,
      dueSinceMs: nowMs - 90 * SECOND_MS,
    });
    expect(now.depths).toMatchObject({ inOrder: 2, aside: 0, acceptedMs: nowMs - 90 * SECOND_MS });
    expect(now.overdue.get("batch")).toBe(1);
    expect(now.overdue.get("schedule_run")).toBe(0);
    expect(before.listed.some(({ list }) => list === "attention")).toBe(false);
    expect(now.listed).toContainEqual({ list: "attention", word: "breaker_open", n: 1 });
  });

  it("knows what is held for calls, and what those of this day cost", async () => {
    const held = given((await standing()).money[0]);
    expect(held).toMatchObject({ brand: "default", spentMicros: 0 });
    expect(held.heldMicros).toBeGreaterThan(0);
    const [phone] = await openPhones(ledger(), batchId);
    await settleFindings(ledger(), { batchId, findings: [ended(given(phone))], nowMs });
    const spent = given((await standing()).money[0]);
    expect(spent.heldMicros).toBeLessThan(held.heldMicros);
    expect(spent.spentMicros).toBeGreaterThan(0);
    const tomorrow = given((await standing(NOW_MS + 24 * 60 * MINUTE_MS)).money[0]);
    expect(tomorrow).toMatchObject({ heldMicros: spent.heldMicros, spentMicros: 0 });
  });

  it("sees the switches that hold all dialing, and by how much the ledger's clock is ahead", async () => {
    expect((await standing()).switches).toMatchObject({
      isStopped: false,
      isRecovering: false,
      hasNoCredit: false,
      balanceMicros: null,
    });
    await rows(
      ledger().db,
      sql`update installation set stopped_at = now(), balance_micros = 2500000, balance_at = now()`,
    );
    const real = Date.now() - 90_000;
    const seen = await standing(real);
    expect(seen.switches).toMatchObject({ isStopped: true, balanceMicros: 2_500_000 });
    expect(Math.abs(given(seen.clockAheadMs) - 90_000)).toBeLessThan(30_000);
    await rows(
      ledger().db,
      sql`update installation set stopped_at = null, balance_micros = null, balance_at = null`,
    );
  });

  it("takes eight statements, however many campaigns there are", async () => {
    const { ledger: counting, take } = counted(ledger());
    const read = async () => {
      await readStanding(counting.db, { campaigns: 200, now: () => nowMs });
      return take();
    };
    const few = await read();
    for (let nth = 0; nth < 5; nth += 1) await createScheduled(ledger());
    expect(await read()).toBe(few);
    expect(few).toBe(8);
  });

  it("a batch knows since when the lines are idle that it takes, where somebody waited for them", async () => {
    const id = await running(ledger(), freshPhones(12), { name: "lines", concurrency: 2 });
    const first = given((await planAndStart(ledger(), id))[0]);
    expect(
      given((await readBatches(ledger().db, [first]))[0]).linesFreeSinceMs,
      "nobody waited",
    ).toBeUndefined();
    const phones = await openPhones(ledger(), first);
    const [last, ...others] = phones;
    const endMs = NOW_MS + 2 * MINUTE_MS;
    // The platform goes on to the batch's own next call: no line comes free.
    await settleFindings(ledger(), {
      batchId: first,
      findings: others.slice(1).map((phone) => ended(phone, "answered", endMs - MINUTE_MS)),
      nowMs: endMs,
    });
    const ends = [given(others[0]), given(last)];
    await settleFindings(ledger(), {
      batchId: first,
      findings: ends.map((phone, index) => ended(phone, "answered", endMs - index * 10 * SECOND_MS)),
      nowMs: endMs,
    });
    const { batchIds } = await plan(ledger(), id, endMs + 3 * SECOND_MS);
    const second = given(batchIds.find((one) => one !== first));
    const batch = given((await readBatches(ledger().db, [second]))[0]);
    expect(batch.linesFreeSinceMs, "the mean of both").toBe(endMs - 5 * SECOND_MS);
    await start(ledger(), second, endMs + 4 * SECOND_MS);
  });

  it("lines that nobody waited for are not idle", async () => {
    const id = await running(ledger(), freshPhones(2), {
      name: "few",
      concurrency: 2,
      retry: { max_attempts: 2, delays: { busy: "1m" } },
    });
    const first = given((await planAndStart(ledger(), id))[0]);
    const phones = await openPhones(ledger(), first);
    await settleFindings(ledger(), {
      batchId: first,
      findings: phones.map((phone) => ended(phone, "busy", NOW_MS + MINUTE_MS)),
      nowMs: NOW_MS + MINUTE_MS,
    });
    const { batchIds } = await plan(ledger(), id, NOW_MS + 10 * MINUTE_MS);
    const again = given(batchIds.find((one) => one !== first));
    expect(given((await readBatches(ledger().db, [again]))[0]).linesFreeSinceMs).toBeUndefined();
  });

  it("says how many lines people could use who may be called now", async () => {
    const [soon, late] = [NOW_MS + 10 * SECOND_MS, nowMs];
    const wanted = async (atMs: number) => (await standing(atMs)).lines.wanted;
    const [before, beforeLate] = [await wanted(soon), await wanted(late)];
    const people = freshPhones(3);
    const id = await running(ledger(), people, { name: "autumn", concurrency: 9 });
    expect(await wanted(soon), "its first planning is to come").toBe(before);
    expect(await wanted(late), "nobody plans").toBe(beforeLate + 3);
    const batchIds = await planAndStart(ledger(), id);
    const held = (await readBatches(ledger().db, batchIds)).reduce((sum, batch) => sum + batch.held, 0);
    expect(held).toBeGreaterThan(0);
    expect(await wanted(soon), "nobody waits beside those who are called").toBe(before + held);

    const many = await running(ledger(), freshPhones(30), { name: "winter", concurrency: 5 });
    await planAndStart(ledger(), many);
    expect(await wanted(soon), "all that it may have").toBe(before + held + 5);
    const first = given((await readCampaigns(ledger().db, 200)).find(({ name }) => name === "winter")).busy;
    await rows(ledger().db, sql`update campaigns set short_of = 'budget' where id = ${many}::uuid`);
    expect(await wanted(soon), "it waits for money").toBe(before + held + first);
    await rows(
      ledger().db,
      sql`update campaigns set short_of = null, starved = false where id = ${many}::uuid`,
    );
    expect(await wanted(soon), "nobody may be called").toBe(before + held + first);
  });
});
