import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { callExecution, executeResponse, executionResponse } from "../schemas/executions.ts";
import { executionTimeOf } from "../state/executions.ts";
import type { ExecutionRecord } from "../state/executions.ts";
import type { CallRecord } from "../state/calls.ts";
import type { Organization } from "../state/organization.ts";

/** WorkflowExecutionResponse (contract 2.6). What comes of it is told once it is over. */
export function executionView(
  execution: ExecutionRecord,
  organization: Organization,
  clock: Clock,
): z.output<typeof executionResponse> {
  const { output, error } = resultOf(execution);
  return {
    execution_id: organization.executions.idOf(execution),
    workflow_id: execution.workflowId,
    workflow_version: execution.workflowVersion,
    call_id: execution.callIndex === null ? null : organization.billing.callIdAt(execution.callIndex),
    trigger_type: execution.triggerType,
    trigger_source: execution.triggerSource,
    n8n_execution_id: String(execution.index + 1),
    status: execution.status,
    input_snapshot: execution.input,
    output_data: output,
    error_message: error,
    error_stack: execution.status === "failed" && error !== null ? `${error}\n    at node-1` : null,
    execution_time_ms: executionTimeOf(execution, clock),
    retry_count: 0,
    is_retry: false,
    started_at: clock.iso(execution.startedAt),
    completed_at: clock.isoOrNull(execution.endedAt),
  };
}

/** ExecuteResponse (contract 2.6). */
export function executedView(
  execution: ExecutionRecord,
  organization: Organization,
  clock: Clock,
): z.output<typeof executeResponse> {
  return {
    status: execution.status,
    execution_id: organization.executions.idOf(execution),
    execution_time_ms: executionTimeOf(execution, clock),
    ...resultOf(execution),
  };
}

/** What a call set off, oldest first (`workflow_executions` of contract 2.3). */
export function callExecutionsView(call: CallRecord, clock: Clock): z.output<typeof callExecution>[] {
  const { executions, workflows } = call.organization;
  return executions.ofCall(call.index).map((execution) => ({
    id: executions.idOf(execution),
    workflow_id: execution.workflowId,
    workflow_name: workflows.findForgotten(execution.workflowId)?.name ?? "",
    status: execution.status,
    trigger_type: execution.triggerType,
    trigger_source: execution.triggerSource,
    execution_time_ms: executionTimeOf(execution, clock),
    error_message: resultOf(execution).error,
    started_at: clock.iso(execution.startedAt),
    completed_at: clock.isoOrNull(execution.endedAt),
  }));
}

function resultOf({ endedAt, plan }: ExecutionRecord) {
  return endedAt === null ? { output: null, error: null } : { output: plan.output, error: plan.error };
}
