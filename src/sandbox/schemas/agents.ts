import { z } from "zod";

import { published } from "../dialect.ts";
import { importable } from "./importable.ts";
import { queryInteger } from "./query.ts";

const text = z.string().nullish();
const count = z.int().min(0).nullish();
const json = z.record(z.string(), z.unknown()).nullish();

/** Contract 2.2. Unknown fields are ignored, as FastAPI does. */
const optionalFields = {
  description: text,
  agent_type: z.enum(["orchestration_agent", "realtime_agent"]).nullish(),
  agent_mode: z.enum(["single_prompt", "conversation_flow"]).nullish(),
  llm_provider: text,
  llm_model: text,
  system_prompt: text,
  greeting_message: text,
  temperature: z.number().min(0).max(2).nullish(),
  max_completion_tokens: z.int().min(1).max(8192).nullish(),
  voice_provider: text,
  voice_id: text,
  voice_speed: z.number().min(0.5).max(2).nullish(),
  stt_provider: text,
  stt_model: text,
  stt_multilingual: z.boolean().nullish(),
  realtime_provider: text,
  realtime_model: text,
  realtime_voice: text,
  /** BCP-47: a language, and what narrows it down. */
  language: z
    .string()
    .regex(/^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*|multi)$/, "Language must be a BCP-47 tag, e.g. en-US")
    .nullish(),
  interruption_sensitivity: z.number().min(0).max(1).nullish(),
  end_call_after_silence_ms: count,
  max_call_duration_ms: count,
  knowledge_base_ids: z.array(z.string()).nullish(),
  webhook_url: text,
  mcp_config: json,
  native_tools_config: json,
  llm_base_url: text,
  llm_api_key: text,
  tts_model: text,
  volume: z.number().nullish(),
  emotion: text,
  tts_base_url: text,
  tts_sample_rate: count,
  tts_use_websocket: z.boolean().nullish(),
  stt_base_url: text,
  stt_api_key: text,
  voice_stability: z.number().nullish(),
  responsiveness: z.number().nullish(),
  endpointing_ms: count,
  enable_backchannel: z.boolean().nullish(),
  response_delay_ms: count,
  reminder_trigger_ms: count,
  reminder_max_count: count,
  background_sound: text,
  analytics_prompt: text,
  analytics_model_provider: text,
  analytics_model: text,
  enable_sentiment_analysis: z.boolean().nullish(),
  enable_summary_generation: z.boolean().nullish(),
  post_call_analysis_config: z.unknown().optional(),
  version_description: text,
};

/** `agent_name` travels as `name` (contract 2.2). */
const name = z.string().min(1).max(255);

export const agentCreateBody = z.object({ name, ...optionalFields });
export const agentPatchBody = z.object({ name: name.optional(), ...optionalFields });

export type AgentFields = z.output<typeof agentCreateBody>;
export type AgentPatch = z.output<typeof agentPatchBody>;

/** What a configuration shows: its fields without the keys of other providers. */
const shownFields = z.looseObject({
  agent_type: z.string().nullish(),
  agent_mode: z.string().nullish(),
  description: z.string().nullish(),
});

/** Contract 2.2: a snapshot of the configuration. */
export const agentVersionResponse = shownFields
  .extend({
    version: z.int(),
    agent_name: z.string(),
    is_published: z.boolean(),
    created_at: z.string(),
  })
  .register(published, { nameFrom: "agent_name" });

/** A workflow as an agent shows it, with what the link between them says. `id` is the workflow's, too. */
export const linkedWorkflowResponse = z
  .object({
    id: z.string(),
    workflow_id: z.string(),
    workflow_name: z.string(),
    agent_id: z.string(),
    trigger_type: z.string(),
    trigger_condition_description: z.string().nullable(),
    priority: z.int(),
    execution_mode_override: z.string().nullable(),
    is_enabled: z.boolean(),
    created_at: z.string(),
  })
  .register(published, { nameFrom: "workflow_name" });

export const agentResponse = shownFields
  .extend({
    agent_id: z.string(),
    agent_name: z.string(),
    is_published: z.boolean(),
    published_version: z.int().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    /** Left out of lists. */
    versions: z.array(agentVersionResponse).optional(),
    linked_workflows: z.array(linkedWorkflowResponse),
  })
  .register(published, { idFrom: "agent_id", nameFrom: "agent_name" });

export const publishQuery = z.object({ version: queryInteger(z.int().min(1).optional()) });

/**
 * A configuration in a form that another organization can take in (contract 4.1). Keys of other providers and the ids
 * of this organization's records are no part of it, with the exception of `knowledge_base_ids`, which are kept as they
 * are: they are part of the configuration, and what is imported where they exist works at once.
 */
export const agentExport = z
  .object({
    format: z.literal("agent-export"),
    format_version: z.literal(1),
    agent: agentCreateBody,
  })
  .register(importable, { asForm: true });
