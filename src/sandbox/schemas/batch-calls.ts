import { z } from "zod";

import { published } from "../dialect.ts";
import { envelopeOf, pageQuery } from "./page.ts";
import { dynamicVariables, phoneSchema } from "./phone.ts";

/** The contract gives no bound on contacts; this is ours, above any batch that a careful client makes. */
const MOST_CONTACTS = 1_000;

/** Contract 4.4. Duplicates within a batch are dialed as often as they are listed. */
export const batchCreateBody = z.object({
  agent_id: z.string().min(1),
  from_number: phoneSchema,
  contacts: z
    .array(z.object({ phone_number: phoneSchema, dynamic_variables: dynamicVariables.nullish() }))
    .min(1)
    .max(MOST_CONTACTS),
  name: z.string().min(1).max(255).nullish(),
  max_concurrent_calls: z.int().min(1).max(100).default(5),
  /** Left out, the platform dials a failed contact again by itself. */
  retry_attempts: z.int().min(0).max(5).default(1),
});

export type BatchCreate = z.output<typeof batchCreateBody>;

/** One of pending, queued, running, paused, completed, cancelled, failed; a fault may word it otherwise. */
const BATCH_STATUS = z.string();

/** BatchCallStatusResponse (contract 2.5). */
export const batchStatusResponse = z
  .object({
    batch_call_id: z.string(),
    name: z.string(),
    status: BATCH_STATUS,
    total: z.int(),
    pending: z.int(),
    active: z.int(),
    completed: z.int(),
    failed: z.int(),
    processed: z.int(),
    /** Items by status word. */
    counts: z.record(z.string(), z.int()),
    progress_percent: z.number(),
    started_at: z.string().nullable(),
    completed_at: z.string().nullable(),
  })
  .register(published, { idFrom: "batch_call_id" });

/** BatchCallResponse as lists show it. */
export const batchListItem = z
  .object({
    batch_call_id: z.string(),
    name: z.string(),
    agent_id: z.string(),
    from_number: z.string(),
    total_count: z.int(),
    completed_count: z.int(),
    failed_count: z.int(),
    max_concurrent: z.int(),
    retry_attempts: z.int(),
    status: BATCH_STATUS,
    progress_percent: z.number(),
    created_at: z.string(),
    started_at: z.string().nullable(),
    completed_at: z.string().nullable(),
  })
  .register(published, { idFrom: "batch_call_id" });

/** The page of batches, bare in the dialect of published clients. */
export const batchesResponse = envelopeOf(batchListItem).register(published, { bare: "items" });

/** BatchCallResponse as create answers it: the status, and what the campaign was created with. */
export const batchCreatedResponse = batchStatusResponse
  .extend({
    agent_id: z.string(),
    from_number: z.string(),
    max_concurrent_calls: z.int(),
    retry_attempts: z.int(),
    created_at: z.string(),
  })
  .register(published, { idFrom: "batch_call_id" });

/** BatchCallItemResponse (contract 2.5). */
export const batchItemResponse = z
  .object({
    item_id: z.string(),
    phone_number: z.string(),
    status: z.string(),
    attempt_count: z.int(),
    call_id: z.string().nullable(),
    error_message: z.string().nullable(),
    started_at: z.string().nullable(),
    completed_at: z.string().nullable(),
  })
  .register(published, { idFrom: "item_id" });

export const itemsQuery = pageQuery(100, { status: z.string().optional() });
