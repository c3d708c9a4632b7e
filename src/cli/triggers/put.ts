import type { Command } from "commander";

import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readTriggerFile } from "./definition-file.ts";

const DONE = {
  created: "is there now",
  changed: "has the new definition, for everything that is worked off from now on",
  none: "is as the file says already",
} as const;

export function registerTriggerPut(trigger: Command, context: CliContext): void {
  trigger
    .command("put")
    .description("Makes a trigger from a file, or gives it the file's definition.")
    .argument("<file>", "YAML or JSON file")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial trigger put examples/triggers/generic.yaml")
    .action(async (file: string, options: { json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const definition = readTriggerFile(file);
      const put = await withRunningSystem(config, (api) => api.triggers.put(definition));
      voice.tell([
        `trigger ${put.name} ${DONE[put.change]} (version ${put.version}); its sender posts to ${put.path}`,
        ...put.warnings.map((warning) => voice.colours.yellow(`warning: ${warning}`)),
      ]);
      voice.json(put);
      context.finish(EXIT.ok);
    });
}
