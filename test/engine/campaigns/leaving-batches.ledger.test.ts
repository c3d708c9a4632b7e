import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { settleFromItems } from "../../../src/activities/campaigns/batch-settling.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { MINUTE_MS, tell } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, type Stepping } from "../../support/stepping.ts";
import { ROUTES, tending, type Tending } from "../../support/tending.ts";

describe("a batch is left", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    const fault = (one: Fault) => stepping.sandbox.faults.add(one);

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 370_000);
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    it("with nothing on people's list, nor of it on the platform, where it was closed without being seen", async () => {
      const phones = batches.people(2);
      batches.talkFor(phones, 1_000);
      const id = await batches.begin(phones);
      const [batchId = ""] = await planSome(batches.deps, id);
      fault({ kind: "drop_after", route: "POST /v1/batch-calls", times: 1 });
      expect((await createBatch(batches.deps, { batchId })).next).toBe("create");
      await createBatch(batches.deps, { batchId });
      await startBatch(batches.deps, { batchId });
      const platformId = given((await batches.batchOf(batchId)).platformBatchId);
      fault({ kind: "status", route: ROUTES.get, id: platformId, status: 500 });
      await batches.tendUntil(
        { id, batchId },
        10 * MINUTE_MS,
        async () => (await batches.toldOf(batchId)).length > 0,
      );
      // As its follower does, which reads items alone.
      await until("its people to be settled", async () => {
        const batch = await batches.batchOf(batchId);
        const { result } = await settleFromItems(batches.deps, batch, { proof: false });
        return result?.open === 0 && result.provisional === 0;
      });
      await age(ledger(), id, 120 * MINUTE_MS);
      expect((await tendBatch(batches.deps, { batchId })).next).toBe("done");
      expect(await batches.comeOf(id)).toEqual(["answered", "answered"]);
      expect(await batches.toldOf(batchId)).toEqual([]);
      stepping.sandbox.faults.clear();
      const left: string[] = [];
      for await (const one of stepping.platform.batchCalls.iterate({ limit: 100 }))
        if (one.name?.includes(batchId)) left.push(one.batch_call_id);
      expect(left).toEqual([platformId]);
    });

    it("once: its campaign, which was paused for it and resumed, is not paused for it again", async () => {
      const id = await batches.begin(batches.people(2));
      fault({ kind: "status", route: ROUTES.start, status: 409, body: { detail: "agent is not published" } });
      const batchId = await beginOne(batches.deps, id);
      await age(ledger(), id, batches.deps.pace.startDoubtMs);
      await batches.tendUntil({ id, batchId }, 10 * MINUTE_MS, batches.isSettled(batchId));
      expect(given(await readCampaign(ledger().db, id)).state).toBe("paused");
      await tell(ledger(), "resume", id, { nowMs: Date.now() });
      const later = { ...batches.deps, now: () => Date.now() + 2 * MINUTE_MS };
      expect((await tendBatch(later, { batchId })).next).toBe("done");
      expect(given(await readCampaign(ledger().db, id)).state).toBe("running");
    });

    it("only once it is closed, though it was never started", async () => {
      const phones = batches.people(2);
      const id = await batches.begin(phones);
      const [batchId = ""] = await planSome(batches.deps, id);
      await createBatch(batches.deps, { batchId });
      const [touched = ""] = phones;
      await rows(
        ledger().db,
        sql`update attempts set call_id = 'of nobody knows what' where batch_id = ${batchId}::uuid and phone = ${touched}`,
      );
      await tell(ledger(), "pause", id, { nowMs: Date.now() });
      await rows(
        ledger().db,
        sql.raw(`create function refuse_end() returns trigger language plpgsql as $$
          begin
            if new.phone = '${touched}' and new.state = 'ended' then raise exception 'a poisoned end' using errcode = 'check_violation'; end if;
            return new;
          end $$`),
      );
      await rows(
        ledger().db,
        sql`create trigger refuse_end before update on attempts for each row execute function refuse_end()`,
      );
      expect((await tendBatch(batches.deps, { batchId })).next).toBe("tend");
      expect((await batches.batchOf(batchId)).state).toBe("draining");
      await rows(ledger().db, sql`drop trigger refuse_end on attempts`);
      expect((await tendBatch(batches.deps, { batchId })).next).toBe("done");
      expect((await batches.batchOf(batchId)).state).toBe("settled");
      expect(await batches.comeOf(id)).toEqual(["unknown", "open"]);
    });
  });
});
