import fs from "node:fs";
import path from "node:path";

/** What a copy took. */
export interface Copied {
  files: number;
  bytes: number;
}

/** Requests to the disk at once: it puts them in an order of its own, and one sync often does for many. */
const AT_ONCE = 32;

/**
 * Copies a folder with all that is in it, to a place that is not there yet, for its owner alone (0700, 0600). It is on
 * the disk once it is synced, too (`syncFolder`).
 *
 * @param skip says by its path within the folder what is left out
 * @param signal ends it between two lots of files, with its reason
 * @throws the file system's error; what was copied by then stays where it is.
 */
export async function copyFolder(
  from: string,
  to: string,
  skip: (relative: string) => boolean = () => false,
  signal?: AbortSignal,
): Promise<Copied> {
  const copied = { files: 0, bytes: 0 };
  await copyInto({ from, to, skip, copied, signal }, "");
  return copied;
}

interface Copying {
  from: string;
  to: string;
  skip: (relative: string) => boolean;
  copied: Copied;
  signal: AbortSignal | undefined;
}

async function copyInto(copying: Copying, relative: string): Promise<void> {
  const { from, to, skip, copied, signal } = copying;
  await fs.promises.mkdir(path.join(to, relative), { mode: 0o700 });
  const entries = await fs.promises.readdir(path.join(from, relative), { withFileTypes: true });
  const within = entries
    .map((entry) => ({ entry, name: path.join(relative, entry.name) }))
    .filter(({ name }) => !skip(name));
  const files = within.filter(({ entry }) => entry.isFile());
  await inLots(files, async ({ name }) => {
    signal?.throwIfAborted();
    copied.bytes += await copyFile(path.join(from, name), path.join(to, name));
    copied.files += 1;
  });
  for (const { entry, name } of within) if (entry.isDirectory()) await copyInto(copying, name);
}

async function inLots<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await Promise.all(all.slice(from, from + AT_ONCE).map(work));
  }
}

/** @returns its size. */
async function copyFile(from: string, to: string): Promise<number> {
  // Where the file system can, the two share their blocks until one of them changes.
  await fs.promises.copyFile(from, to, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
  await fs.promises.chmod(to, 0o600);
  return (await fs.promises.stat(to)).size;
}

/** Sees that a folder and all that is in it is on the disk: what was copied for a bad day must survive it. */
export async function syncFolder(folder: string): Promise<void> {
  const found = await fs.promises.readdir(folder, { recursive: true, withFileTypes: true });
  const places = found
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  await inLots(places, sync);
  await sync(folder);
  await sync(path.dirname(folder));
}

async function sync(place: string): Promise<void> {
  const opened = await fs.promises.open(place, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** Moves a folder to a place of the same or of another disk that is not there yet; it is there whole, or not at all. */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    await fs.promises.rename(from, to);
    await sync(path.dirname(to));
    return;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
  }
  const half = `${to}.new`;
  await fs.promises.rm(half, { recursive: true, force: true });
  await copyFolder(from, half);
  await syncFolder(half);
  await fs.promises.rename(half, to);
  await sync(path.dirname(to));
  await fs.promises.rm(from, { recursive: true, force: true });
}

/** How much a folder holds, in bytes. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await fs.promises.readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await fs.promises.stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
