import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

export function registerTriggerSwitch(trigger: CliCommand): void {
  for (const [name, description, words] of [
    ["enable", "Lets a trigger take deliveries again.", "takes deliveries"],
    [
      "disable",
      "Refuses what comes through a trigger (409); what came before is worked off.",
      "takes no deliveries",
    ],
  ] as const) {
    const command = trigger.command(name);
    if (name === "enable") command.grave();
    command
      .description(description)
      .argument("<name>", "the trigger")
      .addOption(jsonOption())
      .does(async ({ config, voice }, which: string) => {
        const found = await withRunningSystem(config, (api) => api.triggers[name](which));
        voice.tell([`trigger ${found.name} ${words}`]);
        voice.json(found);
      });
  }
}
