import { sql } from "drizzle-orm";

import type { AttentionKind } from "../../domain/ground/attention.ts";
import { noticeSchema, SHOWN_IN_FULL, type Notice, type NoticeItem } from "../../domain/notices/notice.ts";
import { NOTICE_WORDS, type NoticeWord } from "../../domain/notices/turn.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import {
  document,
  from,
  moment,
  number,
  optional,
  record,
  text,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";

/*
 * Messages of routes. Everything here is in a transaction that has locked the route.
 *
 * 1. A message is written down, with what it says, before it is sent: a process that dies has it sent again, the same
 *    under the same id.
 * 2. What it tells counts as told once it was delivered. Of one that is given up everything is decided anew.
 * 3. While one is open, what it tells is not decided upon; when it ends, its entries are looked at again.
 */

const MESSAGE = record({
  id: text,
  notice: document((value) => noticeSchema.parse(value)),
  createdAtMs: moment,
  /** Begun, with the present one. */
  tries: number,
  error: optional(text),
  outcome: optional(word<"delivered" | "given_up">()),
  endedAtMs: optional(moment),
});

export interface Message extends RecordOf<typeof MESSAGE> {}

/** Kept for whoever asks what was sent. */
const KEPT_MS = 7 * 86_400_000;

export function openMessage(tx: Db, routeId: number): Promise<Message | undefined> {
  return firstRow(
    tx,
    sql`select ${MESSAGE.columns} from notices where route_id = ${routeId} and ended_at is null`,
    MESSAGE,
  );
}

/** The newest messages of a route, newest first. */
export function listMessages(db: Db, routeId: number, limit: number): Promise<Message[]> {
  return rows(
    db,
    sql`select ${MESSAGE.columns} from notices where route_id = ${routeId} order by created_at desc limit ${limit}`,
    MESSAGE,
  );
}

/** Notes that a message is about to be sent. */
export async function beginTry(tx: Db, messageId: string): Promise<void> {
  await rows(tx, sql`update notices set tries = tries + 1 where id = ${messageId}::uuid`);
}

/** What waits to be told by a route: how much of each word and kind, and the first of them in full. */
export interface Waiting {
  counts: { word: NoticeWord; kind: AttentionKind; n: number }[];
  items: NoticeItem[];
}

const ITEM = record(
  {
    word: from("t.word", word<NoticeWord>()),
    id: number,
    kind: word<AttentionKind>(),
    subject: text,
    brand: text,
    summary: text,
    remedy: text,
    sinceMs: from("round(extract(epoch from a.at) * 1000)::float8", number),
    times: number,
    acknowledgedBy: optional(text),
    acknowledgedUntilMs: optional(moment),
    resolvedBy: optional(text),
    resolution: optional(text),
  },
  "a",
);

/** New things first: whatever is cut off is said by its count. */
export async function readWaiting(tx: Db, routeId: number): Promise<Waiting> {
  const counts = await rows<{ word: NoticeWord; kind: AttentionKind; n: number }>(
    tx,
    sql`select word, kind, count(*)::int as n from attention_told
        where route_id = ${routeId} and word is not null and notice_id is null
        group by word, kind order by kind`,
  );
  if (counts.length === 0) return { counts, items: [] };
  counts.sort((a, b) => NOTICE_WORDS.indexOf(a.word) - NOTICE_WORDS.indexOf(b.word));
  const items = await rows(
    tx,
    sql`select ${ITEM.columns} from attention_told t join attention a on a.id = t.about
        where t.route_id = ${routeId} and t.word is not null and t.notice_id is null
        order by case t.word when 'problem' then 0 when 'again' then 1 when 'reminder' then 2 when 'acknowledged' then 3 else 4 end, a.id
        limit ${SHOWN_IN_FULL}`,
    ITEM,
  );
  return { counts, items };
}

/** Writes a message down, which takes up all that waits to be told by its route. */
export async function writeMessage(
  tx: Db,
  { routeId, notice, nowMs }: { routeId: number; notice: Notice; nowMs: number },
): Promise<void> {
  await rows(
    tx,
    sql`insert into notices (id, route_id, notice, created_at)
        values (${notice.id}::uuid, ${routeId}, ${json(notice)}, ${at(nowMs)})`,
  );
  await rows(
    tx,
    sql`update attention_told t set notice_id = ${notice.id}::uuid, about_times = a.times, about_acknowledged_at = a.acknowledged_at
        from attention a where a.id = t.about and t.route_id = ${routeId} and t.word is not null and t.notice_id is null`,
  );
}

/** Takes back what waits to be told, but for these kinds: it is decided anew. */
export async function takeBackWaiting(
  tx: Db,
  { routeId, but, nowMs }: { routeId: number; but: readonly string[]; nowMs: number },
): Promise<void> {
  await rows(
    tx,
    sql`update attention set notice_at = ${at(nowMs)}
        where id in (select a.id from attention a join attention_told t on t.about = a.id
          where t.route_id = ${routeId} and t.word is not null and t.notice_id is null
            and t.kind not in ${listOf(but, "text")} for no key update of a skip locked)`,
  );
  await rows(
    tx,
    sql`update attention_told set word = null
        where route_id = ${routeId} and word is not null and notice_id is null and kind not in ${listOf(but, "text")}`,
  );
}

/** A message was delivered: what it says is told. */
export async function endDelivered(
  tx: Db,
  { routeId, message, nowMs }: { routeId: number; message: Message; nowMs: number },
): Promise<void> {
  await endMessage(tx, { id: message.id, outcome: "delivered", error: undefined, nowMs });
  await lookAgainAt(tx, message.id, nowMs);
  await rows(
    tx,
    sql`update attention_told set
          entry_id = case word when 'resolved' then null else about end,
          told_at = case when word in ('problem', 'again', 'reminder') then ${at(message.createdAtMs)} else told_at end,
          times = case when word in ('problem', 'again', 'reminder') then about_times else times end,
          tellings = case when word in ('problem', 'again') then tellings + 1 else tellings end,
          reminders = case word when 'problem' then 0 when 'again' then 0 when 'reminder' then reminders + 1 else reminders end,
          acknowledged_at = case word when 'acknowledged' then about_acknowledged_at else acknowledged_at end,
          word = null, about = null, notice_id = null, about_times = null, about_acknowledged_at = null
        where notice_id = ${message.id}::uuid`,
  );
  await rows(
    tx,
    sql`delete from notices where route_id = ${routeId} and created_at < ${at(nowMs - KEPT_MS)} and ended_at is not null`,
  );
}

/** A try of it failed, and another one follows. */
export async function noteFailedTry(tx: Db, messageId: string, error: string): Promise<void> {
  await rows(tx, sql`update notices set error = ${error} where id = ${messageId}::uuid`);
}

/** Gives up the message of a route that is open, if one is: what it says is decided anew. */
export async function giveUpOpen(
  tx: Db,
  { routeId, why, nowMs }: { routeId: number; why: string; nowMs: number },
): Promise<void> {
  const open = await openMessage(tx, routeId);
  if (!open) return;
  await endMessage(tx, { id: open.id, outcome: "given_up", error: why, nowMs });
  await lookAgainAt(tx, open.id, nowMs);
  await rows(
    tx,
    sql`update attention_told set word = null, about = null, notice_id = null, about_times = null, about_acknowledged_at = null
        where notice_id = ${open.id}::uuid`,
  );
}

async function endMessage(
  tx: Db,
  { id, outcome, error, nowMs }: { id: string; outcome: string; error: string | undefined; nowMs: number },
): Promise<void> {
  await rows(
    tx,
    sql`update notices set outcome = ${outcome}, ended_at = ${at(nowMs)}, error = coalesce(${error ?? null}::text, error)
        where id = ${id}::uuid`,
  );
}

/**
 * Has what a message is about looked at again: the entries that it names, and those that are open about the same. Rows
 * that somebody has locked are left to them: whoever changes an entry has it looked at.
 */
async function lookAgainAt(tx: Db, messageId: string, nowMs: number): Promise<void> {
  await rows(
    tx,
    sql`update attention set notice_at = ${at(nowMs)}
        where id in (select a.id from attention a where a.id in (
            select t.about from attention_told t where t.notice_id = ${messageId}::uuid
            union
            select o.id from attention_told t join attention o on o.kind = t.kind and o.subject = t.subject and o.resolved_at is null
            where t.notice_id = ${messageId}::uuid)
          for no key update skip locked)`,
  );
}

/** Beyond the longest time for which something is gathered (domain/notices/route.ts). */
const FORGOTTEN_MS = 25 * 3_600_000;

/** Of what came to its end a day ago, and did not come again, nothing is kept. In a transaction that has locked all routes. */
export async function forgetOver(tx: Db, nowMs: number): Promise<void> {
  await rows(
    tx,
    sql`delete from attention_told
        where entry_id is null and word is null and (told_at < ${at(nowMs - FORGOTTEN_MS)} or told_at is null)`,
  );
}
