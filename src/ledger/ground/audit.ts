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

/**
 * A page asks again whenever something happens to what it shows, and a player for one part after the other. A look of
 * another hour is another one.
 */
export const SAME_LOOK_MS = 60 * 60_000;

/**
 * Writes down that somebody looked at something, unless the same look of theirs was written less than `withinMs` ago: a
 * page that is left open looks again and again, and nothing is ever taken out of the audit. The same is of the same
 * actor, for the same, at all that `detail` says. Two in one moment may both be written.
 *
 * The audit itself is asked, and no memory of the process: several processes serve the same pages. It reads what
 * is written of that person, by `audit_person`, or of that stretch of time, by `audit_at`.
 */
export async function writeLook(
  tx: Db,
  entry: Omit<AuditEntry, "event" | "campaignId">,
  withinMs: number,
): Promise<void> {
  const { actor, onBehalfOf } = readActorName(entry.actor);
  const { nowMs, action } = entry;
  await rows(
    tx,
    sql`with look as materialized (
          select ${actor}::text as actor, ${onBehalfOf ?? null}::text as on_behalf_of,
                 ${withoutNumber(entry.detail)} as detail)
        insert into audit (at, actor, on_behalf_of, action, detail)
        select ${at(nowMs)}, look.actor, look.on_behalf_of, ${action}, look.detail
        from look
        where not exists (
          select from audit before
          where before.at > ${at(nowMs - withinMs)} and before.at <= ${at(nowMs)} and before.action = ${action}
            and before.actor = look.actor and before.on_behalf_of is not distinct from look.on_behalf_of
            and before.detail ->> 'phone' = look.detail ->> 'phone' and before.detail = look.detail)`,
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
