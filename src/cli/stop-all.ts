import type { Command } from "commander";

import { inFlightText } from "./campaign/control.ts";
import { voiceOf, type CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption, settingsFor } from "./options.ts";
import { withSystemAtHand } from "./system-at-hand.ts";

const HELP = `
From its answer on nobody is dialed for any campaign, until somebody goes on with a reason (\`outdial go-on\`).
Works without Temporal and without a worker; where no system runs, it starts one that dials nobody.

Example:
  outdial stop-all --reason "wrong list"`;

export function registerStopAll(program: Command, context: CliContext): void {
  program
    .command("stop-all")
    .description(
      "Stops all dialing of every campaign: no new call begins, calls that are up end by themselves.",
    )
    .option("--reason <text>", "why; it is kept", "outdial stop-all")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (options: { reason: string; json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const say = (message: string) => voice.screen.say(message);
      const result = await withSystemAtHand(context, config, say, (api) =>
        api.system.stopAll(options.reason),
      );
      voice.tell([
        "everything is stopped",
        inFlightText(result.in_flight),
        'go on with: outdial go-on --reason "..."',
      ]);
      voice.json(result);
      context.finish(EXIT.ok);
    });
}
