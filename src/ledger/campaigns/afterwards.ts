import { sql } from "drizzle-orm";

import { firstRow, type Db } from "../ground/connection.ts";

/** What a campaign's calls have still to come, or have had: a campaign is over whatever of it is open. */
export interface Afterwards {
  followUps: {
    open: number;
    /** Those of the open ones of which an action has failed already. */
    openFailed: number;
    failed: number;
    done: number;
  };
  /** Callbacks that were promised, and wait for their time or are being made. */
  callbacks: { open: number };
}

/** All follow-ups of a campaign by how they stand. Reads each one's index entry and row: for a report. */
export async function readAfterwards(db: Db, campaignId: string): Promise<Afterwards> {
  const row = await firstRow<Afterwards["followUps"]>(
    db,
    sql`select count(*) filter (where ended_at is null)::int as open,
          count(*) filter (where ended_at is null and exists (select 1 from actions x
            where x.follow_up_id = f.id and x.state in ('failed', 'unknown')))::int as "openFailed",
          count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'done')::int as done
        from follow_ups f where campaign_id = ${campaignId}::uuid`,
  );
  return {
    followUps: row ?? { open: 0, openFailed: 0, failed: 0, done: 0 },
    callbacks: { open: await countOpenCallbacks(db, campaignId) },
  };
}

/** What goes on by itself. An index holds exactly the follow-ups that are open. */
export async function readOpenAfterwards(
  db: Db,
  campaignId: string,
): Promise<{ followUps: number; callbacks: number }> {
  const row = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from follow_ups where campaign_id = ${campaignId}::uuid and ended_at is null`,
  );
  return { followUps: row?.n ?? 0, callbacks: await countOpenCallbacks(db, campaignId) };
}

async function countOpenCallbacks(db: Db, campaignId: string): Promise<number> {
  const row = await firstRow<{ n: number }>(
    db,
    sql`select coalesce(sum(open_count + leased_count), 0)::int as n from campaigns where parent_id = ${campaignId}::uuid`,
  );
  return row?.n ?? 0;
}
