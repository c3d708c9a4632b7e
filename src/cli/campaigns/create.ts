import type { Command } from "commander";

import type { Api } from "../api/client.ts";
import {
  checkList,
  findList,
  openList,
  readMap,
  type ContactList,
  type ListReading,
} from "../contact-list.ts";
import { voiceOf, warningLines, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, mapOption, regionOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readSpecFile } from "./run/spec-file.ts";
import { countText, numberText } from "../view/words.ts";

interface CreateOptions {
  contacts?: string;
  map: readonly string[];
  defaultRegion?: string;
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
      const spec = readSpecFile(file);
      const reading: ListReading = {
        map: readMap(options.map),
        defaultRegion: options.defaultRegion ?? spec.default_region,
      };
      const list = options.contacts === undefined ? undefined : await findList(options.contacts);
      if (list)
        for (const line of await checkList(list, reading, spec, false))
          voice.tell([voice.colours.yellow(line)]);
      await withRunningSystem(config, async (api) => {
        const created = await api.campaigns.create(spec, options.new === true);
        voice.tell([
          `campaign "${created.name}" created (run ${created.run}, ${created.id})`,
          ...warningLines(voice, created.warnings),
        ]);
        if (list) voice.tell([await takeList(api, created.id, list, reading)]);
        voice.json({ ...(await api.campaigns.get(created.id)), warnings: created.warnings });
      });
      context.finish(EXIT.ok);
    });
}

/** Adds a list to a campaign, and says what became of its rows. */
export async function takeList(
  api: Api,
  campaignId: string,
  list: ContactList,
  reading: ListReading,
): Promise<string> {
  const { rows, already } = await api.campaigns.upload(campaignId, {
    readable: openList(list, () => {}),
    digest: list.digest,
    sourceName: list.name,
    map: reading.map,
    defaultRegion: reading.defaultRegion,
  });
  const taken = `${countText(rows.read, "row")} read, ${countText(rows.accepted, "contact")} taken, ${numberText(rows.rejected)} rejected, ${numberText(rows.duplicate)} duplicate`;
  return `${list.name}: ${taken}${already ? " (it was in the campaign already)" : ""}`;
}
