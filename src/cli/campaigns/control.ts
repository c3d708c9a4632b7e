import type { CliCommand } from "../cli-command.ts";
import type { InFlightWire } from "../../http/wire/campaigns.ts";
import type { CommandInput } from "../api/campaigns.ts";
import type { Api } from "../api/client.ts";
import { brandOption, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { inFlightText } from "../view/words.ts";

interface ControlOptions {
  brand: string;
  reason?: string;
  json?: true;
}

interface Control {
  name: "pause" | "resume" | "approve" | "cancel";
  description: string;
  tell: (api: Api, ref: string, input: CommandInput) => Promise<{ state: string; in_flight?: InFlightWire }>;
}

const CONTROLS: readonly Control[] = [
  {
    name: "pause",
    description: "Stops new calls; those that are up end by themselves. Answers when no new one can begin.",
    tell: (api, ref, input) => api.campaigns.pause(ref, input),
  },
  {
    name: "resume",
    description: "Goes on with a campaign that is paused.",
    tell: (api, ref, input) => api.campaigns.resume(ref, input),
  },
  {
    name: "approve",
    description: "Approves of a campaign's first calls (canary): it goes on.",
    tell: (api, ref, input) => api.campaigns.approve(ref, input),
  },
  {
    name: "cancel",
    description: "Ends a campaign early, for good: whoever was not called is excluded.",
    tell: (api, ref, input) => api.campaigns.cancel(ref, input),
  },
];

/** pause, resume, approve, cancel: one word each to a campaign, and what it came to. */
export function registerCampaignControls(campaign: CliCommand): void {
  for (const { name, description, tell } of CONTROLS) {
    const command = campaign.command(name);
    // Whoever stops calls is not asked whether it is meant.
    if (name !== "pause") command.grave();
    command
      .description(description)
      .argument("<campaign>", "its name or id")
      .addOption(brandOption())
      .option("--reason <text>", "written down with it")
      .addOption(jsonOption())
      .does(async ({ config, voice }, ref: string, options: ControlOptions) => {
        await withRunningSystem(config, async (api) => {
          const result = await tell(api, ref, { brand: options.brand, reason: options.reason });
          voice.tell([
            `${ref} is ${result.state}`,
            ...(result.in_flight ? [inFlightText(result.in_flight)] : []),
          ]);
          voice.json(result);
        });
      });
  }
}
