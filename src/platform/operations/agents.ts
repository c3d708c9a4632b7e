import { z } from "zod";
import { firmFlag, flag, id, kept, listOf, map, number, record, text, texts, words } from "../decoding.ts";
import {
  characters,
  idRule,
  languageRule,
  objectRule,
  urlRule,
  variablesRule,
  windowRules,
  wordRule,
} from "../rules.ts";
import {
  anyObject,
  array,
  get,
  linkFields,
  nothing,
  object,
  type OperationsOf,
  page,
  patch,
  post,
  remove,
} from "./operation.ts";

/**
 * Contract 2.2. Of the fields that the contract names without a type, those whose name says it have that
 * type; `emotion`, `background_sound` and `post_call_analysis_config` are passed on as they are.
 */
const fields = {
  description: z.string().optional(),
  agent_type: z.enum(["orchestration_agent", "realtime_agent"]).optional(),
  agent_mode: z.enum(["single_prompt", "conversation_flow"]).optional(),
  llm_provider: wordRule.optional(),
  llm_model: wordRule.optional(),
  system_prompt: z.string().optional(),
  greeting_message: z.string().describe("Empty: the agent waits for the user to speak.").optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_completion_tokens: z.number().min(1).max(8192).optional(),
  voice_provider: wordRule.optional(),
  voice_id: wordRule.optional(),
  voice_speed: z.number().min(0.5).max(2).optional(),
  stt_provider: wordRule.optional(),
  stt_model: wordRule.optional(),
  stt_multilingual: z.boolean().optional(),
  realtime_provider: wordRule.optional(),
  realtime_model: wordRule.optional(),
  realtime_voice: wordRule.optional(),
  language: languageRule.optional(),
  interruption_sensitivity: z.number().min(0).max(1).optional(),
  end_call_after_silence_ms: z.number().min(0).optional(),
  max_call_duration_ms: z.number().min(0).optional(),
  knowledge_base_ids: z.array(idRule).optional(),
  webhook_url: urlRule.optional(),
  mcp_config: objectRule.optional(),
  native_tools_config: objectRule.optional(),
  llm_base_url: z.string().optional(),
  llm_api_key: z.string().optional(),
  tts_model: z.string().optional(),
  volume: z.number().optional(),
  emotion: z.json().optional(),
  tts_base_url: z.string().optional(),
  tts_sample_rate: z.number().optional(),
  tts_use_websocket: z.boolean().optional(),
  stt_base_url: z.string().optional(),
  stt_api_key: z.string().optional(),
  voice_stability: z.number().optional(),
  responsiveness: z.number().optional(),
  endpointing_ms: z.number().optional(),
  enable_backchannel: z.boolean().optional(),
  response_delay_ms: z.number().optional(),
  reminder_trigger_ms: z.number().optional(),
  reminder_max_count: z.number().optional(),
  background_sound: z.json().optional(),
  analytics_prompt: z.string().optional(),
  analytics_model_provider: z.string().optional(),
  analytics_model: z.string().optional(),
  enable_sentiment_analysis: z.boolean().optional(),
  enable_summary_generation: z.boolean().optional(),
  post_call_analysis_config: z.json().optional(),
  version_description: z.string().optional(),
};

const agentName = characters(255);

const createRules = z.strictObject({ agent_name: agentName, ...fields }).transform(underWireName);
const updateRules = z.strictObject({ agent_name: agentName.optional(), ...fields }).transform(underWireName);

/** Contract 2.2: `agent_name` is carried as `name`. */
function underWireName({ agent_name: name, ...rest }: { agent_name?: string | undefined }): object {
  return name === undefined ? rest : { name, ...rest };
}

/** Contract 2.2. Only `agent_name` is required. Durations in milliseconds. */
export type AgentCreate = z.input<typeof createRules>;

/** Any of the fields of `AgentCreate`; each update saves a new draft version (contract 3.1). */
export type AgentUpdate = z.input<typeof updateRules>;

/** An agent's configuration as `agents.export` gave it. */
export type ExportedAgent = Readonly<Record<string, unknown>>;

const importRules = z
  .record(z.string(), z.unknown())
  .refine((exported) => Object.keys(exported).length > 0, "must be an exported agent");

const publishQuery = z.strictObject({ version: z.int().min(1).optional() });

/** `version`: its number; without it the current draft is published (contract 3.1). */
export type AgentPublishQuery = z.input<typeof publishQuery>;

const listQuery = z.strictObject(windowRules);

/** `skip` from 0 (default 0), `limit` 1 to 1,000 (default 50). */
export type AgentsQuery = z.input<typeof listQuery>;

const linkBody = z.strictObject(linkFields);

/** How an automation is linked to an agent (contract 4.1, 4.5). */
export type WorkflowLink = z.input<typeof linkBody>;

const VERSION_NAMES = { version: "version_number", agent_name: "name" } as const;

/** A row of an agent's workflows is the workflow, whatever its link says of itself. */
const LINKED_WORKFLOW_NAMES = { workflow_id: "id", workflow_name: "name" } as const;

/**
 * The fields of `AgentCreate` as answers repeat them, where they do: the contract shows none of them in an answer but
 * calls a version a snapshot of the configuration. Keys of other providers are never in an answer.
 */
const configuration = {
  llm_provider: text,
  llm_model: text,
  system_prompt: words,
  greeting_message: words,
  temperature: number,
  max_completion_tokens: number,
  voice_provider: text,
  voice_id: text,
  voice_speed: number,
  stt_provider: text,
  stt_model: text,
  stt_multilingual: flag,
  realtime_provider: text,
  realtime_model: text,
  realtime_voice: text,
  language: text,
  interruption_sensitivity: number,
  end_call_after_silence_ms: number,
  max_call_duration_ms: number,
  knowledge_base_ids: texts,
  webhook_url: text,
  mcp_config: map,
  native_tools_config: map,
  llm_base_url: text,
  tts_model: text,
  volume: number,
  emotion: kept,
  tts_base_url: text,
  tts_sample_rate: number,
  tts_use_websocket: flag,
  stt_base_url: text,
  voice_stability: number,
  responsiveness: number,
  endpointing_ms: number,
  enable_backchannel: flag,
  response_delay_ms: number,
  reminder_trigger_ms: number,
  reminder_max_count: number,
  background_sound: kept,
  analytics_prompt: words,
  analytics_model_provider: text,
  analytics_model: text,
  enable_sentiment_analysis: flag,
  enable_summary_generation: flag,
  post_call_analysis_config: kept,
};

export const agentVersion = record(VERSION_NAMES, {
  version: number,
  agent_name: text,
  version_description: text,
  description: text,
  is_published: flag,
  agent_type: text,
  agent_mode: text,
  created_at: text,
  ...configuration,
});

/** A snapshot of an agent's configuration (contract 2.2). */
export type AgentVersion = z.output<typeof agentVersion>;

const linkFieldsRead = {
  workflow_id: text,
  agent_id: text,
  trigger_condition_description: text,
  priority: number,
  execution_mode_override: text,
  is_enabled: flag,
  created_at: text,
  updated_at: text,
};

/** A link alone: an `id` in it is its own. */
export const workflowLink = record({}, linkFieldsRead);

/** What the address of a link says of it: the answer may leave it out. */
export const LINK_PARAMS = { workflow_id: "workflow_id", agent_id: "agent_id" } as const;

/** The link between an automation and an agent (contract 2.6). */
export type AgentWorkflowLink = z.output<typeof workflowLink>;

/** A link as a row of an agent's workflows, and as a row of a workflow's agents. */
const linkedWorkflow = record(LINKED_WORKFLOW_NAMES, {
  ...linkFieldsRead,
  workflow_name: text,
  trigger_type: text,
});
export const linkedAgent = record(
  { agent_id: "id", agent_name: "name" },
  { ...linkFieldsRead, agent_name: text },
);

/** An automation in the list of an agent that it is linked to. */
export type LinkedWorkflow = z.output<typeof linkedWorkflow>;

/** An agent in the list of an automation that it is linked to. */
export type LinkedAgent = z.output<typeof linkedAgent>;

export const agent = record(
  { agent_id: "id", agent_name: "name" },
  {
    agent_id: id,
    agent_name: text,
    description: text,
    is_published: firmFlag,
    published_version: number,
    agent_type: text,
    agent_mode: text,
    created_at: text,
    updated_at: text,
    versions: listOf(agentVersion),
    linked_workflows: listOf(linkedWorkflow),
    version_description: text,
    ...configuration,
  },
);

/** Contract 2.2. The configuration is there where the platform repeats it. */
export type Agent = z.output<typeof agent>;

/** What an agent is temporarily overridden with in a test; `agent_name` travels as it is (contract 4.2). */
export const testRules = {
  agent_id: idRule,
  temp_config: objectRule.optional(),
  dynamic_variables: variablesRule.optional(),
};

export const agentOperations = {
  "agents.create": post("/v1/agents", {
    summary: "Create an agent, as a draft",
    body: createRules,
    answer: object(agent),
  }),
  "agents.get": get("/v1/agents/{agent_id}", {
    summary: "Show an agent with its version history",
    answer: object(agent),
  }),
  "agents.list": get("/v1/agents", {
    summary: "List agents",
    query: listQuery,
    answer: page("skip", 50, agent, "agent_id", "agents"),
  }),
  "agents.update": patch("/v1/agents/{agent_id}", {
    summary: "Change an agent; saves a new draft version",
    body: updateRules,
    answer: object(agent),
  }),
  "agents.delete": remove("/v1/agents/{agent_id}", {
    summary: "Delete an agent and all its versions for good",
    answer: nothing,
    asks: "deletes",
  }),
  "agents.publish": post("/v1/agents/{agent_id}/publish", {
    summary: "Make a version live; the current draft without --version",
    query: publishQuery,
    answer: object(agent),
  }),
  "agents.versions": get("/v1/agents/{agent_id}/versions", {
    summary: "List an agent's versions",
    answer: array(agentVersion, "version", "versions"),
  }),
  "agents.export": get("/v1/agents/{agent_id}/export", {
    summary: "Export an agent as portable JSON",
    answer: anyObject,
  }),
  "agents.import": post("/v1/agents/import", {
    summary: "Create an agent from an exported one",
    body: importRules,
    answer: object(agent),
  }),
  "agents.linkWorkflow": post("/v1/agents/{agent_id}/workflows/{workflow_id}", {
    summary: "Link an automation to an agent",
    body: linkBody,
    answer: { ...object(workflowLink), known: LINK_PARAMS },
  }),
  "agents.unlinkWorkflow": remove("/v1/agents/{agent_id}/workflows/{workflow_id}", {
    summary: "Remove the link between an agent and an automation",
    answer: nothing,
    asks: "deletes",
  }),
  "agents.workflows": get("/v1/agents/{agent_id}/workflows", {
    summary: "List the automations linked to an agent",
    answer: array(linkedWorkflow, "workflow_id", "workflows"),
  }),
} as const satisfies OperationsOf<"agents">;
