import type { CliCommand } from "../cli-command.ts";
import { AMENDABLE } from "../../domain/campaigns/spec-difference.ts";
import { warningLines } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, mapOption, regionOption, wholeNumber } from "../options.ts";
import { previewText } from "../view/amendment.ts";
import { withRunningSystem } from "../running-system.ts";
import { readSpecAndList, type SpecAndListOptions } from "./spec-and-list.ts";

interface AmendOptions extends SpecAndListOptions {
  reason?: string;
  dryRun?: true;
  ifVersion?: number;
  json?: true;
}

/** Fields that hold rules over calls. */
const RULES: ReadonlySet<string> = new Set(["analysis", "follow_ups"]);

export function registerCampaignAmend(campaign: CliCommand): void {
  const fields = [...AMENDABLE];
  const last = fields.pop();
  campaign
    .command("amend")
    .grave()
    .description("Puts a changed pace or policy of a campaign in force, and adds a list to it if given.")
    .argument("<campaign.yaml>", "the campaign, changed; its name says which")
    .option("--contacts <list>", "CSV or NDJSON file of more contacts")
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--reason <text>", "written down with it")
    .option("--dry-run", "says who would be affected how, and changes nothing")
    .option(
      "--if-version <n>",
      "only while this version of the policy is in force, as --dry-run says it",
      wholeNumber(1, 1_000_000),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `\n${fields.join(", ")} and ${last} may change; the rest makes another campaign.\nWhat changed rules would make of its calls, before they are in force: outdial rules test <campaign.yaml> --campaign <name>`,
    )
    .does(async ({ config, voice }, file: string, options: AmendOptions) => {
      const { dryRun, ifVersion, reason } = options;
      if (dryRun && options.contacts !== undefined)
        throw new CliError(
          "--dry-run looks at the people of the campaign: leave --contacts out, and see the list with `outdial contacts validate`",
          EXIT.badInput,
        );
      const { spec, takeList } = await readSpecAndList(voice, file, options);
      await withRunningSystem(config, async (api) => {
        const { id } = await api.campaigns.get(spec.name, spec.brand);
        if (dryRun) {
          const preview = await api.campaigns.amendPreview(id, spec);
          voice.tell(previewText(preview));
          voice.json(preview);
          return;
        }
        const amended = await api.campaigns.amend(id, { spec, reason, ifVersion });
        voice.tell([
          ...(amended.differences.length === 0
            ? ["the campaign has this spec already"]
            : [
                `policy version ${amended.policy_version} is in force:`,
                ...amended.differences.map(
                  ({ field, before, after }) => `  ${field}: was ${before}, is now ${after}`,
                ),
              ]),
          ...(amended.differences.some(({ field }) => RULES.has(field))
            ? [
                `the rules hold for calls that end from now on; what they make of those that were: outdial rules test ${file} --campaign "${spec.name}"`,
              ]
            : []),
          ...warningLines(voice, amended.warnings),
        ]);
        voice.tell(await takeList(api, id));
        voice.json(amended);
      });
    });
}
