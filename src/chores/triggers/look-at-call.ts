import {
  countLook,
  findAttemptOfCall,
  findBatchesAwaitingCall,
  hintFollowUps,
  markCallHint,
  readCallHint,
  type CallHint,
} from "../../ledger/campaigns/call-hints.ts";
import { readInboundCall } from "../../ledger/triggers/inbound-calls.ts";
import { NotFoundError, type Call, type Platform } from "../../platform/index.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { isAnswered, isInbound, numbersOf, settleInbound, takeIn } from "./inbound.ts";

/*
 * What a webhook's hint comes to. It proves nothing (contract 6.1): the ledger is asked whether the call is known,
 * and the platform only where it is not.
 *
 * 1. Ours: its follow-up hears that there is something to see, and its batch is looked at, soon and for all of its
 *    calls at once.
 * 2. Not known, and the platform has it: an inbound call is taken in; one to a number that is being dialed belongs
 *    to an attempt which does not know its call yet, and is kept until it does.
 *    As long as that is, it is looked at again, each half an hour in the end.
 * 3. Anything else is looked at a few times, later each time, and is nobody's then. Later hints of it cost a look
 *    into the ledger and no request.
 */

/** Requests for calls that the ledger does not know: whoever knows the hook's address can't make more of them. */
const LOOKS_A_MINUTE = 60;

/** How many usual waits for processing (a quarter of a minute) pass before each further look: 43 minutes in all. */
const LOOK_AGAIN = [1, 2, 8, 40, 120] as const;

/** From then on, of a call to somebody who is being dialed: it is theirs, however long nobody gets to read their batch. */
const LOOK_AGAIN_LAST = LOOK_AGAIN[4];

/** Between looks at an inbound call whose processing is waited for. */
const SETTLE_LOOK = 2;

/** Those who wait get a moment each, so that a thousand of them are not all asked again every second. */
const LOOK_EVERY_MS = 60_000 / LOOKS_A_MINUTE;

/** Nobody is put off for longer, however many wait: a call that is somebody's may be among those that are nobody's. */
const LONGEST_TURN_MS = 10 * 60_000;

interface Bucket {
  tokens: number;
  filledAtMs: number;
  /** The last moment that was given away. */
  promisedMs: number;
}

/** One for each platform that this process talks to. */
const buckets = new WeakMap<Platform, Bucket>();

/** Undefined: a request may be made. Else when to ask again. */
function notBefore(deps: ActivityDeps): number | undefined {
  const nowMs = deps.now();
  const full: Bucket = { tokens: LOOKS_A_MINUTE, filledAtMs: nowMs, promisedMs: nowMs };
  const bucket = buckets.get(deps.platform) ?? full;
  const gained = Math.max(0, nowMs - bucket.filledAtMs) / LOOK_EVERY_MS;
  const tokens = Math.min(LOOKS_A_MINUTE, bucket.tokens + gained);
  if (tokens >= 1) {
    buckets.set(deps.platform, { ...bucket, tokens: tokens - 1, filledAtMs: nowMs });
    return undefined;
  }
  // A clock that was set back must not put anybody off for as long.
  const lastMs = Math.min(Math.max(bucket.promisedMs, nowMs), nowMs + LONGEST_TURN_MS);
  const promisedMs = Math.min(lastMs + LOOK_EVERY_MS, nowMs + LONGEST_TURN_MS);
  buckets.set(deps.platform, { tokens, filledAtMs: nowMs, promisedMs });
  return promisedMs;
}

/**
 * Looks at a call that was hinted at. Told when it is to be looked at again, if so.
 *
 * Safe to retry: everything that it does may be done again.
 */
export async function lookAtCall(
  deps: ActivityDeps,
  { callId }: { callId: string },
): Promise<{ againAtMs: number } | undefined> {
  const { db } = deps.ledger;
  const hint = await readCallHint(db, callId);
  const attempt = await findAttemptOfCall(db, callId);
  if (attempt) return tellOurs(deps, callId, hint, attempt);
  if (await readInboundCall(db, callId)) return settle(deps, callId);
  if (!hint || hint.state === "foreign") return undefined;
  const afterMs = notBefore(deps);
  if (afterMs !== undefined) return { againAtMs: afterMs };
  return identify(deps, hint);
}

/** When each batch was last woken up for a hint, by process; the oldest is forgotten where there are too many. */
const wokenMs = new Map<string, number>();
const WOKEN_REMEMBERED = 10_000;

async function tellOurs(
  deps: ActivityDeps,
  callId: string,
  hint: CallHint | undefined,
  { batchId, isOver }: { batchId: string; isOver: boolean },
): Promise<{ againAtMs: number } | undefined> {
  const nowMs = deps.now();
  const hintedAtMs = hint?.lastAtMs ?? nowMs;
  const told = await deps.ledger.transaction(async (tx) => {
    await markCallHint(tx, callId, "ours");
    return hintFollowUps(tx, { callId, hintedAtMs, nowMs });
  });
  if (told > 0) deps.outbox.kick();
  if (isOver) return undefined;
  const known = wokenMs.get(batchId);
  // One that is ahead is of before the clock was set back, and says nothing.
  const lastMs = known !== undefined && known <= nowMs ? known : undefined;
  // A look since then has seen what it is about.
  if (lastMs !== undefined && hintedAtMs <= lastMs) return undefined;
  // Hundred calls tell of themselves several times each, and a look is for all of them.
  const mayMs = (lastMs ?? 0) + deps.pace.blindPollMs;
  if (nowMs < mayMs) return { againAtMs: mayMs };
  wokenMs.delete(batchId);
  wokenMs.set(batchId, nowMs);
  for (const [oldest] of wokenMs) {
    if (wokenMs.size <= WOKEN_REMEMBERED) break;
    wokenMs.delete(oldest);
  }
  deps.wake.batch(batchId);
  return undefined;
}

async function settle(deps: ActivityDeps, callId: string): Promise<{ againAtMs: number } | undefined> {
  const againAtMs = await settleInbound(deps, callId, async () => {
    const afterMs = notBefore(deps);
    return afterMs === undefined ? { call: await readCall(deps, callId) } : { againAtMs: afterMs };
  });
  if (againAtMs === "settled") return undefined;
  return { againAtMs: againAtMs ?? deps.now() + SETTLE_LOOK * deps.pace.processingLookMs };
}

/** Finds out whose call it is, from the platform. */
async function identify(
  deps: ActivityDeps,
  { callId, looks }: CallHint,
): Promise<{ againAtMs: number } | undefined> {
  const { db } = deps.ledger;
  const call = await readCall(deps, callId);
  await countLook(db, callId);
  if (call && isInbound(call) && isAnswered(call)) {
    if (await takeIn(deps, call)) return { againAtMs: deps.now() };
    await markCallHint(db, callId, "foreign");
    return undefined;
  }
  const awaiting = call && !isInbound(call) ? await findBatchesAwaitingCall(db, numbersOf(call)) : [];
  for (const batchId of awaiting) deps.wake.batch(batchId);
  const isUnclear = call === undefined || isInbound(call);
  const wait =
    awaiting.length > 0 ? (LOOK_AGAIN[looks] ?? LOOK_AGAIN_LAST) : isUnclear ? LOOK_AGAIN[looks] : undefined;
  if (wait !== undefined) return { againAtMs: deps.now() + wait * deps.pace.processingLookMs };
  // Its attempt may have come to know it while the platform was asked: then it waits for nothing, and is ours.
  if (await findAttemptOfCall(db, callId)) return { againAtMs: deps.now() };
  await markCallHint(db, callId, "foreign");
  return undefined;
}

/** Undefined: the platform has no such call. */
async function readCall(deps: ActivityDeps, callId: string): Promise<Call | undefined> {
  try {
    return await deps.platform.calls.get(callId);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
