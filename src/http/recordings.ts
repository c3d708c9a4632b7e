import type { FastifyReply, FastifyRequest } from "fastify";
import { pipeline, Transform, type Readable } from "node:stream";
import { finished } from "node:stream/promises";

import { NotFoundError, PlatformError } from "../platform/index.ts";
import type { HttpDeps } from "./deps.ts";
import { Problem } from "./problem.ts";
import { createSlots } from "./slots.ts";

/** Hours of a call take minutes to come. */
const WITHIN_MS = 10 * 60_000;

/** Hours of a call, as lossless sound even. */
const MOST_BYTES = 500 * 1024 * 1024;

/** Each holds a connection to the platform for as long as somebody listens. */
const AT_ONCE = 8;

/** One range, as players ask for (RFC 9110); what is more is answered with the whole. */
const RANGE = /^bytes=(?:\d{1,15}-\d{0,15}|-\d{1,15})$/;
const CONTENT_RANGE = /^bytes \d{1,15}-\d{1,15}\/(?:\d{1,15}|\*)$/;

/** What a browser plays and does nothing else with. */
const SOUND = /^(?:audio\/[\w.+-]{1,60}|application\/ogg)(?:;[\w\s=.,"+-]{0,100})?$/i;
const OPAQUE = "application/octet-stream";

/** What is said of it in the OpenAPI document. */
export const RECORDING_BOUNDS =
  "As the platform has it: 500 MB at most, within ten minutes, eight requests at once in each process. One range of bytes can be asked for, where the platform gives parts.";

/**
 * Hands out recordings as the platform has them, chunk by chunk: of one door, so that whoever listens takes nobody's place
 * at another.
 *
 * @throws Problem `not_found`, where the platform has none, `command_refused` for one that is too large, `busy`
 */
export function recordingSender({ platform }: HttpDeps) {
  const slots = createSlots(AT_ONCE, "as many recordings are being listened to as are handed out at once");

  const ask = async (callId: string, range: string | undefined, signal: AbortSignal) => {
    try {
      const headers = range === undefined ? {} : { range };
      return await platform.calls.recording(callId, { timeoutMs: WITHIN_MS, signal, headers });
    } catch (error) {
      if (error instanceof PlatformError && error.status === 416) throw noSuchPart();
      if (!(error instanceof NotFoundError)) throw error;
      throw new Problem({
        status: 404,
        code: "not_found",
        detail: "the platform has no recording of this call",
      });
    }
  };

  return (callId: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    slots(async () => {
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      if (reply.raw.destroyed) gone.abort();
      const { range } = request.headers;
      const asked = range !== undefined && RANGE.test(range) ? range : undefined;
      const recording = await ask(callId, asked, gone.signal);
      const { body, contentType = OPAQUE, sizeBytes, contentRange: part, takesRanges } = recording;
      if (sizeBytes !== undefined && sizeBytes > MOST_BYTES) {
        body.destroy();
        throw tooLarge(sizeBytes);
      }
      if (part !== undefined) {
        if (asked === undefined || !CONTENT_RANGE.test(part)) {
          body.destroy();
          throw partOfNothing();
        }
        void reply.code(206).header("content-range", part);
      }
      if (takesRanges) void reply.header("accept-ranges", "bytes");
      if (sizeBytes !== undefined) void reply.header("content-length", sizeBytes);
      void reply.header("cache-control", "no-store");
      const sound = bounded(body);
      void reply.type(SOUND.test(contentType) ? contentType : OPAQUE).send(sound);
      // Whoever is cut off sees it: the answer is shorter than it was said to be, or not ended.
      await finished(sound).catch(() => {});
      return reply;
    });
}

function tooLarge(bytes: number): Problem {
  return new Problem({
    status: 409,
    code: "command_refused",
    detail: `the recording has ${bytes} bytes, and ${MOST_BYTES} are handed out at most: fetch it from the platform (\`outdial platform calls recording\`)`,
  });
}

function noSuchPart(): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: "the recording ends before what the header range asks for: ask for an earlier part, or the whole",
  });
}

/** Nobody takes a part for the whole. */
function partOfNothing(): Problem {
  return new Problem({
    status: 502,
    code: "platform_failed",
    detail:
      "the platform answered with a part of the recording that was not asked for, or does not say with which",
  });
}

/** Whoever announces less than comes, or nothing, is cut off, so that nobody takes a part for the whole. */
function bounded(body: Readable): Readable {
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MOST_BYTES ? new Error(`the recording has more than ${MOST_BYTES} bytes`) : null, chunk);
    },
  });
  // Either end that is lost takes the other with it.
  return pipeline(body, counting, () => {});
}
