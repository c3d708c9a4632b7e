import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { hasCode, SourceUnavailableError } from "./errors.ts";

/*
 * The folder of downloaded executables.
 *
 * 1. What has its final name is complete: everything is made in a staging folder beside it and renamed.
 * 2. Several processes may fill it at once: each has its own staging folder, and the last rename wins with
 *    the same content. A running executable is not disturbed, because its file is replaced, not rewritten.
 */

const STAGING_PREFIX = ".staging-";
/** A staging folder this old belongs to a process that was killed: the slowest source is bounded by minutes. */
const STAGING_LEFTOVER_MS = 24 * 3_600_000;

/** Absolute path of a cached executable, or undefined. */
export async function cachedExecutable(cacheDir: string, name: string): Promise<string | undefined> {
  const file = path.join(cacheDir, name);
  try {
    await access(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}

/**
 * Lets `build` make a file in a folder of its own and moves it into the cache as an executable.
 *
 * @param build returns the path of what it made, inside the folder that it was given.
 * @returns the absolute path in the cache.
 */
export async function publishExecutable(
  cacheDir: string,
  name: string,
  build: (stagingDir: string) => Promise<string>,
): Promise<string> {
  return inStaging(cacheDir, async (stagingDir) => {
    const built = await build(stagingDir);
    await chmod(built, 0o755);
    const target = path.join(cacheDir, name);
    await rename(built, target);
    return target;
  });
}

/** The same for a whole folder. One that another process published first is kept: they are the same. */
export async function publishDirectory(
  cacheDir: string,
  name: string,
  build: (stagingDir: string) => Promise<string>,
): Promise<string> {
  return inStaging(cacheDir, async (stagingDir) => {
    const built = await build(stagingDir);
    const target = path.join(cacheDir, name);
    try {
      await rename(built, target);
    } catch (error) {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST")) throw error;
    }
    return target;
  });
}

/** SHA-256 of a file, in hex. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** @throws SourceUnavailableError where the file is not the pinned one. */
export async function requireSha256(file: string, expected: string): Promise<void> {
  const actual = await sha256OfFile(file);
  if (actual === expected) return;
  throw new SourceUnavailableError(
    `${path.basename(file)} is not the pinned file and was not used: SHA-256 ${actual} instead of ${expected}`,
  );
}

async function inStaging<T>(cacheDir: string, work: (stagingDir: string) => Promise<T>): Promise<T> {
  await mkdir(cacheDir, { recursive: true });
  await removeLeftovers(cacheDir);
  const stagingDir = await mkdtemp(path.join(cacheDir, STAGING_PREFIX));
  try {
    return await work(stagingDir);
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
}

async function removeLeftovers(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    const folder = path.join(cacheDir, name);
    try {
      const { mtimeMs } = await stat(folder);
      if (Date.now() - mtimeMs > STAGING_LEFTOVER_MS) await rm(folder, { recursive: true, force: true });
    } catch (error) {
      // Its owner finished and removed it meanwhile.
      if (!hasCode(error, "ENOENT")) throw error;
    }
  }
}
