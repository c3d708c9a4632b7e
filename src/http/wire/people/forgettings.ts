import { z } from "zod";

import { FORGETTING_STATES } from "../../../domain/people/forgetting.ts";
import { pageOf } from "../page.ts";

const instant = z.iso.datetime();
const count = z.int().min(0);

const keptSchema = z.object({
  what: z.string(),
  rows: count,
  as: z.enum(["number", "digest", "nothing that leads to the person"]),
  why: z.string(),
});

const elsewhereSchema = z.object({ where: z.string(), what: z.string() });

const waitingSchema = z.object({
  what: z.enum(["recording", "record of a call"]),
  /** The file's name, or the platform's id of the call. */
  name: z.string(),
  where: z.string(),
  since: instant,
  why: z.string(),
});

/** What went, what stays and why: without the number, so that it can be kept. */
export const certificateSchema = z.object({
  id: z.string(),
  installation_id: z.string(),
  /** A digest of the number, made with the installation's own key. */
  person: z.string(),
  last_digits: z.string(),
  asked_at: instant,
  asked_by: z.string(),
  reason: z.string(),
  done_at: instant,
  /** Rows, files and records of the platform, by kind. */
  removed: z.record(z.string(), count),
  /** What is to go and could not be removed yet, 100 at most; it is asked for again, and leaves here when it is gone. */
  waiting: z.array(waitingSchema),
  /** When the last of it was gone; null until then. */
  complete_at: instant.nullable(),
  kept: z.array(keptSchema),
  /** What Outdial can't reach. */
  elsewhere: z.array(elsewhereSchema),
});

export const forgettingSchema = z.object({
  id: z.string(),
  person: z.string(),
  last_digits: z.string(),
  state: z.enum(FORGETTING_STATES),
  /** What has to come to its end first, or why the last step could not be done. */
  waits_for: z.string().nullable(),
  /** The suppression is kept as a digest. */
  as_hash: z.boolean(),
  reason: z.string(),
  asked_at: instant,
  asked_by: z.string(),
  removed: z.record(z.string(), count),
  certificate: certificateSchema.nullable(),
});

export type ForgettingWire = z.output<typeof forgettingSchema>;
export type CertificateWire = z.output<typeof certificateSchema>;

export const forgettingPageSchema = pageOf(forgettingSchema);

/** What forgetting somebody would do. */
export const forgetPreviewSchema = z.object({
  /** Rows that are about the person, by table. */
  rows: z.record(z.string(), count),
  recordings: count,
  /** Calls whose records the platform is asked to remove. */
  calls: count,
  /** What would be waited for; null: nothing. */
  waits_for: z.string().nullable(),
  /** What becomes of each of these tables. */
  becomes: z.record(z.string(), z.string()),
  elsewhere: z.array(elsewhereSchema),
});

export type ForgetPreviewWire = z.output<typeof forgetPreviewSchema>;

export const forgetAnswerSchema = z.object({
  preview: forgetPreviewSchema,
  /** Null: it was a dry run. */
  forgetting: forgettingSchema.nullable(),
});

/** A page of everything that is known of somebody. */
export const exportPageSchema = z.object({
  phone: z.string(),
  made_at: instant,
  installation_id: z.string(),
  outdial: z.string(),
  /** Rows as they stand in the ledger, each with its table. */
  records: z.array(z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) })),
  /** Give it as `after` for the next page; null on the last. */
  next_after: z.string().nullable(),
});

export type ExportPageWire = z.output<typeof exportPageSchema>;
