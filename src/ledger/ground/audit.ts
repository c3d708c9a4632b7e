import { sql } from "drizzle-orm";

import { readActorName } from "../../domain/ground/access.ts";
import { eventInsert, type NewEvent } from "../events/write-events.ts";
import { rows, type Db } from "./connection.ts";
import { at, json } from "./sql.ts";

export interface AuditEntry {
  nowMs: number;
  /** Who: `cli`, `api`, `engine`, a name that the API was given, or a token (`actorName`). */
  actor: string;
  /** What, as a dotted word: `campaign.pause`. */
  action: string;
  campaignId?: string;
  detail: Record<string, unknown>;
  /** What is told of it to whoever follows along; absent: nothing. Its campaign is that of the entry. */
  event?: NewEvent | undefined;
}

/** Writes down who did what. Part of the transaction that does it. */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { actor, onBehalfOf } = readActorName(entry.actor);
  const { nowMs, campaignId, event } = entry;
  const written = sql`insert into audit (at, actor, on_behalf_of, action, campaign_id, detail)
        values (${at(nowMs)}, ${actor}, ${onBehalfOf ?? null}, ${entry.action}, ${campaignId ?? null}::uuid, ${json(entry.detail)})`;
  await rows(
    tx,
    event === undefined
      ? written
      : sql`with told as (${eventInsert({ ...event, campaignId }, nowMs)}) ${written}`,
  );
}
