import { createHmac } from "node:crypto";

import { parseDurationMs } from "../../../../domain/time/duration.ts";
import { webhookKey } from "../../../../domain/ground/secrets.ts";
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

/** A sender in rotation shows two; each costs us a comparison with each of our keys. */
const MOST_SIGNATURES = 20;

/**
 * Standard Webhooks, symmetric (`v1`): HMAC-SHA256 over id, time and body. Done here over the bytes as they came:
 * the usual library makes text of them first, and then bodies that differ look alike.
 */
export function verifyStandardWebhooks(
  auth: Extract<TriggerAuth, { scheme: "standard_webhooks" }>,
  request: IncomingRequest,
): Verdict {
  const id = readHeader(request, "webhook-id");
  if (!id.ok) return id;
  const time = readHeader(request, "webhook-timestamp");
  if (!time.ok) return time;
  const header = readHeader(request, "webhook-signature");
  if (!header.ok) return header;
  const inTime = checkTime(time.value, "webhook-timestamp", {
    unitMs: 1_000,
    toleranceMs: parseDurationMs(auth.tolerance) ?? 0,
    nowMs: request.nowMs,
  });
  if (!inTime.ok) return inTime;
  const shown = header.value.split(/ +/);
  if (shown.length > MOST_SIGNATURES) {
    return refuse(400, `header webhook-signature holds more than ${MOST_SIGNATURES} signatures`);
  }
  const given = shown.flatMap((one) => {
    const signature = one.startsWith("v1,") ? decodeSignature(one.slice(3), "base64") : undefined;
    return signature === undefined ? [] : [signature];
  });
  if (given.length === 0) {
    return refuse(401, "header webhook-signature holds no signature of the form v1,<base64>");
  }
  const expected = request.secrets.read(auth.secret).map((secret) =>
    createHmac("sha256", webhookKey(auth.secret, secret))
      // Node reads header bytes as Latin-1; the sender signed the bytes.
      .update(Buffer.from(`${id.value}.${time.value}.`, "latin1"))
      .update(request.rawBody)
      .digest(),
  );
  return anyEqual(given, expected)
    ? { ok: true }
    : refuse(
        401,
        "no signature in webhook-signature fits: check the secret, and that the body is signed as it is sent",
      );
}
