import type { CliCommand } from "../cli-command.ts";
import { warningLines } from "../context.ts";
import { jsonOption, mapOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { estimateLines } from "../view/estimate.ts";
import { readSpecAndList, type SpecAndListOptions } from "./spec-and-list.ts";

interface CreateOptions extends SpecAndListOptions {
  new?: true;
  json?: true;
}

export function registerCampaignCreate(campaign: CliCommand): void {
  campaign
    .command("create")
    .description("Writes a campaign down, with its list if given. Nothing is dialed before it is started.")
    .argument("<campaign.yaml>", "the campaign")
    .option("--contacts <list>", "CSV or NDJSON file of contacts")
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--new", "make the next run of a campaign that is over")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial campaign create campaign.yaml --contacts list.csv")
    .does(async ({ config, voice }, file: string, options: CreateOptions) => {
      const { spec, takeList } = await readSpecAndList(voice, file, options);
      await withRunningSystem(config, async (api) => {
        const created = await api.campaigns.create(spec, options.new === true);
        voice.tell([
          `campaign "${created.name}" created (run ${created.run}, ${created.id})`,
          ...warningLines(voice, created.warnings),
        ]);
        voice.tell(await takeList(api, created.id));
        const estimate =
          options.contacts === undefined ? created.estimate : await api.campaigns.estimate(created.id);
        voice.tell(estimateLines(estimate, voice.colours));
        voice.json({ ...(await api.campaigns.get(created.id)), warnings: created.warnings, estimate });
      });
    });
}
