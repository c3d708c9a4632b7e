import { createHash } from "node:crypto";

import type { TriggerAuth } from "../../../../domain/triggers/trigger-auth.ts";
import { verifyHmac } from "./hmac.ts";
import { verifyHubSpot } from "./hubspot.ts";
import { type IncomingRequest, type Verdict, anyEqual, readHeader, refuse } from "./incoming.ts";
import { verifyStandardWebhooks } from "./standard-webhooks.ts";

export type { IncomingRequest, Verdict } from "./incoming.ts";

/**
 * Whether a request comes from who holds the trigger's secret, by the scheme that the trigger asks for. A replay
 * within the tolerance passes: that it changes nothing is the idempotency key's work (I5).
 *
 * 400 is a request that no sender of this scheme makes, such as one with a header twice; 401 is one that shows
 * nothing, or nothing that fits.
 *
 * @throws UnknownSecretError, UnusableSecretError: our own settings are wrong, which is not the sender's fault.
 */
export function verify(auth: TriggerAuth, request: IncomingRequest): Verdict {
  switch (auth.scheme) {
    case "standard_webhooks":
      return verifyStandardWebhooks(auth, request);
    case "hubspot_v3":
      return verifyHubSpot(auth, request);
    case "hmac":
      return verifyHmac(auth, request);
    case "bearer":
      return verifyBearer(auth, request);
  }
}

/** RFC 6750: the token in the Authorization header. It says who sends, not that the body is as it was sent. */
function verifyBearer(auth: Extract<TriggerAuth, { scheme: "bearer" }>, request: IncomingRequest): Verdict {
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
