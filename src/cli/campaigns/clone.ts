import { InvalidArgumentError, Option } from "commander";

import { LEFT_OUT, type LeftOut } from "../../domain/campaigns/cloned-people.ts";
import { DISPOSITIONS } from "../../domain/policy/disposition.ts";
import type { CampaignClonedWire } from "../../http/wire/campaigns.ts";
import type { CliCommand } from "../cli-command.ts";
import { warningLines } from "../context.ts";
import { brandOption, instant, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { estimateLines } from "../view/estimate.ts";
import { countText, numberText } from "../view/words.ts";

type Contacts = "none" | "all" | "unreached" | { dispositions: string[] };

interface CloneOptions {
  brand: string;
  name?: string;
  contacts: Contacts;
  tag?: string;
  startAt?: string;
  endAt?: string;
  json?: true;
}

const HELP = `
People keep what the list said of them: variables, country, time zones. Their attempts and outcomes stay where they are.
Whoever was withdrawn from the campaign is left out, and whoever is suppressed now comes in as excluded. Consent, caps
and hours are asked when they are dialed. "unreached" are all with whom nobody spoke, in a campaign that is over or of
whom it is done. Given again after it was cut off, the same command goes on.

Examples:
  outdial campaign clone spring-renewal --name autumn-renewal --contacts unreached --end-at 2027-12-01T18:00:00Z
  outdial campaign clone spring-renewal --contacts no_answer,voicemail`;

function contactsOf(text: string): Contacts {
  if (text === "none" || text === "all" || text === "unreached") return text;
  const dispositions = text.split(",").map((word) => word.trim());
  const unknown = dispositions.find((word) => !(DISPOSITIONS as readonly string[]).includes(word));
  if (unknown === undefined) return { dispositions };
  throw new InvalidArgumentError(
    `It must be none, all, unreached, or dispositions such as no_answer,voicemail (of ${DISPOSITIONS.join(", ")}).`,
  );
}

/** A date of the clone, or none at all. */
function dateOrNever(text: string): string {
  return text === "never" ? text : instant(text);
}

const orNull = (date: string | undefined): string | null | undefined => (date === "never" ? null : date);

export function registerCampaignClone(campaign: CliCommand): void {
  campaign
    .command("clone")
    .description("Makes another campaign like one that there is. Nothing is dialed before it is started.")
    .argument("<campaign>", "its name or id; of a name the newest run")
    .addOption(brandOption())
    .option(
      "--name <name>",
      "its own; without one it is the campaign's next run, which needs that to be over",
    )
    .addOption(
      new Option(
        "--contacts <which>",
        "whose people come into it: none, all, unreached, or dispositions such as no_answer,voicemail",
      )
        .argParser(contactsOf)
        .default("none"),
    )
    .option("--tag <tag>", "of these only whoever has this tag")
    .addOption(
      new Option(
        "--start-at <time>",
        "when its calls may begin at the earliest; never: no such time",
      ).argParser(dateOrNever),
    )
    .addOption(
      new Option("--end-at <time>", "when its last call may begin; never: it has no end").argParser(
        dateOrNever,
      ),
    )
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, ref: string, options: CloneOptions) => {
      const { brand, name, contacts, tag, startAt, endAt } = options;
      await withRunningSystem(config, async (api) => {
        const clone = await api.campaigns.clone(ref, brand, {
          name,
          contacts,
          tag,
          starts_at: orNull(startAt),
          ends_at: orNull(endAt),
        });
        voice.tell([
          ...clonedLines(clone, contacts),
          ...warningLines(voice, clone.warnings),
          ...estimateLines(clone.estimate, voice.colours),
        ]);
        voice.json(clone);
      });
    });
}

function clonedLines(clone: CampaignClonedWire, contacts: Contacts): string[] {
  const { cloned_from: source, people } = clone;
  const leftOut = Object.entries(people.left_out) as [LeftOut, number][];
  return [
    `campaign "${clone.name}" created (run ${clone.run}, ${clone.id}), cloned from "${source.name}" (run ${source.run})`,
    ...clone.dropped.map((what) => `without ${what}`),
    ...(contacts === "none"
      ? ["no contacts: add a list before it is started"]
      : [`${countText(people.taken, "contact")} taken of ${numberText(people.looked_at)}`]),
    ...(people.excluded > 0 ? [`${numberText(people.excluded)} of them are suppressed and excluded`] : []),
    ...(people.still_open > 0
      ? [
          `${numberText(people.still_open)} of them are still to be called by "${source.name}", too: what keeps its calls apart is least_gap and frequency`,
        ]
      : []),
    ...leftOut.map(([why, n]) => `${numberText(n)} left out: they ${LEFT_OUT[why]}`),
  ];
}
