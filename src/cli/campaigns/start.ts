import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { brandOption, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { estimateLines } from "../view/estimate.ts";

interface StartOptions {
  brand: string;
  partial?: true;
  reason?: string;
  json?: true;
}

export function registerCampaignStart(campaign: CliCommand, context: CliContext): void {
  campaign
    .command("start")
    .grave()
    .description("Starts a campaign that was created.")
    .argument("<campaign>", "its name or id")
    .addOption(brandOption())
    .option("--partial", "start though a list was only taken in part")
    .option("--reason <text>", "written down with it")
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, options: StartOptions) => {
      await withRunningSystem(config, async (api) => {
        const started = await api.campaigns.start(ref, {
          brand: options.brand,
          allowPartial: options.partial === true,
          reason: options.reason,
        });
        voice.tell([
          started.workflow === "running"
            ? `${ref} is ${started.state}`
            : `${ref} is ${started.state}; Temporal does not answer, so dialing begins once it does`,
        ]);
        voice.tell(estimateLines(started.estimate, voice.colours));
        for (const warning of started.warnings) context.stderr.write(`outdial: warning: ${warning}\n`);
        voice.json(started);
      });
    });
}
