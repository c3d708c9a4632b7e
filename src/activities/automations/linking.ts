import type { AutomationDefinition } from "../../domain/automations/automation.ts";
import type { AgentWorkflowLink } from "../../platform/index.ts";
import { ConflictError, NotFoundError } from "../../platform/index.ts";
import { withTarget, type Outcome, type StepContext } from "./outcome.ts";

type Declared = NonNullable<AutomationDefinition["agents"]>[number];

/** Adds, changes or takes away one link between the automation and an agent; done when there is none to touch. */
export async function link({ deps, wants, automation }: StepContext, workflowId: string): Promise<Outcome> {
  const { workflows } = deps.platform;
  const difference = firstDifference(automation.definition.agents ?? [], await workflows.agents(workflowId));
  if (!difference)
    return {
      kind: "done",
      found: "its agents are as declared",
      change: (memory) => withTarget(memory, { links: wants.links }),
    };
  const { agentId, declared } = difference;
  // Half-done links are forgotten, so that another definition does not take them for done.
  const change: Extract<Outcome, { kind: "done" }>["change"] = (memory) =>
    withTarget(memory, { links: undefined });
  if (!declared) {
    await ignoringAbsence(workflows.unlinkAgent(workflowId, agentId));
    return { kind: "done", found: `agent ${agentId} is not linked any more`, change };
  }
  const fields = {
    trigger_condition_description: declared.when ?? "",
    ...(declared.priority !== undefined && { priority: declared.priority }),
    ...(declared.mode !== undefined && { execution_mode_override: declared.mode }),
  };
  if (difference.seen) {
    await workflows.updateAgentLink(workflowId, agentId, { ...fields, is_enabled: true });
    return { kind: "done", found: `the link to agent ${agentId} was changed`, change };
  }
  const { trigger_condition_description: when, ...rest } = fields;
  try {
    await workflows.linkAgent(workflowId, agentId, {
      ...rest,
      ...(when !== "" && { trigger_condition_description: when }),
    });
  } catch (error) {
    // Linked by an earlier request whose answer was lost, and not shown yet: it is told as it is to be.
    if (!(error instanceof ConflictError)) throw error;
    await workflows.updateAgentLink(workflowId, agentId, { ...fields, is_enabled: true });
  }
  return { kind: "done", found: `linked to agent ${agentId}`, change };
}

interface Difference {
  agentId: string;
  /** Undefined: it is not to be linked. */
  declared?: Declared;
  seen?: AgentWorkflowLink;
}

/** What differs first between the links that are declared and those that are there. */
export function firstDifference(
  declared: readonly Declared[],
  links: readonly AgentWorkflowLink[],
): Difference | undefined {
  const surplus = links.find(({ agent_id: agentId }) => !declared.some((one) => one.agent_id === agentId));
  if (surplus?.agent_id !== undefined) return { agentId: surplus.agent_id, seen: surplus };
  for (const wanted of declared) {
    const seen = links.find(({ agent_id: agentId }) => agentId === wanted.agent_id);
    if (!seen) return { agentId: wanted.agent_id, declared: wanted };
    if (!isAsDeclared(wanted, seen)) return { agentId: wanted.agent_id, declared: wanted, seen };
  }
  return undefined;
}

function isAsDeclared(declared: Declared, seen: AgentWorkflowLink): boolean {
  const { when = "", priority, mode } = declared;
  return (
    (seen.trigger_condition_description ?? "") === when &&
    (priority === undefined || seen.priority === undefined || seen.priority === priority) &&
    (mode === undefined || (seen.execution_mode_override ?? mode) === mode) &&
    seen.is_enabled !== false
  );
}

export async function ignoringAbsence(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}
