import { sql, type SQL } from "drizzle-orm";

import { writeAudit } from "../ground/audit.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, listOf, ms } from "../ground/sql.ts";

/*
 * Numbers that the platform may have dialed in a part of the ledger that was lost, and that recovery could book on
 * nobody: their campaign, or their place in it, is lost too. A callback or an enrolment that the ledger has as still
 * to be made may be what they were dialed for (I1): a person says. Whoever leaves out people who were called lately
 * leaves them out.
 */

/**
 * Safe to repeat: a number is noted once for a batch.
 *
 * @param input.brand whose campaign it was; undefined: nobody knows
 * @param input.dialedUntilMs when its last call ended at the latest; undefined: now
 */
export async function noteUnbookedDials(
  db: Db,
  input: {
    platformBatchId: string;
    phones: readonly string[];
    brand?: string;
    dialedUntilMs?: number | undefined;
    nowMs: number;
  },
): Promise<void> {
  const { platformBatchId, brand, nowMs } = input;
  const dialedUntilMs = Math.min(input.dialedUntilMs ?? nowMs, nowMs);
  const noted = await rows<{ phone: string }>(
    db,
    sql`insert into unbooked_dials (phone, platform_batch_id, brand, dialed_until, noted_at)
        select distinct p.phone, ${platformBatchId}, ${brand ?? null}, ${at(dialedUntilMs)}, ${at(nowMs)}
        from ${listOf(input.phones, "text")} as p(phone)
        on conflict do nothing returning phone`,
  );
  if (noted.length === 0) return;
  const dialedUntil = new Date(dialedUntilMs).toISOString();
  const detail = {
    platformBatchId,
    numbers: noted.length,
    ...(brand !== undefined && { brand }),
    dialedUntil,
  };
  await writeAudit(db, { nowMs, actor: "engine", action: "recovery.unbooked", detail });
}

/**
 * The platform's batch in which a number was, as far as that became known since a moment: before it, a person knew of
 * it who wanted something done all the same.
 */
export async function findUnbookedDial(
  db: Db,
  { phone, sinceMs = 0 }: { phone: string; sinceMs?: number | undefined },
): Promise<string | undefined> {
  const row = await firstRow<{ batch: string }>(
    db,
    sql`select platform_batch_id as batch from unbooked_dials
        where phone = ${phone} and noted_at >= ${at(sinceMs)} order by noted_at desc limit 1`,
  );
  return row?.batch;
}

/**
 * When a number may have been dialed for the last time, within a query: Unix milliseconds, or null. What may have been
 * for any brand counts for each.
 */
export function unbookedDialOf(phone: SQL, { brand, sinceMs }: { brand: string; sinceMs: number }): SQL {
  return sql`(select ${ms(sql`max(f.dialed_until)`)} from unbooked_dials f
    where f.phone = ${phone} and coalesce(f.brand, ${brand}) = ${brand} and f.dialed_until > ${at(sinceMs)})`;
}
