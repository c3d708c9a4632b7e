import type { FastifyInstance, FastifyRequest } from "fastify";

import { actorName, type Caller } from "../../domain/ground/access.ts";
import {
  answerRequest,
  claimRequest,
  releaseRequest,
  requestDigest,
  RequestReusedError,
} from "../../ledger/ground/request-keys.ts";
import type { HttpDeps } from "../deps.ts";
import { letPass } from "../list-upload.ts";
import { Problem } from "../problem.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * `own`: what makes a request of this route the same again is its own affair, or it is carried out however often
     * it comes. `list`: its body is a list whose digest stands in the query; sent again it goes on where it was cut off.
     */
    requestKey?: "own" | "list";
  }
}

const CHANGES: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** A longer answer is not kept: the same request again is carried out again, which each of them bears. */
const LARGEST_KEPT_CHARS = 64 * 1024;

/** How soon to ask again for what somebody has in hand. */
const RETRY_AFTER_SECONDS = "5";

interface Claim {
  key: string;
  keepsAnswer: boolean;
}

/** Lists of which something is in the ledger. */
const begunLists = new WeakSet<FastifyRequest>();

/** Of a list of which rows were taken: its key stands for it from now on, even where the rest of it is refused. */
export function keepKey(request: FastifyRequest): void {
  begunLists.add(request);
}

/**
 * The header `Idempotency-Key`, for every request that changes something: the same request again gets the answer that
 * there was, another one under its key is refused. Keys are told apart by the address that they are shown to. A
 * request without one costs nothing.
 */
export function heedKeys(app: FastifyInstance, deps: Pick<HttpDeps, "ledger" | "now" | "log">): void {
  const claims = new WeakMap<FastifyRequest, Claim>();
  app.addHook("preHandler", async (request, reply) => {
    const { requestKey, authenticatesItself } = request.routeOptions.config;
    if (!CHANGES.has(request.method) || requestKey === "own" || authenticatesItself) return;
    const given = idempotencyKeyOf(request);
    if (given === undefined) return;
    const isList = requestKey === "list";
    if (isList) requireDigest(request);
    const key = `${request.method} ${pathOf(request)} ${whoseKeys(request.caller)}${given}`;
    const { "if-match": ifMatch } = request.headers;
    const digest = requestDigest({
      query: request.query,
      body: isList ? null : (request.body ?? null),
      // Only where something else stands is another request than that it stands.
      ...(ifMatch !== undefined && request.routeOptions.config.etag === "heeded" && { if_match: ifMatch }),
    });
    const claimed = await claimRequest(deps.ledger.db, { key, digest, nowMs: deps.now() });
    if (claimed.kind === "other") {
      if (isList) letPass(request);
      throw new RequestReusedError(given, isList ? "list" : "request");
    }
    if (claimed.kind === "fresh") {
      claims.set(request, { key, keepsAnswer: !isList });
      return;
    }
    // A list is the same by its digest, wherever it was cut off.
    if (isList) return;
    if (claimed.kind === "under_way") {
      reply.header("retry-after", RETRY_AFTER_SECONDS);
      throw underWay(given);
    }
    if (!claimed.answer) return;
    const { status, text } = claimed.answer;
    // Bytes are sent as they are.
    return reply
      .code(status)
      .header("idempotency-replayed", "true")
      .type("application/json; charset=utf-8")
      .send(Buffer.from(text));
  });
  app.addHook("onSend", async (request, { statusCode: status }, payload) => {
    const claim = claims.get(request);
    if (!claim) return;
    claims.delete(request);
    const isKept = claim.keepsAnswer && typeof payload === "string" && payload.length <= LARGEST_KEPT_CHARS;
    try {
      if (status >= 300 && !begunLists.has(request)) await releaseRequest(deps.ledger.db, claim.key);
      else await answerRequest(deps.ledger.db, claim.key, { status, text: isKept ? payload : undefined });
    } catch (error) {
      // What was asked for is done: its answer is not held back for a note of it.
      deps.log.warn({ error }, "the answer to a request with a key could not be kept");
    }
  });
}

/** @throws Problem 422: without it nobody could tell another list before its rows are taken */
function requireDigest(request: FastifyRequest): void {
  const { query } = request;
  if (typeof query === "object" && query !== null && "digest" in query && query.digest !== undefined) return;
  letPass(request);
  const message = "is needed with an Idempotency-Key: the SHA-256 of the list, 64 hexadecimal digits";
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: `digest: ${message}. Nothing of the list was taken`,
    errors: [{ field: "digest", message }],
  });
}

function underWay(key: string): Problem {
  return new Problem({
    status: 409,
    code: "request_under_way",
    detail: `the same request is under way under the key ${JSON.stringify(key)}: ask again in a moment`,
  });
}

/** An answer is told again to whom it was told: another caller under the same key is another request. */
function whoseKeys(caller: Caller | null): string {
  return caller === null || caller.kind === "system"
    ? ""
    : `${actorName({ kind: caller.kind, name: caller.name }, undefined)} `;
}

function pathOf({ url }: FastifyRequest): string {
  return url.replace(/\?.*$/s, "");
}

/** The header's value. @throws Problem 422 where it can't be a key. */
function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers["idempotency-key"];
  if (header === undefined) return undefined;
  if (typeof header === "string" && /^[\x20-\x7e]{1,200}$/.test(header)) return header;
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: "the header Idempotency-Key must be 1 to 200 printable ASCII characters, once",
  });
}

/** The key of a request that may name it in its body, too. @throws Problem 422 where both say different things. */
export function requestKeyOf(request: FastifyRequest, given: string | undefined): string | undefined {
  const header = idempotencyKeyOf(request);
  if (header === undefined || given === undefined || header === given) return header ?? given;
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: "the header Idempotency-Key and the field request_key differ: give one of them",
  });
}
