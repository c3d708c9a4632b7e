import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PATIENCE_MS } from "./until.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A process of Outdial from the build, as a user would start it. */
export interface OutdialProcess {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Resolves with the match once standard output or error has it. */
  waitFor(pattern: RegExp, boundMs?: number): Promise<RegExpExecArray>;
  /** Ends it at once, as a crash of the process would. */
  kill(): Promise<void>;
  /** Asks it to end and waits. Resolves with its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Bounds what a chatty process leaves in memory. */
const KEPT_CHARS = 2_000_000;

/**
 * For processes that live for seconds: a third of their time would go into making code fast that is about to end, and into
 * making ready what is never run. The code is the same, and does the same.
 */
const SHORT_LIVED = ["--no-opt", "--liftoff-only", "--wasm-lazy-compilation"];

export interface StartOptions {
  /** True: exactly as a user's, since what it takes is what the test is about. */
  isMeasured?: boolean;
  /** The folder of another build (`next-build.ts`); by default it is the checkout's. */
  program?: string | undefined;
}

export function startOutdial(
  args: readonly string[],
  environment: Record<string, string>,
  { isMeasured = false, program = root }: StartOptions = {},
): OutdialProcess {
  const flags = isMeasured ? [] : SHORT_LIVED;
  const child = spawn(process.execPath, [...flags, path.join(program, "bin/outdial.mjs"), ...args], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kept = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => {
      kept[name] = `${kept[name]}${chunk.toString()}`.slice(-KEPT_CHARS);
      for (const look of watchers) look();
    });
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on("close", (code, signal) => {
      resolve({ code, signal });
      for (const look of watchers) look();
    });
  });
  const whatItSaid = () => `${kept.stdout.slice(-3_000)}\n${kept.stderr.slice(-3_000)}`;
  return {
    child,
    stdout: () => kept.stdout,
    stderr: () => kept.stderr,
    exited,
    waitFor: (pattern, boundMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          watchers.delete(look);
          reject(
            new Error(
              `waited ${boundMs} ms in vain for ${String(pattern)} of ${args.join(" ")}${standingOf(child.pid)}; it said:\n${whatItSaid()}`,
            ),
          );
        }, boundMs);
        const look = () => {
          const match = pattern.exec(kept.stdout) ?? pattern.exec(kept.stderr);
          if (!match && child.exitCode === null && child.signalCode === null) return;
          clearTimeout(timer);
          watchers.delete(look);
          if (match) resolve(match);
          else
            reject(
              new Error(
                `${args.join(" ")} ended (${child.exitCode ?? child.signalCode}) without saying ${String(pattern)}; it said:\n${whatItSaid()}`,
              ),
            );
        };
        watchers.add(look);
        look();
      }),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async end(signal = "SIGTERM") {
      child.kill(signal);
      return (await exited).code;
    },
  };
}

/** Whether a process had no CPU to do it with, or waits for something: in words, where the system says so. */
function standingOf(pid: number | undefined): string {
  try {
    const [, behind = ""] = /\) (.*)$/s.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    const [state, ...fields] = behind.split(" ");
    // In ticks of a hundredth of a second: proc_pid_stat(5).
    const seconds = (Number(fields[10]) + Number(fields[11])) / 100;
    return ` (state ${state}, ${seconds} s of CPU so far, load ${os.loadavg()[0]?.toFixed(1)})`;
  } catch {
    return "";
  }
}

/** The most memory that a process ever had resident, in megabytes; undefined where the system does not say. */
export function peakResidentMb(pid: number): number | undefined {
  try {
    const [, kb] = /^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kb === undefined ? undefined : Math.round(Number(kb) / 1_024);
  } catch {
    return undefined;
  }
}
