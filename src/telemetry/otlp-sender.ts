import { gzip } from "node:zlib";
import { promisify } from "node:util";

import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { Agent, request, type Dispatcher } from "undici";

import { reasonWords } from "../domain/ground/reason-words.ts";
import type { TraceOptions } from "./trace-options.ts";
import type { Sent } from "./span-queue.ts";

/*
 * Sends spans to a receiver of OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Serialization is
 * OpenTelemetry's own; the request is ours, so that its every part has a bound.
 */

/** An answer is a few bytes; of one that goes on and on, no more than this is read. */
const MOST_ANSWER_BYTES = 64 * 1024;

/** A receiver that asks for more patience than this is given up. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

/** Statuses after which the specification lets a request be sent again. */
const LATER = new Set([429, 502, 503, 504]);

const compress = promisify(gzip);

interface OtlpSender {
  send(spans: ReadableSpan[], signal: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

export function createOtlpSender(settings: TraceOptions): OtlpSender {
  const { url, protocol, timeoutMs, headers, isCompressed } = settings;
  const [serializer, contentType] =
    protocol === "http/json"
      ? ([JsonTraceSerializer, "application/json"] as const)
      : ([ProtobufTraceSerializer, "application/x-protobuf"] as const);
  // One request is under way at a time; another connection is for the one after a request that was given up.
  const agent = new Agent({ connections: 2, pipelining: 1, connect: { timeout: timeoutMs } });

  const post = async (body: Uint8Array, signal: AbortSignal): Promise<Sent> => {
    const answer = await request(url, {
      dispatcher: agent,
      method: "POST",
      headers: {
        ...headers,
        "content-type": contentType,
        ...(isCompressed && { "content-encoding": "gzip" }),
      },
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal,
    });
    const { statusCode: status } = answer;
    const said = await beginningOf(answer.body);
    if (status >= 200 && status < 300) return { kind: "taken", rejected: rejectedOf(serializer, said) };
    const why = `HTTP status ${status}`;
    if (!LATER.has(status)) return { kind: "refused", why };
    return { kind: "later", why, waitMs: retryAfterMs(answer.headers["retry-after"]) };
  };

  return {
    async send(spans, signal) {
      try {
        const body = serializer.serializeRequest(spans);
        if (body === undefined) return { kind: "refused", why: "the spans could not be serialized" };
        return await post(isCompressed ? await compress(body) : body, signal);
      } catch (error) {
        return { kind: "later", why: reasonWords(error), waitMs: undefined };
      }
    },
    close: () => agent.destroy(),
  };
}

async function beginningOf(body: Dispatcher.ResponseData["body"]): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const piece: Buffer = chunk;
    bytes += piece.length;
    if (bytes > MOST_ANSWER_BYTES) break;
    chunks.push(piece);
  }
  return Buffer.concat(chunks);
}

/** How many spans a receiver that took the request did not take. What can't be read says nothing of any. */
function rejectedOf(
  serializer: {
    deserializeResponse(data: Uint8Array): { partialSuccess?: { rejectedSpans?: unknown } | null };
  },
  said: Uint8Array,
): number {
  if (said.length === 0) return 0;
  try {
    const rejected = Number(serializer.deserializeResponse(said).partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}

function retryAfterMs(header: string | string[] | undefined): number | undefined {
  const text = typeof header === "string" ? header : "";
  if (!/^\d{1,6}$/.test(text)) return undefined;
  return Math.min(Number(text), LONGEST_RETRY_AFTER_SECONDS) * 1_000;
}
