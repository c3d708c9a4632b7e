import { Argument } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

export function registerAttentionResolve(attention: CliCommand): void {
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
    .does(async ({ config, voice }, id: number, options: { reason: string; json?: true }) => {
      const entry = await withRunningSystem(config, (api) => api.attention.resolve(id, options.reason));
      voice.tell([
        `${entry.id} is off the list: ${entry.resolution ?? options.reason} (${entry.resolved_by ?? "you"})`,
      ]);
      voice.json(entry);
    });
}
