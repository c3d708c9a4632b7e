import type { CliCommand, Doing } from "../cli-command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import type { Api } from "../api/client.ts";
import { waitForAutomation } from "./wait.ts";

interface ControlOptions {
  wait?: true;
  json?: true;
}

const COMMANDS = [
  ["test", "Runs an automation as a test, and judges it by what is declared.", "is being tested"],
  ["deploy", "Deploys an automation once more.", "is being deployed"],
  [
    "retry",
    "Goes on where an automation failed, or brings one back that was changed on the platform.",
    "goes on",
  ],
] as const;

export function registerAutomationControls(automation: CliCommand): void {
  for (const [name, description, words] of COMMANDS) {
    automation
      .command(name)
      .description(description)
      .argument("<name>", "the automation")
      .option("--wait", "tell its steps, and end when it is ready or failed")
      .addOption(jsonOption())
      .does((doing, which: string, options: ControlOptions) =>
        control(doing, { which, words, options }, (api) => api.automations.command(which, name)),
      );
  }

  automation
    .command("restore")
    .grave()
    .description("Brings an earlier version of what an automation does back, and deploys it.")
    .argument("<name>", "the automation")
    .requiredOption("--version <n>", "which one, from 1", wholeNumber(1, 1_000_000))
    .option("--wait", "tell its steps, and end when it is ready or failed")
    .addOption(jsonOption())
    .does((doing, which: string, options: ControlOptions & { version: number }) => {
      const words = `is being brought back to version ${options.version}`;
      return control(doing, { which, words, options }, (api) =>
        api.automations.restore(which, options.version),
      );
    });

  registerRemove(automation);
}

async function control(
  { config, voice }: Doing,
  { which, words, options }: { which: string; words: string; options: ControlOptions },
  ask: (api: Api) => Promise<unknown>,
): Promise<ExitCode> {
  return withRunningSystem(config, async (api) => {
    const asked = await ask(api);
    voice.tell([`automation ${which} ${words}`]);
    const waited = options.wait ? await waitForAutomation(api, voice, which) : undefined;
    voice.json(waited?.automation ?? asked);
    return waited?.code ?? EXIT.ok;
  });
}

function registerRemove(automation: CliCommand): void {
  automation
    .command("remove")
    .grave()
    .description("Takes an automation out of Outdial's hands; on the platform it stays as it is.")
    .argument("<name>", "the automation")
    .option("--platform", "delete it on the platform, too")
    .addOption(jsonOption())
    .does(async ({ config, voice }, which: string, options: { platform?: true; json?: true }) => {
      const removed = await withRunningSystem(config, (api) =>
        api.automations.remove(which, options.platform === true),
      );
      voice.tell([
        `automation ${removed.name} is being removed${options.platform ? "" : "; on the platform it stays as it is"}`,
      ]);
      voice.json(removed);
    });
}
