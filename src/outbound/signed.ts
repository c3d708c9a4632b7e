import type { NoticeSent } from "../domain/notices/sent.ts";
import { UnknownSecretError, UnusableSecretError } from "../domain/ground/secrets.ts";
import { OutboundError, OutboundRefusedError } from "./errors.ts";
import type { Outbound, OutboundAnswer } from "./outbound.ts";
import { signDelivery } from "./sign.ts";

/* A request to a receiver that is named in a definition, once. What is wrong with the receiver or a secret is an answer. */

/** One request, its answer included. */
const REQUEST_MS = 15_000;

/** Longer than a request takes: by then whoever comes takes it over. */
export const SIGNED_BUSY_MS = 60_000;

/** Of what a receiver says where it refuses, for people. */
const MOST_SAID = 200;

export interface SigningPorts {
  outbound: Outbound;
  /** Receivers are declared for every brand (ADR 69). */
  secrets: { read(name: string, actsFor: "every"): readonly string[] };
  now: () => number;
}

/** What came of it; `status` where there was an answer that refuses. */
export type SignedSent =
  | Extract<NoticeSent, { ok: true }>
  | (Extract<NoticeSent, { ok: false }> & { status?: number });

/** Signs and sends. */
export async function sendSigned(
  ports: SigningPorts,
  to: { url: string | { secret: string }; secret: string },
  message: { id: string; body: string },
): Promise<SignedSent> {
  try {
    return await post(ports, to, message);
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
      return failed(error.message);
    throw error;
  }
}

export function failed(error: string): SignedSent & { ok: false } {
  return { ok: false, error, isFinal: true, atLeastMs: undefined };
}

/** @throws UnknownSecretError, UnusableSecretError */
export async function post(
  { outbound, secrets, now }: SigningPorts,
  { url, secret }: { url: string | { secret: string }; secret?: string },
  { id, body }: { id: string; body: string },
): Promise<SignedSent> {
  const address = typeof url === "string" ? url : addressOf(secrets, url.secret);
  const signature =
    secret === undefined
      ? {}
      : signDelivery(
          { name: secret, values: secrets.read(secret, "every") },
          { id, timestampMs: now(), body },
        );
  try {
    const answer = await outbound.request({
      method: "POST",
      url: address,
      isAddressSecret: typeof url !== "string",
      headers: { "content-type": "application/json", ...signature },
      body,
      timeoutMs: REQUEST_MS,
      answerBytes: 4_096,
    });
    // What refuses often says to which address, and that is a secret here.
    const told = typeof url === "string" ? answer : { ...answer, body: wordIn(answer.body) };
    return verdictOn(new URL(address).host, told, secret);
  } catch (error) {
    if (error instanceof OutboundRefusedError) return failed(error.message);
    if (!(error instanceof OutboundError)) throw error;
    return { ok: false, error: error.message, isFinal: false, atLeastMs: undefined };
  }
}

/** @throws UnknownSecretError, UnusableSecretError where the secret is no address */
function addressOf(secrets: SigningPorts["secrets"], name: string): string {
  const [newest = ""] = secrets.read(name, "every");
  if (URL.canParse(newest) && /^https?:$/.test(new URL(newest).protocol)) return newest;
  throw new UnusableSecretError(
    name,
    `the secret ${name} is to be the address of a route, and is none: give one that begins with https:// as its value`,
  );
}

/** A word of the receiver's own, such as Slack's `invalid_token`; nothing of anything else. */
function wordIn(body: string): string {
  return /^\s*([a-z_]{1,40})\s*$/.exec(body)?.[1] ?? "";
}

/** Statuses by which a receiver says that it can't take it now. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

function verdictOn(
  host: string,
  { status, body, retryAfterMs }: OutboundAnswer,
  secret: string | undefined,
): SignedSent {
  if (status >= 200 && status < 300)
    return { ok: true, answer: `${host} answered ${status}`, trouble: undefined };
  const said = body
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, MOST_SAID);
  const isBusy = status >= 500 || BUSY.has(status);
  const signed =
    secret !== undefined && (status === 401 || status === 403)
      ? `: see that both sides have the same secret ${secret}`
      : "";
  const moved = status >= 300 && status < 400 ? ": it has moved, so give the route its new address" : "";
  return {
    ok: false,
    error: `${host} answered ${status}${said === "" ? "" : ` (${said})`}${signed}${moved}`,
    isFinal: !isBusy,
    atLeastMs: retryAfterMs,
    status,
  };
}
