import type { Command } from "commander";

import { voiceOf, type CliContext } from "./context.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption, settingsFor } from "./options.ts";
import { withSystemAtHand } from "./system-at-hand.ts";

export function registerGoOn(program: Command, context: CliContext): void {
  program
    .command("go-on")
    .description("Lifts `stop-all`: campaigns that are running dial again. The reason is kept.")
    .requiredOption("--reason <text>", "why dialing may go on")
    .addOption(jsonOption())
    .addHelpText("after", '\nExample:\n  outdial go-on --reason "the list was corrected"')
    .action(async (options: { reason: string; json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const say = (message: string) => voice.screen.say(message);
      const result = await withSystemAtHand(context, config, say, (api) => api.system.goOn(options.reason));
      voice.tell([result.was_stopped ? "dialing goes on" : "nothing was stopped; dialing goes on as it did"]);
      voice.json(result);
      context.finish(EXIT.ok);
    });
}
