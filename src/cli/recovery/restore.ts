import path from "node:path";

import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { watchInterrupts } from "../interrupts.ts";
import { jsonOption } from "../options.ts";
import { countText, durationText } from "../view/words.ts";
import { countedText } from "./backup.ts";
import { restoredTokensText } from "./restored-tokens.ts";

const HELP = `
End what runs on the ledger first. An embedded ledger goes into the data folder; the one that is there is kept beside
it. A ledger on PostgreSQL goes into the database of DATABASE_URL, which must be empty. A backup that is damaged, or
is of another installation than the data folder, is refused, and nothing has changed then.

What was restored is older than what happened. So it is there with all dialing held, until \`outdial recover\` has
booked what the platform dialed since.

Examples:
  outdial restore /backups/2026-11-26
  outdial recover --suppressions do-not-call.csv --withdrawals-complete`;

interface RestoreOptions {
  json?: true;
}

export function registerRestore(program: CliCommand): void {
  program
    .command("restore")
    .here()
    .argument("<folder>", "what `outdial backup` made")
    .description("Puts a backup in the place of the ledger, with all dialing held until `outdial recover`.")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, folder: string, _options: RestoreOptions) => {
      const { restore } = await import("../../backup/restore.ts");
      const { databaseName } = await import("../../ledger/ground/installation-id.ts");
      if (config.api.url !== undefined) {
        throw new CliError(
          "a ledger is restored where it is, and not through a running system: leave OUTDIAL_API_URL out, and run this where the data folder or the database is",
        );
      }
      const nowMs = Date.now();
      const { databaseUrl, dataDir, recordingsDir } = config;
      const interrupts = watchInterrupts(() =>
        voice.screen.say("left at once: `outdial doctor` says what is there now"),
      );
      const { manifest, facts, tokens, before, recordings } = await restore({
        backup: path.resolve(folder),
        ledger:
          databaseUrl === undefined
            ? { kind: "embedded", dataDir }
            : { kind: "postgres", databaseUrl, database: databaseName(databaseUrl) },
        recordingsDir,
        nowMs,
        say: (message) => voice.screen.say(message),
        signal: interrupts.signal,
      }).finally(() => interrupts.end());
      const age = durationText(Math.max(0, nowMs - Date.parse(manifest.at)));
      voice.tell([
        `restored: the ledger as it was at ${manifest.at}, ${age} ago: ${countedText(facts.counts)}`,
        ...(before === undefined
          ? []
          : [`what was there before is in ${before}: remove it once all is well`]),
        ...(recordings.files > 0 ? [`${countText(recordings.files, "recording")} that were missing`] : []),
        "nobody is signed in: sessions and links that were ended since would have been there again",
        ...restoredTokensText(tokens),
        ...(manifest.kind === "postgres"
          ? [
              "no role was granted anything: where servers and workers have a role of their own, run deploy/postgres/roles.sql again before they start",
            ]
          : []),
        "dialing is held. Whom people asked not to call since is in no backup:",
        "  outdial stop-all --reason restored    # where anybody was withdrawn, or anything paused or cancelled since",
        "  outdial recover --suppressions do-not-call.csv --withdrawals-complete",
      ]);
      const { at, kind, installation_id } = manifest;
      voice.json({
        at,
        kind,
        installation_id,
        counts: facts.counts,
        before: before ?? null,
        recordings,
        tokens,
      });
    });
}
