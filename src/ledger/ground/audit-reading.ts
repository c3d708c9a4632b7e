import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { document, moment, number, optional, record, text, type RecordOf } from "./record.ts";
import { at } from "./sql.ts";

/*
 * The audit as people read it. Nothing is decided by it: what was done has columns of its own.
 */

const ENTRY = record({
  id: number,
  atMs: moment,
  actor: text,
  onBehalfOf: optional(text),
  action: text,
  campaignId: optional(text),
  detail: document<Record<string, unknown>>(),
});

export interface AuditRow extends RecordOf<typeof ENTRY> {}

export interface AuditFilter {
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  campaignId?: string | undefined;
  /** What says that it is of this brand, or is about a campaign of it. */
  brand?: string | undefined;
  /** Only what was written before this entry. */
  beforeId?: number | undefined;
  limit: number;
}

/** What was done by whom, the newest first. */
export function listAudit(db: Db, filter: AuditFilter): Promise<AuditRow[]> {
  const { sinceMs, untilMs, actor, action, campaignId, brand, beforeId } = filter;
  const where = sql.join(
    [
      sql`true`,
      ...(sinceMs === undefined ? [] : [sql`at >= ${at(sinceMs)}`]),
      ...(untilMs === undefined ? [] : [sql`at < ${at(untilMs)}`]),
      ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
      ...(action === undefined ? [] : [sql`action = ${action}`]),
      ...(campaignId === undefined ? [] : [sql`campaign_id = ${campaignId}::uuid`]),
      ...(brand === undefined
        ? []
        : [
            sql`(detail ->> 'brand' = ${brand} or campaign_id in (select c.id from campaigns c where c.brand = ${brand}))`,
          ]),
      ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
    ],
    sql` and `,
  );
  return rows(
    db,
    sql`select ${ENTRY.columns} from audit where ${where} order by id desc limit ${filter.limit}`,
    ENTRY,
  );
}
