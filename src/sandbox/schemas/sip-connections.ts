import { isIPv6 } from "node:net";

import { z } from "zod";

import { published } from "../dialect.ts";

/**
 * Where calls are sent to: `sip:` or `sips:` or nothing, `//` or not, a user without a password, then a name, an IPv4
 * address or an IPv6 address in brackets, a port, and parameters. Groups: host, port.
 */
const SIP_URI =
  /^(?:[Ss][Ii][Pp][Ss]?:(?:\/\/)?)?(?:[^\s@:/[\]]+@)?(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?\.?)(?::([0-9]{1,5}))?(?:;[A-Za-z0-9._~%-]+(?:=[A-Za-z0-9._~%-]*)?)*$/;

const terminationUri = z
  .string()
  .min(1)
  .max(255)
  .regex(SIP_URI, "Must be a SIP URI, e.g. sip:sip.carrier.example:5060 or [2001:db8::1]:5060")
  .refine((uri) => isAddressable(uri), "Must have a port from 1 to 65535, and an IPv6 address in brackets");

function isAddressable(uri: string): boolean {
  const [, host = "", port] = SIP_URI.exec(uri) ?? [];
  const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
  return isPort && (!host.startsWith("[") || isIPv6(host.slice(1, -1)));
}

/** The host in a URI that is one, in lower case and without a dot at its end. */
export function sipHostOf(uri: string): string {
  return (SIP_URI.exec(uri)?.[1] ?? "").toLowerCase().replace(/\.$/, "");
}

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
export const sipConnectionResponse = z
  .object({
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
  })
  .register(published, { idFrom: "sip_connection_id" });

/** SIPDispatchRuleResponse (contract 2.4, with the fields seen in published clients). */
export const dispatchRuleResponse = z
  .object({
    dispatch_rule_id: z.string(),
    phone_number_id: z.string(),
    name: z.string(),
    rule_type: z.enum(["direct", "individual"]),
    room_name: z.string().nullable(),
    room_prefix: z.string().nullable(),
    agent_id: z.string(),
    priority: z.int(),
    created_at: z.string(),
  })
  .register(published, { idFrom: "dispatch_rule_id" });

export const sipConnectionParams = z.object({ id: z.string().min(1), connectionId: z.string().min(1) });
