import { withoutSecrets } from "../../../domain/ground/literal-secrets.ts";
import type { Automation } from "../../../ledger/automations/automations.ts";
import type { KeptExecution } from "../../../ledger/automations/automation-executions.ts";
import type { AutomationDetailWire, AutomationWire, ExecutionWire } from "../../wire/automations.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";

export function automationView(automation: Automation): AutomationWire {
  const { drift } = automation.memory;
  return {
    id: automation.id,
    name: automation.name,
    state: automation.state,
    step: automation.step ?? null,
    error: automation.error ?? null,
    workflow_id: automation.workflowId ?? null,
    trigger_type: automation.definition.trigger_type,
    active: automation.definition.active,
    drift: drift
      ? { found: drift.found, found_at: drift.foundAt, repaired_at: drift.repairedAt ?? null }
      : null,
    created_at: isoOf(automation.createdAtMs),
    updated_at: isoOf(automation.updatedAtMs),
  };
}

export function automationDetail(automation: Automation): AutomationDetailWire {
  const { memory, definition } = automation;
  // What the platform's own JSON calls a secret is its affair.
  const { workflow, ...declared } = definition;
  const { lastTest, live } = memory;
  return {
    ...automationView(automation),
    // One that was stored before such were refused may hold a secret's value.
    definition: { ...Object(withoutSecrets(declared)), ...(workflow !== undefined && { workflow }) },
    version: live?.version ?? null,
    pinned_version: live?.pinned ?? null,
    steps: memory.steps,
    last_test: lastTest
      ? {
          ok: lastTest.ok,
          at: lastTest.at,
          found: lastTest.found,
          execution_id: lastTest.executionId ?? null,
        }
      : null,
    reruns: memory.reruns.map((rerun) => ({
      id: rerun.id,
      repeats: rerun.of,
      state: rerun.state,
      execution_id: rerun.executionId ?? null,
      error: rerun.error ?? null,
      asked_at: isoOf(rerun.atMs),
      actor: rerun.actor,
    })),
  };
}

export function executionView(execution: KeptExecution): ExecutionWire {
  return {
    execution_id: execution.executionId,
    workflow_id: execution.workflowId,
    status: execution.status,
    trigger_source: execution.triggerSource ?? null,
    error: execution.error ?? null,
    repeats: execution.repeats ?? null,
    started_at: isoOf(execution.startedAtMs),
    ended_at: isoOrNull(execution.endedAtMs),
  };
}
