import type { CliCommand } from "../cli-command.ts";
import { warningLines } from "../context.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readScheduleFile } from "./definition-file.ts";

const DONE = {
  created: "is there now",
  changed: "has the new definition, for everything that is due from now on",
  none: "is as the file says already",
} as const;

export function registerSchedulePut(schedule: CliCommand): void {
  schedule
    .command("put")
    .description("Makes a schedule from a file, or gives it the file's definition.")
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial schedule put nightly-sync.yaml")
    .does(async ({ config, voice }, file: string) => {
      const definition = readScheduleFile(file);
      const put = await withRunningSystem(config, (api) => api.schedules.put(definition));
      voice.tell([
        `schedule ${put.name} ${DONE[put.change]} (${put.state})`,
        ...warningLines(voice, put.warnings),
      ]);
      voice.json(put);
    });
}
