import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { countAged } from "../../../src/ledger/people/aged-counts.ts";
import {
  clearActions,
  clearCalls,
  clearContacts,
  clearLabels,
  listAgedCalls,
  listAgedCampaigns,
  listAgedRecordings,
  removeTags,
  stripAgedContacts,
} from "../../../src/ledger/people/aging.ts";
import {
  countSealed,
  listSealedBeside,
  listSealedWith,
  SEALED_TABLES,
  writeSealedAnew,
} from "../../../src/ledger/ground/sealed-rows.ts";
import { listDueUnremoved, noteUnremoved } from "../../../src/ledger/people/unremoved-calls.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import type { Explained } from "../support/explaining.ts";
import { CONTACTS } from "../support/filling.ts";
import { DAY_MS, NOW_MS } from "../support/scenario.ts";
import { openWatchedLedger, type WatchedLedger } from "../support/watched-ledger.ts";

/*
 * What takes away what is too old runs beside dialing, in every installation for ever: no step of it may read a table of
 * people from one end to the other.
 */

describe.skipIf(inject("postgresUrl") === undefined)(
  `taking away what is too old, among ${CONTACTS} contacts (PostgreSQL)`,
  () => {
    let ledger: Ledger;
    let watched: Ledger;
    let campaignId = "";
    let seen: Explained[] = [];
    let wholeReads: WatchedLedger["wholeReads"];
    const before = NOW_MS + 500 * DAY_MS;

    beforeAll(async () => {
      ({ ledger, watched, campaignId, seen, wholeReads } = await openWatchedLedger(
        new Set(["contacts", "attempts"]),
      ));
      const endedAt = new Date(NOW_MS).toISOString();
      await rows(
        ledger.db,
        sql`update campaigns set state = 'completed', ended_at = ${endedAt}::timestamptz, look_by = null, paused_by = null, breaker = 'closed'
            where id = ${campaignId}::uuid`,
      );
      await rows(ledger.db, sql`update batches set state = 'settled', held = 0`);
      await rows(ledger.db, sql`update attempts set state = 'ended', kept = '{"a": 1}' where id % 20 = 0`);
      await rows(
        ledger.db,
        sql`update contacts set state = 'done', ended_at = ${endedAt}::timestamptz, sealed = '{"a": "x"}', sealed_with = 'k1'
            where campaign_id = ${campaignId}::uuid and id % 20 = 0`,
      );
      await rows(
        ledger.db,
        sql`insert into sequences (id, brand, name, state, version, created_at)
            values ('00000000-0000-4000-8000-000000000001', 'default', 'many', 'active', 1, now())`,
      );
      await rows(
        ledger.db,
        sql`insert into enrolments (id, sequence_id, version, phone, zone_set_id, source, state, position, sealed, sealed_with, created_at)
            select gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 1, '+1' || (2025600000 + n), (select min(id) from zone_sets),
              'list', 'active', '{}', case when n % 20 = 0 then '{"a": "x"}'::jsonb end, case when n % 20 = 0 then 'k1' end, now()
            from generate_series(1, 20000) n`,
      );
      await rows(ledger.db, sql`analyze`);
    });
    afterAll(() => ledger?.close());

    it("finds campaigns, contacts and calls whose turn it is by indexes of those alone", async () => {
      const walk = { before, after: "", nowMs: before };
      const of = { ...walk, campaignId };
      expect(
        await wholeReads(() => listAgedCampaigns(watched.db, { step: "clear", before, after: "" })),
      ).toEqual([]);
      expect(await wholeReads(() => watched.transaction((tx) => clearContacts(tx, of)))).toEqual([]);
      expect(seen.flatMap(({ indexes }) => indexes)).toContain("contacts_to_clear");
      expect(
        await wholeReads(() => listAgedCampaigns(watched.db, { step: "strip", before, after: "" })),
      ).toEqual([]);
      expect(await wholeReads(() => watched.transaction((tx) => stripAgedContacts(tx, of)))).toEqual([]);
      expect(seen.flatMap(({ indexes }) => indexes)).toContain("contacts_to_strip");
      for (const step of [clearCalls, clearLabels, clearActions, removeTags])
        expect(await wholeReads(() => watched.transaction((tx) => step(tx, walk)))).toEqual([]);
      expect(
        await wholeReads(() => listAgedRecordings(watched.db, { before, after: "", limit: 50 })),
      ).toEqual([]);
      expect(await wholeReads(() => listAgedCalls(watched.db, { before, after: "0", limit: 50 }))).toEqual(
        [],
      );
      await noteUnremoved(watched.db, { callId: "gone", error: "x", nowMs: 0 });
      const due = { before, nowMs: Date.now(), limit: 20 };
      expect(await wholeReads(() => listDueUnremoved(watched.db, due))).toEqual([]);
    });

    it("counts what would go no further than it says", async () => {
      const cutoffs = {
        contacts: before,
        attempts: before,
        analysis: before,
        recordings: before,
        platform_calls: before,
        enrolments: before,
        deliveries: undefined,
        events: undefined,
        audit: undefined,
      };
      expect(await wholeReads(() => countAged(watched.db, cutoffs))).toEqual([]);
    });

    it("finds what a data key seals by its index", async () => {
      expect(await wholeReads(() => countSealed(watched.db))).toEqual([]);
      for (const table of SEALED_TABLES) {
        const asked = { table, keyId: "k1", after: undefined, limit: 100 };
        expect(await wholeReads(() => listSealedWith(watched.db, asked))).toEqual([]);
        const anew = (await listSealedWith(ledger.db, asked)).map(({ id, values }) => ({
          id,
          sealed: { with: "k2", values },
        }));
        expect(anew.length).toBe(100);
        const behind = { ...asked, after: anew.at(-1)?.id };
        expect(await wholeReads(() => listSealedWith(watched.db, behind))).toEqual([]);
        const beside = { id: Number(anew[50]?.id), keyId: "k1" };
        if (table === "contacts")
          expect(await wholeReads(() => listSealedBeside(watched.db, beside))).toEqual([]);
        expect(await wholeReads(() => writeSealedAnew(watched.db, { table, keyId: "k1", anew }))).toEqual([]);
      }
    });
  },
);
