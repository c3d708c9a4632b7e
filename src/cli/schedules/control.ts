import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
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

export function registerScheduleControls(schedule: CliCommand): void {
  for (const [name, description, words] of COMMANDS) {
    const command = schedule.command(name);
    if (name === "resume") command.grave();
    command
      .description(description)
      .argument("<name>", "the schedule")
      .option("--reason <text>", "why, for the audit")
      .addOption(jsonOption())
      .does(async ({ config, voice }, which: string, options: { reason?: string; json?: true }) => {
        const found = await withRunningSystem(config, (api) =>
          api.schedules.command(which, name, options.reason),
        );
        voice.tell([`schedule ${found.name} ${words}`]);
        voice.json(found);
      });
  }

  schedule
    .command("remove")
    .grave()
    .description("Has nothing be due any more; what was run stays on record.")
    .argument("<name>", "the schedule")
    .addOption(jsonOption())
    .does(async ({ config, voice }, which: string) => {
      const removed = await withRunningSystem(config, (api) => api.schedules.remove(which));
      voice.tell([`schedule ${removed.name} is removed`]);
      voice.json(removed);
    });
}
