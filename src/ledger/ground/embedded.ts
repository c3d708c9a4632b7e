import { migrate } from "drizzle-orm/pglite/migrator";
import { sql } from "drizzle-orm";
import { spawn } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

import { ledgerError, LedgerFullError, rows, type Ledger } from "./connection.ts";
import { makePrivateFolder } from "./data-dir.ts";
import { lockDataDir, type DataDirLock } from "./data-dir-lock.ts";
import { copyAside, removeOldCopies, RESERVE_BYTES } from "./embedded-copy.ts";
import { finishReplacing } from "./embedded-place.ts";
import { openEmbeddedClient, type EmbeddedClient } from "./embedded-client.ts";
import { requireRecovery } from "./installation.ts";
import { MIGRATIONS_FOLDER, refuseNewerLedger } from "./migrate.ts";

/** An embedded ledger: PGlite in a folder that this process alone holds, and in a thread of its own. */
export interface EmbeddedLedger extends Ledger {
  readonly kind: "embedded";
  readonly lock: DataDirLock;
  /** Rejects when the database ended by itself: nothing here can go on without it. */
  readonly failed: Promise<never>;
}

/** Autovacuum does not run in PGlite: planning statistics and dead rows are seen to this often. */
const MAINTENANCE_EVERY_MS = 10 * 60_000;

/**
 * Opens the embedded ledger of a data folder, making it where there is none. Its own folder is the owner's alone
 * (0700), since PGlite lets everybody write the files in it.
 *
 * A killed process loses nothing. A crashed machine may lose the last writes: then the ledger opens with
 * dialing held until `outdial recover` (I1).
 *
 * @throws LedgerLockedError where another process holds the folder.
 */
export async function openEmbeddedLedger(dataDir: string): Promise<EmbeddedLedger> {
  const lock = lockDataDir(dataDir);
  let client: EmbeddedClient | undefined;
  try {
    const folder = path.join(dataDir, "ledger");
    removeOldCopies(dataDir);
    finishReplacing(folder);
    const isNew = !fs.existsSync(path.join(folder, "PG_VERSION"));
    if (isNew) await initialise(folder);
    makePrivateFolder(folder);
    const opened = (client = await openEmbeddedClient(folder));
    const { db } = opened;
    await refuseNewerLedger(db);
    await migrate(db, { migrationsFolder: MIGRATIONS_FOLDER });
    if (lock.crashedMachine) {
      // One that was made just now has lost nothing.
      if (!isNew) await requireRecovery(db, CRASHED, Date.now());
      lock.forgetCrash();
    }
    // What can't be done now, since the ledger is being closed or its disk is full, is done at the next time.
    const maintenance = setInterval(() => {
      maintain(db)
        .then(() => removeOldCopies(dataDir))
        .catch(() => {});
    }, MAINTENANCE_EVERY_MS);
    maintenance.unref();
    return {
      kind: "embedded",
      db,
      transaction: (work) => opened.transaction(work),
      urgent: opened.urgent,
      failed: opened.failed,
      lock,
      hasRoom: () => freeBytes(dataDir) >= RESERVE_BYTES,
      copyAside: () => copyAside(opened, { dataDir, folder }),
      async close() {
        clearInterval(maintenance);
        // Where the database ended by itself the folder is left as by a process that was killed: not closed.
        await opened.close();
        lock.release();
      },
    };
  } catch (error) {
    // Before the lock: a thread that still has the folder open writes beside whoever takes it next.
    await client?.close().catch(() => {});
    lock.release();
    if (error instanceof LedgerFullError) throw error;
    throw isFull(dataDir) ? new LedgerFullError(FULL, { cause: error }) : ledgerError(error);
  }
}

const CRASHED = "the machine went down with the ledger open: its last writes may be missing";

const FULL = "the disk under the data folder is full: make room, then run the same command again";

/** Opening takes some, making the ledger some 40 MB: with less than this left, that is what failed. */
const LEAST_BYTES = 2 * 1024 ** 2;

/** PGlite's own errors do not say it. */
function isFull(dataDir: string): boolean {
  return freeBytes(dataDir) < LEAST_BYTES;
}

function freeBytes(dataDir: string): number {
  const { bavail, bsize } = fs.statfsSync(dataDir);
  return bavail * bsize;
}

/** Tables that change all the time; the others are small or only grow. */
const BUSY_TABLES = [
  "campaigns",
  "contacts",
  "attempts",
  "batches",
  "holds",
  "refusals",
  "leases",
  "senders",
  "outbox",
  "enrolments",
  "follow_ups",
  "actions",
  "deliveries",
  "trigger_items",
  "call_hints",
] as const;

async function maintain(db: Ledger["db"]): Promise<void> {
  for (const table of BUSY_TABLES) await rows(db, sql.raw(`vacuum (analyze) ${table}`));
}

/**
 * Makes the database folder in a child, because it takes near a gigabyte that this process would keep.
 * It is made beside its place and moved there whole, so that a kill leaves nothing half.
 */
async function initialise(folder: string): Promise<void> {
  const half = `${folder}.new`;
  fs.rmSync(half, { recursive: true, force: true });
  makePrivateFolder(half);
  const script = `(async () => {
    const { PGlite } = require(${JSON.stringify(createRequire(import.meta.url).resolve("@electric-sql/pglite"))});
    const db = await PGlite.create(process.argv[1]);
    await db.close();
  })().catch((error) => {
    console.error(error?.message || "error " + error?.errno);
    process.exitCode = 1;
  })`;
  const complaint = await complaintOf(script, half);
  if (complaint === undefined) {
    fs.renameSync(half, folder);
    return;
  }
  const wasFull = isFull(path.dirname(folder));
  fs.rmSync(half, { recursive: true, force: true });
  if (wasFull) throw new LedgerFullError(FULL);
  throw new Error(`the embedded ledger could not be made in ${folder}: ${complaint}`);
}

/** Runs a script in a child. Resolves with what it complained of where it failed. */
async function complaintOf(script: string, argument: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--eval", script, argument], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString()}`.slice(-2_000);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      resolve(code === 0 ? undefined : complaint.trim() || `it ended with ${signal ?? code}`);
    });
  });
}
