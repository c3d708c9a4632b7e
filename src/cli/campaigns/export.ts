import type { CliCommand } from "../cli-command.ts";
import { brandOption, folder, jsonOption } from "../options.ts";
import { keepReport, writeReportFiles } from "./run/report-files.ts";
import { withRunningSystem } from "../running-system.ts";
import { pathLines, reportJson } from "../view/report.ts";

const HELP = `
results.csv has a line for each contact: line, phone, outcome, reason, state, attempts, attempt_dispositions,
call_ids, first_attempt_at, last_attempt_at and last_attempt_ended_at in UTC, each with a column that ends in
_local beside it, by the clocks of the person (of several zones the earliest and the latest), duration_seconds,
time_zones, policy_versions (of each attempt the one that it was decided under), agent_versions (of each the one
that was published when it began, as far as the platform says), tags where anybody has one, then each variable as
var_<name>.
rejects.csv has the rows of the lists that made no contact, and why. report.json has the totals.`;

export function registerCampaignExport(campaign: CliCommand): void {
  campaign
    .command("export")
    .description("Writes a campaign's results, rejects and report into a folder, as they are now.")
    .argument("<campaign>", "its name or id")
    .addOption(brandOption())
    .option("--to <folder>", "the folder; by default one in the data folder's reports", folder)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, ref: string, options: { brand: string; to?: string; json?: true }) => {
      await withRunningSystem(config, async (api) => {
        const report = await api.campaigns.report(ref, options.brand);
        const paths = await (options.to === undefined
          ? keepReport(api, report, config.dataDir)
          : writeReportFiles(api, report, options.to));
        voice.tell(pathLines(paths));
        voice.json(reportJson(report, paths));
      });
    });
}
