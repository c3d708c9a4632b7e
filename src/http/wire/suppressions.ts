import { z } from "zod";
import { WHEN_AWAY, type WhenAway } from "../../domain/policy/scrubbing.ts";
import { SAID_BY, type SaidBy } from "../../domain/policy/suppression-word.ts";
import { SOURCE_TYPES, type SourceType } from "../../domain/policy/suppression-source.ts";
import { inFlightSchema } from "./in-flight.ts";
import { pageOf } from "./page.ts";

const instant = z.iso.datetime();
const count = z.int().min(0);

const saidBySchema = z.enum(Object.keys(SAID_BY) as [SaidBy, ...SaidBy[]]);

export const suppressionSchema = z.object({
  id: z.int(),
  phone: z.string(),
  /** Null: for every brand. */
  brand: z.string().nullable(),
  /** Whose word it is: the person's own, or somebody's for them, that of a list, or of a scrubbing service. */
  said_by: saidBySchema,
  source: z.string(),
  reason: z.string(),
  created_at: instant,
  expires_at: instant.nullable(),
});

const listingSchema = z.object({
  /** Its name. */
  source: z.string(),
  type: z.string(),
  brand: z.string().nullable(),
  since: instant,
});

export const suppressionPageSchema = pageOf(suppressionSchema).extend({
  /** Where a number was asked for: the sources that have it on their list, each for its scope. */
  listed_by: z.array(listingSchema),
  total: count,
});

export const suppressionAddedSchema = z.object({
  /** Numbers that were not suppressed before. */
  added: count,
  already: count,
  /** Batches that were dialing one of the numbers, and take no new dial now. */
  stopped_batches: count,
  /** What those batches still have in flight. */
  in_flight: inFlightSchema,
});

export const rejectedRowSchema = z.object({
  line: z.int(),
  code: z.string(),
  reason: z.string(),
  raw: z.string(),
});

export const suppressionImportSchema = suppressionAddedSchema.extend({
  rows: z.object({ read: count, rejected: count, partly_read: count }),
  /** Rows that suppressed nobody, the first 10,000 of them. */
  rejected: z.array(rejectedRowSchema),
  /** Rows that suppressed somebody, and hold another number that can't be read, the first 10,000 of them. */
  partly_read: z.array(rejectedRowSchema),
});

export const suppressionRemovedSchema = z.object({
  phone: z.string(),
  removed: z.literal(true),
  /** What was taken back, each word that was in force. */
  taken_back: z.array(z.object({ said_by: saidBySchema, source: z.string(), reason: z.string() })),
  /** What still keeps the number from being dialed for the same brand, or for every one: words, and lists of sources. */
  still: z.array(z.object({ brand: z.string().nullable(), source: z.string(), reason: z.string() })),
});

const scrubSchema = z.object({
  /** Without what a query holds. */
  url: z.string(),
  /** The name of the secret that signs requests. */
  secret: z.string(),
  cache_for: z.string(),
  when_away: z.enum(Object.keys(WHEN_AWAY) as [WhenAway, ...WhenAway[]]),
  /** When it was asked last; null: never. */
  tried_at: instant.nullable(),
  /** Requests that failed in a row, and why the last one did. */
  failures: count,
  trouble: z.string().nullable(),
  /** Since when it counts as away; null: it does not. */
  away_since: instant.nullable(),
  /** When it is asked again, where it is left alone, or being asked. */
  asked_again_at: instant.nullable(),
});

export const sourceSchema = z.object({
  name: z.string(),
  type: z.enum(Object.keys(SOURCE_TYPES) as [SourceType, ...SourceType[]]),
  /** Null: for every brand. */
  brand: z.string().nullable(),
  /** How old its list may be; null: as old as it is. */
  max_age: z.string().nullable(),
  /** As of when its list is; null: it has none. */
  renewed_at: instant.nullable(),
  /** From when on it keeps campaigns from dialing; null: it never does, or it has no list and does. */
  stale_at: instant.nullable(),
  /** `old` from four fifths of its age on; `stale` keeps campaigns in its scope from dialing. */
  age: z.enum(["fresh", "old", "stale"]),
  /** On its list. */
  numbers: count,
  /** Of a service that is asked about single numbers; null: it is not asked. */
  scrub: scrubSchema.nullable(),
  created_at: instant,
});

export const sourceLoadSchema = z.object({
  id: z.int(),
  /** The file's name. */
  list: z.string(),
  /** `loading`, `taken`, `refused` (it had lost too many), `abandoned` (it did not come in whole, or another one began). */
  state: z.enum(["loading", "taken", "refused", "abandoned"]),
  as_of: instant,
  added: count,
  kept: count,
  /** Null: it was not taken. */
  removed: count.nullable(),
  actor: z.string(),
  began_at: instant,
  ended_at: instant.nullable(),
});

export const sourceListSchema = z.object({ items: z.array(sourceSchema) });

export const sourceShownSchema = z.object({
  source: sourceSchema,
  /** Lists that were sent for it, the newest first, 50 at most. */
  loads: z.array(sourceLoadSchema),
});

export const sourceCheckedSchema = z.object({
  /** As it is put: where it was asked, and signed with what. */
  source: sourceSchema,
  /** `answered`; `silent`: it said nothing of any number; `away`: no answer in time, or that it can't now; `wrong`: what people have to mend. */
  outcome: z.enum(["answered", "silent", "away", "wrong"]),
  /** Of its answer; null: there was none, or it was not sent. */
  status: z.int().nullable(),
  latency_ms: count,
  /** What is wrong, and what to do about it; null: nothing. */
  trouble: z.string().nullable(),
  /** The beginning of an answer that is not as it is to be. */
  said: z.string().nullable(),
  numbers: z.array(
    z.object({
      phone: z.string(),
      /** Null: there was no answer that says anything. */
      verdict: z.enum(["listed", "clear", "unanswered"]).nullable(),
      /** Of one that is listed, as the service gives it. */
      reason: z.string().nullable(),
      /** Until when that would hold, had it been asked ahead of a call; of one that is unanswered, when it would be asked again. */
      until: instant.nullable(),
    }),
  ),
});

export const sourcePutSchema = z.object({
  source: sourceSchema,
  is_new: z.boolean(),
  /** Batches that dialed by a list which is too old now, and take no new dial. */
  stopped_batches: count,
  in_flight: inFlightSchema,
});

export const sourceRemovedSchema = z.object({ removed: sourceSchema });

export const listReplacedSchema = z.object({
  source: sourceSchema,
  /** Numbers that are on the list now, and were not before. */
  added: count,
  kept: count,
  /** Numbers that were on the list before, and are not now. */
  removed: count,
  stopped_batches: count,
  in_flight: inFlightSchema,
  rows: z.object({ read: count, rejected: count, partly_read: count }),
  /** Rows without a number that can be read, the first 10,000 of them. */
  rejected: z.array(rejectedRowSchema),
  /** Rows that hold a number, and another one that can't be read, the first 10,000 of them. */
  partly_read: z.array(rejectedRowSchema),
});

export type SourceWire = z.output<typeof sourceSchema>;
export type SourceCheckedWire = z.output<typeof sourceCheckedSchema>;
export type LoadWire = z.output<typeof sourceLoadSchema>;
export type ListReplacedWire = z.output<typeof listReplacedSchema>;

export type SuppressionWire = z.output<typeof suppressionSchema>;
export type SuppressionRemovedWire = z.output<typeof suppressionRemovedSchema>;
export type SuppressionImportWire = z.output<typeof suppressionImportSchema>;
