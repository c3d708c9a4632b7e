import { Argument, type Command } from "commander";

import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

export function registerAttentionResolve(attention: Command, context: CliContext): void {
  attention
    .command("resolve")
    .description("Takes an entry off the list, because somebody has dealt with it.")
    .addArgument(
      new Argument("<id>", "as `outdial attention list` shows it").argParser(
        wholeNumber(1, Number.MAX_SAFE_INTEGER),
      ),
    )
    .requiredOption("--reason <text>", "what was done; it is kept")
    .addOption(jsonOption())
    .action(async (id: number, options: { reason: string; json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const entry = await withRunningSystem(config, (api) => api.attention.resolve(id, options.reason));
      voice.tell([
        `${entry.id} is off the list: ${entry.resolution ?? options.reason} (${entry.resolved_by ?? "you"})`,
      ]);
      voice.json(entry);
      context.finish(EXIT.ok);
    });
}
