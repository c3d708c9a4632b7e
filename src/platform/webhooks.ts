/**
 * Webhooks of the platform, verified and read.
 *
 * How the platform signs them is not in its contract. What is understood is Standard Webhooks
 * (https://www.standardwebhooks.com): `webhook-id`, `webhook-timestamp` and `webhook-signature`, HMAC-SHA256 over the
 * three with the body as it arrived.
 *
 * W1 Nothing of a body is read before its signature fits.
 * W2 Signatures are compared in a time that tells nothing of them.
 * W3 What was signed long ago, or in the future, is not taken: it may be sent again by whoever listened.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { z } from "zod";
import { id, record, text } from "./decoding.ts";
import { call } from "./operations/calls.ts";

/** Why a webhook is not one of the platform's. */
export type WebhookProblem = "unsigned" | "wrong_signature" | "wrong_time" | "unreadable";

/** A delivery that must not be acted on: answer it with 401, or 400 where it is unreadable. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const event = record(
  { event: ["type", "event_type"] },
  {
    event: text,
    call_id: id,
    agent_id: text,
    organization_id: text,
    timestamp: text,
    call: call
      .nullish()
      .transform((value) => value ?? undefined)
      .catch(undefined),
  },
);

/** What a call webhook tells: `event` is `call_started`, `call_ended` and the like. It may be late, twice or out of order. */
export type WebhookEvent = z.output<typeof event> & {
  /** The same in each delivery of one event: by it a second one is recognised. */
  readonly deliveryId: string;
};

/** A request's headers: of `node:http`, of `fetch`, or a plain object by lower-case names. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** As the platform shows it, `whsec_` before it or not; several while one is rotated. */
  readonly secret: string | readonly string[];
  /** How far `webhook-timestamp` may be from now. Default 5 minutes. */
  readonly toleranceSeconds?: number | undefined;
  /** Unix milliseconds. Default: now. */
  readonly nowMs?: number | undefined;
}

const TOLERANCE_SECONDS = 300;

/** More than any event takes; a body of which this is said to be is not hashed. */
const LARGEST_BODY_BYTES = 1_000_000;

/**
 * Verifies a webhook and reads it. `body` is what arrived, byte by byte, not what a parser made of it.
 *
 * @throws WebhookError where it is not proved to be the platform's
 * @throws TypeError for a secret or a tolerance that is none
 */
export function readWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  { secret, toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: WebhookOptions,
): WebhookEvent {
  const keys = [secret].flat().map(keyOf);
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0)
    throw new TypeError("toleranceSeconds must be a number of seconds from 0: nothing would be too old");
  const [deliveryId, sentAt, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (name) => headerOf(headers, name),
  );
  if (deliveryId === undefined || sentAt === undefined || signatures === undefined)
    throw new WebhookError("unsigned", "the webhook has no signature (webhook-id, -timestamp, -signature)");
  const bytes = Buffer.from(body);
  if (bytes.byteLength > LARGEST_BODY_BYTES)
    throw new WebhookError("unreadable", `the webhook has more than ${LARGEST_BODY_BYTES} bytes`);
  const awaySeconds = Math.abs(nowMs / 1_000 - Number(sentAt));
  if (!/^\d{1,12}$/.test(sentAt) || awaySeconds > toleranceSeconds)
    throw new WebhookError("wrong_time", `the webhook was not signed within ${toleranceSeconds} s of now`);
  const signed = Buffer.concat([Buffer.from(`${deliveryId}.${sentAt}.`), bytes]);
  if (!fits(signatures, keys, signed))
    throw new WebhookError("wrong_signature", "the webhook's signature does not fit the secret");
  return { ...read(bytes), deliveryId };
}

function fits(signatures: string, keys: readonly Buffer[], signed: Buffer): boolean {
  const given = signatures
    .split(" ")
    .flatMap((one) => (one.startsWith("v1,") ? [Buffer.from(one.slice("v1,".length), "base64")] : []));
  const right = keys.map((key) => createHmac("sha256", key).update(signed).digest());
  return right.some((one) =>
    given.some((other) => one.length === other.length && timingSafeEqual(one, other)),
  );
}

function read(bytes: Buffer): z.output<typeof event> {
  try {
    return event.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    // Without the parser's error, which quotes the body.
    throw new WebhookError("unreadable", "the webhook is no event of a call: it must be JSON with a call_id");
  }
}

/** What Standard Webhooks ask of a secret. */
const KEY_BYTES = { least: 24, most: 64 };

function keyOf(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, "");
  const key = Buffer.from(text, "base64");
  const isKey = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
  if (!isKey || key.length < KEY_BYTES.least || key.length > KEY_BYTES.most)
    throw new TypeError("the secret of a webhook must be 24 to 64 bytes in base64, whsec_ before it or not");
  return key;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = typeof headers.get === "function" ? headers.get(name) : Reflect.get(headers, name);
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === "string" && one !== "" ? one : undefined;
}
