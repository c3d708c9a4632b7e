import { createHmac } from "node:crypto";

import { parseDurationMs } from "../../../../domain/time/duration.ts";
import type { TriggerAuth } from "../../../../domain/triggers/trigger-auth.ts";
import {
  anyEqual,
  checkTime,
  decodeSignature,
  readHeader,
  refuse,
  type IncomingRequest,
  type Verdict,
} from "./incoming.ts";

type HmacAuth = Extract<TriggerAuth, { scheme: "hmac" }>;

/** A plain HMAC of the body, or of time and body, in a header of the sender's choosing. */
export function verifyHmac(auth: HmacAuth, request: IncomingRequest): Verdict {
  const header = readHeader(request, auth.header);
  if (!header.ok) return header;
  if (!header.value.startsWith(auth.prefix)) {
    return refuse(401, `header ${auth.header} must begin with ${auth.prefix}`);
  }
  const signature = decodeSignature(header.value.slice(auth.prefix.length), auth.encoding);
  if (signature === undefined) {
    return refuse(401, `header ${auth.header} is not a signature in ${auth.encoding}`);
  }
  const signed = signedParts(auth, request);
  if (!signed.ok) return signed;
  const expected = request.secrets.read(auth.secret).map((secret) => {
    const hmac = createHmac(auth.algorithm, secret);
    for (const part of signed.parts) hmac.update(part);
    return hmac.digest();
  });
  return anyEqual([signature], expected)
    ? { ok: true }
    : refuse(
        401,
        `the signature in ${auth.header} does not fit: check the secret, and that the body is signed as it is sent`,
      );
}

/** What was signed, in its pieces: the body is never turned into text. */
function signedParts(
  auth: HmacAuth,
  request: IncomingRequest,
): { ok: true; parts: (string | Buffer)[] } | Exclude<Verdict, { ok: true }> {
  if (auth.timestamp === undefined) return { ok: true, parts: [request.rawBody] };
  const { header: name, unit, template, tolerance } = auth.timestamp;
  const header = readHeader(request, name);
  if (!header.ok) return header;
  const inTime = checkTime(header.value, name, {
    unitMs: unit === "seconds" ? 1_000 : 1,
    toleranceMs: parseDurationMs(tolerance) ?? 0,
    nowMs: request.nowMs,
  });
  if (!inTime.ok) return inTime;
  const parts = template
    .split(/(\{timestamp\}|\{body\})/)
    .map((part) => (part === "{timestamp}" ? header.value : part === "{body}" ? request.rawBody : part));
  return { ok: true, parts };
}
