import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

/*
 * What the lock file of a data folder says of its holder: for whoever looks for the holder. Taking the lock is
 * data-dir-lock.ts.
 */

const recordSchema = z.object({
  pid: z.number(),
  bootId: z.string(),
  since: z.string(),
  closed: z.boolean(),
  /** The machine crashed with the ledger open, and the ledger does not know it yet. */
  crashed: z.boolean().default(false),
  address: z.string().optional(),
  token: z.string().optional(),
});

/** What the lock's file says of its holder. */
export type LockRecord = z.infer<typeof recordSchema>;

/** Somebody else holds the folder. `holder` is what its lock file says. */
export class LedgerLockedError extends Error {
  override readonly name = "LedgerLockedError";
  readonly holder: LockRecord | undefined;
  constructor(dataDir: string, holder: LockRecord | undefined) {
    const who = holder ? `process ${holder.pid} since ${holder.since}` : "another process";
    super(
      `the ledger in ${dataDir} is in use by ${who}: end that process, or set OUTDIAL_DATA_DIR to another folder`,
    );
    this.holder = holder;
  }
}

export function lockPath(dataDir: string): string {
  return path.join(dataDir, "ledger.lock");
}

/** Who holds the folder, as far as its file says. Undefined where there is none, or it makes no sense. */
export function readLockRecord(dataDir: string): LockRecord | undefined {
  let text: string;
  try {
    text = fs.readFileSync(lockPath(dataDir), "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // A path that leads through a file has none either; whoever wants to write there is told.
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    // Torn by a crash of the machine, or not written yet: the operating system's lock is what counts.
    return undefined;
  }
}
