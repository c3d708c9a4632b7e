import { sql } from "drizzle-orm";

import { rows, type Db } from "../../ground/connection.ts";
import { ms } from "../../ground/sql.ts";
import {
  isOfBrand,
  isoOf,
  momentOf,
  pageOf,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/* The number on lists of sources of suppressions: a list binds from the moment at which it was taken. */

/**
 * Row `n` of source `l`, the load `f` whose list brought the number, and the one `u` whose list was the first without it.
 * What a list put down that was never taken is none of it.
 */
const LISTINGS = sql`listed_numbers n join suppression_sources l on l.id = n.source_id
  join suppression_loads f on f.source_id = n.source_id and f.generation = n.from_generation and f.state = 'taken'
  left join lateral (select t.source_name, t.digest, t.as_of, t.actor, t.ended_at from suppression_loads t
    where t.source_id = n.source_id and t.state = 'taken' and t.generation > n.through_generation
    order by t.generation limit 1) u on true`;

/** When it was off the list again; null: it still is on it. */
const OFF_AT = sql`least(l.removed_at, u.ended_at)`;

interface OnListRow extends EntryRow {
  source: string;
  type: string;
  brand: string | null;
  listName: string;
  digest: string;
  asOfMs: number;
  actor: string;
  offMs: number | null;
}

/** When lists were taken that brought the number: until when it is on them. */
export async function readOnList(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<OnListRow>(
    db,
    pageOf(
      sql`select 'on-list:' || n.source_id || ':' || n.from_generation as id, ${ms(sql`f.ended_at`)} as "atMs",
            coalesce(${ms(OFF_AT)}, 9e15) as "reachMs", l.name as source, l.type, l.brand, f.source_name as "listName",
            f.digest, ${ms(sql`f.as_of`)} as "asOfMs", f.actor, ${ms(OFF_AT)} as "offMs"
          from ${LISTINGS}
          where n.phone = ${question.phone} and ${isOfBrand(sql`l.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    untilMs: row.offMs,
    kind: "on_list",
    brand: row.brand ?? undefined,
    zones: [],
    what: `must not be called ${row.brand === null ? "by any brand" : `by the brand ${row.brand}`}: on the list of the source ${row.source}, of type ${row.type}`,
    facts: {
      scope: row.brand ?? "every brand",
      source: row.source,
      type: row.type,
      list: row.listName,
      list_sha256: row.digest,
      list_of_at: isoOf(row.asOfMs),
      by: row.actor,
    },
  }));
}

interface OffListRow extends EntryRow {
  source: string;
  brand: string | null;
  wasRemoved: boolean;
  removedReason: string | null;
  listName: string | null;
  digest: string | null;
  actor: string | null;
}

/** When the number was off them again: who took a source away stands in the audit alone. */
export async function readOffList(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<OffListRow>(
    db,
    pageOf(
      sql`select 'off-list:' || n.source_id || ':' || n.from_generation as id, ${momentOf(OFF_AT)}, l.name as source, l.brand,
            (u.ended_at is null) as "wasRemoved", l.removed_reason as "removedReason", u.source_name as "listName",
            u.digest, u.actor
          from ${LISTINGS}
          where n.phone = ${question.phone} and ${OFF_AT} is not null and ${isOfBrand(sql`l.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "off_list",
    brand: row.brand ?? undefined,
    zones: [],
    what: row.wasRemoved
      ? `the source ${row.source} was removed, and its list with it: ${row.removedReason ?? "nobody said why"}`
      : `was not on the next list of the source ${row.source}`,
    facts: {
      scope: row.brand ?? "every brand",
      source: row.source,
      list: row.listName,
      list_sha256: row.digest,
      reason: row.wasRemoved ? row.removedReason : null,
      by: row.actor,
    },
  }));
}
