import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { brandsBy, personIn, roleBy, type Claims } from "../../../domain/ground/claims.ts";
import {
  ProviderAwayError,
  ProviderRefusedError,
  type BegunSignIn,
  type RightsByClaims,
} from "../../../domain/ground/sign-in-provider.ts";
import { beginSession, type SignedIn } from "../../../ledger/ground/sessions.ts";
import { clearCookie, readCookie, setCookie, type CookieScope } from "../../cookies.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Doors } from "../../plugins/access.ts";
import { Problem } from "../../problem.ts";
import { problemOf } from "../../problem-of.ts";
import type { Routes } from "../../route-scope.ts";

/*
 * Signing in by an OpenID Connect provider. What a browser needs to come back with, its state, nonce and verifier, is in
 * a cookie of its own, for these addresses alone: no process has to remember who left, and another browser that is sent
 * back in its place has nothing.
 */

const COOKIE = "outdial_sign_in";
const PATH = "/v1/session/oidc";

/** For whoever has to find a second factor. */
const AWAY_MS = 10 * 60_000;

/** The provider is asked again by then who somebody is, and what they may. */
const LONGEST_LIFE_MS = 12 * 3_600_000;

const keptSchema = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  returnTo: z.string(),
});

type Kept = BegunSignIn & { returnTo: string };

/** Where browsers are sent, and come back to. No requests of programs, and not described to them. */
export function oidcRoutes(deps: HttpDeps, doors: Doors): Routes {
  const { ledger, oidc, log } = deps;
  const { sessions } = doors;
  // Lax: coming back from another site is what it is for.
  const scope: CookieScope = { path: PATH, sameSite: "Lax", isSecure: sessions.isSecure };

  async function comeBack(request: FastifyRequest, { provider, rights }: NonNullable<HttpDeps["oidc"]>) {
    const kept = keptIn(readCookie(request.headers.cookie, COOKIE));
    const query = request.url.replace(/^[^?]*/, "");
    // Nothing of ours is guessed here: it is the provider that vouches, and what is wrong counts against nobody.
    if (!kept) throw refused("this browser did not begin to sign in, or did so more than ten minutes ago");
    const claims = await provider.finish(query, kept).catch((error: unknown) => {
      throw problemOfProvider(error);
    });
    const { who, about } = signedIn(claims, rights);
    const lifeMs = Math.min(sessions.lifeMs, LONGEST_LIFE_MS);
    const begun = await ledger.transaction((tx) =>
      beginSession(tx, who, { nowMs: deps.now(), lifeMs, about }),
    );
    return { cookie: sessions.enter(begun).setCookie, returnTo: kept.returnTo };
  }

  return async (app) => {
    const options = { config: { isPublic: true as const } };
    app.get(
      `${PATH}/start`,
      {
        ...options,
        schema: { hide: true, querystring: z.looseObject({ return_to: z.unknown().optional() }) },
      },
      async (request, reply) => {
        void reply.header("cache-control", "no-store");
        try {
          if (!oidc) throw notSetUp();
          const { url, begun } = await oidc.provider.begin().catch((error: unknown) => {
            throw problemOfProvider(error);
          });
          const kept: Kept = { ...begun, returnTo: ownPath(request.query.return_to) };
          const value = Buffer.from(JSON.stringify(kept)).toString("base64url");
          void reply.header("set-cookie", setCookie(COOKIE, value, { ...scope, maxAgeMs: AWAY_MS }));
          return await reply.redirect(url);
        } catch (error) {
          return sayWhyNot(error, request, reply, log);
        }
      },
    );

    app.get(`${PATH}/callback`, { ...options, schema: { hide: true } }, async (request, reply) => {
      void reply.header("cache-control", "no-store");
      // Whatever comes of it: what it holds is good once.
      const over = clearCookie(COOKIE, scope);
      try {
        if (!oidc) throw notSetUp();
        const { cookie, returnTo } = await comeBack(request, oidc);
        return await reply.header("set-cookie", [over, cookie]).redirect(returnTo);
      } catch (error) {
        void reply.header("set-cookie", over);
        return sayWhyNot(error, request, reply, log);
      }
    });
  };
}

function keptIn(value: string | undefined): Kept | undefined {
  if (value === undefined) return undefined;
  try {
    const kept = keptSchema.safeParse(JSON.parse(Buffer.from(value, "base64url").toString("utf8")));
    return kept.success ? { ...kept.data, returnTo: ownPath(kept.data.returnTo) } : undefined;
  } catch {
    // Not ours.
    return undefined;
  }
}

/** A path of this server, or its root: nobody is led to another host by way of signing in. */
function ownPath(text: unknown): string {
  const base = "http://here.invalid";
  if (typeof text !== "string" || text.length > 1_000 || !/^\/[\x21-\x7e]*$/.test(text)) return "/";
  if (/^\/[/\\]/.test(text) || !URL.canParse(text, base)) return "/";
  const url = new URL(text, base);
  return url.origin === base ? `${url.pathname}${url.search}${url.hash}`.replace(/^\/+/, "/") : "/";
}

/** @throws Problem 403 where nothing gives them a role, or a brand; 401 where nobody is named. */
function signedIn(
  claims: Claims,
  { roles, brands: brandRule, person }: RightsByClaims,
): { who: SignedIn; about: Record<string, unknown> } {
  const name = personIn(claims, person);
  if (name === undefined) throw refused("the provider names nobody");
  const role = roleBy(roles, claims);
  if (role === undefined) {
    throw noRole(
      `${name} is known to the provider, and has no role here: an admin of the provider gives one by the claim ${roles.claim}, as OUTDIAL_OIDC_ROLES says`,
    );
  }
  const brands = brandsBy(brandRule, claims);
  if (brands === "none") {
    throw noRole(
      `${name} is known to the provider, and is for no brand here: an admin of the provider gives one by the claim ${brandRule?.claim ?? ""}, as OUTDIAL_OIDC_BRANDS says`,
    );
  }
  return { who: { kind: "person", name, role, brands }, about: { subject: String(claims["sub"]) } };
}

function problemOfProvider(error: unknown): unknown {
  if (error instanceof ProviderRefusedError) return refused(error.message, error);
  if (!(error instanceof ProviderAwayError)) return error;
  return new Problem(
    { status: 503, code: "provider_unavailable", detail: `${error.message}. Try again in a moment` },
    { cause: error },
  );
}

function refused(why: string, cause?: unknown): Problem {
  return new Problem(
    { status: 401, code: "sign_in_refused", detail: `signing in came to nothing: ${why}. Try again` },
    { cause },
  );
}

function noRole(detail: string): Problem {
  return new Problem({ status: 403, code: "no_role", detail });
}

function notSetUp(): Problem {
  return new Problem({
    status: 404,
    code: "not_found",
    detail:
      "this system has no OpenID Connect provider: set OUTDIAL_OIDC_ISSUER, or sign in by a token or a link",
  });
}

/** To a browser as a page; to others as the problem. */
function sayWhyNot(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: HttpDeps["log"],
): FastifyReply {
  const problem = problemOf(error);
  if (problem.status === 500 || !/\btext\/html\b/.test(request.headers.accept ?? "")) throw error;
  log.warn(
    { request: request.id, code: problem.code, why: problem.message },
    "somebody could not sign in by the provider",
  );
  return reply.code(problem.status).type("text/html; charset=utf-8").send(pageOf(problem));
}

function pageOf({ status, code, message }: Problem): string {
  const again = status === 404 ? "" : `<p><a href="${PATH}/start">Try again</a></p>\n`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Outdial: not signed in</title></head><body>
<h1>You are not signed in</h1>
<p>${escaped(message)}.</p>
<p><code>${escaped(code)}</code></p>
${again}<p><a href="/">To the dashboard</a></p>
</body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
