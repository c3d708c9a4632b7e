import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { EVER_MS, type FoundEntry, type StoryQuestion, type StorySource } from "./source.ts";
import { readCalls, readFoundDialed, readRefused } from "./sources/calls.ts";
import { readActed, readFollowedUp } from "./sources/follow-ups.ts";
import { readCommanded } from "./sources/commanded.ts";
import { readConsents } from "./sources/consents.ts";
import {
  readAmended,
  readHeld,
  readListed,
  readRejected,
  readThrough,
  readWithdrawn,
} from "./sources/lists.ts";
import { readOffList, readOnList } from "./sources/suppression-lists.ts";
import { readCalledUs, readSuppressed, readUnsuppressed } from "./sources/person.ts";
import { readTagged, readUntagged } from "./sources/tags.ts";
import { readEnrolled, readJourneys, readTold } from "./sources/sequences.ts";

/**
 * Everything that knows something of a person; what is to be part of every story from now on is named here. Of one
 * moment they are told in this order: what came in, what was decided, what was done, what followed.
 */
const SOURCES = {
  rejected: readRejected,
  told: readTold,
  listed: readListed,
  consents: readConsents,
  enrolled: readEnrolled,
  amended: readAmended,
  commanded: readCommanded,
  withdrawn: readWithdrawn,
  suppressed: readSuppressed,
  unsuppressed: readUnsuppressed,
  on_list: readOnList,
  off_list: readOffList,
  called_us: readCalledUs,
  journeys: readJourneys,
  held: readHeld,
  refused: readRefused,
  calls: readCalls,
  found_dialed: readFoundDialed,
  through: readThrough,
  followed_up: readFollowedUp,
  acted: readActed,
  tagged: readTagged,
  untagged: readUntagged,
} as const satisfies Record<string, StorySource>;

const IN_ORDER: readonly [name: string, read: StorySource][] = Object.entries(SOURCES);

/** A place in a story: behind an entry of a source. */
export interface StoryPlace {
  atMs: number;
  source: string;
  id: string;
}

export type PlacedEntry = FoundEntry & { source: string };

export interface StoryRequest extends Omit<StoryQuestion, "after"> {
  /** Undefined: from its beginning. A source that is not known any more counts as the last one of its moment. */
  after: StoryPlace | undefined;
}

/** Statements under way for one story, of some milliseconds each: somebody waits for it, and so does whoever dials. */
const SOURCES_AT_ONCE = 4;

/**
 * The first entries of a person's story behind a place, over all sources, in order: a statement a source, each with no
 * more rows than the page has.
 */
export async function readStory(db: Db, request: StoryRequest): Promise<PlacedEntry[]> {
  const found: (PlacedEntry & { rank: number })[] = [];
  const readNext = async (left: Iterator<[number, (typeof IN_ORDER)[number]]>) => {
    for (let next = left.next(); !next.done; next = left.next()) {
      const [rank, [source, read]] = next.value;
      const entries = await read(db, { ...request, after: placeFor(rank, request.after) });
      for (const entry of entries) found.push({ ...entry, source, rank });
    }
  };
  const left = IN_ORDER.entries();
  await Promise.all(Array.from({ length: SOURCES_AT_ONCE }, () => readNext(left)));
  return found
    .sort((a, b) => a.atMs - b.atMs || a.rank - b.rank || (a.id < b.id ? -1 : 1))
    .slice(0, request.limit);
}

/** What a source has told already of the moment that a page ended in: all, what stands before the last entry, nothing. */
function placeFor(rank: number, after: StoryPlace | undefined): StoryQuestion["after"] {
  if (after === undefined) return BEGINNING;
  const last = IN_ORDER.findIndex(([name]) => name === after.source);
  if (rank === last) return after;
  return { atMs: after.atMs, id: last >= 0 && rank > last ? "" : undefined };
}

const BEGINNING: StoryQuestion["after"] = { atMs: -1, id: undefined };

/** Whether anything is known of a number at all; or within a brand, and for every one. */
export async function isKnown(db: Db, phone: string, brand?: string): Promise<boolean> {
  const question = { phone, brand, sinceMs: 0, untilMs: EVER_MS, after: BEGINNING, limit: 1 };
  for (const [, read] of IN_ORDER) if ((await read(db, question)).length > 0) return true;
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

/**
 * Every zone, and every place, that the number was dialed, or is to be dialed, by; the newest contacts first, 50 at most.
 *
 * @param brand only by this one; absent: by any
 */
export async function readWhereabouts(
  db: Db,
  phone: string,
  brand?: string,
): Promise<{ zones: string[]; places: string[] }> {
  const found = await rows<{ zones: string[]; places: string[] }>(
    db,
    sql`select s.zones, s.places from (
          (select z.zones, z.places from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
              join campaigns p on p.id = c.campaign_id
            where c.phone = ${phone} and (${brand ?? null}::text is null or p.brand = ${brand ?? null}::text)
            order by c.id desc limit 50)
          union all
          (select z.zones, z.places from enrolments e join zone_sets z on z.id = e.zone_set_id
              join sequences s on s.id = e.sequence_id
            where e.phone = ${phone} and (${brand ?? null}::text is null or s.brand = ${brand ?? null}::text)
            order by e.created_at desc limit 50)) s`,
  );
  const namesOf = (which: "zones" | "places") => [...new Set(found.flatMap((one) => one[which]))].sort();
  return { zones: namesOf("zones"), places: namesOf("places") };
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
