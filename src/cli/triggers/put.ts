import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readTriggerFile } from "./definition-file.ts";

const DONE = {
  created: "is there now",
  changed: "has the new definition, for everything that is worked off from now on",
  none: "is as the file says already",
} as const;

export function registerTriggerPut(trigger: CliCommand): void {
  trigger
    .command("put")
    .description("Makes a trigger from a file, or gives it the file's definition.")
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial trigger put examples/triggers/generic.yaml")
    .does(async ({ config, voice }, file: string) => {
      const definition = readTriggerFile(file);
      const put = await withRunningSystem(config, (api) => api.triggers.put(definition));
      voice.tell([
        `trigger ${put.name} ${DONE[put.change]} (version ${put.version}); its sender posts to ${put.path}`,
        ...put.warnings.map((warning) => voice.colours.yellow(`warning: ${warning}`)),
      ]);
      voice.json(put);
    });
}
