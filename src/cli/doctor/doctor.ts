import type { CliCommand } from "../cli-command.ts";
import { ConfigError, type Config } from "../../config.ts";
import type { FormOptions } from "../answer-form.ts";
import type { Colours } from "../view/colours.ts";
import { voiceOf, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { padText } from "../view/text-width.ts";
import { fail, ok, type Check } from "./check.ts";
import { checkContext } from "./context.ts";
import { checkNode } from "./machine.ts";

const HELP = `
Looks at Node.js, the settings, the time zone data, the data folder, the ledger, the folder and databases of contact
lists, Temporal, clocks, the platform, its key, balance, numbers and profile; with the file of a campaign or a
sequence, also whether its agents are published and its numbers are owned, and whether the hosts, secrets, automations
and sequences that it names can be had. Changes nothing but a ledger's schema, as every start does. Exits with 1 where
something fails.

Examples:
  outdial doctor
  outdial doctor campaign.yaml
  outdial doctor sequence.yaml`;

export function registerDoctor(program: CliCommand, context: CliContext): void {
  program
    .command("doctor")
    .here()
    .description("Says what is missing or misconfigured, and how to mend it.")
    .argument("[file]", "a campaign or a sequence that is to run")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, options: FormOptions, command: CliCommand) => {
      const caller = file === undefined ? undefined : (await import("./caller.ts")).readCaller(file);
      const config = readSettings(command);
      const checks: Check[] = [checkNode(process.versions.node)];
      if (config instanceof ConfigError) {
        checks.push(
          ...config.problems.map((problem) => fail("settings", problem, "correct it in the environment")),
        );
        const voice = await voiceOf(context, UNKNOWN, options);
        voice.present(checkLines(checks, voice.colours));
        voice.json(resultOf(checks));
      } else {
        const voice = await voiceOf(context, config, options);
        checks.push(ok("settings", "read"));
        const { dataDir } = command.optsWithGlobals<{ dataDir?: string }>();
        checks.push(...checkContext(config, dataDir));
        if (caller) checks.push(ok("file", `${caller.what} is in order`));
        // Databases take longer to load than most commands to run.
        const { checkAll } = await import("./check-all.ts");
        checks.push(...(await checkAll(config, context.ports, caller)));
        voice.present(checkLines(checks, voice.colours));
        voice.json(resultOf(checks));
      }
      context.finish(checks.some(({ status }) => status === "fail") ? EXIT.failed : EXIT.ok);
    });
}

/** Of settings that can't be read: no more is done with a terminal than any understands. */
const UNKNOWN = { terminal: { noColor: true, dumb: true } };

function readSettings(command: CliCommand): Config | ConfigError {
  try {
    return command.settings();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

function resultOf(checks: readonly Check[]): { ok: boolean; checks: readonly Check[] } {
  return { ok: checks.every(({ status }) => status !== "fail"), checks };
}

/** A line a check; under it what to do, where something is to do. Pure. */
export function checkLines(checks: readonly Check[], colours: Colours): string[] {
  const words = { ok: colours.green("ok  "), warn: colours.yellow("warn"), fail: colours.red("fail") };
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.flatMap(({ name, status, detail, remedy }) => [
    `${words[status]}  ${padText(name, width)}  ${detail}`,
    ...(remedy === undefined ? [] : [`      ${" ".repeat(width)}  ${colours.bold(remedy)}`]),
  ]);
}
