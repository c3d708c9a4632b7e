import type { CliCommand } from "../cli-command.ts";
import { brandOption, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

interface ArchiveOptions {
  brand: string;
  reason?: string;
  json?: true;
}

const ARCHIVES = {
  archive: {
    description: "Has lists of campaigns pass over one that is over. It stays otherwise as it is.",
    outcome: "is archived: `outdial campaign list --archived` shows it",
  },
  unarchive: { description: "Has lists show an archived campaign again.", outcome: "is in the list again" },
} as const;

/** archive, unarchive. */
export function registerCampaignArchives(campaign: CliCommand): void {
  for (const name of ["archive", "unarchive"] as const) {
    const { description, outcome } = ARCHIVES[name];
    campaign
      .command(name)
      .description(description)
      .argument("<campaign>", "its name or id")
      .addOption(brandOption())
      .option("--reason <text>", "written down with it")
      .addOption(jsonOption())
      .does(async ({ config, voice }, ref: string, { brand, reason }: ArchiveOptions) => {
        await withRunningSystem(config, async (api) => {
          const result = await api.campaigns[name](ref, { brand, reason });
          voice.tell([`${ref} ${outcome}`]);
          voice.json(result);
        });
      });
  }
}
