import fs from "node:fs";
import path from "node:path";

import { ConflictError, NotFoundError, PlatformError, type Platform } from "../../platform/index.ts";

/* What is held of people outside of the ledger, and goes from there: files of recordings, records of the platform. */

/** One that is not there is gone. What leads out of the folder is none of ours. */
export async function removeRecordingFile(root: string, file: string): Promise<void> {
  const place = path.resolve(root, file);
  if (!place.startsWith(`${path.resolve(root)}${path.sep}`)) return;
  await fs.promises.rm(place, { force: true });
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

/** Why something could not be removed, in words that name nobody. */
export function whyNotRemoved(error: unknown): string {
  if (error instanceof ConflictError) return "the platform removes no record of a call that is still up";
  if (error instanceof PlatformError && error.status === 403)
    return "the platform's key may not remove calls: give it the right calls:delete";
  if (error instanceof PlatformError) return `the platform could not remove a call: ${error.message}`;
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return `a recording could not be removed (${error.code}): see to the rights of the folder for recordings`;
  return error instanceof Error ? `${error.name}: a step failed and is tried again` : "a step failed";
}
