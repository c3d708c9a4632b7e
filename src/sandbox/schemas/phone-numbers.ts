import { z } from "zod";

import { published } from "../dialect.ts";
import { phoneSchema } from "./phone.ts";
import { dispatchRuleResponse, sipConnectionResponse } from "./sip-connections.ts";

const countries = z.array(z.string().regex(/^(\*|[A-Z]{2})$/, "Country must be ISO 3166 alpha-2, or *"));

const changeableFields = {
  nickname: z.string().nullish(),
  provider: z.string().min(1).optional(),
  inbound_agent_id: z.string().nullish(),
  outbound_agent_id: z.string().nullish(),
  allowed_inbound_countries: countries.optional(),
  allowed_outbound_countries: countries.optional(),
  inbound_webhook_url: z.string().nullish(),
};

/** Contract 4.3. */
export const phoneNumberCreateBody = z.object({ phone_number: phoneSchema, ...changeableFields });
export const phoneNumberPatchBody = z.object(changeableFields);

/** Null takes an agent off the number; a field that is left out changes nothing. */
export const phoneNumberAgentsBody = z.object({
  inbound_agent_id: z.string().nullish(),
  outbound_agent_id: z.string().nullish(),
});

export type PhoneNumberCreate = z.output<typeof phoneNumberCreateBody>;
export type PhoneNumberPatch = z.output<typeof phoneNumberPatchBody>;

/** Contract 2.4. */
export const phoneNumberResponse = z
  .object({
    phone_number_id: z.string(),
    phone_number: z.string(),
    nickname: z.string().nullable(),
    provider: z.string(),
    inbound_agent_id: z.string().nullable(),
    outbound_agent_id: z.string().nullable(),
    status: z.string(),
    created_at: z.string(),
  })
  .register(published, { idFrom: "phone_number_id" });

export const phoneNumberDetailResponse = phoneNumberResponse
  .extend({
    sip_connections: z.array(sipConnectionResponse),
    dispatch_rules: z.array(dispatchRuleResponse),
    inbound_agent_name: z.string().nullable(),
    outbound_agent_name: z.string().nullable(),
    allowed_inbound_countries: z.array(z.string()),
    allowed_outbound_countries: z.array(z.string()),
    inbound_webhook_url: z.string().nullable(),
  })
  .register(published, { idFrom: "phone_number_id" });
