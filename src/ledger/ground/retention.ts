import { sql } from "drizzle-orm";

import {
  isRetentionKind,
  retentionOf,
  type Retention,
  type RetentionKind,
  type RetentionSaid,
} from "../../domain/ground/retention.ts";
import { writeAudit } from "./audit.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { moment, number, optional, record, text, type RecordOf } from "./record.ts";
import { at, json } from "./sql.ts";

/* How long what is held of people is kept, who said so, and what went. */

const SAID = record({ kind: text, keepMs: optional(number), changedBy: text, changedAtMs: moment });

const PROGRESS = record({
  kind: text,
  removed: number,
  lastAtMs: optional(moment),
  place: optional(text),
});

interface Progress extends RecordOf<typeof PROGRESS> {}

/** What was said of how long one kind is kept, and by whom. */
export interface KindSaid {
  keepMs: number | undefined;
  changedBy: string;
  changedAtMs: number;
}

/** What was said of each kind, as far as somebody said something. */
export async function readRetentionSaid(db: Db): Promise<Readonly<Partial<Record<RetentionKind, KindSaid>>>> {
  const found = await rows(db, sql`select ${SAID.columns} from retention`, SAID);
  const said: Partial<Record<RetentionKind, KindSaid>> = {};
  // One that only a later build knows is that one's.
  for (const { kind, ...one } of found)
    if (isRetentionKind(kind)) said[kind] = { ...one, keepMs: one.keepMs };
  return said;
}

/** How long each kind is kept now. */
export async function readRetention(db: Db): Promise<Retention> {
  return retentionOf(saidOf(await readRetentionSaid(db)));
}

/** The same without who said it. */
export function saidOf(said: Readonly<Partial<Record<RetentionKind, KindSaid>>>): RetentionSaid {
  return Object.fromEntries(Object.entries(said).map(([kind, { keepMs }]) => [kind, keepMs ?? null]));
}

/** Says how long kinds are kept from now on. */
export async function setRetention(
  tx: Db,
  { said, reason, actor, nowMs }: { said: RetentionSaid; reason: string; actor: string; nowMs: number },
): Promise<void> {
  const before = saidOf(await readRetentionSaid(tx));
  await rows(
    tx,
    sql`insert into retention (kind, keep_ms, changed_by, changed_at)
        select r.key, case when jsonb_typeof(r.value) = 'number' then r.value::text::float8 end, ${actor}, ${at(nowMs)}
        from jsonb_each(${json(said)}) r
        on conflict (kind) do update set keep_ms = excluded.keep_ms, changed_by = excluded.changed_by, changed_at = excluded.changed_at`,
  );
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "retention.set",
    detail: { keep_ms: said, before, reason },
  });
}

/** What went of each kind so far, and when last. */
export async function readProgressOf(db: Db): Promise<ReadonlyMap<string, Progress>> {
  const found = await rows(
    db,
    sql`select kind, removed, round(extract(epoch from last_at) * 1000)::float8 as "lastAtMs", place from retention_progress`,
    PROGRESS,
  );
  return new Map(found.map((one) => [one.kind, one]));
}

/** Adds to what went of a kind, in the transaction in which it goes. @param place how far its walk has come */
export async function bookAged(
  tx: Db,
  { kind, gone, place, nowMs }: { kind: RetentionKind; gone: number; place?: string; nowMs: number },
): Promise<void> {
  if (gone === 0 && place === undefined) return;
  await rows(
    tx,
    sql`insert into retention_progress as p (kind, removed, untold, last_at, place)
        values (${kind}, ${gone}::bigint, ${gone}::bigint, case when ${gone}::int > 0 then ${at(nowMs)} end, ${place ?? null})
        on conflict (kind) do update set removed = p.removed + excluded.removed, untold = p.untold + excluded.untold,
          last_at = coalesce(excluded.last_at, p.last_at), place = coalesce(excluded.place, p.place)`,
  );
}

/**
 * Tells the audit, and whoever follows along, of what went since they were told last: by this process, or by one that
 * died before it said so.
 */
export async function tellAged(tx: Db, nowMs: number): Promise<Readonly<Record<string, number>>> {
  const found = await firstRow<{ untold: Record<string, number> | null }>(
    tx,
    sql`with told as (select kind, untold from retention_progress where untold > 0 order by kind for update),
        zeroed as (update retention_progress p set untold = 0 from told t where p.kind = t.kind)
        select jsonb_object_agg(kind, untold) as untold from told`,
  );
  const removed = found?.untold ?? {};
  if (Object.keys(removed).length === 0) return {};
  await writeAudit(tx, {
    nowMs,
    actor: "engine",
    action: "retention.applied",
    detail: { removed },
    event: { type: "retention.applied", data: { removed } },
  });
  return removed;
}
