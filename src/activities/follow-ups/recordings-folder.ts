import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/*
 * Which folder for recordings it is. Processes may each have one of their own, so that a file that one of them does not
 * find may well be there for another: the folder's id, which lies in it, is kept with every recording.
 */

/** An id a line: the first is the folder's own, others are of folders whose recordings were moved here, or are no more. */
export const FOLDER_FILE = ".outdial-folder";

/** The ids of a folder. None where nothing was ever kept in it, or where it is not there: such as a disk that is not mounted. */
export async function readFolderIds(root: string): Promise<string[]> {
  try {
    const text = await fs.promises.readFile(path.join(root, FOLDER_FILE), "utf8");
    return text.split(/\s+/).filter((id) => id !== "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** The folder's own id, which it gets once: of two processes that begin at the same moment both take the first one's. */
export async function markFolder(root: string): Promise<string> {
  const [known] = await readFolderIds(root);
  if (known !== undefined) return known;
  const own = path.join(root, `${FOLDER_FILE}.${randomUUID()}.part`);
  const place = path.join(root, FOLDER_FILE);
  try {
    await fs.promises.writeFile(own, `${randomUUID()}\n`, { flag: "wx", mode: 0o600, flush: true });
    // It is there whole, or not at all, and takes nobody else's place.
    await fs.promises.link(own, place).catch((error: unknown) => onlyIfNoLinks(error, own, place));
  } finally {
    await fs.promises.rm(own, { force: true });
  }
  const [id] = await readFolderIds(root);
  if (id === undefined) throw new FolderUnmarkedError(`${place} has no id in it: take the file away`);
  return id;
}

/** A file system without links: of two at the same moment one's recordings are taken to be elsewhere, and are found here. */
async function onlyIfNoLinks(error: unknown, own: string, place: string): Promise<void> {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EEXIST") return;
  if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "ENOSYS") throw error;
  await fs.promises.rename(own, place);
}

/** Nobody could tell later which folder a recording was kept in. */
export class FolderUnmarkedError extends Error {
  override readonly name = "FolderUnmarkedError";
}
