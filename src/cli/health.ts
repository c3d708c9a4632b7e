import type { CliCommand } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption } from "./options.ts";
import { isWell, readPulses, vitalsLines } from "./campaigns/run/pulse.ts";
import { isAlive } from "./process-alive.ts";

const HELP = `
For supervisors and container health checks: it reads what the worker or server writes every ten seconds into the
data folder, and sends nothing. 0: each of them lives and reaches the ledger and Temporal; otherwise 1.`;

export function registerHealth(program: CliCommand): void {
  program
    .command("health")
    .here()
    .description(
      "Says whether each worker and server that runs on the data folder lives and has what it needs.",
    )
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }) => {
      const all = readPulses(config.dataDir, Date.now(), isAlive);
      const well = isWell(all);
      voice.tell(vitalsLines(config.dataDir, all));
      voice.json({
        well,
        processes: all.map(({ kind, pid, agoMs, problem }) => ({ kind, pid, ago_ms: agoMs, problem })),
      });
      return well ? EXIT.ok : EXIT.failed;
    });
}
