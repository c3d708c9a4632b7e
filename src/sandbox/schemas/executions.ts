import { z } from "zod";

import { published } from "../dialect.ts";
import { EXECUTION_STATUSES, TRIGGER_SOURCES } from "../state/executions.ts";
import { pageQuery } from "./page.ts";
import { executionMode, TRIGGER_TYPES } from "./workflows.ts";

const object = z.record(z.string(), z.unknown());
const status = z.enum(EXECUTION_STATUSES);
const triggerType = z.enum(TRIGGER_TYPES);
const triggerSource = z.enum(TRIGGER_SOURCES);

/** Contract 4.5; the body itself is optional. */
export const executeBody = z
  .object({ context_data: object.nullish(), execution_mode: executionMode.nullish() })
  .nullish();

/** ExecuteResponse (contract 2.6). `running` where the answer did not wait for the end. */
export const executeResponse = z
  .object({
    status,
    execution_id: z.string(),
    execution_time_ms: z.int().nullable(),
    output: object.nullable(),
    error: z.string().nullable(),
  })
  .register(published, { idFrom: "execution_id" });

export const executionsQuery = pageQuery(50, { status: z.string().optional() });

/** WorkflowExecutionResponse (contract 2.6). */
export const executionResponse = z
  .object({
    execution_id: z.string(),
    workflow_id: z.string(),
    workflow_version: z.int(),
    call_id: z.string().nullable(),
    trigger_type: triggerType,
    trigger_source: triggerSource,
    n8n_execution_id: z.string(),
    status,
    input_snapshot: object.nullable(),
    output_data: object.nullable(),
    error_message: z.string().nullable(),
    error_stack: z.string().nullable(),
    execution_time_ms: z.int().nullable(),
    retry_count: z.int(),
    is_retry: z.boolean(),
    started_at: z.string(),
    completed_at: z.string().nullable(),
  })
  .register(published, { idFrom: "execution_id" });

/** An execution as its call shows it (`workflow_executions` of contract 2.3). */
export const callExecution = z.object({
  id: z.string(),
  workflow_id: z.string(),
  workflow_name: z.string(),
  status,
  trigger_type: triggerType,
  trigger_source: triggerSource,
  execution_time_ms: z.int().nullable(),
  error_message: z.string().nullable(),
  started_at: z.string(),
  completed_at: z.string().nullable(),
});
