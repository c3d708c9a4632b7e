import type { CliCommand } from "../cli-command.ts";
import { warningLines } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
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

export function registerAutomationPut(automation: CliCommand): void {
  automation
    .command("put")
    .description("Declares an automation from a file, or gives it the file's definition.")
    .argument("<file>", "YAML or JSON file")
    .option("--wait", "tell its steps, and end when it is ready or failed")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial automation put crm-sync.yaml --wait")
    .does(async ({ config, voice }, file: string, options: PutOptions) => {
      const definition = readAutomationFile(file);
      return withRunningSystem(config, async (api) => {
        const put = await api.automations.put(definition);
        voice.tell([
          `automation ${put.name} ${DONE[put.change]} (${put.state})`,
          ...warningLines(voice, put.warnings),
        ]);
        if (!options.wait) {
          voice.json(put);
          return EXIT.ok;
        }
        const waited = await waitForAutomation(api, voice, put.name);
        voice.json({ ...waited.automation, change: put.change, warnings: put.warnings });
        return waited.code;
      });
    });
}

export function registerAutomationImport(automation: CliCommand): void {
  automation
    .command("import")
    .description("Declares an automation from what the platform, or `outdial automation export`, wrote.")
    .argument("<file>", "JSON file")
    .option("--name <name>", "under this name, instead of its own")
    .addOption(jsonOption())
    .does(async ({ config, voice }, file: string, options: { name?: string; json?: true }) => {
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
    });
}
