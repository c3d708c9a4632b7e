import type { ActivityDeps } from "../../activities/deps.ts";
import { haltBatches } from "../../activities/campaigns/halt-batches.ts";
import { elsewhereOf, FORGET_REASON, FORGET_SOURCE, keptOf } from "../../domain/people/forgetting.ts";
import { withdrawContacts } from "../../ledger/campaigns/withdrawing.ts";
import { stopBatchesDialing } from "../../ledger/campaigns/batches.ts";
import { addSuppressions, listInForce } from "../../ledger/ground/suppressions.ts";
import { createBreather } from "../../ledger/ground/breather.ts";
import { readInstallation } from "../../ledger/ground/installation.ts";
import {
  beginRemoving,
  bookRemoved,
  endForgetting,
  listDueForgettings,
  noteForgetting,
  lockForgetting,
  readForgetting,
  type Forgetting,
} from "../../ledger/people/forgettings.ts";
import {
  listCalls,
  listInboundCalls,
  listRecordings,
  noteRecordingGone,
  toldOf,
} from "../../ledger/people/held-elsewhere.ts";
import { leaveBehind, strikeLeftCall } from "../../ledger/people/removals-left.ts";
import {
  countKept,
  hideSuppressions,
  removeFromLedger,
  removeFromTexts,
} from "../../ledger/people/removing.ts";
import { campaignsCalling, enrolmentsOf, whatWaits } from "../../ledger/people/under-way.ts";
import { followTurn } from "../../ledger/sequences/after-turn.ts";
import { commandEnrolment, EnrolmentOverError } from "../../ledger/sequences/enrolment-commands.ts";
import { EndlessListError, ForbiddenError, momentOf } from "../../platform/index.ts";
import { isInbound, numbersOf } from "../triggers/inbound.ts";
import { markOf } from "../triggers/people-of-delivery.ts";
import {
  CallsUnreadError,
  concernsOne,
  deletePlatformCall,
  MOST_IN_A_ROW,
  removeRecordingFile,
  whyElsewhere,
  whyNotRemoved,
} from "./removing-elsewhere.ts";

/*
 * Carries out requests to be forgotten.
 *
 * 1. First nobody calls the person any more: the number is suppressed, and taken out of campaigns and sequences by the
 *    ways that are there for that. What is in the air is waited for, so that it is booked (I1, I3).
 * 2. Then files go before the rows that name them, the platform's records before the ids that they are found by, and the
 *    ledger's rows last.
 * 3. Every step finds what is left to do in the ledger, and does nothing the second time: whoever is killed between two
 *    is followed by somebody who goes on.
 * 4. The certificate is made when nothing is under way and nothing is found; only then the number leaves the request.
 * 5. A call that the platform keeps, and a recording in a folder that this process does not see, hold nothing else: the
 *    certificate names them until they are gone (remove-left.ts).
 */

/** Requests of one turn of the chore. */
const AT_ONCE = 10;

/** Files and calls between two marks of how far it is. */
const CHUNK = 20;

/** Who was on the phone with us when they asked has begun that call after this long before. */
const RECENT_MS = 24 * 60 * 60_000;

/** Where the list of a day leads to no end: who may be on the phone still has begun that call this long ago. */
const NEWEST_MS = 60 * 60_000;

/** A turn may take minutes. */
const READ_FOR_MS = 60_000;

/** Calls to us on a page of the platform's list, and pages that are read for somebody at most. */
const PAGE = 100;
const MAX_PAGES = 50;

/** Calls that end take seconds to minutes to be settled. */
const SOONEST_MS = 5_000;
const LATEST_MS = 5 * 60_000;

type Deps = ActivityDeps;
type Open = Forgetting & { phone: string };

/** Somebody could not be forgotten just now. No number is in it. */
class ForgettingFailedError extends Error {
  override readonly name = "ForgettingFailedError";
}

/**
 * One turn. Safe to repeat, and to be done by two.
 *
 * @throws where a step failed, once the other requests had their turn: people are told where it goes on like that.
 */
export async function forgetPeople(deps: Deps): Promise<void> {
  const { db } = deps.ledger;
  // What a ledger that may be older than reality has in the air nobody knows: recovery comes first.
  if ((await readInstallation(db)).recoveryReason !== undefined) return;
  const failures: string[] = [];
  const all = await listDueForgettings(db, deps.now(), AT_ONCE);
  const recent = recentCallsOf(deps, all);
  for (const due of all) {
    try {
      await advance(deps, due.id, recent);
    } catch (error) {
      const why = whyNotRemoved(error);
      failures.push(`${due.id}: ${why}`);
      await putOff(deps, due, why);
    }
  }
  if (failures.length > 0)
    throw new ForgettingFailedError(`people could not be forgotten: ${failures.join("; ")}`);
}

/** Takes one request as far as it goes now. */
async function advance(deps: Deps, id: string, recent: RecentCalls): Promise<void> {
  const { ledger, now } = deps;
  const found = await readForgetting(ledger.db, id);
  if (found?.phone === undefined) return;
  const open: Open = { ...found, phone: found.phone };
  await keepFromCalling(deps, open);
  const waits = await whatWaits(ledger.db, open.phone, {
    mark: markOf(open.phone),
    askedAtMs: open.askedAtMs,
  });
  if (waits !== undefined) return putOff(deps, open, waits);
  await beginRemoving(ledger.db, id, await toldOf(ledger.db, open.phone));
  await removeRecordings(deps, open);
  const asking: Asking = { deps, id, inARow: 0, asked: new Set() };
  await removeCalls(asking, open);
  await removeRecentCalls(asking, open, recent);
  const breathe = createBreather();
  await removeFromLedger(ledger, { ...open, now, breathe });
  await removeFromTexts(ledger, { ...open, breathe });
  // What came meanwhile is taken back, and waited for, in the next turn.
  const came = await whatWaits(ledger.db, open.phone, {
    mark: markOf(open.phone),
    askedAtMs: open.askedAtMs,
  });
  if (came !== undefined) return putOff(deps, open, came);
  await certify(deps, open);
}

async function putOff(deps: Deps, { id, tries, state }: Forgetting, waitsFor: string): Promise<void> {
  const next = Math.min(LATEST_MS, SOONEST_MS * 2 ** Math.min(tries, 10));
  const read = await readForgetting(deps.ledger.db, id);
  await noteForgetting(deps.ledger.db, id, {
    state: read?.state ?? state,
    waitsFor,
    tries: tries + 1,
    nextAtMs: deps.now() + next,
  });
}

/** Suppresses the number, and takes it out of whatever would call it. */
async function keepFromCalling(deps: Deps, { id, phone, askedBy }: Open): Promise<void> {
  const { ledger, now } = deps;
  const nowMs = now();
  const entry = { phone, brand: undefined, source: FORGET_SOURCE, reason: FORGET_REASON };
  // Said once: it may stand there as a digest, from the last time.
  const inForce = await listInForce(ledger.db, { phone, brand: undefined, nowMs });
  if (!inForce.some(({ brand, source }) => brand === undefined && source === FORGET_SOURCE))
    await ledger.transaction((tx) => addSuppressions(tx, { entries: [entry], actor: askedBy, nowMs }));
  const halted = await stopBatchesDialing(ledger, { phones: [phone], brand: undefined, nowMs });
  const campaigns = await campaignsCalling(ledger.db, phone);
  for (const { id: campaignId } of campaigns) {
    const given = { campaignId, whom: { phones: [phone] }, actor: askedBy, reason: FORGET_REASON, nowMs };
    const { stoppedBatchIds, campaignIds } = await withdrawContacts(ledger, given);
    halted.push(...stoppedBatchIds);
    for (const told of campaignIds) deps.wake.campaign(told);
  }
  for (const { id: enrolmentId } of await enrolmentsOf(ledger.db, phone)) {
    const taken = await exit(deps, { enrolmentId, forgettingId: id, actor: askedBy });
    if (taken?.turn)
      await followTurn({ ...deps, haltBatches: (ids) => haltBatches(deps, ids) }, enrolmentId, taken.turn);
  }
  deps.outbox.kick();
  if (halted.length > 0) await haltBatches(deps, halted);
}

async function exit(
  { ledger, now }: Deps,
  { enrolmentId, forgettingId, actor }: { enrolmentId: string; forgettingId: string; actor: string },
) {
  const entry = {
    kind: "exit" as const,
    data: { outcome: "forgotten", reason: FORGET_REASON },
    requestKey: `forget:${forgettingId}`,
    actor,
    atMs: now(),
  };
  try {
    return await ledger.transaction((tx) => commandEnrolment(tx, { enrolmentId, entry, nowMs: now() }));
  } catch (error) {
    // It came to its end meanwhile.
    if (error instanceof EnrolmentOverError) return undefined;
    throw error;
  }
}

/** Files go first: a row without its file is found again, a file without its row is not. */
async function removeRecordings(deps: Deps, { id, phone }: Open): Promise<void> {
  const { ledger } = deps;
  for (let after = "", isLeft = true; isLeft;) {
    const found = await listRecordings(ledger.db, phone, { after, limit: CHUNK });
    for (const { actionId, file, keptIn: kept } of found) {
      const keptIn = kept ?? undefined;
      const outcome = await removeRecordingFile(deps.recordingsDir, { file, keptIn });
      const left = { kind: "recording", what: file, keptIn, error: whyElsewhere(keptIn) } as const;
      await ledger.transaction(async (tx) => {
        if (!(await noteRecordingGone(tx, actionId))) return;
        if (outcome === "elsewhere") await leaveBehind(tx, { ...left, forgettingId: id, nowMs: deps.now() });
        else await bookRemoved(tx, id, { recordings: 1 });
      });
      after = actionId;
    }
    isLeft = found.length === CHUNK;
  }
}

/** The platform's records of calls with the person, with what was said in them. */
async function removeCalls(asking: Asking, { phone, callCursor }: Open): Promise<void> {
  const { db } = asking.deps.ledger;
  // From the first on each time: they may have called since, and one that went before is not there.
  for (let after = "", isLeft = true; isLeft;) {
    const found = await listInboundCalls(db, phone, { after, limit: CHUNK });
    for (const { callId } of found) await removeCall(asking, callId);
    after = found.at(-1)?.callId ?? after;
    isLeft = found.length === CHUNK;
  }
  for (let cursor = callCursor, isLeft = true; isLeft;) {
    const found = await listCalls(db, phone, { afterAttempt: cursor, limit: CHUNK });
    for (const { callId, attemptId } of found) {
      await removeCall(asking, callId, { cursor: attemptId });
      cursor = attemptId;
    }
    isLeft = found.length === CHUNK;
  }
}

/** Calls of theirs to us that the ledger does not know: one that is up while they are forgotten, or that ended just now. */
async function removeRecentCalls(asking: Asking, { phone, askedAtMs }: Open, recent: RecentCalls) {
  const { asked } = asking;
  for (const { callId, from, atMs } of await recent())
    if (from === phone && atMs >= askedAtMs - RECENT_MS && !asked.has(callId))
      await removeCall(asking, callId, { isListed: true });
}

interface RecentCall {
  callId: string;
  /** Who called, in E.164. */
  from: string;
  atMs: number;
}

/** Calls to us since a day before the first of these people asked: one reading for all of them, while it is new. */
type RecentCalls = () => Promise<readonly RecentCall[]>;

function recentCallsOf(deps: Deps, people: readonly { askedAtMs: number }[]): RecentCalls {
  let read: { at: number; calls: Promise<readonly RecentCall[]> } | undefined;
  const firstMs = people.reduce(
    (first, { askedAtMs }) => Math.min(first, askedAtMs),
    Number.POSITIVE_INFINITY,
  );
  return () => {
    const at = performance.now();
    if (!read || at - read.at > READ_FOR_MS) read = { at, calls: readRecentCalls(deps, firstMs - RECENT_MS) };
    return read.calls;
  };
}

/** The list is read by time alone, since it finds nobody by a number. @throws CallsUnreadError */
async function readRecentCalls(deps: Deps, fromMs: number): Promise<readonly RecentCall[]> {
  const found = new Map<string, RecentCall>();
  try {
    if (!(await readSince(deps, fromMs, found)))
      // In which order it comes is not known: whoever may be on the phone now is among the newest.
      await readSince(deps, Math.max(fromMs, deps.now() - NEWEST_MS), found);
  } catch (error) {
    // What the key may not do is not waited for: the certificate says that there may be others.
    if (!(error instanceof ForbiddenError)) throw new CallsUnreadError(error);
    deps.log.warn({ error: error.message }, "the list of inbound calls may not be read by this key");
  }
  return [...found.values()];
}

/** @returns whether it was read to its end */
async function readSince(deps: Deps, fromMs: number, found: Map<string, RecentCall>): Promise<boolean> {
  const query = { call_type: "inbound", from_date: new Date(fromMs).toISOString(), limit: PAGE };
  // A row without an id can't be removed, and keeps nobody from being forgotten.
  const walk = { maxPages: MAX_PAGES, onUnreadable: () => {} };
  try {
    for await (const call of deps.platform.calls.iterate(query, walk)) {
      const [from] = numbersOf({ ...call, to_number: undefined });
      const atMs = momentOf(call.start_time) ?? momentOf(call.created_at) ?? deps.now();
      if (isInbound(call) && from !== undefined)
        found.set(call.call_id, { callId: call.call_id, from, atMs });
    }
    return true;
  } catch (error) {
    if (!(error instanceof EndlessListError)) throw error;
    deps.log.warn({ error: error.message }, "the list of inbound calls was read in part only");
    return false;
  }
}

/** What one turn knows of the platform. */
interface Asking {
  deps: Deps;
  id: string;
  /** Calls that it was asked to remove. */
  asked: Set<string>;
  /** Calls that it did not remove, since it last removed one. */
  inARow: number;
}

/** @throws where it is not about this call, or about too many one after the other: then the next turn goes on here. */
async function removeCall(
  asking: Asking,
  callId: string,
  { cursor, isListed = false }: { cursor?: number; isListed?: boolean } = {},
): Promise<void> {
  const { deps, id } = asking;
  asking.asked.add(callId);
  let removed: Record<string, number> = {};
  let error: string | undefined;
  try {
    const outcome = await deletePlatformCall(deps.platform, callId);
    // A list may lag behind what was removed a moment ago, by us.
    if (outcome === "removed") removed = { platform_calls: 1 };
    else if (!isListed) removed = { platform_calls_gone_before: 1 };
    asking.inARow = 0;
  } catch (failure) {
    asking.inARow += 1;
    if (!concernsOne(failure) || asking.inARow >= MOST_IN_A_ROW) throw failure;
    error = whyNotRemoved(failure);
  }
  const left = { forgettingId: id, kind: "platform_call", what: callId, keptIn: undefined } as const;
  await deps.ledger.transaction(async (tx) => {
    if (error === undefined) await strikeLeftCall(tx, id, callId);
    else await leaveBehind(tx, { ...left, error, nowMs: deps.now() });
    await bookRemoved(tx, id, removed, cursor);
  });
}

/** The end: what stays is counted, and nothing has the number but suppressions that are to have it. */
async function certify({ ledger, now }: Deps, { id, phone }: Open): Promise<void> {
  const { installationId } = await readInstallation(ledger.db);
  await ledger.transaction(async (tx) => {
    const last = await lockForgetting(tx, id);
    if (last?.phone === undefined) return;
    if (last.asHash) await hideSuppressions(tx, phone);
    const kept = await countKept(tx, phone, last.removed["attempts"] ?? 0);
    const nowMs = now();
    await endForgetting(
      tx,
      { id, phone },
      {
        id,
        installation_id: installationId,
        person: last.person,
        last_digits: last.lastDigits,
        asked_at: new Date(last.askedAtMs).toISOString(),
        asked_by: last.askedBy,
        reason: last.reason,
        done_at: new Date(nowMs).toISOString(),
        removed: last.removed,
        kept: keptOf(kept, last.asHash),
        elsewhere: elsewhereOf(last.told ?? { hosts: [], platformBatches: 0 }),
      },
      nowMs,
    );
  });
}
