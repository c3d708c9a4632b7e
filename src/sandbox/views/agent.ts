import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { agentExport, agentResponse, agentVersionResponse } from "../schemas/agents.ts";
import type { AgentFields } from "../schemas/agents.ts";
import type { AgentRecord } from "../state/agents.ts";
import type { Organization } from "../state/organization.ts";
import { linkedWorkflowsOf, linkedWorkflowView } from "./agent-link.ts";

/** AgentResponse (contract 2.2); `versions` only where one agent is shown. */
export function agentView(
  agent: AgentRecord,
  organization: Organization,
  clock: Clock,
  withVersions: boolean,
): z.output<typeof agentResponse> {
  return {
    description: null,
    ...shown(agent.fields),
    agent_id: agent.id,
    agent_name: agent.fields.name,
    is_published: agent.publishedVersion !== null,
    published_version: agent.publishedVersion,
    created_at: clock.iso(agent.createdAt),
    updated_at: clock.iso(agent.updatedAt),
    linked_workflows: linkedWorkflowsOf(agent.id, organization).map((link) =>
      linkedWorkflowView(link, organization, clock),
    ),
    ...(withVersions ? { versions: versionsOf(agent, clock) } : {}),
  };
}

/** Every version of an agent, oldest first: snapshots of its configuration (contract 2.2). */
export function versionsOf(agent: AgentRecord, clock: Clock): z.output<typeof agentVersionResponse>[] {
  return agent.versions.map(({ version, fields, createdAt }) => ({
    ...shown(fields),
    version,
    agent_name: fields.name,
    is_published: version === agent.publishedVersion,
    created_at: clock.iso(createdAt),
  }));
}

/** Keys of other providers go in and never come out. The name comes out as `agent_name`. */
function shown(fields: AgentFields) {
  const { name: _name, ...rest } = withoutKeys(fields);
  return rest;
}

function withoutKeys(fields: AgentFields) {
  const { llm_api_key: _llmKey, stt_api_key: _sttKey, ...rest } = fields;
  return rest;
}

/** The current draft, in a form that `POST /v1/agents/import` takes (contract 4.1). */
export function exportOf(agent: AgentRecord): z.output<typeof agentExport> {
  return { format: "agent-export", format_version: 1, agent: withoutKeys(agent.fields) };
}
