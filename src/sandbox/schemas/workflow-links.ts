import { z } from "zod";

import { published } from "../dialect.ts";
import { queryBoolean, queryInteger } from "./query.ts";

export const linkParams = z.object({ id: z.string().min(1), agent_id: z.string().min(1) });

/** Some sentences. */
const LONGEST_CONDITION = 2_000;

const condition = z.string();
const priority = z.int().min(-1_000_000).max(1_000_000).optional();
const override = z.enum(["sync", "async"]);

const linkFields = {
  trigger_condition_description: condition.max(LONGEST_CONDITION).nullish(),
  priority,
  execution_mode_override: override.nullish(),
};

/** What links an agent and a workflow (contract 4.1, 4.5). */
export const linkBody = z.object(linkFields).nullish();

/** Contract 4.5: the fields of creation, plus `is_enabled`. The whole of it may stand in the query. */
export const linkPatchBody = z.object({ ...linkFields, is_enabled: z.boolean().optional() }).nullish();

export type LinkFields = NonNullable<z.output<typeof linkPatchBody>>;

/** An address has to fit into the head of a request, of which Node takes 16 kB: a longer one belongs into the body. */
const LONGEST_IN_QUERY = 500;

/** The same fields in the query, where some clients have them; the body wins. */
export const linkQuery = z.object({
  trigger_condition_description: condition.max(LONGEST_IN_QUERY).optional(),
  priority: queryInteger(priority),
  execution_mode_override: override.optional(),
});

export const linkPatchQuery = linkQuery.extend({ is_enabled: queryBoolean(z.boolean().optional()) });

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
export const linkedAgentItem = agentLinkResponse
  .extend({ agent_name: z.string() })
  .register(published, { idFrom: "agent_id", nameFrom: "agent_name" });
