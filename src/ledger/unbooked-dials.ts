import { sql } from "drizzle-orm";

import { writeAudit } from "./audit.ts";
import { firstRow, type Db } from "./connection.ts";
import { json } from "./sql.ts";

/*
 * Numbers that the platform may have dialed in a part of the ledger that was lost, and that recovery could book on
 * nobody: their campaign, or their place in it, is lost too. A callback or an enrolment that the ledger has as still
 * to be made may be what they were dialed for (I1): a person says. They stand in the audit.
 */

const NOTED = "recovery.unbooked";

/** Safe to repeat: a batch is noted once. */
export async function noteUnbookedDials(
  db: Db,
  input: { platformBatchId: string; phones: readonly string[]; nowMs: number },
): Promise<void> {
  const { platformBatchId, phones, nowMs } = input;
  if (phones.length === 0) return;
  const before = await firstRow(
    db,
    sql`select 1 as one from audit
        where campaign_id is null and action = ${NOTED} and detail ->> 'platformBatchId' = ${platformBatchId} limit 1`,
  );
  if (before) return;
  await writeAudit(db, { nowMs, actor: "engine", action: NOTED, detail: { platformBatchId, phones } });
}

/** The platform's batch in which a number was, unless a person had this action done again since that is known. */
export async function findUnbookedDial(
  db: Db,
  { phone, actionId }: { phone: string; actionId: string },
): Promise<string | undefined> {
  const row = await firstRow<{ batch: string }>(
    db,
    sql`select f.detail ->> 'platformBatchId' as batch from audit f
        where f.campaign_id is null and f.action = ${NOTED} and f.detail -> 'phones' @> ${json([phone])}
          and not exists (select 1 from audit p where p.campaign_id is null and p.id > f.id
                            and p.action in ('action.retry', 'action.replay') and p.detail ->> 'action' = ${actionId})
        order by f.id desc limit 1`,
  );
  return row?.batch;
}
