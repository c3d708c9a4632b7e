import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { z } from "zod";

import { Problem } from "./problem.ts";

/*
 * Lists arrive as the body of a request, as large as they are, and are read as they arrive: whoever reads
 * slower than the client sends makes the client wait, and nothing is kept.
 */

const CSV = "text/csv";
const NDJSON = "application/x-ndjson";
const UNKNOWN = "application/octet-stream";

/** What a route that takes a list says of it. The stream itself is read by the import, row by row. */
export const listUploadSchema = {
  consumes: [CSV, NDJSON, UNKNOWN],
  body: z.any().meta({ type: "string", format: "binary", description: "The list." }),
};

/** Takes lists as streams, in the routes of this scope only. Their own limits are the import's. */
export function takeLists(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([CSV, NDJSON, UNKNOWN], (_request, payload, done) => {
    done(null, payload);
  });
  scope.addContentTypeParser("*", (request, _payload, done) => {
    letPass(request);
    done(notAList(request));
  });
}

function notAList({ headers: { "content-type": type = "" } }: FastifyRequest): Problem {
  const sent = type === "" ? "has no content type" : `is ${JSON.stringify(type.slice(0, 100))}`;
  return new Problem({
    status: 415,
    code: "unsupported_media_type",
    detail: `the body ${sent}, and a list is ${CSV} or ${NDJSON}: send it as that, rows of JSON one object a line`,
  });
}

/** How to read a list. */
export const listQuery = z.strictObject({
  /** The file's name, for reports and to tell its format where nothing else does. */
  source_name: z.string().min(1).max(255).default("upload"),
  /** JSON: `phone`, `time_zone` and `region` name the columns with these roles; another key renames a column. */
  map: z
    .string()
    .max(20_000)
    .default("{}")
    .transform((text, context) => {
      const parsed = columnMap.safeParse(jsonOf(text));
      if (parsed.success) return parsed.data;
      context.addIssue({
        code: "custom",
        message: 'must be a JSON object of names, such as {"phone":"Mobile"}',
      });
      return z.NEVER;
    }),
  default_region: z.string().min(2).max(2).optional(),
  format: z.enum(["csv", "ndjson"]).optional(),
});

/** Of a list that is taken once, and gone on with where it was cut off. */
export const digestQuery = z.strictObject({
  /** What makes it the same list again, and what shows that all of it arrived. */
  digest: z
    .string()
    .regex(/^[\da-f]{64}$/i, "must be the file's SHA-256, 64 hexadecimal digits")
    .transform((digest) => digest.toLowerCase()),
});

const columnMap = z.record(z.string(), z.string());

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The format as the request names it, else as its content type says; undefined leaves it to the file. */
export function formatOf(
  request: FastifyRequest,
  stated: "csv" | "ndjson" | undefined,
): { format: "csv" | "ndjson" } | Record<string, never> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  const format = stated ?? (type === CSV ? "csv" : type === NDJSON ? "ndjson" : undefined);
  return format === undefined ? {} : { format };
}

/** The body as it arrives; leaving it early leaves the connection, so that a refusal can still be sent. */
export async function* bodyOf(request: FastifyRequest, hash?: Hash): AsyncGenerator<Uint8Array> {
  const { body } = request;
  if (!(body instanceof Readable)) {
    throw new Problem({
      status: 422,
      code: "invalid_list",
      detail: "the request has no body: send the list as its body",
    });
  }
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError("a body is bytes");
    hash?.update(chunk);
    yield chunk;
  }
}

/** How long a client may go on sending after its answer. */
const PASS_WITHIN_MS = 30_000;

/** A list that is answered early may still be on its way: what is left of it is let pass, so that the answer arrives. */
export function letPass(request: FastifyRequest): void {
  const raw: IncomingMessage = request.raw;
  if (raw.readableEnded) return;
  const timer = setTimeout(() => raw.destroy(), PASS_WITHIN_MS);
  timer.unref();
  raw.once("close", () => {
    clearTimeout(timer);
  });
  raw.resume();
}
