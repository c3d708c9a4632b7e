import { sql, type SQL } from "drizzle-orm";

import { rows, type Db } from "../../ground/connection.ts";
import { personMark } from "../../ground/person-mark.ts";
import { ms } from "../../ground/sql.ts";
import {
  isOfBrand,
  momentOf,
  pageOf,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/*
 * Words that follow-ups gave to the person. One that was taken back is in the audit alone, with when and by whom it
 * had been given: it is told all the same.
 */

interface TaggedRow extends EntryRow {
  brand: string;
  tag: string;
  source: string;
}

/** The same giving of a word has the same id, before and after it is taken back. */
const givingId = (brand: SQL, tag: SQL, at: SQL) =>
  sql`'tagged:' || md5((${brand}) || ' ' || (${tag}) || ' ' || ${ms(at)}::bigint)`;

const TAKEN_BACK = sql`a.action = 'tag.remove'`;
const GIVEN_AT = sql`(a.detail ->> 'givenAt')::timestamptz`;

/** Words, when they were given. */
export async function readTagged(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<TaggedRow>(
    db,
    pageOf(
      // Brand by brand: the key of tags begins with it.
      sql`select ${givingId(sql`t.brand`, sql`t.tag`, sql`t.at`)} as id, ${momentOf(sql`t.at`)}, t.brand, t.tag, t.source
          from brands b join tags t on t.brand = b.id and t.phone = ${question.phone}
          where ${isOfBrand(sql`b.id`, question)}
          union all
          select ${givingId(sql`a.detail ->> 'brand'`, sql`a.detail ->> 'tag'`, GIVEN_AT)}, ${momentOf(GIVEN_AT)},
            a.detail ->> 'brand', a.detail ->> 'tag', a.detail ->> 'source'
          from audit a where ${TAKEN_BACK} and a.detail ->> 'phone' = ${personMark(sql`${question.phone}`)}
            and ${isOfBrand(sql`a.detail ->> 'brand'`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "tagged",
    brand: row.brand,
    zones: [],
    what: `was given the tag "${row.tag}" by ${row.source}`,
    facts: { tag: row.tag, by: row.source },
  }));
}

interface UntaggedRow extends EntryRow {
  brand: string;
  tag: string;
  actor: string;
  reason: string | null;
}

/** Words, when they were taken back. */
export async function readUntagged(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<UntaggedRow>(
    db,
    pageOf(
      sql`select 'untagged:' || a.id as id, ${momentOf(sql`a.at`)}, a.detail ->> 'brand' as brand, a.detail ->> 'tag' as tag,
            a.actor, a.detail ->> 'reason' as reason
          from audit a where ${TAKEN_BACK} and a.detail ->> 'phone' = ${personMark(sql`${question.phone}`)}
            and ${isOfBrand(sql`a.detail ->> 'brand'`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "untagged",
    brand: row.brand,
    zones: [],
    what: `the tag "${row.tag}" was taken back${row.reason === null ? "" : `: ${row.reason}`}`,
    facts: { tag: row.tag, by: row.actor, reason: row.reason },
  }));
}
