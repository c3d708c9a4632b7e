import { sql, type SQL } from "drizzle-orm";

import type { SaidBy } from "../../domain/policy/suppression-word.ts";
import { writeAudit } from "./audit.ts";
import { firstRow, rows, type Db } from "./connection.ts";
import { eitherForm, personMark } from "./person-mark.ts";
import { moment, number, optional, record, text, word, type RecordOf } from "./record.ts";
import { at, json, listOf } from "./sql.ts";

const SUPPRESSION = record({
  id: number,
  phone: text,
  /** Undefined: for every brand. */
  brand: optional(text),
  saidBy: word<SaidBy>(),
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
  /** Absent: a person's word, which no list takes the place of. */
  saidBy?: SaidBy;
  source: string;
  reason: string;
  expiresAtMs?: number;
}

/**
 * Suppresses numbers from the commit of this transaction on. What persons, lists and services said of a number stands
 * beside each other, each source's word for itself: one that is taken back, or is over, leaves what the others said. A
 * word of the same source that is in force stays as it is, unless it ends sooner than the new one: then it is closed, and the new one stands in its place.
 * So is one whose term is over: nobody was to find later that the number was suppressed between the two (I7).
 *
 * @returns how many were not suppressed in their scope before, by whichever word.
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
  const already = await makeRoom(tx, input);
  const written = await rows<{ phone: string; brand: string | null }>(
    tx,
    sql`insert into suppressions as s (phone, brand, said_by, source, reason, added_by, created_at, expires_at)
        select r.phone, r.brand, r.said_by, r.source, r.reason, ${actor}, ${at(nowMs)}, r.expires
        from ${longestOf(entries)} r order by r.phone, r.brand, r.said_by, r.source
        on conflict (phone, brand, said_by, source) where removed_at is null do update
          -- Somebody else's, committed since: the longer of the two holds.
          set reason = excluded.reason, added_by = excluded.added_by, expires_at = excluded.expires_at
          where s.expires_at is not null and (excluded.expires_at is null or excluded.expires_at > s.expires_at)
        returning s.phone, s.brand`,
  );
  const scopes = new Set(written.map(({ phone, brand }) => scopeKey(phone, brand)));
  const fresh = [...scopes].filter((scope) => !already.has(scope)).length;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "suppression.add",
    detail: { numbers: entries.length, fresh, source: entries[0]?.source ?? "" },
    event: {
      type: "suppression.added",
      brand: entries.every(({ brand }) => brand === entries[0]?.brand) ? entries[0]?.brand : undefined,
      data: { actor, numbers: entries.length, fresh, source: entries[0]?.source ?? "" },
    },
  });
  return fresh;
}

const scopeKey = (phone: string, brand: string | null) => `${phone} ${brand ?? ""}`;

/** As a table of a statement: of a number, a brand and a source the entry that holds longest. */
function longestOf(entries: readonly NewSuppression[]): SQL {
  const said = entries.map(({ phone, brand, saidBy = "person", source, reason, expiresAtMs }) => ({
    phone,
    brand,
    said_by: saidBy,
    source,
    reason,
    expires: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
  }));
  return sql`(select distinct on (e.phone, e.brand, e.said_by, e.source) e.*
    from jsonb_to_recordset(${json(said)}) as e(phone text, brand text, said_by text, source text, reason text, expires timestamptz)
    order by e.phone, e.brand, e.said_by, e.source, e.expires desc nulls first)`;
}

/**
 * Closes what is over, or ends sooner than what comes in its place.
 *
 * @returns which of the entries' numbers were suppressed in their scope before that.
 */
async function makeRoom(
  tx: Db,
  { entries, actor, nowMs }: Parameters<typeof addSuppressions>[1],
): Promise<Set<string>> {
  const there = await rows<{ phone: string; brand: string | null }>(
    tx,
    sql`with r as materialized (select * from ${longestOf(entries)} e),
          closed as (update suppressions s set removed_at = least(s.expires_at, ${at(nowMs)}),
              removed_by = case when s.expires_at <= ${at(nowMs)} then 'engine' else ${actor} end,
              removed_reason = case when s.expires_at <= ${at(nowMs)} then 'its term was over'
                else 'the same was said for longer' end
            from r where s.phone = r.phone and s.brand is not distinct from r.brand and s.said_by = r.said_by and s.source = r.source
              and s.removed_at is null
              and (s.expires_at <= ${at(nowMs)} or (s.expires_at is not null and (r.expires is null or r.expires > s.expires_at))))
        select distinct s.phone, s.brand from r join suppressions s
          on s.phone = r.phone and s.brand is not distinct from r.brand and s.removed_at is null
            and (s.expires_at is null or s.expires_at > ${at(nowMs)})`,
  );
  return new Set(there.map(({ phone, brand }) => scopeKey(phone, brand)));
}

/** What was taken back of a number. */
export interface TakenBack {
  saidBy: SaidBy;
  source: string;
  reason: string;
}

/**
 * Takes a number's suppression back; the rows and the reasons stay.
 *
 * @param input.source what this source said alone; undefined: whoever said it.
 * @returns what was in force and is not any more, the person's own words first.
 */
export async function removeSuppression(
  tx: Db,
  input: {
    phone: string;
    brand: string | undefined;
    source?: string | undefined;
    reason: string;
    actor: string;
    nowMs: number;
  },
): Promise<TakenBack[]> {
  const { phone, brand, source, reason, actor, nowMs } = input;
  const removed = await rows<TakenBack & { wasInForce: boolean }>(
    tx,
    sql`update suppressions set removed_at = ${at(nowMs)}, removed_by = ${actor}, removed_reason = ${reason}
        where phone in ${eitherForm(sql`${phone}`)} and brand is not distinct from ${brand ?? null}::text and removed_at is null
          and (${source ?? null}::text is null or source = ${source ?? null}::text)
        returning said_by as "saidBy", source, reason, coalesce(expires_at > ${at(nowMs)}, true) as "wasInForce"`,
  );
  if (removed.length === 0) return [];
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "suppression.remove",
    detail: { phone, brand: brand ?? null, reason, sources: removed.map((one) => one.source) },
    event: {
      type: "suppression.removed",
      brand,
      data: { actor, phone, reason, sources: removed.map((one) => one.source) },
    },
  });
  const words = removed.flatMap(({ wasInForce, ...word }) => (wasInForce ? [word] : []));
  return [
    ...words.filter(({ saidBy }) => saidBy === "person"),
    ...words.filter(({ saidBy }) => saidBy !== "person"),
  ];
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
  return sql`(exists (select 1 from suppressions where phone in ${eitherForm(phone)} and ${inForce(brand, nowMs)})
    or exists (select 1 from listed_numbers n join suppression_sources l on l.id = n.source_id
                 where n.phone = ${phone} and ${isListed(brand)}))`;
}

/** Whose word is told where several are in force, as a value to order by: the person's own before that of any list. */
export function toldFirst(saidBy: SQL): SQL {
  return sql`case ${saidBy} when 'person' then 0 when 'list' then 1 else 2 end`;
}

/**
 * What says that a number must not be dialed; null where nothing does. The person's own word first, of which the wider
 * scope, of which the one that holds longest.
 */
export function suppressionOf(phone: SQL, brand: SQL, nowMs: number): SQL {
  return sql`coalesce(
    (select jsonb_build_object('scope', case when brand is null then 'global' else 'brand' end,
                               'source', source, 'reason', reason)
       from suppressions where phone in ${eitherForm(phone)} and ${inForce(brand, nowMs)}
       order by ${toldFirst(sql`said_by`)}, brand nulls first, expires_at desc nulls first, created_at, id limit 1),
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
    sql`with asked as materialized (
          select a.phone, ${personMark(sql`a.phone`)} as mark from ${listOf(phones, "text")} as a(phone)
        )
        select phone from suppressions where phone in (select phone from asked) and ${inForce(sql`${brand}`, nowMs)}
        union all
        select a.phone from asked a join suppressions s on s.phone = a.mark where ${inForce(sql`${brand}`, nowMs)}
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
        where phone in ${eitherForm(sql`${phone}`)} and ${inForce(sql`coalesce(${brand ?? null}::text, brand)`, nowMs)} order by ${toldFirst(sql`said_by`)}, id`,
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
    and (${filter.phone ?? null}::text is null or phone in ${eitherForm(sql`${filter.phone ?? null}::text`)})
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
