import type { StoryEntryWire, StoryWire } from "../../http/wire/people.ts";
import type { Colours } from "../view/colours.ts";
import { provenMoment, withProvenMoments } from "../view/local-times.ts";
import { textWidth } from "../view/text-width.ts";
import { countText } from "../view/words.ts";
import {
  checkWord,
  countsText,
  leftOut,
  placeText,
  ruleText,
  spanText,
  suppressedText,
  VERDICT_TEXTS,
  verdictOf,
  zonesFrom,
} from "./story-words.ts";

interface Manner {
  columns: number;
  colours: Colours;
}

/** Lines that are longer are hard to read, whatever the terminal has. */
const WIDEST = 120;

/** A story for a terminal: oldest first, each moment by the person's clocks and in UTC. */
export function storyLines(story: StoryWire, manner: Manner): string[] {
  const { colours } = manner;
  const zones = story.zones;
  const head = [
    `${colours.bold(story.phone)}${story.country === null ? "" : ` (${story.country})`}: ${countsText(story, countText)}`,
    ...wrapped(
      `time zones: ${zones.length === 0 ? "none known" : `${zones.join(", ")} (${zonesFrom(story)})`}`,
      2,
      manner,
    ),
    ...(story.places.length === 0 ? [] : wrapped(`places: ${story.places.join(", ")}`, 2, manner)),
    ...story.suppressed.flatMap((one) =>
      wrapped(`suppressed ${withProvenMoments(suppressedText(one), zones)}`, 2, manner).map((line) =>
        colours.yellow(line),
      ),
    ),
    ...wrapped(
      `as of ${provenMoment(story.made_at, [])}, time zone data ${story.zone_data.version}${story.simulated ? ", simulated calls" : ""}`,
      2,
      manner,
    ),
  ];
  const entries = story.entries.flatMap((entry) => ["", ...entryLines(entry, zones, manner)]);
  const none =
    story.entries.length === 0
      ? ["", "nothing of it is in the stretch of time, or of the brand, that was asked for"]
      : [];
  const rest = story.next_after === null ? [] : ["", colours.yellow(leftOut(story))];
  return [...head, ...entries, ...none, ...rest];
}

function entryLines(entry: StoryEntryWire, zonesOfPerson: readonly string[], manner: Manner): string[] {
  const { colours } = manner;
  const zones = entry.local.flatMap((clock) => clock.zones);
  const told = (text: string) => withProvenMoments(text, zones.length > 0 ? zones : zonesOfPerson);
  const place = placeText(entry);
  const ids = idsText(entry);
  return [
    ...wrapped(spanText(entry, zones), 0, manner).map((line) => colours.bold(line)),
    ...wrapped(told(entry.what), 2, manner).map((line) =>
      entry.kind === "called" ? colours.green(line) : line,
    ),
    ...(place === "" ? [] : wrapped(place, 2, manner)),
    ...(ids === "" ? [] : wrapped(ids, 2, manner).map((line) => colours.dim(line))),
    ...checkLines(entry, told, manner),
  ];
}

function checkLines(entry: StoryEntryWire, told: (text: string) => string, manner: Manner): string[] {
  const verdict = verdictOf(entry);
  if (verdict === undefined || entry.checks === null) return [];
  const { colours } = manner;
  const paint = verdict === "allowed" ? (line: string) => line : (line: string) => colours.red(line);
  return [
    ...wrapped(`${VERDICT_TEXTS[verdict]}:`, 2, manner).map(paint),
    ...entry.checks.flatMap((check) => {
      const lines = wrapped(`${checkWord(check)}  ${ruleText(check)}: ${told(check.says)}`, 4, manner);
      return check.allowed === false ? lines.map((line) => colours.red(line)) : lines;
    }),
  ];
}

/** What other systems, and other commands of ours, are asked with. */
function idsText({ facts }: StoryEntryWire): string {
  return Object.entries(facts)
    .filter(([name, value]) => value !== null && value !== "" && IDS.has(name))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`)
    .join(", ");
}

const IDS: ReadonlySet<string> = new Set([
  "attempt",
  "call_id",
  "batch_id",
  "decided_by",
  "error",
  "list_sha256",
  "enrolment_id",
  "follow_up_id",
  "action_id",
  "delivery_id",
  "platform_batch_id",
  "by",
]);

/** A text in lines of the terminal's width, each but the first of them indented by two more. */
function wrapped(text: string, indent: number, { columns }: Manner): string[] {
  const width = Math.max(40, Math.min(columns, WIDEST));
  const lines: string[] = [];
  let line = " ".repeat(indent);
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = " ".repeat(indent + 2);
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
