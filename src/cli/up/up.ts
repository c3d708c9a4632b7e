import path from "node:path";

import type { CliCommand } from "../cli-command.ts";
import type { Config } from "../../config.ts";
import type { CliContext, Voice } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { watchInterrupts } from "../interrupts.ts";
import { findRunningSystem } from "../running-system.ts";

const HELP = `
For one machine without services: with the embedded ledger and the Temporal server that comes with Outdial, a folder
is all it takes. Dialing and the HTTP API run in a process of their own (on PostgreSQL in two), which is started again
where it ends by itself or hangs: after a second at first, a minute at most. SIGTERM and Ctrl-C end everything in good
order. If this process is killed, those that it started end themselves.

Logs are in logs/ of the data folder, five files of 20 MB at most. What was begun is durable: nothing is lost or dialed
twice by a process that ends. To have it run after a restart of the machine, give it to systemd or the like.

Example:
  OUTDIAL_DATA_DIR=/var/lib/outdial outdial up`;

export function registerUp(program: CliCommand, context: CliContext): void {
  program
    .command("up")
    .here()
    .description("Keeps everything running on this machine, in one folder, until it is stopped.")
    .addHelpText("after", HELP)
    .does(async ({ config, voice }) => {
      const { supervise, PartFailedError } = await import("./supervise.ts");
      const { startPart } = await import("./part.ts");
      const say = (message: string) => voice.screen.say(message);
      const interrupts = watchInterrupts(() => say("left at once: what was started ends by itself"));
      // One that can't be kept up takes the others with it.
      const failed = new AbortController();
      const signal = AbortSignal.any([interrupts.signal, failed.signal]);
      const names = config.databaseUrl === undefined ? ["server"] : ["server", "worker"];
      const keep = async (name: string): Promise<void> => {
        const log = path.join(config.dataDir, "logs", `${name}.log`);
        let last: ReturnType<typeof startPart> | undefined;
        let isTold = false;
        try {
          await supervise({
            name,
            start: () => {
              last = startPart({ args: [name, "--supervised", "--data-dir", config.dataDir], log });
              void last.up.then(async () => {
                say(upText(name, findRunningSystem(config)?.url, log));
                if (name === "server" && !isTold) await tellOnTerminal(context, voice, config);
                isTold ||= name === "server";
              });
              return last;
            },
            say,
            signal,
          });
        } catch (error) {
          failed.abort();
          if (!(error instanceof PartFailedError)) throw error;
          const why = wordsIn(last?.said() ?? "");
          throw new CliError(
            `${error.message}${why === "" ? `: see ${log}` : `:\n${why}`}`,
            error.exitCode === EXIT.badInput ? EXIT.badInput : EXIT.failed,
          );
        }
      };
      try {
        const ends = await Promise.allSettled(names.map(keep));
        const broken = ends.find((end) => end.status === "rejected");
        if (broken) throw broken.reason;
        say("everything has ended");
      } finally {
        interrupts.end();
      }
    });
}

/** Elsewhere it would be kept; `outdial sign-in` makes another. */
async function tellOnTerminal(context: CliContext, voice: Voice, config: Config): Promise<void> {
  if (context.stdout.isTTY !== true) return;
  const found = findRunningSystem(config);
  if (!found) return;
  const { openApi } = await import("../api/client.ts");
  const { tellDashboard } = await import("../dashboard-link.ts");
  const api = openApi(found);
  try {
    await tellDashboard(context, voice, { config, api });
  } finally {
    await api.close();
  }
}

function upText(name: string, url: string | undefined, log: string): string {
  const where = name === "server" && url !== undefined ? ` at ${url}` : "";
  return `the ${name} runs${where}; its log is ${log}`;
}

/** What it said to a person, among the lines for programs. */
function wordsIn(said: string): string {
  const lines = said.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  return lines
    .slice(-10)
    .map((line) => line.replace(/^outdial(?: \w+)?: /, "  "))
    .join("\n");
}
