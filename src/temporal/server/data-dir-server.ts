import path from "node:path";
import { addressOf, startServer } from "./dev-server.ts";
import { TemporalUnavailableError } from "./errors.ts";
import type { CliFacts, Executable } from "./executables.ts";
import { takeServerLock, withStartLock } from "./lock.ts";
import type { TemporalServerOptions } from "./options.ts";
import type { ProcessIdentity } from "./process.ts";
import { NAMESPACE_BOUND_MS, prepareNamespace, waitForFrontend } from "./readiness.ts";
import { adoptProcess, type ServerProcess, terminate } from "./server-process.ts";
import {
  databasePath,
  isOurServer,
  isOwnedByAnother,
  readState,
  type RunningState,
  stopped,
  writeState,
} from "./state-file.ts";

/** A folder's server, as this process uses it. */
export interface DataDirServer {
  readonly state: RunningState;
  readonly process: ServerProcess;
}

export interface DataDirInput {
  /** Absolute, without symbolic links: it is compared with what the server was started with. */
  readonly dataDir: string;
  readonly namespace: string;
  readonly options: TemporalServerOptions;
  readonly self: ProcessIdentity;
}

/** How long a server that was found running is waited for before it counts as one that hangs. */
export interface AdoptionBounds {
  /** Until it answers at all. */
  readonly answerMs: number;
  /** Until its namespace can be used. */
  readonly namespaceMs: number;
  /** Until it answers again, once that was not so. */
  readonly silentMs: number;
}

const ADOPTION_BOUNDS: AdoptionBounds = {
  // One that was just started by a process that then died is up within a second; a stuck one never is.
  answerMs: 15_000,
  namespaceMs: NAMESPACE_BOUND_MS,
  // One that answered once may have ceased to: it hangs if it is silent for this long as well.
  silentMs: 5_000,
};
/** Who stops a server holds the start lock until it is gone; one that was just killed may need a moment more. */
const SERVER_LOCK_BOUND_MS = 5_000;

/**
 * The server that runs on the folder, if there is one: started by a process that lives no more, or by one
 * that we share it with. Call it under the start lock.
 *
 * @throws TemporalUnavailableError where a server that belongs to a living process does not answer.
 */
export async function adoptServer(
  input: DataDirInput,
  bounds = ADOPTION_BOUNDS,
): Promise<DataDirServer | undefined> {
  const { dataDir, namespace, options, self } = input;
  const state = readState(dataDir);
  if (state?.state !== "running") return undefined;
  if (!(await isOurServer(dataDir, state.server))) {
    writeState(dataDir, stopped(state));
    return undefined;
  }
  const process = adoptProcess(state.server);
  const ended = new AbortController();
  void process.exited.then(() => ended.abort());
  const version = await waitForFrontend(state.address, bounds.answerMs, ended.signal);
  const answers =
    version !== undefined &&
    !ended.signal.aborted &&
    (await takesNamespace(state.address, namespace, { bounds, ended: ended.signal }));
  const shared = await isOwnedByAnother(state, self);
  if (answers) {
    const adopted = shared ? state : { ...state, owner: self };
    if (!shared) writeState(dataDir, adopted);
    options.onProgress(`using the Temporal server that already runs at ${state.address} (server ${version})`);
    return { state: adopted, process };
  }
  if (shared && !ended.signal.aborted) {
    throw new TemporalUnavailableError(
      `the Temporal server of ${dataDir} (process ${state.server.pid}, started by process ${state.owner.pid}) ` +
        `does not answer at ${state.address}: end process ${state.owner.pid} and try again`,
    );
  }
  options.onProgress(
    `the Temporal server of an earlier run (process ${state.server.pid}) does not answer: replacing it`,
  );
  await terminate(process, "SIGKILL");
  writeState(dataDir, stopped(state));
  return undefined;
}

/** Prepares the namespace. False where the server has not answered since, to that or to anything. */
async function takesNamespace(
  address: string,
  namespace: string,
  { bounds, ended }: { bounds: AdoptionBounds; ended: AbortSignal },
): Promise<boolean> {
  try {
    await prepareNamespace(address, namespace, bounds.namespaceMs);
    return true;
  } catch (error) {
    if (!(error instanceof TemporalUnavailableError)) throw error;
    if ((await waitForFrontend(address, bounds.silentMs, ended)) !== undefined) throw error;
    return false;
  }
}

/**
 * Starts a server on the folder, on which none runs. Call it under the start lock.
 *
 * @throws TemporalUnavailableError
 */
export async function startInDataDir(
  { dataDir, namespace, options, self }: DataDirInput,
  { path: executable, facts }: Executable<CliFacts>,
): Promise<DataDirServer> {
  const lock = await takeServerLock(dataDir, SERVER_LOCK_BOUND_MS);
  if (!lock) {
    throw new TemporalUnavailableError(
      `some process has the Temporal data in ${dataDir} open, and temporal.json does not say which: ` +
        `find it (lsof ${path.join(dataDir, "temporal.lock")}), end it and try again`,
    );
  }
  let state: RunningState | undefined;
  try {
    const { process } = await startServer({
      options,
      namespace,
      executable,
      last: readState(dataDir) ?? {},
      databaseFile: databasePath(dataDir),
      logFile: path.join(dataDir, "temporal.log"),
      lock,
      record(server, ports) {
        state = {
          format: 1,
          state: "running",
          server,
          owner: self,
          address: addressOf(ports),
          ...(ports.uiPort === undefined ? {} : { uiPort: ports.uiPort }),
          port: ports.port,
          namespace,
          executable,
          serverVersion: facts.serverVersion,
          startedAt: new Date().toISOString(),
        };
        writeState(dataDir, state);
      },
    });
    if (!state) throw new Error("the server was started without being recorded");
    return { state, process };
  } catch (error) {
    if (state) writeState(dataDir, stopped(state));
    throw error;
  } finally {
    await lock.close();
  }
}

/** Ends the folder's server and keeps its ports for the next one; does nothing where another process owns it. */
export async function stopInDataDir(
  { dataDir, self }: Pick<DataDirInput, "dataDir" | "self">,
  { state, process }: DataDirServer,
): Promise<void> {
  await withStartLock(dataDir, async () => {
    const current = readState(dataDir);
    const isCurrent =
      current?.state === "running" &&
      current.server.pid === state.server.pid &&
      current.server.startedAt === state.server.startedAt;
    if (isCurrent && (await isOwnedByAnother(current, self))) return;
    await terminate(process, "SIGTERM");
    if (isCurrent) writeState(dataDir, stopped(current));
  });
}
