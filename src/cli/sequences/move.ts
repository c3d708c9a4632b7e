import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

interface MoveOptions {
  enrolment: string;
  to: string;
  reason?: string;
  json?: true;
}

const HELP = `
They stay at the step that they are at, which has to do the same kind of thing there; what it waits for stays as it was
reckoned. Somebody who waits for a call is moved once it is over.

Example:
  outdial sequence move --enrolment 3f0c9a52-6d0e-4d2c-9b71-2f1f6f1a7c11 --to 3 --reason "the offer has changed"`;

export function registerSequenceMove(sequence: CliCommand): void {
  sequence
    .command("move")
    .description("Moves one person to another version of the sequence that they are in.")
    .grave()
    .requiredOption("--enrolment <id>", "whose; outdial sequence enrolments lists them")
    .requiredOption("--to <version>", "the version's number")
    .option("--reason <text>", "written down with it")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: MoveOptions) => {
      const version = Number(options.to);
      if (!Number.isInteger(version) || version < 1)
        throw new CliError(
          "--to is the number of a version, such as 2: outdial sequence status lists them",
          EXIT.badInput,
        );
      const result = await withRunningSystem(config, (api) =>
        api.sequences.move(options.enrolment, version, options.reason),
      );
      voice.tell([
        `the enrolment is on version ${version}${result.step === null ? "" : `, at ${result.step}`}`,
      ]);
      voice.json(result);
    });
}
