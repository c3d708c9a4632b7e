import { isProcessed, type CallFacts } from "../../domain/campaigns/call-outcome.ts";
import { decideByRules } from "../../domain/campaigns/call-rules.ts";
import type { AnalysisRule } from "../../domain/policy/dialing-policy.ts";
import { withinReason } from "../../domain/time/reported-times.ts";
import {
  heedsInboundCalls,
  knownInboundCalls,
  moveInboundWatermark,
  readInboundCall,
  readInboundWatermark,
  readRulesAbout,
  settleInboundCall,
  stopForInboundCall,
  takeInboundCall,
  whomWeCall,
} from "../../ledger/triggers/inbound-calls.ts";
import { raiseAttention } from "../../ledger/ground/attention.ts";
import { readClock } from "../../ledger/ground/clock.ts";
import { isOfTheLedger } from "../../ledger/ground/connection.ts";
import { markCallHint } from "../../ledger/campaigns/call-hints.ts";
import { putOutbox } from "../../ledger/ground/outbox.ts";
import { suppressAndStop } from "../../ledger/campaigns/suppressing.ts";
import { EndlessListError, momentOf, type Call } from "../../platform/index.ts";
import { callFactsOf } from "../../activities/campaigns/batch-reading.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { haltBatches } from "../../activities/campaigns/halt-batches.ts";
import { normaliseWord } from "../../domain/ground/normalise-word.ts";

/*
 * Calls from people to our numbers. A webhook names them early; without any, the list of inbound calls is read from
 * where it was read to before (I4). Either way a call is taken in once, by its id.
 */

/** A call that rang at the last look may have been answered since, and lists may lag behind. */
const OVERLAP_MS = 10 * 60_000;

const PAGE = 100;
/** More calls within a minute and the overlap than this come to no organization that is seen to exist. */
const MAX_PAGES = 50;

/** A list without an end is asked for a quarter of the time, a quarter of that and so on: requests of a look are bounded. */
const PART = 4;
const MAX_PARTS = 4;

/** Nobody has spoken with anybody yet. */
const NOT_YET: ReadonlySet<string> = new Set(["waiting", "queued", "initiating", "initiated", "ringing", ""]);
const CAME_TO_NOTHING: ReadonlySet<string> = new Set(["failed", "error"]);

/** Whether somebody came through to us: neither still ringing, nor failed, nor over after no time. */
export function isAnswered(call: Call): boolean {
  const word = normaliseWord(call.status ?? "");
  return !NOT_YET.has(word) && !CAME_TO_NOTHING.has(word) && call.duration_seconds !== 0;
}

export function isInbound(call: Call): boolean {
  return normaliseWord(call.call_type ?? "") === "inbound";
}

/** In E.164, as far as that can be told: platforms leave the `+` out. */
export function numbersOf(call: Call): string[] {
  return [call.from_number, call.to_number].flatMap((number) => {
    const digits = number?.replace(/\D/g, "") ?? "";
    return digits.length >= 7 && digits.length <= 15 ? [`+${digits}`] : [];
  });
}

/**
 * Reads what is new in the list of inbound calls. Nothing is asked for while nobody would do something about them.
 *
 * Safe to retry: a call is taken in once, and the watermark moves only as far as the list was read.
 *
 * @throws InboundListError where it could not be read up to now, once what was read is taken in; or what the ledger said
 * of one that it could not take in now, once the others are.
 */
export async function lookForInboundCalls(deps: ActivityDeps): Promise<{ looked: boolean; found: number }> {
  const { db } = deps.ledger;
  const nowMs = deps.now();
  if (!(await heedsInboundCalls(db, nowMs))) return { looked: false, found: 0 };
  const watermarkMs = (await readInboundWatermark(db)) ?? nowMs;
  const { calls, readToMs } = await readNewCalls(deps, watermarkMs, nowMs);
  const known = await knownInboundCalls(db, [...calls.keys()]);
  let found = 0;
  let left: Error | undefined;
  for (const call of calls.values()) {
    if (known.has(call.call_id)) continue;
    const taken = await takeInAlone(deps, call);
    if (taken === true) found += 1;
    else if (taken !== false) left ??= taken;
  }
  // The list is read from the same place again.
  if (left) throw left;
  await moveInboundWatermark(db, readToMs);
  if (readToMs < nowMs) throw new InboundListError(readToMs);
  return { looked: true, found };
}

/** The list of inbound calls is longer than can be read at once. */
class InboundListError extends Error {
  override readonly name = "InboundListError";
  constructor(readToMs: number) {
    const iso = new Date(readToMs).toISOString();
    super(
      `the platform's list of inbound calls was read up to ${iso} only, since it leads to no end: whoever has called since may not be heard; the next looks go on from there`,
    );
  }
}

/**
 * The calls since the watermark, and up to when they are all of them. In which order the list comes is not known:
 * where it leads to no end nobody can tell what is behind the break, and an earlier part of the time is read whole.
 */
async function readNewCalls(
  deps: ActivityDeps,
  watermarkMs: number,
  nowMs: number,
): Promise<{ calls: Map<string, Call>; readToMs: number }> {
  const calls = new Map<string, Call>();
  let unreadable = 0;
  let readToMs = watermarkMs;
  for (let part = 0, untilMs = nowMs; part < MAX_PARTS; part += 1) {
    try {
      unreadable += await readPeriod(deps, { fromMs: watermarkMs - OVERLAP_MS, untilMs, nowMs }, calls);
      readToMs = untilMs;
      break;
    } catch (error) {
      if (!(error instanceof EndlessListError)) throw error;
      deps.log.warn({ error: error.message }, "the list of inbound calls was read in part only");
    }
    if (untilMs <= watermarkMs) break;
    untilMs = watermarkMs + Math.floor((untilMs - watermarkMs) / PART);
  }
  if (unreadable > 0) deps.log.warn({ rows: unreadable }, "inbound calls without an id can't be taken in");
  return { calls, readToMs };
}

/** Adds the calls of a period. Returns how many rows could not be read. @throws EndlessListError */
async function readPeriod(
  deps: ActivityDeps,
  { fromMs, untilMs, nowMs }: { fromMs: number; untilMs: number; nowMs: number },
  calls: Map<string, Call>,
): Promise<number> {
  const query = {
    call_type: "inbound",
    from_date: new Date(fromMs).toISOString(),
    // What is newest has no end: clocks differ.
    ...(untilMs < nowMs && { to_date: new Date(untilMs).toISOString() }),
    limit: PAGE,
  };
  let unreadable = 0;
  const onUnreadable = (rows: number) => void (unreadable += rows);
  for await (const call of deps.platform.calls.iterate(query, { maxPages: MAX_PAGES, onUnreadable })) {
    // A platform may pass a filter over.
    if (isInbound(call) && isAnswered(call) && (startOf(call) ?? nowMs) >= fromMs)
      calls.set(call.call_id, call);
  }
  return unreadable;
}

function startOf(call: Call): number | undefined {
  return momentOf(call.start_time) ?? momentOf(call.created_at);
}

/**
 * Takes a call in. One that can't be is no reason to lose the others, and is told at once: the list is read on from
 * behind it. Where it was the ledger that could not, and does answer, that is what comes back.
 */
async function takeInAlone(deps: ActivityDeps, call: Call): Promise<boolean | Error> {
  try {
    return await takeIn(deps, call);
  } catch (error) {
    if (error instanceof Error && isOfTheLedger(error)) {
      await readClock(deps.ledger.db);
      return error;
    }
    deps.log.error({ callId: call.call_id, error: String(error) }, "an inbound call could not be taken in");
    await raiseAttention(deps.ledger.db, {
      kind: "step_failing",
      subject: `inbound call ${call.call_id}`,
      brand: "default",
      summary: `a call to us, ${call.call_id}, could not be taken in: ${String(error).slice(0, 500)}`,
      remedy:
        "look at the call on the platform: whoever it was may have opted out, or may not want another call",
      nowMs: deps.now(),
    });
    return false;
  }
}

/** Takes an inbound call in, if it is from somebody whom we call. False where it is from nobody of them. */
export async function takeIn(deps: ActivityDeps, call: Call): Promise<boolean> {
  const numbers = numbersOf(call);
  const phone = await whomWeCall(deps.ledger.db, numbers);
  if (phone === undefined) return false;
  const nowMs = deps.now();
  // The platform's clock may be ahead of ours by a little; nobody called us in the future.
  const atMs = Math.min(nowMs, startOf(call) ?? nowMs);
  const { endedAtMs: toldEndMs } = callFactsOf(call);
  const endedAtMs = toldEndMs === undefined ? undefined : withinReason(toldEndMs, atMs, nowMs);
  await deps.ledger.transaction(async (tx) => {
    const taken = await takeInboundCall(tx, {
      callId: call.call_id,
      phone,
      toNumber: numbers.find((number) => number !== phone),
      atMs,
      endedAtMs,
      nowMs,
    });
    await markCallHint(tx, call.call_id, "inbound");
    // Its processing is looked for from there, like that of a call which a webhook names.
    if (taken) await putOutbox(tx, [{ kind: "call_hint", subject: call.call_id, dueAtMs: nowMs }]);
  });
  deps.outbox.kick();
  for (const batchId of await stopForInboundCall(deps.ledger, phone, nowMs)) deps.wake.batch(batchId);
  return true;
}

/** The call, or when it may be asked for. */
type CallReading = { call: Call | undefined } | { againAtMs: number };

/**
 * Settles an inbound call that was taken in: once it is processed, the rules of those who call its person say
 * whether they opted out. A call that is not processed long after it came in is not waited for any longer.
 *
 * @returns `settled`; or when it may be looked at again, undefined where only its processing is waited for.
 */
export async function settleInbound(
  deps: ActivityDeps,
  callId: string,
  readCall: () => Promise<CallReading>,
): Promise<"settled" | number | undefined> {
  const inbound = await readInboundCall(deps.ledger.db, callId);
  if (!inbound || inbound.settledAtMs !== undefined) return "settled";
  const settle = (optedOut: boolean, endedAtMs: number | undefined) =>
    deps.ledger.transaction((tx) =>
      settleInboundCall(tx, { callId, endedAtMs, optedOut, nowMs: deps.now() }),
    );
  const about = await readRulesAbout(deps.ledger.db, inbound.phone);
  if (!about.some(({ rules }) => rules.some(({ disposition }) => disposition === "opted_out"))) {
    await settle(false, undefined);
    return "settled";
  }
  const reading = await readCall();
  if ("againAtMs" in reading) return reading.againAtMs;
  const facts = reading.call && callFactsOf(reading.call);
  const overdue = deps.now() - inbound.createdAtMs >= deps.pace.callBoundMs;
  if (!overdue && !(facts && isProcessed(facts))) return undefined;
  const optedOut = facts ? about.filter(({ rules }) => optsOut(rules, callId, facts)) : [];
  // Before it counts as settled: an opt-out is not lost to a crash in between.
  await optOut(deps, inbound.phone, optedOut);
  const endedAtMs = facts?.endedAtMs;
  await settle(
    optedOut.length > 0,
    endedAtMs === undefined ? undefined : withinReason(endedAtMs, inbound.atMs, deps.now()),
  );
  return "settled";
}

/** Whether the rules of a campaign take what was said in a call to us for an opt-out. */
function optsOut(rules: readonly AnalysisRule[], callId: string, facts: CallFacts): boolean {
  const account = {
    // They called us: somebody took the call, or nothing was said in it.
    disposition: "answered" as const,
    reason: "a call to us",
    callId,
    call: facts,
    itemStatus: undefined,
    errorText: undefined,
    attempt: 1,
    startedAtMs: facts.startedAtMs,
    endedAtMs: facts.endedAtMs,
  };
  const ruling = decideByRules({ rules, account, isOverdue: true });
  return ruling.kind === "decided" && ruling.disposition === "opted_out";
}

async function optOut(
  deps: ActivityDeps,
  phone: string,
  by: readonly { brand: string; campaign: string }[],
): Promise<void> {
  if (by.length === 0) return;
  const campaignByBrand = new Map(by.map(({ brand, campaign }) => [brand, campaign]));
  const { stoppedBatches } = await suppressAndStop(deps.ledger, {
    entries: [...campaignByBrand].map(([brand, campaign]) => ({
      phone,
      brand,
      source: "inbound call",
      reason: `opted out in a call to us, by the rules of ${campaign}`,
    })),
    actor: "engine",
    nowMs: deps.now(),
  });
  await haltBatches(deps, stoppedBatches);
}
