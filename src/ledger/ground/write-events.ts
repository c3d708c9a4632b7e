import { sql, type SQL } from "drizzle-orm";

import type { EventData, EventTypeName } from "../../domain/ground/event-types.ts";
import { rows, type Db } from "./connection.ts";
import { at, json } from "./sql.ts";

/*
 * Events are written by the statement that makes them so, as a part of it: nothing happens without being told, nothing
 * is told that did not happen, and no statement is added to those of a batch. Of calls and contacts the rows hold keys
 * alone, some hundred bytes with their index.
 */

/** What happened, but for when. */
export type NewEvent = {
  [T in EventTypeName]: {
    type: T;
    data: EventData<T>;
    /** Absent: that of its campaign; without one, of none or of all. */
    brand?: string | undefined;
    campaignId?: string | undefined;
  };
}[EventTypeName];

/** What stands before the values of events, or a query for them: `event_era` is that of all that is written now. */
const ERA = sql`coalesce((select event_era from installation), 1)`;

/** As a part of a statement: calls that came to their disposition, of a query for `campaign_id, contact_id, id`. */
export function callsEnded(ended: SQL, nowMs: number): SQL {
  return sql`insert into events (era, at, type, campaign_id, contact_id, attempt_id)
    select ${ERA}, ${at(nowMs)}, 'call.ended', t.campaign_id, t.contact_id, t.id from (${ended}) t`;
}

/** As a part of a statement: contacts that came to their end, of a query for `campaign_id, id`. */
export function contactsFinished(finished: SQL, nowMs: number): SQL {
  return sql`insert into events (era, at, type, campaign_id, contact_id)
    select ${ERA}, ${at(nowMs)}, 'contact.finished', t.campaign_id, t.id from (${finished}) t`;
}

/** As a part of a statement: what a query for `type, brand, campaign_id, data` found. */
export function eventsFrom(found: SQL, nowMs: number): SQL {
  return sql`insert into events (era, at, type, brand, campaign_id, data)
    select ${ERA}, ${at(nowMs)}, t.type, t.brand, t.campaign_id, t.data from (${found}) t`;
}

/** As a part of a statement, one that is known beforehand. */
export function eventInsert({ type, brand, campaignId, data }: NewEvent, nowMs: number): SQL {
  return sql`insert into events (era, at, type, brand, campaign_id, data)
    values (${ERA}, ${at(nowMs)}, ${type}, ${brand ?? null}, ${campaignId ?? null}::uuid, ${json(data)})`;
}

/** By itself, where nothing else is written of it. Part of the transaction that makes it so. */
export async function writeEvent(tx: Db, event: NewEvent, nowMs: number): Promise<void> {
  await rows(tx, eventInsert(event, nowMs));
}
