import type { Command } from "commander";

import { voiceOf, warningLines, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readScheduleFile } from "./definition-file.ts";

const DONE = {
  created: "is there now",
  changed: "has the new definition, for everything that is due from now on",
  none: "is as the file says already",
} as const;

export function registerSchedulePut(schedule: Command, context: CliContext): void {
  schedule
    .command("put")
    .description("Makes a schedule from a file, or gives it the file's definition.")
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial schedule put nightly-sync.yaml")
    .action(async (file: string, options: { json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const definition = readScheduleFile(file);
      const put = await withRunningSystem(config, (api) => api.schedules.put(definition));
      voice.tell([
        `schedule ${put.name} ${DONE[put.change]} (${put.state})`,
        ...warningLines(voice, put.warnings),
      ]);
      voice.json(put);
      context.finish(EXIT.ok);
    });
}
