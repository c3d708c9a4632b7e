import { tryLock } from "fs-native-extensions";
import { open, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TemporalUnavailableError } from "./errors.ts";

/*
 * Two locks of the operating system in the data folder. Both go with the processes that hold their open file,
 * so neither can be left behind.
 *
 * - `temporal.start.lock`: held while somebody looks whether a server runs, starts or stops one.
 * - `temporal.lock`: inherited by the server itself. While it is held a server has the data file open; a
 *   second one would open it as well without a word, and the two would destroy each other's work.
 */

/**
 * The longest that a holder keeps the start lock: three tries to start, half a minute each, after ending a
 * server that answers no more.
 */
const START_LOCK_BOUND_MS = 150_000;
/** Latency of noticing that a lock is free; a server start takes hundreds of milliseconds. */
const POLL_MS = 50;

/**
 * Runs `work` while no other process (and no other call in this one) starts or stops the folder's server.
 *
 * @throws TemporalUnavailableError where the lock does not become free in time.
 */
export async function withStartLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(path.join(dataDir, "temporal.start.lock"), START_LOCK_BOUND_MS);
  if (!lock) {
    throw new TemporalUnavailableError(
      `another process has been starting or stopping the Temporal server of ${dataDir} for ${START_LOCK_BOUND_MS / 1_000} s: end it and try again`,
    );
  }
  try {
    return await work();
  } finally {
    await lock.close();
  }
}

/** The lock that the server is to inherit; undefined where a server holds it beyond the bound. */
export function takeServerLock(dataDir: string, boundMs: number): Promise<FileHandle | undefined> {
  return takeLock(path.join(dataDir, "temporal.lock"), boundMs);
}

async function takeLock(file: string, boundMs: number): Promise<FileHandle | undefined> {
  const handle = await open(file, "a+", 0o600);
  const deadline = performance.now() + boundMs;
  while (!tryLock(handle.fd)) {
    if (performance.now() > deadline) {
      await handle.close();
      return undefined;
    }
    await delay(POLL_MS);
  }
  return handle;
}
