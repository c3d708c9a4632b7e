import { isCountryAllowed } from "../countries.ts";
import { notFound, unprocessable } from "../errors.ts";
import { normalizedPhone } from "../schemas/phone.ts";
import type { AgentRecord } from "../state/agents.ts";
import type { Organization } from "../state/organization.ts";

/**
 * The agent of a phone call or batch (contract 3.1.1, 4.2). Throws 404 for one that is not there, 422 for a draft
 * and for a caller ID that the organization does not own.
 */
export function checkCanCall(organization: Organization, agentId: string, fromNumber: string): AgentRecord {
  const agent = publishedAgentOf(organization, agentId);
  if (!organization.phoneNumbers.owns(fromNumber)) {
    throw unprocessable(
      ["body", "from_number"],
      `Phone number ${fromNumber} is not registered to this organization`,
      "from_number_not_owned",
    );
  }
  return agent;
}

/** An agent that is live (contract 3.1.1). Throws 404 for one that is not there, 422 for a draft. */
export function publishedAgentOf(organization: Organization, agentId: string): AgentRecord {
  const agent = organization.agents.find(agentId);
  if (agent === null) {
    throw notFound("Agent");
  }
  if (agent.publishedVersion === null) {
    throw unprocessable(
      ["body", "agent_id"],
      "Agent must be published to place calls",
      "agent_not_published",
    );
  }
  return agent;
}

/**
 * Throws 422 unless the list of countries of the caller ID has the country of the number that is called (contract
 * 4.3). `loc` is where the request has that number.
 */
export function checkCountry(
  organization: Organization,
  fromNumber: string,
  toNumber: string,
  loc: readonly (string | number)[],
): void {
  const number = organization.phoneNumbers.findByPhone(fromNumber);
  if (!isCountryAllowed(number?.fields.allowed_outbound_countries ?? ["*"], normalizedPhone(toNumber))) {
    throw unprocessable(
      loc,
      `Calls from ${fromNumber} to the country of ${toNumber} are not allowed`,
      "country_not_allowed",
    );
  }
}
