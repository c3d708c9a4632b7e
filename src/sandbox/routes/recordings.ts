import { Readable } from "node:stream";

import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { ApiError, notFound } from "../errors.ts";
import { oggBytes, oggSeconds, oggSize } from "../ogg.ts";
import { idParams } from "../schemas/page.ts";
import { callOf } from "./calls.ts";
import type { Routes } from "../route-scope.ts";

const audio = {
  content: { "audio/ogg": { schema: z.unknown().meta({ type: "string", format: "binary" }) } },
};

/**
 * Contract 4.2: the recording as it is, an Ogg Opus file. There is one once a call that somebody answered is
 * processed; 404 before that. One range of bytes can be asked for (RFC 9110), as players do.
 */
export function recordingRoutes({ recordingBytes }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/calls/:id/recording",
      {
        onRequest: requires("calls:read"),
        schema: { params: idParams, response: { 200: audio, 206: audio } },
      },
      (request, reply) => {
        const call = callOf(request, request.params.id);
        const { calls } = organizationOf(request);
        if (call.connectedAt === null || calls.processingStatusOf(call) !== "completed") {
          throw notFound("Recording");
        }
        const seconds = Math.max(
          Math.ceil(call.talkMs / 1000),
          recordingBytes === 0 ? 1 : oggSeconds(recordingBytes),
        );
        const size = oggSize(seconds);
        const range = rangeOf(request.headers.range, size);
        const { start, end } = range ?? { start: 0, end: size };
        reply
          .headers({ "content-type": "audio/ogg", "accept-ranges": "bytes", "content-length": end - start })
          .code(range === null ? 200 : 206);
        if (range !== null) {
          reply.header("content-range", `bytes ${start}-${end - 1}/${size}`);
        }
        reply.send(Readable.from(oggBytes(seconds, start, end), { objectMode: false }));
      },
    );
  };
}

/**
 * The one range that a header asks for, `end` exclusive; null for none, and for what is no single range, which is
 * answered with the whole. Throws 416 for one that begins behind the end.
 */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | null {
  const [whole, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (whole === undefined || (first === "" && last === "")) {
    return null;
  }
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) {
    return null;
  }
  if (start >= size) {
    throw new ApiError(416, "Range not satisfiable", { "content-range": `bytes */${size}` });
  }
  return { start, end };
}
