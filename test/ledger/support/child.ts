import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** A process that runs a piece of JavaScript against the ledger as it was built. */
export interface Child {
  /** Every line of its standard output so far. */
  readonly lines: readonly string[];
  /** Waits for a line; fails where the process ends before it comes. */
  line(matching: (line: string) => boolean): Promise<string>;
  /** What it said on standard error. */
  readonly errors: () => string;
  /** As kill -9 does. */
  kill(): Promise<void>;
  /** Ends its standard input, which the program takes as the sign to end by itself. */
  finish(): Promise<number | null>;
  readonly ended: Promise<number | null>;
}

/**
 * Runs `program` as an ES module. It finds the folder of the build in `LEDGER`, `args` in `ARGS`, and `say(value)`
 * writes a line at once, which a kill cannot take back.
 *
 * @param built the folder of the build
 */
export function runChild(built: string, program: string, args: object = {}): Child {
  const prelude = `
    import { writeSync } from "node:fs";
    const LEDGER = ${JSON.stringify(built)};
    const ARGS = JSON.parse(process.argv[1]);
    const say = (value) => writeSync(1, JSON.stringify(value) + "\\n");
    const told = new Promise((resolve) => { process.stdin.on("end", resolve).resume(); });
  `;
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", prelude + program, JSON.stringify(args)],
    {
      cwd: root,
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  const lines: string[] = [];
  const reader = createInterface(child.stdout);
  reader.on("line", (line) => lines.push(line));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdin.on("error", () => {
    // It was killed before it read what it was told.
  });
  const ended = Promise.all([once(child, "exit"), once(reader, "close")]).then(([[code]]) =>
    typeof code === "number" ? code : null,
  );
  return {
    lines,
    async line(matching) {
      for (;;) {
        const found = lines.find(matching);
        if (found !== undefined) return found;
        const more = once(reader, "line").then(() => true);
        if (!(await Promise.race([more, ended.then(() => false)])) && !lines.some(matching))
          throw new Error(`the process ended without the line: ${errors}`);
      }
    },
    errors: () => errors,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async finish() {
      child.stdin.end();
      return ended;
    },
    ended,
  };
}
