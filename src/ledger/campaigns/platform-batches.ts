import { sql } from "drizzle-orm";
import type { Db } from "../ground/connection.ts";
import { rows, firstRow } from "../ground/connection.ts";
import { listOf, ms } from "../ground/sql.ts";
/** What the ledger has of a platform batch. */
export interface KnownPlatformBatch {
  platformBatchId: string;
  batchId: string;
  campaignId: string;
  /** Its start was permitted. */
  started: boolean;
}

/** Platform batches whose ids the ledger has recorded. */
export function findPlatformBatches(
  db: Db,
  platformBatchIds: readonly string[],
): Promise<KnownPlatformBatch[]> {
  return rows<KnownPlatformBatch>(
    db,
    sql`select platform_batch_id as "platformBatchId", id as "batchId", campaign_id as "campaignId",
          start_sent_at is not null as started
        from batches where platform_batch_id in ${listOf(platformBatchIds, "text")}`,
  );
}

/** How many of the numbers belong to contacts whom the ledger would still dial, or is dialing. */
export async function countStillToDial(db: Db, phones: readonly string[]): Promise<number> {
  const row = await firstRow<{ n: number }>(
    db,
    sql`select count(distinct phone)::int as n from contacts
        where phone in ${listOf(phones, "text")} and state in ('open', 'leased')`,
  );
  return row?.n ?? 0;
}

/** The platform's clock and ours disagree by less than this wherever anything is dialed (30 s), by far. */
const CLOCK_MARGIN_MS = 2 * 60_000;

/**
 * The moment up to which starts of this installation are looked for no more where a sign is enough that the ledger is
 * older than reality: the newest start in it, where that is later than what `readProvenThrough` says. No proof: a
 * ledger that was restored may have started batches before anybody noticed, and a recovery that was refused has taken
 * over some, while others from before them are still missing. Unix milliseconds of the platform's clock.
 */
export async function readKnownThrough(db: Db): Promise<number> {
  const row = await firstRow<{ newest_ms: number | null }>(
    db,
    sql`select ${ms(sql`max(start_sent_at)`)} as newest_ms from batches`,
  );
  return Math.max((row?.newest_ms ?? 0) - CLOCK_MARGIN_MS, await readProvenThrough(db));
}

/**
 * The moment up to which every start of this installation is in the ledger, whatever it was restored from and has
 * begun since: a recovery that came to its end has seen all before it, and nothing precedes the installation itself.
 * Unix milliseconds of the platform's clock.
 */
export async function readProvenThrough(db: Db): Promise<number> {
  const row = await firstRow<{ recovered_ms: number | null; made_ms: number }>(
    db,
    sql`select ${ms(sql`recovered_at`)} as recovered_ms, ${ms(sql`created_at`)} as made_ms from installation`,
  );
  return row ? Math.max(row.made_ms - CLOCK_MARGIN_MS, row.recovered_ms ?? 0) : 0;
}
