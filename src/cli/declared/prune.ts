import type { CliCommand } from "../cli-command.ts";
import { nameOf } from "../../domain/declared/documents.ts";
import type { Config } from "../../config.ts";
import type { CliContext } from "../context.ts";
import { spokenTo } from "../contexts/grave.ts";
import { EXIT } from "../exit-codes.ts";
import { watchInterrupts } from "../interrupts.ts";
import { jsonOption } from "../options.ts";
import { openQuestions } from "../questions.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";
import { declaredNoMore, removalText } from "./differences.ts";
import { readFolder } from "./folder.ts";
import { folderOption, type FolderOptions } from "./options.ts";

const HELP = `
Only what was applied earlier is removed, and what becomes of it is shown first:
  schedule     removed; runs that are under way come to their ends
  trigger      disabled; what it was sent stays
  sequence     closed; those who are in it go on
  campaign     cancelled where it was never started; one that was is refused
  automation   leaves Outdial's care; with --platform it goes from the platform, too
Suppressions are never pruned.

Exits with 0 when it is done, 1 where something was refused or failed, 3 where the answer was no.

Example:
  outdial prune -f declared/`;

interface PruneOptions extends FolderOptions {
  yes?: true;
  platform?: true;
}

export function registerPrune(program: CliCommand, context: CliContext): void {
  program
    .command("prune")
    .addOption(folderOption())
    .option("--yes", "without asking")
    .option("--platform", "automations go from the platform, too")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: PruneOptions) => {
      const documents = readFolder(options.file);
      return withRunningSystem(config, async (api) => {
        const gone = (await declaredNoMore(api, documents)).toReversed();
        const due = gone.filter(({ prunable }) => prunable === "yes");
        const refused = gone.filter(({ prunable }) => prunable === "refused");
        voice.tell(gone.map((item) => removalText(item, voice.colours)));
        if (due.length === 0) {
          voice.tell(["nothing to prune"]);
        } else if (options.yes !== true && !(await isWanted(context, config, due.length))) {
          voice.tell(["nothing was pruned"]);
          voice.json({ pruned: [], left: gone });
          return EXIT.notFinished;
        }
        const pruned = [];
        for (const item of due) {
          pruned.push(await api.declared.prune(item, options.platform === true));
          voice.tell([`pruned ${nameOf(item)}`]);
        }
        voice.json({ pruned, left: gone.filter(({ prunable }) => prunable !== "yes") });
        if (refused.length > 0)
          context.stderr.write(
            `outdial: ${countText(refused.length, "object")} can't be pruned as things are: ${refused.map((item) => nameOf(item)).join(", ")}\n`,
          );
        return refused.length > 0 ? EXIT.failed : EXIT.ok;
      });
    });
}

async function isWanted(context: CliContext, config: Config, count: number): Promise<boolean> {
  const system = spokenTo(config);
  const interrupts = watchInterrupts(() => undefined);
  const questions = openQuestions(context);
  try {
    return await questions.ask(
      `Prune ${countText(count, "object")}${system === undefined ? "" : ` in ${system}`}?`,
      interrupts.signal,
    );
  } finally {
    questions.close();
    interrupts.end();
  }
}
