import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { findCallIds } from "../../../domain/triggers/find-call-ids.ts";
import { readSentBody } from "../../../domain/triggers/sent-body.ts";
import { noteCallHints } from "../../../ledger/campaigns/call-hints.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { rawBodyOf, takeRawBodies, type BodyRoom } from "../../raw-body.ts";
import { hintAcceptedSchema } from "../../wire/triggers.ts";

/** A whole call with its transcript may come; what is larger is not needed to know which call it is about. */
const LARGEST_BODY_BYTES = 256 * 1024;

/**
 * Call events of the platform (contract 6.1). Their payload and their signature are not documented, so that they
 * prove nothing: the ids of calls are taken from them, kept, and looked up later. Whoever sends learns nothing:
 * the answer is the same for calls that are known and for those that are nobody's.
 */
export function platformHookRoutes(deps: HttpDeps, room: BodyRoom): FastifyPluginAsyncZod {
  const expected = deps.hookTokens.map(digestOf);
  return async (app) => {
    takeRawBodies(app, room);
    app.post(
      "/v1/hooks/platform/:token",
      {
        config: { authenticatesItself: true },
        // Before the body is read, and behind the limit of requests.
        preParsing: async ({ params }) => {
          if (!isExpected(expected, params.token)) throw notFound();
        },
        bodyLimit: LARGEST_BODY_BYTES,
        schema: {
          params: z.object({ token: z.string() }),
          consumes: ["application/json"],
          security: [],
          response: { 202: hintAcceptedSchema },
        },
      },
      async (request, reply) => {
        const callIds = findCallIds(readAny(rawBodyOf(request)));
        await deps.ledger.transaction((tx) => noteCallHints(tx, { callIds, nowMs: deps.now() }));
        if (callIds.length > 0) deps.outbox.kick();
        return reply.code(202).send({ accepted: true });
      },
    );
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** All of them are compared, and by their digests: neither time nor length tells which one is near. */
function isExpected(expected: readonly Buffer[], token: string): boolean {
  const shown = digestOf(token);
  return expected.filter((one) => timingSafeEqual(one, shown)).length > 0;
}

/** As if there were no such address: a token that is wrong, and a door that is closed, are the same. */
function notFound(): Problem {
  return new Problem({
    status: 404,
    code: "not_found",
    detail: "there is no POST at this address: /openapi.json lists what there is",
  });
}

/** JSON, or a form, one of whose fields may be JSON; anything else names no call. */
function readAny(rawBody: Buffer): unknown {
  // Bytes that are no UTF-8 stand in no id.
  const text = rawBody.toString("utf8");
  const reading = readSentBody("json", text);
  if (reading.ok) return reading.payload;
  const form = readSentBody("form", text);
  if (!form.ok) return undefined;
  const { payload } = form;
  if (typeof payload !== "object" || payload === null) return undefined;
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]: [string, unknown]) => [name, jsonIn(value)]),
  );
}

function jsonIn(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const reading = readSentBody("json", value);
  return reading.ok ? reading.payload : value;
}
