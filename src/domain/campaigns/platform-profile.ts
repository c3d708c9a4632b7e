import { z } from "zod";

import { ITEM_WORDS } from "./call-outcome.ts";
import { normaliseWord } from "../ground/normalise-word.ts";

/*
 * What was found out about one platform where its contract is silent, by `outdial qualify`: a file with date,
 * address and version. Whoever reads it takes from it only what makes dialing more careful:
 *
 * 1. Nothing in it proves "not dialed" (I1). It has no way to name a word that does, and a word that the product
 *    knows keeps its meaning.
 * 2. Waits become longer, pages smaller, proofs fewer; never the other way round.
 * 3. Whatever of it makes no sense is as if it were not there. It is a file, and files are edited.
 */

/** What became of asking for a filter of a list. */
export const FILTER_ANSWERS = [
  /** The rows were those that were asked for. */
  "works",
  /** Rows came that were not asked for. */
  "ignored",
  /** Rows were missing that had to be there. */
  "blind",
  /** The platform refused the request. */
  "refused",
  /** There was nothing to tell it by. */
  "unclear",
] as const;

export type FilterAnswer = (typeof FILTER_ANSWERS)[number];

/** The largest page that was asked for and given: rows. Undefined: none was. */
const pageSize = z.int().min(1).max(1_000).optional().catch(undefined);

const duration = z.number().min(0).max(86_400_000).optional().catch(undefined);

const word = z.string().min(1).max(60);

/** Words are few; a file that lists thousands is not one of ours. */
const MOST_WORDS = 200;

const words = z.array(word).max(MOST_WORDS).catch([]);

const flag = z.boolean().optional().catch(undefined);

const note = z.string().max(500).optional().catch(undefined);

/** How many phones a qualification may ring at the most. */
export const MOST_PHONES = 20;

const profileSchema = z.object({
  /** Written by this version of the format; a later one may add to it. */
  outdial_platform_profile: z.literal(1),
  made_at: z.iso.datetime({ offset: true }),
  outdial_version: z.string().max(50).catch("unknown"),
  base_url: z.url(),
  phones_rung: z.int().min(0).max(MOST_PHONES).catch(0),
  /** As the platform wrote them. */
  words: z
    .object({ batch: words, item: words, call: words, processing: words })
    .catch({ batch: [], item: [], call: [], processing: [] }),
  /**
   * Item words that the product does not know: each seen twice, a quiet time apart, on an item of a batch that was
   * over and whose call had ended, and never on an item whose call had not.
   */
  ended_item_words: words,
  page_limits: z
    .object({
      items: pageSize,
      calls: pageSize,
      batches: pageSize,
      phone_numbers: pageSize,
      agents: pageSize,
    })
    .catch({}),
  /** The smallest page that was refused: rows. Undefined: none was. */
  page_refused: z.object({ items: pageSize, calls: pageSize }).catch({}),
  timings_ms: z
    .object({
      /** From the answer to a start until the batch showed that it had begun. */
      pickup: duration,
      /** From there until the first call was up, or over. */
      first_call: duration,
      /** How much later than the stream the listing told of an item's end; and the other way round. */
      listing_behind_stream: duration,
      stream_behind_listing: duration,
      /** From the answer to a pause or cancel until the batch's status said so. */
      pause: duration,
      cancel: duration,
    })
    .catch({}),
  /** In words: status codes and words seen, and what happened to the items. */
  effects: z
    .object({
      pause_unstarted: note,
      cancel_unstarted: note,
      pause: note,
      cancel: note,
      second_start: note,
    })
    .catch({}),
  stream: z
    .object({
      /** Whether a connection opened with the key in the header alone; and with the token in the query, too. */
      opens_with_header: flag,
      opens_with_token: flag,
      frames: z.int().min(0).optional().catch(undefined),
      malformed: z.int().min(0).optional().catch(undefined),
      names_items: flag,
      names_batch_status: flag,
      gives_counts: flag,
    })
    .catch({}),
  /** By list and query field, such as `calls.batch_call_id`. */
  filters: z.record(z.string().max(60), z.enum(FILTER_ANSWERS).catch("unclear")).catch({}),
  item_facts: z
    .object({ call_id: flag, attempt_count: flag, started_at: flag, completed_at: flag })
    .catch({}),
  /** Whether records carry their id as `id`; by resource. */
  ids_as_id: z.record(z.string().max(60), z.boolean()).catch({}),
  date_header: flag,
  deletes: z.object({ unstarted_batch: note, ended_batch: note }).catch({}),
  /** What could not be found out, and why. */
  not_tried: z.array(z.string().max(500)).max(50).catch([]),
});

export type PlatformProfile = z.output<typeof profileSchema>;

/** What a JSON value says as a profile; undefined where it is none. */
export function readPlatformProfile(value: unknown): PlatformProfile | undefined {
  return profileSchema.safeParse(value).data;
}

/**
 * What a qualification found, and beside it what an earlier one of the same platform had found and this one did not
 * come to: what makes dialing careful is not lost because somebody allowed fewer calls the next time. One that rang no
 * phone does not renew the date.
 *
 * @param stillUp item words, in their normal form, that this one saw while a call was up
 */
export function carriedOver(
  found: PlatformProfile,
  earlier: PlatformProfile,
  stillUp: ReadonlySet<string>,
): PlatformProfile {
  const { phones_rung: phonesRung, made_at: madeAt } =
    found.phones_rung > 0 || earlier.phones_rung === 0 ? found : earlier;
  const endedItemWords = union(found.ended_item_words, earlier.ended_item_words);
  return {
    ...found,
    made_at: madeAt,
    phones_rung: phonesRung,
    words: {
      batch: union(found.words.batch, earlier.words.batch),
      item: union(found.words.item, earlier.words.item),
      call: union(found.words.call, earlier.words.call),
      processing: union(found.words.processing, earlier.words.processing),
    },
    ended_item_words: endedItemWords.filter((text) => !stillUp.has(normaliseWord(text))),
    page_limits: over(earlier.page_limits, found.page_limits),
    // A page is refused, or larger ones are given: they are looked for together.
    page_refused: {
      items: (found.page_limits.items === undefined ? earlier : found).page_refused.items,
      calls: (found.page_limits.calls === undefined ? earlier : found).page_refused.calls,
    },
    timings_ms: over(earlier.timings_ms, found.timings_ms),
    effects: over(earlier.effects, found.effects),
    stream: over(earlier.stream, found.stream),
    filters: over(
      earlier.filters,
      Object.fromEntries(Object.entries(found.filters).filter(([, answer]) => answer !== "unclear")),
    ),
    item_facts: over(earlier.item_facts, found.item_facts),
    ids_as_id: over(earlier.ids_as_id, found.ids_as_id),
    date_header: found.date_header ?? earlier.date_header,
    deletes: over(earlier.deletes, found.deletes),
  };
}

/** The fields of both; of those that both know, the later ones. */
function over<T extends object>(earlier: T, later: T): T {
  const known = Object.entries(later).filter(([, value]) => value !== undefined);
  return { ...earlier, ...Object.fromEntries(known) };
}

function union(later: readonly string[], earlier: readonly string[]): string[] {
  return [...new Set([...later, ...earlier])].slice(0, MOST_WORDS);
}

/** Whether a profile is about the platform at this address. */
export function isAbout(profile: PlatformProfile, baseUrl: string): boolean {
  return addressOf(profile.base_url) === addressOf(baseUrl);
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}

/** Platforms change without a word: after this a profile is to be made again. */
export const PROFILE_STALE_MS = 90 * 24 * 60 * 60_000;

/** What the engine goes by of a profile. Without one: the contract alone. */
export interface ProfileEffects {
  /** Rows to ask for in one page of a batch's items or calls. */
  readonly pageLimit: number;
  /** Item words beyond the product's own that end an attempt, beside a sign of its end (`readItem`). */
  readonly endedItemWords: ReadonlySet<string>;
  /** A doubtful start is waited for at least so long before it is given up. */
  readonly startDoubtAtLeastMs: number;
  /** Two reads that must agree are at least so far apart. */
  readonly quietAtLeastMs: number;
  /** False: the calls listed for a batch can't show that somebody was not called. */
  readonly callsListingProves: boolean;
  /** False: the stream takes the key from the header, so that it need not stand in an address. */
  readonly streamTokenInQuery: boolean;
}

/** A page that every version of the platform is known to give; a batch of ours fits into it. */
const USUAL_PAGE = 100;

export const NO_PROFILE: ProfileEffects = {
  pageLimit: USUAL_PAGE,
  endedItemWords: new Set(),
  startDoubtAtLeastMs: 0,
  quietAtLeastMs: 0,
  callsListingProves: true,
  streamTokenInQuery: true,
};

/** What was seen once may take longer another time. */
const TIMES_SEEN = 4;

/** Somebody waits for a batch's end: a profile may not make that endless. */
const LONGEST_START_DOUBT_MS = 10 * 60_000;
const LONGEST_QUIET_MS = 2 * 60_000;

/** What a profile changes, each in the careful direction only. */
export function effectsOf(profile: PlatformProfile): ProfileEffects {
  const { timings_ms: timings, stream, filters } = profile;
  const known = (text: string) => Object.hasOwn(ITEM_WORDS, normaliseWord(text));
  return {
    pageLimit: Math.min(pageLimitOf(profile, "items"), pageLimitOf(profile, "calls")),
    endedItemWords: new Set(
      profile.ended_item_words
        .filter((text) => !known(text))
        .map(normaliseWord)
        .filter((text) => /[a-z0-9]/.test(text)),
    ),
    startDoubtAtLeastMs: Math.min(LONGEST_START_DOUBT_MS, TIMES_SEEN * (timings.pickup ?? 0)),
    quietAtLeastMs: Math.min(LONGEST_QUIET_MS, TIMES_SEEN * (timings.listing_behind_stream ?? 0)),
    callsListingProves: filters["calls.batch_call_id"] !== "blind",
    streamTokenInQuery: stream.opens_with_header !== true,
  };
}

/** Smaller pages only where the usual one was refused: one that comes back shorter is no obstacle. */
function pageLimitOf(
  { page_limits: given, page_refused: refused }: PlatformProfile,
  list: "items" | "calls",
): number {
  const smallestRefused = refused[list];
  if (smallestRefused === undefined || smallestRefused > USUAL_PAGE) return USUAL_PAGE;
  return Math.min(USUAL_PAGE, given[list] ?? USUAL_PAGE);
}
