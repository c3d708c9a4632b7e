import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { returnAttempts } from "../../../src/ledger/campaigns/batches.ts";
import { readCallerStates } from "../../../src/ledger/campaigns/caller-states.ts";
import { lockCampaign, readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../../support/ledgers.ts";
import {
  batchOf,
  ended,
  freshPhones,
  HOUR_MS,
  holdsOf,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  plan,
  planAndStart,
  running,
  start,
} from "../support/scenario.ts";

const FINAL = { retry: { max_attempts: 1 } } as const;

let given = 0;
/** Numbers of ours that no other test of this file calls from. */
const ours = (count: number): string[] =>
  Array.from({ length: count }, () => `+1${2_125_550_000 + (given += 1)}`);

describeLedgers("a campaign's own numbers", (ledger) => {
  const calling = (people: readonly string[], changes: Partial<CampaignSpecInput>) =>
    running(ledger(), people, { concurrency: 100, ...FINAL, ...changes });

  /** Who is called from which number, by the batches that are under way. */
  const fromOf = async (id: string, nowMs = NOW_MS): Promise<Map<string, string>> => {
    const { batchIds } = await plan(ledger(), id, nowMs);
    const froms = new Map<string, string>();
    for (const batchId of batchIds) {
      const { fromNumber } = await batchOf(ledger(), batchId);
      for (const phone of await openPhones(ledger(), batchId)) froms.set(phone, fromNumber);
    }
    return froms;
  };

  const callAll = async (id: string, disposition: Disposition, nowMs: number): Promise<number> => {
    let calls = 0;
    for (const batchId of (await plan(ledger(), id, nowMs)).batchIds) {
      await start(ledger(), batchId, nowMs);
      const phones = await openPhones(ledger(), batchId);
      calls += phones.length;
      const findings = phones.map((phone) => ended(phone, disposition, nowMs));
      await settleFindings(ledger(), { batchId, findings, nowMs });
      await closeBatch(ledger(), batchId, nowMs);
    }
    return calls;
  };

  it("call somebody from the same one each time, in whichever campaign", async () => {
    const from_numbers = ours(3);
    const people = freshPhones(30);
    const caller_ids = { sticky: true };
    const first = await fromOf(await calling(people, { from_numbers, caller_ids }));
    expect(new Set(first.values()).size).toBe(3);
    // Nobody of the first campaign is called any more.
    await rows(ledger().db, sql`update attempts set state = 'returned' where state = 'open'`);
    const again = await fromOf(await calling(people.toReversed(), { from_numbers, caller_ids }));
    expect(again).toEqual(first);
  });

  it("make no more calls an hour than each may, over all campaigns, and go on as they let go", async () => {
    const from_numbers = ours(2);
    const caller_ids = { per_hour: 10 };
    const one = await calling(freshPhones(30), { from_numbers, caller_ids });
    const other = await calling(freshPhones(30), { from_numbers, caller_ids });
    const started = await planAndStart(ledger(), one);
    const sizes = await Promise.all(started.map((id) => batchOf(ledger(), id)));
    for (const number of from_numbers) {
      const calls = sizes.filter(({ fromNumber }) => fromNumber === number);
      expect(
        calls.reduce((sum, { size }) => sum + size, 0),
        number,
      ).toBe(10);
    }
    const held = await plan(ledger(), other, NOW_MS + MINUTE_MS);
    expect(held).toMatchObject({ batchIds: [], waitMs: MINUTE_MS });
    expect(await holdsOf(ledger(), other)).toMatchObject([
      {
        reason: "caller_ids",
        detail: "all 2 have begun the calls that they may in an hour or a day",
      },
    ]);
    expect((await fromOf(other, NOW_MS + HOUR_MS + 1)).size).toBe(20);
  });

  it("are looked at again when the first of them lets go, once what they called is settled", async () => {
    const from_numbers = ours(2);
    const caller_ids = { per_hour: 10, per_day: 15 };
    const one = await calling(freshPhones(30), { from_numbers, caller_ids });
    const other = await calling(freshPhones(30), { from_numbers, caller_ids });
    expect(await callAll(one, "answered", NOW_MS)).toBe(20);
    const pace = { idleLookMs: 30 * HOUR_MS };
    const laterMs = NOW_MS + 10 * MINUTE_MS;
    expect(await plan(ledger(), other, laterMs, { pace })).toMatchObject({
      batchIds: [],
      waitMs: 50 * MINUTE_MS,
    });
    const atMs = NOW_MS + HOUR_MS;
    expect(await callAll(other, "answered", atMs), "what their day has left").toBe(10);
    expect(await plan(ledger(), other, atMs, { pace })).toMatchObject({ batchIds: [], waitMs: 23 * HOUR_MS });
    expect(await callAll(other, "answered", atMs + 23 * HOUR_MS)).toBe(20);
  });

  it("count calls that are to begin, too", async () => {
    const from_numbers = ours(1);
    const caller_ids = { per_day: 12 };
    const one = await calling(freshPhones(8), { from_numbers, caller_ids });
    const other = await calling(freshPhones(30), { from_numbers, caller_ids });
    expect((await fromOf(one)).size, "planned, and not begun").toBe(8);
    expect((await fromOf(other)).size).toBe(4);
  });

  it("count none that was given back without a dial", async () => {
    const from_numbers = ours(1);
    const caller_ids = { per_hour: 10 };
    const one = await calling(freshPhones(10), { from_numbers, caller_ids });
    const other = await calling(freshPhones(30), { from_numbers, caller_ids });
    const [batchId = ""] = await planAndStart(ledger(), one);
    const phones = (await openPhones(ledger(), batchId)).slice(0, 7);
    await ledger().transaction(async (tx) => {
      const campaign = await lockCampaign(tx, one);
      if (!campaign) throw new Error("it is there");
      await returnAttempts(tx, { campaign, batchId, phones, nowMs: NOW_MS, dueAtMs: NOW_MS + HOUR_MS });
    });
    expect((await fromOf(other, NOW_MS + MINUTE_MS)).size).toBe(7);
  });

  it("begin with a tenth of their calls a day, and come to all of them", async () => {
    const from_numbers = ours(1);
    const caller_ids = { per_day: 100, warm_up: "10d" };
    const id = await calling(freshPhones(300), { from_numbers, caller_ids });
    expect(await callAll(id, "answered", NOW_MS)).toBe(10);
    const days = (count: number) => NOW_MS + count * 24 * HOUR_MS + count;
    expect(await callAll(id, "answered", days(5))).toBe(55);
    expect(await callAll(id, "answered", days(11))).toBe(100);
  });

  it("rest where hardly anybody answers, people are told, and come back", async () => {
    const [dead = "", alive = ""] = ours(2);
    const health = { answered: 0.2, newest: 20, at_least: 10, rest: "24h" };
    const only = await calling(freshPhones(15), { from_numbers: [dead], caller_ids: { health } });
    await callAll(only, "no_answer", NOW_MS);
    const told = async () =>
      (await listAttention(ledger().db, { kind: "caller_id_resting", resolved: false, limit: 10 })).items.map(
        ({ subject, summary }) => ({ subject, summary }),
      );
    expect(await told()).toEqual([
      { subject: dead, summary: `${dead} rests for 1d: 0 of its last 15 calls were answered` },
    ]);

    const both = { from_numbers: [dead, alive], caller_ids: { health } };
    const beside = await fromOf(await calling(freshPhones(20), both), NOW_MS + HOUR_MS);
    expect(new Set(beside.values())).toEqual(new Set([alive]));
    const alone = await calling(freshPhones(5), { from_numbers: [dead], caller_ids: { health } });
    expect(await plan(ledger(), alone, NOW_MS + HOUR_MS)).toMatchObject({ batchIds: [] });
    expect(await holdsOf(ledger(), alone)).toMatchObject([{ reason: "caller_ids" }]);

    expect(await callAll(alone, "answered", NOW_MS + 25 * HOUR_MS), "rested").toBe(5);
    expect(await told()).toEqual([]);
  });

  it("are shown with their calls, how many were answered, what they may still call, and until when they rest", async () => {
    const [dead = "", fine = "", unused = ""] = ours(3);
    const health = { answered: 0.2, newest: 20, at_least: 10, rest: "24h" };
    const caller_ids = { per_hour: 20, health };
    const specOf = async (id: string) => (await readCampaign(ledger().db, id))?.spec;
    const states = async (id: string, nowMs = NOW_MS) => {
      const spec = await specOf(id);
      return spec && readCallerStates(ledger().db, spec, nowMs);
    };
    const one = await calling(freshPhones(15), { from_numbers: [dead], caller_ids });
    expect(await callAll(one, "no_answer", NOW_MS)).toBe(15);
    const other = await calling(freshPhones(5), { from_numbers: [fine], caller_ids });
    expect(await callAll(other, "answered", NOW_MS)).toBe(5);
    const all = await calling(freshPhones(1), { from_numbers: [unused, dead, fine], caller_ids });
    const looked = NOW_MS + MINUTE_MS;
    const nothing = { restsUntilMs: undefined, newest: 0, answered: 0 };
    expect(await states(all, looked)).toMatchObject([
      { ...nothing, number: unused, lastHour: 0, lastDay: 0, left: 20, firstUsedAtMs: undefined },
      { number: dead, lastHour: 15, lastDay: 15, newest: 0, left: 0, restsUntilMs: NOW_MS + 24 * HOUR_MS },
      { ...nothing, number: fine, lastHour: 5, newest: 5, answered: 5, left: 15, firstUsedAtMs: NOW_MS },
    ]);
    expect(await states(all, NOW_MS + 25 * HOUR_MS), "rested").toMatchObject([
      {},
      { restsUntilMs: undefined, lastDay: 0, left: 20 },
      {},
    ]);
    const free = await calling(freshPhones(1), { from_numbers: [fine] });
    expect(await states(free, looked)).toMatchObject([{ number: fine, lastHour: 5, left: undefined }]);
  });

  it("take turns as before where nothing is said of them", async () => {
    const from_numbers = ours(2);
    const id = await running(ledger(), freshPhones(300), { concurrency: 100, from_numbers });
    const froms = new Set((await fromOf(id)).values());
    expect(froms.size).toBe(2);
  });
});
