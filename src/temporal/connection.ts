import { Client, Connection, type ConnectionOptions } from "@temporalio/client";
import { NativeConnection } from "@temporalio/worker";

import { createRequestRetry } from "./request-retry.ts";
import { installRuntime, type RuntimeLog } from "./runtime.ts";
import { searchAttributesInterceptor } from "./search-attributes.ts";
import { TemporalUnavailableError } from "./server/errors.ts";
import { provideTemporalServer, targetOf, type TemporalAccess, type TemporalServer } from "./server/index.ts";
import { choosePort } from "./server/ports.ts";
import { temporalWords } from "./words.ts";

export interface TemporalOptions {
  /** A server that is there already; undefined: one is provided on this machine. */
  address: string | undefined;
  namespace: string;
  /** How that server is spoken to. */
  access: TemporalAccess;
  cliPath: string | undefined;
  searchPath: string;
  cacheDir: string;
  dataDir: string;
  /** Whether what workers do here is measured (readRuntimeMetrics); absent: it is not. */
  isMeasured?: boolean;
  log: RuntimeLog;
  /** Told in one line what takes a while. */
  onProgress: (message: string) => void;
}

/** Temporal as a process of ours sees it. */
export interface Temporal {
  readonly client: Client;
  readonly namespace: string;
  readonly address: string;
  /** Of the web UI, where we know of one. */
  readonly uiUrl: string | undefined;
  /** A connection for workers. The caller closes it. */
  connectWorkers(): Promise<NativeConnection>;
  /** Rejects when the server that we provide is gone and can't be brought back. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

/** A server of ours that dies more often than this is not brought back: something else is wrong. */
const MOST_RESTARTS = 5;

/** Connects to the Temporal server that the options name, or provides one and keeps it up. */
export async function openTemporal(options: TemporalOptions): Promise<Temporal> {
  const { namespace } = options;
  const server = await keepServer(options);
  const target = targetOf(server.address, options.address === undefined ? {} : options.access);
  try {
    const clients = await connectClients(target);
    return {
      client: clientOf(clients.connection, namespace),
      namespace,
      address: server.address,
      uiUrl: server.uiUrl,
      async connectWorkers() {
        installRuntime(options.log, options.isMeasured ? await freeAddress() : undefined);
        return NativeConnection.connect(target);
      },
      failed: server.failed,
      async close() {
        await clients.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error instanceof TemporalUnavailableError
      ? error
      : new TemporalUnavailableError(
          `no Temporal server answers at ${server.address} (${temporalWords(error)}): see that it runs and can be reached, and correct the settings TEMPORAL_...`,
          [],
          { cause: error },
        );
  }
}

/** Of this machine alone: what is served there is read here, and handed on. */
async function freeAddress(): Promise<string> {
  const ip = "127.0.0.1";
  return `${ip}:${await choosePort({ ip, taken: [] })}`;
}

/** What it starts carries what it is found by, where the namespace knows that. */
export function clientOf(connection: Connection, namespace: string): Client {
  const workflow = [searchAttributesInterceptor(connection, namespace)];
  return new Client({ connection, namespace, interceptors: { workflow } });
}

/** A connection for clients that may be closed while requests are under way. */
export async function connectClients(
  target: ConnectionOptions,
): Promise<{ connection: Connection; close: () => Promise<void> }> {
  const retry = createRequestRetry();
  const connection = await Connection.connect({ ...target, interceptors: retry.interceptors });
  return {
    connection,
    async close() {
      await retry.stop();
      await connection.close();
    },
  };
}

/**
 * No Temporal at all, for a process that runs no workflow and must work where Temporal does not: what asks it for
 * something gets an error.
 */
export function withoutTemporal(namespace: string): Temporal {
  // Nothing is repeated: it would be in vain, and a repetition after `close` would end the process.
  const connection = Connection.lazy({ address: NOBODYS_ADDRESS, interceptors: [] });
  return {
    client: new Client({ connection, namespace }),
    namespace,
    address: NOBODYS_ADDRESS,
    uiUrl: undefined,
    connectWorkers: () => Promise.reject(new Error("this process was started without Temporal")),
    failed: new Promise<never>(() => {}),
    close: () => connection.close(),
  };
}

/** Port 1 of this machine: nothing listens there, and a connection is refused at once. */
const NOBODYS_ADDRESS = "127.0.0.1:1";

interface KeptServer {
  readonly address: string;
  readonly uiUrl: string | undefined;
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

/** Provides a server; one of ours that dies is started again, at the same address and with the same data. */
async function keepServer(options: TemporalOptions): Promise<KeptServer> {
  const { log } = options;
  let current = await provide(options);
  const { address, uiUrl } = current;
  let stopping = false;
  let restarts = 0;
  let restarting: Promise<void> = Promise.resolve();
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});

  const restart = async (): Promise<void> => {
    restarts += 1;
    if (restarts > MOST_RESTARTS) {
      throw new TemporalUnavailableError(
        `the Temporal server has died ${restarts} times: look at temporal.log in the data folder ${options.dataDir}, then start this command again`,
      );
    }
    log.error({ restarts }, "the Temporal server has died; it is started again with its data");
    current = await provide(options);
    if (current.address !== address) {
      throw new TemporalUnavailableError(
        `the Temporal server could only be started again at ${current.address}: start this command again`,
      );
    }
    watch(current);
  };
  const watch = (server: TemporalServer): void => {
    void server.exited.then((exit) => {
      if (exit.expected || stopping) return;
      restarting = restart().catch((error: unknown) => {
        fail(error instanceof Error ? error : new Error(String(error)));
      });
    });
  };
  watch(current);
  return {
    address,
    uiUrl,
    failed,
    async stop() {
      stopping = true;
      await restarting;
      await current.stop();
    },
  };
}

function provide(options: TemporalOptions): Promise<TemporalServer> {
  const { address, access, cliPath, searchPath, cacheDir, dataDir, namespace, onProgress } = options;
  return provideTemporalServer({
    address,
    access,
    cliPath,
    searchPath,
    cacheDir,
    dataDir,
    namespace,
    onProgress,
  });
}
