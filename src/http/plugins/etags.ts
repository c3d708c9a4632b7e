import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { withoutSecrets } from "../../domain/ground/literal-secrets.ts";
import { digestOf } from "../../ledger/ground/digest.ts";
import type { RequireSeen } from "../../ledger/ground/require-seen.ts";
import { Problem } from "../problem.ts";

/*
 * Entity tags (RFC 9110, 8.8.3), where somebody reads what somebody else may replace meanwhile. A tag has two halves:
 *
 *     "<what an edit replaces>-<the whole answer>"
 *
 * 1. The whole tag changes with every byte of the answer, so that `If-None-Match` is answered with 304 only where
 *    nothing is different: a campaign's counts are no less of it than its document.
 * 2. `If-Match` is held against the first half alone: who edits a document must not be refused since a call ended
 *    meanwhile, and must be where the document is another one. It is compared in the transaction that writes.
 */

declare module "fastify" {
  interface FastifyContextConfig {
    /** `shown`: what it answers has a tag. `heeded`: it replaces what has one, and heeds `If-Match`. */
    etag?: "shown" | "heeded";
  }
}

const shown = new WeakMap<FastifyRequest, string>();

/** Of a route whose answer has a tag: what an edit of it replaces. Undefined: nothing any more, and there is no tag. */
export function showsEdited(request: FastifyRequest, edited: unknown): void {
  if (edited !== undefined) shown.set(request, tagHalf(edited));
}

/** What `showsEdited` made of it, for whoever is sent the same answer. */
export function editedShown(request: FastifyRequest): string | undefined {
  return shown.get(request);
}

/** As `showsEdited`, of an answer that was made for somebody else. */
export function showsEditedHalf(request: FastifyRequest, half: string): void {
  shown.set(request, half);
}

/** Tags answers whose routes say what an edit of them replaces, and answers 304 to whoever has the same already. */
export function tagAnswers(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const edited = shown.get(request);
    if (edited === undefined || reply.statusCode !== 200 || typeof payload !== "string") return payload;
    const tag = `"${edited}-${halfOf(createHash("sha256").update(payload).digest("hex"))}"`;
    // Kept by nobody but who asked, and by them not believed unasked: it is about people, and who they are may change.
    reply.header("etag", tag).header("cache-control", "private, no-cache");
    const { "if-none-match": known } = request.headers;
    if (known === undefined || !names(tagsIn(known, "If-None-Match"), tag)) return payload;
    reply.code(304).removeHeader("content-type").removeHeader("content-length");
    return null;
  });
}

/**
 * Holds what stands in the ledger against `If-Match`; undefined where the request has none.
 *
 * @throws Problem 422 where the header is none; what it returns, 412 where another stands there
 */
export function requiredBy(request: FastifyRequest, what: string): RequireSeen | undefined {
  const { "if-match": given } = request.headers;
  if (given === undefined) return undefined;
  const tags = tagsIn(given, "If-Match");
  return (before) => {
    if (before === undefined) throw preconditionFailed(`there is no ${what}`, undefined);
    const half = tagHalf(before);
    if (tags === "*" || tags.some((tag) => editedHalf(tag) === half)) return;
    throw preconditionFailed(`${what} is another than the one that If-Match names`, before);
  };
}

function preconditionFailed(why: string, before: unknown): Problem {
  return new Problem({
    status: 412,
    code: "precondition_failed",
    detail: `${why}, and nothing was changed: look at what is there now (\`current\`), and decide anew; its tag is \`etag\``,
    extra: {
      etag: before === undefined ? null : `"${tagHalf(before)}"`,
      current: before === undefined ? null : withoutSecrets(before),
    },
  });
}

/** 96 bits: two documents that have the same are none that somebody meets. */
const HALF_CHARS = 24;

function halfOf(digest: string): string {
  return digest.slice(0, HALF_CHARS);
}

function tagHalf(edited: unknown): string {
  return halfOf(digestOf(edited));
}

function editedHalf(tag: string): string {
  return tag.slice(1, -1).replace(/-.*$/s, "");
}

/** The most that one request is compared with: a client has one, or a few. */
const MOST_TAGS = 20;

/**
 * Tags without the `W/` that proxies put before them when they compress. None of ours has a comma in it.
 *
 * @throws Problem 422 where there are none
 */
function tagsIn(header: string, name: string): "*" | string[] {
  if (header.trim() === "*") return "*";
  const tags = header
    .split(",")
    .map((part) => part.trim().replace(/^W\//, ""))
    .filter((part) => part !== "");
  const areTags = tags.length > 0 && tags.every((tag) => /^"[^"]*"$/.test(tag));
  if (areTags && tags.length <= MOST_TAGS) return tags;
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: `the header ${name} must be \`*\`, or up to ${MOST_TAGS} entity tags in double quotes as \`ETag\` gave them, with commas between`,
  });
}

function names(tags: "*" | readonly string[], tag: string): boolean {
  return tags === "*" || tags.includes(tag);
}
