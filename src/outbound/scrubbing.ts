import { randomUUID } from "node:crypto";

import { UnknownSecretError, UnusableSecretError } from "../domain/ground/secrets.ts";
import { readScrubAnswer, type ScrubAsking, type ScrubFailure } from "../domain/policy/scrubbing.ts";
import { OutboundError, OutboundRefusedError } from "./errors.ts";
import type { Outbound } from "./outbound.ts";
import { signDelivery } from "./sign.ts";

/* Asking a scrubbing service about numbers: one signed request, and what its answer, or that there was none, means. */

/** One request, its answer included: many numbers wait behind it. */
export const SCRUB_REQUEST_MS = 10_000;

/** A thousand numbers, each listed for a reason of some length. */
const MOST_ANSWER_BYTES = 524_288;

/** Of what a service says where it does not answer as it is to, for people. */
const MOST_SAID = 500;

export interface ScrubbingPorts {
  outbound: Outbound;
  /** Sources are declared by those who are for every brand (ADR 69). */
  secrets: { read(name: string, actsFor: "every"): readonly string[] };
  now: () => number;
}

/** A service as it is asked. */
export interface ScrubbingService {
  name: string;
  brand?: string | undefined;
  scrub: { url: string; secret: string };
}

/** Asks about some numbers, once. What is wrong with the service, its secret or its address is an answer, too. */
export async function askScrubbingService(
  { outbound, secrets, now }: ScrubbingPorts,
  { name, brand, scrub }: ScrubbingService,
  phones: readonly string[],
  signal?: AbortSignal,
): Promise<ScrubAsking> {
  const { host } = new URL(scrub.url);
  const timestampMs = now();
  const id = `scrub_${randomUUID()}`;
  const timestamp = new Date(timestampMs).toISOString();
  const data = { source: name, brand: brand ?? null, phones };
  const beganMs = performance.now();
  const body = JSON.stringify({ type: "numbers.scrub", timestamp, id, data });
  try {
    const secret = { name: scrub.secret, values: secrets.read(scrub.secret, "every") };
    const answer = await outbound.request({
      method: "POST",
      url: scrub.url,
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...signDelivery(secret, { id, timestampMs, body }),
      },
      body,
      timeoutMs: SCRUB_REQUEST_MS,
      answerBytes: MOST_ANSWER_BYTES,
      ...(signal && { signal }),
    });
    const { status } = answer;
    const said = answer.body.slice(0, MOST_SAID);
    if (status !== 200) return { kind: "failed", failure: refusal(host, scrub.secret, answer), status, said };
    const reading = readScrubAnswer(answer.body, phones);
    if (typeof reading !== "string") return { kind: "read", reading };
    // An answer that was cut off by time is none.
    if (performance.now() - beganMs >= SCRUB_REQUEST_MS) {
      const late = `${host} did not end its answer within ${SCRUB_REQUEST_MS / 1_000} seconds`;
      return { kind: "failed", failure: { kind: "away", text: late }, status, said };
    }
    const text = `${host} answers wrongly: ${reading}`;
    return { kind: "failed", failure: { kind: "wrong", text }, status, said };
  } catch (error) {
    return failureOf(error);
  }
}

/** Statuses by which a service says that it can't answer now. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

function refusal(
  host: string,
  secret: string,
  { status, retryAfterMs }: { status: number; retryAfterMs: number | undefined },
): ScrubFailure {
  const isBusy = status >= 500 || BUSY.has(status);
  if (isBusy) return { kind: "away", text: `${host} answered ${status}`, retryAfterMs };
  return { kind: "wrong", text: `${host} answered ${status}, and 200 is meant${causeOf(status, secret)}` };
}

function causeOf(status: number, secret: string): string {
  if (status >= 300 && status < 400) return ": it has moved, so give the source its new address";
  if (status === 401 || status === 403)
    return `: it does not take the signature (webhook-signature, Standard Webhooks, by the secret ${secret}). See that both sides have the same secret, that it verifies the body byte by byte, and that its clock is right`;
  return "";
}

/**
 * Codes of connections that fail where a service is set up rightly, and is away. All others are for people to mend: a
 * name that nobody has (ENOTFOUND), a certificate that is not fit, what is no HTTP.
 */
const PASSING: ReadonlySet<string> = new Set([
  "EAI_AGAIN",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETRESET",
  "ENETUNREACH",
  "EPIPE",
  "ETIMEDOUT",
  "UND_ERR_SOCKET",
]);

/** We ended it ourselves. */
const OURS: ReadonlySet<string> = new Set(["UND_ERR_ABORTED", "UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

function failureOf(error: unknown): ScrubAsking {
  if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
    return { kind: "failed", failure: { kind: "wrong", text: error.message } };
  if (error instanceof OutboundRefusedError)
    return { kind: "failed", failure: { kind: "wrong", text: error.message } };
  if (!(error instanceof OutboundError)) throw error;
  if (error.kind === "aborted" || error.kind === "closed") return { kind: "none" };
  if (OURS.has(error.code)) return { kind: "none" };
  const isAway = error.kind === "timeout" || PASSING.has(error.code);
  return { kind: "failed", failure: { kind: isAway ? "away" : "wrong", text: error.message } };
}
