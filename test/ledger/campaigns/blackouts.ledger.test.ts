import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";

import { bindUnbound, blackOut, liftBlackout } from "../../../src/ledger/campaigns/blacking-out.ts";
import { listUnsettled } from "../../../src/ledger/campaigns/batches.ts";
import { lockCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { closeBatch } from "../../../src/ledger/campaigns/settling.ts";
import { addBlackout, listBlackouts, listUnbound } from "../../../src/ledger/ground/blackouts.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { describeLedgers, elsewhere, given } from "../../support/ledgers.ts";
import {
  batchOf,
  contact,
  contactsOf,
  create,
  DAY_MS,
  freshPhones,
  holdsOf,
  HOUR_MS,
  NOW_MS,
  PACE,
  permit,
  plan,
  planAndStart,
  running,
} from "../support/scenario.ts";

/** The day of NOW_MS, a Monday, counted from 1970-01-01. */
const TODAY = Math.floor(NOW_MS / DAY_MS);

let brandsGiven = 0;
/** Blackouts bind all that runs: each test has a brand of its own. */
const freshBrand = () => `brand-${(brandsGiven += 1)}`;

describeLedgers("blackout days", (ledger) => {
  const add = (brand: string | undefined, from = TODAY, to = from, name = "Stocktaking") =>
    blackOut(ledger(), {
      brand,
      fromDay: from,
      lastDay: to,
      name,
      actor: "test",
      dialByMarginMs: PACE.dialByMarginMs,
      now: () => NOW_MS,
      forMs: 1_000,
    });
  const bind = () =>
    bindUnbound(ledger(), { dialByMarginMs: PACE.dialByMarginMs, now: () => NOW_MS, forMs: 1_000 });
  const lift = (id: number) => liftBlackout(ledger(), { id, reason: "moved", actor: "test", nowMs: NOW_MS });

  it("hold a campaign of the brand, in whatever window, and say which day it is", async () => {
    const brand = freshBrand();
    const phones = freshPhones(1);
    const id = await running(ledger(), phones, { brand });
    const other = await running(ledger(), freshPhones(1), { brand: freshBrand() });
    await add(brand);
    const { batchIds, waitMs } = await plan(ledger(), id);
    expect(batchIds).toEqual([]);
    // The 1st of June is over in New York at 04:00Z of the 2nd.
    const untilMs = Date.UTC(2026, 5, 2, 4);
    expect(NOW_MS + waitMs).toBeLessThanOrEqual(untilMs);
    const detail = "until 2026-06-02T04:00:00.000Z: 2026-06-01 is a blackout day (Stocktaking)";
    expect(await holdsOf(ledger(), id)).toMatchObject([{ reason: "day_off", detail }]);
    const explained = given(await explainContact(ledger().db, id, given(phones[0])));
    expect(explained.holds).toMatchObject([{ reason: "day_off", detail }]);
    expect((await plan(ledger(), other)).batchIds).toHaveLength(1);
    expect((await plan(ledger(), id, untilMs)).batchIds).toHaveLength(1);
  });

  it("for every brand hold all of them, each in the zones of its people", async () => {
    const id = await running(ledger(), [
      contact(given(freshPhones(1)[0]), 2),
      contact(given(freshPhones(1)[0]), 3, { region: "NZ", zones: ["Pacific/Auckland"] }),
    ]);
    // Noon of the 1st in UTC is the 2nd in Auckland.
    const { blackout } = await add(undefined);
    try {
      expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
      expect((await contactsOf(ledger(), id)).map(({ state }) => state)).toEqual(["open", "leased"]);
    } finally {
      await lift(blackout.id);
    }
  });

  it("are asked for again when a batch is to start", async () => {
    const brand = freshBrand();
    const id = await running(ledger(), freshPhones(1), { brand });
    const { batchIds } = await plan(ledger(), id);
    const batchId = given(batchIds[0]);
    await create(ledger(), batchId);
    await ledger().transaction((tx) =>
      addBlackout(tx, { brand, fromDay: TODAY, lastDay: TODAY, name: "Now", actor: "test", nowMs: NOW_MS }),
    );
    expect(await permit(ledger(), batchId)).toMatchObject({ kind: "stopped" });
    const [waiting] = await rows<{ phone: string; reason: string }>(
      ledger().db,
      sql`select c.phone, r.reason from refusals r join contacts c on c.id = r.contact_id where c.campaign_id = ${id}::uuid`,
    );
    expect(waiting?.reason).toBe("day_off");
    // What is of the day holds the lane, not the contact: it may be taken back.
    await closeBatch(ledger(), batchId, NOW_MS);
    const [listed] = await listBlackouts(ledger().db, { brand, nowMs: NOW_MS });
    await lift(given(listed).id);
    expect((await plan(ledger(), id, NOW_MS + HOUR_MS)).batchIds).toHaveLength(1);
  });

  describe("that come while a batch dials", () => {
    it("stop it where they begin now, and let it dial up to them where they are to come", async () => {
      const brand = freshBrand();
      const id = await running(ledger(), freshPhones(2), { brand });
      const [batchId] = await planAndStart(ledger(), id);
      const tomorrow = await add(brand, TODAY + 1);
      expect(tomorrow).toMatchObject({ isNew: true, campaignIds: [id], stoppedBatchIds: [] });
      const bound = await batchOf(ledger(), batchId);
      // The margin before midnight of New York.
      expect(bound.dialByMs).toBe(Date.UTC(2026, 5, 2, 4) - PACE.dialByMarginMs);
      expect(bound.stopReason).toBeUndefined();
      expect(await add(brand)).toMatchObject({ stoppedBatchIds: [batchId] });
      expect((await batchOf(ledger(), batchId)).stopReason).toBe("window");
    });

    it("stop it with the next look for such, where whoever added it died before it had said so", async () => {
      const brand = freshBrand();
      const id = await running(ledger(), freshPhones(2), { brand });
      const [batchId] = await planAndStart(ledger(), id);
      await ledger().transaction((tx) =>
        addBlackout(tx, { brand, fromDay: TODAY, lastDay: TODAY, name: "Now", actor: "test", nowMs: NOW_MS }),
      );
      expect((await batchOf(ledger(), batchId)).stopReason).toBeUndefined();
      expect(await bind()).toEqual({ stoppedBatchIds: [batchId], waiting: [] });
      expect((await batchOf(ledger(), batchId)).stopReason).toBe("window");
      // Once: nothing is left to do.
      expect(await listUnbound(ledger().db)).toEqual([]);
      expect(await bind()).toEqual({ stoppedBatchIds: [], waiting: [] });
    });

    it("bind each campaign once, however little time there is for it, and those of the brand alone while somebody waits", async () => {
      const brands = [freshBrand(), freshBrand()] as const;
      const ids: string[] = [];
      for (const brand of [brands[0], brands[0], brands[0], brands[1]]) {
        const id = await running(ledger(), freshPhones(1), { brand });
        ids.push(id);
        await planAndStart(ledger(), id);
      }
      const { blackout } = await ledger().transaction((tx) =>
        addBlackout(tx, {
          brand: undefined,
          fromDay: TODAY,
          lastDay: TODAY,
          name: "All",
          actor: "test",
          nowMs: NOW_MS,
        }),
      );
      // Each look at the clock takes a second, of which there are two.
      const bindSlowly = (brand?: string) => {
        let nowMs = NOW_MS;
        return bindUnbound(ledger(), {
          brand,
          dialByMarginMs: PACE.dialByMarginMs,
          now: () => (nowMs += 1_000),
          forMs: 2_500,
        });
      };
      try {
        const ofBrand = await bindSlowly(brands[0]);
        expect(ofBrand.stoppedBatchIds).toHaveLength(1);
        expect(ofBrand.waiting.map(({ why }) => why)).toEqual(Array(2).fill("there was no time for it"));
        for (const { id } of ofBrand.waiting) expect(ids.slice(0, 3)).toContain(id);
        const stopped = [...ofBrand.stoppedBatchIds];
        for (let pass = 0; pass < 20 && (await listUnbound(ledger().db)).length > 0; pass += 1)
          stopped.push(...(await bindSlowly()).stoppedBatchIds);
        expect(await listUnbound(ledger().db)).toEqual([]);
        expect(new Set(stopped).size).toBe(stopped.length);
        for (const id of ids)
          expect(await listUnsettled(ledger().db, id)).toMatchObject([{ stopReason: "window" }]);
      } finally {
        await lift(blackout.id);
      }
    });

    it("bind the others where one can't be bound", async () => {
      const brand = freshBrand();
      const broken = await running(ledger(), freshPhones(1), { brand });
      const fine = await running(ledger(), freshPhones(1), { brand });
      await planAndStart(ledger(), broken);
      const [batchId] = await planAndStart(ledger(), fine);
      const zones = (to: string, from: string) =>
        rows(
          ledger().db,
          sql`update lanes set zone_set_id = (select id from zone_sets where key = ${to})
              where campaign_id = ${broken}::uuid and zone_set_id = (select id from zone_sets where key = ${from})`,
        );
      await rows(
        ledger().db,
        sql`insert into zone_sets (key, zones) values ('Nowhere/Atall', array['Nowhere/Atall']) on conflict do nothing`,
      );
      await zones("Nowhere/Atall", "America/New_York");
      const added = await add(brand);
      expect(added.stoppedBatchIds).toEqual([batchId]);
      expect(added.waiting).toMatchObject([{ id: broken, why: expect.stringContaining("Nowhere/Atall") }]);
      await zones("America/New_York", "Nowhere/Atall");
      expect(await bind()).toMatchObject({ waiting: [] });
      expect(await listUnbound(ledger().db)).toEqual([]);
    });

    // On the embedded ledger nobody else can hold anything.
    it("wait for nobody who holds its campaign, name it, and come again", async () => {
      if (ledger().kind === "embedded") return;
      const brand = freshBrand();
      const id = await running(ledger(), freshPhones(2), { brand, name: "held" });
      const other = await running(ledger(), freshPhones(2), { brand });
      const [batchId] = await planAndStart(ledger(), id);
      const [otherBatch] = await planAndStart(ledger(), other);
      await ledger().transaction(async (tx) => {
        await lockCampaign(tx, id);
        expect(await elsewhere(() => add(brand))).toMatchObject({
          stoppedBatchIds: [otherBatch],
          waiting: [{ id, name: "held", why: "its row is held" }],
        });
        expect(await elsewhere(() => bind())).toMatchObject({ waiting: [{ id }] });
      });
      expect((await batchOf(ledger(), batchId)).stopReason).toBeUndefined();
      expect(await bind()).toEqual({ stoppedBatchIds: [batchId], waiting: [] });
    });
  });

  it("that are taken back let people be called at once", async () => {
    const brand = freshBrand();
    const id = await running(ledger(), freshPhones(1), { brand });
    const { blackout } = await add(brand);
    expect((await plan(ledger(), id)).batchIds).toEqual([]);
    await rows(ledger().db, sql`delete from outbox where kind = 'campaign' and subject = ${id}`);
    expect(await lift(blackout.id)).toMatchObject({
      blackout: { id: blackout.id, brand },
      campaignIds: [id],
    });
    expect(await lift(blackout.id)).toBeUndefined();
    expect(
      await rows(ledger().db, sql`select 1 as one from outbox where kind = 'campaign' and subject = ${id}`),
    ).toHaveLength(1);
    expect((await plan(ledger(), id)).batchIds).toHaveLength(1);
    const audited = await rows<{ action: string; actor: string }>(
      ledger().db,
      sql`select action, actor from audit where action like 'blackout.%' and detail ->> 'brand' = ${brand} order by id`,
    );
    expect(audited).toEqual([
      { action: "blackout.add", actor: "test" },
      { action: "blackout.remove", actor: "test" },
    ]);
  });

  it("are there once, go by their newest name, and are listed until they are over everywhere", async () => {
    const brand = freshBrand();
    const first = await add(brand, TODAY + 3, TODAY + 4, "Fair");
    const again = await add(brand, TODAY + 3, TODAY + 4, "Trade fair");
    expect([first.isNew, again.isNew]).toEqual([true, false]);
    expect(again.blackout).toMatchObject({ id: first.blackout.id, name: "Trade fair" });
    await add(brand, TODAY + 1);
    const listed = async (nowMs: number) =>
      (await listBlackouts(ledger().db, { brand, nowMs })).map(({ fromDay, lastDay }) => [fromDay, lastDay]);
    expect(await listed(NOW_MS)).toEqual([
      [TODAY + 1, TODAY + 1],
      [TODAY + 3, TODAY + 4],
    ]);
    // Twelve hours behind UTC the 5th ends at noon of the 6th.
    expect(await listed((TODAY + 5) * DAY_MS + 12 * HOUR_MS)).toEqual([[TODAY + 3, TODAY + 4]]);
    expect(await listed((TODAY + 6) * DAY_MS)).toEqual([]);
    await lift(first.blackout.id);
    expect((await add(brand, TODAY + 3, TODAY + 4, "Fair")).isNew).toBe(true);
  });

  it("are a thousand at most", async () => {
    const brand = freshBrand();
    await add(brand);
    await rows(
      ledger().db,
      sql`insert into blackouts (brand, from_day, last_day, name, created_at)
          select ${brand}, date '2027-01-01' + n, date '2027-01-01' + n, 'x', now() from generate_series(1, 1000) n`,
    );
    await expect(add(brand, TODAY + 1)).rejects.toThrow(CommandRefusedError);
    // One that is there may go by another name.
    expect((await add(brand, TODAY, TODAY, "Other")).isNew).toBe(false);
    await expect(add(brand, TODAY + 1)).rejects.toThrow(/1000 blackouts already/);
  });
});
