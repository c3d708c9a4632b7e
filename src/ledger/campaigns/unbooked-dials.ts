import { sql, type SQL } from "drizzle-orm";

import { writeAudit } from "../ground/audit.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import { at, json, ms } from "../ground/sql.ts";

/*
 * Numbers that the platform may have dialed in a part of the ledger that was lost, and that recovery could book on
 * nobody: their campaign, or their place in it, is lost too. A callback or an enrolment that the ledger has as still
 * to be made may be what they were dialed for (I1): a person says. Whoever leaves out people who were called lately
 * leaves them out. They stand in the audit, which has an index of them by number: audit_unbooked.
 */

/** As the condition of that index has it: no parameter, or a plan that is made once for all could not use it. */
const NOTED = sql.raw("'recovery.unbooked'");

/** Which entries name a number, by index. */
function names(entry: SQL, phones: SQL): SQL {
  return sql`${entry}.action = ${NOTED} and ${entry}.detail -> 'phones' @> ${phones}`;
}

/**
 * Safe to repeat: a batch is noted once.
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
  const { platformBatchId, phones, brand, nowMs } = input;
  const [first] = phones;
  if (first === undefined) return;
  const before = await firstRow(
    db,
    sql`select 1 as one from audit f
        where ${names(sql`f`, json([first]))} and f.detail ->> 'platformBatchId' = ${platformBatchId} limit 1`,
  );
  if (before) return;
  const dialedUntil = new Date(Math.min(input.dialedUntilMs ?? nowMs, nowMs)).toISOString();
  const detail = { platformBatchId, phones, ...(brand !== undefined && { brand }), dialedUntil };
  await writeAudit(db, { nowMs, actor: "engine", action: "recovery.unbooked", detail });
}

/** The platform's batch in which a number was, unless a person had this action done again since that is known. */
export async function findUnbookedDial(
  db: Db,
  { phone, actionId }: { phone: string; actionId: string },
): Promise<string | undefined> {
  const row = await firstRow<{ batch: string }>(
    db,
    sql`select f.detail ->> 'platformBatchId' as batch from audit f
        where ${names(sql`f`, json([phone]))}
          and not exists (select 1 from audit p where p.campaign_id is null and p.id > f.id
                            and p.action in ('action.retry', 'action.replay') and p.detail ->> 'action' = ${actionId})
        order by f.id desc limit 1`,
  );
  return row?.batch;
}

/**
 * When a number may have been dialed for the last time, within a query: Unix milliseconds, or null. What may have been
 * for any brand counts for each.
 */
export function unbookedDialOf(phone: SQL, { brand, sinceMs }: { brand: string; sinceMs: number }): SQL {
  const moment = sql`coalesce((f.detail ->> 'dialedUntil')::timestamptz, f.at)`;
  return sql`(select ${ms(sql`max(${moment})`)} from audit f
    where ${names(sql`f`, sql`jsonb_build_array(${phone})`)}
      and coalesce(f.detail ->> 'brand', ${brand}) = ${brand} and ${moment} > ${at(sinceMs)})`;
}
