import type { SourceCheckedWire } from "../../http/wire/suppressions.ts";
import type { CliCommand } from "../cli-command.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { momentText, numberText } from "../view/words.ts";

export function registerSourceCheck(source: CliCommand): void {
  source
    .command("check")
    .description(
      "Asks a scrubbing service about a few numbers now, and shows what it says. Writes nothing down. Exits with 1 where it does not answer as it is to.",
    )
    .argument("<name>", "the source")
    .argument("<phone...>", "numbers, 10 at most")
    .addOption(regionOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial suppress source check carrier-scrub +12025550143")
    .does(
      async (
        { config, voice },
        name: string,
        phones: string[],
        { defaultRegion }: { defaultRegion?: string },
      ) => {
        const checked = await withRunningSystem(config, (api) =>
          api.suppressions.sources.check(name, phones, defaultRegion),
        );
        voice.tell(checkedText(checked));
        voice.json(checked);
        return checked.outcome === "answered" ? EXIT.ok : EXIT.failed;
      },
    );
}

function checkedText({
  source,
  outcome,
  status,
  latency_ms: latencyMs,
  trouble,
  said,
  numbers,
}: SourceCheckedWire): string[] {
  const { scrub } = source;
  const came = status === null ? "no answer" : `status ${status}`;
  const asked = scrub === null ? source.name : `${source.name}, at ${scrub.url}, signed with ${scrub.secret}`;
  return [
    `${asked}: ${OUTCOMES[outcome]} (${came}, ${numberText(latencyMs)} ms)`,
    ...(trouble === null ? [] : [`  ${trouble}`]),
    ...(said === null ? [] : [`  it said: ${JSON.stringify(said)}`]),
    ...numbers.map(
      (number) =>
        `  ${number.phone}: ${verdictText(number, outcome === "away" && scrub?.when_away === "dial")}`,
    ),
    "nothing was written down",
  ];
}

const OUTCOMES: Readonly<Record<SourceCheckedWire["outcome"], string>> = {
  answered: "it answers",
  silent: "it answers, and says nothing of any of these numbers",
  away: "it is away",
  wrong: "this is for people to mend",
};

function verdictText(
  { verdict, reason, until }: SourceCheckedWire["numbers"][number],
  isDialedWhileAway: boolean,
): string {
  const end = until === null ? "" : momentText(until, Date.now());
  switch (verdict) {
    case "listed":
      return `listed${reason === null ? "" : ` (${reason})`}: it would be suppressed until ${end}`;
    case "clear":
      return `clear: it might be dialed by that until ${end}`;
    case "unanswered":
      return `nothing said: it would wait, and be asked about again ${end}`;
    case null:
      return isDialedWhileAway
        ? "no verdict: it would wait, or be dialed without one once the service counts as away"
        : "no verdict: it would wait";
  }
}
