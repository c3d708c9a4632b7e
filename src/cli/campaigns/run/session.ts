import type { Logger } from "pino";

import type { Config } from "../../../config.ts";
import { reasonWords } from "../../../domain/ground/reason-words.ts";
import { LedgerLockedError, readLockRecord, type LockRecord } from "../../../ledger/ground/lock-record.ts";
import type { System } from "../../../system.ts";
import { announceSystem } from "../../announced-system.ts";
import { openApi, type Api } from "../../api/client.ts";
import { trustOf } from "../../api/trust.ts";
import { ApiUnreachableError } from "../../api/errors.ts";
import type { ApiAddress } from "../../api/transport.ts";
import type { CliContext } from "../../context.ts";
import { CliError } from "../../errors.ts";
import { waitFor } from "../../interrupts.ts";
import { openOwnLog } from "../../own-log.ts";
import { addressOfHolder } from "../../running-system.ts";

/** A system to talk to: one that runs already, or one that this process runs for itself. */
export interface Session {
  readonly api: Api;
  /** Undefined: it is another process's. */
  readonly system: System | undefined;
  /** Ends the system where it is ours. */
  close(): Promise<void>;
}

export interface SessionOptions {
  config: Config;
  /** Whether a system of our own dials, too; one that does not needs no Temporal. */
  worker: boolean;
  /** A system of our own or none: whoever runs already may dial through another platform. */
  mustBeOurs: boolean;
  say: (message: string) => void;
  signal: AbortSignal;
}

/** A holder that is coming up (a download of Temporal included) or going down is waited for this long. */
const HOLDER_WITHIN_MS = 5 * 60_000;
const HOLDER_LOOK_MS = 250;

/**
 * Opens the session: attaches to whoever holds the ledger, or starts worker and server in this process and
 * talks to them the same way, over HTTP.
 */
export async function openSession(context: CliContext, options: SessionOptions): Promise<Session> {
  const { config, mustBeOurs, say, signal } = options;
  const { url, token, context: named } = config.api;
  // The token goes with the address: that of another system is not shown to this one.
  if (url !== undefined && !mustBeOurs)
    return attached(openApi({ url, token: named ? named.token() : token, ...trustOf(config) }));
  const holder = config.databaseUrl === undefined ? readLockRecord(config.dataDir) : undefined;
  const running = mustBeOurs || !holder ? undefined : await attachToHolder(config, holder, say);
  if (running) return running;
  const log = openOwnLog(config, say);
  // What is not set is told before anything is opened.
  const platform = await context.ports.openPlatform(config, log);
  await platform.close();
  const deadlineMs = performance.now() + HOLDER_WITHIN_MS;
  for (let told = false; ;) {
    try {
      return await startOwn(context, options, log);
    } catch (error) {
      if (!(error instanceof LedgerLockedError) || mustBeOurs || performance.now() > deadlineMs) throw error;
      const session = error.holder && (await attachToHolder(config, error.holder, say));
      if (session) return session;
      if (!told)
        say(
          `process ${error.holder?.pid ?? "?"} holds the data folder and does not answer yet; waiting for it`,
        );
      told = true;
      await waitFor(HOLDER_LOOK_MS, signal);
      signal.throwIfAborted();
    }
  }
}

async function startOwn(
  context: CliContext,
  { config, worker, say }: SessionOptions,
  log: Logger,
): Promise<Session> {
  const { token } = config.api;
  // One that ends with its one command is looked for by nobody, and another program may have the port.
  const port = worker ? (config.api.port ?? 0) : 0;
  const system = await context.ports.startSystem({
    config,
    log,
    worker,
    temporal: worker,
    server: { host: "127.0.0.1", port, token },
    onProgress: say,
  });
  if (system.apiUrl === undefined) throw new CliError("the system started without its HTTP API");
  const address = { url: system.apiUrl, token: system.apiToken };
  const api = openApi(address);
  // One that dials nobody ends with its one command, and carries out no other.
  const announced = worker ? tellWhere(config, address, say) : undefined;
  return {
    api,
    system,
    async close() {
      announced?.end();
      await api.close();
      await system.stop();
    },
  };
}

/** A disk that is full keeps nobody from dialing, only others from finding it. */
function tellWhere(
  config: Config,
  address: ApiAddress,
  say: (message: string) => void,
): { end(): void } | undefined {
  try {
    return announceSystem(config, address);
  } catch (error) {
    say(
      `other commands will not find this run (its file in ${config.dataDir} can't be written: ${reasonWords(error)}); set OUTDIAL_API_URL=${address.url} for them`,
    );
    return undefined;
  }
}

async function attachToHolder(
  config: Config,
  holder: LockRecord,
  say: (message: string) => void,
): Promise<Session | undefined> {
  const address = addressOfHolder(config, holder);
  if (!address) return undefined;
  const api = openApi(address);
  try {
    const { platform_url: platformUrl } = await api.system.get();
    refuseAnotherPlatform(config, platformUrl, holder.pid);
  } catch (error) {
    await api.close();
    if (error instanceof ApiUnreachableError) return undefined;
    throw error;
  }
  say(`a system runs already (process ${holder.pid}); this command joins it`);
  return attached(api);
}

/** Whoever joins dials through the holder's platform: not where another was asked for. */
function refuseAnotherPlatform({ platform }: Config, holdersUrl: string, pid: number): void {
  if (platform.baseUrl === undefined || sameUrl(platform.baseUrl, holdersUrl)) return;
  throw new CliError(
    `process ${pid} runs this data folder's system and dials through ${holdersUrl}, and PLATFORM_BASE_URL is ${platform.baseUrl}: end that process first, or set OUTDIAL_DATA_DIR to another folder`,
  );
}

function sameUrl(one: string, other: string): boolean {
  return new URL(one).href.replace(/\/$/, "") === new URL(other).href.replace(/\/$/, "");
}

function attached(api: Api): Session {
  return { api, system: undefined, close: () => api.close() };
}
