import { randomBytes } from "node:crypto";

import { InvalidArgumentError } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";

const HELP = `
The line goes into OUTDIAL_DATA_KEYS, or the file that OUTDIAL_DATA_KEYS_FILE names, of every process that takes lists
or dials, and into a safe: without it, what it has encrypted is lost, in every backup too. The first line of the
setting encrypts; to change keys, add the new line behind the old one everywhere, then put it first everywhere, and
take the old one out once "data-key status" says that it encrypts nothing any more.

Examples:
  outdial data-key new
  outdial data-key new k2027`;

export function registerDataKeys(dataKey: CliCommand): void {
  dataKey
    .command("new")
    .description(
      "Makes a key for sensitive values, and writes its line to standard output. It is kept nowhere.",
    )
    .argument("[id]", "what it is called, as in k2027; by default by the day", idOf)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ voice }, given: string | undefined) => {
      const id = given ?? `k${new Date().toISOString().slice(0, 10).replaceAll("-", "")}`;
      const line = `${id}:${randomBytes(32).toString("base64")}`;
      voice.present([line]);
      voice.json({ id, line });
    });
  dataKey
    .command("status")
    .description("Shows the keys of sensitive values by their ids, and how much each encrypts.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const { keys } = await withRunningSystem(config, (api) => api.people.dataKeys());
      const found = keys.map(({ id, state, contacts, enrolments, more }) => [
        id,
        state,
        String(contacts),
        String(enrolments),
        more ? "at least" : "",
      ]);
      voice.present(
        listing("no data keys", ["key", "state", "contacts", "enrolments", ""], found, voice.colours),
      );
      voice.json({ keys });
      return keys.some(({ state }) => state === "missing") ? EXIT.failed : EXIT.ok;
    });
}

function idOf(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(text)) return text;
  throw new InvalidArgumentError("It must be letters, digits, dots, dashes and underscores, 40 at most.");
}
