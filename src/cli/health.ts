import type { Command } from "commander";

import { voiceOf, type CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption, settingsFor } from "./options.ts";
import { isWell, readPulses, vitalsLines } from "./campaigns/run/pulse.ts";
import { isAlive } from "./process-alive.ts";

const HELP = `
For supervisors and container health checks: it reads what the worker or server writes every ten seconds into the
data folder, and sends nothing. 0: each of them lives and reaches the ledger and Temporal; otherwise 1.`;

export function registerHealth(program: Command, context: CliContext): void {
  program
    .command("health")
    .description(
      "Says whether each worker and server that runs on the data folder lives and has what it needs.",
    )
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action((options: { json?: boolean }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const all = readPulses(config.dataDir, Date.now(), isAlive);
      const well = isWell(all);
      voice.tell(vitalsLines(config.dataDir, all));
      voice.json({
        well,
        processes: all.map(({ kind, pid, agoMs, problem }) => ({ kind, pid, ago_ms: agoMs, problem })),
      });
      context.finish(well ? EXIT.ok : EXIT.failed);
    });
}
