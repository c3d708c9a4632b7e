import { createHash } from "node:crypto";

import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type {
  credentialSchemaResponse,
  exportedWorkflow,
  generateResponse,
  workflowDetailResponse,
  workflowResponse,
} from "../schemas/workflows.ts";
import { credentialsIn, secretNameOf } from "../state/workflow-credentials.ts";
import type { Credential } from "../state/workflow-credentials.ts";
import { visualize } from "../state/workflow-generator.ts";
import { currentOf } from "../state/workflows.ts";
import type { WorkflowRecord, Workflows } from "../state/workflows.ts";

/** WorkflowResponse (contract 2.6). */
export function workflowView(
  workflow: WorkflowRecord,
  workflows: Workflows,
  clock: Clock,
): z.output<typeof workflowResponse> {
  return {
    workflow_id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    trigger_type: workflow.triggerType,
    trigger_config: workflow.triggerConfig,
    execution_mode: workflow.executionMode,
    timeout_seconds: workflow.timeoutSeconds,
    status: workflow.status,
    is_active: workflow.status === "active",
    version: currentOf(workflow).version,
    n8n_workflow_id: engineIdOf(workflow),
    webhook_slug: workflows.webhookSlugOf(workflow),
    deployed_at: clock.isoOrNull(workflow.deployedAt),
    last_executed_at: clock.isoOrNull(workflow.lastExecutedAt),
    created_at: clock.iso(workflow.createdAt),
    updated_at: clock.iso(workflow.updatedAt),
    deleted_at: clock.isoOrNull(workflow.deletedAt),
  };
}

/** WorkflowDetailResponse (contract 2.6). */
export function workflowDetailView(
  workflow: WorkflowRecord,
  workflows: Workflows,
  clock: Clock,
): z.output<typeof workflowDetailResponse> {
  const { json } = currentOf(workflow);
  return {
    ...workflowView(workflow, workflows, clock),
    workflow_json: json,
    original_description: workflow.originalDescription,
    visualization: visualize(json),
    detected_credentials: credentialsIn(json).map(({ type }) => type),
    generation_history: workflow.versions.map(({ version, origin, prompt, createdAt }) => ({
      version,
      action: origin,
      prompt,
      created_at: clock.iso(createdAt),
    })),
    deployed_version: workflow.deployedVersion,
  };
}

/** GenerateResponse (contract 2.6). */
export function generatedView(workflow: WorkflowRecord): z.output<typeof generateResponse> {
  const { json } = currentOf(workflow);
  return {
    workflow_id: workflow.id,
    workflow_json: json,
    required_secrets: credentialsIn(json).flatMap((credential) =>
      credential.fields
        .filter(({ required }) => required)
        .map((field) => ({
          key_name: secretNameOf(credential, field),
          type: field.type,
          description: field.description,
        })),
    ),
    visualization: visualize(json),
  };
}

export function credentialSchemaView(workflow: WorkflowRecord): z.output<typeof credentialSchemaResponse>[] {
  return credentialsIn(currentOf(workflow).json).map(credentialView);
}

export function credentialView({
  type,
  fields,
  source,
}: Credential): z.output<typeof credentialSchemaResponse> {
  return { credential_type: type, fields: [...fields], source };
}

/** What import takes back, secrets and life left out. */
export function exportedView(workflow: WorkflowRecord): z.output<typeof exportedWorkflow> {
  return {
    name: workflow.name,
    description: workflow.description,
    trigger_type: workflow.triggerType,
    trigger_config: workflow.triggerConfig,
    execution_mode: workflow.executionMode,
    timeout_seconds: workflow.timeoutSeconds,
    workflow_json: currentOf(workflow).json,
  };
}

/** n8n's ids are sixteen letters and digits; null before the first deployment. */
export function engineIdOf(workflow: WorkflowRecord): string | null {
  if (workflow.deployedVersion === null) {
    return null;
  }
  return createHash("sha256")
    .update(workflow.id)
    .digest("base64")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 16);
}
