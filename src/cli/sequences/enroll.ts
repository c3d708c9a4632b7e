import { Option } from "commander";
import fs from "node:fs";
import { pipeline } from "node:stream/promises";

import type { CliCommand, Doing } from "../cli-command.ts";
import { findList, glanceAtList, openList, readMap, type ListReading } from "../contact-list.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, mapOption, regionOption } from "../options.ts";
import { writeWhole } from "../campaigns/run/report-files.ts";
import { withRunningSystem } from "../running-system.ts";
import { neverDialedLines } from "../view/never-dialed.ts";
import { countText, numberText } from "../view/words.ts";
import { sequenceBrandOption } from "./options.ts";

interface EnrollOptions {
  brand: string;
  phone?: string;
  var: readonly string[];
  timeZone?: string;
  country?: string;
  state?: string;
  postalCode?: string;
  consentBasis?: string;
  consentAt?: string;
  consentProof?: string;
  consentExpires?: string;
  key?: string;
  requestKey?: string;
  contacts?: string;
  map: readonly string[];
  keyColumn?: string;
  rejects?: string;
  defaultRegion?: string;
  json?: true;
}

const HELP = `
A list goes on behind the last row that was taken when the same command is given again. Enrolments of a list
begin behind everything that comes singly; \`outdial sequence status\` says how many have not.

Examples:
  outdial sequence enroll trial-welcome --phone +12025550143 --var first_name=Ann
  outdial sequence enroll trial-welcome --contacts trials.csv --map phone="Mobile No."`;

const varOption = () =>
  new Option("--var <name=value>", "a variable of the person; again for each")
    .argParser((text: string, before: readonly string[]) => [...before, text])
    .default([], "none");

export function registerSequenceEnroll(sequence: CliCommand): void {
  sequence
    .command("enroll")
    .grave()
    .description("Has one person, or everybody on a list, go through a sequence.")
    .argument("<sequence>", "its name or id")
    .addOption(sequenceBrandOption())
    .option("--phone <number>", "the person's number")
    .addOption(varOption())
    .option("--time-zone <zone>", "where the person is, such as Europe/Berlin")
    .option("--country <country>", "where the person lives, from which their time zones are found")
    .option("--state <state>", "the state or province of it")
    .option("--postal-code <code>", "a ZIP code, or a postal code of Canada")
    .option("--consent-basis <basis>", "on what ground the person may be called, as in express_written")
    .option("--consent-at <time>", "when that was given")
    .option("--consent-proof <text>", "where it can be seen")
    .option("--consent-expires <time>", "until when it holds")
    .option("--key <text>", "tells several enrolments of one person apart")
    .option("--request-key <text>", "makes it the same enrolment, however often it is given")
    .option("--contacts <list>", "CSV or NDJSON file of people")
    .addOption(mapOption())
    .option("--key-column <name>", "the variable of the list that is the key")
    .option("--rejects <file>", "writes the rows of its lists that were not taken, and why, as CSV")
    .addOption(regionOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async (doing, ref: string, options: EnrollOptions) => {
      if ((options.phone === undefined) === (options.contacts === undefined))
        throw new CliError("give --phone for one person, or --contacts for a list", EXIT.badInput);
      if (options.phone !== undefined) await enrollOne(doing, ref, options.phone, options);
      if (options.contacts !== undefined) await enrollList(doing, ref, options.contacts, options);
    });
}

async function enrollOne(
  { config, voice }: Doing,
  ref: string,
  phone: string,
  options: EnrollOptions,
): Promise<void> {
  const enrolled = await withRunningSystem(config, (api) =>
    api.sequences.enroll(ref, options.brand, {
      phone,
      region: options.defaultRegion,
      time_zone: options.timeZone,
      country: options.country,
      state: options.state,
      postal_code: options.postalCode,
      consent: consentOf(options),
      variables: readVariables(options.var),
      key: options.key,
      request_key: options.requestKey,
    }),
  );
  voice.tell([
    enrolled.result === "enrolled"
      ? `enrolled: ${enrolled.enrolment_id}`
      : `in it already: ${enrolled.enrolment_id}`,
  ]);
  voice.json(enrolled);
}

/** @throws CliError where only a part of it is given. */
function consentOf({
  consentBasis: basis,
  consentAt: at,
  consentProof: proof,
  consentExpires,
}: EnrollOptions) {
  if (basis !== undefined && at !== undefined) return { basis, at, proof, expires_at: consentExpires };
  if (basis ?? at ?? proof ?? consentExpires)
    throw new CliError("consent needs --consent-basis and --consent-at: give both", EXIT.badInput);
  return undefined;
}

async function enrollList(
  { config, voice }: Doing,
  ref: string,
  file: string,
  options: EnrollOptions,
): Promise<void> {
  const reading: ListReading = { map: readMap(options.map), defaultRegion: options.defaultRegion };
  const list = await findList(file);
  await glanceAtList(list, reading);
  const taken = await withRunningSystem(config, async (api) => {
    const answer = await api.sequences.enrollList(ref, options.brand, {
      readable: openList(list, () => {}),
      digest: list.digest,
      sourceName: list.name,
      ...reading,
      keyColumn: options.keyColumn,
    });
    if (options.rejects !== undefined) {
      await writeWhole(options.rejects, async (part) =>
        pipeline(await api.sequences.rejects(ref, options.brand), fs.createWriteStream(part)),
      );
    }
    return answer;
  });
  const { rows, already, enrolments } = taken;
  voice.tell([
    `${list.name}: ${countText(rows.read, "row")} read, ${countText(rows.accepted, "person", "people")} enrolled, ${numberText(rows.rejected)} rejected, ${numberText(rows.duplicate)} in it already${already ? " (the list was taken before)" : ""}`,
    ...neverDialedLines(taken.never_dialed, "the windows of its calls"),
    ...(rows.rejected > 0 && options.rejects === undefined
      ? ["the same command with --rejects rejects.csv writes down which rows, and why"]
      : []),
    ...(enrolments.not_started > 0
      ? [
          `${countText(enrolments.not_started, "enrolment")} not begun yet: they begin behind whoever comes singly`,
        ]
      : []),
  ]);
  voice.json(taken);
}

function readVariables(pairs: readonly string[]): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    if (at < 1 || name === "" || name === "__proto__" || name in variables)
      throw new CliError(
        `--var ${JSON.stringify(pair)} is not name=value with a name of its own, such as --var first_name=Ann`,
        EXIT.badInput,
      );
    variables[name] = pair.slice(at + 1);
  }
  return variables;
}
