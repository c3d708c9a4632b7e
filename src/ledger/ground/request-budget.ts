import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "./connection.ts";
import { at, ms } from "./sql.ts";

/*
 * What processes that use one key of the platform tell each other (domain: platform/limiter.ts): the last refusal, and
 * how many of them there are.
 */

/** A request that the platform refused as one too many. Unix milliseconds. */
export interface SharedRefusal {
  beganAtMs: number;
  heldUntilMs: number;
}

/** Later than this from now no request has begun: whoever says so has another clock. */
export const FROM_NOW_MS = 5_000;

/**
 * Tells the others. An older one changes nothing but how long all are held; one that is said to begin in the future, by a
 * clock that is ahead, gives way to any.
 */
export async function shareRefusal(db: Db, refusal: SharedRefusal, nowMs: number): Promise<void> {
  const isFuture = sql`r.began_at > ${at(nowMs + FROM_NOW_MS)}`;
  await rows(
    db,
    sql`insert into platform_refusal as r (began_at, held_until) values (${at(refusal.beganAtMs)}, ${at(refusal.heldUntilMs)})
        on conflict (one) do update set
          began_at = case when ${isFuture} then excluded.began_at else greatest(r.began_at, excluded.began_at) end,
          held_until = case when ${isFuture} then excluded.held_until else greatest(r.held_until, excluded.held_until) end
        where r.began_at < excluded.began_at or r.held_until < excluded.held_until or ${isFuture}`,
  );
}

export async function readRefusal(db: Db): Promise<SharedRefusal | undefined> {
  const row = await firstRow<{ began_ms: number; held_ms: number }>(
    db,
    sql`select ${ms(sql`began_at`)} as began_ms, ${ms(sql`held_until`)} as held_ms from platform_refusal`,
  );
  return row && { beganAtMs: row.began_ms, heldUntilMs: row.held_ms };
}

/** Says that a process sends requests, for so long. Resolves with how many do, this one included. */
export async function countSenders(
  db: Db,
  input: { holder: string; termMs: number; nowMs: number },
): Promise<number> {
  const { holder, termMs, nowMs } = input;
  await rows(
    db,
    sql`with gone as (
          delete from senders where holder <> ${holder} and expires_at < ${at(nowMs - termMs)})
        insert into senders (holder, expires_at) values (${holder}, ${at(nowMs + termMs)})
        on conflict (holder) do update set expires_at = excluded.expires_at`,
  );
  const row = await firstRow<{ senders: number }>(
    db,
    sql`select count(*)::int as senders from senders where expires_at > ${at(nowMs)}`,
  );
  return Math.max(1, row?.senders ?? 1);
}

/** One that ends leaves its part to the others at once. */
export async function leaveSenders(db: Db, holder: string): Promise<void> {
  await rows(db, sql`delete from senders where holder = ${holder}`);
}
