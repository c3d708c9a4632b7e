import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { at, json } from "./sql.ts";

export interface AuditEntry {
  nowMs: number;
  /** Who: `cli`, `api`, `engine`, or a name that the API was given. */
  actor: string;
  /** What, as a dotted word: `campaign.pause`. */
  action: string;
  campaignId?: string;
  detail: Record<string, unknown>;
}

/** Writes down who did what. Part of the transaction that does it. */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  await rows(
    tx,
    sql`insert into audit (at, actor, action, campaign_id, detail)
        values (${at(entry.nowMs)}, ${entry.actor}, ${entry.action}, ${entry.campaignId ?? null}::uuid, ${json(entry.detail)})`,
  );
}
