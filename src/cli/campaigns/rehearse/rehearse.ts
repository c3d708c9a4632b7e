import { InvalidArgumentError } from "commander";

import type { CliCommand, Doing } from "../../cli-command.ts";
import type { CliContext } from "../../context.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { instant, jsonOption, mapOption, regionOption, wholeNumber } from "../../options.ts";
import type { RehearseOptions } from "./rehearsing.ts";

const HELP = `
Nothing is written, nobody is called, and nothing has to run. Who may be called when is decided by the code that
decides it in a campaign. What calls come to is not known beforehand: give --outcomes or --like, or take what is
usual. Where a system runs its blackouts are kept, where a platform is set its price is asked for.

Examples:
  outdial rehearse campaign.yaml --contacts list.csv --cost-per-minute 0.12
  outdial rehearse campaign.yaml --contacts list.csv --end-by 2026-12-05T18:00:00Z --time-zone America/New_York
  outdial rehearse campaign.yaml --contacts list.csv --like spring-renewal

Exits with 2 where the list can't be read to its end, or makes no contact.`;

/** More runs than this tell no more. */
const MOST_RUNS = 100;
const LAST_SEED = 2 ** 31 - 1;

export function registerRehearse(program: CliCommand, context: CliContext): void {
  program
    .command("rehearse")
    .description(
      "Says what a campaign would do with a list: when it ends, what it costs, whom it never calls.",
    )
    .argument("<campaign.yaml>", "the campaign")
    .requiredOption("--contacts <list>", "CSV or NDJSON file of contacts")
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--suppressed <list>", "numbers that must not be dialed, as `suppress import` reads them")
    .option("--from <time>", "when it is started, such as 2026-12-01T09:00:00Z; by default now", instant)
    .option("--end-by <time>", "asks how many lines it takes to be through by then", instant)
    .option(
      "--concurrency <n>",
      "calls that may be up at once, instead of the campaign's",
      wholeNumber(1, 100_000),
    )
    .option("--outcomes <file>", "what calls come to and how long they take, as YAML or JSON")
    .option("--like <campaign>", "outcomes as this campaign of the running system had them")
    .option("--cost-per-minute <usd>", "what a minute of talk costs, in US dollars", price)
    .option("--time-zone <zone>", "by whose clocks days and hours are told", "UTC")
    .option("--runs <n>", "how often it is rehearsed, for the range", wholeNumber(1, MOST_RUNS), 10)
    .option("--seed <n>", "seed of the first run", wholeNumber(0, LAST_SEED), 1)
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async (doing: Doing, file: string, options: RehearseOptions): Promise<ExitCode> => {
      const { rehearseCampaign } = await import("./rehearsing.ts");
      const { rehearsalLines } = await import("./rehearsal-lines.ts");
      const { rehearsalJson } = await import("../../../contacts/rehearsal-json.ts");
      const rehearsed = await rehearseCampaign(doing, context.ports, file, options);
      doing.voice.tell(rehearsalLines(rehearsed, doing.voice.colours));
      doing.voice.json(rehearsalJson(rehearsed));
      return rehearsed.validation.stopped === null ? EXIT.ok : EXIT.badInput;
    });
}

function price(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value <= 1_000) return value;
  throw new InvalidArgumentError("It must be US dollars such as 0.12, up to 1000.");
}
