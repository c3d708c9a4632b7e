import { execFile } from "node:child_process";
import { access, constants, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { hasCode } from "./errors.ts";

/**
 * A process, such that another one which later gets the same pid is not taken for it. `startedAt` is opaque:
 * compare it only with what the same machine said before.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

export interface ProcessFacts extends ProcessIdentity {
  /** The command with its arguments, separated by blanks. */
  readonly command: string;
}

/** It reads a table in memory. */
const PS_TIMEOUT_MS = 5_000;

/** What the system says of a process now. Undefined where there is none, or only a zombie that nobody reaped. */
export async function inspectProcess(pid: number): Promise<ProcessFacts | undefined> {
  return process.platform === "linux" ? inspectProc(pid) : inspectPs(pid);
}

/** Whether that very process lives. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const facts = await inspectProcess(identity.pid);
  return facts?.startedAt === identity.startedAt;
}

/** The identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const facts = await inspectProcess(process.pid);
  if (!facts) throw new Error("this system does not tell when processes started (no /proc, no ps)");
  return { pid: facts.pid, startedAt: facts.startedAt };
}

async function inspectProc(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [status, command, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    ]);
    // proc(5): the second field is the name in parentheses and may hold blanks; state is the third field,
    // and the start in clock ticks since boot the twenty-second.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    const ticks = fields[19];
    if (state === "Z" || state === "X" || ticks === undefined) return undefined;
    return {
      pid,
      startedAt: `${bootId.trim()}/${ticks}`,
      command: command.split("\0").join(" ").trim(),
    };
  } catch (error) {
    // ESRCH: it ended between opening and reading.
    if (hasCode(error, "ENOENT", "ESRCH")) return undefined;
    throw error;
  }
}

/** The same through ps(1), for systems without /proc. */
export async function inspectPs(pid: number): Promise<ProcessFacts | undefined> {
  try {
    // In one language, because the start is compared with what another process was told.
    const columns = [
      "LC_ALL=C",
      "ps",
      "-ww",
      "-o",
      "stat=",
      "-o",
      "lstart=",
      "-o",
      "args=",
      "-p",
      String(pid),
    ];
    const { stdout } = await promisify(execFile)("env", columns, { timeout: PS_TIMEOUT_MS });
    // S+   Mon Jan  5 10:00:00 2026 command and arguments
    const match = /^\s*(\S+)\s+(\S+(?:\s+\S+){4})\s+(.*)$/s.exec(stdout);
    const [, state, startedAt, command] = match ?? [];
    if (state === undefined || startedAt === undefined || state.startsWith("Z")) return undefined;
    return { pid, startedAt, command: command?.trim() ?? "" };
  } catch (error) {
    // ps ends with 1 where there is no such process.
    if (error instanceof Error && "code" in error && error.code === 1) return undefined;
    throw error;
  }
}

/** All executables of that name in a PATH value, in its order. */
export async function findExecutables(name: string, searchPath: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of searchPath.split(path.delimiter)) {
    if (folder === "") continue;
    const file = path.resolve(folder, name);
    if (!found.includes(file) && (await isExecutableFile(file))) found.push(file);
  }
  return found;
}

export async function isExecutableFile(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
