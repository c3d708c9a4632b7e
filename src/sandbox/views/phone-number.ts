import type { z } from "zod";

import type { Clock } from "../clock.ts";
import type { phoneNumberDetailResponse, phoneNumberResponse } from "../schemas/phone-numbers.ts";
import type { Organization } from "../state/organization.ts";
import type { PhoneNumberRecord } from "../state/phone-numbers.ts";
import { dispatchRulesOf, sipConnectionView } from "./sip-connection.ts";

/** PhoneNumberResponse (contract 2.4). */
export function phoneNumberView(
  record: PhoneNumberRecord,
  clock: Clock,
): z.output<typeof phoneNumberResponse> {
  const { fields } = record;
  return {
    phone_number_id: record.id,
    phone_number: record.phone,
    nickname: fields.nickname ?? null,
    provider: fields.provider ?? "custom",
    inbound_agent_id: fields.inbound_agent_id ?? null,
    outbound_agent_id: fields.outbound_agent_id ?? null,
    status: "active",
    created_at: clock.iso(record.createdAt),
  };
}

/** PhoneNumberDetailResponse (contract 2.4). */
export function phoneNumberDetailView(
  record: PhoneNumberRecord,
  organization: Organization,
  clock: Clock,
): z.output<typeof phoneNumberDetailResponse> {
  const { fields } = record;
  const nameOf = (agentId: string | null | undefined) =>
    organization.agents.find(agentId ?? "")?.fields.name ?? null;
  return {
    ...phoneNumberView(record, clock),
    sip_connections: organization.phoneNumbers.sipConnections
      .of(record.id)
      .map((connection) => sipConnectionView(connection, organization, clock)),
    dispatch_rules: dispatchRulesOf(record, organization, clock),
    inbound_agent_name: nameOf(fields.inbound_agent_id),
    outbound_agent_name: nameOf(fields.outbound_agent_id),
    allowed_inbound_countries: fields.allowed_inbound_countries ?? ["*"],
    allowed_outbound_countries: fields.allowed_outbound_countries ?? ["*"],
    inbound_webhook_url: fields.inbound_webhook_url ?? null,
  };
}
