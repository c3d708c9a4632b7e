import fs from "node:fs";
import path from "node:path";

import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import type { ListReplacedWire, SuppressionImportWire } from "../../http/wire/suppressions.ts";
import type { Api } from "../api/client.ts";
import { findList, readMap } from "../contact-list.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { instant, jsonOption, mapOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText, momentText, numberText } from "../view/words.ts";
import { scopeOption, stoppedText, type ScopeOptions } from "./scope.ts";

/** Rows of a list that are shown when they suppress nobody; `--json` has all that the system hands back. */
const REJECTED_SHOWN = 20;

/** How a list of numbers is read, and what for. */
export interface ImportOptions extends ScopeOptions {
  reason?: string;
  map: readonly string[];
}

interface CommandOptions extends ImportOptions {
  source?: string;
  replace?: true;
  asOf?: string;
  allowShrink?: true;
  allowOlder?: true;
}

export function registerSuppressImport(suppress: CliCommand): void {
  suppress
    .command("import")
    .description("Suppresses every number of a file. Exits with 2 where a row suppressed nobody.")
    .argument("<list>", "CSV or NDJSON file with a column of phone numbers")
    .option("--reason <text>", "why; by default that they are on this list")
    .addOption(scopeOption())
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--source <name>", "the source whose list it is; goes with --replace")
    .option(
      "--replace",
      "replaces the whole list of the source in one step: who is not on this one is off it",
    )
    .addOption(
      new Option(
        "--as-of <time>",
        "as of when the list is, as in 2026-12-01T00:00:00Z; without it, of now. Its age counts from then",
      ).argParser(instant),
    )
    .option(
      "--allow-shrink",
      "takes a list that is empty, or lacks more than half of the numbers of the one before",
    )
    .option("--allow-older", "takes a list that is older than the one before")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial suppress import dnc.csv --source ftc-dnc --replace")
    .does(async ({ config, voice }, file: string, options: CommandOptions) => {
      checkOptions(options);
      const list = await openList(file);
      const { source } = options;
      if (source !== undefined) {
        const replaced = await withRunningSystem(config, (api) =>
          replaceList(api, { ...options, file, list, source }),
        );
        voice.tell(replacedText(replaced));
        voice.json(replaced);
        return replaced.rows.rejected === 0 ? EXIT.ok : EXIT.badInput;
      }
      const result = await withRunningSystem(config, (api) => suppressList(api, file, list, options));
      voice.tell(takenText(result));
      voice.json(result);
      return result.rows.rejected === 0 ? EXIT.ok : EXIT.badInput;
    });
}

/** @throws CliError where options contradict each other. */
function checkOptions({
  source,
  replace,
  reason,
  brand,
  asOf,
  allowShrink,
  allowOlder,
}: CommandOptions): void {
  if (source !== undefined && !replace)
    throw new CliError(
      "the list of a source is replaced as a whole: give --replace with --source, or leave both out to add numbers",
      EXIT.badInput,
    );
  if (source === undefined && (replace || asOf !== undefined || allowShrink || allowOlder))
    throw new CliError(
      "--replace, --as-of, --allow-shrink and --allow-older go with --source: name the source",
      EXIT.badInput,
    );
  if (source !== undefined && (reason !== undefined || brand !== undefined))
    throw new CliError(
      "--reason and --brand do not go with --source: a source has a type and a scope of its own",
      EXIT.badInput,
    );
}

function replaceList(
  api: Api,
  input: CommandOptions & { file: string; list: OpenedList; source: string },
): Promise<ListReplacedWire> {
  const { source, file, list, map, defaultRegion, asOf, allowShrink, allowOlder } = input;
  const { readable, digest } = list;
  if (digest === undefined)
    throw new CliError(
      `${file} is no file: a list that replaces another has to be one, so that its end can be told from a break`,
      EXIT.badInput,
    );
  return api.suppressions.sources.replace(source, {
    readable,
    digest,
    sourceName: path.basename(file),
    map: readMap(map),
    defaultRegion,
    asOf,
    allowShrink,
    allowOlder,
  });
}

function replacedText(replaced: ListReplacedWire): string[] {
  const { source, added, kept, removed, rows, rejected, partly_read, stopped_batches } = replaced;
  return [
    `${source.name} has ${countText(source.numbers, "number")} now: ${numberText(added)} added, ${numberText(kept)} kept, ${numberText(removed)} removed${stoppedText(stopped_batches)}`,
    ...(source.stale_at === null
      ? []
      : [
          `renew it before ${momentText(source.stale_at, Date.now())}: from then on nobody in its scope is called`,
        ]),
    ...rowLines(rejected, rows.rejected, "named nobody"),
    ...rowLines(partly_read, rows.partly_read, "named one number, and another that can't be read"),
  ];
}

/** A list of numbers on this machine. */
interface OpenedList {
  readable: fs.ReadStream;
  /** SHA-256, hexadecimal: what shows that all of it arrived. Undefined of a pipe, which can be read once only. */
  digest: string | undefined;
}

/** Opened before anybody is asked, so that a wrong path, or a file with nothing in it, is told as such. */
export async function openList(file: string): Promise<OpenedList> {
  const handle = await fs.promises.open(file);
  const stat = await handle.stat();
  if (stat.isFile() && stat.size === 0) {
    await handle.close();
    throw new CliError(
      `${file} is empty, without even a header: give the list that is meant; one that has nobody on it has a header alone`,
      EXIT.badInput,
    );
  }
  const digest = stat.isFile() ? (await findList(file)).digest : undefined;
  return { readable: handle.createReadStream(), digest };
}

/** Suppresses every number of an opened list. */
export function suppressList(
  api: Api,
  file: string,
  list: OpenedList,
  { brand, reason, map, defaultRegion }: ImportOptions,
): Promise<SuppressionImportWire> {
  return api.suppressions.import({
    ...list,
    sourceName: path.basename(file),
    map: readMap(map),
    defaultRegion,
    brand,
    reason,
  });
}

/** What became of a list, line by line. */
export function takenText({
  rows,
  rejected,
  partly_read,
  added,
  already,
  stopped_batches,
}: SuppressionImportWire): string[] {
  return [
    `${countText(rows.read, "row")}: ${countText(added, "number")} suppressed, ${numberText(already)} were already${stoppedText(stopped_batches)}`,
    ...rowLines(rejected, rows.rejected, "suppressed nobody"),
    ...rowLines(partly_read, rows.partly_read, "suppressed one number, and not another that can't be read"),
  ];
}

function rowLines(shown: readonly { line: number; reason: string }[], count: number, what: string): string[] {
  if (count === 0) return [];
  return [
    `${countText(count, "row")} ${what}:`,
    ...shown.slice(0, REJECTED_SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`),
    ...(count > REJECTED_SHOWN ? [`  and ${numberText(count - REJECTED_SHOWN)} more (--json has them)`] : []),
  ];
}
