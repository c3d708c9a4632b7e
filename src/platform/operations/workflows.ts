import { z } from "zod";
import { flag, id, kept, list, listOf, map, number, record, text } from "../decoding.ts";
import { cronRule, idRule, objectRule, pageRules, windowRules, wordRule, zoneRule } from "../rules.ts";
import { LINK_PARAMS, linkedAgent, workflowLink } from "./agents.ts";
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

const triggerRule = z.enum(["post_call", "in_call", "webhook", "schedule"]);

/** Seen as sync and async; the contract shows no others. */
const modeRule = z.enum(["sync", "async"]);

const timeoutRule = z.int().min(1).max(300).describe("Seconds.");

/** The longest `timeout_seconds`: a run that answers when it has ended may take as long. */
const LONGEST_RUN_MS = 300_000;

const createRules = z.strictObject({
  name: wordRule,
  trigger_type: triggerRule,
  workflow_json: objectRule,
  description: z.string().optional(),
  trigger_config: objectRule.optional(),
  execution_mode: modeRule.optional(),
  timeout_seconds: timeoutRule.optional(),
});

/** Contract 4.5. `timeout_seconds` 1 to 300. */
export type WorkflowCreate = z.input<typeof createRules>;

const generateRules = z.strictObject({
  name: wordRule,
  description: wordRule,
  trigger_type: triggerRule.optional(),
  trigger_config: objectRule.optional(),
  agent_id: idRule.optional(),
});

/** Contract 4.5: `description` says in words what the automation shall do. */
export type WorkflowGenerate = z.input<typeof generateRules>;

const refineRules = z.strictObject({ feedback: wordRule });

const updateRules = z.strictObject({
  name: wordRule.optional(),
  description: z.string().optional(),
  is_active: z.boolean().optional(),
  status: z.enum(["draft", "active", "paused", "error"]).optional(),
  execution_mode: modeRule.optional(),
  timeout_seconds: timeoutRule.optional(),
});

/** Contract 4.5. */
export type WorkflowUpdate = z.input<typeof updateRules>;

const restoreRules = z.strictObject({ version: z.int().min(1) });

const secretsRules = z.strictObject({
  secrets: z
    .array(
      z.strictObject({
        key_name: wordRule,
        value: z.string(),
        type: z.enum(["string", "pem", "json", "oauth"]).optional(),
      }),
    )
    .min(1),
  validate_credentials: z.boolean().optional(),
});

/** Contract 4.5. Values are stored encrypted and never returned. */
export type WorkflowSecrets = z.input<typeof secretsRules>;

const executeRules = z.strictObject({
  context_data: objectRule.optional(),
  execution_mode: modeRule.optional(),
});

/** Contract 4.5. */
export type WorkflowExecute = z.input<typeof executeRules>;

const importRules = objectRule.refine(
  (exported) => Object.keys(exported).length > 0,
  "must be an exported workflow",
);

const linkRules = z.strictObject(linkFields);
const linkUpdateRules = z.strictObject({ ...linkFields, is_enabled: z.boolean().optional() });

/** Contract 4.5: the fields of `WorkflowLink`, and whether the link is in force. */
export type WorkflowLinkUpdate = z.input<typeof linkUpdateRules>;

const scheduleRules = z
  .strictObject({
    cron: cronRule.optional(),
    interval_minutes: z.int().min(1).optional(),
    timezone: zoneRule.optional(),
  })
  .refine(({ cron, interval_minutes: minutes }) => (cron === undefined) !== (minutes === undefined), {
    path: ["cron"],
    message: "either cron or interval_minutes must be given",
  });

/**
 * When an automation runs: `cron` (five or six fields), or every `interval_minutes`. `timezone`: by its IANA
 * name; the platform's default is UTC. The contract does not show these names; published clients use them.
 */
export type WorkflowSchedule = z.input<typeof scheduleRules>;

const listQuery = z.strictObject({
  trigger_type: triggerRule.optional(),
  status: wordRule.optional(),
  agent_id: idRule.optional(),
  include_deleted: z.boolean().optional(),
  ...pageRules,
});

/** Contract 4.5. `page` from 1, `per_page` 1 to 1,000. */
export type WorkflowsQuery = z.input<typeof listQuery>;

const executionsQuery = z.strictObject({ ...windowRules, status: wordRule.optional() });

/** `skip` from 0 (default 0), `limit` 1 to 1,000 (default 50). */
export type WorkflowExecutionsQuery = z.input<typeof executionsQuery>;

const WORKFLOW_NAMES = { workflow_id: "id" } as const;

const workflowFields = {
  workflow_id: id,
  name: text,
  description: text,
  trigger_type: text,
  trigger_config: map,
  status: text,
  is_active: flag,
  execution_mode: text,
  /** Seconds. */
  timeout_seconds: number,
  version: number,
  workflow_json: map,
  original_description: text,
  visualization: kept,
  detected_credentials: list,
  generation_history: list,
  n8n_workflow_id: text,
  /** Where others start it, by `trigger_type` `webhook`. */
  webhook_slug: text,
  deployed_at: text,
  last_executed_at: text,
  created_at: text,
  updated_at: text,
  deleted_at: text,
};

export const workflow = record(WORKFLOW_NAMES, workflowFields);

/** Contract 2.6. The definition, credentials and history come with a single workflow, not with list rows. */
export type Workflow = z.output<typeof workflow>;

const createdWorkflow = record(WORKFLOW_NAMES, { ...workflowFields, message: text });

/** The automation as it was made. `message` is for people. */
export type CreatedWorkflow = z.output<typeof createdWorkflow>;

const updatedWorkflow = record(WORKFLOW_NAMES, { workflow_id: text, status: text, message: text });

/** What a change answers. `status` is that of the change (`updated`), not that of the automation. */
export type UpdatedWorkflow = z.output<typeof updatedWorkflow>;

const exportedWorkflow = record(
  {},
  {
    name: text,
    description: text,
    trigger_type: text,
    trigger_config: map,
    execution_mode: text,
    timeout_seconds: number,
    workflow_json: map,
  },
);

/** An automation as portable JSON, for `workflows.import`. Published clients read its `workflow_json`. */
export type ExportedWorkflow = z.output<typeof exportedWorkflow>;

export const generated = record(
  { workflow_id: "id" },
  { workflow_id: id, workflow_json: map, required_secrets: list, visualization: kept },
);

/** Contract 2.6. `visualization` is kept as it came. */
export type GeneratedWorkflow = z.output<typeof generated>;

export const deployed = record({}, { status: text, workflow_id: text, n8n_workflow_id: text, error: text });

/** Contract 2.6. `error` says why `status` is no success. */
export type DeployedWorkflow = z.output<typeof deployed>;

export const executed = record(
  { execution_id: "id" },
  { execution_id: text, status: text, execution_time_ms: number, output: kept, error: text },
);

/** Contract 2.6. `output` is kept as it came. */
export type ExecutedWorkflow = z.output<typeof executed>;

export const execution = record(
  { execution_id: "id" },
  {
    execution_id: id,
    workflow_id: text,
    call_id: text,
    trigger_type: text,
    trigger_source: text,
    n8n_execution_id: text,
    status: text,
    input_snapshot: kept,
    output_data: kept,
    error_message: text,
    error_stack: text,
    execution_time_ms: number,
    retry_count: number,
    is_retry: flag,
    started_at: text,
    completed_at: text,
  },
);

/** Contract 2.6. Input and output snapshots are kept as they came. */
export type WorkflowExecution = z.output<typeof execution>;

const credentialField = record(
  {},
  { name: text, type: text, required: flag, description: text, default: kept },
);

/** A field of a credential. `default` is kept as it came. */
export type CredentialField = z.output<typeof credentialField>;

export const credential = record(
  { credential_type: ["type", "name"] },
  { credential_type: text, fields: listOf(credentialField), source: text },
);

/** A credential that an automation needs, with its fields (contract 2.6). */
export type CredentialSchema = z.output<typeof credential>;

export const schedule = record(
  { workflow_id: "id", workflow_name: "name" },
  {
    workflow_id: text,
    workflow_name: text,
    is_scheduled: flag,
    trigger_type: text,
    trigger_config: map,
    next_run: text,
    job_details: map,
  },
);

/** Contract 2.6. */
export type ScheduleStatus = z.output<typeof schedule>;

const linked = { ...object(workflowLink), known: LINK_PARAMS } as const;

const scheduled = { ...object(schedule), known: { workflow_id: "workflow_id" } } as const;

export const workflowOperations = {
  "workflows.create": post(
    "/v1/workflows",
    {
      summary: "Create an automation from its definition",
      body: createRules,
      answer: object(createdWorkflow),
    },
    { alternate: "/v1/workflows/" },
  ),
  "workflows.generate": post("/v1/workflows/generate", {
    summary: "Generate an automation from a description",
    body: generateRules,
    answer: object(generated),
  }),
  "workflows.refine": post("/v1/workflows/{workflow_id}/refine", {
    summary: "Have an automation generated again, with feedback",
    body: refineRules,
    answer: object(generated),
  }),
  "workflows.get": get("/v1/workflows/{workflow_id}", {
    summary: "Show an automation",
    answer: object(workflow),
  }),
  "workflows.list": get(
    "/v1/workflows",
    {
      summary: "List automations",
      query: listQuery,
      answer: page("page", 50, workflow, "workflow_id", "workflows"),
    },
    { alternate: "/v1/workflows/" },
  ),
  "workflows.update": patch("/v1/workflows/{workflow_id}", {
    summary: "Change an automation",
    body: updateRules,
    answer: { ...object(updatedWorkflow), about: { param: "workflow_id", field: "workflow_id" } },
  }),
  "workflows.delete": remove("/v1/workflows/{workflow_id}", {
    summary: "Delete an automation",
    answer: nothing,
    asks: "deletes",
  }),
  "workflows.restore": post("/v1/workflows/{workflow_id}/restore", {
    summary: "Bring back an earlier version",
    body: restoreRules,
    answer: object(workflow),
  }),
  "workflows.setSecrets": post("/v1/workflows/{workflow_id}/secrets", {
    summary: "Store secrets that an automation needs",
    body: secretsRules,
    answer: anyObject,
  }),
  "workflows.credentialSchema": get("/v1/workflows/{workflow_id}/credential-schema", {
    summary: "List the credentials that an automation needs",
    answer: array(credential, "credential_type", "credentials"),
  }),
  "workflows.deploy": post("/v1/workflows/{workflow_id}/deploy", {
    summary: "Deploy an automation and activate it",
    answer: { ...object(deployed), known: { workflow_id: "workflow_id" } },
  }),
  "workflows.test": post("/v1/workflows/{workflow_id}/test", {
    summary: "Run an automation as a test",
    answer: object(executed),
    mayTakeMs: LONGEST_RUN_MS,
  }),
  "workflows.execute": post("/v1/workflows/{workflow_id}/execute", {
    summary: "Run an automation now",
    body: executeRules,
    answer: object(executed),
    mayTakeMs: LONGEST_RUN_MS,
  }),
  "workflows.executions": get("/v1/workflows/{workflow_id}/executions", {
    summary: "List an automation's runs",
    query: executionsQuery,
    answer: page("skip", 50, execution, "execution_id", "executions"),
  }),
  "workflows.export": get("/v1/workflows/{workflow_id}/export", {
    summary: "Export an automation as JSON",
    answer: object(exportedWorkflow),
  }),
  "workflows.import": post("/v1/workflows/import", {
    summary: "Create an automation from an exported one",
    body: importRules,
    answer: object(workflow),
  }),
  "workflows.linkAgent": post("/v1/workflows/{workflow_id}/agents/{agent_id}", {
    summary: "Link an automation to an agent",
    body: linkRules,
    answer: linked,
  }),
  "workflows.updateAgentLink": patch("/v1/workflows/{workflow_id}/agents/{agent_id}", {
    summary: "Change the link between an automation and an agent",
    body: linkUpdateRules,
    answer: linked,
  }),
  "workflows.unlinkAgent": remove("/v1/workflows/{workflow_id}/agents/{agent_id}", {
    summary: "Remove the link between an automation and an agent",
    answer: nothing,
    asks: "deletes",
  }),
  "workflows.agents": get("/v1/workflows/{workflow_id}/agents", {
    summary: "List the agents that an automation is linked to",
    answer: array(linkedAgent, "agent_id", "agents"),
  }),
  "workflows.setSchedule": post("/v1/workflows/{workflow_id}/schedule", {
    summary: "Run an automation on a schedule",
    body: scheduleRules,
    answer: scheduled,
  }),
  "workflows.schedule": get("/v1/workflows/{workflow_id}/schedule", {
    summary: "Show an automation's schedule",
    answer: scheduled,
  }),
  "workflows.deleteSchedule": remove("/v1/workflows/{workflow_id}/schedule", {
    summary: "Take an automation off its schedule",
    answer: nothing,
    asks: "deletes",
  }),
  "workflows.schedules": get(
    "/v1/workflows/schedules",
    {
      summary: "List the schedules of all automations",
      answer: array(schedule, "workflow_id", "scheduled_workflows", "schedules"),
    },
    { alternate: "/v1/workflows/schedules/all" },
  ),
} as const satisfies OperationsOf<"workflows">;
