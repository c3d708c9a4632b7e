import type { Config } from "../config.ts";
import { readLockRecord, type LockRecord } from "../ledger/ground/lock-record.ts";
import type { ApiAddress } from "./api/transport.ts";
import type { Api } from "./api/client.ts";
import { trustOf } from "./api/trust.ts";
import { findAnnounced } from "./announced-system.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { isAlive } from "./process-alive.ts";

/** Where `outdial server` listens when nothing else is said. */
export const DEFAULT_API_PORT = 8480;

/** A system that may run, and what says that it is the one that is meant. */
export interface FoundSystem extends ApiAddress {
  /**
   * `name`: the settings say its address, and it is taken at its word. `lock`: it holds the data folder. `port`: a
   * port, at which anybody may listen (whose-system.ts).
   */
  by: "name" | "lock" | "port";
}

/**
 * Where a running system is to be found: OUTDIAL_API_URL, or the address of the context that a command goes by; else, for the embedded ledger, what its lock file
 * says, as long as the process that wrote it lives; else, for a database, OUTDIAL_API_PORT of this machine; else what
 * a run on the same database and data folder says of itself; else the usual address.
 */
export function findRunningSystem(config: Config): FoundSystem | undefined {
  const { token, tls } = config.api;
  const trusted = trustOf(config);
  const { url, context } = config.api;
  // The token goes with the address: that of another system is not shown to this one.
  if (url !== undefined) return { by: "name", url, token: context ? context.token() : token, ...trusted };
  if (config.databaseUrl !== undefined) {
    // Port 0 is any: nobody finds that.
    const port = config.api.port === 0 ? undefined : config.api.port;
    const announced = port === undefined ? findAnnounced(config) : undefined;
    if (announced) return { by: "port", url: announced.url, token: token ?? announced.token, ...trusted };
    const protocol = tls ? "https" : "http";
    return { by: "port", url: `${protocol}://127.0.0.1:${port ?? DEFAULT_API_PORT}`, token, ...trusted };
  }
  const holder = readLockRecord(config.dataDir);
  const address = holder && addressOfHolder(config, holder);
  return address && { by: "lock", ...address };
}

/**
 * The way to a system that was found; the caller closes it.
 *
 * @throws CliError where it is not the one of the settings' database.
 */
export async function openFound(config: Config, found: FoundSystem): Promise<Api> {
  const { openApi } = await import("./api/client.ts");
  const api = openApi(found);
  if (found.by !== "port") return api;
  try {
    const { refuseAnotherSystem } = await import("./whose-system.ts");
    await refuseAnotherSystem(api, config);
    return api;
  } catch (error) {
    await api.close();
    throw error;
  }
}

/** Undefined where the holder is gone, or does not listen yet. */
export function addressOfHolder(config: Config, holder: LockRecord): ApiAddress | undefined {
  if (holder.closed || holder.address === undefined || !isAlive(holder.pid)) return undefined;
  return { url: holder.address, token: config.api.token ?? holder.token, ...trustOf(config) };
}

/** The running system's API, closed when `work` is through. @throws CliError where nothing runs. */
export async function withRunningSystem<T>(config: Config, work: (api: Api) => Promise<T>): Promise<T> {
  const address = findRunningSystem(config);
  if (!address) {
    const holder = config.databaseUrl === undefined ? readLockRecord(config.dataDir) : undefined;
    if (holder && !holder.closed && isAlive(holder.pid)) {
      throw new CliError(
        `process ${holder.pid} holds the data folder ${config.dataDir} and does not answer yet: try again in a moment, or end that process if it stays so`,
        EXIT.failed,
        { code: "no_running_system" },
      );
    }
    throw new CliError(
      `no system runs on the data folder ${config.dataDir}: start one with \`outdial server\`, or set OUTDIAL_DATA_DIR or OUTDIAL_API_URL to the one that you mean`,
      EXIT.failed,
      { code: "no_running_system" },
    );
  }
  const api = await openFound(config, address);
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}
