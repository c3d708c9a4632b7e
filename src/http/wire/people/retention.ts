import { z } from "zod";

import { RETENTION_KINDS } from "../../../domain/ground/retention.ts";

const instant = z.iso.datetime();

export const retentionKindSchema = z.object({
  kind: z.enum(RETENTION_KINDS),
  /** What goes, and since when its age counts. */
  what: z.string(),
  /** How long it is kept; null: for good. */
  keep: z.string().nullable(),
  /** The same where nobody said anything. */
  standard: z.string().nullable(),
  /** The least and the most that may be said; null: it may be kept for good. */
  least: z.string(),
  most: z.string().nullable(),
  /** Who said so, and when; null: nobody did. */
  changed_by: z.string().nullable(),
  changed_at: instant.nullable(),
  /** How much went so far, and when last; null: none did, or it is not counted. */
  removed: z.int().min(0).nullable(),
  last_removed_at: instant.nullable(),
});

export const retentionSchema = z.object({ kinds: z.array(retentionKindSchema) });

/** How much is older than it is to be kept. */
const dueSchema = z.object({
  kind: z.enum(RETENTION_KINDS),
  /** Counted up to 10,000. */
  rows: z.int().min(0),
  /** There are more than that. */
  more: z.boolean(),
});

export const retentionAnswerSchema = z.object({
  /** As it is now; after a dry run, as it was. */
  kinds: z.array(retentionKindSchema),
  /** What would go, or goes, under what was said. Kinds that are kept for good are not in it. */
  due: z.array(dueSchema),
  /** False: it was a dry run. */
  is_set: z.boolean(),
});

export type RetentionKindWire = z.output<typeof retentionKindSchema>;
export type RetentionAnswerWire = z.output<typeof retentionAnswerSchema>;
