import type { FastifyRequest } from "fastify";
import type { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Clock } from "../clock.ts";
import type { Core } from "../core.ts";
import { conflict, notFound, paymentRequired, unprocessable } from "../errors.ts";
import {
  chatCreateBody,
  chatCreatedResponse,
  chatMessageBody,
  chatReplyResponse,
  chatSessionDetailResponse,
  chatSessionQuery,
  chatSessionResponse,
  chatSessionsQuery,
  chatTestBody,
} from "../schemas/chat-sessions.ts";
import { envelopeOf, idParams, pageOf } from "../schemas/page.ts";
import { roomAway } from "../schemas/room-away.ts";
import { mergedConfig } from "../state/agents.ts";
import type { ChatInput, ChatRecord } from "../state/chat-sessions.ts";
import type { Organization } from "../state/organization.ts";
import { chatReplyView, chatSessionDetailView, chatSessionView } from "../views/chat-sessions.ts";
import { agentOf } from "./agents.ts";
import { boundsOf } from "./period.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.11. The contract has no scope for chats: they are held to those of calls, which they are in text. */
export function chatSessionRoutes(core: Core): Routes {
  return async (app) => {
    await openingRoutes(core)(app);
    await conversationRoutes(core)(app);
    await readingRoutes(core)(app);
  };
}

function openingRoutes(core: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/chat/sessions",
      {
        onRequest: requires("calls:write"),
        schema: { body: chatCreateBody, response: { 201: chatCreatedResponse, 503: roomAway } },
      },
      async (request, reply) => {
        const organization = organizationOf(request);
        const { body } = request;
        const agent = agentOf(organization, body.agent_id);
        const published = agent.versions[(agent.publishedVersion ?? 0) - 1];
        if (published === undefined) {
          throw unprocessable(["body", "agent_id"], "Agent must be published to chat", "agent_not_published");
        }
        const session = await opened(organization, core, {
          agentId: agent.id,
          agentVersion: published.version,
          fields: published.fields,
          transport: body.transport,
          channelType: body.channel_type,
          externalUserKey: body.external_user_key ?? null,
          variables: body.dynamic_variables ?? null,
        });
        return await reply.code(201).send(session);
      },
    );

    app.post(
      "/v1/chat/test",
      {
        onRequest: requires("calls:write"),
        schema: { body: chatTestBody, response: { 201: chatCreatedResponse, 503: roomAway } },
      },
      async (request, reply) => {
        const organization = organizationOf(request);
        const { body } = request;
        const agent = agentOf(organization, body.agent_id);
        const session = await opened(organization, core, {
          agentId: agent.id,
          agentVersion: agent.versions.length,
          fields: mergedConfig(agent.fields, body.temp_config ?? {}),
          transport: body.transport,
          channelType: body.channel_type,
          externalUserKey: body.external_user_key ?? null,
          variables: body.dynamic_variables ?? null,
        });
        return await reply.code(201).send(session);
      },
    );
  };
}

/** Opens a session and shows it. Throws 402 without credits. */
async function opened(
  organization: Organization,
  { clock, rooms }: Core,
  input: ChatInput,
): Promise<z.output<typeof chatCreatedResponse>> {
  if (organization.billing.exhausted) {
    throw paymentRequired();
  }
  if (input.transport === "livekit") {
    rooms.checkOffered();
  }
  const session = organization.chatSessions.open(input);
  const shown = {
    ...chatSessionView(session, organization, clock),
    access_token: null,
    room_url: null,
    room_name: null,
  };
  if (input.transport === "rest") {
    return shown;
  }
  return { ...shown, ...(await rooms.openChat(session, organization)) };
}

function conversationRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/chat/sessions/:id/messages",
      {
        onRequest: requires("calls:write"),
        schema: { params: idParams, body: chatMessageBody, response: { 200: chatReplyResponse } },
      },
      (request, reply) => {
        const session = openSessionOf(request, request.params.id);
        if (session.transport === "livekit") {
          throw conflict("Messages of a livekit session travel in its room");
        }
        const answer = organizationOf(request).chatSessions.send(session, request.body.content);
        reply.send(chatReplyView(session, answer));
      },
    );

    app.post(
      "/v1/chat/sessions/:id/close",
      {
        onRequest: requires("calls:write"),
        schema: { params: idParams, response: { 200: chatSessionResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const session = openSessionOf(request, request.params.id);
        organization.chatSessions.close(session, "explicit_close");
        reply.send(chatSessionView(session, organization, clock));
      },
    );
  };
}

function readingRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/chat/sessions",
      {
        onRequest: requires("calls:read"),
        schema: { querystring: chatSessionsQuery, response: { 200: envelopeOf(chatSessionResponse) } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const found = selectSessions(organization, clock, request.query);
        reply.send(
          pageOf(found, request.query.window, (session) => chatSessionView(session, organization, clock)),
        );
      },
    );

    app.get(
      "/v1/chat/sessions/:id",
      {
        onRequest: requires("calls:read"),
        schema: {
          params: idParams,
          querystring: chatSessionQuery,
          response: { 200: chatSessionDetailResponse },
        },
      },
      (request, reply) => {
        const session = sessionOf(request, request.params.id);
        const { window } = request.query;
        reply.send(chatSessionDetailView(session, organizationOf(request), clock, window));
      },
    );
  };
}

/** Throws 404 unless the caller's organization has the session. */
function sessionOf(request: FastifyRequest, id: string): ChatRecord {
  const session = organizationOf(request).chatSessions.find(id);
  if (session === null) {
    throw notFound("Chat session");
  }
  return session;
}

/** The same, and throws 409 for one that is closed. */
function openSessionOf(request: FastifyRequest, id: string): ChatRecord {
  const session = sessionOf(request, id);
  if (session.closedAt !== null) {
    throw conflict("The chat session is closed");
  }
  return session;
}

type SessionsQuery = z.output<typeof chatSessionsQuery>;

function selectSessions({ chatSessions }: Organization, clock: Clock, query: SessionsQuery): ChatRecord[] {
  const { fromMs, toMs } = boundsOf(clock, query);
  const { agent_id: agentId, status, channel_type: channel } = query;
  return chatSessions
    .all()
    .filter(
      (session) =>
        session.createdAt >= fromMs &&
        session.createdAt <= toMs &&
        (agentId === undefined || session.agentId === agentId) &&
        (channel === undefined || session.channelType === channel) &&
        (status === undefined || chatSessions.statusOf(session) === status),
    );
}
