import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { document, from, moment, number, optional, record, text, type RecordOf } from "../ground/record.ts";

/*
 * The audit as people read it. Nothing is decided by it: what is state stands in columns of its own.
 */

const AUDITED = record(
  {
    id: number,
    atMs: moment,
    /** Who: `cli`, `api`, `engine`, or a name that the API was given. */
    actor: text,
    /** What, as a dotted word: `campaign.pause`. */
    action: text,
    campaignId: optional(text),
    campaign: optional(from("c.name", text)),
    run: optional(from("c.run", number)),
    brand: optional(from("c.brand", text)),
    detail: document<Record<string, unknown>>(),
  },
  "a",
);

export interface Audited extends RecordOf<typeof AUDITED> {}

export interface AuditFilter {
  campaignId: string | undefined;
  action: string | undefined;
  /** Go on with what was written down before this one. */
  beforeId: number | undefined;
  limit: number;
}

/** Who did what, the newest first; of one campaign, or one action, by an index. */
export function listAudit(db: Db, { campaignId, action, beforeId, limit }: AuditFilter): Promise<Audited[]> {
  return rows(
    db,
    sql`select ${AUDITED.columns} from audit a left join campaigns c on c.id = a.campaign_id
        where (${campaignId ?? null}::uuid is null or a.campaign_id = ${campaignId ?? null}::uuid)
          and (${action ?? null}::text is null or a.action = ${action ?? null}::text)
          and (${beforeId ?? null}::bigint is null or a.id < ${beforeId ?? null}::bigint)
        order by a.id desc limit ${limit}`,
    AUDITED,
  );
}
