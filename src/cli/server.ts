import type { CliCommand } from "./cli-command.ts";
import type { CliContext } from "./context.ts";
import { runDaemon } from "./daemon.ts";
import { supervisedOption } from "./options.ts";

const HELP = `
Listens on OUTDIAL_API_HOST and OUTDIAL_API_PORT (127.0.0.1:8480); what it serves is described at /openapi.json.
Anything but this machine needs OUTDIAL_API_TOKEN.

On PostgreSQL workers are processes of their own (\`outdial worker\`). On the embedded ledger one process is all
there is, so the server dials, too.

SIGTERM and Ctrl-C end it in good order, with exit code 0.`;

export function registerServer(program: CliCommand, context: CliContext): void {
  program
    .command("server")
    .here()
    .description("Serves the HTTP API until SIGTERM.")
    .addHelpText("after", HELP)
    .addOption(supervisedOption())
    .does(({ config }, { supervised }: { supervised?: true }) =>
      runDaemon("server", config, (parts) => context.ports.startSystem(parts), { supervised }),
    );
}
