import { createHash } from "node:crypto";

import type { TriggerAuth } from "../../../../domain/triggers/trigger-auth.ts";
import { anyEqual, readHeader, refuse, type IncomingRequest, type Verdict } from "./incoming.ts";

/** RFC 6750: the token in the Authorization header. It says who sends, not that the body is as it was sent. */
export function verifyBearer(
  auth: Extract<TriggerAuth, { scheme: "bearer" }>,
  request: IncomingRequest,
): Verdict {
  const header = readHeader(request, "Authorization");
  if (!header.ok) return header;
  const token = /^bearer +([^\s]+)$/i.exec(header.value)?.[1];
  if (token === undefined) return refuse(401, "header Authorization must be: Bearer <token>");
  const expected = request.secrets.read(auth.secret).map(digest);
  return anyEqual([digest(token)], expected)
    ? { ok: true }
    : refuse(401, "the bearer token is not this trigger's");
}

/** Compared by digest, so that not even the length of the secret shows. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}
