import type { CliCommand } from "../cli-command.ts";
import { isOver } from "../../domain/campaigns/campaign-state.ts";
import { EXIT } from "../exit-codes.ts";
import { follow } from "./run/follow.ts";
import { watchInterrupts } from "../interrupts.ts";
import { brandOption, jsonOption } from "../options.ts";
import { exitCodeOf } from "./run/run.ts";
import { placeIn } from "../hints.ts";
import { withRunningSystem } from "../running-system.ts";
import { reportJson, reportLines } from "../view/report.ts";

export function registerCampaignWatch(campaign: CliCommand): void {
  campaign
    .command("watch")
    .description(
      "Watches a campaign until it is over, then shows its report. Ctrl-C stops watching, not the campaign.",
    )
    .argument("<campaign>", "its name or id")
    .addOption(brandOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, options: { brand: string; json?: true }) => {
      const interrupts = watchInterrupts(() => voice.screen.clear());
      try {
        return await withRunningSystem(config, async (api) => {
          const { id } = await api.campaigns.get(ref, options.brand);
          const { progress } = await follow({
            api,
            campaignId: id,
            voice,
            signal: interrupts.signal,
            pauseOnSignal: false,
            place: { brand: options.brand, ...placeIn(config) },
          });
          const report = await api.campaigns.report(id);
          voice.json(reportJson(report, undefined));
          if (isOver(progress.state)) voice.present(reportLines(report, voice.colours));
          else voice.present([`${progress.name} is ${progress.state}`]);
          const left = interrupts.signal.aborted ? EXIT.interrupted : EXIT.notFinished;
          return isOver(progress.state) ? exitCodeOf(report) : left;
        });
      } finally {
        interrupts.end();
      }
    });
}
