import type { Query, Transport } from "./transport.ts";

const wire = () => import("../../http/wire/access.ts");
const sessionWire = () => import("../../http/wire/sessions.ts");

/** Tokens, who one is by one's own, and the audit. */
export function accessOver(transport: Transport) {
  const path = "/v1/tokens";
  return {
    me: () => transport.ask(async () => (await wire()).meSchema, { path: "/v1/me" }),
    tokens: (query: { revoked?: boolean | undefined }) =>
      transport.ask(async () => (await wire()).tokenListSchema, { path, query }),
    create: (body: {
      name: string;
      role: string;
      brands?: readonly string[] | undefined;
      expires_at?: string | undefined;
    }) => transport.ask(async () => (await wire()).tokenCreatedSchema, { method: "POST", path, body }),
    revoke: (name: string, reason: string) =>
      transport.ask(async () => (await wire()).tokenRevokedSchema, {
        method: "DELETE",
        path: `${path}/${encodeURIComponent(name)}`,
        body: { reason },
      }),
    signInCode: (body: { name: string; role: string; brands?: readonly string[] | undefined }) =>
      transport.ask(async () => (await sessionWire()).signInCodeSchema, {
        method: "POST",
        path: "/v1/session/codes",
        body,
      }),
    sessions: (query: Query) =>
      transport.ask(async () => (await sessionWire()).sessionPageSchema, { path: "/v1/sessions", query }),
    endSession: (id: string, reason: string) =>
      transport.ask(async () => (await sessionWire()).sessionEndedSchema, {
        method: "DELETE",
        path: `/v1/sessions/${encodeURIComponent(id)}`,
        body: { reason },
      }),
    endSessionsOf: (body: { kind: string; name: string; reason: string }) =>
      transport.ask(async () => (await sessionWire()).sessionsEndedSchema, {
        method: "DELETE",
        path: "/v1/sessions",
        body,
      }),
    audit: (query: Query) =>
      transport.ask(async () => (await wire()).auditPageSchema, { path: "/v1/audit", query }),
  };
}
