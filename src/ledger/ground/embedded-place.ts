import fs from "node:fs";
import path from "node:path";

import { moveFolder } from "./folder-copy.ts";

/*
 * Another ledger in the place of the one that is there. No file system exchanges two folders in one step that all have,
 * so between two steps there is none: whoever opens the data folder then goes on with what was begun, since a new ledger
 * in that place would know nobody who was called.
 */

/** A ledger that is whole, and is to be in the place. */
const readyOf = (place: string) => `${place}.ready`;

/** @param aside where to what is there goes; undefined: nothing is there that anybody keeps. */
export async function replaceLedger(from: string, place: string, aside: string | undefined): Promise<void> {
  const ready = readyOf(place);
  await fs.promises.rm(ready, { recursive: true, force: true });
  if (aside === undefined) await fs.promises.rm(place, { recursive: true, force: true });
  await moveFolder(from, ready);
  if (aside !== undefined) await moveFolder(place, aside);
  await moveFolder(ready, place);
}

/** What a process that was ended in between has left to be done. */
export function finishReplacing(place: string): void {
  const ready = readyOf(place);
  if (!fs.existsSync(ready)) return;
  // One that was ended before anything was moved: the ledger is the one that it was.
  if (fs.existsSync(path.join(place, "PG_VERSION"))) fs.rmSync(ready, { recursive: true, force: true });
  else fs.renameSync(ready, place);
}
