import { sql } from "drizzle-orm";

import type { Sealed } from "../../domain/ground/sealed.ts";
import { rows, type Db } from "./connection.ts";
import { json, listOf } from "./sql.ts";

/* Which contacts have values that are sealed, by the key that they are sealed with (data-keys.ts). */

/** Further than this nobody counts. */
export const COUNTED_AT_MOST = 10_000;

/** How many contacts each key seals, counted as far as one more than that: a probe of the index for each key. */
export function countSealed(db: Db): Promise<{ id: string; contacts: number }[]> {
  return rows<{ id: string; contacts: number }>(
    db,
    sql`with recursive keys (id) as (
          (select c.sealed_with from contacts c where c.sealed_with is not null order by c.sealed_with limit 1)
          union all
          select (select c.sealed_with from contacts c where c.sealed_with > k.id order by c.sealed_with limit 1)
          from keys k where k.id is not null
        )
        select k.id, (select count(*)::int from (
            select 1 from contacts c where c.sealed_with = k.id limit ${COUNTED_AT_MOST + 1}) n) as contacts
        from keys k where k.id is not null order by k.id`,
  );
}

/** A contact whose values are sealed. */
export interface SealedRow {
  id: number;
  phone: string;
  values: Readonly<Record<string, string>>;
}

/** The next contacts that a key seals. */
export function listSealedWith(
  db: Db,
  { keyId, after, limit }: { keyId: string; after: number; limit: number },
): Promise<SealedRow[]> {
  return rows<SealedRow>(
    db,
    sql`select c.id, c.phone, coalesce(c.sealed, '{}') as values from contacts c
        where c.sealed_with = ${keyId} and c.id > ${after} order by c.id limit ${limit}`,
  );
}

/** Writes values that were sealed anew, where they are still those that were read. @returns how many */
export async function writeSealedAnew(
  db: Db,
  { keyId, anew }: { keyId: string; anew: readonly { id: number; sealed: Sealed }[] },
): Promise<number> {
  const written = await rows(
    db,
    // Whoever dials holds rows in the order of their own; those are passed over, and are found again in the next turn.
    sql`with free as materialized (select id from contacts where id in ${listOf(
      anew.map(({ id }) => id),
      "bigint",
    )} and sealed_with = ${keyId} order by id for update skip locked)
        update contacts c set sealed = r.sealed, sealed_with = r.sealed_with
        from free f join jsonb_to_recordset(${json(
          anew.map(({ id, sealed }) => ({ id, sealed: sealed.values, sealed_with: sealed.with })),
        )}) as r(id bigint, sealed jsonb, sealed_with text) on r.id = f.id
        where c.id = f.id and c.sealed_with = ${keyId} returning 1 as one`,
  );
  return written.length;
}
