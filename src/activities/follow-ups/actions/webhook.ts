import type { SpecOf } from "../../../domain/follow-ups/actions.ts";
import { UnknownSecretError, UnusableSecretError } from "../../../domain/ground/secrets.ts";
import { keyOf, type Action } from "../../../ledger/follow-ups/actions.ts";
import { OutboundError, OutboundRefusedError } from "../../../outbound/errors.ts";
import type { OutboundAnswer } from "../../../outbound/outbound.ts";
import { redactUrl } from "../../../outbound/redaction.ts";
import { signDelivery } from "../../../outbound/sign.ts";
import type { ActivityDeps } from "../../deps.ts";
import { keptHeaders, keptText } from "../../ground/records.ts";
import type { Step } from "./step.ts";
import { claimTry, type TryOutcome } from "../../../ledger/follow-ups/action-tries.ts";

type WebhookSpec = SpecOf<"webhook">;

/** Beyond the time that a delivery may take, before another may take its place. */
const CLAIM_MARGIN_MS = 5_000;

/** The receiver says that the address is gone for good. */
const GONE = 410;

/**
 * Delivers a message after Standard Webhooks: the same id and body in every try, a signature and time of its own.
 * 2xx is done. 410, and what the rule gives up on, ends it; everything else is tried again, refusals included, since
 * receivers get mended. An answer that is lost is a failed try: the receiver knows the next one by its id.
 *
 * @returns undefined where somebody else has it in hands.
 */
export async function deliverWebhook(
  deps: ActivityDeps,
  action: Action,
  spec: WebhookSpec,
): Promise<Step | undefined> {
  const nowMs = deps.now();
  if (action.sentAtMs !== undefined) {
    const busyMs = action.sentAtMs + spec.timeoutMs + CLAIM_MARGIN_MS - nowMs;
    if (busyMs > 0) return { action, outcome: { kind: "pending", waitMs: busyMs } };
  }
  const message = messageOf(deps, action, spec, nowMs);
  if (!message.ok) {
    if (!(await claimTry(deps.ledger.db, action, nowMs))) return undefined;
    return claimed(action, nowMs, { kind: "failed_try", error: message.error });
  }
  if (!(await claimTry(deps.ledger.db, action, nowMs))) return undefined;
  return claimed(action, nowMs, await deliver(deps, spec, message));
}

function claimed(action: Action, nowMs: number, outcome: TryOutcome): Step {
  return { action: { ...action, tries: action.tries + 1, sentAtMs: nowMs }, outcome };
}

interface Message {
  ok: true;
  url: string;
  body: string;
  headers: Record<string, string>;
  /** Names of headers whose values are secrets, and those values. */
  secretHeaders: Set<string>;
  secrets: string[];
}

function messageOf(
  deps: ActivityDeps,
  action: Action,
  spec: WebhookSpec,
  nowMs: number,
): Message | { ok: false; error: string } {
  const id = keyOf(action);
  const body = JSON.stringify({
    type: spec.type,
    // Of what happened, not of the try: the body is the same in every one.
    timestamp: new Date(action.createdAtMs).toISOString(),
    id,
    subject: spec.subject,
    data: spec.data,
  });
  try {
    const secretHeaders = new Set<string>();
    const secrets: string[] = [];
    const url = addressOf(deps, spec);
    if (url !== spec.url) secrets.push(url);
    const own: Record<string, string> = {};
    for (const [name, value] of Object.entries(spec.headers)) {
      if (typeof value === "string") {
        own[name] = value;
        continue;
      }
      const [newest = ""] = deps.secrets.read(value.secret, brandsOf(spec));
      own[name] = newest;
      secretHeaders.add(name);
      secrets.push(newest);
    }
    return {
      ok: true,
      url,
      body,
      headers: { ...own, "content-type": "application/json", ...signatureOf(deps, spec, id, body, nowMs) },
      secretHeaders,
      secrets,
    };
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
      return { ok: false, error: error.message };
    throw error;
  }
}

/** Whose rule or step it is; one that does not say it gets the secrets of every brand alone. */
function brandsOf({ brand }: WebhookSpec): readonly string[] {
  return brand === undefined ? [] : [brand];
}

/** @throws UnknownSecretError, UnusableSecretError where a secret is to be the address, and is none */
function addressOf(deps: ActivityDeps, spec: WebhookSpec): string {
  const { url } = spec;
  if (typeof url === "string") return url;
  const [newest = ""] = deps.secrets.read(url.secret, brandsOf(spec));
  if (URL.canParse(newest) && /^https?:$/.test(new URL(newest).protocol)) return newest;
  throw new UnusableSecretError(
    url.secret,
    `the secret ${url.secret} is to be the webhook's address, and is none: give one that begins with https:// as its value`,
  );
}

function signatureOf(
  deps: ActivityDeps,
  spec: WebhookSpec,
  id: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  if (spec.secret === undefined) {
    return { "webhook-id": id, "webhook-timestamp": String(Math.floor(nowMs / 1_000)) };
  }
  const values = deps.secrets.read(spec.secret, brandsOf(spec));
  return { ...signDelivery({ name: spec.secret, values }, { id, timestampMs: nowMs, body }) };
}

async function deliver(deps: ActivityDeps, spec: WebhookSpec, message: Message): Promise<TryOutcome> {
  const { url, headers, body, secrets } = message;
  const request = {
    method: "POST",
    // Of an address by a name only its host.
    url: typeof spec.url === "string" ? redactUrl(url) : `${new URL(url).origin}/...`,
    headers: keptHeaders(headers, message.secretHeaders),
    body: keptText(body, secrets),
  };
  try {
    const answer = await deps.outbound.request({
      method: "POST",
      url,
      isAddressSecret: typeof spec.url !== "string",
      headers,
      body,
      timeoutMs: spec.timeoutMs,
    });
    const kept = { status: answer.status, body: keptText(answer.body, secrets) };
    return { request, answer: kept, ...verdictOn(spec, new URL(url).host, answer) };
  } catch (error) {
    if (error instanceof OutboundRefusedError) return { kind: "refused", request, error: error.message };
    if (!(error instanceof OutboundError)) throw error;
    return { kind: "failed_try", request, answer: { error: error.code }, error: error.message };
  }
}

function verdictOn(
  spec: WebhookSpec,
  host: string,
  { status, retryAfterMs }: OutboundAnswer,
):
  | { kind: "done" }
  | { kind: "refused"; error: string }
  | { kind: "failed_try"; error: string; atLeastMs?: number } {
  if (status >= 200 && status < 300) return { kind: "done" };
  if (status === GONE)
    return {
      kind: "refused",
      error: `${host} answered 410, gone for good: change the rule's url, or take it out`,
    };
  if (spec.finalStatuses.includes(status))
    return { kind: "refused", error: `${host} answered ${status}, at which the rule gives up` };
  const moved = status >= 300 && status < 400 ? ": it has moved, so put its new address into the rule" : "";
  return {
    kind: "failed_try",
    error: `${host} answered ${status}${moved}`,
    ...(retryAfterMs !== undefined && { atLeastMs: retryAfterMs }),
  };
}
