/** Reads what came back: a status that is a success, and a body that is what the table says. */
import type { Readable } from "node:stream";
import { z } from "zod";
import { problemWords } from "../domain/ground/spec-problems.ts";
import { actionAnswer, describe } from "./decoding.ts";
import type { Received } from "./exchange.ts";
import { statusError, unexpectedResponse } from "./failures.ts";
import type { Answer } from "./operations/operation.ts";
import type { Endpoint } from "./endpoint.ts";

/** Bytes on their way: a recording. */
export interface Download {
  /** As the platform says; recordings are typically `audio/ogg`. */
  readonly contentType: string | undefined;
  /** As announced; undefined where the answer is sent in chunks. */
  readonly sizeBytes: number | undefined;
  /** As the platform proposes it, without any directory. */
  readonly filename: string | undefined;
  /** Undefined: it is whole. Of a request with the header `range`: which part it is, as RFC 9110 writes it. */
  readonly contentRange: string | undefined;
  /** Any part of it can be asked for by that header. */
  readonly takesRanges: boolean;
  /**
   * Read it to its end, or destroy it: until then it holds a connection. No more than a few chunks are in
   * memory. Fails with a `PlatformError` where the connection is lost, the signal aborted or the time used up.
   */
  readonly body: Readable;
}

/** Throws the error of an unsuccessful status. */
export async function refuseStatus(
  endpoint: Endpoint,
  received: Received,
  mask: (text: string) => string,
): Promise<void> {
  if (received.status < 300) return;
  throw statusError(endpoint, received, await readErrorText(received.body), mask);
}

/** Reads and decodes a JSON answer of at most `maxBytes`. Throws `UnexpectedResponseError`. */
export async function decode(
  endpoint: Endpoint,
  received: Received,
  maxBytes: number,
  schema: z.ZodType,
): Promise<unknown> {
  const body = await readText(received.body, maxBytes);
  if (body === undefined) throw unexpectedResponse(endpoint, received, `with more than ${maxBytes} bytes`);
  const parsed = parseJson(body);
  if (parsed === undefined) throw unexpectedResponse(endpoint, received, "not with JSON");
  const decoded = schema.safeParse(parsed.value, { error: problemWords });
  if (decoded.success) return decoded.data;
  throw unexpectedResponse(endpoint, received, `not as documented (${describe(decoded.error)})`);
}

/** The schema that an answer is read with, given what was asked about. */
export function schemaOf(answer: Answer, params: Readonly<Record<string, unknown>>): z.ZodType {
  switch (answer.kind) {
    case "object": {
      const { about, known, of } = answer;
      if (known !== undefined) return z.preprocess((value) => completed(value, known, params), of);
      if (about === undefined) return of;
      return actionAnswer
        .transform((value): unknown => ({ ...value, [about.field]: params[about.param] }))
        .pipe(of);
    }
    case "page":
    case "array":
      return answer.of;
    case "nothing":
    case "bytes":
      return actionAnswer.transform(() => undefined);
  }
}

/** An answer with what was asked about where it does not say so itself. */
function completed(
  value: unknown,
  known: Readonly<Record<string, string>>,
  params: Readonly<Record<string, unknown>>,
): unknown {
  const answered = value ?? {};
  if (typeof answered !== "object" || Array.isArray(answered)) return value;
  const asked = Object.entries(known)
    .filter(([field]) => (Reflect.get(answered, field) ?? undefined) === undefined)
    .map(([field, param]) => [field, params[param]]);
  return { ...answered, ...Object.fromEntries(asked) };
}

/** What the headers say of a download. */
export function downloadOf({ status, headers, body }: Received): Download {
  const length = headers["content-length"];
  const disposition = headers["content-disposition"];
  const quoted = /filename="([^"]*)"|filename=([^;\s]+)/i.exec(disposition ?? "");
  const filename = (quoted?.[1] ?? quoted?.[2])?.split(/[/\\]/).at(-1);
  return {
    contentType: headers["content-type"],
    sizeBytes: length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined,
    filename: filename === "" || filename === "." || filename === ".." ? undefined : filename,
    contentRange: status === 206 ? (headers["content-range"] ?? "") : undefined,
    takesRanges: headers["accept-ranges"] === "bytes",
    body,
  };
}

/**
 * The value of a JSON text, undefined for an empty one, as of a 204; nothing at all where it is not JSON.
 * The parser's own error is dropped: it quotes the text.
 */
function parseJson(text: string): { readonly value: unknown } | undefined {
  if (text === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** More than this of an error's body is not worth waiting for. */
const ERROR_BODY_MAX_BYTES = 64_000;

/**
 * Reads a body as UTF-8 (a byte order mark is dropped); undefined if it is larger than `maxBytes`, of which
 * no more is then held. Throws what the connection throws.
 */
async function readText(body: Readable, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The body of an error. Where it can't be read, the status alone has to do: it says more than a lost connection. */
async function readErrorText(body: Readable): Promise<string | undefined> {
  try {
    return await readText(body, ERROR_BODY_MAX_BYTES);
  } catch {
    return undefined;
  }
}
