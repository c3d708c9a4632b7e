import type { ActivityDeps } from "../../activities/deps.ts";
import {
  cutoffsAt,
  isRetentionKind,
  type Cutoffs,
  type RetentionKind,
} from "../../domain/ground/retention.ts";
import {
  clearActions,
  clearCalls,
  clearContacts,
  clearLabels,
  clearRejects,
  listAgedCalls,
  listAgedCampaigns,
  listAgedInbound,
  listAgedRecordings,
  removeAudit,
  removeTags,
  stripAgedContacts,
  stripAgedEnrolments,
  stripInbound,
  type Aged,
} from "../../ledger/people/aging.ts";
import { noteRecordingGone } from "../../ledger/people/held-elsewhere.ts";
import { bookAged, readProgressOf, readRetention, tellAged } from "../../ledger/ground/retention.ts";
import { createGuestBreather } from "../../ledger/ground/breather.ts";
import { readInstallation } from "../../ledger/ground/installation.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import {
  forgetUnremoved,
  listDueUnremoved,
  noteUnremoved,
  readStuck,
} from "../../ledger/people/unremoved-calls.ts";
import { leaveBehind } from "../../ledger/people/removals-left.ts";
import {
  concernsOne,
  deletePlatformCall,
  MOST_IN_A_ROW,
  removeRecordingFile,
  whyElsewhere,
  whyNotRemoved,
} from "./removing-elsewhere.ts";

/*
 * Takes away what is older than it is to be kept, kind by kind (domain/ground/retention.ts).
 *
 * 1. What is left to do follows from the rows. A turn that is cut off is gone on with by the next one, in whichever
 *    process; what went is booked in the transaction in which it goes, and told once.
 * 2. Files go before the rows that name them, variables before the numbers that they are found by.
 * 3. A turn is bounded, by transactions and by requests to the platform. One with more to do leaves it to the next.
 * 4. What can't be removed keeps nothing else: a file is passed by until the next turn, a call until it is due again
 *    (ledger/people/unremoved-calls.ts), and a file in a folder that this process does not see is left to one that does.
 *    The turn fails with it at its end, so that people are told.
 */

/** Transactions of one turn: a million contacts that lose their variables, two hundred thousand that lose their number. */
const MOST_A_TURN = 2_000;

/** Requests of one turn to the platform, which has calls to make: with a turn each ten minutes, 28,800 a day. */
const MOST_REQUESTS = 200;

/** Of them, for calls that it did not remove before. */
const MOST_ASKED_AGAIN = 20;

const FILES_AT_ONCE = 50;

/** Files that can't be removed: then it is the folder. */
const MOST_STUCK_FILES = 200;

type Deps = ActivityDeps;

/** What a turn may still do. */
interface Turn {
  deps: Deps;
  cutoffs: Cutoffs;
  left: number;
  breathe: () => Promise<void>;
}

type Step = (tx: Db, walk: { before: number; after: string; nowMs: number }) => Promise<Aged>;

/** One turn. Safe to repeat, and to be done by two. @returns what was told of as gone, by kind. */
export async function removeAged(deps: Deps): Promise<Readonly<Record<string, number>>> {
  const { ledger, now } = deps;
  // What a ledger that may be older than reality holds is what a recovery finds out by.
  if ((await readInstallation(ledger.db)).recoveryReason !== undefined) return {};
  const cutoffs = cutoffsAt(await readRetention(ledger.db), now());
  const turn: Turn = { deps, cutoffs, left: MOST_A_TURN, breathe: createGuestBreather() };
  const failures = await removeKinds(turn);
  // Whatever a step failed with, what went is told.
  const told = await ledger.transaction((tx) => tellAged(tx, now()));
  for (const [kind, n] of Object.entries(told)) if (isRetentionKind(kind)) deps.meter?.aged(kind, n);
  if (Object.keys(told).length > 0)
    deps.log.info({ removed: told }, "what is too old to be kept was removed");
  if (failures.length > 0) throw failures[0];
  return told;
}

/** One that fails keeps no other from its turn. @returns with what they failed */
async function removeKinds(turn: Turn): Promise<unknown[]> {
  const steps: readonly (() => Promise<void>)[] = [
    () => removeRecordings(turn),
    () => walkCampaigns(turn, "clear"),
    () => walk(turn, "contacts", clearRejects),
    () => walk(turn, "contacts", removeTags),
    () => walkCampaigns(turn, "strip"),
    () => walk(turn, "attempts", stripInbound),
    () => walk(turn, "analysis", clearCalls),
    () => walk(turn, "analysis", clearLabels),
    () => walk(turn, "analysis", clearActions),
    () => walk(turn, "enrolments", stripAgedEnrolments),
    () => walk(turn, "audit", removeAudit),
    () => removePlatformCalls(turn),
  ];
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  return failures;
}

/** Takes the steps of one kind, the oldest first, as far as the turn goes. */
async function walk(turn: Turn, kind: RetentionKind, step: Step): Promise<void> {
  const { ledger, now } = turn.deps;
  const before = turn.cutoffs[kind];
  if (before === undefined) return;
  for (let after: string | undefined = ""; after !== undefined && turn.left > 0; turn.left -= 1) {
    const from: string = after;
    const { gone, next } = await ledger.transaction(async (tx) => {
      const aged = await step(tx, { before, after: from, nowMs: now() });
      await bookAged(tx, { kind, gone: aged.gone, nowMs: now() });
      return aged;
    });
    after = next;
    // Where nothing of a whole page could go, the turn still has its bound.
    if (gone > 0 || next !== undefined) await turn.breathe();
  }
}

/** The same, campaign by campaign. */
async function walkCampaigns(turn: Turn, how: "clear" | "strip"): Promise<void> {
  const { ledger } = turn.deps;
  const kind = how === "clear" ? "contacts" : "attempts";
  const before = turn.cutoffs[kind];
  if (before === undefined) return;
  const step = how === "clear" ? clearContacts : stripAgedContacts;
  for (let after: string | undefined = ""; after !== undefined && turn.left > 0; turn.left -= 1) {
    const page: { ids: string[]; next: string | undefined } = await listAgedCampaigns(ledger.db, {
      step: how,
      before,
      after,
    });
    for (const campaignId of page.ids)
      await walk(turn, kind, (tx, from) => step(tx, { ...from, campaignId }));
    after = page.next;
    await turn.breathe();
  }
}

async function removeRecordings(turn: Turn): Promise<void> {
  const { ledger, recordingsDir, now } = turn.deps;
  const before = turn.cutoffs.recordings;
  if (before === undefined) return;
  const stuck: unknown[] = [];
  for (let after: string | undefined = ""; after !== undefined && turn.left > 0;) {
    const found = await listAgedRecordings(ledger.db, { before, after, limit: FILES_AT_ONCE });
    for (const { actionId, file, keptIn: kept } of found) {
      const keptIn = kept ?? undefined;
      let outcome: "removed" | "elsewhere";
      try {
        outcome = await removeRecordingFile(recordingsDir, { file, keptIn });
      } catch (error) {
        stuck.push(error);
        continue;
      }
      turn.left -= 1;
      await ledger.transaction(async (tx) => {
        if (!(await noteRecordingGone(tx, actionId))) return;
        const left = { kind: "recording", what: file, keptIn, error: whyElsewhere(keptIn) } as const;
        // Whoever sees its folder removes it (remove-left.ts), and keeps nothing else of the person from going.
        if (outcome === "elsewhere")
          await leaveBehind(tx, { ...left, forgettingId: undefined, nowMs: now() });
        else await bookAged(tx, { kind: "recordings", gone: 1, nowMs: now() });
      });
    }
    turn.left -= 1;
    const isLast = found.length < FILES_AT_ONCE || stuck.length >= MOST_STUCK_FILES;
    after = isLast ? undefined : found.at(-1)?.place;
  }
  const [failure] = stuck;
  if (failure !== undefined) throw new RetentionFailedError(whyNotRemoved(failure), { cause: failure });
}

/** Attempts, then calls to us: each walk has a place of its own, behind which nothing is left but what is asked for again. */
async function removePlatformCalls(turn: Turn): Promise<void> {
  const { ledger, now } = turn.deps;
  const before = turn.cutoffs.platform_calls;
  if (before === undefined) return;
  const begun = (await readProgressOf(ledger.db)).get("platform_calls")?.place ?? "0";
  // `<attempt> <moment> <call>`, the latter two of a call to us.
  const [attempt = "0", ...inbound] = begun.split(" ");
  const place = { attempt, inbound: inbound.join(" ") };
  const asking: Asking = { turn, place, inARow: 0 };
  let requests = MOST_REQUESTS - MOST_ASKED_AGAIN;
  while (requests > 0 && asking.inARow < MOST_IN_A_ROW) {
    const found = await listAgedCalls(ledger.db, { before, after: place.attempt, limit: requests });
    if (found.place === undefined) break;
    const { calls } = found;
    const asked = await removeEach(asking, calls, ({ place: attempt }) => ({ attempt }));
    if (asked === calls.length && found.place !== place.attempt)
      await notePlace(ledger.db, place, { attempt: found.place });
    requests -= Math.max(1, asked);
  }
  if (requests > 0 && asking.inARow < MOST_IN_A_ROW) {
    const calls = await listAgedInbound(ledger.db, { before, after: place.inbound, limit: requests });
    await removeEach(asking, calls, ({ place: to }) => ({ inbound: to }));
  }
  // Last, with a count of their own: however many there are, the walk comes first.
  const again = { before, nowMs: now(), limit: MOST_ASKED_AGAIN };
  const due = await listDueUnremoved(ledger.db, again);
  const askingAgain: Asking = { turn, place, inARow: 0 };
  await removeEach(
    askingAgain,
    due.map((callId) => ({ callId })),
    () => ({}),
  );
  const stuck = await readStuck(ledger.db, before);
  if (stuck)
    throw new RetentionFailedError(
      `the platform keeps its records of ${stuck.n} calls that are too old to be kept, of ${stuck.callId} for example, and is asked again each day: ${stuck.error}`,
    );
  for (const { failure } of [asking, askingAgain]) if (failure) throw failure;
}

/** One after the other, until it is the platform that fails. @returns of how many it was asked */
async function removeEach<Call extends { callId: string }>(
  asking: Asking,
  calls: readonly Call[],
  placeBehind: (call: Call) => Partial<Place>,
): Promise<number> {
  let asked = 0;
  for (const call of calls) {
    if (asking.inARow >= MOST_IN_A_ROW) break;
    await removeOne(asking, call.callId, placeBehind(call));
    asked += 1;
  }
  return asked;
}

/** Something could not be removed just now. No number is in it. */
class RetentionFailedError extends Error {
  override readonly name = "RetentionFailedError";
}

interface Place {
  attempt: string;
  inbound: string;
}

/** What a turn knows of the platform. */
interface Asking {
  turn: Turn;
  place: Place;
  /** Calls that it did not remove, since it last removed one. */
  inARow: number;
  /** What the last of too many failed with. */
  failure?: RetentionFailedError;
}

/** @throws where it is not about this call: then nothing is passed by. */
async function removeOne(asking: Asking, callId: string, to: Partial<Place>): Promise<void> {
  const { turn, place } = asking;
  const { ledger, platform, now, log } = turn.deps;
  let outcome: "removed" | "gone_before" | undefined;
  try {
    outcome = await deletePlatformCall(platform, callId);
    asking.inARow = 0;
  } catch (error) {
    const why = whyNotRemoved(error);
    const failure = new RetentionFailedError(why, { cause: error });
    if (!concernsOne(error)) throw failure;
    asking.inARow += 1;
    if (asking.inARow === MOST_IN_A_ROW) asking.failure = failure;
    log.warn({ callId, error: why }, "the platform keeps its record of a call; it is asked again later");
    await noteUnremoved(ledger.db, { callId, error: why, nowMs: now() });
  }
  Object.assign(place, to);
  const gone = outcome === "removed" ? 1 : 0;
  await ledger.transaction(async (tx) => {
    if (outcome !== undefined) await forgetUnremoved(tx, callId);
    await bookAged(tx, { kind: "platform_calls", gone, place: textOf(place), nowMs: now() });
  });
}

async function notePlace(db: Db, place: Place, to: Partial<Place>): Promise<void> {
  Object.assign(place, to);
  await bookAged(db, { kind: "platform_calls", gone: 0, place: textOf(place), nowMs: 0 });
}

const textOf = ({ attempt, inbound }: Place) => `${attempt} ${inbound}`.trimEnd();
