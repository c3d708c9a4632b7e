import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { EVER_MS, type FoundEntry, type StoryQuestion, type StorySource } from "./source.ts";
import { readCalls, readFoundDialed, readRefused } from "./sources/calls.ts";
import { readActed, readFollowedUp } from "./sources/follow-ups.ts";
import { readAmended, readHeld, readListed, readRejected, readThrough } from "./sources/lists.ts";
import { readCalledUs, readSuppressed, readTagged, readUnsuppressed } from "./sources/person.ts";
import { readEnrolled, readJourneys, readTold } from "./sources/sequences.ts";

/** Everything that knows something of a person. What is to be part of every story from now on is named here. */
const SOURCES: readonly StorySource[] = [
  readListed,
  readRejected,
  readThrough,
  readHeld,
  readAmended,
  readCalls,
  readRefused,
  readFoundDialed,
  readSuppressed,
  readUnsuppressed,
  readTagged,
  readCalledUs,
  readEnrolled,
  readJourneys,
  readTold,
  readFollowedUp,
  readActed,
];

/** Before every entry. */
export const BEGINNING: StoryQuestion["after"] = { atMs: -1, id: "" };
export const WHOLE = { sinceMs: 0, untilMs: EVER_MS };

/**
 * The first entries of a person's story behind a place, over all sources, in order: a statement a source, each with no
 * more rows than the page has.
 */
export async function readStory(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found: FoundEntry[] = [];
  for (const read of SOURCES) found.push(...(await read(db, question)));
  return found.sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1)).slice(0, question.limit);
}

/** Whether anything is known of a number at all. */
export async function isKnown(db: Db, phone: string): Promise<boolean> {
  const question = { phone, brand: undefined, ...WHOLE, after: BEGINNING, limit: 1 };
  for (const read of SOURCES) if ((await read(db, question)).length > 0) return true;
  return false;
}

/** How much there is of a number, over all brands or of one. */
export interface PersonCounts {
  contacts: number;
  campaigns: number;
  /** Those that count as dialed. */
  calls: number;
  enrolments: number;
}

/** Every set of zones that the number was dialed, or is to be dialed, by; the newest contacts first, 50 at most. */
export async function readZonesOf(db: Db, phone: string): Promise<string[]> {
  const found = await rows<{ zone: string }>(
    db,
    sql`select distinct unnest(s.zones) as zone from (
          (select z.zones from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
            where c.phone = ${phone} order by c.id desc limit 50)
          union all
          (select z.zones from enrolments e join zone_sets z on z.id = e.zone_set_id
            where e.phone = ${phone} order by e.created_at desc limit 50)) s
        order by zone`,
  );
  return found.map(({ zone }) => zone);
}

export async function countPerson(db: Db, phone: string, brand: string | undefined): Promise<PersonCounts> {
  const [counts] = await rows<PersonCounts>(
    db,
    sql`select count(*)::int as contacts, count(distinct c.campaign_id)::int as campaigns,
          coalesce(sum(c.attempts), 0)::int as calls,
          (select count(*)::int from enrolments e join sequences s on s.id = e.sequence_id
             where e.phone = ${phone} and (${brand ?? null}::text is null or s.brand = ${brand ?? null}::text)) as enrolments
        from contacts c join campaigns p on p.id = c.campaign_id
        where c.phone = ${phone} and (${brand ?? null}::text is null or p.brand = ${brand ?? null}::text)`,
  );
  return counts ?? { contacts: 0, campaigns: 0, calls: 0, enrolments: 0 };
}
