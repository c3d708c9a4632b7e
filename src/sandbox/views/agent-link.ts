import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { linkedWorkflowResponse } from "../schemas/agents.ts";
import type { AgentLink } from "../state/agent-links.ts";
import type { Organization } from "../state/organization.ts";

/** A link, seen from its agent (contract 4.1). */
export function linkedWorkflowView(
  link: AgentLink,
  organization: Organization,
  clock: Clock,
): z.output<typeof linkedWorkflowResponse> {
  const workflow = organization.workflows.find(link.workflowId);
  return {
    id: link.workflowId,
    workflow_id: link.workflowId,
    workflow_name: workflow?.name ?? "",
    agent_id: link.agentId,
    trigger_type: workflow?.triggerType ?? "",
    trigger_condition_description: link.triggerConditionDescription,
    priority: link.priority,
    execution_mode_override: link.executionModeOverride,
    is_enabled: link.isEnabled,
    created_at: clock.iso(link.createdAt),
  };
}

/** The links of an agent whose workflows are there, those of the highest priority first. */
export function linkedWorkflowsOf(agentId: string, organization: Organization): AgentLink[] {
  return organization.agentLinks
    .ofAgent(agentId)
    .filter((link) => organization.workflows.find(link.workflowId) !== null);
}
