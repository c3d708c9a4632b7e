import fs from "node:fs";
import path from "node:path";

import { copyFolder, type Copied } from "../ledger/ground/folder-copy.ts";

/** Where a backup has them. */
const FOLDER = "recordings";

/** A download that is under way: the file that it becomes is whole from its first moment. */
const HALF = /\.part$/;

/** Copies recordings into a backup. Undefined where there are none. */
export async function backUpRecordings(
  from: string,
  backup: string,
  signal: AbortSignal,
): Promise<Copied | undefined> {
  if (!fs.existsSync(from)) return undefined;
  return copyFolder(from, path.join(backup, FOLDER), (relative) => HALF.test(relative), signal);
}

/** Copies those of a backup that are missing: one that is there is the same, since recordings never change. */
export async function restoreRecordings(backup: string, to: string): Promise<Copied> {
  const restored: Copied = { files: 0, bytes: 0 };
  const from = path.join(backup, FOLDER);
  if (!fs.existsSync(from)) return restored;
  const found = await fs.promises.readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of found) {
    if (!entry.isFile()) continue;
    const within = path.relative(from, path.join(entry.parentPath, entry.name));
    const place = path.join(to, within);
    if (fs.existsSync(place)) continue;
    await fs.promises.mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    const half = `${place}.part`;
    await fs.promises.copyFile(path.join(from, within), half);
    await fs.promises.chmod(half, 0o600);
    await fs.promises.rename(half, place);
    restored.files += 1;
    restored.bytes += (await fs.promises.stat(place)).size;
  }
  return restored;
}
