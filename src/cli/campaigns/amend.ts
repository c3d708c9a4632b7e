import type { Command } from "commander";

import { AMENDABLE } from "../../domain/campaigns/spec-difference.ts";
import { voiceOf, warningLines, type CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, mapOption, regionOption, settingsFor } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { readSpecAndList, type SpecAndListOptions } from "./spec-and-list.ts";

interface AmendOptions extends SpecAndListOptions {
  reason?: string;
  json?: true;
}

export function registerCampaignAmend(campaign: Command, context: CliContext): void {
  const fields = [...AMENDABLE];
  const last = fields.pop();
  campaign
    .command("amend")
    .description("Puts a changed pace or policy of a campaign in force, and adds a list to it if given.")
    .argument("<campaign.yaml>", "the campaign, changed; its name says which")
    .option("--contacts <list>", "CSV or NDJSON file of more contacts")
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--reason <text>", "written down with it")
    .addOption(jsonOption())
    .addHelpText("after", `\n${fields.join(", ")} and ${last} may change; the rest makes another campaign.`)
    .action(async (file: string, options: AmendOptions, command: Command) => {
      const config = settingsFor(context, command);
      const voice = voiceOf(context, config, options);
      const { spec, takeList } = await readSpecAndList(voice, file, options);
      await withRunningSystem(config, async (api) => {
        const { id } = await api.campaigns.get(spec.name, spec.brand);
        const amended = await api.campaigns.amend(id, { spec, reason: options.reason });
        voice.tell([
          ...(amended.differences.length === 0
            ? ["the campaign has this spec already"]
            : [
                `policy version ${amended.policy_version} is in force:`,
                ...amended.differences.map(
                  ({ field, before, after }) => `  ${field}: was ${before}, is now ${after}`,
                ),
              ]),
          ...warningLines(voice, amended.warnings),
        ]);
        voice.tell(await takeList(api, id));
        voice.json(amended);
      });
      context.finish(EXIT.ok);
    });
}
