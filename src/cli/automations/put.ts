import type { Command } from "commander";

import { voiceOf, warningLines, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readAutomationFile, readWorkflowFile } from "./definition-file.ts";
import { waitForAutomation } from "./wait.ts";

const DONE = {
  created: "is declared, and is being brought to the platform",
  changed: "has the new definition, and the platform is being brought to it",
  none: "is as the file says already",
} as const;

interface PutOptions {
  wait?: true;
  json?: true;
}

export function registerAutomationPut(automation: Command, context: CliContext): void {
  automation
    .command("put")
    .description("Declares an automation from a file, or gives it the file's definition.")
    .argument("<file>", "YAML or JSON file")
    .option("--wait", "tell its steps, and end when it is ready or failed")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial automation put crm-sync.yaml --wait")
    .action(async (file: string, options: PutOptions, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const definition = readAutomationFile(file);
      await withRunningSystem(config, async (api) => {
        const put = await api.automations.put(definition);
        voice.tell([
          `automation ${put.name} ${DONE[put.change]} (${put.state})`,
          ...warningLines(voice, put.warnings),
        ]);
        if (!options.wait) {
          voice.json(put);
          context.finish(EXIT.ok);
          return;
        }
        const waited = await waitForAutomation(api, voice, put.name);
        voice.json({ ...waited.automation, change: put.change, warnings: put.warnings });
        context.finish(waited.code);
      });
    });
}

export function registerAutomationImport(automation: Command, context: CliContext): void {
  automation
    .command("import")
    .description("Declares an automation from what the platform, or `outdial automation export`, wrote.")
    .argument("<file>", "JSON file")
    .option("--name <name>", "under this name, instead of its own")
    .addOption(jsonOption())
    .action(async (file: string, options: { name?: string; json?: true }, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const read = readWorkflowFile(file);
      const whole = new Map(typeof read === "object" && read !== null ? Object.entries(read) : []);
      const changes = options.name === undefined ? {} : { name: options.name };
      const put = await withRunningSystem(config, (api) =>
        // An export of ours has a declaration in it, which says more than the platform's part.
        whole.has("definition")
          ? api.automations.put({ ...Object(whole.get("definition")), ...changes })
          : api.automations.import(read, changes),
      );
      voice.tell([
        `automation ${put.name} ${DONE[put.change]} (${put.state})`,
        ...warningLines(voice, put.warnings),
      ]);
      voice.json(put);
      context.finish(EXIT.ok);
    });
}
