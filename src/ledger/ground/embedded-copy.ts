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
  { dataDir, folder, reserveBytes }: { dataDir: string; folder: string; reserveBytes: number },
): Promise<CopiedAside> {
  removeOldCopies(dataDir);
  const { bavail, bsize } = await fs.promises.statfs(dataDir);
  const missing = (await folderBytes(folder)) + reserveBytes - bavail * bsize;
  if (missing > 0) {
    const megabytes = Math.ceil(missing / 1024 ** 2);
    throw new LedgerFullError(
      `there is no room for a copy of the ledger beside it: ${megabytes} MB more are needed in ${dataDir}`,
    );
  }
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

/** Those of whoever was ended before they took theirs away. */
export function removeOldCopies(dataDir: string): void {
  for (const name of fs.readdirSync(dataDir).filter((one) => one.startsWith(PREFIX))) {
    const copy = path.join(dataDir, name);
    const made = fs.statSync(copy, { throwIfNoEntry: false });
    if (made && Date.now() - made.mtimeMs > FORGOTTEN_MS) fs.rmSync(copy, { recursive: true, force: true });
  }
}
