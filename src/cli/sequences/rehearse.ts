import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { instant, jsonOption } from "../options.ts";
import type { SequenceRehearseOptions } from "./rehearsing.ts";

const HELP = `
The file of the person is JSON or YAML: phone, and where known time_zone, country, state, postal_code, region,
consent, variables, key. Nothing is written, nobody is called, and nothing has to run.

What nobody knows beforehand is walked in every way: what a call comes to, whether an event comes, whether an action is
done, which way of a split, what the analysis of a call says to a branch. --assume takes one of them: a disposition of
a call step, event or timeout of a wait_for, done, failed or unknown of an action, a step of a split or of such a
branch.

Examples:
  outdial sequence rehearse trial-welcome.yaml --person ada.json
  outdial sequence rehearse trial-welcome.yaml --person ada.json --assume welcome=answered --from 2026-12-01T09:00:00Z`;

const assumeOption = () =>
  new Option("--assume <step=what>", "what happens at a step; again for each, and for several at one")
    .argParser((text: string, before: readonly string[]) => [...before, text])
    .default([], "all that may");

export function registerSequenceRehearse(sequence: CliCommand): void {
  sequence
    .command("rehearse")
    .description("Walks a person through a sequence: what happens on which dates, if what.")
    .argument("<sequence.yaml>", "the sequence")
    .requiredOption("--person <file>", "who goes through it")
    .option(
      "--from <time>",
      "when the person is enrolled, such as 2026-12-01T09:00:00Z; by default now",
      instant,
    )
    .addOption(assumeOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, file: string, options: SequenceRehearseOptions) => {
      const { rehearseSequence } = await import("./rehearsing.ts");
      const { waysJson } = await import("../../contacts/rehearsed-sequence.ts");
      const { waysLines } = await import("./ways-lines.ts");
      const rehearsed = await rehearseSequence(config, file, options);
      voice.tell(waysLines(rehearsed, voice.colours));
      voice.json(waysJson(rehearsed));
    });
}
