import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";

import { BackupError, type BackedUpFile } from "./manifest.ts";

/** The files below a folder of a backup, with their sums. */
export async function sumsBelow(
  backup: string,
  folder: string,
  signal: AbortSignal,
): Promise<BackedUpFile[]> {
  const found = await fs.promises.readdir(path.join(backup, folder), {
    recursive: true,
    withFileTypes: true,
  });
  const names = found
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(backup, path.join(entry.parentPath, entry.name)))
    .sort();
  const files: BackedUpFile[] = [];
  for (const name of names) files.push(await sumOf(backup, name, signal));
  return files;
}

export async function sumOf(backup: string, name: string, signal: AbortSignal): Promise<BackedUpFile> {
  signal.throwIfAborted();
  const hash = createHash("sha256");
  await pipeline(fs.createReadStream(path.join(backup, name)), hash, { signal });
  const { size: bytes } = await fs.promises.stat(path.join(backup, name));
  return { path: name.split(path.sep).join("/"), bytes, sha256: hash.digest("hex") };
}

/** How many damaged files are named. */
const NAMED = 5;

/**
 * Holds a backup's files against what it says of them.
 *
 * @throws BackupError where one is missing, or another than it was.
 */
export async function checkSums(
  backup: string,
  files: readonly BackedUpFile[],
  signal: AbortSignal,
): Promise<void> {
  const wrong: string[] = [];
  for (const { path: name, bytes, sha256 } of files) {
    const within = path.join(backup, ...name.split("/"));
    const isThere = path.relative(backup, within).split(path.sep)[0] !== ".." && fs.existsSync(within);
    if (!isThere) wrong.push(`${name} is missing`);
    else {
      const now = await sumOf(backup, path.join(...name.split("/")), signal);
      if (now.bytes !== bytes || now.sha256 !== sha256) wrong.push(`${name} is another than it was`);
    }
  }
  if (wrong.length === 0) return;
  const more = wrong.length > NAMED ? `, and ${wrong.length - NAMED} more` : "";
  throw new BackupError(
    `the backup in ${backup} is damaged: ${wrong.slice(0, NAMED).join(", ")}${more}. Restore another one`,
  );
}
