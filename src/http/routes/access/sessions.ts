import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { brandNameSchema } from "../../../domain/ground/brand-name.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import {
  beginSession,
  endSession,
  sessionActor,
  type BegunSession,
  type SessionBeginning,
  type SignedIn,
} from "../../../ledger/ground/sessions.ts";
import {
  createSignInCode,
  isSignInCode,
  takeSignInCode,
  type CodeMaker,
} from "../../../ledger/ground/sign-in-codes.ts";
import { actorOf } from "../../actor.ts";
import { callerOf, SYSTEM } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Doors } from "../../plugins/access.ts";
import type { OpenSession } from "../../plugins/sessions.ts";
import { Problem } from "../../problem.ts";
import { roleSchema, tokenNameSchema } from "../../wire/access.ts";
import { isoOf } from "../../wire/instant.ts";
import { sessionSchema, signInCodeSchema, signInWaysSchema, type SessionWire } from "../../wire/sessions.ts";
import type { Routes } from "../../route-scope.ts";

const MOST_BRANDS = 100;

/** Longer than any token or code of ours. */
const LONGEST_SHOWN = 1_000;

const beginBody = z
  .strictObject({
    /** Any token of the API. */
    token: z.string().min(1).max(LONGEST_SHOWN).optional(),
    /** Of a sign-in link. */
    code: z.string().min(1).max(LONGEST_SHOWN).optional(),
  })
  .refine(({ token, code }) => (token === undefined) !== (code === undefined), {
    message: "takes either token or code",
  });

const codeBody = z.strictObject({
  /** What the audit calls whoever opens the link. */
  name: tokenNameSchema,
  role: roleSchema,
  /** Absent: all of them. */
  brands: z.array(brandNameSchema).min(1).max(MOST_BRANDS).optional(),
});

const ABOUT =
  "Begins a session for a browser, by a token or by the code of a sign-in link, and sets its cookie. Every route takes the cookie in place of a token; what changes something shows `csrf_token` in the header `x-csrf-token`.";

/** Who is signed in, in a browser. */
export function sessionRoutes(deps: HttpDeps, doors: Doors): Routes {
  const { ledger } = deps;
  const { sessions, guarded } = doors;
  const begin = (
    tx: Db,
    who: SignedIn,
    how: Pick<SessionBeginning, "atLatestMs" | "about"> = {},
  ): Promise<BegunSession> => beginSession(tx, who, { nowMs: deps.now(), lifeMs: sessions.lifeMs, ...how });

  /** @throws Problem 401 or 429, as every request with that token. */
  async function beginByToken(token: string, address: string): Promise<BegunSession> {
    const who = await whoseToken(token, address);
    return ledger.transaction((tx) => begin(tx, who));
  }

  async function whoseToken(token: string, address: string): Promise<SignedIn> {
    if (doors.isSystem(token)) {
      const { systemMark } = doors;
      if (systemMark === undefined) throw new Error("a system without a token was shown it");
      return { kind: "system", name: SYSTEM.name, role: SYSTEM.role, brands: undefined, systemMark };
    }
    const { name, role, brands, tokenId } = await doors.named.callerOf(token, { address, db: ledger.db });
    if (tokenId === undefined) throw new Error("a named token has no id");
    return { kind: "token", name, role, brands, tokenId };
  }

  /** @throws Problem 401 where the code is none, is over or was used; 429 behind too many wrong ones. */
  async function beginByCode(code: string, address: string): Promise<BegunSession> {
    return guarded({ text: code, address, isFormed: isSignInCode(code), isKept: false }, () =>
      ledger.transaction(async (tx) => {
        const taken = await takeSignInCode(tx, code, deps.now());
        if (!taken) throw codeRefused();
        const { name, role, brands, createdBy, tokenId, systemMark, madeIn, sessionEndsAtMs } = taken;
        const begun = await begin(
          tx,
          { kind: "link", name, role, brands, tokenId, systemMark, madeIn },
          { atLatestMs: sessionEndsAtMs, about: { link_by: createdBy } },
        );
        // Whoever made the link has lost their rights meanwhile.
        if (sessions.faultOf(begun.session)) throw codeRefused();
        return begun;
      }),
    );
  }

  /** By what whoever makes a link may do so. */
  function makerIn(request: FastifyRequest): CodeMaker {
    if (request.browserSession) {
      const { id, tokenId, systemMark, expiresAtMs } = request.browserSession.session;
      return { tokenId, systemMark, madeIn: id, sessionEndsAtMs: expiresAtMs };
    }
    const { kind, tokenId } = callerOf(request);
    const systemMark = kind === "system" ? doors.systemMark : undefined;
    return { tokenId, systemMark, madeIn: undefined, sessionEndsAtMs: undefined };
  }

  return async (app) => {
    app.get(
      "/v1/session/ways",
      { config: { isPublic: true }, schema: { response: { 200: signInWaysSchema } } },
      async () => ({ oidc: deps.oidc ? { name: deps.oidc.name } : null }),
    );

    app.post(
      "/v1/session",
      {
        // An answer that is kept would keep the cookie.
        config: { isPublic: true, requestKey: "own" },
        schema: { description: ABOUT, body: beginBody, response: { 201: sessionSchema } },
      },
      async (request, reply) => {
        const { token, code } = request.body;
        const address = request.ip;
        const begun = await (token === undefined
          ? beginByCode(code ?? "", address)
          : beginByToken(token, address));
        const { opened, setCookie } = sessions.enter(begun);
        return reply
          .code(201)
          .header("cache-control", "no-store")
          .header("set-cookie", setCookie)
          .send(viewOf(opened));
      },
    );

    app.get("/v1/session", { schema: { response: { 200: sessionSchema } } }, async (request, reply) => {
      void reply.header("cache-control", "no-store");
      return viewOf(sessionOf(request));
    });

    app.delete(
      "/v1/session",
      {
        config: { requestKey: "own" },
        schema: {
          description: "Ends the session whose cookie is shown, everywhere.",
          response: { 204: z.null() },
        },
      },
      async (request, reply) => {
        const { session } = sessionOf(request);
        const input = { id: session.id, actor: actorOf(request), nowMs: deps.now() };
        await ledger.transaction((tx) => endSession(tx, input));
        return reply.code(204).header("set-cookie", sessions.clearing()).send(null);
      },
    );

    app.post(
      "/v1/session/codes",
      {
        config: { requestKey: "own" },
        schema: {
          description:
            "Makes a sign-in link's code. It lets one browser in, within ten minutes: as `{ code }` of `POST /v1/session`, or behind `/#sign-in=` of the dashboard's address.",
          body: codeBody,
          response: { 201: signInCodeSchema },
        },
      },
      async (request, reply) => {
        const { name, role } = request.body;
        const brands = request.body.brands && [...new Set(request.body.brands)];
        const input = {
          name,
          role,
          brands,
          actor: actorOf(request),
          maker: makerIn(request),
          nowMs: deps.now(),
        };
        const { code, expiresAtMs } = await ledger.transaction((tx) => createSignInCode(tx, input));
        return reply
          .code(201)
          .header("cache-control", "no-store")
          .send({ code, name, role, brands: brands ?? null, expires_at: isoOf(expiresAtMs) });
      },
    );
  };
}

/** @throws Problem 401 where the caller came otherwise. */
function sessionOf({ browserSession }: FastifyRequest): OpenSession {
  if (browserSession) return browserSession;
  throw new Problem({
    status: 401,
    code: "unauthorized",
    detail: "no session's cookie was shown: sign in with POST /v1/session",
  });
}

function codeRefused(): Problem {
  return new Problem({
    status: 401,
    code: "sign_in_code",
    detail:
      "this sign-in link was opened before, is older than ten minutes, or was made by a token or in a session that is over: make another with `outdial sign-in`",
  });
}

function viewOf({ session, csrfToken, idleEndsAtMs }: OpenSession): SessionWire {
  const { kind, name, role, brands, createdAtMs, expiresAtMs, tokenExpiresAtMs } = session;
  // It ends with its token.
  const endsAtMs = Math.min(expiresAtMs, tokenExpiresAtMs ?? expiresAtMs);
  return {
    kind,
    name,
    role,
    brands: brands ? [...brands] : null,
    actor: sessionActor({ kind, name }),
    created_at: isoOf(createdAtMs),
    expires_at: isoOf(endsAtMs),
    idle_expires_at: isoOf(Math.min(endsAtMs, idleEndsAtMs)),
    csrf_token: csrfToken,
  };
}
