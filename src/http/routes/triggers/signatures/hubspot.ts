import { createHmac } from "node:crypto";

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

const SIGNATURE = "X-HubSpot-Signature-v3";
const TIMESTAMP = "X-HubSpot-Request-Timestamp";

/** HubSpot's own figure; older requests must be rejected, and a time that far ahead is no better. */
const TOLERANCE_MS = 300_000;

/**
 * HubSpot's request signature, version 3: base64 of HMAC-SHA256, under the app's client secret, over method,
 * address, body and time, with nothing between them. The address is the one that HubSpot called: `public_url`
 * and the query of the request.
 */
export function verifyHubSpot(
  auth: Extract<TriggerAuth, { scheme: "hubspot_v3" }>,
  request: IncomingRequest,
): Verdict {
  const header = readHeader(request, SIGNATURE);
  if (!header.ok) return header;
  const time = readHeader(request, TIMESTAMP);
  if (!time.ok) return time;
  const inTime = checkTime(time.value, TIMESTAMP, {
    unitMs: 1,
    toleranceMs: TOLERANCE_MS,
    nowMs: request.nowMs,
  });
  if (!inTime.ok) return inTime;
  const signature = decodeSignature(header.value, "base64");
  if (signature === undefined) return refuse(401, `header ${SIGNATURE} is not base64`);
  const asCalled = auth.public_url + queryOf(request.url);
  // The documentation decodes, HubSpot's own libraries do not: both are the same address.
  const addresses = new Set([decodeAddress(asCalled), asCalled]);
  const expected = request.secrets
    .read(auth.secret)
    .flatMap((secret) =>
      [...addresses].map((address) =>
        createHmac("sha256", secret)
          .update(request.method.toUpperCase())
          .update(address)
          .update(request.rawBody)
          .update(time.value)
          .digest(),
      ),
    );
  return anyEqual([signature], expected)
    ? { ok: true }
    : refuse(
        401,
        `the signature in ${SIGNATURE} does not fit: check the client secret, and that public_url is the address as HubSpot has it, to the letter`,
      );
}

function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start);
}

/** What HubSpot's documentation says to decode, and nothing else: `: / ? @ ! $ ' ( ) * , ;`. */
function decodeAddress(address: string): string {
  return address.replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
