import { z } from "zod";

import { published } from "../dialect.ts";
import { agentPatchBody } from "./agents.ts";
import { envelopeOf, pageQuery } from "./page.ts";
import { periodFields } from "./period.ts";
import { dynamicVariables, phoneSchema } from "./phone.ts";

/** Contract 4.2. */
export const phoneCallBody = z.object({
  agent_id: z.string().min(1),
  from_number: phoneSchema,
  to_number: phoneSchema,
  metadata: z.record(z.string(), z.unknown()).nullish(),
  dynamic_variables: dynamicVariables.nullish(),
  batch_call_id: z.string().nullish(),
});

/** A call from a browser, with a published agent (contract 4.2). */
export const webCallBody = z.object({
  agent_id: z.string().min(1),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  dynamic_variables: dynamicVariables.nullish(),
});

/** A call from a browser with any agent, drafts included, and with overrides that are not kept (contract 4.2). */
export const testCallBody = z.object({
  agent_id: z.string().min(1),
  temp_config: agentPatchBody.nullish(),
  dynamic_variables: dynamicVariables.nullish(),
});

const batchFilter = z.union([z.enum(["none", "any"]), z.uuid()], {
  error: "batch_call_id must be a UUID, 'none' or 'any'",
});

export const callsQuery = pageQuery(50, {
  agent_id: z.string().optional(),
  status: z.string().optional(),
  call_type: z.string().optional(),
  batch_call_id: batchFilter.optional(),
  ...periodFields,
});

/** CallListItem: no transcript, no metadata. */
export const callListItem = z
  .object({
    call_id: z.string(),
    call_type: z.string(),
    status: z.string(),
    agent_id: z.string(),
    agent_name: z.string(),
    /** Null for calls from a browser. */
    from_number: z.string().nullable(),
    to_number: z.string().nullable(),
    batch_call_id: z.string().nullable(),
    duration_seconds: z.number().nullable(),
    start_time: z.string().nullable(),
    end_time: z.string().nullable(),
    created_at: z.string(),
  })
  .register(published, { idFrom: "call_id" });

/** The page of calls, bare in the dialect of published clients. */
export const callsResponse = envelopeOf(callListItem).register(published, { bare: "items" });

const json = z.record(z.string(), z.unknown());
const percentiles = z.object({ p50: z.number(), p90: z.number(), p95: z.number(), p99: z.number() });

/** CallResponse (contract 2.3). What processing makes is null until `processing_status` is `completed`. */
export const callResponse = z
  .object({
    call_id: z.string(),
    call_type: z.string(),
    status: z.string(),
    agent_id: z.string(),
    agent_name: z.string(),
    from_number: z.string().nullable(),
    to_number: z.string().nullable(),
    batch_call_id: z.string().nullable(),
    access_token: z.string().nullable(),
    room_name: z.string().nullable(),
    room_url: z.string().nullable(),
    start_time: z.string().nullable(),
    end_time: z.string().nullable(),
    duration_seconds: z.number().nullable(),
    transcript: z.array(json).nullable(),
    recording_url: z.string().nullable(),
    call_analysis: json.nullable(),
    call_summary: json.nullable(),
    call_sentiment: json.nullable(),
    call_cost: json.nullable(),
    latency_metrics: z
      .object({ e2e: percentiles, stt: percentiles, llm: percentiles, tts: percentiles })
      .nullable(),
    processing_status: z.enum(["pending", "processing", "completed", "failed"]),
    workflow_executions: z.array(json),
    metadata: json.nullable(),
    dynamic_variables: dynamicVariables.nullable(),
    created_at: z.string(),
  })
  .register(published, { idFrom: "call_id" });
