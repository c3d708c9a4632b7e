import type { IncomingHttpHeaders } from "node:http";

import { isSecretHeader } from "../../../domain/ground/secret-signs.ts";
import type { BodyType } from "../../../domain/triggers/sent-body.ts";
import type { TriggerAuth } from "../../../domain/triggers/trigger-auth.ts";
import { Problem } from "../../problem.ts";

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/;
const FORM_TYPE = "application/x-www-form-urlencoded";

/** How a body is to be read. @throws Problem 415 where it is neither JSON nor a form. */
export function bodyTypeOf(headers: IncomingHttpHeaders): BodyType {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  const encoding = headers["content-encoding"] ?? "identity";
  const word = type.trim().toLowerCase();
  if (encoding === "identity" && JSON_TYPE.test(word)) return "json";
  if (encoding === "identity" && word === FORM_TYPE) return "form";
  throw new Problem({
    status: 415,
    code: "unsupported_media_type",
    detail: `a trigger takes application/json or ${FORM_TYPE}, without a content encoding`,
  });
}

/** JSON is UTF-8 (RFC 8259 section 8.1), and so are forms. @throws Problem 400 where it is not. */
export function readText(rawBody: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(rawBody);
  } catch {
    throw new Problem({ status: 400, code: "invalid_request", detail: "the body is not UTF-8" });
  }
}

/** The headers that expressions may see: without what proves who sent it, in whatever words, which is never kept. */
export function keptHeaders(headers: IncomingHttpHeaders, auth: TriggerAuth): Record<string, string> {
  const proof = auth.scheme === "hmac" ? auth.header.toLowerCase() : "";
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name === proof || isSecretHeader(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
    ),
  );
}
