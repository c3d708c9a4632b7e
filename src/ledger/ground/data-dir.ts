import fs from "node:fs";
import path from "node:path";

import { reasonWords } from "../../domain/ground/reason-words.ts";

/** The data folder can't be made or written. */
class DataDirError extends Error {
  override readonly name = "DataDirError";
}

/**
 * Makes a data folder where it is missing, for its owner alone (0700), and sees that it can be written.
 *
 * @throws DataDirError where that can't be.
 */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(path.resolve(dataDir));
    fs.accessSync(dataDir, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new DataDirError(
      `the data folder ${dataDir} can't be written (${reasonWords(error)}): change its owner or mode, or set OUTDIAL_DATA_DIR to another folder`,
      { cause: error },
    );
  }
}

/** What a mode lets the group and others do. */
const OTHERS = 0o077;

/**
 * Makes a folder that its owner alone may look into (0700), and closes one that is open to others: whoever may look
 * into the data folder around it shall not read people's numbers in it.
 *
 * @throws the file system's error where it can't be made.
 */
export function makePrivateFolder(folder: string): void {
  makeFolder(path.resolve(folder));
  const itself = fs.lstatSync(folder);
  // Where a link leads to was decided by whoever made it.
  if (itself.isSymbolicLink() || (itself.mode & OTHERS) === 0) return;
  try {
    fs.chmodSync(folder, 0o700);
  } catch {
    // Somebody else's folder, or a disk without modes: who may read it was decided there.
  }
}

/** Step by step: Node's recursive making tells another reason than the true one, and may never end. */
function makeFolder(folder: string): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
