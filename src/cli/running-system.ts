import type { Config } from "../config.ts";
import { readLockRecord, type LockRecord } from "../ledger/lock-record.ts";
import type { ApiAddress } from "./api/transport.ts";
import type { Api } from "./api/client.ts";
import { findAnnounced } from "./announced-system.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { isAlive } from "./process-alive.ts";

/** Where `outdial server` listens when nothing else is said. */
export const DEFAULT_API_PORT = 8480;

/**
 * Where a running system is to be found: OUTDIAL_API_URL; else, for the embedded ledger, what its lock file
 * says, as long as the process that wrote it lives; else, for a database, OUTDIAL_API_PORT of this machine; else what
 * a run on the same database and data folder says of itself; else the usual address.
 */
export function findRunningSystem(config: Config): ApiAddress | undefined {
  const { token } = config.api;
  if (config.api.url !== undefined) return { url: config.api.url, token };
  if (config.databaseUrl !== undefined) {
    // Port 0 is any: nobody finds that.
    const port = config.api.port === 0 ? undefined : config.api.port;
    const announced = port === undefined ? findAnnounced(config) : undefined;
    if (announced) return { url: announced.url, token: token ?? announced.token };
    return { url: `http://127.0.0.1:${port ?? DEFAULT_API_PORT}`, token };
  }
  const holder = readLockRecord(config.dataDir);
  return holder && addressOfHolder(config, holder);
}

/** Undefined where the holder is gone, or does not listen yet. */
export function addressOfHolder(config: Config, holder: LockRecord): ApiAddress | undefined {
  if (holder.closed || holder.address === undefined || !isAlive(holder.pid)) return undefined;
  return { url: holder.address, token: config.api.token ?? holder.token };
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
  const { openApi } = await import("./api/client.ts");
  const api = openApi(address);
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}
