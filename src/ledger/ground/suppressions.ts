import { sql, type SQL } from "drizzle-orm";

import { writeAudit } from "./audit.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { moment, number, optional, record, text, type RecordOf } from "./record.ts";
import { at, json, listOf } from "./sql.ts";

const SUPPRESSION = record({
  id: number,
  phone: text,
  /** Undefined: for every brand. */
  brand: optional(text),
  source: text,
  reason: text,
  createdAtMs: moment,
  expiresAtMs: optional(moment),
  removedAtMs: optional(moment),
});

export interface Suppression extends RecordOf<typeof SUPPRESSION> {}

export interface NewSuppression {
  phone: string;
  brand: string | undefined;
  source: string;
  reason: string;
  expiresAtMs?: number;
}

/**
 * Suppresses numbers from the commit of this transaction on. One that is suppressed already stays as it is,
 * except that a longer or endless term replaces a shorter one. One whose term is over is another: nobody was to find
 * later that the number was suppressed between the two (I7).
 *
 * @returns how many were not suppressed before.
 */
export async function addSuppressions(
  tx: Db,
  input: { entries: readonly NewSuppression[]; actor: string; nowMs: number },
): Promise<number> {
  const { entries, actor, nowMs } = input;
  if (entries.length === 0) return 0;
  const brands = new Set(entries.flatMap((entry) => (entry.brand === undefined ? [] : [entry.brand])));
  for (const brand of brands)
    await rows(tx, sql`insert into brands (id) values (${brand}) on conflict do nothing`);
  await closeExpired(tx, entries, nowMs);
  const written = await rows<{ fresh: boolean }>(
    tx,
    sql`insert into suppressions as s (phone, brand, source, reason, added_by, created_at, expires_at)
        select distinct on (r.phone, r.brand) r.phone, r.brand, r.source, r.reason, ${actor}, ${at(nowMs)}, r.expires
        from jsonb_to_recordset(${json(
          entries.map((entry) => ({
            phone: entry.phone,
            brand: entry.brand,
            source: entry.source,
            reason: entry.reason,
            expires: entry.expiresAtMs === undefined ? undefined : new Date(entry.expiresAtMs).toISOString(),
          })),
        )}) as r(phone text, brand text, source text, reason text, expires timestamptz)
        order by r.phone, r.brand, r.expires desc nulls first
        on conflict on constraint suppressions_once do update
          set expires_at = case when s.expires_at is null or excluded.expires_at is null then null
                                else greatest(s.expires_at, excluded.expires_at) end
        returning created_at = ${at(nowMs)} as fresh`,
  );
  const fresh = written.filter((row) => row.fresh).length;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "suppression.add",
    detail: { numbers: entries.length, fresh, source: entries[0]?.source ?? "" },
  });
  return fresh;
}

async function closeExpired(tx: Db, entries: readonly NewSuppression[], nowMs: number): Promise<void> {
  const phones = [...new Set(entries.map(({ phone }) => phone))];
  await rows(
    tx,
    sql`update suppressions set removed_at = expires_at, removed_by = 'engine', removed_reason = 'its term was over'
        where phone in ${listOf(phones, "text")} and removed_at is null and expires_at <= ${at(nowMs)}`,
  );
}

/** Takes a number's suppression back; the row and the reasons stay. False where there was none in force. */
export async function removeSuppression(
  tx: Db,
  input: { phone: string; brand: string | undefined; reason: string; actor: string; nowMs: number },
): Promise<boolean> {
  const removed = await rows(
    tx,
    sql`update suppressions set removed_at = ${at(input.nowMs)}, removed_by = ${input.actor}, removed_reason = ${input.reason}
        where phone = ${input.phone} and brand is not distinct from ${input.brand ?? null}::text and removed_at is null
        returning 1 as one`,
  );
  if (removed.length === 0) return false;
  await writeAudit(tx, {
    nowMs: input.nowMs,
    actor: input.actor,
    action: "suppression.remove",
    detail: { phone: input.phone, brand: input.brand ?? null, reason: input.reason },
  });
  return true;
}

/** In force at a moment, for a brand: what the policy gate and every listing mean by "suppressed". */
function inForce(brand: SQL, nowMs: number): SQL {
  return sql`removed_at is null and (brand is null or brand = ${brand}) and (expires_at is null or expires_at > ${at(nowMs)})`;
}

/** Of a row `n` of listed_numbers with its source `l`: it is on the list in force, and binds the brand. */
function isListed(brand: SQL): SQL {
  return sql`l.removed_at is null and n.from_generation <= l.generation and n.through_generation >= l.generation
    and (l.brand is null or l.brand = ${brand})`;
}

/** Whether a number must not be dialed for a brand: by itself, or as it is on the list of a source. */
export function isSuppressed(phone: SQL, brand: SQL, nowMs: number): SQL {
  return sql`(exists (select 1 from suppressions where phone = ${phone} and ${inForce(brand, nowMs)})
    or exists (select 1 from listed_numbers n join suppression_sources l on l.id = n.source_id
                 where n.phone = ${phone} and ${isListed(brand)}))`;
}

/** What says that a number must not be dialed, the wider scope first; null where nothing does. */
export function suppressionOf(phone: SQL, brand: SQL, nowMs: number): SQL {
  return sql`coalesce(
    (select jsonb_build_object('scope', case when brand is null then 'global' else 'brand' end,
                               'source', source, 'reason', reason)
       from suppressions where phone = ${phone} and ${inForce(brand, nowMs)}
       order by brand nulls first limit 1),
    (select jsonb_build_object('scope', case when l.brand is null then 'global' else 'brand' end,
                               'source', l.name, 'reason', 'on the list of type ' || l.type)
       from listed_numbers n join suppression_sources l on l.id = n.source_id
       where n.phone = ${phone} and ${isListed(brand)}
       order by l.brand nulls first, l.name limit 1))`;
}

/** Which of some numbers must not be dialed for a brand. */
export async function suppressedAmong(
  tx: Db,
  { phones, brand, nowMs }: { phones: readonly string[]; brand: string; nowMs: number },
): Promise<ReadonlySet<string>> {
  const found = await rows<{ phone: string }>(
    tx,
    sql`select phone from suppressions where phone in ${listOf(phones, "text")} and ${inForce(sql`${brand}`, nowMs)}
        union all
        select n.phone from listed_numbers n join suppression_sources l on l.id = n.source_id
          where n.phone in ${listOf(phones, "text")} and ${isListed(sql`${brand}`)}`,
  );
  return new Set(found.map(({ phone }) => phone));
}

/** What is in force of a number: for a brand and for every one, or for whichever. */
export function listInForce(
  db: Db,
  { phone, brand, nowMs }: { phone: string; brand: string | undefined; nowMs: number },
): Promise<Suppression[]> {
  return rows(
    db,
    sql`select ${SUPPRESSION.columns} from suppressions
        where phone = ${phone} and ${inForce(sql`coalesce(${brand ?? null}::text, brand)`, nowMs)} order by id`,
    SUPPRESSION,
  );
}

export interface SuppressionFilter {
  phone?: string;
  /** Undefined: all. */
  brand?: string;
  afterId?: number;
  limit: number;
}

/** Suppressions that were not removed, by id; go on with `afterId`. */
export async function listSuppressions(
  db: Db,
  filter: SuppressionFilter,
): Promise<{ items: Suppression[]; total: number }> {
  const condition = sql`removed_at is null
    and (${filter.phone ?? null}::text is null or phone = ${filter.phone ?? null}::text)
    and (${filter.brand ?? null}::text is null or brand is null or brand = ${filter.brand ?? null}::text)`;
  const items = await rows(
    db,
    sql`select ${SUPPRESSION.columns} from suppressions where ${condition} and id > ${filter.afterId ?? 0} order by id limit ${filter.limit}`,
    SUPPRESSION,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from suppressions where ${condition}`,
  );
  return { items, total: total?.n ?? 0 };
}
