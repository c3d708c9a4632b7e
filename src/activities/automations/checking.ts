import { NotFoundError, type CredentialSchema } from "../../platform/index.ts";
import { contentOf } from "../../domain/automations/automation-state.ts";
import { withTarget, type Outcome, type StepContext } from "./outcome.ts";

/** Finds what would be missing before anything is deployed: credentials that nobody gives, agents that are not there. */
export async function check({ deps, automation }: StepContext, workflowId: string): Promise<Outcome> {
  const { definition, memory } = automation;
  const keys = Object.keys(definition.secrets);
  const needs = neededBy(await deps.platform.workflows.credentialSchema(workflowId));
  const missing = needs.filter((need) => !keys.some((key) => gives(key, need)));
  if (missing.length > 0) {
    const names = missing.map(({ type, field }) => `${type}.${field}`);
    return {
      kind: "failed",
      why: `it needs ${names.join(", ")}, and nobody gives ${names.length === 1 ? "it" : "them"}`,
      remedy: `declare under secrets, each with the name of a secret: ${names.join(", ")}`,
    };
  }
  for (const { agent_id: agentId } of definition.agents ?? []) {
    try {
      await deps.platform.agents.get(agentId);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      return {
        kind: "failed",
        why: `it is declared for agent ${agentId}, which is not there`,
        remedy: "name an agent that is there",
      };
    }
  }
  const content = memory.target && contentOf(memory.target);
  return {
    kind: "done",
    found: needs.length === 0 ? "it needs no credentials" : "all credentials that it needs are given",
    change: (now) => withTarget(now, { checked: content }),
  };
}

interface Need {
  type: string;
  field: string;
}

/** The contract names the field schema and does not show it (2.6); published clients show name, required, default. */
function neededBy(schemas: readonly CredentialSchema[]): Need[] {
  return schemas.flatMap(({ credential_type: type, fields }) =>
    (fields ?? []).flatMap((field): Need[] => {
      const read = typeof field === "object" && field !== null ? new Map(Object.entries(field)) : new Map();
      const name: unknown = read.get("name");
      const fallback: unknown = read.get("default");
      const isNeeded = read.get("required") !== false && (fallback === undefined || fallback === null);
      return typeof name === "string" && isNeeded ? [{ type: type ?? "", field: name }] : [];
    }),
  );
}

/** How a secret's key names a field is not shown: the type and the field, however they are joined, or the field alone. */
function gives(key: string, { type, field }: Need): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return plain(key) === plain(`${type}${field}`) || plain(key) === plain(field);
}
