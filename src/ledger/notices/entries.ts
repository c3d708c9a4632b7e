import { sql } from "drizzle-orm";

import type { AttentionKind } from "../../domain/ground/attention.ts";
import { quietUntil } from "../../domain/notices/quiet-hours.ts";
import { noticeTurn, type EntrySeen, type NoticeWord, type Told } from "../../domain/notices/turn.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { flag, from, moment, number, optional, record, text, word } from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";
import { lockRoutes, type Route } from "./routes.ts";

/*
 * Entries that changed, or whose time has come, held against every route. What comes of it is a row of
 * `attention_told` with a word in it, which a message takes up (messages.ts).
 */

/** One transaction holds so many, against 50 routes at most: some ten milliseconds of this process. */
const AT_ONCE = 200;

/** In one pass; the next one comes within seconds. */
const MOST_CHUNKS = 50;

/** What there is to do now; two probes of indexes where there is nothing, and none where nobody is to be told. */
export async function noticesDue(
  db: Db,
  nowMs: number,
): Promise<{ areEntries: boolean; areRoutes: boolean }> {
  const due = await firstRow<{ entries: boolean; routes: boolean }>(
    db,
    sql`select exists (select 1 from attention where notice_at <= ${at(nowMs)}) as entries,
          exists (select 1 from attention_routes where next_at <= ${at(nowMs)} and removed_at is null) as routes
        from attention_routes where removed_at is null limit 1`,
  );
  return { areEntries: due?.entries === true, areRoutes: due?.routes === true };
}

/** Decides for all entries that are due what each route tells of them. Safe to repeat, and to be done by two. */
export async function lookAtEntries(ledger: Ledger, now: () => number): Promise<void> {
  for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
    const looked = await ledger.transaction((tx) => lookAtSome(tx, now()));
    if (looked < AT_ONCE) return;
  }
}

const ENTRY = record({
  id: number,
  kind: word<AttentionKind>(),
  subject: text,
  brand: text,
  times: number,
  acknowledgedAtMs: optional(moment),
  acknowledgedUntilMs: optional(moment),
  resolvedAtMs: optional(moment),
});

const TOLD = record({
  routeId: number,
  kind: text,
  subject: text,
  entryId: optional(number),
  atMs: from("round(extract(epoch from told_at) * 1000)::float8", optional(number)),
  times: number,
  tellings: number,
  reminders: number,
  acknowledgedAtMs: optional(moment),
  isUnderWay: from("notice_id is not null", flag),
});

async function lookAtSome(tx: Db, nowMs: number): Promise<number> {
  // Whoever else looks waits here: of two entries about the same, the later one is decided upon later.
  const routes = await lockRoutes(tx);
  // Whoever declares the first one finds no entry locked here, and leaves none out.
  if (routes.length === 0) return 0;
  const entries = await rows(
    tx,
    sql`select ${ENTRY.columns} from attention where notice_at <= ${at(nowMs)}
        order by id limit ${AT_ONCE} for no key update skip locked`,
    ENTRY,
  );
  if (entries.length === 0) return 0;
  const decided = decide(routes, entries, await readTold(tx, entries), nowMs);
  await writeWords(tx, decided.words);
  await rows(
    tx,
    sql`update attention a set notice_at = to_timestamp(v.look_at / 1000.0)
        from jsonb_to_recordset(${json(decided.looks)}) as v(id bigint, look_at float8) where a.id = v.id`,
  );
  // One that fails waits for its next try; one that sends, for the end of that.
  await rows(
    tx,
    sql`update attention_routes set next_at = ${at(nowMs)}
        where id in ${listOf(decided.telling, "int")} and next_at is null`,
  );
  return entries.length;
}

type ToldRow = Told & { routeId: number; kind: string; subject: string };

function readTold(tx: Db, entries: readonly { kind: string; subject: string }[]): Promise<ToldRow[]> {
  return rows(
    tx,
    sql`select ${TOLD.columns} from attention_told
        where (kind, subject) in (select v.kind, v.subject from jsonb_to_recordset(${json(entries.map(({ kind, subject }) => ({ kind, subject })))}) as v(kind text, subject text))`,
    TOLD,
  );
}

interface Word {
  route_id: number;
  kind: string;
  subject: string;
  word: NoticeWord | null;
  about: number;
}

interface Decided {
  /** Of each route and subject the newest. */
  words: Word[];
  looks: { id: number; look_at: number | null }[];
  /** Routes that have something to tell. */
  telling: number[];
}

/** @param entries by their ids: of those about the same, the newest decides */
function decide(
  routes: readonly Route[],
  entries: readonly EntrySeen[],
  told: readonly ToldRow[],
  nowMs: number,
): Decided {
  const known = new Map(told.map((row) => [keyOf(row.routeId, row), row]));
  const quiet = new Map(
    routes.map(({ id, definition: { quiet_hours: hours } }) => [id, hours && quietUntil(hours, nowMs)]),
  );
  const words = new Map<string, Word>();
  const looks = entries.map((entry) => {
    let lookAtMs = Number.POSITIVE_INFINITY;
    for (const route of routes) {
      const key = keyOf(route.id, entry);
      const row = known.get(key);
      if (row?.isUnderWay === true) continue;
      const turn = noticeTurn(route.definition, entry, row, { nowMs, quietUntilMs: quiet.get(route.id) });
      lookAtMs = Math.min(lookAtMs, turn.lookAtMs ?? Number.POSITIVE_INFINITY);
      // A row that is there may hold a word from before.
      if (turn.word !== undefined || row !== undefined || words.has(key))
        words.set(key, {
          route_id: route.id,
          kind: entry.kind,
          subject: entry.subject,
          word: turn.word ?? null,
          about: entry.id,
        });
    }
    return { id: entry.id, look_at: Number.isFinite(lookAtMs) ? lookAtMs : null };
  });
  const all = [...words.values()];
  const telling = [...new Set(all.flatMap(({ word: said, route_id: id }) => (said === null ? [] : [id])))];
  return { words: all, looks, telling };
}

function keyOf(routeId: number, { kind, subject }: { kind: string; subject: string }): string {
  return JSON.stringify([routeId, kind, subject]);
}

/** What is to be told of a newer entry about the same is not replaced by what becomes of an older one. */
async function writeWords(tx: Db, words: readonly Word[]): Promise<void> {
  if (words.length === 0) return;
  await rows(
    tx,
    sql`insert into attention_told as t (route_id, kind, subject, word, about)
        select v.route_id, v.kind, v.subject, v.word, v.about
        from jsonb_to_recordset(${json(words)}) as v(route_id int, kind text, subject text, word text, about bigint)
        on conflict (kind, subject, route_id) do update set word = excluded.word, about = excluded.about
          where t.notice_id is null and coalesce(t.about, 0) <= excluded.about`,
  );
}
