import { tryLock } from "fs-native-extensions";
import { closeSync, openSync } from "node:fs";

import { SandboxOptionsError } from "./options-error.ts";

/**
 * Takes a data file for this sandbox alone: two that save to one file would each undo what the other one has. A lock
 * of the operating system on a file beside it, which goes with its process.
 *
 * Throws if another sandbox has it. Returns how it is given back, as often as one likes.
 */
export function lockDataFile(file: string): () => void {
  const handle = openLock(file);
  if (!tryLock(handle)) {
    closeSync(handle);
    throw new SandboxOptionsError(
      `sandbox: another sandbox keeps its state in ${file}: end that one, or name another file`,
    );
  }
  let isHeld = true;
  return () => {
    if (isHeld) {
      isHeld = false;
      closeSync(handle);
    }
  };
}

/** Nobody gave the lock's name: what keeps it from being made is told of the data file, whose folder it shares. */
function openLock(file: string): number {
  try {
    return openSync(`${file}.lock`, "a", 0o600);
  } catch (error) {
    if (error instanceof Error && "path" in error) Object.assign(error, { path: file });
    throw error;
  }
}
