import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import { fieldKeyOf, type Sent } from "../../../domain/triggers/trigger-mapping.ts";
import type { TriggerDefinition } from "../../../domain/triggers/trigger.ts";

/** Kept as it came, for people to compare; anything else by its digest. */
const PLAIN = /^[\x21-\x7e]{1,150}$/;

/** Headers by which senders tell that it is the same again: Standard Webhooks, and the IETF's draft. */
const USUAL_HEADERS = ["webhook-id", "idempotency-key"] as const;

/**
 * What makes a delivery the same again: the trigger's own field or header, else the usual headers, else the body.
 * Where the named one is missing the body decides, and what is made of the delivery says so.
 */
export function deliveryKey(
  definition: TriggerDefinition,
  headers: IncomingHttpHeaders,
  sent: Sent,
  digest: string,
): string {
  const { idempotency } = definition;
  const field = fieldKeyOf(definition, sent);
  if (field !== undefined) return named("field", field);
  const wanted = idempotency?.header === undefined ? USUAL_HEADERS : [idempotency.header];
  if (idempotency?.field === undefined || definition.each !== undefined) {
    for (const name of wanted) {
      const value = headers[name];
      if (typeof value === "string" && value.trim() !== "") return named(name, value.trim());
    }
  }
  return `body:${digest}`;
}

/**
 * Whether the sender promised with the key that the same request comes again or none (the IETF's draft): a key of a
 * webhook is of its event, whose body may be written anew for each try.
 */
export function isOfRequest(key: string): boolean {
  return key.startsWith("idempotency-key:");
}

/** By where it comes from: an id in a header is never taken for the same text in a field. */
function named(from: string, value: string): string {
  return PLAIN.test(value)
    ? `${from}:${value}`
    : `${from}:sha256:${createHash("sha256").update(value).digest("hex")}`;
}
