import { z } from "zod";
import { firmText, id, listOf, number, record, text, texts } from "../decoding.ts";
import { idRule, phoneRule, urlRule, windowRules, wordRule } from "../rules.ts";
import { array, get, nothing, object, type OperationsOf, page, patch, post, remove } from "./operation.ts";

/** Null takes an agent, or a webhook, off the number. */
const agentFields = {
  inbound_agent_id: idRule.nullable().optional(),
  outbound_agent_id: idRule.nullable().optional(),
};

const numberFields = {
  nickname: z.string().optional(),
  provider: wordRule.describe("For example custom, netgsm, twilio, telnyx.").optional(),
  ...agentFields,
  allowed_inbound_countries: z.array(wordRule).optional(),
  allowed_outbound_countries: z.array(wordRule).optional(),
  inbound_webhook_url: urlRule.nullable().optional(),
};

const createRules = z.strictObject({ phone_number: phoneRule, ...numberFields });

/** Contract 4.3. The country allowlists: all countries by default. */
export type PhoneNumberCreate = z.input<typeof createRules>;

const updateRules = z.strictObject(numberFields);

/** Contract 4.3. Null takes an agent, or the webhook, off the number. */
export type PhoneNumberUpdate = z.input<typeof updateRules>;

const agentsRules = z.strictObject(agentFields);

/** Contract 4.3. What is left out stays; null takes the agent off. */
export type PhoneNumberAgents = z.input<typeof agentsRules>;

const listQuery = z.strictObject(windowRules);

/** `skip` from 0 (default 0), `limit` 1 to 1,000 (default 50). */
export type PhoneNumbersQuery = z.input<typeof listQuery>;

const sipFields = {
  username: z.string().optional(),
  password: z.string().optional(),
  nickname: z.string().optional(),
  connection_type: z.enum(["inbound", "outbound", "both"]).optional(),
  transport: z.enum(["TCP", "UDP", "TLS"]).optional(),
};

/** A carrier's SIP URI, with or without its scheme. */
const sipUriRule = z.string().regex(/^[^\s<>"]+$/, "must be a SIP URI");

const sipCreateRules = z.strictObject({ termination_uri: sipUriRule, ...sipFields });

/** Contract 4.3. */
export type SipConnectionCreate = z.input<typeof sipCreateRules>;

const sipUpdateRules = z.strictObject({ termination_uri: sipUriRule.optional(), ...sipFields });

/** Any of the fields of `SipConnectionCreate`. */
export type SipConnectionUpdate = z.input<typeof sipUpdateRules>;

const SIP_NAMES = { sip_connection_id: "id" } as const;

const sipShown = {
  phone_number_id: text,
  termination_uri: text,
  username: text,
  nickname: text,
  connection_type: text,
  transport: text,
  livekit_trunk_id: text,
  sync_status: text,
  sync_error: text,
  created_at: text,
  updated_at: text,
};

export const sipConnection = record(SIP_NAMES, { sip_connection_id: id, ...sipShown });

/** Contract 2.4. The password is never returned. */
export type SipConnection = z.output<typeof sipConnection>;

const RULE_NAMES = { dispatch_rule_id: "id" } as const;

const ruleShown = {
  phone_number_id: text,
  name: text,
  rule_type: text,
  room_name: text,
  room_prefix: text,
  agent_id: text,
  priority: number,
  created_at: text,
};

export const dispatchRule = record(RULE_NAMES, { dispatch_rule_id: id, ...ruleShown });

/** Contract 2.4: routes inbound calls on a number to an agent. */
export type DispatchRule = z.output<typeof dispatchRule>;

export const phoneNumber = record(
  { phone_number_id: "id" },
  {
    phone_number_id: id,
    phone_number: firmText,
    nickname: text,
    provider: text,
    inbound_agent_id: text,
    inbound_agent_name: text,
    outbound_agent_id: text,
    outbound_agent_name: text,
    status: text,
    created_at: text,
    sip_connections: listOf(record(SIP_NAMES, { sip_connection_id: text, ...sipShown })),
    dispatch_rules: listOf(record(RULE_NAMES, { dispatch_rule_id: text, ...ruleShown })),
    allowed_inbound_countries: texts,
    allowed_outbound_countries: texts,
    inbound_webhook_url: text,
  },
);

/**
 * Contract 2.4, a number that the caller may call from. Connections, rules and allowlists come with a single
 * number, not with the rows of a list.
 */
export type PhoneNumber = z.output<typeof phoneNumber>;

export const phoneNumberOperations = {
  "phoneNumbers.create": post("/v1/phone-numbers", {
    summary: "Register a number",
    body: createRules,
    answer: object(phoneNumber),
  }),
  "phoneNumbers.get": get("/v1/phone-numbers/{id}", {
    summary: "Show a number with its SIP connections and dispatch rules",
    answer: object(phoneNumber),
  }),
  "phoneNumbers.list": get("/v1/phone-numbers", {
    summary: "List numbers",
    query: listQuery,
    answer: page("skip", 50, phoneNumber, "phone_number_id", "phone_numbers"),
  }),
  "phoneNumbers.update": patch("/v1/phone-numbers/{id}", {
    summary: "Change a number",
    body: updateRules,
    answer: object(phoneNumber),
  }),
  "phoneNumbers.delete": remove("/v1/phone-numbers/{id}", {
    summary: "Delete a number and its SIP connections",
    answer: nothing,
    asks: "deletes",
  }),
  "phoneNumbers.setAgents": patch("/v1/phone-numbers/{id}/agents", {
    summary: "Choose the agents of a number",
    body: agentsRules,
    answer: object(phoneNumber),
  }),
} as const satisfies OperationsOf<"phoneNumbers">;

export const sipConnectionOperations = {
  "sipConnections.create": post("/v1/phone-numbers/{id}/sip-connections", {
    summary: "Add a SIP connection to a number",
    body: sipCreateRules,
    answer: object(sipConnection),
  }),
  "sipConnections.get": get("/v1/phone-numbers/{id}/sip-connections/{connection_id}", {
    summary: "Show a SIP connection",
    answer: object(sipConnection),
  }),
  "sipConnections.list": get("/v1/phone-numbers/{id}/sip-connections", {
    summary: "List a number's SIP connections",
    answer: array(sipConnection, "sip_connection_id", "sip_connections"),
  }),
  "sipConnections.update": patch("/v1/phone-numbers/{id}/sip-connections/{connection_id}", {
    summary: "Change a SIP connection",
    body: sipUpdateRules,
    answer: object(sipConnection),
  }),
  "sipConnections.delete": remove("/v1/phone-numbers/{id}/sip-connections/{connection_id}", {
    summary: "Delete a SIP connection",
    answer: nothing,
    asks: "deletes",
  }),
} as const satisfies OperationsOf<"sipConnections">;

export const dispatchRuleOperations = {
  "dispatchRules.list": get("/v1/phone-numbers/{id}/dispatch-rules", {
    summary: "List the rules that route a number's inbound calls",
    answer: array(dispatchRule, "dispatch_rule_id", "dispatch_rules"),
  }),
} as const satisfies OperationsOf<"dispatchRules">;
