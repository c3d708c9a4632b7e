import fs from "node:fs";
import path from "node:path";

import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { Config } from "../../config.ts";
import { fail, ok, warn, type Check } from "./check.ts";

const OLDEST_NODE = [20, 19] as const;

/** What an embedded ledger, Temporal's data and reports need for a large campaign; and below what nothing works. */
const ROOMY_BYTES = 2 * 1024 ** 3;
const LEAST_BYTES = 200 * 1024 ** 2;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOldEnough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return isOldEnough
    ? ok("Node.js", version)
    : fail(
        "Node.js",
        `${version} is too old`,
        `install ${OLDEST_NODE.join(".")} or later from https://nodejs.org`,
      );
}

/** Whether the data folder can be written, and has room. */
export async function checkDataDir({ dataDir }: Pick<Config, "dataDir">): Promise<Check[]> {
  const existing = nearestExisting(dataDir);
  if (!fs.statSync(existing).isDirectory())
    return [fail("data folder", `${existing} is no folder`, "set OUTDIAL_DATA_DIR to a folder")];
  try {
    await fs.promises.access(existing, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    return [
      fail(
        "data folder",
        `${dataDir} can't be written (${reasonWords(error)})`,
        "change its owner or mode, or set OUTDIAL_DATA_DIR to another folder",
      ),
    ];
  }
  const { bavail, bsize } = await fs.promises.statfs(existing);
  const free = bavail * bsize;
  const text = `${(free / 1024 ** 3).toFixed(1)} GB free`;
  const made = existing === path.resolve(dataDir) ? "" : " (made at the first run)";
  return [ok("data folder", `${dataDir}${made}`), diskCheck(free, text)];
}

function diskCheck(freeBytes: number, text: string): Check {
  const remedy = "make room, or set OUTDIAL_DATA_DIR to a folder on another disk";
  if (freeBytes < LEAST_BYTES) return fail("disk", text, remedy);
  return freeBytes < ROOMY_BYTES ? warn("disk", text, remedy) : ok("disk", text);
}

function nearestExisting(folder: string): string {
  let at = path.resolve(folder);
  while (!fs.existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  return at;
}
