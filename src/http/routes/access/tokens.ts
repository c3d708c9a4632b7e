import { z } from "zod";

import { brandNameSchema } from "../../../domain/ground/brand-name.ts";
import { createToken, listTokens, revokeToken, type ApiToken } from "../../../ledger/ground/api-tokens.ts";
import { actorOf } from "../../actor.ts";
import { callerOf } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import {
  meSchema,
  roleSchema,
  tokenCreatedSchema,
  tokenListSchema,
  tokenNameSchema,
  tokenRevokedSchema,
  type TokenWire,
} from "../../wire/access.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";
import { reasonText, flagQuery } from "../../wire/text.ts";
import type { Routes } from "../../route-scope.ts";

/** Whoever is for more than this is for all of them. */
const MOST_BRANDS = 100;

const createBody = z.strictObject({
  name: tokenNameSchema,
  role: roleSchema,
  /** Absent: all of them. */
  brands: z.array(brandNameSchema).min(1).max(MOST_BRANDS).optional(),
  /** Absent: never. */
  expires_at: z.iso.datetime({ offset: true }).optional(),
});

const listQuery = z.strictObject({
  /** Those that were revoked, instead. */
  revoked: flagQuery,
});

const ABOUT =
  "Makes a token with a name, a role and brands. It is told in this answer and nowhere else: the ledger keeps its SHA-256.";

/** Tokens of the API, and who a caller is by one. */
export function tokenRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    const { ledger } = deps;

    app.get("/v1/me", { schema: { response: { 200: meSchema } } }, async (request) => {
      const { kind, name, role, brands } = callerOf(request);
      return { kind, name, role, brands: brands ? [...brands] : null, actor: actorOf(request) };
    });

    app.get(
      "/v1/tokens",
      { schema: { querystring: listQuery, response: { 200: tokenListSchema } } },
      async (request) => {
        const found = await listTokens(ledger.db, request.query);
        return { items: found.map((token) => tokenView(token, deps.now())) };
      },
    );

    app.post(
      "/v1/tokens",
      {
        // An answer that is kept would keep the token.
        config: { requestKey: "own" },
        schema: { description: ABOUT, body: createBody, response: { 201: tokenCreatedSchema } },
      },
      async (request, reply) => {
        const { name, role, brands, expires_at } = request.body;
        const nowMs = deps.now();
        const expiresAtMs = expires_at === undefined ? undefined : Date.parse(expires_at);
        if (expiresAtMs !== undefined && expiresAtMs <= nowMs) throw notToCome();
        const actor = actorOf(request);
        const input = { name, role, brands: brands && [...new Set(brands)], expiresAtMs, actor, nowMs };
        const { token, secret } = await ledger.transaction((tx) => createToken(tx, input));
        return reply
          .code(201)
          .header("cache-control", "no-store")
          .send({ token: tokenView(token, nowMs), secret });
      },
    );

    app.delete(
      "/v1/tokens/:name",
      {
        schema: {
          description: "Revokes a token: whoever shows it is refused from now on, by every process.",
          params: z.strictObject({ name: tokenNameSchema }),
          body: z.strictObject({ reason: reasonText("is needed: it is kept for good") }),
          response: { 200: tokenRevokedSchema },
        },
      },
      async (request) => {
        const { name } = request.params;
        const { reason } = request.body;
        const input = { name, reason, actor: actorOf(request), nowMs: deps.now() };
        const revoked = await ledger.transaction((tx) => revokeToken(tx, input));
        if (revoked) return { revoked: tokenView(revoked, deps.now()) };
        throw new Problem({
          status: 404,
          code: "unknown_token",
          detail: `there is no token named ${name}, or it was revoked before: list them with \`outdial token list\``,
        });
      },
    );
  };
}

function notToCome(): Problem {
  const message = "must be in the future";
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: `expires_at: ${message}`,
    errors: [{ field: "expires_at", message }],
  });
}

function tokenView(token: ApiToken, nowMs: number): TokenWire {
  const { id, name, role, brands, createdBy, expiresAtMs } = token;
  return {
    name,
    id,
    role,
    brands: brands ? [...brands] : null,
    created_at: isoOf(token.createdAtMs),
    created_by: createdBy,
    expires_at: isoOrNull(expiresAtMs),
    expired: expiresAtMs !== undefined && expiresAtMs <= nowMs,
    last_used_at: isoOrNull(token.lastUsedAtMs),
    revoked_at: isoOrNull(token.revokedAtMs),
    revoked_by: token.revokedBy ?? null,
    revoked_reason: token.revokedReason ?? null,
  };
}
