import { Webhook } from "standardwebhooks";

import { webhookKey } from "../domain/ground/secrets.ts";

interface Delivery {
  /** The same for every try of one delivery: receivers tell repetitions by it. */
  id: string;
  /** Of this try; receivers refuse old ones. Unix milliseconds. */
  timestampMs: number;
  body: string;
}

export type SignatureHeaders = Readonly<
  Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>
>;

/**
 * The headers of a signed delivery after Standard Webhooks. Every value of the secret signs, newest first, so
 * that a receiver that has only the old one during a rotation still accepts it.
 *
 * @throws UnusableSecretError where a value is neither `whsec_` with base64 nor plain text.
 */
export function signDelivery(
  secret: { readonly name: string; readonly values: readonly string[] },
  delivery: Delivery,
): SignatureHeaders {
  const seconds = Math.floor(delivery.timestampMs / 1_000);
  const signatures = secret.values.map((value) =>
    new Webhook(webhookKey(secret.name, value), { format: "raw" }).sign(
      delivery.id,
      new Date(seconds * 1_000),
      delivery.body,
    ),
  );
  return {
    "webhook-id": delivery.id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
