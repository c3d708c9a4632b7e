import { sql } from "drizzle-orm";

import { listAttention, type Attention } from "../../src/ledger/ground/attention.ts";
import { readBatch, type Batch } from "../../src/ledger/campaigns/batches.ts";
import type { CampaignSpecInput } from "../../src/domain/campaigns/campaign-spec.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { create, freshPhones, permit, plan, running, start } from "../ledger/support/scenario.ts";
import { given } from "./ledgers.ts";
import type { ToldPlatform } from "./told-platform.ts";

/* Batches in the ledger, and what a platform would tell of them (told-platform.ts). */

export interface ToldBatch {
  id: string;
  batchId: string;
  phones: string[];
  nowMs: number;
}

/** An item of somebody whom nobody called, as the platform lists it. */
export const item = (phone: string | undefined, changes: object = {}): object => ({
  item_id: `item-${phone}`,
  phone_number: phone,
  status: "cancelled",
  attempt_count: 0,
  ...changes,
});

/** A call that is over, as the platform lists it. */
export const call = (phone: string | undefined, changes: object = {}): object => ({
  call_id: `call-${phone}`,
  to_number: phone,
  status: "ended",
  duration_seconds: 20,
  ...changes,
});

/** A batch of which nobody was called, as the platform shows it. */
export const shown = (batchId: string, status: string | undefined, changes: object = {}): object => ({
  batch_call_id: `platform-${batchId}`,
  status,
  active: 0,
  processed: 0,
  ...changes,
});

export function toldBatches(ledger: () => Ledger, platform: () => ToldPlatform) {
  /** A campaign whose first batch is planned, and has as many lines as people. */
  const planned = async (count: number, changes: Partial<CampaignSpecInput> = {}): Promise<ToldBatch> => {
    const phones = freshPhones(count);
    const { clock, told } = platform();
    const { nowMs } = clock;
    const id = await running(ledger(), phones, { concurrency: count, ...changes }, nowMs);
    const batchId = given((await plan(ledger(), id, nowMs)).batchIds[0]);
    told.items = phones.map((phone) => item(phone));
    return { id, batchId, phones, nowMs };
  };
  /** The same, which the platform has, and shows as not begun. */
  const created = async (count: number, changes: Partial<CampaignSpecInput> = {}): Promise<ToldBatch> => {
    const batch = await planned(count, changes);
    await create(ledger(), batch.batchId, batch.nowMs);
    platform().told.get = shown(batch.batchId, "pending");
    return batch;
  };
  return {
    planned,
    created,
    /** The same, whose start was permitted, and not confirmed. */
    starting: async (count: number): Promise<ToldBatch> => {
      const batch = await created(count);
      if ((await permit(ledger(), batch.batchId, batch.nowMs)).kind !== "permitted")
        throw new Error("its start is not permitted");
      return batch;
    },
    /** The same, whose start was confirmed. */
    begun: async (count: number, changes: Partial<CampaignSpecInput> = {}): Promise<ToldBatch> => {
      const batch = await planned(count, changes);
      await start(ledger(), batch.batchId, batch.nowMs);
      platform().told.get = shown(batch.batchId, "running");
      return batch;
    },
    batchOf: async (batchId: string): Promise<Batch> => given(await readBatch(ledger().db, batchId)),
    /** What people came to, or where they stand, in the order of the list. */
    comeOf: async (campaignId: string): Promise<string[]> => {
      const found = await rows<{ came: string }>(
        ledger().db,
        sql`select coalesce(outcome, state) as came from contacts where campaign_id = ${campaignId}::uuid order by id`,
      );
      return found.map(({ came }) => came);
    },
    /** Why attempts ended as they did, by number. */
    reasonsOf: async (campaignId: string): Promise<string[]> => {
      const found = await rows<{ why: string }>(
        ledger().db,
        sql`select disposition_reason as why from attempts
            where campaign_id = ${campaignId}::uuid and state = 'ended' order by phone`,
      );
      return found.map(({ why }) => why);
    },
    /** What people are told of it. */
    toldOf: async (subject: string): Promise<Attention[]> =>
      (await listAttention(ledger().db, { resolved: false, subject, limit: 10 })).items,
  };
}
