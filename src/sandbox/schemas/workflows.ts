import { z } from "zod";

import { published } from "../dialect.ts";
import { WORKFLOW_STATUSES } from "../state/workflow-status.ts";
import { importable } from "./importable.ts";
import { pageQuery } from "./page.ts";
import { queryBoolean, queryInteger } from "./query.ts";

export const TRIGGER_TYPES = ["post_call", "in_call", "webhook", "schedule"] as const;
export type TriggerType = (typeof TRIGGER_TYPES)[number];

const EXECUTION_MODES = ["sync", "async"] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

const SECRET_TYPES = ["string", "pem", "json", "oauth"] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

const name = z.string().min(1).max(255);
const description = z.string().max(10_000);
const triggerType = z.enum(TRIGGER_TYPES);
export const executionMode = z.enum(EXECUTION_MODES);
const status = z.enum(WORKFLOW_STATUSES);
const timeoutSeconds = z.int().min(1).max(300);
const object = z.record(z.string(), z.unknown());

/** A workflow in n8n's format. The sandbox looks at its nodes and takes the rest as it is. */
const workflowJson = object;
export type WorkflowJson = z.output<typeof workflowJson>;

/** The contract says nothing of defaults: asynchronous, and a minute, which no plan of the seed needs. */
export const DEFAULT_MODE: ExecutionMode = "async";
export const DEFAULT_TIMEOUT_SECONDS = 60;

const settings = {
  description: description.nullish(),
  trigger_config: object.nullish(),
  execution_mode: executionMode.default(DEFAULT_MODE),
  timeout_seconds: timeoutSeconds.default(DEFAULT_TIMEOUT_SECONDS),
};

/** Contract 4.5. */
export const workflowCreateBody = z.object({
  name,
  trigger_type: triggerType,
  workflow_json: workflowJson,
  ...settings,
});

export type WorkflowCreate = z.output<typeof workflowCreateBody>;

export const generateBody = z.object({
  name,
  description: description.min(1),
  trigger_type: triggerType.default("post_call"),
  trigger_config: object.nullish(),
  agent_id: z.string().nullish(),
});

export const refineBody = z.object({ feedback: z.string().min(1).max(10_000) });

/** `error` is what the engine says, so nobody sets it. */
export const workflowPatchBody = z.object({
  name: name.optional(),
  description: description.nullish(),
  is_active: z.boolean().optional(),
  status: z.enum(["draft", "active", "paused"]).optional(),
  execution_mode: executionMode.optional(),
  timeout_seconds: timeoutSeconds.optional(),
});

export type WorkflowPatch = z.output<typeof workflowPatchBody>;

const version = z.int().min(1).optional();

/** The contract has a version in the body; some clients have it in the query, or leave it out. The body wins. */
export const restoreBody = z.object({ version }).nullish();
export const restoreQuery = z.object({ version: queryInteger(version) });

/** Bounds what one workflow keeps; many more than any has nodes. */
const MOST_SECRETS = 100;
const LONGEST_SECRET = 65_536;

export const secretsBody = z.object({
  secrets: z
    .array(
      z.object({
        key_name: z
          .string()
          .regex(/^[A-Za-z][\w.-]{0,254}$/, "Must begin with a letter, then letters, digits, ., _ and -"),
        value: z.string().min(1).max(LONGEST_SECRET),
        type: z.enum(SECRET_TYPES).default("string"),
      }),
    )
    .min(1)
    .max(MOST_SECRETS),
  validate_credentials: z.boolean().default(false),
});

/** The contract gives no page size here; the largest is that of the other lists. */
export const workflowsQuery = pageQuery(20, {
  trigger_type: z.string().optional(),
  status: z.string().optional(),
  agent_id: z.string().optional(),
  include_deleted: queryBoolean(z.boolean().default(false)),
});

/** WorkflowResponse (contract 2.6). */
export const workflowResponse = z
  .object({
    workflow_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    trigger_type: triggerType,
    trigger_config: object.nullable(),
    execution_mode: executionMode,
    timeout_seconds: z.int(),
    status,
    is_active: z.boolean(),
    version: z.int(),
    n8n_workflow_id: z.string().nullable(),
    /** The end of the address that sets a workflow with `trigger_type` `webhook` off: whoever knows it may. */
    webhook_slug: z.string().nullable(),
    deployed_at: z.string().nullable(),
    last_executed_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    deleted_at: z.string().nullable(),
  })
  .register(published, { idFrom: "workflow_id" });

/** Contract 2.1.2: this list counts pages. Where rows were asked for, it says those, too. */
export const workflowsResponse = z.object({
  items: z.array(workflowResponse),
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
  skip: z.int().optional(),
  limit: z.int().optional(),
});

/** WorkflowCreateResponse (contract 2.6). */
export const workflowCreateResponse = z
  .object({
    workflow_id: z.string(),
    name: z.string(),
    trigger_type: triggerType,
    status,
    message: z.string(),
  })
  .register(published, { idFrom: "workflow_id" });

const historyEntry = z.object({
  version: z.int(),
  action: z.enum(["created", "generated", "refined", "restored", "imported"]),
  prompt: z.string().nullable(),
  created_at: z.string(),
});

/** What a workflow looks like, as nodes and what leads from one to the next; `mermaid` is the same as a flowchart. */
const visualization = z.object({
  nodes: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
  edges: z.array(z.object({ from: z.string(), to: z.string() })),
  mermaid: z.string(),
});

/** WorkflowDetailResponse (contract 2.6). */
export const workflowDetailResponse = workflowResponse
  .extend({
    workflow_json: workflowJson,
    /** The words that it was made from; null without any. */
    original_description: z.string().nullable(),
    visualization,
    detected_credentials: z.array(z.string()),
    generation_history: z.array(historyEntry),
    deployed_version: z.int().nullable(),
  })
  .register(published, { idFrom: "workflow_id" });

const requiredSecret = z.object({
  key_name: z.string(),
  type: z.enum(SECRET_TYPES),
  description: z.string(),
});

/** GenerateResponse (contract 2.6). */
export const generateResponse = z
  .object({
    workflow_id: z.string(),
    workflow_json: workflowJson,
    required_secrets: z.array(requiredSecret),
    visualization,
  })
  .register(published, { idFrom: "workflow_id" });

export const workflowPatchResponse = z
  .object({
    status: z.literal("updated"),
    workflow_id: z.string(),
    workflow_status: status,
    is_active: z.boolean(),
  })
  .register(published, { idFrom: "workflow_id" });

/** The names of the secrets that were stored, never their values. */
export const secretsResponse = z.object({
  message: z.string(),
  stored: z.array(z.string()),
  missing: z.array(z.string()),
});

/** CredentialSchemaResponse (contract 2.6). */
export const credentialSchemaResponse = z.object({
  credential_type: z.string(),
  fields: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      type: z.enum(SECRET_TYPES),
      description: z.string(),
      default: z.string().nullable(),
    }),
  ),
  source: z.string(),
});

export const credentialTypeParams = z.object({ type: z.string().min(1) });

/** DeployResponse (contract 2.6). A deployment that the engine refuses is an answer, not an error of the request. */
export const deployResponse = z
  .object({
    status: z.enum(["active", "error"]),
    workflow_id: z.string(),
    n8n_workflow_id: z.string().nullable(),
    error: z.string().nullable(),
  })
  .register(published, { idFrom: "workflow_id" });

/** What export gives and import takes: the configuration and nothing of the workflow's life. */
export const exportedWorkflow = z
  .object({
    name,
    description: settings.description,
    trigger_type: triggerType,
    trigger_config: settings.trigger_config,
    execution_mode: settings.execution_mode,
    timeout_seconds: settings.timeout_seconds,
    workflow_json: workflowJson,
  })
  .register(importable, { asForm: true });
