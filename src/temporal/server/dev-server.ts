import { reasonOf, TemporalUnavailableError } from "./errors.ts";
import { LOOPBACK, serverArguments, type StartPorts, type TemporalServerOptions } from "./options.ts";
import { choosePort } from "./ports.ts";
import type { ProcessIdentity } from "./process.ts";
import { prepareNamespace, waitForFrontend } from "./readiness.ts";
import {
  type LaunchedServer,
  type LaunchInput,
  launchServer,
  type ServerProcess,
  terminate,
} from "./server-process.ts";

/** A start takes 0.1 s here; a cold machine under load, with a large data file, gets this long. */
const START_BOUND_MS = 30_000;
/** Between choosing a port and listening on it somebody else may take it. Not three times in a row. */
const START_TRIES = 3;

export interface StartInput {
  readonly options: TemporalServerOptions;
  readonly namespace: string;
  readonly executable: string;
  /** The ports of the last run. */
  readonly last: { readonly port?: number | undefined; readonly uiPort?: number | undefined };
  readonly databaseFile: string | undefined;
  readonly logFile: string | undefined;
  readonly lock: LaunchInput["lock"];
  /** Called with what is about to run, before it does. */
  readonly record: (identity: ProcessIdentity, ports: StartPorts) => void;
}

export interface StartedServer {
  readonly process: ServerProcess;
  readonly ports: StartPorts;
  readonly serverVersion: string;
}

export function addressOf({ port }: Pick<StartPorts, "port">): string {
  return `${LOOPBACK}:${port}`;
}

/**
 * Starts the development server and waits until its frontend answers and the namespace can be used.
 *
 * @throws TemporalUnavailableError with what the server wrote last; nothing is left running then.
 */
export async function startServer(input: StartInput): Promise<StartedServer> {
  for (let tries = 1; ; tries += 1) {
    const ports = await choosePorts(input);
    const args = serverArguments({ ...input.options, namespace: input.namespace }, ports, input.databaseFile);
    const { executable, logFile, lock } = input;
    const record = (identity: ProcessIdentity) => input.record(identity, ports);
    const tied = input.databaseFile === undefined;
    const launched = await launchServer({ executable, args, logFile, lock, tied, record });
    try {
      const serverVersion = await waitUntilUsable(launched, addressOf(ports), input.namespace);
      return { process: launched, ports, serverVersion };
    } catch (error) {
      await terminate(launched, "SIGTERM");
      const words = await launched.lastWords();
      if (tries < START_TRIES && /address already in use/i.test(words)) continue;
      const log = logFile === undefined ? "" : ` (log: ${logFile})`;
      throw new TemporalUnavailableError(
        `the Temporal server ${executable} did not start: ${reasonOf(error)}${words}${log}`,
        [],
        { cause: error },
      );
    } finally {
      await launched.closeLog();
    }
  }
}

async function choosePorts({ options, last }: StartInput): Promise<StartPorts> {
  const wanted = (port: number | undefined) => (port === 0 ? undefined : port);
  const taken = [options.metricsPort ?? 0];
  const required = wanted(options.port);
  const port = await choosePort({ ip: LOOPBACK, required, preferred: last.port, taken });
  if (required === undefined && last.port !== undefined && port !== last.port) {
    options.onProgress(
      `port ${last.port} of the last run is in use: the Temporal server moves to port ${port}`,
    );
  }
  if (options.headless === true) return { port, uiPort: undefined };
  taken.push(port);
  const uiPort = await choosePort({
    ip: LOOPBACK,
    required: wanted(options.uiPort),
    preferred: last.uiPort,
    taken,
  });
  return { port, uiPort };
}

async function waitUntilUsable(
  launched: LaunchedServer,
  address: string,
  namespace: string,
): Promise<string> {
  const ended = new AbortController();
  void launched.exited.then(() => ended.abort());
  const serverVersion = await waitForFrontend(address, START_BOUND_MS, ended.signal);
  // Whoever answered there, it was not a server that has ended.
  if (ended.signal.aborted) throw new Error("it ended at once");
  if (serverVersion === undefined) throw new Error(`it did not answer within ${START_BOUND_MS / 1_000} s`);
  await prepareNamespace(address, namespace);
  return serverVersion;
}
