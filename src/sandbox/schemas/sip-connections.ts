import { z } from "zod";

const terminationUri = z
  .string()
  .min(1)
  .max(255)
  .regex(
    /^(sips?:)?([^\s@:/]+@)?[A-Za-z0-9_.[\]-]+(:[0-9]{1,5})?(;[A-Za-z0-9=;._-]*)?$/,
    "Must be a SIP URI, e.g. sip.carrier.example:5060",
  );

const optionalFields = {
  username: z.string().max(255).nullish(),
  password: z.string().max(255).nullish(),
  nickname: z.string().max(255).nullish(),
  connection_type: z.enum(["inbound", "outbound", "both"]).optional(),
  transport: z.enum(["TCP", "UDP", "TLS"]).optional(),
};

/** Contract 4.3. */
export const sipConnectionCreateBody = z.object({ termination_uri: terminationUri, ...optionalFields });
export const sipConnectionPatchBody = z.object({
  termination_uri: terminationUri.optional(),
  ...optionalFields,
});

export type SipConnectionFields = z.output<typeof sipConnectionPatchBody>;

/** SIPConnectionResponse (contract 2.4): the password is not in it. */
export const sipConnectionResponse = z.object({
  sip_connection_id: z.string(),
  phone_number_id: z.string(),
  termination_uri: z.string(),
  username: z.string().nullable(),
  nickname: z.string().nullable(),
  connection_type: z.enum(["inbound", "outbound", "both"]),
  transport: z.enum(["TCP", "UDP", "TLS"]),
  /** Null until it is synchronised. */
  livekit_trunk_id: z.string().nullable(),
  sync_status: z.enum(["pending", "synced", "failed"]),
  sync_error: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** SIPDispatchRuleResponse (contract 2.4, with the fields seen in published clients). */
export const dispatchRuleResponse = z.object({
  dispatch_rule_id: z.string(),
  phone_number_id: z.string(),
  name: z.string(),
  rule_type: z.enum(["direct", "individual"]),
  room_name: z.string().nullable(),
  room_prefix: z.string().nullable(),
  agent_id: z.string(),
  priority: z.int(),
  created_at: z.string(),
});

export const sipConnectionParams = z.object({ id: z.string().min(1), connectionId: z.string().min(1) });
