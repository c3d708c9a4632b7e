import { z } from "zod";
import { counts, id, listOf, map, number, record, text, toldNumber, toldText } from "../decoding.ts";
import { idRule, phoneRule, variablesRule, windowRules, wordRule } from "../rules.ts";
import {
  get,
  nothing,
  object,
  type OperationsOf,
  post,
  remove,
  tolerantArray,
  tolerantPage,
} from "./operation.ts";

const createRules = z.strictObject({
  agent_id: idRule,
  from_number: phoneRule,
  contacts: z
    .array(z.strictObject({ phone_number: phoneRule, dynamic_variables: variablesRule.optional() }))
    .min(1),
  name: wordRule.optional(),
  max_concurrent_calls: z.int().min(1).max(100).optional(),
  retry_attempts: z.int().min(0).max(5).optional(),
});

/**
 * Contract 4.4. `max_concurrent_calls` 1 to 100 and `retry_attempts` 0 to 5 (retries per failed contact) as
 * the platform's published clients allow; left out, the platform chooses (seen: 5, and 1).
 */
export type BatchCallCreate = z.input<typeof createRules>;

const listQuery = z.strictObject(windowRules);
const itemsQuery = z.strictObject({ ...windowRules, status: wordRule.optional() });

/** `skip` from 0 (default 0), `limit` 1 to 1,000 (default 50). */
export type BatchCallsQuery = z.input<typeof listQuery>;

/** As `BatchCallsQuery` (default limit 100); `status` filters by item status where the platform supports it. */
export type BatchCallItemsQuery = z.input<typeof itemsQuery>;

const batchContact = record({}, { phone_number: text, dynamic_variables: map });

export const batchCall = record(
  {
    batch_call_id: "id",
    total: "total_count",
    completed: "completed_count",
    failed: "failed_count",
    max_concurrent_calls: "max_concurrent",
  },
  {
    batch_call_id: id,
    name: text,
    status: toldText,
    agent_id: text,
    from_number: text,
    total: toldNumber,
    pending: toldNumber,
    active: toldNumber,
    completed: toldNumber,
    failed: toldNumber,
    processed: toldNumber,
    counts,
    progress_percent: number,
    max_concurrent_calls: number,
    retry_attempts: number,
    contacts: listOf(batchContact),
    created_at: text,
    started_at: toldText,
    completed_at: text,
  },
);

/**
 * A batch: the campaign record and its status (contract 2.5) in one, since which of the two an operation
 * answers with differs. `status` is whatever word the platform uses (3.3: not shown).
 */
export type BatchCall = z.output<typeof batchCall>;

export const batchCallItem = record(
  { item_id: "id" },
  {
    item_id: id,
    phone_number: toldText,
    status: toldText,
    attempt_count: toldNumber,
    call_id: toldText,
    error_message: text,
    started_at: toldText,
    completed_at: text,
  },
);

/** One contact of a batch (contract 2.5). */
export type BatchCallItem = z.output<typeof batchCallItem>;

/** An action answers with the status record, or with any object, or with nothing. */
const acted = { ...object(batchCall), about: { param: "batch_id", field: "batch_call_id" } } as const;

export const batchCallOperations = {
  "batchCalls.create": post("/v1/batch-calls", {
    summary: "Create a batch; nobody is called yet",
    body: createRules,
    answer: object(batchCall),
  }),
  "batchCalls.get": get("/v1/batch-calls/{batch_id}", {
    summary: "Show a batch and how far it is",
    answer: object(batchCall),
  }),
  "batchCalls.list": get("/v1/batch-calls", {
    summary: "List batches",
    query: listQuery,
    answer: tolerantPage("skip", 50, batchCall, "batch_call_id", "batch_calls"),
  }),
  // A look at the moment: what runs has changed by the time a second page came.
  "batchCalls.active": get("/v1/batch-calls/active", {
    summary: "List the batches that are running",
    answer: tolerantArray(batchCall, "batch_calls"),
  }),
  "batchCalls.items": get("/v1/batch-calls/{batch_id}/items", {
    summary: "List a batch's contacts and what became of them",
    query: itemsQuery,
    answer: tolerantPage("skip", 100, batchCallItem, "item_id"),
  }),
  "batchCalls.delete": remove(
    "/v1/batch-calls/{batch_id}",
    {
      summary: "Delete a batch that is not running",
      answer: nothing,
      asks: "deletes",
    },
    { atOnce: true },
  ),
  "batchCalls.start": post("/v1/batch-calls/{batch_id}/start", {
    summary: "Start calling a batch's contacts",
    answer: acted,
    asks: "dials",
  }),
  "batchCalls.pause": post(
    "/v1/batch-calls/{batch_id}/pause",
    { summary: "Start no new call of a batch", answer: acted },
    { atOnce: true },
  ),
  "batchCalls.resume": post("/v1/batch-calls/{batch_id}/resume", {
    summary: "Call on where a batch was paused",
    answer: acted,
    asks: "dials",
  }),
  "batchCalls.cancel": post(
    "/v1/batch-calls/{batch_id}/cancel",
    { summary: "Cancel a batch's contacts that are still waiting", answer: acted },
    { atOnce: true },
  ),
} as const satisfies OperationsOf<"batchCalls">;
