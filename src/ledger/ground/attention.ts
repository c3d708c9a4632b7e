import { sql } from "drizzle-orm";

import type { AttentionKind } from "../../domain/ground/attention.ts";
import { writeAudit } from "./audit.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { eventsFrom } from "./write-events.ts";
import { moment, number, optional, record, text, word, type RecordOf } from "./record.ts";
import { at, atOrNull, listOf } from "./sql.ts";

const ATTENTION = record({
  id: number,
  kind: word<AttentionKind>(),
  /** What it is about: the id of an action, a delivery, an enrolment. */
  subject: text,
  brand: text,
  summary: text,
  /** What a person can do about it. */
  remedy: text,
  /** When it was first so. Unix milliseconds. */
  atMs: moment,
  times: number,
  /** Somebody looks after it: until then, or for as long as it is there. */
  acknowledgedAtMs: optional(moment),
  acknowledgedBy: optional(text),
  acknowledgedUntilMs: optional(moment),
  resolvedAtMs: optional(moment),
  resolvedBy: optional(text),
  resolution: optional(text),
});

export interface Attention extends RecordOf<typeof ATTENTION> {}

/*
 * Whatever changes an entry writes `notice_at`, by which routes come to look at it (ledger/notices): in the same
 * statement, so that nobody who dies between the two keeps people from being told.
 */

export interface RaisedAttention {
  kind: AttentionKind;
  subject: string;
  /** What is to be asked whether it is over, and what was done with it, where the list finds that out by itself. */
  about?: { of: string; id: string; verb: string };
  brand: string;
  summary: string;
  remedy: string;
  nowMs: number;
}

/** Of rows that were opened, or resolved, as the statement has them. */
const OPENED = sql`select 'attention.opened' as type, brand, null::uuid as campaign_id,
  jsonb_build_object('id', id, 'kind', kind, 'subject', subject, 'summary', summary, 'remedy', remedy) as data
  from raised where is_new`;
const RESOLVED = sql`select 'attention.resolved' as type, brand, null::uuid as campaign_id,
  jsonb_build_object('id', id, 'kind', kind, 'subject', subject, 'by', resolved_by, 'resolution', resolution) as data
  from resolved`;

/** Puts something on the list that people see. What stands there already is counted, and said as it is now. */
export async function raiseAttention(tx: Db, raised: RaisedAttention): Promise<void> {
  const { kind, subject, about, brand, summary, remedy, nowMs } = raised;
  await rows(
    tx,
    sql`with raised as (
          insert into attention as a (kind, subject, about, about_id, verb, brand, summary, remedy, at, notice_at)
          values (${kind}, ${subject}, ${about?.of ?? null}, ${about?.id ?? null}, ${about?.verb ?? null}, ${brand}, ${summary}, ${remedy}, ${at(nowMs)}, ${at(nowMs)})
          on conflict (kind, subject) where resolved_at is null do update
            set times = a.times + 1, summary = excluded.summary, remedy = excluded.remedy, notice_at = excluded.notice_at
          -- No other transaction has touched a row that is new.
          returning a.*, a.xmax = 0 as is_new)
        ${eventsFrom(OPENED, nowMs)}`,
  );
}

/** Says what stands on the list as it is now: it is the same, and did not happen again. */
export async function rewordAttention(
  tx: Db,
  { kind, subject, summary, nowMs }: Pick<RaisedAttention, "kind" | "subject" | "summary" | "nowMs">,
): Promise<void> {
  // Whoever passed over it meanwhile, since it was locked, looks at it again.
  await rows(
    tx,
    sql`update attention set summary = ${summary}, notice_at = coalesce(notice_at, ${at(nowMs)})
        where kind = ${kind} and subject = ${subject} and resolved_at is null and summary <> ${summary}`,
  );
}

/** Takes something off the list, because it mended itself or somebody dealt with it. False where it did not stand there. */
export async function resolveAttention(
  tx: Db,
  input: { kind: AttentionKind; subject: string; by: string; resolution: string; nowMs: number },
): Promise<boolean> {
  const resolved = await rows(
    tx,
    sql`with resolved as (
          update attention set resolved_at = ${at(input.nowMs)}, notice_at = ${at(input.nowMs)}, resolved_by = ${input.by}, resolution = ${input.resolution}
          where kind = ${input.kind} and subject = ${input.subject} and resolved_at is null returning *)
        ${eventsFrom(RESOLVED, input.nowMs)} returning 1 as one`,
  );
  return resolved.length > 0;
}

/** Takes everything of a kind off the list, but for what is about this. */
export async function resolveAllBut(
  tx: Db,
  input: { kind: AttentionKind; verb: string; by: string; resolution: string; nowMs: number },
): Promise<void> {
  await rows(
    tx,
    sql`with resolved as (
          update attention set resolved_at = ${at(input.nowMs)}, notice_at = ${at(input.nowMs)}, resolved_by = ${input.by}, resolution = ${input.resolution}
          where kind = ${input.kind} and verb is distinct from ${input.verb} and resolved_at is null returning *)
        ${eventsFrom(RESOLVED, input.nowMs)}`,
  );
}

/**
 * A person's word that it is dealt with.
 *
 * @returns the entry, as it was before where somebody had resolved it already; undefined where there is none.
 */
export async function resolveAttentionById(
  tx: Db,
  input: { id: number; by: string; resolution: string; nowMs: number },
): Promise<Attention | undefined> {
  const resolved = await firstRow(
    tx,
    sql`with resolved as (
          update attention set resolved_at = ${at(input.nowMs)}, notice_at = ${at(input.nowMs)}, resolved_by = ${input.by}, resolution = ${input.resolution}
          where id = ${input.id} and resolved_at is null returning *),
        told as (${eventsFrom(RESOLVED, input.nowMs)})
        select ${ATTENTION.columns} from resolved`,
    ATTENTION,
  );
  if (!resolved)
    return firstRow(tx, sql`select ${ATTENTION.columns} from attention where id = ${input.id}`, ATTENTION);
  await writeAudit(tx, {
    nowMs: input.nowMs,
    actor: input.by,
    action: "attention.resolve",
    detail: {
      id: resolved.id,
      kind: resolved.kind,
      subject: resolved.subject,
      resolution: input.resolution,
    },
  });
  return resolved;
}

/**
 * A person's word that they look after it: it stays on the list, and routes remind nobody of it.
 *
 * @param input.by who looks after it; `input.actor` says so
 * @param input.untilMs absent: for as long as it is there
 * @returns the entry, as it is where somebody has dealt with it already; undefined where there is none.
 */
export async function acknowledgeAttention(
  tx: Db,
  input: { id: number; by: string; actor: string; untilMs: number | undefined; nowMs: number },
): Promise<Attention | undefined> {
  const { id, by, actor, untilMs, nowMs } = input;
  const acknowledged = await firstRow(
    tx,
    sql`update attention set acknowledged_at = ${at(nowMs)}, acknowledged_by = ${by}, acknowledged_until = ${atOrNull(untilMs)}, notice_at = ${at(nowMs)}
        where id = ${id} and resolved_at is null returning ${ATTENTION.columns}`,
    ATTENTION,
  );
  if (!acknowledged)
    return firstRow(tx, sql`select ${ATTENTION.columns} from attention where id = ${id}`, ATTENTION);
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "attention.acknowledge",
    detail: {
      id,
      by,
      kind: acknowledged.kind,
      subject: acknowledged.subject,
      until: untilMs === undefined ? null : new Date(untilMs).toISOString(),
    },
  });
  return acknowledged;
}

export interface AttentionFilter {
  kind?: AttentionKind;
  brand?: string;
  subject?: string;
  /** Those that were dealt with, too. */
  resolved: boolean;
  afterId?: number;
  limit: number;
}

/** What needs a person, by id; go on with `afterId`. */
export async function listAttention(
  db: Db,
  filter: AttentionFilter,
): Promise<{ items: Attention[]; total: number }> {
  const condition = sql`(${filter.resolved} or resolved_at is null)
    and (${filter.kind ?? null}::text is null or kind = ${filter.kind ?? null}::text)
    and (${filter.brand ?? null}::text is null or brand = ${filter.brand ?? null}::text)
    and (${filter.subject ?? null}::text is null or subject = ${filter.subject ?? null}::text)`;
  const items = await rows(
    db,
    sql`select ${ATTENTION.columns} from attention where ${condition} and id > ${filter.afterId ?? 0} order by id limit ${filter.limit}`,
    ATTENTION,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from attention where ${condition}`,
  );
  return { items, total: total?.n ?? 0 };
}

/**
 * How many entries nobody has dealt with, by kind. An index holds exactly these.
 *
 * @param within the brands whose entries are counted; undefined: all
 */
export async function countAttention(
  db: Db,
  within?: readonly string[],
): Promise<Partial<Record<AttentionKind, number>>> {
  const isWithin = within === undefined ? sql`true` : sql`brand in ${listOf(within, "text")}`;
  const found = await rows<{ kind: AttentionKind; n: number }>(
    db,
    sql`select kind, count(*)::int as n from attention
        where resolved_at is null and ${isWithin} group by kind order by kind`,
  );
  return Object.fromEntries(found.map((row) => [row.kind, row.n]));
}
