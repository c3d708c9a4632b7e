import { sql } from "drizzle-orm";

import type { Sealed } from "../../domain/ground/sealed.ts";
import { rows, type Db } from "./connection.ts";
import { json, listOf } from "./sql.ts";

/* Which contacts and enrolments have values that are sealed, by the key that they are sealed with (data-keys.ts). */

/** Further than this nobody counts. */
export const COUNTED_AT_MOST = 10_000;

export interface SealedCount {
  /** The key's. */
  id: string;
  contacts: number;
  enrolments: number;
}

/** How many contacts and enrolments each key seals, each counted as far as one more than that: a probe of an index for each key. */
export function countSealed(db: Db): Promise<SealedCount[]> {
  return rows<SealedCount>(
    db,
    sql`with recursive of_contacts (id) as (
          (select c.sealed_with from contacts c where c.sealed_with is not null order by c.sealed_with limit 1)
          union all
          select (select c.sealed_with from contacts c where c.sealed_with > k.id order by c.sealed_with limit 1)
          from of_contacts k where k.id is not null
        ), of_enrolments (id) as (
          (select e.sealed_with from enrolments e where e.sealed_with is not null order by e.sealed_with limit 1)
          union all
          select (select e.sealed_with from enrolments e where e.sealed_with > k.id order by e.sealed_with limit 1)
          from of_enrolments k where k.id is not null
        ), keys as (select id from of_contacts union select id from of_enrolments)
        select k.id,
          (select count(*)::int from (
            select 1 from contacts c where c.sealed_with = k.id limit ${COUNTED_AT_MOST + 1}) n) as contacts,
          (select count(*)::int from (
            select 1 from enrolments e where e.sealed_with = k.id limit ${COUNTED_AT_MOST + 1}) n) as enrolments
        from keys k where k.id is not null order by k.id`,
  );
}

/** Where sealed values stand. */
export const SEALED_TABLES = ["contacts", "enrolments"] as const;

export type SealedTable = (typeof SEALED_TABLES)[number];

/** A row whose values are sealed. */
export interface SealedRow {
  id: string;
  phone: string;
  values: Readonly<Record<string, string>>;
}

/** One of a page: rows of which `at` is less were sealed before. */
export interface PagedSealedRow extends SealedRow {
  at: number;
}

/** The next rows that a key seals. @param input.after the last one of the page before */
export function listSealedWith(
  db: Db,
  {
    table,
    keyId,
    after,
    limit,
  }: { table: SealedTable; keyId: string; after: string | undefined; limit: number },
): Promise<PagedSealedRow[]> {
  switch (table) {
    case "contacts":
      return rows<PagedSealedRow>(
        db,
        sql`select c.id::text as id, c.phone, coalesce(c.sealed, '{}') as values, c.id::float8 as at
            from contacts c
            where c.sealed_with = ${keyId} and c.id > ${after ?? "0"}::bigint order by c.id limit ${limit}`,
      );
    case "enrolments":
      return rows<PagedSealedRow>(
        db,
        sql`select e.id::text as id, e.phone, coalesce(e.sealed, '{}') as values,
              extract(epoch from e.created_at)::float8 as at from enrolments e
            where e.sealed_with = ${keyId} and (${after ?? null}::uuid is null or e.id > ${after ?? null}::uuid)
            order by e.id limit ${limit}`,
      );
  }
}

/** Rows on each side of one whose values do not open: whether those do says what is wrong. */
export const BESIDE = 10;

/** The contacts that the same key seals next to one of them, on either side. */
export async function listSealedBeside(
  db: Db,
  { id, keyId }: { id: number; keyId: string },
): Promise<{ before: SealedRow[]; after: SealedRow[] }> {
  const ofKey = sql`select c.id::text as id, c.phone, coalesce(c.sealed, '{}') as values from contacts c
    where c.sealed_with = ${keyId}`;
  return {
    before: await rows<SealedRow>(
      db,
      sql`${ofKey} and c.id < ${id}::bigint order by c.sealed_with desc, c.id desc limit ${BESIDE}`,
    ),
    after: await rows<SealedRow>(
      db,
      sql`${ofKey} and c.id > ${id}::bigint order by c.sealed_with, c.id limit ${BESIDE}`,
    ),
  };
}

/**
 * Writes values that were sealed anew, where they are still those that were read. Whoever dials, or takes a turn, holds
 * rows in the order of their own; those are passed over, and are found again in the next turn.
 *
 * @returns which
 */
export async function writeSealedAnew(
  db: Db,
  {
    table,
    keyId,
    anew,
  }: { table: SealedTable; keyId: string; anew: readonly { id: string; sealed: Sealed }[] },
): Promise<string[]> {
  const ids = anew.map(({ id }) => id);
  const given = json(anew.map(({ id, sealed }) => ({ id, sealed: sealed.values, sealed_with: sealed.with })));
  const written =
    table === "contacts"
      ? await rows<{ id: string }>(
          db,
          sql`with free as materialized (select id from contacts where id in ${listOf(ids, "bigint")}
              and sealed_with = ${keyId} order by id for update skip locked)
            update contacts c set sealed = r.sealed, sealed_with = r.sealed_with
            from free f join jsonb_to_recordset(${given}) as r(id bigint, sealed jsonb, sealed_with text) on r.id = f.id
            where c.id = f.id and c.sealed_with = ${keyId} returning c.id::text as id`,
        )
      : await rows<{ id: string }>(
          db,
          sql`with free as materialized (select id from enrolments where id in ${listOf(ids, "uuid")}
              and sealed_with = ${keyId} order by id for update skip locked)
            update enrolments e set sealed = r.sealed, sealed_with = r.sealed_with
            from free f join jsonb_to_recordset(${given}) as r(id uuid, sealed jsonb, sealed_with text) on r.id = f.id
            where e.id = f.id and e.sealed_with = ${keyId} returning e.id::text as id`,
        );
  return written.map(({ id }) => id);
}
