import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { MINUTE_MS } from "../../ledger/support/scenario.ts";
import { age } from "../../support/aging.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openStepping, takeToEnd, type Stepping } from "../../support/stepping.ts";
import { refusing, ROUTES, tending, type Tending } from "../../support/tending.ts";

const ACTIVE = "GET /v1/batch-calls/active";

/*
 * A batch of doubtful start is deleted before anybody of it is called again. Whatever is not clear about that delete,
 * nobody is called twice.
 */
describe("a delete of a batch of doubtful start", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let batches: Tending;
    const fault = (one: Fault) => stepping.sandbox.faults.add(one);
    /** Something happens right after a delete was answered. */
    const onDelete = (happens: () => void): ActivityDeps => {
      const { platform } = batches.deps;
      const deleteAnd = async (id: string) => {
        try {
          return await platform.batchCalls.delete(id);
        } finally {
          happens();
        }
      };
      return {
        ...batches.deps,
        platform: { ...platform, batchCalls: { ...platform.batchCalls, delete: deleteAnd } },
      };
    };
    /** Looks until it was asked to be deleted, once. */
    const untilDeleted = async (batch: { id: string; batchId: string }, happens: () => void) => {
      let asked = 0;
      const looking = onDelete(() => {
        asked += 1;
        happens();
      });
      await batches.tendUntil(batch, 5 * MINUTE_MS, () => asked > 0, looking);
    };
    const lookAfter = async ({ id, batchId }: { id: string; batchId: string }, ms: number) => {
      await age(ledger(), id, ms);
      return tendBatch(batches.deps, { batchId });
    };
    const dialLate = async (batchId: string, phones: readonly string[]) => {
      const { platformBatchId } = await batches.batchOf(batchId);
      fault({ kind: "late", route: ROUTES.start, after_ms: 0, regardless: true, times: 1 });
      await stepping.platform.batchCalls.start(given(platformBatchId)).catch(() => {});
      await until("everybody to be called", () => batches.dialsOf(phones).every((dials) => dials === 1));
    };

    beforeAll(async () => {
      stepping = await openStepping();
      batches = tending(stepping, ledger, 300_000);
    });
    afterEach(() => stepping.sandbox.faults.clear());
    afterAll(() => stepping.close());

    it.each([409, 429] as const)(
      "that is refused by %i gives nobody back because one look does not find the batch",
      async (status) => {
        const phones = batches.people(3);
        batches.talkFor(phones, 1_000);
        const batch = await batches.doubtful(phones);
        fault({ kind: "status", route: ROUTES.delete, status });
        await untilDeleted(batch, () => fault({ kind: "status", route: ROUTES.get, status: 404, times: 1 }));
        expect(await batches.comeOf(batch.id)).toEqual(["leased", "leased", "leased"]);
        expect((await batches.batchOf(batch.batchId)).proven).toBeUndefined();
        await dialLate(batch.batchId, phones);
        await takeToEnd(batches.deps, batch.batchId);
        expect(await batches.comeOf(batch.id)).toEqual(["answered", "answered", "answered"]);
        expect(batches.dialsOf(phones)).toEqual([1, 1, 1]);
      },
    );

    it("that is not answered gives nobody back because one look does not find the batch", async () => {
      const phones = batches.people(3);
      batches.talkFor(phones, 1_000);
      const batch = await batches.doubtful(phones);
      fault({ kind: "drop_before", route: ROUTES.delete });
      await untilDeleted(batch, () => fault({ kind: "status", route: ROUTES.get, status: 404, times: 1 }));
      expect(await batches.comeOf(batch.id)).toEqual(["leased", "leased", "leased"]);
      await dialLate(batch.batchId, phones);
      await takeToEnd(batches.deps, batch.batchId);
      expect(await batches.comeOf(batch.id)).toEqual(["answered", "answered", "answered"]);
      expect(batches.dialsOf(phones)).toEqual([1, 1, 1]);
    });

    it("that was done, and not answered, gives everybody back once the batch stays away for a quiet time", async () => {
      const phones = batches.people(2);
      const batch = await batches.doubtful(phones);
      fault({ kind: "drop_after", route: ROUTES.delete, times: 1 });
      await untilDeleted(batch, () => {});
      expect(await batches.comeOf(batch.id)).toEqual(["leased", "leased"]);
      expect((await lookAfter(batch, batches.deps.pace.quietMs)).next).toBe("done");
      expect(await batches.comeOf(batch.id)).toEqual(["open", "open"]);
      expect(await batches.toldOf(batch.batchId)).toEqual([]);
    });

    it("that was done, and not answered, keeps whom the platform refused to call: they wait, and people are told", async () => {
      const phones = batches.people(2);
      const batch = await batches.doubtful(phones);
      fault({ kind: "drop_after", route: ROUTES.delete, times: 1 });
      let deletes = 0;
      const looking = onDelete(() => (deletes += 1));
      const seen = { ...looking, platform: refusing(looking.platform) };
      await batches.tendUntil(batch, 5 * MINUTE_MS, () => deletes > 0, seen);
      expect(await batches.comeOf(batch.id)).toEqual(["leased", "leased"]);
      expect((await lookAfter(batch, batches.deps.pace.quietMs)).next).toBe("done");
      const contacts = await rows(
        ledger().db,
        sql`select state, refusals, attempts from contacts where campaign_id = ${batch.id}::uuid`,
      );
      const refused = { state: "open", refusals: 1, attempts: 0 };
      expect(contacts).toEqual([refused, refused]);
      expect(await batches.toldOf(batch.id)).toMatchObject([
        { kind: "calls_refused", summary: expect.stringContaining("insufficient credits for this call") },
      ]);
    });

    it("that was answered with yes is believed by a later look, where the first could not be taken", async () => {
      const phones = batches.people(2);
      const batch = await batches.doubtful(phones);
      await untilDeleted(batch, () => fault({ kind: "status", route: ROUTES.get, status: 502, times: 1 }));
      expect(await batches.comeOf(batch.id)).toEqual(["leased", "leased"]);
      await batches.tendUntil(batch, 5 * MINUTE_MS, batches.isSettled(batch.batchId));
      expect(await batches.comeOf(batch.id)).toEqual(["open", "open"]);
    });

    it("that is refused where no key is good leaves no proof behind for a platform that forgets the batch", async () => {
      const phones = batches.people(2);
      const batch = await batches.doubtful(phones);
      fault({ kind: "status", route: ROUTES.delete, status: 401, times: 1 });
      await untilDeleted(batch, () => {});
      expect((await batches.batchOf(batch.batchId)).proven).toBeUndefined();
      fault({ kind: "status", route: ROUTES.get, status: 404 });
      await lookAfter(batch, batches.deps.pace.refusedLookMs);
      expect(await batches.comeOf(batch.id)).toEqual(["leased", "leased"]);
      await batches.tendUntil(batch, 20 * MINUTE_MS, batches.isSettled(batch.batchId));
      expect(await batches.comeOf(batch.id)).toEqual(["unknown", "unknown"]);
    });

    it("is not taken for done while the platform knows nothing else either", async () => {
      const phones = batches.people(2);
      const batch = await batches.doubtful(phones);
      fault({ kind: "drop_before", route: ROUTES.delete, times: 1 });
      await untilDeleted(batch, () => {
        for (const route of [ROUTES.get, ROUTES.delete, ACTIVE])
          fault({ kind: "status", route, status: 404 });
      });
      for (let look = 0; look < 4; look += 1) await lookAfter(batch, batches.deps.pace.quietMs);
      expect(await batches.comeOf(batch.id)).toEqual(["leased", "leased"]);
      // It is there again: it is read, deleted, and seen to be gone.
      stepping.sandbox.faults.clear();
      await batches.tendUntil(batch, 5 * MINUTE_MS, batches.isSettled(batch.batchId));
      expect(await batches.comeOf(batch.id)).toEqual(["open", "open"]);
    });

    it("that a later one contradicts proves nothing any more: the batch was there, and may have dialed", async () => {
      const phones = batches.people(2);
      const batch = await batches.doubtful(phones);
      fault({ kind: "drop_before", route: ROUTES.delete, times: 1 });
      await untilDeleted(batch, () => fault({ kind: "status", route: ROUTES.get, status: 404 }));
      await lookAfter(batch, batches.deps.pace.quietMs);
      expect((await batches.batchOf(batch.batchId)).proven).toBeUndefined();
      await batches.tendUntil(batch, 20 * MINUTE_MS, batches.isSettled(batch.batchId));
      expect(await batches.comeOf(batch.id)).toEqual(["unknown", "unknown"]);
    });
  });
});
