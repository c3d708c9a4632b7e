import { sql, type SQL } from "drizzle-orm";

import { readActorName } from "../../domain/ground/access.ts";
import { eventInsert, type NewEvent } from "./write-events.ts";
import { rows, type Db } from "./connection.ts";
import { personMark } from "./person-mark.ts";
import { at, json } from "./sql.ts";

export interface AuditEntry {
  nowMs: number;
  /** Who: `cli`, `api`, `engine`, a name that the API was given, or a token or a person (`actorName`). */
  actor: string;
  /** What, as a dotted word: `campaign.pause`. */
  action: string;
  campaignId?: string;
  detail: Record<string, unknown>;
  /** What is told of it to whoever follows along; absent: nothing. Its campaign is that of the entry. */
  event?: NewEvent | undefined;
}

/**
 * Writes down who did what. Part of the transaction that does it. Nothing is ever taken out of the audit, so that the
 * number of a person, in `detail.phone`, never gets into it: what stands there is its mark (person-mark.ts).
 */
export async function writeAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { actor, onBehalfOf } = readActorName(entry.actor);
  const { nowMs, campaignId, event } = entry;
  const written = sql`insert into audit (at, actor, on_behalf_of, action, campaign_id, detail)
        values (${at(nowMs)}, ${actor}, ${onBehalfOf ?? null}, ${entry.action}, ${campaignId ?? null}::uuid, ${withoutNumber(entry.detail)})`;
  await rows(
    tx,
    event === undefined
      ? written
      : sql`with told as (${eventInsert({ ...event, campaignId }, nowMs)}) ${written}`,
  );
}

function withoutNumber(detail: Record<string, unknown>): SQL {
  const { phone } = detail;
  if (typeof phone !== "string") return json(detail);
  // Whoever says why says it of somebody, now and then with the number.
  const said = Object.entries(detail).map(([name, value]): [string, unknown] => [
    name,
    typeof value === "string" ? value.replaceAll(phone, `***${phone.slice(-2)}`) : value,
  ]);
  const mark = sql`coalesce(${personMark(sql`${phone}`)}, '***')`;
  return sql`(${json(Object.fromEntries(said))} || jsonb_build_object('phone', ${mark}))`;
}
