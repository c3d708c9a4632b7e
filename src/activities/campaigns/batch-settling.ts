import type { Finding, Reading, UnendedAttempt } from "../../domain/campaigns/findings.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../domain/policy/disposition.ts";
import { ANALYSIS_SILENT_FOR_MS, type DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { listUnended, noteCallsAsked } from "../../ledger/campaigns/attempts.ts";
import type { Batch } from "../../ledger/campaigns/batches.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";
import { closeBatch, settleFindings, type SettleResult } from "../../ledger/campaigns/settling.ts";
import {
  callFactsOf,
  platformIdOf,
  readCalls,
  readItems,
  readView,
  type BatchView,
} from "./batch-reading.ts";
import { AbortedError, PlatformError, RateLimitedError } from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { batchStep, noteStepFailure, noteStepSuccess } from "../ground/failing-steps.ts";
import { offerLines } from "./offer-lines.ts";
import { openBreaker } from "./open-breaker.ts";
import { releaseStopped } from "../../ledger/campaigns/batch-slots.ts";

/** Calls that one look reads whole, at most; the next look goes on. */
export const MAX_CALLS_PER_LOOK = 20;

/** Calls in a row that are read without any answer: more of them would only take time. */
const MOST_SILENCES = 2;

/** What gateways say where the platform is not there: no answer to what was asked. */
const GATEWAY_WORDS: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

export interface Settled {
  attempts: UnendedAttempt[];
  view: BatchView;
  reading: Reading;
  result: SettleResult | undefined;
}

/**
 * Reads a batch's items, and its calls where an outcome depends on them, and writes what they say.
 *
 * @throws PlatformError where the calls could not be listed: what does not depend on them is written before.
 */
export async function settleFromItems(
  deps: ActivityDeps,
  batch: Batch,
  options: { proof: boolean; signal?: AbortSignal },
): Promise<Settled> {
  const attempts = await listUnended(deps.ledger.db, batch.id);
  const view: BatchView = { items: [], calls: new Map() };
  if (attempts.length > 0) view.items = await readItems(deps, platformIdOf(batch), attempts, options);
  const { reading, unlisted } = await readCallsFor(deps, batch, view, {
    attempts,
    policy: await analysisPolicy(deps, batch),
    mayList: () => true,
    callsAtMost: MAX_CALLS_PER_LOOK,
    signal: options.signal,
  });
  const result = await settleFindings(deps.ledger, {
    batchId: batch.id,
    findings: reading.findings,
    nowMs: deps.now(),
  });
  await announce(deps, batch, result);
  if (unlisted) throw unlisted;
  return { attempts, view, reading, result };
}

/**
 * Lists or reads the calls that outcomes wait for, and says what is known then. Whoever has waited long enough is given
 * up only where their calls were asked for; whoever waits for an analysis, only where their own call was, in this look.
 *
 * @param input `mayList`: whether it is worth listing them now. `callsAtMost`: that are read whole.
 */
export async function readCallsFor(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchView,
  input: {
    attempts: readonly UnendedAttempt[];
    policy: DialingPolicy;
    mayList: (reading: Reading) => boolean;
    callsAtMost: number;
    signal: AbortSignal | undefined;
  },
): Promise<{ reading: Reading; isListed: boolean; unlisted: PlatformError | undefined }> {
  const read = (nowMs: number | undefined, unasked?: ReadonlySet<string>) =>
    readView(deps, view, input.attempts, input.policy, nowMs, unasked);
  let reading = read(undefined);
  const isWanted = reading.wantCalls.length > 0;
  const isListed = isWanted && input.mayList(reading);
  let unlisted: PlatformError | undefined;
  if (isListed) {
    unlisted = await listCalls(deps, batch, view, input.signal);
    reading = read(undefined);
  }
  const unasked = await readAnalyses(deps, batch, view, { ...input, reading });
  const isAsked = !unlisted && (isListed || !isWanted);
  return { reading: read(isAsked ? deps.now() : undefined, unasked), isListed, unlisted };
}

/**
 * Reads calls whole whose analysis is waited for: those that were not asked for yet, then those of the longest ago, so
 * that it is everybody's turn, whoever is never processed.
 *
 * @returns the calls that were not asked for, or gave no answer.
 */
async function readAnalyses(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchView,
  input: { reading: Reading; attempts: readonly UnendedAttempt[]; callsAtMost: number },
): Promise<ReadonlySet<string>> {
  const unasked = new Set(input.reading.wantAnalysis);
  if (unasked.size === 0) return unasked;
  const waiting = waitingFor(unasked, input);
  const calls = await readWholeCalls(deps, view, [...waiting.keys()].slice(0, input.callsAtMost));
  const phonesOf = (callIds: readonly string[]) => callIds.flatMap((id) => waiting.get(id)?.phone ?? []);
  const nowMs = deps.now();
  await noteCallsAsked(deps.ledger.db, {
    batchId: batch.id,
    answered: phonesOf(calls.answered),
    silent: phonesOf(calls.silent),
    nowMs,
  });
  for (const id of calls.answered) unasked.delete(id);
  for (const id of calls.silent) {
    if (nowMs - (waiting.get(id)?.silentSinceMs ?? nowMs) >= ANALYSIS_SILENT_FOR_MS) unasked.delete(id);
  }
  return unasked;
}

/** Whose the calls are, in the order in which they are asked for. */
function waitingFor(
  callIds: ReadonlySet<string>,
  { reading, attempts }: { reading: Reading; attempts: readonly UnendedAttempt[] },
): Map<string, UnendedAttempt> {
  const callOf = new Map(reading.findings.map(({ phone, callId }) => [phone, callId]));
  const found = attempts.flatMap((attempt): [string, UnendedAttempt][] => {
    const callId = callOf.get(attempt.phone);
    return callId !== undefined && callIds.has(callId) ? [[callId, attempt]] : [];
  });
  return new Map(found.toSorted(([, a], [, b]) => (a.askedAtMs ?? 0) - (b.askedAtMs ?? 0)));
}

/** Adds the calls of a batch, as they are listed, to what is known. The error where they can't be. */
async function listCalls(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchView,
  signal: AbortSignal | undefined,
): Promise<PlatformError | undefined> {
  try {
    const { facts } = await readCalls(deps, platformIdOf(batch), { proof: false, ...(signal && { signal }) });
    for (const [id, call] of facts) view.calls.set(id, call);
    return undefined;
  } catch (error) {
    if (!(error instanceof PlatformError) || error instanceof AbortedError) throw error;
    return error;
  }
}

/** Wakes whom a settling concerns, each of whom looks by itself later, too; and tells of what can't be written. */
export async function announce(
  deps: ActivityDeps,
  batch: Batch,
  result: SettleResult | undefined,
): Promise<void> {
  if (!result) return;
  deps.meter?.ended(result.calls, deps.now());
  if (result.wakeCampaign) deps.wake.campaign(batch.campaignId);
  if (result.isFreed) await offerLines(deps);
  if (result.tellsOthers) deps.outbox.kick();
  if (result.opensBreaker) await openBreaker(deps, batch.campaignId);
  for (const batchId of result.stoppedBatches) deps.wake.batch(batchId);
  for (const { phone, isBare, why } of result.refused) {
    const outcome = isBare ? "is written without what else was told of it" : "can't be written";
    deps.log.error({ batchId: batch.id, phone, error: why }, `what a call came to ${outcome}`);
  }
  const step = batchStep(batch.id, "settle");
  const lost = result.refused.filter(({ isBare }) => !isBare);
  const [first] = lost;
  if (first === undefined) return noteStepSuccess(deps, step, { asked: false });
  const what = lost.length === 1 ? "what a call came to" : `what ${lost.length} calls came to`;
  await noteStepFailure(deps, step, new Error(`${what} can't be written: ${first.why}`));
}

/**
 * Reads calls whole, which is where their analysis stands, and where a call of which no list tells any more is. One that
 * can't be read now is left for later, and keeps no other from being read.
 *
 * @returns of which there was an answer, be it a no, and of which there was none.
 */
export async function readWholeCalls(
  deps: ActivityDeps,
  view: Pick<BatchView, "calls">,
  callIds: readonly string[],
): Promise<{ answered: string[]; silent: string[] }> {
  const asked = { answered: [] as string[], silent: [] as string[] };
  let silences = 0;
  for (const callId of callIds) {
    try {
      view.calls.set(callId, callFactsOf(await deps.platform.calls.get(callId)));
      silences = 0;
      asked.answered.push(callId);
    } catch (error) {
      if (!(error instanceof PlatformError) || error instanceof AbortedError) throw error;
      deps.log.warn({ callId, error: error.message }, "a call can't be read whole");
      const isSilent = isSilence(error);
      silences = isSilent ? silences + 1 : 0;
      (isSilent ? asked.silent : asked.answered).push(callId);
      if (silences >= MOST_SILENCES) break;
    }
  }
  return asked;
}

/** Whether nobody said anything of the call that was asked for. */
function isSilence(error: PlatformError): boolean {
  return error.status === undefined || error instanceof RateLimitedError || GATEWAY_WORDS.has(error.status);
}

async function analysisPolicy(deps: ActivityDeps, batch: Batch): Promise<DialingPolicy> {
  const campaign = await readCampaign(deps.ledger.db, batch.campaignId);
  if (!campaign) throw new Error(`batch ${batch.id} has no campaign`);
  return policyOf(campaign.spec, campaign.policyVersion);
}

/** Ends attempts whose fate stays unknown. They count as dialed (I1) and are not dialed again. */
export async function settleUnknown(
  deps: ActivityDeps,
  batch: Batch,
  phones: readonly string[],
  reason: string,
): Promise<void> {
  if (phones.length === 0) return;
  deps.log.warn({ batchId: batch.id, attempts: phones.length, reason }, "attempts end as unknown");
  await settleAs(
    deps,
    batch,
    phones.map((phone) => ({ phone, disposition: "unknown", reason })),
  );
}

/** Ends attempts of which the item's own word is all that is known: `failed`, as of any other that says so. */
export async function settleByWord(
  deps: ActivityDeps,
  batch: Batch,
  refused: readonly { phone: string; why: string }[],
): Promise<void> {
  if (refused.length === 0) return;
  await settleAs(
    deps,
    batch,
    refused.map(({ phone, why }) => ({ phone, disposition: "failed", reason: `item failed: ${why}` })),
  );
}

async function settleAs(
  deps: ActivityDeps,
  batch: Batch,
  ended: readonly { phone: string; disposition: Disposition; reason: string }[],
): Promise<void> {
  const findings = ended.map(({ phone, disposition, reason }): Finding => ({
    phone,
    itemId: undefined,
    callId: undefined,
    itemStatus: undefined,
    errorText: undefined,
    startedAtMs: undefined,
    endedAtMs: undefined,
    durationSeconds: undefined,
    outcome: { kind: "ended", disposition, reason },
  }));
  const result = await settleFindings(deps.ledger, { batchId: batch.id, findings, nowMs: deps.now() });
  await announce(deps, batch, result);
}

/**
 * Gives back the slots of whom a batch that shows as stopped will not call any more. Who counts as not called is a
 * proof of two readings; that a line is free is not.
 *
 * @param active calls that the platform counts as up
 */
export async function releaseIdleSlots(
  deps: ActivityDeps,
  batch: Batch,
  { up, missing }: Pick<Reading, "up" | "missing">,
  active: number,
): Promise<void> {
  // A start of which nothing was seen may take effect yet, whatever is shown.
  if (batch.startSeenAtMs === undefined) return;
  const isUp = Math.max(active, up.length + missing.length);
  const { wakeCampaign, isFreed } = await releaseStopped(deps.ledger, { batchId: batch.id, up: isUp });
  if (wakeCampaign) deps.wake.campaign(batch.campaignId);
  if (isFreed) await offerLines(deps);
}

/** Closes the batch where nothing of it is open any more, and wakes its campaign up. */
export async function closeIfSettled(deps: ActivityDeps, batch: Batch): Promise<boolean> {
  const { isClosed } = await closeBatch(deps.ledger, batch.id, deps.now());
  if (isClosed) {
    deps.wake.campaign(batch.campaignId);
    await offerLines(deps);
  }
  return isClosed;
}
