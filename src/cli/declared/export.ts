import fs from "node:fs";
import path from "node:path";
import { stringify } from "yaml";

import type { CliCommand } from "../cli-command.ts";
import { nameOf, type DeclaredKey, type DeclaredKind } from "../../domain/declared/documents.ts";
import { EXPORTED_KINDS } from "../../http/wire/declared.ts";
import type { Api } from "../api/client.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { folder, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";
import { fileNameOf } from "./file-names.ts";
import { exportSuppressions } from "./suppressions.ts";

const HELP = `
One file an object, <kind>-<name>.yaml, defaults filled in; declared or not. Applying them to the same system changes
nothing. Campaigns that are over, and were not declared, are left out, and so are suppressions that end by themselves.
Suppression lists hold people's numbers: mind who reads the folder.

Example:
  outdial export --to declared/`;

interface ExportOptions {
  to: string;
  overwrite?: true;
  suppressions: boolean;
  json?: true;
}

export function registerExport(program: CliCommand): void {
  program
    .command("export")
    .requiredOption("--to <folder>", "where to; it is made where it is not there", folder)
    .option("--overwrite", "files that are there and say something else")
    .option("--no-suppressions", "leave suppression lists out")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: ExportOptions) => {
      const { documents, withheld, endingSoon, hashed } = await withRunningSystem(config, (api) =>
        readAll(api, options.suppressions),
      );
      const files = write(options.to, documents, options.overwrite === true);
      voice.tell([
        `${countText(files.length, "document")} in ${options.to}`,
        ...withheld.map(withheldText),
        ...(endingSoon === 0
          ? []
          : [`left out: ${countText(endingSoon, "suppression")} that end by themselves`]),
        ...(hashed === 0
          ? []
          : [
              `left out: ${countText(hashed, "suppression")} of people who were forgotten, kept as a digest: only this installation can tell their numbers`,
            ]),
      ]);
      voice.json({ files, withheld, suppressions_left_out: endingSoon, suppressions_hashed: hashed });
    });
}

function withheldText(item: DeclaredKey & { fields: readonly string[] }): string {
  const name = nameOf(item);
  if (item.fields.length === 0)
    return `left out: ${name}, whose definition this version can't read: put it anew`;
  return `left out: ${name}, which holds a secret itself in ${item.fields.join(", ")}: put its name there`;
}

async function readAll(api: Api, withSuppressions: boolean) {
  const documents: Record<string, unknown>[] = [];
  const withheld: { kind: DeclaredKind; brand: string; name: string; fields: string[] }[] = [];
  for (const kind of EXPORTED_KINDS) {
    let after: string | undefined;
    do {
      const page: Awaited<ReturnType<Api["declared"]["documents"]>> = await api.declared.documents({
        kind,
        after,
      });
      documents.push(...page.items);
      withheld.push(...page.withheld);
      after = page.next_after ?? undefined;
    } while (after !== undefined);
  }
  const lists = withSuppressions
    ? await exportSuppressions(api)
    : { documents: [], endingSoon: 0, hashed: 0 };
  return {
    documents: [...documents, ...lists.documents],
    withheld,
    endingSoon: lists.endingSoon,
    hashed: lists.hashed,
  };
}

/** Names of files, in order. A file that says the same stays as it is. */
function write(folder: string, documents: readonly Record<string, unknown>[], overwrite: boolean): string[] {
  fs.mkdirSync(folder, { recursive: true });
  const texts = new Map<string, string>();
  for (const document of documents) texts.set(fileNameOf(document, texts), stringify(document));
  const differing = [...texts].filter(([name, text]) => {
    const file = path.join(folder, name);
    return fs.existsSync(file) && fs.readFileSync(file, "utf8") !== text;
  });
  if (differing.length > 0 && !overwrite) {
    throw new CliError(
      `${folder} has files that say something else (${differing.map(([name]) => name).join(", ")}): name another folder, or add --overwrite`,
      EXIT.badInput,
    );
  }
  for (const [name, text] of texts) {
    const file = path.join(folder, name);
    // Whole or not at all.
    fs.writeFileSync(`${file}.part`, text);
    fs.renameSync(`${file}.part`, file);
  }
  return [...texts.keys()];
}
