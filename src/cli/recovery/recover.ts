import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, mapOption, regionOption } from "../options.ts";
import { withSystemAtHand } from "../system-at-hand.ts";
import { openList, suppressList, takenText } from "../suppressions/import.ts";
import { countText } from "../view/words.ts";
import { restoredTokensText } from "./restored-tokens.ts";

const HELP = `
Dialing is held where the ledger may be older than what really happened: it was restored from a backup, or the
machine went down with the embedded ledger open. This reads what the platform has of this installation, books
whom it dialed, so that nobody is dialed again for it, and lets dialing go on. Safe to run again.

Suppressions that were added after the backup are gone with it, and the platform does not have them. So this wants
the list of them, or your word that none is missing. The same goes for everything else by which people were kept from
being called since: withdrawals from campaigns and of consent, pauses, cancels, amendments, blackouts. Where there were
any, \`outdial stop-all\` first, before anything runs; then start \`outdial server\`, tell them again, run this, and
\`outdial go-on\`.

Examples:
  outdial recover --suppressions do-not-call.csv --withdrawals-complete
  outdial recover --suppressions-complete --withdrawals-complete`;

interface RecoverOptions {
  suppressions?: string;
  suppressionsComplete?: true;
  withdrawalsComplete?: true;
  map: readonly string[];
  defaultRegion?: string;
  json?: true;
}

export function registerRecover(program: CliCommand, context: CliContext): void {
  program
    .command("recover")
    .grave()
    .description(
      "Brings a ledger that was restored up to what the platform dialed since, then lets dialing go on.",
    )
    .option("--suppressions <list>", "CSV or NDJSON file of numbers to suppress first, for every brand")
    .addOption(
      new Option(
        "--suppressions-complete",
        "no suppression was added after the backup, or all of them are in again",
      ).conflicts("suppressions"),
    )
    .option(
      "--withdrawals-complete",
      "nobody was withdrawn, and nothing paused, cancelled, amended or blacked out, after the backup, or it was told again",
    )
    .addOption(mapOption())
    .addOption(regionOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: RecoverOptions) => {
      const { suppressions: list, suppressionsComplete, withdrawalsComplete } = options;
      const wanted = [
        ...(list === undefined && suppressionsComplete !== true ? [SUPPRESSIONS_WANTED] : []),
        ...(withdrawalsComplete === true ? [] : [WITHDRAWALS_WANTED]),
      ];
      if (wanted.length > 0) throw new CliError(wanted.join("\n"), EXIT.badInput);
      const say = (message: string) => voice.screen.say(message);
      const opened = list === undefined ? undefined : await openList(list);
      const result = await withSystemAtHand(context, config, say, async (api) => {
        if (list !== undefined && opened) {
          const taken = await suppressList(api, list, opened, options);
          voice.tell(takenText(taken));
          if (taken.rows.rejected > 0) throw new CliError(NOT_ALL_TAKEN, EXIT.badInput);
        }
        say("comparing the ledger with the platform; calls that are up are waited for");
        return api.system.recover();
      });
      voice.tell([
        `${countText(result.looked, "batch", "batches")} of this installation on the platform`,
        `${countText(result.settled_batches, "batch", "batches")} that had been under way settled`,
        `${countText(result.adopted_batches, "batch", "batches")} with ${countText(result.adopted_attempts, "attempt")} booked as dialed`,
        `${countText(result.deleted, "batch", "batches")} that were never begun deleted`,
        ...(result.strangers === 0
          ? []
          : [
              `${countText(result.strangers, "number")} dialed that are no contacts here: of a list that was imported after the backup. Importing it again would call them again`,
            ]),
        ...(result.foreign.length === 0
          ? []
          : [`stopped, of campaigns that this ledger does not have: ${result.foreign.join(", ")}`]),
        ...(result.passed_over_schedules === 0
          ? []
          : [
              `runs of ${countText(result.passed_over_schedules, "schedule")} were passed over, since they may have been made: \`outdial schedule runs <name>\`, then \`outdial schedule backfill\` what you know was not made`,
            ]),
        list === undefined
          ? "suppressions: complete, as you said"
          : "suppressions: those of your list are in force",
        "withdrawals, pauses, cancels, amendments and blackouts: complete, as you said",
        ...restoredTokensText(result.tokens_in_force),
        "dialing may go on",
      ]);
      voice.json(result);
    });
}

const SUPPRESSIONS_WANTED =
  "suppressions that were added after the backup are not in a restored ledger, and nothing else has them: name the list of them with --suppressions, or say with --suppressions-complete that none is missing";

const WITHDRAWALS_WANTED =
  "withdrawals (from campaigns, and of consent), pauses, cancels, amendments and blackouts that were given after the backup are not in a restored ledger either: where there were any, `outdial stop-all` before anything runs, start `outdial server`, give them again (`outdial campaign withdraw`, `outdial consent withdraw`, `outdial campaign pause`, ...), run this with --withdrawals-complete, and then `outdial go-on`; where there were none, say so with --withdrawals-complete";

const NOT_ALL_TAKEN =
  "dialing stays held, because rows of the list suppressed nobody: mend them and run the same command again; or leave them and say --suppressions-complete instead of naming the list, since the others are in force";
