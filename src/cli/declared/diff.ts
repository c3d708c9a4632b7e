import type { CliCommand } from "../cli-command.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";
import { compare, declaredNoMore, differenceText, removalText, summaryText } from "./differences.ts";
import { readFolder } from "./folder.ts";
import { folderOption, type FolderOptions } from "./options.ts";

const HELP = `
  + would be created    ~ would be changed, field by field    ! is refused as things are
  = is the same (--all) - was declared earlier and is not in the folder: \`outdial prune\` removes it

Exits with 0 where nothing would change, 3 where something would, 1 where something is refused, 2 for bad documents.

Example:
  outdial diff -f declared/`;

export function registerDiff(program: CliCommand): void {
  program
    .command("diff")
    .addOption(folderOption())
    .option("--all", "what is the same, too")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: FolderOptions & { all?: true }) => {
      const documents = readFolder(options.file);
      const { items, gone } = await withRunningSystem(config, async (api) => ({
        items: await compare(api, documents),
        gone: await declaredNoMore(api, documents),
      }));
      const prunable = gone.filter((item) => item.prunable !== "never");
      voice.tell([
        ...items
          .filter((item) => options.all === true || item.change !== "same")
          .flatMap((item) => differenceText(item, voice.colours)),
        ...prunable.map((item) => removalText(item, voice.colours)),
        summaryText(items),
        ...(prunable.length === 0
          ? []
          : [
              `${countText(prunable.length, "object")} declared no more: \`outdial prune\` removes them, \`apply\` does not`,
            ]),
      ]);
      voice.json({ items, declared_no_more: gone });
      const differs = items.some(({ change }) => change !== "same");
      const isRefused = items.some(({ change }) => change === "refused");
      return isRefused ? EXIT.failed : differs ? EXIT.notFinished : EXIT.ok;
    });
}
