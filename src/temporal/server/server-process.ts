import { spawn, type ChildProcess } from "node:child_process";
import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lastWords } from "./command.ts";
import { hasCode, TemporalUnavailableError } from "./errors.ts";
import { inspectProcess, isAlive, type ProcessIdentity } from "./process.ts";

export interface ProcessExit {
  /** Unknown (null) for a process that is not our child. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of ours, our child or not. */
export interface ServerProcess {
  readonly identity: ProcessIdentity;
  readonly exited: Promise<ProcessExit>;
  /** Harmless once it has ended: another process with its pid gets nothing. */
  signal(signal: NodeJS.Signals): Promise<void>;
}

export interface LaunchedServer extends ServerProcess {
  /** What this run wrote to its log last, on one line. */
  lastWords(): Promise<string>;
  /** Lets go of the log. To be called once the start is decided. */
  closeLog(): Promise<void>;
}

export interface LaunchInput {
  readonly executable: string;
  readonly args: readonly string[];
  /** Appended to. Without one the log goes to a file without a name, for the sake of `lastWords`. */
  readonly logFile: string | undefined;
  /** Inherited, so that it is held for as long as the server lives. */
  readonly lock: FileHandle | undefined;
  /** It ends when this process ends, however that ends: for a server that nobody could use again. */
  readonly tied: boolean;
  /** Called before the server runs: it never runs if this throws, or if we are killed before it is done. */
  readonly record: (identity: ProcessIdentity) => void;
}

/**
 * Waits for a line on standard input, then becomes the server. The end of the input instead ends it. The data
 * file, which the server makes, is for its owner's eyes only.
 */
const GATE = 'umask 077; read -r go && exec "$@" </dev/null';
/** A log larger than this is put aside at the next start: with the one before, that bounds what logs take. */
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** More than the messages of a failed start, and little to read. */
const TAIL_BYTES = 4_096;

/**
 * Starts a server that is not tied to this process: in a session of its own (the terminal's Ctrl-C is for us),
 * with a log file instead of our output, and without keeping our event loop alive.
 */
export async function launchServer(input: LaunchInput): Promise<LaunchedServer> {
  const log = await openLog(input.logFile);
  const { size: logStart } = await log.stat();
  const inherited = input.lock ? [input.lock.fd] : [];
  const child = spawn("/bin/sh", ["-c", GATE, "sh", input.executable, ...input.args], {
    detached: true,
    stdio: ["pipe", log.fd, log.fd, ...inherited],
  });
  const exited = exitOf(child);
  try {
    const { pid, stdin } = child;
    const facts = pid === undefined ? undefined : await inspectProcess(pid);
    if (!facts || !stdin)
      throw new TemporalUnavailableError("no shell could be started to run the Temporal server");
    const identity = { pid: facts.pid, startedAt: facts.startedAt };
    input.record(identity);
    if (input.tied) tieToThisProcess(identity.pid, exited);
    stdin.on("error", () => {
      // It ended before it read the line: its exit says so.
    });
    stdin.end("go\n");
    child.unref();
    return {
      identity,
      exited,
      async signal(signal) {
        // Node knows until the exit event that the pid is still the child's.
        child.kill(signal);
      },
      async lastWords() {
        const { size } = await log.stat();
        const from = Math.max(logStart, size - TAIL_BYTES);
        const buffer = Buffer.alloc(size - from);
        await log.read(buffer, 0, buffer.length, from);
        return lastWords(buffer.toString("utf8"));
      },
      closeLog: () => log.close(),
    };
  } catch (error) {
    child.stdin?.destroy();
    child.kill("SIGKILL");
    await log.close();
    throw error;
  }
}

function exitOf(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    // The shell could not be started; there will be no exit.
    child.once("error", () => resolve({ code: null, signal: null }));
  });
}

async function openLog(logFile: string | undefined): Promise<FileHandle> {
  if (logFile === undefined) {
    const file = path.join(os.tmpdir(), `outdial-temporal-${process.pid}-${Date.now()}.log`);
    const log = await open(file, "ax+", 0o600);
    await unlink(file);
    return log;
  }
  try {
    const { size } = await stat(logFile);
    if (size > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return open(logFile, "a+", 0o600);
}

/** A small process waits at the end of a pipe that only we hold open. */
function tieToThisProcess(pid: number, exited: Promise<ProcessExit>): void {
  const watcher = spawn("/bin/sh", ["-c", 'read -r never; kill -9 "$1"', "sh", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.unref();
  watcher.on("error", () => {
    // Without a shell the server could not have been started either.
  });
  void exited.then(() => watcher.kill("SIGKILL"));
}

/** How soon the end of a process that is not our child is noticed. */
const ADOPTED_POLL_MS = 250;

/** A server that another process started. */
export function adoptProcess(identity: ProcessIdentity): ServerProcess {
  return {
    identity,
    exited: waitForEnd(identity),
    async signal(signal) {
      if (!(await isAlive(identity))) return;
      try {
        process.kill(identity.pid, signal);
      } catch (error) {
        if (!hasCode(error, "ESRCH")) throw error;
      }
    },
  };
}

async function waitForEnd(identity: ProcessIdentity): Promise<ProcessExit> {
  // What cannot be looked at now (too many open files) is looked at again.
  while (await isAlive(identity).catch(() => true)) await delay(ADOPTED_POLL_MS, undefined, { ref: false });
  return { code: null, signal: null };
}

/** The server needs two seconds to end in order; its data is safe even if it is not given them. */
const GRACEFUL_END_MS = 10_000;
/** A killed process that is still there after this waits for a disk. */
const HARD_END_MS = 5_000;

/**
 * Ends a server, politely first, and waits until it is gone.
 *
 * @throws TemporalUnavailableError where it does not go.
 */
export async function terminate(server: ServerProcess, first: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (first === "SIGTERM") {
    await server.signal("SIGTERM");
    if (await endsWithin(server, GRACEFUL_END_MS)) return;
  }
  await server.signal("SIGKILL");
  if (await endsWithin(server, HARD_END_MS)) return;
  throw new TemporalUnavailableError(`the Temporal server, process ${server.identity.pid}, cannot be ended`);
}

async function endsWithin(server: ServerProcess, boundMs: number): Promise<boolean> {
  const bound = new AbortController();
  try {
    return await Promise.race([
      server.exited.then(() => true),
      delay(boundMs, false, { signal: bound.signal }).catch(() => false),
    ]);
  } finally {
    bound.abort();
  }
}
