import type { Branch, Way, WayPoint } from "../../domain/sequences/rehearsal/ways.ts";
import type { Colours } from "../view/colours.ts";
import { weekdayMoment } from "../view/weekday-moment.ts";
import { countText } from "../view/words.ts";
import type { RehearsedSequence } from "../../contacts/rehearsed-sequence.ts";

const TRIES_SHOWN = 4;

interface Told {
  colours: Colours;
  when: (atMs: number) => string;
}

/** The ways of a person, as a tree. Pure. */
export function waysLines(rehearsed: RehearsedSequence, colours: Colours): string[] {
  const { definition, phone, zones, fromMs, ways, blackouts } = rehearsed;
  const [zone = "UTC"] = zones;
  const when = (atMs: number) => weekdayMoment(atMs, zone);
  const others = zones.length > 1 ? ` (who may be in ${zones.length} time zones)` : "";
  const untold = [...ways.untold];
  return [
    `${colours.bold(definition.name)}, rehearsed for ${phone}, enrolled ${when(fromMs)}; all times by the clocks of ${zone}${others}`,
    ...wayLines(ways.way, "  ", { colours, when }),
    "",
    countText(ways.ends, "end"),
    ...untold.map(
      ([step, words]) =>
        `not walked at ${step}: ${words.join(", ")} (--assume ${step}=${words[0] ?? ""} walks one)`,
    ),
    ...(blackouts.ok ? [] : [`no blackouts are kept: ${blackouts.why}`]),
  ];
}

function wayLines({ points, end }: Way, indent: string, told: Told): string[] {
  const { colours, when } = told;
  const lines = points.map((point) => `${indent}${pointText(point, when)}`);
  switch (end.kind) {
    case "done":
      return [...lines, `${indent}${when(end.atMs)}  ends: ${colours.bold(end.outcome)} (${end.reason})`];
    case "cut":
      return [...lines, colours.yellow(`${indent}${when(end.atMs)}  ... goes on: ${end.why}`)];
    case "fork":
      return [
        ...lines,
        `${indent}${when(end.atMs)}  ${end.step}: ${FORKS[end.about]}`,
        ...end.branches.flatMap((branch) => [
          `${indent}  ${colours.bold(`if ${wordsOf(branch, end.about)}`)}${triesText(branch, when)}`,
          ...wayLines(branch.way, `${indent}    `, told),
        ]),
      ];
  }
}

const FORKS = {
  call: "calls",
  event: "waits for an event",
  action: "acts",
  split: "takes one of several ways",
  branch: "goes by what is said in the call, or made of it",
} as const;

function wordsOf({ when }: Branch, about: keyof typeof FORKS): string {
  const words = when.map((one) => one.replaceAll("_", " ")).join(" or ");
  if (about === "split" || about === "branch") return `to ${words}`;
  if (about === "event")
    return words.replace("event", "it comes (at once)").replace("timeout", "it does not come");
  return words;
}

function triesText({ triedMs }: Branch, when: Told["when"]): string {
  if (triedMs.length === 0) return "";
  const shown = triedMs.slice(0, TRIES_SHOWN).map(when).join(", ");
  const hidden = triedMs.length - TRIES_SHOWN;
  return `: called ${shown}${hidden > 0 ? ` and ${hidden} times more` : ""}`;
}

const MOMENT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

function pointText({ atMs, step, what, detail }: WayPoint, when: Told["when"]): string {
  const details = Object.entries(detail).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name} ${text.replaceAll(MOMENT, (iso) => when(Date.parse(iso)))}`;
  });
  const said = details.length === 0 ? "" : ` (${details.join(", ")})`;
  return `${when(atMs)}  ${step === undefined ? "" : `${step}: `}${what.replaceAll("_", " ")}${said}`;
}
