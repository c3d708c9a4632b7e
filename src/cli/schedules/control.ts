import type { Command } from "commander";

import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

const COMMANDS = [
  ["pause", "Has no run begin by itself from now on; runs that are under way go on.", "is paused"],
  ["resume", "Goes on with what is due from now on.", "is active"],
  [
    "repair",
    "Has a schedule that was changed on the platform, which keeps its time, be as declared again.",
    "is being repaired",
  ],
] as const;

export function registerScheduleControls(schedule: Command, context: CliContext): void {
  for (const [name, description, words] of COMMANDS) {
    schedule
      .command(name)
      .description(description)
      .argument("<name>", "the schedule")
      .option("--reason <text>", "why, for the audit")
      .addOption(jsonOption())
      .action(async (which: string, options: { reason?: string; json?: true }, command: Command) => {
        const config = settingsFor(context, command);
        const voice = voiceOf(context, config, options);
        const found = await withRunningSystem(config, (api) =>
          api.schedules.command(which, name, options.reason),
        );
        voice.tell([`schedule ${found.name} ${words}`]);
        voice.json(found);
        context.finish(EXIT.ok);
      });
  }

  schedule
    .command("remove")
    .description("Has nothing be due any more; what was run stays on record.")
    .argument("<name>", "the schedule")
    .addOption(jsonOption())
    .action(async (which: string, options: { json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const removed = await withRunningSystem(config, (api) => api.schedules.remove(which));
      voice.tell([`schedule ${removed.name} is removed`]);
      voice.json(removed);
      context.finish(EXIT.ok);
    });
}
