import { randomUUID } from "node:crypto";

import type { ActivityDeps } from "../../activities/deps.ts";
import { UnknownSecretError, UnusableSecretError } from "../../domain/ground/secrets.ts";
import {
  MOST_ASKED,
  readScrubAnswer,
  type ScrubFailure,
  type ScrubReading,
} from "../../domain/policy/scrubbing.ts";
import { tellCampaigns } from "../../ledger/campaigns/blacking-out.ts";
import { stopBatchesDialing } from "../../ledger/campaigns/batches.ts";
import { dueByAnswer, listScrubbed, numbersToAsk } from "../../ledger/campaigns/scrubbing.ts";
import { readSwitches } from "../../ledger/ground/installation.ts";
import {
  claimScrubber,
  forgetAnswers,
  listAskable,
  recordAnswers,
  recordScrubFailure,
  releaseScrubber,
  type AskedSource,
} from "../../ledger/ground/scrub-answers.ts";
import { OutboundError, OutboundRefusedError } from "../../outbound/errors.ts";
import { signDelivery } from "../../outbound/sign.ts";

/*
 * Asks scrubbing services about numbers that are called next, many in one request, ahead of planning. A request that is
 * repeated, or made by two, costs what the service asks for it and changes nothing else.
 */

/** One request, its answer included. */
const TIMEOUT_MS = 30_000;

/** A thousand numbers, each listed for a reason of some length. */
const MOST_ANSWER_BYTES = 524_288;

/** Beyond a request, before somebody else may ask: its answer has to be written down. */
const CLAIM_MARGIN_MS = 30_000;

/**
 * Asks every service that may be asked what there is to ask it now. One that is slow keeps no other from being asked.
 *
 * Safe to repeat.
 */
export async function askScrubbers(deps: ActivityDeps): Promise<void> {
  const { ledger, now } = deps;
  const sources = await listAskable(ledger.db, now());
  if (sources.length === 0) return;
  await forgetAnswers(ledger.db, now());
  const { stopped, recoveryReason } = await readSwitches(ledger.db);
  // Nobody is dialed, and answers grow old.
  if (stopped !== undefined || recoveryReason !== undefined) return;
  const asked = await Promise.allSettled(sources.map((source) => askOne(deps, source)));
  for (const result of asked) if (result.status === "rejected") throw result.reason;
}

/** Goes through the campaigns in its scope, and asks whenever there are as many numbers as go into one request. */
async function askOne(deps: ActivityDeps, source: AskedSource): Promise<void> {
  const { ledger, now } = deps;
  const turn: Turn = { source, heldUntilMs: undefined };
  const phones = new Set<string>();
  const campaignIds = new Set<string>();
  const ask = async (): Promise<boolean> => {
    const some = [...phones].slice(0, MOST_ASKED);
    for (const phone of some) phones.delete(phone);
    const isAnswered = await askAbout(deps, turn, some);
    if (isAnswered) for (const campaignId of campaignIds) deps.wake.campaign(campaignId);
    return isAnswered;
  };
  for (const campaignId of await listScrubbed(ledger.db, source)) {
    const some = await numbersToAsk(ledger.db, { source, campaignId, nowMs: now() });
    if (some.length === 0) continue;
    campaignIds.add(campaignId);
    for (const phone of some) phones.add(phone);
    while (phones.size >= MOST_ASKED) if (!(await ask())) return;
    if (phones.size === 0) campaignIds.clear();
  }
  if (phones.size > 0 && !(await ask())) return;
  if (turn.heldUntilMs !== undefined) await releaseScrubber(ledger.db, source, turn.heldUntilMs);
}

/** Requests to one service that follow each other. */
interface Turn {
  source: AskedSource;
  /** Nobody else asks it before. */
  heldUntilMs: number | undefined;
}

/** One request, and what it came to, written down. False where no further one is to be made now. */
async function askAbout(deps: ActivityDeps, turn: Turn, phones: readonly string[]): Promise<boolean> {
  const { ledger, now } = deps;
  const { source } = turn;
  const askedAtMs = now();
  const untilMs = askedAtMs + TIMEOUT_MS + CLAIM_MARGIN_MS;
  const held = turn.heldUntilMs !== undefined;
  if (!(await claimScrubber(ledger.db, { source, held, untilMs, nowMs: askedAtMs }))) return false;
  turn.heldUntilMs = untilMs;
  const answer = await request(deps, source, phones);
  if (answer.kind === "none") return false;
  if (answer.kind === "failed") {
    await noteFailure(deps, source, answer.failure);
    return false;
  }
  const { reading } = answer;
  const nowMs = now();
  const isTaken = await ledger.transaction((tx) => recordAnswers(tx, { source, reading, askedAtMs, nowMs }));
  if (!isTaken) return false;
  const listed = [...reading.listed.keys()];
  if (listed.length > 0) {
    const { brand } = source;
    const stopped = await stopBatchesDialing(ledger, { phones: listed, brand, nowMs });
    for (const batchId of stopped) deps.wake.batch(batchId);
  }
  const answered = [...listed, ...reading.clear];
  for (const campaignId of await dueByAnswer(ledger, { phones: answered, nowMs }))
    deps.wake.campaign(campaignId);
  if (reading.missing.length > 0)
    deps.log.warn(
      { source: source.name, asked: phones.length, unanswered: reading.missing.length },
      "a scrubbing service said nothing of some numbers: they wait, and are asked about again",
    );
  return true;
}

async function noteFailure(deps: ActivityDeps, source: AskedSource, failure: ScrubFailure): Promise<void> {
  const { ledger, now } = deps;
  deps.log.warn({ source: source.name, why: failure.text }, "a scrubbing service could not be asked");
  const nowMs = now();
  const campaignIds = await ledger.transaction(async (tx) => {
    const noted = await recordScrubFailure(tx, { source, failure, nowMs });
    return noted?.begunAway === true ? tellCampaigns(tx, source.brand, nowMs) : [];
  });
  for (const campaignId of campaignIds) deps.wake.campaign(campaignId);
}

type Answered =
  | { kind: "read"; reading: ScrubReading }
  | { kind: "failed"; failure: ScrubFailure }
  /** We gave it up ourselves. */
  | { kind: "none" };

async function request(
  deps: ActivityDeps,
  source: AskedSource,
  phones: readonly string[],
): Promise<Answered> {
  const { name, brand, scrub } = source;
  const host = new URL(scrub.url).host;
  const timestampMs = deps.now();
  const id = `scrub_${randomUUID()}`;
  const timestamp = new Date(timestampMs).toISOString();
  const data = { source: name, brand: brand ?? null, phones };
  const body = JSON.stringify({ type: "numbers.scrub", timestamp, id, data });
  try {
    const secret = { name: scrub.secret, values: deps.secrets.read(scrub.secret) };
    const answer = await deps.outbound.request({
      method: "POST",
      url: scrub.url,
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...signDelivery(secret, { id, timestampMs, body }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      answerBytes: MOST_ANSWER_BYTES,
    });
    if (answer.status !== 200) return { kind: "failed", failure: refusal(host, answer) };
    const reading = readScrubAnswer(answer.body, phones);
    if (typeof reading !== "string") return { kind: "read", reading };
    return { kind: "failed", failure: { kind: "wrong", text: `${host} answers wrongly: ${reading}` } };
  } catch (error) {
    return failureOf(error);
  }
}

/** Statuses by which a service says that it can't answer now. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

function refusal(
  host: string,
  { status, retryAfterMs }: { status: number; retryAfterMs: number | undefined },
): ScrubFailure {
  const isBusy = status >= 500 || BUSY.has(status);
  if (isBusy) return { kind: "away", text: `${host} answered ${status}`, retryAfterMs };
  const moved = status >= 300 && status < 400 ? ": it has moved, so give the source its new address" : "";
  return { kind: "wrong", text: `${host} answered ${status}, and 200 is meant${moved}` };
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

function failureOf(error: unknown): Answered {
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
