import { tryLock } from "fs-native-extensions";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";

import { makeDataDir } from "./data-dir.ts";
import { LedgerLockedError, lockPath, readLockRecord, type LockRecord } from "./lock-record.ts";

/*
 * The lock of a data folder.
 *
 * 1. At most one process holds it: it is a lock of the operating system, which goes with its process.
 * 2. Its file says who holds it: pid, address of its HTTP API, token. Only the owner may read it (0600).
 * 3. A file that was never closed and whose machine has booted since says that the machine crashed with the
 *    ledger open: the last writes may be missing (PGlite makes no fsync). So does one that makes no sense.
 * 4. The mark of a crash stays in the file, whatever becomes of the processes that open it after, until somebody
 *    has written into the ledger itself that it must be recovered.
 */

export interface DataDirLock {
  /** The token that other commands show to this holder's HTTP API. */
  readonly token: string;
  /** The machine crashed with the ledger open, and nobody has said yet that the ledger knows. */
  readonly crashedMachine: boolean;
  /** The ledger itself holds all dialing from now on: the mark of the crash has done its work. */
  forgetCrash(): void;
  /** Tells other commands where this holder's HTTP API listens. */
  announce(address: string): void;
  release(): void;
}

/**
 * Takes the lock of a data folder, which is made where it is missing (0700).
 *
 * @throws LedgerLockedError where another process holds it.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  makeDataDir(dataDir);
  const file = lockPath(dataDir);
  const existed = fs.existsSync(file);
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
  if (!tryLock(fd)) {
    fs.closeSync(fd);
    throw new LedgerLockedError(dataDir, readLockRecord(dataDir));
  }
  const isNew = !existed && fs.fstatSync(fd).size === 0;
  const bootId = machineBootId();
  const token = randomBytes(24).toString("base64url");
  const record: LockRecord = {
    pid: process.pid,
    bootId,
    since: new Date().toISOString(),
    closed: false,
    crashed: isNew ? false : tellsOfCrash(readLockRecord(dataDir), bootId),
    token,
  };
  write(fd, record);
  return {
    token,
    get crashedMachine() {
      return record.crashed;
    },
    forgetCrash() {
      record.crashed = false;
      write(fd, record);
    },
    announce(address) {
      record.address = address;
      write(fd, record);
    },
    release() {
      const { pid, since, crashed } = record;
      write(fd, { pid, bootId, since, closed: true, crashed });
      fs.closeSync(fd);
    },
  };
}

/** A file that makes no sense was torn by a crash: a process that is killed leaves the old record or the new. */
function tellsOfCrash(previous: LockRecord | undefined, bootId: string): boolean {
  if (!previous) return true;
  return previous.crashed || (!previous.closed && previous.bootId !== bootId);
}

/**
 * In its place, because the lock is the file's own. Of one size (a disk's sector) and in one request, so that
 * whoever is killed at it leaves the old record or the new one: cut to nothing first, the file would lose a crash
 * of the machine to a crash of the process.
 */
function write(fd: number, record: LockRecord): void {
  const text = `${JSON.stringify(record).padEnd(RECORD_BYTES - 1)}\n`;
  fs.writeSync(fd, text, 0);
  // What a longer record left behind.
  fs.ftruncateSync(fd, Buffer.byteLength(text));
  fs.fsyncSync(fd);
}

/** A record takes some 250 bytes; an address that makes it longer is written whole all the same. */
const RECORD_BYTES = 512;

/** Differs after each boot. Where the system has no boot id: the boot's time, to ten seconds. */
function machineBootId(): string {
  try {
    return fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    const bootedAtMs = Date.now() - os.uptime() * 1_000;
    return `booted-${Math.round(bootedAtMs / 10_000)}`;
  }
}
