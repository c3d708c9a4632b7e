import { Option } from "commander";

import type { BlackoutWire } from "../../http/wire/blackouts.ts";
import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText } from "../view/words.ts";

interface AddOptions {
  to?: string;
  name: string;
  brand?: string;
}

export function registerBlackoutAdd(blackout: CliCommand): void {
  blackout
    .command("add")
    .description(
      "Dates on which nobody is called, wherever they are, whatever campaigns say; batches that are dialing against it are stopped.",
    )
    .argument("<from>", "the day, as in 2026-12-24")
    .option("--to <day>", "the last day of a longer one")
    .requiredOption("--name <text>", "what it is; people are told it where nobody is called")
    .addOption(new Option("--brand <brand>", "only for this brand; without it, for every brand"))
    .addOption(jsonOption())
    .addHelpText("after", '\nExample:\n  outdial blackout add 2026-12-24 --to 2026-12-26 --name "Christmas"')
    .does(async ({ config, voice }, from: string, { to, name, brand }: AddOptions) => {
      const result = await withRunningSystem(config, (api) => api.blackouts.add({ from, to, name, brand }));
      const stopped =
        result.stopped_batches === 0
          ? ""
          : `; stopped ${countText(result.stopped_batches, "batch", "batches")} that dialed against it`;
      voice.tell([
        `${result.is_new ? "nobody is called" : "nobody was to be called already"} on ${daysText(result.blackout)} (blackout ${result.blackout.id})${stopped}`,
        ...result.waiting.map(
          ({ name }) => `${name} could not be asked yet: its batches are stopped as soon as it can be`,
        ),
      ]);
      voice.json(result);
    });
}

/** Which days, and for whom. */
export function daysText({ from, to, brand, name }: BlackoutWire): string {
  const days = from === to ? from : `${from} to ${to}`;
  return `${days}, ${brand === null ? "for any brand" : `for ${brand}`}: ${name}`;
}
