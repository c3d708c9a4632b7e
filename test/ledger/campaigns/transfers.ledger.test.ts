import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { readTransferPace } from "../../../src/ledger/campaigns/transfer-lines.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { callBack, place, standing, stepOf } from "../support/placing.ts";
import {
  amend,
  batchOf,
  contact,
  create,
  createScheduled,
  ended,
  finding,
  freshPhones,
  HOUR_MS,
  holdsOf,
  importWhole,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  permit,
  plan,
  running,
  start,
  tell,
} from "../support/scenario.ts";

const CAPACITY = { capacity: 4, expect: 0.2, talk: "5m", answer: "analysis.transferred" };
const ALWAYS: Partial<CampaignSpecInput> = { window: "always", retry: { max_attempts: 1 } };

const campaignOf = async (ledger: Ledger, id: string) => given(await readCampaign(ledger.db, id));

async function paceOf(ledger: Ledger, id: string) {
  return given(await readTransferPace(ledger.db, await campaignOf(ledger, id)));
}

async function heldBy(ledger: Ledger, id: string): Promise<number> {
  const [row] = await rows<{ held: number }>(
    ledger.db,
    sql`select coalesce(sum(held), 0)::int as held from batches where campaign_id = ${id}::uuid and state <> 'settled'`,
  );
  return given(row).held;
}

/** A call that is over, whose analysis says whether it was transferred. */
function saying(one: Finding, transferred: boolean, key = "transferred"): Finding {
  if (one.outcome.kind !== "ended") throw new Error("it ended");
  return { ...one, outcome: { ...one.outcome, kept: { analysis: { [key]: transferred } } } };
}

/** Has everybody who is called in these batches answer; returns how many were. */
async function answerAll(
  ledger: Ledger,
  batchIds: readonly string[],
  nowMs: number,
  tell: (one: Finding) => Finding,
): Promise<number> {
  const endMs = nowMs + MINUTE_MS;
  let calls = 0;
  for (const batchId of batchIds) {
    await start(ledger, batchId, nowMs);
    const phones = await openPhones(ledger, batchId);
    calls += phones.length;
    const findings = phones.map((phone) => tell(ended(phone, "answered", endMs)));
    await settleFindings(ledger, { batchId, findings, nowMs: endMs });
    await closeBatch(ledger, batchId, endMs);
  }
  return calls;
}

/** Plans once, and the same. */
async function callAll(ledger: Ledger, id: string, nowMs: number, tell: (one: Finding) => Finding) {
  const { batchIds } = await plan(ledger, id, nowMs);
  return answerAll(ledger, batchIds, nowMs, tell);
}

describeLedgers("those who take transferred calls", (opened) => {
  it("bound the lines of a campaign by how many they are, and it learns from its calls how many that takes", async () => {
    const ledger = opened();
    const id = await running(ledger, freshPhones(400), { ...ALWAYS, concurrency: 50, transfers: CAPACITY });
    const { batchIds } = await plan(ledger, id);
    expect(await heldBy(ledger, id)).toBe(4);
    expect(await holdsOf(ledger, id)).toMatchObject([
      {
        reason: "slots",
        detail: expect.stringContaining(
          "all 4 slots that 4 people who take transferred calls leave it, with 20 % of its calls transferred (transfers) are in use",
        ),
      },
    ]);
    // Everybody answers, and nobody is transferred: they can take the calls of more lines.
    const calls = await answerAll(ledger, batchIds, NOW_MS, (one) => saying(one, false));
    const after = await campaignOf(ledger, id);
    expect(after).toMatchObject({ conversations: calls, transfersKnown: calls, transfers: 0 });
    const pace = given(await readTransferPace(ledger.db, after));
    expect(pace.lines).toBeGreaterThan(4);
    await plan(ledger, id, NOW_MS + 2 * MINUTE_MS);
    expect(await heldBy(ledger, id)).toBe(pace.lines);
  });

  it("count as busy with a call whose analysis says that it was transferred", async () => {
    const ledger = opened();
    const id = await running(ledger, freshPhones(4), { ...ALWAYS, concurrency: 50, transfers: CAPACITY });
    const { batchIds } = await plan(ledger, id);
    const batchId = given(batchIds[0]);
    await start(ledger, batchId);
    const phones = await openPhones(ledger, batchId);
    const findings = phones.map((phone, index) => {
      const one = ended(phone, index === 3 ? "no_answer" : "answered");
      return saying(one, index !== 0);
    });
    await settleFindings(ledger, { batchId, findings, nowMs: NOW_MS + MINUTE_MS });
    expect(await campaignOf(ledger, id)).toMatchObject({ conversations: 3, transfersKnown: 3, transfers: 2 });
  });

  it("are taken to be as busy as expected by calls that do not say it: a misspelt answer lends them no lines", async () => {
    const ledger = opened();
    const { answer: _answer, ...unsaid } = CAPACITY;
    const id = await running(ledger, freshPhones(400), { ...ALWAYS, concurrency: 50, transfers: unsaid });
    const untold = await callAll(ledger, id, NOW_MS, (one) => one);
    expect(await campaignOf(ledger, id)).toMatchObject({ conversations: untold, transfersKnown: 0 });
    const before = await paceOf(ledger, id);
    // Asked for from now on, of calls that are over nobody is told any more.
    await amend(ledger, id, { transfers: CAPACITY }, { nowMs: NOW_MS + 2 * MINUTE_MS });
    expect(await paceOf(ledger, id)).toEqual(before);
    const told = await callAll(ledger, id, NOW_MS + 3 * MINUTE_MS, (one) => saying(one, true));
    expect(await campaignOf(ledger, id)).toMatchObject({
      conversations: untold + told,
      transfersKnown: told,
      transfers: told,
    });
    expect((await paceOf(ledger, id)).share).toBeGreaterThan(before.share);
    // What one answer said is no word on another.
    const other = { ...CAPACITY, answer: "analysis.handed_over" };
    await amend(ledger, id, { transfers: other }, { nowMs: NOW_MS + 6 * MINUTE_MS });
    expect(await campaignOf(ledger, id)).toMatchObject({
      conversations: untold + told,
      transfersKnown: 0,
      transfers: 0,
    });
    // Nor is it forgotten for the sake of another amendment.
    await callAll(ledger, id, NOW_MS + 7 * MINUTE_MS, (one) => saying(one, true, "handed_over"));
    const { transfersKnown } = await campaignOf(ledger, id);
    expect(transfersKnown).toBeGreaterThan(0);
    await amend(ledger, id, { transfers: { ...other, capacity: 5 } }, { nowMs: NOW_MS + 10 * MINUTE_MS });
    expect(await campaignOf(ledger, id)).toMatchObject({ transfersKnown });
  });

  it("are not taken to be free for calls that wait for their analysis: what rings out is known long before", async () => {
    const ledger = opened();
    const phones = freshPhones(800);
    const transfers = { ...CAPACITY, capacity: 50 };
    const id = await running(ledger, phones, { ...ALWAYS, concurrency: 100, transfers });
    const { batchIds } = await plan(ledger, id);
    const before = await paceOf(ledger, id);
    // Nobody takes the one half, and what the other half said is still to come.
    let calls = 0;
    const waiting: [string, string[]][] = [];
    for (const batchId of batchIds) {
      await start(ledger, batchId);
      const open = await openPhones(ledger, batchId);
      calls += open.length;
      const half = Math.floor(open.length / 2);
      const findings = open.map((phone, index) =>
        index < half
          ? ended(phone, "no_answer")
          : finding(phone, {
              endedAtMs: NOW_MS + MINUTE_MS,
              outcome: { kind: "provisional", reason: "analysis" },
            }),
      );
      waiting.push([batchId, open.slice(half)]);
      await settleFindings(ledger, { batchId, findings, nowMs: NOW_MS + MINUTE_MS });
    }
    const undecided = waiting.flatMap(([, open]) => open).length;
    const meanwhile = await paceOf(ledger, id);
    expect(meanwhile.share).toBeCloseTo((0.2 * (undecided + 20)) / (calls + 20), 5);
    for (const [batchId, open] of waiting) {
      const findings = open.map((phone) => ended(phone, "answered"));
      await settleFindings(ledger, { batchId, findings, nowMs: NOW_MS + 5 * MINUTE_MS });
    }
    // They were conversations: it had counted on that.
    const after = await paceOf(ledger, id);
    expect(after.share).toBeCloseTo(meanwhile.share, 5);
    expect(after.share).toBeLessThan(before.share);
  });

  it("may be more or fewer from one moment to the next: what is up goes on, and the next planning keeps to it", async () => {
    const ledger = opened();
    const id = await running(ledger, freshPhones(200), { ...ALWAYS, concurrency: 50, transfers: CAPACITY });
    await plan(ledger, id);
    expect(await heldBy(ledger, id)).toBe(4);
    await amend(ledger, id, { transfers: { ...CAPACITY, capacity: 8 } }, { nowMs: NOW_MS + 1 });
    await plan(ledger, id, NOW_MS + 2);
    expect(await heldBy(ledger, id)).toBe(8);
    await amend(ledger, id, { transfers: { ...CAPACITY, capacity: 2 } }, { nowMs: NOW_MS + 3 });
    await plan(ledger, id, NOW_MS + MINUTE_MS);
    expect(await heldBy(ledger, id)).toBe(8);
  });

  it("are shared by campaigns of a brand that name the same team: what one keeps busy the others do not", async () => {
    const ledger = opened();
    const spec = (team: string, brand = "team-brand") => ({
      ...ALWAYS,
      brand,
      concurrency: 50,
      transfers: { ...CAPACITY, team },
    });
    const first = await running(ledger, freshPhones(2), spec("sales"));
    const second = await running(ledger, freshPhones(100), spec("sales"));
    const { batchIds } = await plan(ledger, first);
    expect(await heldBy(ledger, first)).toBe(2);
    expect((await paceOf(ledger, second)).lines).toBe(2);
    await plan(ledger, second);
    expect(await heldBy(ledger, second)).toBe(2);
    // All are busy: one line is left to whoever comes then, so that they learn what their calls come to.
    const third = await running(ledger, freshPhones(100), spec("sales"));
    await plan(ledger, third);
    expect(await heldBy(ledger, third)).toBe(1);
    for (const other of [spec("support"), spec("sales", "another-brand")]) {
      const apart = await running(ledger, freshPhones(100), other);
      await plan(ledger, apart);
      expect(await heldBy(ledger, apart)).toBe(4);
    }
    // What it had under way is over: they are free again.
    await answerAll(ledger, batchIds, NOW_MS, (one) => saying(one, true));
    expect((await paceOf(ledger, second)).lines).toBeGreaterThanOrEqual(3);
  });

  /** Places callbacks to so many people of a campaign; returns the campaign of its callbacks. */
  const callBackMany = async (ledger: Ledger, campaignId: string, people: number): Promise<string> => {
    let callbacksId = "";
    for (const phone of freshPhones(people)) callbacksId = await callBack(ledger, campaignId, phone);
    return callbacksId;
  };

  it("are kept busy by callbacks of a campaign that is over as well", async () => {
    const ledger = opened();
    const team = (changes: Partial<CampaignSpecInput>) => ({
      ...ALWAYS,
      brand: "after-brand",
      transfers: { ...CAPACITY, team: "after" },
      ...changes,
    });
    const first = await running(ledger, freshPhones(1), team({ concurrency: 20 }));
    const second = await running(ledger, freshPhones(100), team({ concurrency: 50 }));
    const callbacks = await callBackMany(ledger, first, 2);
    await callAll(ledger, first, NOW_MS, (one) => saying(one, false));
    const overMs = NOW_MS + 2 * MINUTE_MS;
    expect((await plan(ledger, first, overMs)).state).toBe("completed");
    const before = await paceOf(ledger, second);
    await plan(ledger, callbacks, overMs);
    expect(await heldBy(ledger, callbacks)).toBe(2);
    expect((await paceOf(ledger, second)).lines).toBe(before.lines - 2);
  });

  it("bound the callbacks of all campaigns that share them together: each has one line, and more as far as others leave it", async () => {
    const ledger = opened();
    const spec = {
      ...ALWAYS,
      brand: "called-back",
      concurrency: 50,
      transfers: { ...CAPACITY, team: "sales" },
    };
    const lists = [];
    const callbacks = [];
    for (const people of [2, 10, 10]) {
      const list = await running(ledger, freshPhones(100), spec);
      lists.push(list);
      callbacks.push(await callBackMany(ledger, list, people));
    }
    const [list = "", other = ""] = lists;
    const [first = "", second = "", third = ""] = callbacks;
    // Lists that keep all of them busy do not stand before somebody who waits for a call.
    await plan(ledger, list);
    expect(await heldBy(ledger, list)).toBe(4);
    await plan(ledger, first);
    expect(await heldBy(ledger, first)).toBe(2);
    await plan(ledger, second);
    expect(await heldBy(ledger, second)).toBe(2);
    expect(await holdsOf(ledger, second)).toMatchObject([
      {
        reason: "slots",
        detail: expect.stringContaining("all 2 slots that 4 people who take transferred calls leave it"),
      },
    ]);
    await plan(ledger, third);
    expect(await heldBy(ledger, third)).toBe(1);
    // What lists have goes to them as their calls end.
    await plan(ledger, other);
    expect(await heldBy(ledger, other)).toBe(1);
  });

  it("bound the callbacks of a campaign by what their calls come to, not by how many they are alone", async () => {
    const ledger = opened();
    const transfers = { ...CAPACITY, expect: 0.5 };
    const list = await running(ledger, freshPhones(100), { ...ALWAYS, concurrency: 50, transfers });
    const callbacks = await callBackMany(ledger, list, 10);
    // Each line keeps two and a half of the four busy.
    await plan(ledger, callbacks);
    expect(await heldBy(ledger, callbacks)).toBe(1);
    expect((await paceOf(ledger, callbacks)).lines).toBe(1);
  });

  it("are shared by the call steps of a sequence, and hours hold for its calls", async () => {
    const ledger = opened();
    const sequenceId = randomUUID();
    const spec = { ...ALWAYS, concurrency: 50, transfers: CAPACITY };
    const steps = [];
    for (const [step, calls] of [
      ["first", 3],
      ["second", 10],
    ] as const) {
      const { id } = await standing(ledger, spec, stepOf(sequenceId, step));
      for (const phone of freshPhones(calls)) await place(ledger, id, phone);
      steps.push(id);
      await plan(ledger, id);
    }
    const [first, second] = steps as [string, string];
    expect([await heldBy(ledger, first), await heldBy(ledger, second)]).toEqual([3, 1]);
    const alone = await standing(ledger, spec, stepOf(randomUUID(), "first"));
    for (const phone of freshPhones(10)) await place(ledger, alone.id, phone);
    await plan(ledger, alone.id);
    expect(await heldBy(ledger, alone.id)).toBe(4);
    // 12:00 UTC is 08:00 in New York.
    const hours = { hours: { weekdays: ["09:00-11:00"] }, timezone: "America/New_York" };
    const closed = await standing(ledger, { ...ALWAYS, transfers: hours }, stepOf(randomUUID(), "first"));
    await place(ledger, closed.id, given(freshPhones(1)[0]));
    expect((await plan(ledger, closed.id)).batchIds).toEqual([]);
    expect(await holdsOf(ledger, closed.id)).toMatchObject([{ reason: "transfer_closed" }]);
    expect((await plan(ledger, closed.id, NOW_MS + HOUR_MS)).batchIds).toHaveLength(1);
  });

  it("are not there: nobody is called, batches end before they go, and an amendment of their hours stops them", async () => {
    const ledger = opened();
    // 12:00 UTC is 08:00 in New York.
    const transfers = { hours: { weekdays: ["09:00-11:00"] }, timezone: "America/New_York" };
    const id = await running(ledger, freshPhones(3), { ...ALWAYS, concurrency: 1, transfers });
    expect(await plan(ledger, id)).toMatchObject({ batchIds: [] });
    expect(await holdsOf(ledger, id)).toMatchObject([{ reason: "transfer_closed" }]);
    const openMs = NOW_MS + HOUR_MS;
    const { batchIds } = await plan(ledger, id, openMs);
    const batchId = given(batchIds[0]);
    const closesMs = NOW_MS + 3 * HOUR_MS;
    expect((await batchOf(ledger, batchId)).dialByMs).toBe(closesMs - PACE.dialByMarginMs);
    await create(ledger, batchId, openMs);
    // Its start comes too late.
    expect(await permit(ledger, batchId, closesMs)).toMatchObject({ kind: "stopped" });

    const other = await running(ledger, freshPhones(1), { ...ALWAYS, transfers }, openMs);
    const [early] = (await plan(ledger, other, openMs)).batchIds;
    await start(ledger, given(early), openMs);
    const amended = await amend(
      ledger,
      other,
      { transfers: { ...transfers, hours: { weekdays: ["07:00-08:30"] } } },
      { nowMs: openMs + MINUTE_MS },
    );
    expect(amended.stoppedBatchIds).toEqual([early]);
    expect(await batchOf(ledger, early)).toMatchObject({ stopReason: "window" });
  });

  it("are never there when somebody may be called: the contact is excluded, and the campaign ends", async () => {
    const ledger = opened();
    const window = { weekdays: ["09:00-18:00"] };
    const transfers = { hours: { weekdays: ["09:00-17:00"] }, timezone: "America/New_York" };
    const { id } = await createScheduled(ledger, { ...ALWAYS, window, transfers });
    const [inGuam, inChicago] = freshPhones(2);
    await importWhole(ledger, id, [
      contact(given(inGuam), 2, { zones: ["Pacific/Guam"], strictZones: ["Pacific/Guam"] }),
      contact(given(inChicago), 3, { zones: ["America/Chicago"], strictZones: ["America/Chicago"] }),
    ]);
    const reasons = () =>
      rows<{ phone: string; state: string; reason: string | null }>(
        ledger.db,
        sql`select phone, state, reason from contacts where campaign_id = ${id}::uuid order by line`,
      );
    expect(await reasons()).toEqual([
      { phone: inGuam, state: "excluded", reason: "no_transfer_hours" },
      { phone: inChicago, state: "open", reason: null },
    ]);
    await tell(ledger, "start", id);
    // Hours that come to be so are found by the gate.
    const late = { hours: { weekdays: ["18:30-19:00"] }, timezone: "America/Chicago" };
    await amend(ledger, id, { transfers: late }, { nowMs: NOW_MS + MINUTE_MS });
    await plan(ledger, id, NOW_MS + 2 * MINUTE_MS);
    expect(await reasons()).toMatchObject([{}, { state: "excluded", reason: "no_transfer_hours" }]);
    expect((await campaignOf(ledger, id)).state).toBe("completed");
  });
});
