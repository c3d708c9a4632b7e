import type { Config } from "../../config.ts";
import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { spokenTo } from "../contexts/grave.ts";
import { EXIT } from "../exit-codes.ts";
import { watchInterrupts } from "../interrupts.ts";
import { jsonOption, regionOption } from "../options.ts";
import { openQuestions } from "../questions.ts";
import { withRunningSystem } from "../running-system.ts";
import { forgettingLines, previewLines } from "./forget-lines.ts";

interface ForgetOptions {
  reason: string;
  hash?: true;
  dryRun?: true;
  yes?: true;
  defaultRegion?: string;
  json?: true;
}

const HELP = `
From its answer on nobody calls the number, for any brand. What is in the air is waited for; then recordings, the
platform's records of the calls and whatever the ledger has of the person go, and a certificate says what went, what
stays and why: outdial person forgotten <id> shows it. The suppression stays, so that no later list calls the person
again; with --hash as a digest.

Examples:
  outdial forget +12025550143 --reason "letter of 2026-11-26" --dry-run
  outdial forget +12025550143 --reason "letter of 2026-11-26" --hash --yes`;

export function registerForget(program: CliCommand, context: CliContext): void {
  program
    .command("forget")
    // It has a question of its own, which it asks everywhere.
    .grave({ asks: false })
    .description("Removes a person everywhere, but for what must be kept, and writes a certificate of it.")
    .argument("<number>", "with +, or with --default-region as it is dialed there")
    .requiredOption("--reason <text>", "why; it stands in the certificate")
    .option("--hash", "keep the suppression as a digest, from which nobody reads the number")
    .option("--dry-run", "only show what would go and what stays")
    .option("--yes", "without asking")
    .addOption(regionOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, number: string, options: ForgetOptions) => {
      const { reason, hash = false, defaultRegion } = options;
      return withRunningSystem(config, async (api) => {
        const ask = (isDry: boolean) =>
          api.people.forget(number, {
            reason,
            as_hash: hash,
            dry_run: isDry,
            default_region: defaultRegion,
          });
        const { preview } = await ask(true);
        voice.tell(previewLines(preview));
        if (options.dryRun) {
          voice.json({ preview, forgetting: null });
          return EXIT.ok;
        }
        if (options.yes !== true && !(await isWanted(context, config))) {
          voice.tell(["nobody was forgotten"]);
          voice.json({ preview, forgetting: null });
          return EXIT.notFinished;
        }
        const { forgetting } = await ask(false);
        if (forgetting) voice.tell(forgettingLines(forgetting));
        voice.json({ preview, forgetting });
        return EXIT.ok;
      });
    });
}

async function isWanted(context: CliContext, config: Config): Promise<boolean> {
  const system = spokenTo(config);
  const interrupts = watchInterrupts(() => undefined);
  const questions = openQuestions(context);
  try {
    return await questions.ask(
      `Forget this person${system === undefined ? "" : ` in ${system}`}? It can't be undone.`,
      interrupts.signal,
    );
  } finally {
    questions.close();
    interrupts.end();
  }
}
