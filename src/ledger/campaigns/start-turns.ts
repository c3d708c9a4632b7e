import { sql } from "drizzle-orm";

import { IN_THE_AIR_MS, waitForTurn, type CallRate } from "../../domain/campaigns/call-rate.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, ms } from "../ground/sql.ts";
import { lockForAll } from "./account-locks.ts";

/*
 * Whose start is next where calls begin at a rate (domain/campaigns/call-rate.ts). What has begun stands in the batches
 * themselves, and nowhere else.
 */

/** How long a batch has to wait for its turn, as far as that can be foreseen. 0: it may be its turn. */
export async function foreseeTurn(
  db: Db,
  input: { batchId: string; rate: CallRate; nowMs: number },
): Promise<number> {
  const waiting = await firstRow<{ calls: number; ahead: number }>(
    db,
    // Those that callbacks and sequences wait for go first, and then whoever was created first. One that waits for
    // something else, or was asked to stop, keeps nobody waiting.
    sql`with own as (
          select b.id, b.size, b.created_at, c.standing from batches b join campaigns c on c.id = b.campaign_id
          where b.id = ${input.batchId}::uuid and b.state = 'created')
        select own.size as calls,
          (select coalesce(sum(b.size), 0)::int from batches b join campaigns c on c.id = b.campaign_id
            where b.state = 'created' and b.id <> own.id and b.stop_reason is null and b.start_refusal is null
              and b.trouble is null and c.state = 'running'
              and (not c.standing, b.created_at, b.id) < (not own.standing, own.created_at, own.id)) as ahead
        from own`,
  );
  // It is not waiting for its start any more.
  if (!waiting) return 0;
  return waitForTurn(input.rate, { ...waiting, sent: await readSent(db, input), nowMs: input.nowMs });
}

/** How long these calls have to wait at least; 0: it is their turn, until the end of the transaction. */
export async function takeTurn(
  tx: Db,
  input: { batchId: string; calls: number; rate: CallRate; nowMs: number },
): Promise<number> {
  await lockForAll(tx, "starts");
  return waitForTurn(input.rate, { ...input, ahead: 0, sent: await readSent(tx, input) });
}

async function readSent(
  db: Db,
  { batchId, rate, nowMs }: { batchId: string; rate: CallRate; nowMs: number },
): Promise<{ calls: number; sentAtMs: number; seenAtMs: number | undefined }[]> {
  const sent = await rows<{ calls: number; sent_ms: number; seen_ms: number | null }>(
    db,
    sql`select size as calls, ${ms(sql`start_sent_at`)} as sent_ms, ${ms(sql`start_seen_at`)} as seen_ms from batches
        where start_sent_at > ${at(nowMs - rate.withinMs - IN_THE_AIR_MS)} and id <> ${batchId}::uuid`,
  );
  return sent.map((row) => ({
    calls: row.calls,
    sentAtMs: row.sent_ms,
    seenAtMs: row.seen_ms ?? undefined,
  }));
}
