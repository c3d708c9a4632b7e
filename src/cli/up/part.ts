import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import type { Ended, Part } from "./supervise.ts";
import type { Said } from "./supervisor-line.ts";

/** A loop that has not turned for so long does not turn: it says so every ten seconds. */
const STUCK_MS = 60_000;

/** It drains within this, or is killed: calls that are up go on on the platform, and are settled later. */
const DRAIN_MS = 120_000;

/** A log is put aside when it has grown to this; so many of these are kept. */
const LOG_BYTES = 20 * 1024 ** 2;
const KEPT_LOGS = 4;

export interface PartOptions {
  /** The command, with its options. */
  args: readonly string[];
  /** Where its log goes. */
  log: string;
}

/**
 * Starts a command of this program in a process of its own, out of the terminal's group: Ctrl-C is for whoever started
 * it, which then has it end in good order.
 */
export function startPart({ args, log }: PartOptions): Part & { readonly said: () => string } {
  fs.mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 });
  putAside(log);
  const fd = fs.openSync(log, "a", 0o600);
  const from = fs.fstatSync(fd).size;
  const [, program = ""] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    stdio: ["ignore", fd, fd, "ipc"],
    detached: true,
  });
  fs.closeSync(fd);
  let turnedAtMs = performance.now();
  const up = new Promise<void>((resolve) => {
    child.on("message", (said) => {
      turnedAtMs = performance.now();
      if ((said as Said) === "up") resolve();
    });
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on("error", () => resolve({ code: null, signal: "not started" }));
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
  let isUp = false;
  void up.then(() => {
    isUp = true;
  });
  const growing = setInterval(() => putAside(log), STUCK_MS);
  growing.unref();
  let late: NodeJS.Timeout | undefined;
  void ended.then(() => {
    clearInterval(growing);
    clearTimeout(late);
  });
  return {
    ended,
    up,
    // One that comes up may bring a large ledger up to date before its loop says anything.
    isStuck: () => isUp && performance.now() - turnedAtMs > STUCK_MS,
    stop() {
      child.kill("SIGTERM");
      late ??= setTimeout(() => child.kill("SIGKILL"), DRAIN_MS);
    },
    kill: () => void child.kill("SIGKILL"),
    said: () => fs.readFileSync(log, "utf8").slice(from),
  };
}

/** In place, since the process goes on writing to the file that it has. Lines of that moment may be lost. */
function putAside(log: string): void {
  try {
    const size = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    if (size < LOG_BYTES) return;
    for (let n = KEPT_LOGS - 1; n > 0; n -= 1) {
      if (fs.existsSync(`${log}.${n}`)) fs.renameSync(`${log}.${n}`, `${log}.${n + 1}`);
    }
    fs.copyFileSync(log, `${log}.1`);
    fs.truncateSync(log);
  } catch {
    // A disk that is full, or somebody else's: the log decides nothing.
  }
}
