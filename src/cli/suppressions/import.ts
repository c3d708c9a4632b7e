import fs from "node:fs";
import path from "node:path";

import type { CliCommand } from "../cli-command.ts";
import type { SuppressionImportWire } from "../../http/wire/suppressions.ts";
import type { Api } from "../api/client.ts";
import { findList, readMap } from "../contact-list.ts";
import { warningLines } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, mapOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText, numberText } from "../view/words.ts";
import { scopeOption, stoppedText, type ScopeOptions } from "./scope.ts";

/** Rows of a list that are shown when they suppress nobody; `--json` has all that the system hands back. */
const REJECTED_SHOWN = 20;

/** How a list of numbers is read, and what for. */
export interface ImportOptions extends ScopeOptions {
  reason?: string;
  map: readonly string[];
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
    .addOption(jsonOption())
    .does(async ({ config, voice }, file: string, options: ImportOptions) => {
      const list = await openList(file);
      const result = await withRunningSystem(config, (api) => suppressList(api, file, list, options));
      voice.tell(takenText(result));
      if (result.rows.read === 0)
        voice.tell(warningLines(voice, [`${path.basename(file)} has a header and no rows`]));
      voice.json(result);
      return result.rows.rejected === 0 ? EXIT.ok : EXIT.badInput;
    });
}

/** A list of numbers on this machine. */
interface OpenedList {
  readable: fs.ReadStream;
  /** SHA-256, hexadecimal: what shows that all of it arrived. Undefined of a pipe, which can be read once only. */
  digest: string | undefined;
}

/** Opened before anybody is asked, so that a wrong path is told as such. */
export async function openList(file: string): Promise<OpenedList> {
  const handle = await fs.promises.open(file);
  const digest = (await handle.stat()).isFile() ? (await findList(file)).digest : undefined;
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
