import { sql, type SQL } from "drizzle-orm";

import type { StoryEntry } from "../../domain/people/story.ts";
import type { Db } from "../ground/connection.ts";
import { ms } from "../ground/sql.ts";

/*
 * Where the story of a person comes from: one module a source, and story.ts puts their entries into one order.
 *
 * 1. A source answers with its first entries behind a place, in the order of their moments and, within one, of their
 *    ids. So a page costs each source one page, however much there is (I6). Within a moment one source comes behind
 *    another, as what it tells of follows.
 * 2. What it selects is found by the number, through an index, and nothing of it is about anybody else.
 * 3. Ids are ASCII: here and in the database they sort alike. No two sources have one alike.
 */

/** What is asked about one person. */
export interface StoryQuestion {
  /** E.164. */
  phone: string;
  /** Undefined: of every brand. What is of no brand belongs to each. */
  brand: string | undefined;
  /** Entries that reach into this stretch of time. Unix milliseconds. */
  sinceMs: number;
  untilMs: number;
  /** The answer begins behind this moment; of what is of it, behind this id. Undefined: nothing of it is told. */
  after: { atMs: number; id: string | undefined };
  limit: number;
}

export type StorySource = (db: Db, question: StoryQuestion) => Promise<FoundEntry[]>;

/** An entry, and of a call that was permitted by which attempt it was. */
export type FoundEntry = StoryEntry & { dial?: Dial };

export interface Dial {
  attemptId: number;
  permittedMs: number;
  startedMs: number | undefined;
}

/** What every source selects. */
export interface EntryRow {
  id: string;
  atMs: number;
  /** Until when it reaches: of a moment that moment. */
  reachMs: number;
}

/** Later than every moment that the ledger holds. */
export const EVER_MS = 9e15;

/** The page of a question out of what a source selects. */
export function pageOf(entries: SQL, { sinceMs, untilMs, after, limit }: StoryQuestion): SQL {
  return sql`select e.* from (${entries}) e
    where e."atMs" < ${untilMs}::float8 and e."reachMs" >= ${sinceMs}::float8
      and (e."atMs" > ${after.atMs}::float8 or (e."atMs" = ${after.atMs}::float8 and e.id collate "C" > ${after.id ?? null}::text))
    order by e."atMs", e.id collate "C" limit ${limit}`;
}

/** A moment that is an entry's, and all that it reaches. */
export function momentOf(column: SQL): SQL {
  return sql`${ms(column)} as "atMs", ${ms(column)} as "reachMs"`;
}

/** Of one brand, where one is asked about; what is of none belongs to each. */
export function isOfBrand(column: SQL, { brand }: StoryQuestion): SQL {
  return sql`(${brand ?? null}::text is null or ${column} is null or ${column} = ${brand ?? null}::text)`;
}

/** The campaign of an entry. */
export interface CampaignColumns {
  brand: string;
  campaignId: string;
  campaignName: string;
  run: number;
  standing: boolean;
  zones: string[];
  places: string[];
}

/** Of contact `c`, its campaign `p` and its zones `z`. */
export const CAMPAIGN_COLUMNS = sql`p.brand, p.id as "campaignId", p.name as "campaignName", p.run, p.standing, z.zones, z.places`;
export const OF_CONTACT = sql`join campaigns p on p.id = c.campaign_id join lanes l on l.id = c.lane_id
  join zone_sets z on z.id = l.zone_set_id`;

export function campaignOf(
  row: CampaignColumns,
): Pick<StoryEntry, "brand" | "campaign" | "zones" | "places"> {
  const { brand, campaignId: id, campaignName: name, run, standing, zones, places } = row;
  return { brand, campaign: { id, name, run, standing }, zones, places };
}

/** A moment as facts write it. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same of one that may be unknown: facts say so with null. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoOf(ms);
}
