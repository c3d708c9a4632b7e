import type { Command } from "commander";

import { voiceOf, warningLines, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, mapOption, regionOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readSpecAndList, type SpecAndListOptions } from "./spec-and-list.ts";

interface CreateOptions extends SpecAndListOptions {
  new?: true;
  json?: true;
}

export function registerCampaignCreate(campaign: Command, context: CliContext): void {
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
    .action(async (file: string, options: CreateOptions, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const { spec, takeList } = await readSpecAndList(voice, file, options);
      await withRunningSystem(config, async (api) => {
        const created = await api.campaigns.create(spec, options.new === true);
        voice.tell([
          `campaign "${created.name}" created (run ${created.run}, ${created.id})`,
          ...warningLines(voice, created.warnings),
        ]);
        voice.tell(await takeList(api, created.id));
        voice.json({ ...(await api.campaigns.get(created.id)), warnings: created.warnings });
      });
      context.finish(EXIT.ok);
    });
}
