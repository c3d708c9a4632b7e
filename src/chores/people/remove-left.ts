import type { ActivityDeps } from "../../activities/deps.ts";
import { readFolderIds } from "../../activities/follow-ups/recordings-folder.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import { readInstallation } from "../../ledger/ground/installation.ts";
import { bookAged } from "../../ledger/ground/retention.ts";
import { bookRemoved, retellForgetting } from "../../ledger/people/forgettings.ts";
import {
  listDueLeft,
  listLeftIn,
  putOffLeft,
  readStuckLeft,
  strikeLeft,
  type RemovalLeft,
} from "../../ledger/people/removals-left.ts";
import {
  concernsOne,
  deletePlatformCall,
  MOST_IN_A_ROW,
  removeRecordingFile,
  whyElsewhere,
  whyNotRemoved,
} from "./removing-elsewhere.ts";

/*
 * Removes what was left when the rest of somebody went (ledger/people/removals-left.ts): every process the recordings in
 * its own folder, one for all the rest. Each is booked in the transaction in which it is struck off, once.
 */

/** Recordings of one turn. */
const FILES_AT_ONCE = 200;

/** Requests of one turn to the platform, which has calls to make. */
const CALLS_AT_ONCE = 20;

/** Whoever sees a recording's folder comes first, each minute (chores.ts). */
const OTHERS_AFTER_MS = 5 * 60_000;

type Deps = ActivityDeps;

/** Something is left that could not be removed for hours. No number is in it. */
class RemovalStuckError extends Error {
  override readonly name = "RemovalStuckError";
}

/** One turn of every process. Safe to repeat, and to be done by two. */
export async function removeLeftHere(deps: Deps): Promise<void> {
  const { db } = deps.ledger;
  const folderIds = await readFolderIds(deps.recordingsDir);
  if (folderIds.length === 0 || (await readInstallation(db)).recoveryReason !== undefined) return;
  for (const left of await listLeftIn(db, { folderIds, nowMs: deps.now(), limit: FILES_AT_ONCE }))
    await removeFile(deps, left);
}

/**
 * One turn of one process for all. Safe to repeat, and to be done by two.
 *
 * @throws where something was asked for often and is still there: people are told.
 */
export async function removeLeft(deps: Deps): Promise<void> {
  const { ledger, now } = deps;
  if ((await readInstallation(ledger.db)).recoveryReason !== undefined) return;
  // A recording that was brought back into another folder than its own is found here as well.
  const files = { kind: "recording", nowMs: now() - OTHERS_AFTER_MS, limit: FILES_AT_ONCE } as const;
  for (const left of await listDueLeft(ledger.db, files)) await removeFile(deps, left);
  const calls = { kind: "platform_call", nowMs: now(), limit: CALLS_AT_ONCE } as const;
  let inARow = 0;
  for (const left of await listDueLeft(ledger.db, calls)) {
    if (inARow >= MOST_IN_A_ROW) break;
    inARow = (await removeCall(deps, left)) ? 0 : inARow + 1;
  }
  const stuck = await readStuckLeft(ledger.db);
  if (stuck)
    throw new RemovalStuckError(
      `${stuck.n} recordings or records of calls are still to be removed, ${stuck.what} for example: ${stuck.error}`,
    );
}

async function removeFile(deps: Deps, left: RemovalLeft): Promise<void> {
  const { ledger, recordingsDir, now } = deps;
  let error: string;
  try {
    const outcome = await removeRecordingFile(recordingsDir, { file: left.what, keptIn: left.keptIn });
    if (outcome === "removed")
      return await ledger.transaction((tx) => bookGone(tx, left, { recordings: 1 }, now()));
    error = whyElsewhere(left.keptIn);
  } catch (failure) {
    error = whyNotRemoved(failure);
  }
  await putOffLeft(ledger.db, { id: left.id, error, nowMs: now() });
}

/** @returns whether it is gone. @throws where it is not about this call */
async function removeCall({ ledger, platform, now }: Deps, left: RemovalLeft): Promise<boolean> {
  try {
    const outcome = await deletePlatformCall(platform, left.what);
    const removed = outcome === "removed" ? { platform_calls: 1 } : { platform_calls_gone_before: 1 };
    await ledger.transaction((tx) => bookGone(tx, left, removed, now()));
    return true;
  } catch (error) {
    if (!concernsOne(error)) throw error;
    await putOffLeft(ledger.db, { id: left.id, error: whyNotRemoved(error), nowMs: now() });
    return false;
  }
}

/** What went by its age is told of there, and what went with somebody in their certificate. */
async function bookGone(
  tx: Db,
  left: RemovalLeft,
  removed: Readonly<Record<string, number>>,
  nowMs: number,
): Promise<void> {
  if (!(await strikeLeft(tx, left.id))) return;
  if (left.forgettingId === undefined) return bookAged(tx, { kind: "recordings", gone: 1, nowMs });
  await bookRemoved(tx, left.forgettingId, removed);
  await retellForgetting(tx, left.forgettingId, nowMs);
}
