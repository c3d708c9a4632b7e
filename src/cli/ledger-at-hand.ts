import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";

import type { Config } from "../config.ts";
import { LedgerLockedError } from "../ledger/ground/lock-record.ts";
import type { Api } from "./api/client.ts";
import { ApiUnreachableError } from "./api/errors.ts";
import type { CliContext } from "./context.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { openAnswering } from "./system-at-hand.ts";
import type { OpenedLedger } from "../open-ledger.ts";

/*
 * What is switched above all campaigns is written into the ledger that the settings name, by a system that runs on
 * it, or else by the command itself. It waits for nothing else: a system that hangs, or that is not ours, counts as
 * none.
 */

/** A process that lives answers this within milliseconds; one that is busy, within hundreds. */
const PROBE_WITHIN_MS = 1_500;

/** A holder that is coming up or going down is there, or gone, within this; people wait meanwhile. */
const HOLDER_WITHIN_MS = 3_000;
const HOLDER_LOOK_MS = 250;

/** Twice what a system promises for its answer. */
export const SWITCH_WITHIN_MS = 10_000;

/** A database answers this in milliseconds; one that does not is told of when it is opened. */
const LOOK_WITHIN_MS = 5_000;

interface Switching<T> {
  /** Asks a running system. */
  ask: (api: Api) => Promise<T>;
  /** Where none answers: with the ledger open, which it closes. */
  here: (opened: OpenedLedger, log: Logger) => Promise<T>;
}

/** @throws CliError where there is no ledger, or somebody holds it and does not answer. */
export async function withLedgerAtHand<T>(
  context: CliContext,
  config: Config,
  say: (message: string) => void,
  { ask, here }: Switching<T>,
): Promise<T> {
  const untilMs = performance.now() + HOLDER_WITHIN_MS;
  let silent: unknown;
  let log: Logger | undefined;
  for (;;) {
    // One that took the question and did not answer it is not asked again.
    const running = silent === undefined ? await openAnswering(config, PROBE_WITHIN_MS) : undefined;
    try {
      if (running) return await ask(running);
    } catch (error) {
      if (config.api.url !== undefined || !(error instanceof ApiUnreachableError)) throw error;
      silent = error;
    } finally {
      await running?.close();
    }
    await refuseNoLedger(config);
    log ??= await openLogOf(config, say);
    const opened = await openUnheld(context, config, log);
    if (!(opened instanceof LedgerLockedError)) return here(opened, log);
    if (silent !== undefined || performance.now() >= untilMs) throw heldError(config, opened);
    await setTimeout(HOLDER_LOOK_MS);
  }
}

async function openUnheld(
  context: CliContext,
  config: Config,
  log: Logger,
): Promise<OpenedLedger | LedgerLockedError> {
  try {
    return await context.ports.openLedger(config, log);
  } catch (error) {
    if (error instanceof LedgerLockedError) return error;
    throw error;
  }
}

/** A data folder that can't be written keeps nobody from stopping what runs on a database. */
async function openLogOf(config: Config, say: (message: string) => void): Promise<Logger> {
  const { openOwnLog } = await import("./own-log.ts");
  try {
    return openOwnLog(config, say);
  } catch (error) {
    if (config.databaseUrl === undefined) throw error;
    const { createLog } = await import("../log.ts");
    return createLog({ level: "silent" });
  }
}

/** A new ledger, made to be stopped, would look as if what dials had been. */
async function refuseNoLedger({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined) {
    if (fs.existsSync(path.join(dataDir, "ledger", "PG_VERSION"))) return;
    throw noLedger(`the data folder ${dataDir}`, "OUTDIAL_DATA_DIR, DATABASE_URL");
  }
  const { databaseName, findInstallation } = await import("../ledger/ground/installation-id.ts");
  const found = await findInstallation(databaseUrl, LOOK_WITHIN_MS);
  if (found.kind === "none") throw noLedger(`the database ${databaseName(databaseUrl)}`, "DATABASE_URL");
}

function noLedger(where: string, settings: string): CliError {
  return new CliError(
    `nothing was stopped or lifted, since there is no ledger in ${where} and no system runs on it: set ${settings} or OUTDIAL_API_URL to what dials`,
    EXIT.failed,
    { code: "no_ledger" },
  );
}

function heldError({ dataDir }: Config, locked: LedgerLockedError): CliError {
  const pid = locked.holder?.pid;
  const who = pid === undefined ? "another process" : `process ${pid}`;
  const how = pid === undefined ? "end it" : `end it (\`kill ${pid}\`, or \`kill -9 ${pid}\` where it stays)`;
  return new CliError(
    `${who} holds the ledger in ${dataDir} and does not answer: ${how}, then run this again`,
    EXIT.failed,
    { code: "ledger_locked", ...(pid !== undefined && { facts: { pid } }) },
  );
}
