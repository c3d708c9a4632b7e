import { InvalidArgumentError, Option } from "commander";

import { EVENT_TYPE_NAMES, type EventTypeName } from "../../domain/ground/event-types.ts";
import type { EventWire } from "../../http/wire/events.ts";
import type { Api } from "../api/client.ts";
import type { CliCommand, Doing } from "../cli-command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { watchInterrupts } from "../interrupts.ts";
import { instant, jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { printable } from "../view/printable.ts";
import { followEvents, type Followed } from "./follow-events.ts";
import { storyLine } from "./story-line.ts";

interface EventOptions {
  follow?: true;
  since?: string;
  after?: string;
  type?: readonly EventTypeName[];
  campaign?: string;
  brand?: string;
  limit: number;
  json?: true;
}

export function registerEvents(program: CliCommand): void {
  commandOf(program, "events")
    .description("Lists what happened, in order, and with --follow what happens.")
    .addOption(
      new Option("--type <type>", "only this, as often as needed").argParser<readonly EventTypeName[]>(
        (text, before) => [...(before ?? []), typeNamed(text)],
      ),
    )
    .addHelpText(
      "after",
      `\nTypes: ${EVENT_TYPE_NAMES.join(", ")}.\n\nExamples:\n  outdial events --since 2026-12-01T00:00:00Z --type call.ended\n  outdial events --follow --json`,
    )
    .does((doing, options: EventOptions) => show(doing, options, { types: options.type, lineOf: factsLine }));
}

export function registerLogs(program: CliCommand): void {
  commandOf(program, "logs")
    .description(
      "Tells the story of campaigns in sentences: who started, paused and amended them, what waited for people, how they ended. Single calls are left out: `outdial events` has them.",
    )
    .addHelpText("after", "\nExample:\n  outdial logs --campaign spring --follow")
    .does((doing, options: EventOptions) => show(doing, options, { types: STORY_TYPES, lineOf: storyLine }));
}

/** All but those of single people. */
const STORY_TYPES = EVENT_TYPE_NAMES.filter(
  (type) => !/^(?:call|contact|follow_up|enrolment|delivery)\./.test(type),
);

function commandOf(program: CliCommand, name: string) {
  return program
    .command(name)
    .option("--follow", "go on with what happens, until Ctrl-C")
    .option(
      "--since <time>",
      "from this moment on; without it, from the oldest that is there, with --follow from now on",
      instant,
    )
    .option("--after <id>", "behind this event, as --json shows its id")
    .option("--campaign <ref>", "only of this campaign, by its id or its name")
    .option("--brand <brand>", "only of this brand; and whose campaign a name is")
    .option("--limit <n>", "so many at most, without --follow", wholeNumber(1, 500), 100)
    .addOption(jsonOption());
}

function typeNamed(text: string): EventTypeName {
  const found = EVENT_TYPE_NAMES.find((name) => name === text);
  if (found === undefined)
    throw new InvalidArgumentError(`It must be one of ${EVENT_TYPE_NAMES.join(", ")}.`);
  return found;
}

interface Showing {
  types: readonly EventTypeName[] | undefined;
  lineOf: (event: EventWire) => string;
}

async function show(
  { config, voice }: Doing,
  { follow, since, after, campaign, brand, limit }: EventOptions,
  { types, lineOf }: Showing,
): Promise<ExitCode | void> {
  const interrupts = watchInterrupts(() => voice.screen.clear());
  try {
    return await withRunningSystem(config, async (api) => {
      const filter: Followed = {
        types: types?.join(","),
        campaign: await campaignId(api, campaign, brand),
        brand,
      };
      if (follow === undefined) {
        const page = await api.events.page({ ...filter, since, after, limit });
        const { items } = page;
        voice.tell(items.length === 0 && !page.more ? ["nothing of that kind happened"] : items.map(lineOf));
        if (page.more) voice.tell([`more came behind: --after ${page.next_after}, with the same options`]);
        voice.json(page);
        return EXIT.ok;
      }
      const onAway = (why: string) => voice.screen.say(`${why}; it is asked again`);
      for await (const event of followEvents(api, {
        filter,
        since,
        after,
        signal: interrupts.signal,
        onAway,
      })) {
        voice.tell([lineOf(event)]);
        voice.json(event);
      }
      return EXIT.ok;
    });
  } finally {
    interrupts.end();
  }
}

async function campaignId(
  api: Api,
  ref: string | undefined,
  brand: string | undefined,
): Promise<string | undefined> {
  return ref === undefined ? undefined : (await api.campaigns.get(ref, brand ?? "default")).id;
}

function factsLine({ at, type, campaign, data }: EventWire): string {
  const facts = Object.entries(data)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  const of = campaign === null ? [] : [`campaign: ${campaign}`];
  return printable(`${at}  ${type}  ${[...of, ...facts].join(", ")}`);
}
