import fs from "node:fs";
import path from "node:path";

import { readFolderIds } from "../../activities/follow-ups/recordings-folder.ts";
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  PlatformError,
  UnauthorizedError,
  type Platform,
} from "../../platform/index.ts";

/* What is held of people outside of the ledger, and goes from there: files of recordings, records of the platform. */

/** A recording, and the id of the folder that it was kept in, as far as that was written down. */
export interface RecordingFile {
  file: string;
  keptIn: string | undefined;
}

/**
 * Removes a recording's file. One that is not here is gone where this is the folder that it was kept in, and
 * `elsewhere` where that is another one, which this process does not see. What leads out of the folder is none of ours.
 */
export async function removeRecordingFile(
  root: string,
  { file, keptIn }: RecordingFile,
): Promise<"removed" | "elsewhere"> {
  const place = path.resolve(root, file);
  if (!place.startsWith(`${path.resolve(root)}${path.sep}`)) return "removed";
  try {
    await fs.promises.unlink(place);
    return "removed";
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  // Read each time: a disk that is not mounted any more has no id, and nothing is gone by that.
  return keptIn !== undefined && (await readFolderIds(root)).includes(keptIn) ? "removed" : "elsewhere";
}

/** Why a recording is still to be removed, in words that name nobody. */
export function whyElsewhere(keptIn: string | undefined): string {
  return keptIn === undefined
    ? "it is not in this folder for recordings, and nobody wrote down in which it was kept"
    : `no process that sees the folder for recordings ${keptIn} has removed it`;
}

/**
 * Has the platform remove its record of a call, with transcript, recording and analysis.
 *
 * @throws PlatformError where it does not, such as for a key without the right to.
 */
export async function deletePlatformCall(
  platform: Platform,
  callId: string,
): Promise<"removed" | "gone_before"> {
  try {
    await platform.calls.delete(callId);
    return "removed";
  } catch (error) {
    if (error instanceof NotFoundError) return "gone_before";
    throw error;
  }
}

/** Calls that the platform does not remove, one after the other: then it is the platform that fails, and no single call. */
export const MOST_IN_A_ROW = 10;

/** Whether the platform answered about this very call. A key that may not remove calls may remove none. */
export function concernsOne(error: unknown): boolean {
  if (error instanceof ConflictError) return true;
  if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return false;
  return error instanceof PlatformError && error.status !== undefined && error.status !== TOO_MANY_REQUESTS;
}

const TOO_MANY_REQUESTS = 429;

/** The platform's list of calls to us could not be read. No number is in it. */
export class CallsUnreadError extends Error {
  override readonly name = "CallsUnreadError";
  constructor(cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`the platform's list of calls to us could not be read: ${why}`, { cause });
  }
}

/** Why something could not be removed, in words that name nobody. */
export function whyNotRemoved(error: unknown): string {
  if (error instanceof CallsUnreadError) return error.message;
  if (error instanceof ConflictError) return "the platform removes no record of a call that is still up";
  if (error instanceof PlatformError && error.status === 403)
    return "the platform's key may not remove calls: give it the right calls:delete";
  if (error instanceof PlatformError) return `the platform could not remove a call: ${error.message}`;
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return `a recording could not be removed (${error.code}): see to the rights of the folder for recordings`;
  return error instanceof Error ? `${error.name}: a step failed and is tried again` : "a step failed";
}
