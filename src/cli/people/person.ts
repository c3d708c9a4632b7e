import fs from "node:fs";

import type { ExportPageWire } from "../../http/wire/people/forgettings.ts";
import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { forgettingLines } from "./forget-lines.ts";

interface ExportOptions {
  output?: string;
  recordings?: string;
  defaultRegion?: string;
  json?: true;
}

export function registerPersonExport(person: CliCommand): void {
  person
    .command("export")
    .description("Writes everything that the ledger holds of a person as one JSON document.")
    .argument("<number>", "with +, or with --default-region as it is dialed there")
    .option("--output <file>", "write it there, readable for you alone; what is there already is not touched")
    .option(
      "--recordings <folder>",
      "beside it, what the platform holds of their calls: records with transcripts, and recordings; into a new folder",
    )
    .addOption(regionOption())
    .addOption(jsonOption())
    .addHelpText("after", EXPORT_HELP)
    .does(async ({ config, voice }, number: string, options: ExportOptions) => {
      const { output, recordings: folder, defaultRegion } = options;
      const { first, records } = await withRunningSystem(config, async (api) => {
        const ask = (after?: string) =>
          api.people.export(number, { default_region: defaultRegion, ...(after !== undefined && { after }) });
        const page = await ask();
        const all: ExportPageWire["records"] = [...page.records];
        for (let next = page.next_after; next !== null;) {
          const more = await ask(next);
          all.push(...more.records);
          next = more.next_after;
        }
        return { first: page, records: all };
      });
      const { next_after: _, records: __, ...head } = first;
      const document = { ...head, records };
      if (output === undefined) voice.tell([JSON.stringify(document, undefined, 2)]);
      else {
        await writeFresh(output, `${JSON.stringify(document, undefined, 2)}\n`);
        voice.tell([`${records.length} rows are in ${output}`]);
      }
      if (folder === undefined) {
        voice.json(output === undefined ? document : { file: output, records: records.length });
        return EXIT.ok;
      }
      const { writeCalls } = await import("./person-calls.ts");
      const taken = await withRunningSystem(config, (api) =>
        writeCalls(api, { number, defaultRegion, folder }),
      );
      const { calls, gone, recordings, failed } = taken;
      voice.tell([
        `${calls} calls are in ${folder}, ${gone} of which the platform has no record of any more, with ${recordings} recordings`,
        ...(failed > 0
          ? [
              `${failed} recordings could not be fetched: calls.json says why; give the command again with a new folder`,
            ]
          : []),
      ]);
      const told = output === undefined ? document : { file: output, records: records.length };
      voice.json({ ...told, platform: { folder, ...taken } });
      return failed > 0 ? EXIT.failed : EXIT.ok;
    });
}

const EXPORT_HELP = `
Examples:
  outdial person export +12025550143 --output person.json
  outdial person export +12025550143 --output person.json --recordings calls-of-the-person`;

async function writeFresh(file: string, text: string): Promise<void> {
  try {
    await fs.promises.writeFile(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new CliError(
      `${file} is there already, and is not written over: name another file with --output, or remove it`,
      EXIT.badInput,
    );
  }
}

export function registerPersonForgotten(person: CliCommand): void {
  person
    .command("forgotten")
    .description("Shows who asked to be forgotten and how that stands; with an id its certificate.")
    .argument("[id]", "of one request")
    .addOption(jsonOption())
    .does(async ({ config, voice }, id: string | undefined) => {
      if (id !== undefined) {
        const one = await withRunningSystem(config, (api) => api.people.forgetting(id));
        voice.tell(forgettingLines(one));
        voice.json(one);
        return;
      }
      const page = await withRunningSystem(config, (api) => api.people.forgettings({ limit: 100 }));
      voice.tell(
        page.items.length === 0
          ? ["nobody asked to be forgotten"]
          : page.items.map(
              ({ id: own, last_digits: digits, state, asked_at: at, waits_for: waits }) =>
                `${at}  ${own}  ...${digits}  ${state}${waits === null ? "" : `: waits for ${waits}`}`,
            ),
      );
      voice.json(page);
    });
}
