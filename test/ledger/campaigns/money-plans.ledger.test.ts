import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import {
  bookCharges,
  forgetCharges,
  keepCharges,
  wantsCharges,
} from "../../../src/ledger/campaigns/charges.ts";
import { beginClone, takeClonedPeople } from "../../../src/ledger/campaigns/cloning.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { listBudgets, readSpending, setBudget } from "../../../src/ledger/campaigns/budgets.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { given } from "../../support/ledgers.ts";
import type { Explained } from "../support/explaining.ts";
import { create, NOW_MS, permit, plan, specOf } from "../support/scenario.ts";
import { openWatchedLedger, type WatchedLedger } from "../support/watched-ledger.ts";

/*
 * What plannings and starts ask of money, of those who take transfers, and what goes on once a minute or for each piece
 * of a clone, must not read a long history from one end to the other. The plans are PostgreSQL's own.
 */

const big = new Set(["spending", "charges", "contacts", "attempts"]);

/** Campaigns of the past, in brands of their own, each with so many days: what years of a busy account leave behind. */
const CAMPAIGNS = 500;
const DAYS = 200;

describe.skipIf(inject("postgresUrl") === undefined)(
  "what is asked of money after years of campaigns (PostgreSQL)",
  () => {
    let ledger: Ledger;
    let watched: Ledger;
    let campaignId = "";
    let seen: Explained[] = [];
    let wholeReads: WatchedLedger["wholeReads"];

    beforeAll(async () => {
      ({ ledger, watched, campaignId, seen, wholeReads } = await openWatchedLedger(big, {
        budget: { per_day: 1_000_000, zone: "America/New_York" },
        transfers: { capacity: 100, expect: 0.2, talk: "5m", answer: "analysis.transferred" },
      }));
      await rows(ledger.db, sql`insert into brands (id) select 'past-' || n from generate_series(0, 19) n`);
      await rows(
        ledger.db,
        sql`insert into spending (campaign_id, stretch, leased_at, brand, spent_micros, calls)
            select md5(c::text)::uuid, date_trunc('day', to_timestamp(${NOW_MS / 1_000}), 'UTC') - d * interval '1 day',
              date_trunc('day', to_timestamp(${NOW_MS / 1_000}), 'UTC') - d * interval '1 day', 'past-' || c % 20, 1000, 1
            from generate_series(1, ${CAMPAIGNS}::int) c cross join generate_series(1, ${DAYS}::int) d`,
      );
      await rows(
        ledger.db,
        sql`insert into charges (entry_id, call_id, micros, seen_at, booked_at)
            select 'entry-' || n, 'call-' || n, 1000, now(), now() from generate_series(1, 50000) n`,
      );
      for (const brand of ["default", undefined])
        await setBudget(ledger, {
          brand,
          totalMicros: brand === undefined ? undefined : 9e14,
          perDayMicros: 9e14,
          zone: "Asia/Tokyo",
          restart: false,
          actor: "test",
          nowMs: NOW_MS,
        });
      await rows(ledger.db, sql`analyze`);
    });
    afterAll(() => ledger?.close());

    it("a planning and a start within budgets of the campaign, its brand and all brands read them by index", async () => {
      let batchId = "";
      expect(
        await wholeReads(async () => {
          batchId = given((await plan(watched, campaignId)).batchIds[0]);
        }),
      ).toEqual([]);
      const of = (words: string) => seen.filter(({ statement }) => statement.includes(words));
      expect(of("as all_held")[0]?.indexes).toEqual(
        expect.arrayContaining(["spending_pkey", "spending_held"]),
      );
      expect(of("from brands g join spending p")[0]?.indexes).toContain("spending_of_brand");
      expect(of("as undecided")[0]?.indexes, "those who take transfers").toContain("batches_unsettled");
      await create(ledger, batchId);
      expect(await wholeReads(() => permit(watched, batchId))).toEqual([]);
      expect(of("from brands g join spending p")[0]?.indexes).toContain("spending_of_brand");
    });

    it("who asks what is spent reads it by index", async () => {
      expect(await wholeReads(() => readSpending(watched.db, campaignId, NOW_MS))).toEqual([]);
      expect(await wholeReads(() => listBudgets(watched.db, NOW_MS))).toEqual([]);
    });

    it("what calls cost is kept, booked and forgotten by index", async () => {
      const [call] = await rows<{ id: number }>(
        ledger.db,
        sql`update attempts set call_id = 'told' where id in (select id from attempts where state = 'ended' limit 1) returning id`,
      );
      expect(call).toBeDefined();
      const charges = [{ entryId: "told-1", callId: "told", micros: 5 }];
      let booked = 0;
      expect(
        await wholeReads(async () => {
          await wantsCharges(watched.db, NOW_MS);
          await keepCharges(watched, { charges, read: 1, nowMs: NOW_MS });
          booked = (await bookCharges(watched, NOW_MS)).calls;
          await forgetCharges(watched.db, NOW_MS);
        }),
      ).toEqual([]);
      expect(booked).toBe(1);
    });

    it("people are cloned in pieces, each by index", async () => {
      const source = given(await readCampaign(ledger.db, campaignId));
      const spec = specOf({ name: "cloned" });
      const whom = { people: "all" as const, tag: undefined };
      let cloneId = "";
      expect(
        await wholeReads(async () => {
          cloneId = (
            await beginClone(watched, { source, spec, whom, actor: "test", nowMs: NOW_MS }, () => {})
          ).id;
          await takeClonedPeople(watched, cloneId, () => NOW_MS);
        }),
      ).toEqual([]);
      expect(given(await readCampaign(ledger.db, cloneId)).tallies.open).toBeGreaterThan(1_000);
    });
  },
);
