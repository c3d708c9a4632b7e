import fs from "node:fs";
import path from "node:path";

import { isCopy, refuseWithoutReserve } from "../ledger/ground/embedded-copy.ts";
import { lockDataDir } from "../ledger/ground/data-dir-lock.ts";
import { copyFolder, moveFolder, syncFolder } from "../ledger/ground/folder-copy.ts";
import type { LedgerFacts } from "../ledger/recovery/backup-facts.ts";
import { sumOf, sumsBelow } from "./checksums.ts";
import { LEDGER_FOLDER, readCopied } from "./embedded.ts";
import { BackupError, writeManifest, type BackedUpFile, type Manifest } from "./manifest.ts";
import { DUMP_FILE, dumpPostgres } from "./postgres.ts";
import { backUpRecordings } from "./recordings.ts";

/** A ledger's files, copied by whoever has it open. */
export interface CopiedLedger {
  folder: string;
  atMs: number;
}

export interface BackUpInput {
  /** Where to; it is made, and has nobody but its owner look into it. */
  folder: string;
  version: string;
  ledger:
    | { kind: "postgres"; databaseUrl: string }
    /** `copy` has it copied by the process that has it open; undefined: none has. */
    | { kind: "embedded"; dataDir: string; copy: (() => Promise<CopiedLedger>) | undefined };
  /** Undefined: they are left out. */
  recordingsDir: string | undefined;
  say: (message: string) => void;
  /** Ends it: what is there by then is taken away, as after a failure. */
  signal: AbortSignal;
}

/**
 * Makes a backup: the ledger as it was at one moment, opened and read to its end, and recordings. What is there after
 * a failure is taken away again.
 *
 * @throws BackupError, LedgerLockedError, LedgerUnavailableError, the file system's error, the signal's reason.
 */
export async function backUp(input: BackUpInput): Promise<Manifest> {
  const { folder, say, signal } = input;
  const isNew = await claimFolder(folder);
  try {
    const { facts, atMs, files } =
      input.ledger.kind === "postgres"
        ? await backUpPostgres(input.ledger.databaseUrl, folder, say, signal)
        : await backUpEmbedded(input.ledger, folder, say, signal);
    const { recordingsDir } = input;
    const recordings =
      recordingsDir === undefined ? undefined : await backUpRecordings(recordingsDir, folder, signal);
    // All of it, before anybody is told that it is complete.
    await syncFolder(folder);
    signal.throwIfAborted();
    const manifest = {
      version: input.version,
      at: new Date(atMs).toISOString(),
      kind: input.ledger.kind,
      installation_id: facts.installationId ?? null,
      simulated: facts.simulated ?? null,
      migrations: facts.migrations,
      counts: facts.counts,
      files,
      recordings: recordings ?? null,
    };
    return await writeManifest(folder, manifest);
  } catch (error) {
    await empty(folder, isNew);
    throw error;
  }
}

interface BackedUp {
  facts: LedgerFacts;
  atMs: number;
  files: BackedUpFile[];
}

async function backUpPostgres(
  databaseUrl: string,
  folder: string,
  say: (message: string) => void,
  signal: AbortSignal,
): Promise<BackedUp> {
  say("dumping the ledger");
  const { facts, atMs } = await dumpPostgres(databaseUrl, folder, signal);
  return { facts, atMs, files: [await sumOf(folder, DUMP_FILE, signal)] };
}

async function backUpEmbedded(
  { dataDir, copy }: Extract<BackUpInput["ledger"], { kind: "embedded" }>,
  folder: string,
  say: (message: string) => void,
  signal: AbortSignal,
): Promise<BackedUp> {
  const place = path.join(folder, LEDGER_FOLDER);
  let atMs: number;
  if (copy) {
    say("having the ledger copied by the process that has it open");
    const copied = await copy();
    atMs = copied.atMs;
    const aside = path.dirname(copied.folder);
    if (!isCopy(aside) || !fs.existsSync(copied.folder)) {
      throw new BackupError(
        `the ledger was copied to ${copied.folder} on another machine: run this there, where its data folder is`,
      );
    }
    try {
      await moveFolder(copied.folder, place);
    } finally {
      await fs.promises.rm(aside, { recursive: true, force: true });
    }
  } else {
    say("copying the ledger");
    atMs = await copyClosed(dataDir, place, signal);
  }
  say("opening the copy and reading all of it");
  // What is opened writes.
  refuseWithoutReserve(folder, 0);
  signal.throwIfAborted();
  const facts = await readCopied(place);
  return { facts, atMs, files: await sumsBelow(folder, LEDGER_FOLDER, signal) };
}

/** Nobody has it open, and nobody can meanwhile. */
async function copyClosed(dataDir: string, place: string, signal: AbortSignal): Promise<number> {
  const ledger = path.join(dataDir, LEDGER_FOLDER);
  if (!fs.existsSync(path.join(ledger, "PG_VERSION"))) {
    throw new BackupError(
      `there is no ledger in ${dataDir}: set OUTDIAL_DATA_DIR or DATABASE_URL to the one that you mean`,
    );
  }
  const lock = lockDataDir(dataDir);
  try {
    const atMs = Date.now();
    await copyFolder(ledger, place, undefined, signal);
    return atMs;
  } finally {
    lock.release();
  }
}

/** @returns whether it was made now. @throws BackupError where something is in it. */
async function claimFolder(folder: string): Promise<boolean> {
  const isNew = !fs.existsSync(folder);
  await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
  const { length } = await fs.promises.readdir(folder);
  if (length > 0) {
    throw new BackupError(`there is something in ${folder} already: name a folder that is new or empty`);
  }
  await fs.promises.chmod(folder, 0o700);
  return isNew;
}

async function empty(folder: string, isNew: boolean): Promise<void> {
  if (isNew) return fs.promises.rm(folder, { recursive: true, force: true });
  for (const name of await fs.promises.readdir(folder)) {
    await fs.promises.rm(path.join(folder, name), { recursive: true, force: true });
  }
}
