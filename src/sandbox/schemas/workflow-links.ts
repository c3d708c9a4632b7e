import { z } from "zod";

import { linkBody } from "./agents.ts";

export const linkParams = z.object({ id: z.string().min(1), agent_id: z.string().min(1) });

/** Contract 4.5: the fields of creation, plus `is_enabled`. */
export const linkPatchBody = linkBody.unwrap().unwrap().extend({ is_enabled: z.boolean().optional() });

/** AgentWorkflowLinkResponse (contract 2.6). */
export const agentLinkResponse = z.object({
  workflow_id: z.string(),
  agent_id: z.string(),
  trigger_condition_description: z.string().nullable(),
  priority: z.int(),
  execution_mode_override: z.string().nullable(),
  is_enabled: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** AgentWorkflowListItem (contract 2.6). */
export const linkedAgentItem = agentLinkResponse.extend({ agent_name: z.string() });
