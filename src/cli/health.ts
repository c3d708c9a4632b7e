import type { Command } from "commander";

import { voiceOf, type CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption, settingsFor } from "./options.ts";
import { readPulses } from "./pulse.ts";
import { isAlive } from "./running-system.ts";

const HELP = `
For supervisors and container health checks: it reads what the worker or server writes every ten seconds into the
data folder, and sends nothing. 0: each of them lives and reaches the ledger and Temporal; otherwise 1.`;

export function registerHealth(program: Command, context: CliContext): void {
  program
    .command("health")
    .summary("whether the worker or server of this data folder is well")
    .description(
      "Says whether each worker and server that runs on the data folder lives and has what it needs.",
    )
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action((options: { json?: boolean }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const all = readPulses(config.dataDir, Date.now(), isAlive);
      const isWell = all.length > 0 && all.every(({ problem }) => problem === undefined);
      voice.tell(
        all.map(({ kind, pid, agoMs, problem }) => {
          return `${kind} ${pid}: ${problem ?? "well"} (heard from ${Math.round(agoMs / 1_000)} s ago)`;
        }),
      );
      if (all.length === 0) {
        voice.tell([
          `no worker or server runs on the data folder ${config.dataDir}: start one with \`outdial worker\``,
        ]);
      }
      voice.json({
        well: isWell,
        processes: all.map(({ kind, pid, agoMs, problem }) => ({ kind, pid, ago_ms: agoMs, problem })),
      });
      context.finish(isWell ? EXIT.ok : EXIT.failed);
    });
}
