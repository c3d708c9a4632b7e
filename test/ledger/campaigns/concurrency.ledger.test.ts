import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { listUnsettled, readBatch, stopBatchesDialing } from "../../../src/ledger/campaigns/batches.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../../src/ledger/ground/postgres.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { given } from "../../support/ledgers.ts";
import { createDatabase } from "../../support/postgres.ts";
import { PATIENCE_MS } from "../../support/until.ts";
import { expectInvariants } from "../support/invariants.ts";
import {
  begin,
  contact,
  create,
  createScheduled,
  ended,
  freshPhones,
  giveChunk,
  importWhole,
  MINUTE_MS,
  NOW_MS,
  openPhones,
  permit,
  plan,
  running,
  tallies,
  tell,
} from "../support/scenario.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";
import { recordBegun } from "../../../src/ledger/campaigns/batch-steps.ts";

/*
 * Many workers on one PostgreSQL, over campaigns that share their numbers. A deadlock or a serialisation failure
 * would come out as an error of the statement that met it. How long they wait for each other is the machine's matter:
 * plannings take turns, and a ring of them would be found at once.
 */

const WORKERS = 20;

describe.skipIf(inject("postgresUrl") === undefined)("many workers at once (PostgreSQL)", () => {
  let ledger: Ledger;
  beforeAll(async () => {
    const url = await createDatabase(given(inject("postgresUrl")));
    ledger = await openPostgresLedger({
      url,
      maxConnections: WORKERS,
      connectTimeoutMs: PATIENCE_MS,
      lockTimeoutMs: PATIENCE_MS,
      statementTimeoutMs: PATIENCE_MS,
    });
  });
  afterAll(() => ledger?.close());

  /** The same people in another order for each campaign: whoever locks in the order of a list would meet in a ring. */
  function shuffled(phones: readonly string[], seed: number): string[] {
    return [...phones].sort((a, b) => rank(a, seed) - rank(b, seed));
  }

  function rank(phone: string, seed: number): number {
    return (Number(phone.slice(-6)) * 7_919 + seed * 104_729) % 10_007;
  }

  async function inParallel(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
    const ends = await Promise.allSettled(tasks.map((task) => task()));
    const failed = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
    expect(failed).toEqual([]);
  }

  it("planning one people for twenty campaigns: everybody has one open attempt, and nobody fails", async () => {
    const phones = freshPhones(300);
    const ids = await Promise.all(
      Array.from({ length: WORKERS }, (_, index) =>
        running(ledger, shuffled(phones, index), { concurrency: 300 }),
      ),
    );
    await inParallel(ids.map((id) => () => plan(ledger, id)));
    const [open] = await rows<{ n: number; phones: number }>(
      ledger.db,
      sql`select count(*)::int as n, count(distinct phone)::int as phones from attempts where state = 'open'`,
    );
    expect(open).toEqual({ n: 300, phones: 300 });
    await expectInvariants(ledger);
    for (const id of ids) await tell(ledger, "cancel", id);
  });

  it("planning one campaign twenty times at once leases everybody once", async () => {
    const id = await running(ledger, freshPhones(80), { concurrency: 50 });
    await inParallel(Array.from({ length: WORKERS }, () => () => plan(ledger, id)));
    const held = (await listUnsettled(ledger.db, id)).reduce((sum, batch) => sum + batch.held, 0);
    expect(held).toBeLessThanOrEqual(50);
    await expectInvariants(ledger);
    await tell(ledger, "cancel", id);
  });

  it("one list into twenty campaigns at once, in any order of zones, and twice at once into one", async () => {
    const phones = freshPhones(200);
    const zones = [
      ["America/New_York"],
      ["Europe/Berlin"],
      ["Asia/Tokyo"],
      ["Africa/Cairo"],
      ["Asia/Kolkata", "Europe/Paris"],
    ];
    const campaigns = await Promise.all(Array.from({ length: WORKERS }, () => createScheduled(ledger)));
    const list = (seed: number) =>
      shuffled(phones, seed).map((phone, index) =>
        contact(phone, index + 2, { zones: given(zones[(index + seed) % zones.length]) }),
      );
    await inParallel(
      campaigns.map(
        ({ id }, index) =>
          () =>
            importWhole(ledger, id, list(index)),
      ),
    );
    // Two who both believe to be the one that goes on with a list.
    const { id } = await createScheduled(ledger);
    const whole = async () => {
      const begun = await begin(ledger, id);
      for (let from = 0; from < 200; from += 10)
        await giveChunk(ledger, begun, list(0).slice(from, from + 10));
    };
    await inParallel([whole, whole]);
    expect(await tallies(ledger, id)).toMatchObject({ open: 200 });
    await expectInvariants(ledger);
  });

  it("a whole life: plans, starts, outcomes, opt-outs, suppressions, pauses and lists, all at the same time", async () => {
    const phones = freshPhones(240);
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        running(ledger, shuffled(phones, index), {
          concurrency: 40,
          brand: index % 2 === 0 ? "even" : "odd",
          retry: { max_attempts: 3, delays: { busy: "0s", no_answer: "1s" } },
        }),
      ),
    );
    const came: Disposition[] = ["answered", "busy", "no_answer", "opted_out", "voicemail", "invalid_number"];
    for (let round = 0; round < 4; round += 1) {
      const nowMs = NOW_MS + round * MINUTE_MS;
      const tasks: (() => Promise<unknown>)[] = ids.flatMap((id, index) => [
        () => plan(ledger, id, nowMs),
        () => driveBatches(id, nowMs, (at) => given(came[(at + index + round) % came.length])),
        () => driveBatches(id, nowMs, (at) => given(came[(at + round) % came.length])),
      ]);
      const suppressed = shuffled(phones, round).slice(0, 4);
      tasks.push(
        () => suppressAndStop(suppressed, undefined, nowMs),
        () => suppressAndStop([...suppressed].reverse(), "even", nowMs),
        () => tell(ledger, round % 2 === 0 ? "pause" : "resume", given(ids[0]), { nowMs }),
        () =>
          importWhole(ledger, given(ids[1]), [contact(given(freshPhones(1)[0]), 2)], `more ${round}`, nowMs),
      );
      await inParallel(tasks);
      await expectInvariants(ledger);
    }
    const [ended] = await rows<{ n: number }>(
      ledger.db,
      sql`select count(*)::int as n from attempts where state = 'ended' and campaign_id in (select id from campaigns where brand in ('even', 'odd'))`,
    );
    expect(given(ended).n).toBeGreaterThan(100);
  });

  /** Takes each batch of a campaign as far as it goes, beside others who do the same. */
  async function driveBatches(
    id: string,
    nowMs: number,
    cameTo: (index: number) => Disposition,
  ): Promise<void> {
    for (const { id: batchId } of await listUnsettled(ledger.db, id)) {
      if ((await readBatch(ledger.db, batchId))?.state === "planned")
        await create(ledger, batchId, nowMs).catch(() => undefined);
      await permit(ledger, batchId, nowMs);
      await recordBegun(ledger.db, batchId, nowMs);
      const state = (await readBatch(ledger.db, batchId))?.state;
      if (state !== "running" && state !== "draining") continue;
      const findings = (await openPhones(ledger, batchId)).map((phone, index) =>
        ended(phone, cameTo(index), nowMs),
      );
      await settleFindings(ledger, { batchId, findings, nowMs });
      await closeBatch(ledger, batchId, nowMs);
    }
  }

  async function suppressAndStop(
    numbers: readonly string[],
    brand: string | undefined,
    nowMs: number,
  ): Promise<void> {
    await ledger.transaction((tx) =>
      addSuppressions(tx, {
        entries: numbers.map((phone) => ({ phone, brand, source: "test", reason: "asked" })),
        actor: "test",
        nowMs,
      }),
    );
    await stopBatchesDialing(ledger, { phones: numbers, brand, nowMs });
  }

  it("a pause and a permission at the same moment: whoever comes second sees the other", async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await running(ledger, freshPhones(2));
      const { batchIds } = await plan(ledger, id);
      const batchId = given(batchIds[0]);
      await create(ledger, batchId);
      const [paused, permission] = await Promise.all([
        tell(ledger, "pause", id).catch((error: unknown) => error),
        permit(ledger, batchId),
      ]);
      expect(paused).not.toBeInstanceOf(CommandRefusedError);
      const batch = given(await readBatch(ledger.db, batchId));
      // Permitted before the pause: then the pause asked it to stop. After it: not permitted at all.
      const stopped =
        permission.kind === "permitted" ? batch.state === "starting" : batch.state === "draining";
      expect([stopped, batch.stopReason]).toEqual([true, "pause"]);
    }
    await expectInvariants(ledger);
  });

  it("appending and completing at the same moment loses nobody", async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await running(ledger, []);
      const [planned, appended] = await Promise.allSettled([
        plan(ledger, id),
        importWhole(ledger, id, [contact(given(freshPhones(1)[0]), 2)], "late"),
      ]);
      expect(planned.status).toBe("fulfilled");
      const state = (await plan(ledger, id)).state;
      expect([appended.status, state]).toEqual(
        appended.status === "fulfilled" ? ["fulfilled", "running"] : ["rejected", "completed"],
      );
    }
    await expectInvariants(ledger);
  });
});
