import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { stopReasonOf } from "../../../domain/campaigns/stop-form.ts";
import { actorOfStop } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { stopAll } from "../../../commands/stop-all.ts";
import { stopAllResultSchema } from "../../wire/system.ts";
import { inFlightView } from "../../in-flight.ts";

/** What is described; anything else is taken, too. */
const stopBody = z.looseObject({ reason: z.string().optional() });

/** Some times the longest reason in any spelling. What is larger says nothing that is kept. */
const MOST_BYTES = 64 * 1024;

/** A stop does not wait for a reason that is slow to come. */
const BODY_WITHIN_MS = 1_000;

/** The stop of everything: whoever has the token is not refused over what else the request has, or lacks. */
export function stopRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    // A type that is none is refused before any parser is asked.
    app.addHook("onRequest", async ({ headers }) => {
      delete headers["content-type"];
    });
    app.addHook("preValidation", async (request) => {
      request.body ??= {};
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", async (_request: FastifyRequest, payload: Readable) => ({
      reason: reasonIn(await textOf(payload)),
    }));

    app.post(
      "/v1/stop-all",
      // A stop is carried out whenever it is asked for: somebody may have gone on since.
      {
        config: { requestKey: "own" },
        schema: {
          description: "Taken without a body, too, and in any form: a stop is never refused over it.",
          body: stopBody,
          response: { 200: stopAllResultSchema },
        },
      },
      async (request) => {
        const { inFlight, waiting } = await stopAll(deps, {
          actor: actorOfStop(request),
          reason: stopReasonOf(request.body.reason),
        });
        return {
          stopped: true as const,
          in_flight: inFlightView(inFlight),
          waiting: waiting.map(({ id, name }) => ({ campaign_id: id, name })),
        };
      },
    );
  };
}

/** What came within the bounds; nothing of what is too large. */
function textOf(payload: Readable): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => {
      clearTimeout(late);
      // What still comes is passed over, so that the answer is read.
      payload.off("data", take).resume();
      resolve(size > MOST_BYTES ? "" : Buffer.concat(chunks).toString());
    };
    const late = setTimeout(done, BODY_WITHIN_MS);
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BYTES) chunks.push(chunk);
    };
    payload.on("data", take).once("end", done).once("close", done).once("error", done);
  });
}

/** A field of JSON, or else the text itself: somebody may have sent nothing but it. */
function reasonIn(text: string): string {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return stopReasonOf(text);
  }
  if (typeof content !== "object" || content === null) return stopReasonOf(content);
  return stopReasonOf("reason" in content ? content.reason : undefined);
}
