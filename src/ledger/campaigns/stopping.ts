import { sql } from "drizzle-orm";

import { requestStopOfAll } from "./batches.ts";
import { lockCampaignIfFree } from "./campaigns.ts";
import { elapsedMs } from "../../domain/time/elapsed.ts";
import { firstRow, LedgerUnavailableError, rows, type Db, type Ledger } from "../ground/connection.ts";
import { readInstallation, stopEverything } from "../ground/installation.ts";
import { at } from "../ground/sql.ts";

/*
 * Stopping everything (I2). The order makes it safe, and nobody's lock can hold it up:
 *
 * 1. The stop is written down: one row, which nobody holds for longer than a statement. Whoever permits a start
 *    reads it in that transaction, and once more when that is committed and nothing has been sent yet: so a start
 *    is either refused, or its batch is in the ledger as `starting` by the time that 2 looks.
 * 2. Batches that may be dialing are read without a lock, and paused on the platform.
 * 3. Each campaign's batches are asked to stop under its lock, where that is free. One that is held is passed over
 *    and comes again: what is left to do follows from the ledger alone, so anybody may go on with it.
 */

/** The row is held by statements of milliseconds. A holder that died in its own is waited for by nobody. */
const RECORD_TRIES = 3;

/** Writes the stop down. From its return on no start is permitted anywhere. @throws LedgerUnavailableError */
export async function recordStop(
  ledger: Ledger,
  input: { actor: string; reason: string; nowMs: number },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ledger.urgent.transaction((tx) => stopEverything(tx, input));
    } catch (error) {
      if (!(error instanceof LedgerUnavailableError) || attempt === RECORD_TRIES) throw error;
    }
  }
}

/** Whether `stop-all` is in force. */
export async function isEverythingStopped(db: Db): Promise<boolean> {
  return (await readInstallation(db)).stopped !== undefined;
}

/** Batches that are under way; those that may be dialing come first, and of them those that began last. */
export async function listToHalt(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from batches where state <> 'settled' order by start_sent_at desc nulls last, id desc`,
  );
  return found.map(({ id }) => id);
}

/** Those of them whose start was permitted. */
export async function listMayDial(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from batches where state <> 'settled' and start_sent_at is not null order by start_sent_at, id`,
  );
  return found.map(({ id }) => id);
}

/** Batches that may dial, with their campaigns; the oldest come first. */
export async function listDialing(db: Db, limit: number): Promise<{ batchId: string; campaignId: string }[]> {
  return rows(
    db,
    sql`select id as "batchId", campaign_id as "campaignId" from batches
        where state <> 'settled' and start_sent_at is not null order by start_sent_at, id limit ${limit}`,
  );
}

/** Those of them that were to have stopped by then: somebody asked, or their time was over. The oldest come first. */
export async function listOverdueStops(db: Db, beforeMs: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from batches
        where state <> 'settled' and start_sent_at is not null and terminal_seen_at is null
          and least(stop_requested_at, dial_by) <= ${at(beforeMs)}
        order by least(stop_requested_at, dial_by), id`,
  );
  return found.map(({ id }) => id);
}

/** How many batches may be dialing, and their attempts that have no end yet. */
export async function countMayDial(db: Db): Promise<{ batches: number; attempts: number }> {
  const found = await firstRow<{ batches: number; attempts: number }>(
    db,
    sql`select count(distinct b.id)::int as batches, count(a.batch_id)::int as attempts
        from batches b left join attempts a on a.batch_id = b.id and a.state = 'open'
        where b.state <> 'settled' and b.start_sent_at is not null`,
  );
  return found ?? { batches: 0, attempts: 0 };
}

/** A campaign whose batches were not all asked to stop yet. */
export interface Unstopped {
  id: string;
  name: string;
  /** Why not, for the log. */
  why: string;
}

function listUnstopped(db: Db): Promise<Omit<Unstopped, "why">[]> {
  return rows(
    db,
    sql`select c.id, c.name from campaigns c
        where c.id in (select campaign_id from batches where state <> 'settled' and stop_reason is null)
        order by c.created_at, c.id`,
  );
}

/**
 * Asks the batches of every campaign to stop, as long as the stop is in force, each in a transaction of its own:
 * no failure of one keeps another from it.
 *
 * @param input.forMs how long it goes on: whoever has not had a turn by then is among those that are returned
 * @param left those that are not asked yet, for somebody who does not wait for the end
 * @returns those that could not be asked, most of them because somebody holds them. Their turn comes again.
 */
export async function stopWhatIsFree(
  ledger: Ledger,
  { now, forMs }: { now: () => number; forMs: number },
  left = new Map<string, Unstopped>(),
): Promise<Unstopped[]> {
  const begunMs = now();
  const unstopped = await listUnstopped(ledger.urgent.db);
  left.clear();
  for (const campaign of unstopped) left.set(campaign.id, { ...campaign, why: "there was no time for it" });
  for (const campaign of unstopped) {
    if (elapsedMs(now(), begunMs) >= forMs) break;
    try {
      const isDone = await stopBatchesOf(ledger, campaign.id, now());
      if (isDone) left.delete(campaign.id);
      else left.set(campaign.id, { ...campaign, why: "its row is held" });
    } catch (error) {
      left.set(campaign.id, { ...campaign, why: String(error) });
    }
  }
  return [...left.values()];
}

async function stopBatchesOf(ledger: Ledger, campaignId: string, nowMs: number): Promise<boolean> {
  return ledger.urgent.transaction(async (tx) => {
    // Lifted meanwhile: what was not stopped goes on.
    if (!(await isEverythingStopped(tx))) return true;
    const campaign = await lockCampaignIfFree(tx, campaignId);
    if (!campaign) return false;
    await requestStopOfAll(tx, { campaign, reason: "stop_all", nowMs });
    return true;
  });
}
