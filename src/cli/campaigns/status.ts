import type { CliCommand } from "../cli-command.ts";
import { goOnText, placeIn } from "../hints.ts";
import { brandOption, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { neverDialedLines } from "../view/never-dialed.ts";
import { progressPicture } from "../view/progress.ts";
import { variantsTable } from "../view/report.ts";
import { countText, numberText } from "../view/words.ts";

export function registerCampaignStatus(campaign: CliCommand): void {
  campaign
    .command("status")
    .description("Shows where a campaign stands.")
    .argument("<campaign>", "its name or id")
    .addOption(brandOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, options: { brand: string; json?: true }) => {
      await withRunningSystem(config, async (api) => {
        const found = await api.campaigns.get(ref, options.brand);
        const progress = await api.campaigns.progress(found.id);
        // Counted over all of its contacts: for whoever asks, and not with each look of a watch.
        const { excluded_reasons: excluded = {}, variants = [] } =
          progress.contacts.excluded === 0 && found.spec.variants === undefined
            ? {}
            : await api.campaigns.report(found.id);
        const pace = { callsAMinute: undefined, leftMs: undefined };
        voice.present(
          progressPicture({
            progress,
            pace,
            excluded,
            columns: voice.screen.columns,
            colours: voice.colours,
            goOn: goOnText(placeIn(config)),
          }),
        );
        voice.present(
          found.lists.flatMap(({ source_name, rows, completed_at, through_line, never_dialed }) => [
            `list ${source_name}: ${countText(rows.read, "row")}, ${numberText(rows.accepted)} taken, ${numberText(rows.rejected)} rejected, ${numberText(rows.duplicate)} duplicate${completed_at === null ? ` (only up to line ${through_line})` : ""}`,
            ...neverDialedLines(
              never_dialed,
              "the window that there was then, and are excluded",
              source_name,
            ).map((line) => voice.colours.yellow(line)),
          ]),
        );
        voice.present(variantsTable({ variants }, voice.colours));
        voice.json({ ...found, ...progress, excluded_reasons: excluded, variants });
      });
    });
}
