import type { CliCommand } from "./cli-command.ts";
import type { CliContext } from "./context.ts";
import { runDaemon } from "./daemon.ts";
import { supervisedOption } from "./options.ts";

const HELP = `
On PostgreSQL any number of workers run beside each other. On the embedded ledger one process is all there is, so
the worker serves the HTTP API, too, on any free port of this machine.

SIGTERM and Ctrl-C drain it: it takes no new work, ends what it has, and exits with 0.`;

export function registerWorker(program: CliCommand, context: CliContext): void {
  program
    .command("worker")
    .here()
    .description("Runs a worker until SIGTERM: it plans, dials, follows and settles.")
    .addHelpText("after", HELP)
    .addOption(supervisedOption())
    .does(({ config }, { supervised }: { supervised?: true }) =>
      runDaemon("worker", config, (parts) => context.ports.startSystem(parts), { supervised }),
    );
}
