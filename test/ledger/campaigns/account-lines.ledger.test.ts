import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";

import { ENDLESS_LINES, type AccountLines } from "../../../src/domain/campaigns/account-lines.ts";
import { lockForAll } from "../../../src/ledger/campaigns/account-locks.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { listLiveCampaignIds, readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { amendSpec } from "../../../src/ledger/campaigns/commands.ts";
import { noteOffered, readLineClaims, withdrawClaims } from "../../../src/ledger/campaigns/line-claims.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../../src/ledger/ground/postgres.ts";
import { describeLedgers, given } from "../../support/ledgers.ts";
import { createDatabase } from "../../support/postgres.ts";
import { QUICK_ONLY } from "../../support/quick-only.ts";
import { expectInvariants } from "../support/invariants.ts";
import { place, standing } from "../support/placing.ts";
import {
  ended,
  freshPhones,
  holdsOf,
  lookOf,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  PACE,
  plan,
  running,
  SECOND_MS,
  start,
  tell,
} from "../support/scenario.ts";

const LINES: AccountLines = { limit: 70, reserve: 0 };

describeLedgers("campaigns that share an account's lines", (ledger) => {
  /** Each test has the account for itself: nothing holds lines any more, and nobody waits. */
  afterEach(async () => {
    for (const id of await listLiveCampaignIds(ledger().db)) {
      await tell(ledger(), "cancel", id);
      for (const { id: batchId, held } of await listUnsettled(ledger().db, id)) {
        if (held > 0) await end(id, (await openPhones(ledger(), batchId)).length);
        await closeBatch(ledger(), batchId, NOW_MS);
      }
      await plan(ledger(), id);
    }
    await expectInvariants(ledger());
  });

  /** Its calls are known to take so long that each line of a batch makes one: whatever ends frees a line. */
  const weighing = async (weight: number, people = 200, concurrency = 100, brand = "default") => {
    const id = await running(ledger(), freshPhones(people), { weight, concurrency, brand });
    await rows(
      ledger().db,
      sql`update campaigns set hold_ms_sum = ${1e12}, hold_count = 1 where id = ${id}::uuid`,
    );
    return id;
  };
  const planIn = (id: string, account = LINES, nowMs = NOW_MS) => plan(ledger(), id, nowMs, { account });
  const planAndStartIn = async (id: string, account = LINES, nowMs = NOW_MS) => {
    const planned = await planIn(id, account, nowMs);
    for (const batchId of planned.batchIds) await start(ledger(), batchId, nowMs);
    return planned;
  };
  const heldBy = async (id: string) =>
    (await listUnsettled(ledger().db, id)).reduce((sum, batch) => sum + batch.held, 0);
  /** So many of its calls end. */
  const end = async (id: string, calls: number, nowMs = NOW_MS) => {
    let left = calls;
    let isFreed = false;
    for (const batch of await listUnsettled(ledger().db, id)) {
      const phones = (await openPhones(ledger(), batch.id)).slice(0, left);
      if (phones.length === 0) continue;
      left -= phones.length;
      const result = await settleFindings(ledger(), {
        batchId: batch.id,
        findings: phones.map((phone) => ended(phone)),
        nowMs,
      });
      isFreed ||= given(result).isFreed;
    }
    expect(left).toBe(0);
    return { isFreed };
  };
  const claimOf = async (id: string) => (await readLineClaims(ledger().db)).find((claim) => claim.id === id);

  it("have them all while nobody else wants any, within their own concurrency", async () => {
    const id = await weighing(1, 200, 30);
    expect(await planIn(id)).toMatchObject({ heldSlots: 30, leavesLines: true });
    const other = await weighing(1);
    expect(await planIn(other)).toMatchObject({ heldSlots: 40, leavesLines: false });
    expect(given(await readCampaign(ledger().db, other))).toMatchObject({ share: 40, waiting: 60 });
  });

  it.skipIf(QUICK_ONLY)(
    "come to their shares as calls end: 10, 20 and 40 of 70 for weights of 1, 2 and 4",
    async () => {
      const ids = [await weighing(1), await weighing(2), await weighing(4)];
      let nowMs = NOW_MS;
      for (const id of ids) await planAndStartIn(id, LINES, nowMs);
      expect(await Promise.all(ids.map(heldBy))).toEqual([70, 0, 0]);
      for (let round = 0; round < 30; round += 1) {
        nowMs += SECOND_MS;
        for (const id of ids) await end(id, Math.min(3, await heldBy(id)), nowMs);
        for (const id of ids) await planAndStartIn(id, LINES, nowMs);
        const held = await Promise.all(ids.map(heldBy));
        const all = held.reduce((sum, one) => sum + one, 0);
        expect(all).toBeLessThanOrEqual(70);
        // One line alone is not worth a batch to whoever has forty.
        expect(all).toBeGreaterThanOrEqual(69);
      }
      const held = await Promise.all(ids.map(heldBy));
      [10, 20, 40].forEach((share, index) =>
        expect(Math.abs((held[index] ?? 0) - share)).toBeLessThanOrEqual(1),
      );
    },
  );

  it.skipIf(QUICK_ONLY)(
    "come to the higher priority as calls end, but for one line in twenty, and as soon as it is amended",
    async () => {
      const ids = [await weighing(4, 500), await weighing(1, 500)];
      const [first = "", second = ""] = ids;
      let nowMs = NOW_MS;
      let amendments = 0;
      const amend = async (id: string, priority: "high" | "normal" | "low") => {
        const { spec } = given(await readCampaign(ledger().db, id));
        const commandId = `priority-${(amendments += 1)}`;
        await amendSpec(ledger(), {
          campaignId: id,
          commandId,
          actor: "test",
          reason: undefined,
          nowMs,
          dialByMarginMs: PACE.dialByMarginMs,
          spec: { ...spec, priority },
        });
      };
      const goOn = async () => {
        for (let round = 0; round < 25; round += 1) {
          nowMs += SECOND_MS;
          for (const id of ids) await end(id, Math.min(5, await heldBy(id)), nowMs);
          for (const id of ids) await planAndStartIn(id, LINES, nowMs);
        }
        return Promise.all(ids.map(heldBy));
      };
      for (const id of ids) await planAndStartIn(id, LINES, nowMs);
      await amend(second, "high");
      // 66.5 and 3.5, whatever the weights say.
      const [behind = 0, before = 0] = await goOn();
      expect(before).toBeGreaterThanOrEqual(65);
      expect(behind).toBeGreaterThanOrEqual(2);
      await amend(second, "low");
      const [now = 0, then = 0] = await goOn();
      expect(now).toBeGreaterThanOrEqual(65);
      expect(then).toBeGreaterThanOrEqual(2);
      expect((await claimOf(first))?.priority).toBe("normal");
    },
  );

  it("say why they wait, and what their share is", async () => {
    const [first, second] = [await weighing(1), await weighing(1)];
    await planAndStartIn(first);
    await planIn(second);
    const [hold] = await holdsOf(ledger(), second);
    expect(hold).toMatchObject({
      reason: "slots",
      detail: "0 of 100 slots are in use; 35 of the account's 70 lines are for this campaign now",
    });
  });

  it("leave to others what is theirs: one beyond its share takes nothing of what comes free", async () => {
    const [first, second] = [await weighing(1), await weighing(1)];
    await planAndStartIn(first);
    await planIn(second);
    expect(await end(first, 10)).toEqual({ isFreed: true });
    expect(await planIn(first)).toMatchObject({ heldSlots: 60, leavesLines: true });
    expect(await planIn(second)).toMatchObject({ heldSlots: 10, leavesLines: false });
  });

  it("are told of idle lines in the ledger, once until they plan", async () => {
    const [first, second] = [await weighing(1), await weighing(1)];
    await planAndStartIn(first);
    await planIn(second);
    expect(await claimOf(second)).toMatchObject({ held: 0, waiting: 70, isOffered: false });
    expect(await claimOf(second)).toMatchObject({ isOffered: false });
    await noteOffered(ledger().db, [second], NOW_MS);
    expect(await claimOf(second)).toMatchObject({ isOffered: true });
    // A second time does not begin anew when it is to be passed over.
    await noteOffered(ledger().db, [second], NOW_MS + MINUTE_MS);
    expect(await withdrawClaims(ledger(), NOW_MS + 6 * SECOND_MS)).toBe(1);
    await planIn(second);
    expect(await claimOf(second)).toMatchObject({ isOffered: false });
    await noteOffered(ledger().db, [second], NOW_MS);
    await tell(ledger(), "pause", second);
    await tell(ledger(), "resume", second);
    expect(await withdrawClaims(ledger(), NOW_MS + MINUTE_MS), "it was told of nothing since").toBe(0);
  });

  it("are passed over where they were told and do not plan, and are woken up once more", async () => {
    const [first, second] = [await weighing(1), await weighing(1)];
    await planAndStartIn(first);
    await planIn(second);
    await noteOffered(ledger().db, [second], NOW_MS);
    expect(await withdrawClaims(ledger(), NOW_MS + 5 * SECOND_MS)).toBe(0);
    expect(await withdrawClaims(ledger(), NOW_MS + 5 * SECOND_MS + 1)).toBe(1);
    expect(await claimOf(second)).toBeUndefined();
    const { by_ms: byMs } = await lookOf(ledger(), "campaigns", second);
    expect(byMs).toBeLessThanOrEqual(NOW_MS + 10 * SECOND_MS + 1);
    await end(first, 20);
    expect(await planIn(first)).toMatchObject({ heldSlots: 70 });
    // It moves again: its share is what it was.
    await planIn(second);
    expect(await claimOf(second)).toMatchObject({ waiting: 70 });
  });

  it("that are paused, or have nobody who is due, want none", async () => {
    const [first, second] = [await weighing(1), await weighing(1)];
    await planAndStartIn(first);
    await planIn(second);
    await tell(ledger(), "pause", second);
    expect(await claimOf(second)).toBeUndefined();
    expect(await planIn(second)).toMatchObject({ leavesLines: true });
    await tell(ledger(), "resume", second);
    await rows(
      ledger().db,
      sql`update contacts set due_at = due_at + interval '1 hour' where campaign_id = ${second}::uuid`,
    );
    await planIn(second);
    expect(await claimOf(second)).toBeUndefined();
  });

  it("keep a reserve for calls that are placed one by one, and give them their share first", async () => {
    const account = { limit: 20, reserve: 5 };
    const list = await weighing(6);
    expect(await planAndStartIn(list, account)).toMatchObject({ heldSlots: 15 });
    const hot = await standing(ledger(), { concurrency: 10 });
    for (const phone of freshPhones(3)) await place(ledger(), hot.id, phone);
    expect(await planAndStartIn(hot.id, account)).toMatchObject({ heldSlots: 3 });
    for (const phone of freshPhones(9)) await place(ledger(), hot.id, phone);
    expect(await planAndStartIn(hot.id, account)).toMatchObject({ heldSlots: 5 });
    await end(list, 2);
    // Its share is there already; a list with six times its weight comes before what goes beyond it.
    expect(await planIn(hot.id, account)).toMatchObject({ heldSlots: 5 });
    expect(await planIn(list, account)).toMatchObject({ heldSlots: 15 });
  });

  it("are looked at within minutes where calls that are placed one by one wait, should nobody tell of lines", async () => {
    const account = { limit: 5, reserve: 0 };
    await planAndStartIn(await weighing(1), account);
    const hot = await standing(ledger());
    await place(ledger(), hot.id, freshPhones(1)[0] ?? "");
    expect(await planIn(hot.id, account)).toMatchObject({ heldSlots: 0, waitMs: PACE.idleLookMs });
  });

  it("of a brand with a limit of its own are no more, whatever its campaigns are, and the others have the rest", async () => {
    const account = { ...LINES, brands: new Map([["acme", 12]]) };
    const [one, two] = [await weighing(1, 200, 100, "acme"), await weighing(2, 200, 100, "acme")];
    const other = await weighing(1);
    expect(await planIn(one, account)).toMatchObject({ heldSlots: 12 });
    expect(await planIn(two, account)).toMatchObject({ heldSlots: 0 });
    expect(await holdsOf(ledger(), two)).toMatchObject([
      {
        reason: "slots",
        detail:
          "0 of 100 slots are in use; 8 of the 12 lines of brand acme, and the account's 70, are for this campaign now",
      },
    ]);
    expect(await planIn(other, account)).toMatchObject({ heldSlots: 58 });
    const alone = { limit: ENDLESS_LINES, reserve: 0, brands: account.brands };
    await planIn(two, alone);
    expect((await holdsOf(ledger(), two)).map(({ detail }) => detail)).toContain(
      "0 of 100 slots are in use; 8 of the 12 lines of brand acme are for this campaign now",
    );
  });

  it("are locked by nobody who hangs for more than seconds", async () => {
    const setting = async (db: Db) => {
      const [row] = await rows<{ at_most: string }>(
        db,
        sql`select current_setting('idle_in_transaction_session_timeout') as at_most`,
      );
      return row?.at_most;
    };
    await ledger().transaction(async (tx) => {
      await lockForAll(tx, "lines");
      expect(await setting(tx)).toBe("5s");
    });
    expect(await setting(ledger().db)).not.toBe("5s");
  });

  it("go by their own concurrency alone once lines are not shared any more", async () => {
    const [first, second] = [await weighing(1), await weighing(1)];
    await planAndStartIn(first);
    await planIn(second);
    expect(await plan(ledger(), second)).toMatchObject({ heldSlots: 100, leavesLines: false });
    expect(given(await readCampaign(ledger().db, second))).toMatchObject({ share: undefined, waiting: 0 });
  });

  it.skipIf(QUICK_ONLY)(
    "take a share of their own in turns where there are more of them than lines",
    async () => {
      const account = { limit: 2, reserve: 0 };
      const ids = await Promise.all(Array.from({ length: 5 }, () => weighing(1, 20)));
      const served: string[] = [];
      for (let round = 0; served.length < 40; round += 1) {
        const nowMs = NOW_MS + round * MINUTE_MS;
        for (const id of ids) {
          const before = await heldBy(id);
          await planAndStartIn(id, account, nowMs);
          for (let taken = before; taken < (await heldBy(id)); taken += 1) served.push(id);
        }
        // Lines come free one after the other.
        await end(served.at(round) ?? "", 1, nowMs);
      }
      for (const id of ids) {
        const times = served.filter((one) => one === id).length;
        expect(Math.abs(times - served.length / ids.length)).toBeLessThanOrEqual(2);
      }
    },
  );
});

describe.skipIf(inject("postgresUrl") === undefined)("many workers that share lines (PostgreSQL)", () => {
  const CAMPAIGNS = 20;
  let ledger: Ledger;
  beforeAll(async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    ledger = await openPostgresLedger({ url, maxConnections: CAMPAIGNS });
  });
  afterAll(() => ledger?.close());

  it.skipIf(QUICK_ONLY)("never hold more lines together than there are, however they meet", async () => {
    const account = { limit: 33, reserve: 3 };
    const ids = await Promise.all(
      Array.from({ length: CAMPAIGNS }, (_, index) =>
        running(ledger, freshPhones(30), { concurrency: 10, weight: 1 + (index % 3) }),
      ),
    );
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(ids.map((id) => plan(ledger, id, NOW_MS + round * SECOND_MS, { account })));
      const [held] = await rows<{ n: number }>(
        ledger.db,
        sql`select sum(held)::int as n from batches where state <> 'settled'`,
      );
      expect(held).toEqual({ n: 30 });
    }
    await expectInvariants(ledger);
  });
});
