import type { Command } from "commander";

import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

export function registerTriggerSwitch(trigger: Command, context: CliContext): void {
  for (const [name, description, words] of [
    ["enable", "Lets a trigger take deliveries again.", "takes deliveries"],
    [
      "disable",
      "Refuses what comes through a trigger (409); what came before is worked off.",
      "takes no deliveries",
    ],
  ] as const) {
    trigger
      .command(name)
      .description(description)
      .argument("<name>", "the trigger")
      .addOption(jsonOption())
      .action(async (which: string, options: { json?: true }, command: Command) => {
        const config = settingsFor(context, command);
        const voice = voiceOf(context, config, options);
        const found = await withRunningSystem(config, (api) => api.triggers[name](which));
        voice.tell([`trigger ${found.name} ${words}`]);
        voice.json(found);
        context.finish(EXIT.ok);
      });
  }
}
