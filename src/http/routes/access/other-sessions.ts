import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { CALLER_KINDS } from "../../../domain/ground/access.ts";
import {
  endSession,
  endSessionsOf,
  listSessions,
  sessionActor,
  type BrowserSession,
} from "../../../ledger/ground/sessions.ts";
import { actorOf } from "../../actor.ts";
import { afterQuery, cutPage, limitQuery, timePlaceIn } from "../../cursor.ts";
import type { HttpDeps } from "../../deps.ts";
import type { Doors } from "../../plugins/access.ts";
import { Problem } from "../../problem.ts";
import { isoOf } from "../../wire/instant.ts";
import {
  sessionEndedSchema,
  sessionPageSchema,
  sessionsEndedSchema,
  type SessionSeenWire,
} from "../../wire/sessions.ts";
import { plainText, reasonText } from "../../wire/text.ts";
import type { Routes } from "../../route-scope.ts";

/** Longer than what any provider calls a person. */
const LONGEST_NAME = 320;

const kind = z.enum(CALLER_KINDS);
const name = plainText(LONGEST_NAME);
const reason = reasonText("is needed: it is kept for good");

const listQuery = z.strictObject({
  after: afterQuery,
  limit: limitQuery,
  kind: kind.optional(),
  name: name.optional(),
});

/** Who else is signed in, for admins, who may put them out. */
export function otherSessionRoutes(deps: HttpDeps, { systemMark }: Doors): Routes {
  const { ledger } = deps;
  const { idleMs } = deps.sessions;
  const viewFor = (request: FastifyRequest) => (session: BrowserSession) => viewOf(session, request, idleMs);
  return async (app) => {
    app.get(
      "/v1/sessions",
      {
        schema: {
          description: "Lists who is signed in in browsers. A session that is over is not in it.",
          querystring: listQuery,
          response: { 200: sessionPageSchema },
        },
      },
      async (request) => {
        const { after, limit, ...asked } = request.query;
        const found = await listSessions(ledger.db, {
          ...asked,
          ...timePlaceIn(after, z.string().regex(/^[\da-f]{32}$/)),
          idleMs,
          systemMark,
          nowMs: deps.now(),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(found, limit, ({ createdAtMs, id }) => [createdAtMs, id]);
        return { items: page.map(viewFor(request)), next_after };
      },
    );

    app.delete(
      "/v1/sessions/:id",
      {
        schema: {
          description:
            "Ends a session: its cookie is refused from now on, by every process, and a stream of events that it follows ends within half a minute.",
          params: z.strictObject({ id: z.string().min(1).max(64) }),
          body: z.strictObject({ reason }),
          response: { 200: sessionEndedSchema },
        },
      },
      async (request) => {
        const { id } = request.params;
        const input = { id, reason: request.body.reason, actor: actorOf(request), nowMs: deps.now() };
        const ended = await ledger.transaction((tx) => endSession(tx, input));
        if (ended) return { ended: viewFor(request)(ended) };
        throw new Problem({
          status: 404,
          code: "unknown_session",
          detail: `there is no session ${id}, or it has ended: list them with \`outdial sessions list\``,
        });
      },
    );

    app.delete(
      "/v1/sessions",
      {
        schema: {
          description:
            "Ends all sessions of one who signed in: by a token, a link or the provider (`kind`), under a `name`. Whoever still has that token, or may sign in at the provider, may come back.",
          body: z.strictObject({ kind, name, reason }),
          response: { 200: sessionsEndedSchema },
        },
      },
      async (request) => {
        const input = { ...request.body, actor: actorOf(request), nowMs: deps.now() };
        const ended = await ledger.transaction((tx) => endSessionsOf(tx, input));
        return { ended: ended.map(viewFor(request)) };
      },
    );
  };
}

function viewOf(
  session: BrowserSession,
  { browserSession }: FastifyRequest,
  idleMs: number,
): SessionSeenWire {
  const { id, role, brands, createdAtMs, lastUsedAtMs, expiresAtMs, tokenExpiresAtMs } = session;
  // It ends with its token.
  const endsAtMs = Math.min(expiresAtMs, tokenExpiresAtMs ?? expiresAtMs);
  return {
    id,
    kind: session.kind,
    name: session.name,
    role,
    brands: brands ? [...brands] : null,
    actor: sessionActor(session),
    created_at: isoOf(createdAtMs),
    last_used_at: isoOf(lastUsedAtMs),
    expires_at: isoOf(endsAtMs),
    idle_expires_at: isoOf(Math.min(endsAtMs, lastUsedAtMs + idleMs)),
    own: browserSession?.session.id === id,
  };
}
