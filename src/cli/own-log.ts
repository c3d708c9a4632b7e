import path from "node:path";
import type { Logger } from "pino";

import type { Config } from "../config.ts";
import { reasonWords } from "../domain/ground/reason-words.ts";
import { makeDataDir } from "../ledger/ground/data-dir.ts";
import { createLog } from "../log.ts";

/** The log of a system that runs within a command: beside the ledger, since the screen is for its user. */
export function openOwnLog(config: Config, say: (message: string) => void): Logger {
  makeDataDir(config.dataDir);
  const file = path.join(config.dataDir, "outdial.log");
  return createLog({
    level: config.logLevel,
    file,
    onTrouble: (error) =>
      say(`the log ${file} can't be written (${reasonWords(error)}): going on without it`),
  });
}
