import { createHmac } from "node:crypto";

import type { TriggerAuth } from "../../../../src/domain/triggers/trigger-auth.ts";
import { triggerAuthSchema } from "../../../../src/domain/triggers/trigger-auth.ts";
import type { IncomingRequest } from "../../../../src/http/routes/triggers/signatures/verify.ts";

export const NOW_MS = 1_800_000_000_123;

/** Bytes that are no text, keys in an order that a parser keeps, blanks that it does not. */
export const BODY = Buffer.concat([
  Buffer.from('{"b": 1,  "a": "Zoë '),
  Buffer.from([0xff]),
  Buffer.from('"}'),
]);

/** The same to a parser that is not careful: what is no UTF-8 becomes the same letter. */
export const LOOKS_THE_SAME = Buffer.from(BODY.toString("utf8"));

export type Headers = readonly (readonly [name: string, value: string])[];

/** One scheme as a sender speaks it, written a second time: only `node:crypto` is shared with what is tested. */
export interface Sender {
  name: string;
  auth: TriggerAuth;
  /** The header that carries the proof, and the one that carries the time. */
  proof: string;
  time?: string;
  /** Absent: the time is not limited. */
  toleranceMs?: number;
  /** Whether the body is part of the proof. */
  signsBody: boolean;
  sign: (secrets: readonly string[], body: Buffer, atMs: number) => Headers;
}

const CALLED = { method: "POST", url: "/v1/triggers/crm?portal=1%2C2&x=%20" };
const PUBLIC_URL = "https://hooks.example.com/outdial/crm";

const hmac = (algorithm: string, secret: string | Buffer, ...parts: (string | Buffer)[]) =>
  createHmac(algorithm, secret).update(Buffer.concat(parts.map((part) => Buffer.from(part))));

const keyOf = (secret: string) =>
  secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);

const auth = (value: unknown) => triggerAuthSchema.parse(value);

export const SENDERS: readonly Sender[] = [
  {
    name: "Standard Webhooks",
    auth: auth({ scheme: "standard_webhooks", secret: "crm" }),
    proof: "webhook-signature",
    time: "webhook-timestamp",
    toleranceMs: 300_000,
    signsBody: true,
    sign: (secrets, body, atMs) => {
      const seconds = String(Math.floor(atMs / 1_000));
      const signatures = secrets.map(
        (secret) => `v1,${hmac("sha256", keyOf(secret), `msg_1.${seconds}.`, body).digest("base64")}`,
      );
      return [
        ["webhook-id", "msg_1"],
        ["webhook-timestamp", seconds],
        ["webhook-signature", signatures.join(" ")],
      ];
    },
  },
  {
    name: "HubSpot",
    auth: auth({ scheme: "hubspot_v3", secret: "crm", public_url: PUBLIC_URL }),
    proof: "X-HubSpot-Signature-v3",
    time: "X-HubSpot-Request-Timestamp",
    toleranceMs: 300_000,
    signsBody: true,
    sign: ([secret = ""], body, atMs) => {
      const address = `${PUBLIC_URL}?portal=1,2&x=%20`;
      return [
        ["X-HubSpot-Request-Timestamp", String(atMs)],
        [
          "X-HubSpot-Signature-v3",
          hmac("sha256", secret, "POST", address, body, String(atMs)).digest("base64"),
        ],
      ];
    },
  },
  {
    name: "an HMAC of the body",
    auth: auth({ scheme: "hmac", secret: "crm", header: "X-Hub-Signature-256", prefix: "sha256=" }),
    proof: "X-Hub-Signature-256",
    signsBody: true,
    sign: ([secret = ""], body) => [
      ["X-Hub-Signature-256", `sha256=${hmac("sha256", secret, body).digest("hex")}`],
    ],
  },
  {
    name: "an HMAC of time and body",
    auth: auth({
      scheme: "hmac",
      secret: "crm",
      header: "X-Signature",
      algorithm: "sha512",
      encoding: "base64",
      prefix: "v0=",
      timestamp: {
        header: "X-Time",
        unit: "milliseconds",
        template: "v0:{timestamp}:{body}!",
        tolerance: "1m",
      },
    }),
    proof: "X-Signature",
    time: "X-Time",
    toleranceMs: 60_000,
    signsBody: true,
    sign: ([secret = ""], body, atMs) => [
      ["X-Time", String(atMs)],
      ["X-Signature", `v0=${hmac("sha512", secret, `v0:${atMs}:`, body, "!").digest("base64")}`],
    ],
  },
  {
    name: "a bearer token",
    auth: auth({ scheme: "bearer", secret: "crm" }),
    proof: "Authorization",
    signsBody: false,
    sign: ([secret = ""]) => [["Authorization", `Bearer ${secret}`]],
  },
];

/** A request as it arrives here. */
export function request(
  headers: Headers,
  more: Partial<IncomingRequest> & { values?: readonly string[] } = {},
): IncomingRequest {
  const { values = ["the secret"], ...rest } = more;
  return {
    ...CALLED,
    rawHeaders: [["Host", "10.0.0.5:8480"] as const, ...headers].flat(),
    rawBody: BODY,
    secrets: { read: () => values },
    nowMs: NOW_MS,
    ...rest,
  };
}
