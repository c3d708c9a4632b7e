import { z } from "zod";
import { id, kept, list, listOf, map, number, record, text, toldNumber, toldText } from "../decoding.ts";
import {
  idRule,
  objectRule,
  periodRules,
  phoneRule,
  variablesRule,
  windowRules,
  wordRule,
} from "../rules.ts";
import { testRules } from "./agents.ts";
import { bytes, get, nothing, object, type OperationsOf, post, remove, tolerantPage } from "./operation.ts";

const phoneRules = z.strictObject({
  agent_id: idRule,
  from_number: phoneRule,
  to_number: phoneRule,
  metadata: objectRule.optional(),
  dynamic_variables: variablesRule.optional(),
  batch_call_id: idRule.optional(),
});

/** Contract 4.2. A published agent and a number that the caller owns; variables go into the system prompt. */
export type PhoneCallCreate = z.input<typeof phoneRules>;

const webRules = z.strictObject({
  agent_id: idRule,
  metadata: objectRule.optional(),
  dynamic_variables: variablesRule.optional(),
});

/** Contract 4.2. A published agent. */
export type WebCallCreate = z.input<typeof webRules>;

const testBody = z.strictObject(testRules);

/** Contract 4.2. `temp_config`: overrides that are not kept. */
export type TestCallCreate = z.input<typeof testBody>;

const listQuery = z.strictObject({
  ...windowRules,
  agent_id: idRule.optional(),
  status: wordRule.optional(),
  call_type: wordRule.optional(),
  batch_call_id: idRule.describe("An id, none for single calls, or any for batch calls.").optional(),
  ...periodRules,
});

/**
 * Contract 4.2. `batch_call_id`: an id, `none` for single calls, or `any` for batch calls. Dates are ISO
 * 8601. `skip` from 0 (default 0), `limit` 1 to 1,000 (default 50).
 */
export type CallsQuery = z.input<typeof listQuery>;

/** An automation's run that a call set off. */
const callExecution = record(
  { execution_id: "id", id: "execution_id" },
  {
    execution_id: text,
    id: text,
    workflow_id: text,
    workflow_name: text,
    status: text,
    trigger_type: text,
    trigger_source: text,
    execution_time_ms: number,
    error_message: text,
    started_at: text,
    completed_at: text,
  },
);

export const call = record(
  { call_id: "id" },
  {
    call_id: id,
    call_type: text,
    status: toldText,
    agent_id: text,
    agent_name: text,
    from_number: text,
    to_number: toldText,
    access_token: text,
    room_name: text,
    room_url: text,
    start_time: text,
    end_time: text,
    /** Seconds. */
    duration_seconds: toldNumber,
    transcript: list,
    recording_url: text,
    call_analysis: kept,
    call_summary: kept,
    call_sentiment: kept,
    call_cost: kept,
    latency_metrics: kept,
    processing_status: toldText,
    workflow_executions: listOf(callExecution),
    batch_call_id: text,
    metadata: map,
    dynamic_variables: map,
    created_at: text,
  },
);

/**
 * A call (contract 2.3). Analysis, summary, sentiment, cost and latency are kept as they came: texts, numbers or
 * objects, by platform. List rows carry only a few of the fields.
 */
export type Call = z.output<typeof call>;

export const callOperations = {
  "calls.phone": post("/v1/calls/phone", {
    summary: "Call a phone now",
    body: phoneRules,
    answer: object(call),
    asks: "dials",
  }),
  "calls.web": post("/v1/calls/web", {
    summary: "Open a browser call to join",
    body: webRules,
    answer: object(call),
  }),
  "calls.test": post("/v1/calls/test", {
    summary: "Open a test call, of a draft agent, too",
    body: testBody,
    answer: object(call),
  }),
  "calls.get": get("/v1/calls/{call_id}", { summary: "Show a call", answer: object(call) }),
  "calls.list": get("/v1/calls", {
    summary: "List calls",
    query: listQuery,
    answer: tolerantPage("skip", 50, call, "call_id", "calls"),
  }),
  "calls.end": post(
    "/v1/calls/{call_id}/end",
    {
      summary: "End an active call",
      answer: { ...object(call), about: { param: "call_id", field: "call_id" } },
    },
    { atOnce: true },
  ),
  "calls.delete": remove("/v1/calls/{call_id}", {
    summary: "Delete a call's record",
    answer: nothing,
    asks: "deletes",
  }),
  "calls.recording": get("/v1/calls/{call_id}/recording", {
    summary: "Download a call's recording",
    answer: bytes,
  }),
} as const satisfies OperationsOf<"calls">;
