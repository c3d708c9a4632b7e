import type { Query, Transport } from "./transport.ts";

/** Tokens, who one is by one's own, and the audit. */
export function accessOver(transport: Transport) {
  return {
    me: () => transport.ask("readMe"),
    tokens: (query: { revoked?: boolean | undefined }) => transport.ask("listTokens", { query }),
    create: (body: {
      name: string;
      role: string;
      brands?: readonly string[] | undefined;
      expires_at?: string | undefined;
    }) => transport.ask("createToken", { body }),
    revoke: (name: string, reason: string) =>
      transport.ask("revokeToken", { path: { name }, body: { reason } }),
    signInCode: (body: { name: string; role: string; brands?: readonly string[] | undefined }) =>
      transport.ask("createSignInCode", { body }),
    sessions: (query: Query) => transport.ask("listSessions", { query }),
    endSession: (id: string, reason: string) =>
      transport.ask("endOtherSession", { path: { id }, body: { reason } }),
    endSessionsOf: (body: { kind: string; name: string; reason: string }) =>
      transport.ask("endSessionsOf", { body }),
    audit: (query: Query) => transport.ask("listAudit", { query }),
  };
}
