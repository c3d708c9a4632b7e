import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { dispatchRuleResponse, sipConnectionResponse } from "../schemas/sip-connections.ts";
import type { Organization } from "../state/organization.ts";
import type { PhoneNumberRecord } from "../state/phone-numbers.ts";
import type { SipConnectionRecord } from "../state/sip-connections.ts";

/** SIPConnectionResponse (contract 2.4). */
export function sipConnectionView(
  record: SipConnectionRecord,
  organization: Organization,
  clock: Clock,
): z.output<typeof sipConnectionResponse> {
  const status = organization.phoneNumbers.sipConnections.statusOf(record);
  return {
    sip_connection_id: record.id,
    phone_number_id: record.phoneNumberId,
    ...record.fields,
    livekit_trunk_id: status === "synced" ? `ST_${record.id.slice(0, 8)}` : null,
    sync_status: status,
    sync_error: status === "failed" ? record.syncError : null,
    created_at: clock.iso(record.createdAt),
    updated_at: clock.iso(record.updatedAt),
  };
}

/** Inbound calls on a number go to its inbound agent, each in a room of its own: one rule, or none without an agent. */
export function dispatchRulesOf(
  record: PhoneNumberRecord,
  organization: Organization,
  clock: Clock,
): z.output<typeof dispatchRuleResponse>[] {
  const agent = organization.agents.find(record.fields.inbound_agent_id ?? "");
  return agent === null
    ? []
    : [
        {
          // A rule is nothing of its own: it comes and goes with the agent of the number.
          dispatch_rule_id: `${record.id.slice(0, 24)}${agent.id.slice(24)}`,
          phone_number_id: record.id,
          name: `${record.phone} to ${agent.fields.name}`,
          rule_type: "individual",
          room_name: null,
          room_prefix: "call-",
          agent_id: agent.id,
          priority: 0,
          created_at: clock.iso(record.createdAt),
        },
      ];
}
