import type { CallerIdsWire } from "../../http/wire/caller-ids.ts";
import type { CliCommand } from "../cli-command.ts";
import { brandOption, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { momentText, numberText } from "../view/words.ts";

export function registerCampaignCallerIds(campaign: CliCommand): void {
  campaign
    .command("caller-ids")
    .description(
      "Shows the numbers that a campaign calls from: calls of the hour and the day, how many are answered, what is left, which rest.",
    )
    .argument("<campaign>", "its name or id")
    .addOption(brandOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, options: { brand: string; json?: true }) => {
      const found = await withRunningSystem(config, (api) => api.campaigns.callerIds(ref, options.brand));
      const nowMs = Date.now();
      voice.present(
        listing(
          "it has no number to call from",
          ["number", "last hour", "last day", "may begin", "answered", ""],
          found.items.map((item) => callerCells(item, nowMs)),
          voice.colours,
          3,
        ),
      );
      voice.json(found);
    });
}

function callerCells(item: CallerIdsWire["items"][number], nowMs: number): string[] {
  const { number, last_hour: hour, last_day: day, left, newest, answered, rests_until: rests } = item;
  const share = newest === 0 ? "" : ` (${((100 * answered) / newest).toFixed(1)} %)`;
  return [
    number,
    numberText(hour),
    numberText(day),
    left === null ? "any" : numberText(left),
    newest === 0 ? "none noted" : `${numberText(answered)} of ${numberText(newest)}${share}`,
    rests === null ? "" : `rests until ${momentText(rests, nowMs)}`,
  ];
}
