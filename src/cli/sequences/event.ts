import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";
import { sequenceBrandOption } from "./options.ts";

interface EventOptions {
  brand: string;
  name: string;
  data: readonly string[];
  phone?: string;
  enrolment?: string;
  requestKey?: string;
  json?: true;
}

const HELP = `
Examples:
  outdial sequence event trial-welcome --phone +12025550143 --name purchased --data plan=team
  outdial sequence event --enrolment 5d75aeb6-01fe-4693-805c-8b7b9720ecdf --name first_project`;

export function registerSequenceEvent(sequence: CliCommand): void {
  sequence
    .command("event")
    .grave()
    .description("Tells somebody's enrolments in a sequence of an event, or one enrolment.")
    .argument("[sequence]", "its name or id")
    .addOption(sequenceBrandOption())
    .requiredOption("--name <event>", "what happened")
    .option("--phone <number>", "whose event it is, with +")
    .option("--enrolment <id>", "only this one, instead of a sequence and a number")
    .addOption(
      new Option("--data <name=value>", "what the event says, as text; again for each")
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], "none"),
    )
    .option("--request-key <text>", "makes it the same event, however often it is given")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, ref: string | undefined, options: EventOptions) => {
      const { brand, name, phone, enrolment, requestKey: request_key } = options;
      const event = { name, data: readData(options.data), request_key };
      if (ref !== undefined && phone !== undefined && enrolment === undefined) {
        const result = await withRunningSystem(config, (api) =>
          api.sequences.event(ref, brand, { ...event, phone }),
        );
        voice.tell([`${countText(result.told, "enrolment")} told`]);
        voice.json(result);
      } else if (ref === undefined && phone === undefined && enrolment !== undefined) {
        const result = await withRunningSystem(config, (api) => api.sequences.eventOfOne(enrolment, event));
        voice.tell([
          result.outcome === null
            ? `the enrolment is ${result.paused ? "paused" : "active"}${result.step === null ? "" : ` at ${result.step}`}`
            : `the enrolment is over: ${result.outcome}`,
        ]);
        voice.json(result);
      } else {
        throw new CliError("give a sequence and --phone, or --enrolment alone", EXIT.badInput);
      }
    });
}

function readData(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new CliError(`--data ${pair}: write it as name=value`, EXIT.badInput);
    }),
  );
}
