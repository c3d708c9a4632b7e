import { sql } from "drizzle-orm";

import type { ActivityDeps, Pace } from "../../src/activities/deps.ts";
import { createBatch } from "../../src/activities/campaigns/create-batch.ts";
import { startBatch } from "../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../src/activities/campaigns/tend-batch.ts";
import { listAttention } from "../../src/ledger/ground/attention.ts";
import { readBatch, type Batch } from "../../src/ledger/campaigns/batches.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import type { BatchCall, Platform } from "../../src/platform/index.ts";
import { MINUTE_MS, running, SECOND_MS } from "../ledger/support/scenario.ts";
import { age } from "./aging.ts";
import { phoneNumbers } from "./phone-numbers.ts";
import { given } from "./ledgers.ts";
import { planSome, type Stepping } from "./stepping.ts";

/*
 * Batches that are looked at by hand, at the pace of a real platform: time passes between two looks because what
 * happened is made older (aging.ts).
 */

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };

const REAL_PACE: Partial<Pace> = {
  startDoubtMs: MINUTE_MS,
  pickupMs: 10 * MINUTE_MS,
  vanishedMs: 10 * MINUTE_MS,
  callBoundMs: 120 * MINUTE_MS,
  troubleMs: 5 * MINUTE_MS,
  stallMs: 30_000,
  dialByMarginMs: MINUTE_MS,
  batchLookMs: 15 * MINUTE_MS,
  quietMs: 15 * SECOND_MS,
  processingLookMs: 15 * SECOND_MS,
  refusedLookMs: 2 * MINUTE_MS,
  lookMs: 5 * SECOND_MS,
};

export const ROUTES = {
  start: "POST /v1/batch-calls/:id/start",
  get: "GET /v1/batch-calls/:id",
  items: "GET /v1/batch-calls/:id/items",
  delete: "DELETE /v1/batch-calls/:id",
  pause: "POST /v1/batch-calls/:id/pause",
  cancel: "POST /v1/batch-calls/:id/cancel",
} as const;

export function tending(stepping: Stepping, ledger: () => Ledger, firstNumber: number) {
  let from = firstNumber;
  const { sandbox, platform } = stepping;
  const at = stepping.depsOf(ledger());
  const deps: ActivityDeps = { ...at, pace: { ...at.pace, ...REAL_PACE } };
  const batchOf = async (id: string): Promise<Batch> => given(await readBatch(ledger().db, id));
  const begin = (phones: readonly string[], changes: object = {}) =>
    running(ledger(), phones, { ...SPEC, concurrency: phones.length, ...changes }, Date.now());
  return {
    deps,
    batchOf,
    begin,
    people: (count: number) => phoneNumbers(count, (from += 1_000)),
    dialsOf: (phones: readonly string[]) => phones.map((phone) => sandbox.dialLog.of(phone).length),
    talkFor(phones: readonly string[], talkMs: number): void {
      for (const phone of phones) sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: talkMs }]);
    },
    async comeOf(campaignId: string): Promise<string[]> {
      const found = await rows<{ came: string }>(
        ledger().db,
        sql`select coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid order by id`,
      );
      return found.map(({ came }) => came);
    },
    async toldOf(subject: string) {
      return (await listAttention(ledger().db, { resolved: false, subject, limit: 10 })).items;
    },
    /** What the platform shows, whatever is wrong with it. */
    async shownOf(batchId: string): Promise<BatchCall> {
      const platformId = given((await batchOf(batchId)).platformBatchId);
      sandbox.faults.clear();
      return platform.batchCalls.get(platformId);
    },
    /** A batch whose start was not answered and had no effect, at the moment when that is given up. */
    async doubtful(phones: readonly string[]): Promise<{ id: string; batchId: string }> {
      const id = await begin(phones);
      const [batchId = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId });
      sandbox.faults.add({ kind: "drop_before", route: ROUTES.start, times: 1 });
      await startBatch(deps, { batchId });
      await age(ledger(), id, deps.pace.startDoubtMs);
      return { id, batchId };
    },
    /** Looks at it, and lets the time pass in between, until something is so. Says how long that took. */
    async tendUntil(
      { id, batchId }: { id: string; batchId: string },
      boundMs: number,
      isSo: () => Promise<boolean> | boolean,
      looking: ActivityDeps = deps,
    ): Promise<number> {
      let tookMs = 0;
      while (!(await isSo())) {
        const step = await tendBatch(looking, { batchId });
        if (step.next === "done") break;
        const waitMs = Math.max(step.waitMs, SECOND_MS);
        await age(ledger(), id, waitMs);
        tookMs += waitMs;
        if (tookMs > boundMs) throw new Error(`it is not so after ${boundMs} ms`);
      }
      return tookMs;
    },
    isSettled: (batchId: string) => async () => (await batchOf(batchId)).state === "settled",
  };
}

export type Tending = ReturnType<typeof tending>;

/** The platform, with items of people whom it did not call that say that it refused to. */
export function refusing(platform: Platform): Platform {
  const { batchCalls } = platform;
  const told = { status: "failed", error_message: "Insufficient credits for this call", attempt_count: 0 };
  return {
    ...platform,
    batchCalls: {
      ...batchCalls,
      async *iterateItems(batchId, query, options) {
        for await (const item of batchCalls.iterateItems(batchId, query, options))
          yield ["pending", "cancelled"].includes(item.status ?? "") ? { ...item, ...told } : item;
      },
    },
  };
}
