import { sql } from "drizzle-orm";

import {
  isBeforeDialing,
  troubleInWords,
  type BatchTrouble,
  type TroubleBefore,
} from "../../domain/campaigns/batch-trouble.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import type { Batch } from "./batches.ts";
import { tellStalled } from "./campaign-stalls.ts";
import { readCampaign } from "./campaigns.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { at, ms } from "../ground/sql.ts";

/*
 * What the platform does not do for a batch, how long that goes on, and who is told. The one column says it to
 * planning, whose hold names it, and is what bounds are counted from: whoever looks at the batch next knows.
 */

/**
 * Notes that a batch is in trouble. The same trouble goes on from when it began; another begins now.
 *
 * @returns since when. Unix milliseconds.
 */
export async function recordTrouble(
  db: Db,
  batchId: string,
  trouble: BatchTrouble,
  nowMs: number,
): Promise<number> {
  const row = await firstRow<{ since_ms: number }>(
    db,
    sql`update batches set trouble = ${trouble},
          trouble_since = case when trouble = ${trouble} then trouble_since else ${at(nowMs)} end
        where id = ${batchId}::uuid returning ${ms(sql`trouble_since`)} as since_ms`,
  );
  return row?.since_ms ?? nowMs;
}

/** Batches at once of which the rest are woken by those. */
const WOKEN = 200;

/** Batches that the platform has not created in so many tries: their next one may be a while away. */
export async function listUncreated(db: Db, { triesAtLeast }: { triesAtLeast: number }): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from batches where state = 'planned' and trouble = 'not_created' and create_no >= ${triesAtLeast} order by planned_at limit ${WOKEN}`,
  );
  return found.map(({ id }) => id);
}

/** Forgets a batch's trouble and takes it off the list that people see. */
export async function clearTrouble(ledger: Ledger, batchId: string, nowMs: number): Promise<void> {
  await ledger.transaction(async (tx) => {
    if (!(await forgetTrouble(tx, batchId))) return;
    await resolveAttention(tx, {
      kind: "batch_stuck",
      subject: batchId,
      by: "engine",
      resolution: "the platform did what it was asked for",
      nowMs,
    });
  });
}

async function forgetTrouble(db: Db, batchId: string): Promise<boolean> {
  const forgotten = await rows(
    db,
    sql`update batches set trouble = null, trouble_since = null
        where id = ${batchId}::uuid and trouble is not null returning 1 as one`,
  );
  return forgotten.length > 0;
}

/** Tells people of a batch's trouble: of its campaign's, where the next batch would meet the same. */
export async function tellTrouble(
  db: Db,
  batch: Batch,
  input: { trouble: BatchTrouble; detail: string; nowMs: number },
): Promise<void> {
  const { trouble, detail, nowMs } = input;
  const campaign = await readCampaign(db, batch.campaignId);
  const { name, brand } = campaign ?? { name: batch.campaignId, brand: "default" };
  const words = troubleInWords(trouble);
  if (isBeforeDialing(trouble)) {
    await tellStalled(db, {
      campaignId: batch.campaignId,
      brand,
      summary: `campaign ${name} has batches ${words} (${detail})`,
      remedy: "see whether the platform works; the campaign goes on by itself once it does",
      nowMs,
    });
    return;
  }
  await raiseAttention(db, {
    kind: "batch_stuck",
    subject: batch.id,
    brand,
    summary: `a batch of campaign ${name} is one ${words} (${detail}); on the platform it is ${batch.platformBatchId ?? "not known"}`,
    remedy: REMEDIES[trouble],
    nowMs,
  });
}

const REMEDIES: Readonly<Record<Exclude<BatchTrouble, TroubleBefore>, string>> = {
  not_stopped:
    "stop it on the platform: until then it may go on calling people, and who is left in it ends as `unknown` in the end",
  not_deleted:
    "delete it on the platform: its people are then called in another batch, and end as `unknown` otherwise",
  vanished:
    "see whether the platform has it, and whether address and key are those of the right account: who is left in it ends as `unknown` in the end",
  unreadable: "see what the platform says of it: who is left in it ends as `unknown` in the end",
};

/** Tells people that a batch was given up, and what that means for its people: theirs to resolve from then on. */
export async function tellGivenUp(
  db: Db,
  batch: Batch,
  input: { why: string; people: number; nowMs: number },
): Promise<void> {
  const campaign = await readCampaign(db, batch.campaignId);
  const { name, brand } = campaign ?? { name: batch.campaignId, brand: "default" };
  await forgetTrouble(db, batch.id);
  await raiseAttention(db, {
    kind: "batch_stuck",
    subject: batch.id,
    brand,
    summary: `a batch of campaign ${name} was given up: ${input.why}; ${input.people} of its people count as called, as \`unknown\``,
    remedy: `look at batch ${batch.platformBatchId ?? batch.id} and its calls on the platform, then resolve this; nobody of it is called again by itself`,
    nowMs: input.nowMs,
  });
}

/**
 * Whether the campaign's last batches whose start was asked for, so many, all ended without a call: none showed as
 * begun, or the platform did not know them, or it dialed nobody of them.
 */
export async function lastNeverDialed(db: Db, campaignId: string, count: number): Promise<boolean> {
  const last = await rows<{ never: boolean }>(
    db,
    sql`select (b.stop_reason = 'start_not_seen' and b.start_seen_at is null
                or b.stop_reason = 'platform_refused' and b.start_refusal is not null
                or b.stop_reason = 'no_progress')
            and not exists (select 1 from attempts a
                            where a.batch_id = b.id and a.state = 'ended' and a.disposition <> 'unknown') as never
        from batches b
        where b.campaign_id = ${campaignId}::uuid and b.state = 'settled' and b.start_no > 0
        order by b.settled_at desc limit ${count}`,
  );
  return last.length === count && last.every(({ never }) => never);
}
