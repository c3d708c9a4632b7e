import { reasonWords } from "../../domain/ground/reason-words.ts";
import { spawn, type ChildProcessByStdio } from "node:child_process";
import path from "node:path";
import type { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

export interface CommandOptions {
  /** After this long it is ended. */
  readonly timeoutMs: number;
  readonly cwd?: string;
}

/** Runs a command and gives its standard output. */
export type RunCommand = (file: string, args: readonly string[], options: CommandOptions) => Promise<string>;

/** A command failed, could not be started or took too long. The message ends with what it said. */
class CommandError extends Error {
  override readonly name = "CommandError";
}

/** As much of a command's output as is kept: enough for any error message, and bounded. */
const OUTPUT_LIMIT = 64 * 1024;
/** Between the polite and the hard end of a command that took too long. */
const GRACE_MS = 3_000;
/** How long a grandchild that inherited the pipes may keep us waiting after the command itself has ended. */
const DRAIN_MS = 1_000;

/** @throws CommandError */
export const runCommand: RunCommand = async (file, args, { timeoutMs, cwd }) => {
  const name = path.basename(file);
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const output = collectOutput(child);
  let timedOut = false;
  let hardEnd: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGTERM");
    hardEnd = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  }, timeoutMs);
  try {
    const ending = await endOf(child);
    if (timedOut)
      throw new CommandError(`${name} gave up after ${timeoutMs / 1_000} s${lastWords(output.stderr)}`);
    if (ending === 0) return output.stdout;
    throw new CommandError(`${name} ended with ${ending}${lastWords(output.stderr || output.stdout)}`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${name} cannot be run (${reasonWords(error)})`, { cause: error });
  } finally {
    clearTimeout(timer);
    clearTimeout(hardEnd);
  }
};

type PipedChild = ChildProcessByStdio<null, Readable, Readable>;

function collectOutput(child: PipedChild): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout = (output.stdout + text).slice(-OUTPUT_LIMIT);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr = (output.stderr + text).slice(-OUTPUT_LIMIT);
  });
  return output;
}

/** Its exit code or the signal that ended it, once its output is complete. */
function endOf(child: PipedChild): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    let drain: NodeJS.Timeout | undefined;
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      drain = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(signal ?? code);
      }, DRAIN_MS);
    });
    child.once("close", (code, signal) => {
      clearTimeout(drain);
      resolve(signal ?? code);
    });
  });
}

/** The last lines of an output on one line, without the credentials that URLs in it may carry. */
export function lastWords(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const words = lines
    .slice(-3)
    .join(" | ")
    .replaceAll(/\/\/[^/@\s]+@/g, "//***@");
  return words === "" ? "" : `: ${words.slice(-600)}`;
}
