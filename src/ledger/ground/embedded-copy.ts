import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";

import { LedgerFullError, rows, type CopiedAside, type Lane } from "./connection.ts";
import { copyFolder, folderBytes } from "./folder-copy.ts";

/*
 * A copy of an embedded ledger while it is in use. There is one session: whoever has it, and has had everything written
 * to the files, finds them as they are between two transactions. The copy is made beside the ledger, on its disk, so
 * that everything else waits for as short a time as can be; where it goes from there is nobody's loss.
 */

const PREFIX = "ledger.copy-";

/** Copies that nobody took away by then have been forgotten by whoever asked for them. */
const FORGOTTEN_MS = 60 * 60_000;

/** What says of a running server that it runs. */
const OF_A_PROCESS = new Set(["postmaster.pid", "postmaster.opts"]);

export async function copyAside(
  lane: Lane,
  { dataDir, folder }: { dataDir: string; folder: string },
): Promise<CopiedAside> {
  removeOldCopies(dataDir);
  refuseWithoutReserve(dataDir, await folderBytes(folder));
  const to = fs.mkdtempSync(path.join(dataDir, PREFIX));
  try {
    return await lane.transaction(async (tx) => {
      await rows(tx, sql.raw("checkpoint"));
      const atMs = Date.now();
      const beganMs = performance.now();
      const copy = path.join(to, "ledger");
      const copied = await copyFolder(folder, copy, (relative) => OF_A_PROCESS.has(relative));
      return { ...copied, folder: copy, atMs, heldMs: performance.now() - beganMs };
    });
  } catch (error) {
    await fs.promises.rm(to, { recursive: true, force: true });
    throw error;
  }
}

/** Whether a folder is one in which a copy is made. */
export function isCopy(folder: string): boolean {
  return path.basename(folder).startsWith(PREFIX);
}

/**
 * A PGlite that meets a full disk never returns, and its process with it: that is kept from happening. Two
 * segments of its log, which it makes ahead (16 MB each), and as much again for what was begun already.
 */
export const RESERVE_BYTES = 64 * 1024 ** 2;

/** @throws LedgerFullError where a disk has no room for so much, and for what a ledger that is opened there writes. */
export function refuseWithoutReserve(folder: string, bytes: number): void {
  const { bavail, bsize } = fs.statfsSync(folder);
  const missing = bytes + RESERVE_BYTES - bavail * bsize;
  if (missing <= 0) return;
  throw new LedgerFullError(
    `there is no room for a copy of the ledger: ${Math.ceil(missing / 1024 ** 2)} MB more are needed in ${folder}`,
  );
}

/** Those of whoever was ended before they took theirs away. */
export function removeOldCopies(dataDir: string): void {
  for (const name of fs.readdirSync(dataDir).filter((one) => one.startsWith(PREFIX))) {
    const copy = path.join(dataDir, name);
    const made = fs.statSync(copy, { throwIfNoEntry: false });
    if (made && Date.now() - made.mtimeMs > FORGOTTEN_MS) fs.rmSync(copy, { recursive: true, force: true });
  }
}
