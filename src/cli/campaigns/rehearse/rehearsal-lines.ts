import type { Range } from "../../../domain/campaigns/rehearsal/forecast.ts";
import { budgetCapsOf } from "../../../domain/campaigns/budget-spec.ts";
import { usdOf } from "../../../domain/campaigns/money.ts";
import type { LinesAnswer } from "../../../domain/campaigns/rehearsal/lines-needed.ts";
import { rateInWords } from "../../../domain/campaigns/call-rate.ts";
import { formatDurationMs } from "../../../domain/time/duration.ts";
import type { Colours } from "../../view/colours.ts";
import { neverDialedLines } from "../../view/never-dialed.ts";
import { table } from "../../view/report.ts";
import { weekdayMoment } from "../../view/weekday-moment.ts";
import { byCount, countText, numberText } from "../../view/words.ts";
import { hoursChart } from "./hours-chart.ts";
import { costOf, unknownsOf, type Rehearsed } from "../../../contacts/rehearsed-campaign.ts";

const HELD_WORDS: Readonly<Record<string, string>> = {
  window: "their calling hours",
  day_off: "a day off to pass",
  before_start: "the campaign's start",
  slots: "a line",
  not_due: "their retry to fall due",
  called_just_now: "least_gap",
  frequency: "a cap of frequency or of a preset",
};

/** What a rehearsal found, for people. Pure. */
export function rehearsalLines(rehearsed: Rehearsed, colours: Colours): string[] {
  const { forecast, zone, validation } = rehearsed;
  const block = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", colours.bold(title), ...lines];
  return [
    ...headLines(rehearsed, colours),
    "",
    ...table(totalRows(rehearsed), colours, { rightAligned: 0 }),
    ...wantedLines(rehearsed, colours),
    ...block(`calls by hour, ${zone}`, hoursChart(forecast.callsByHour)),
    ...block("what calls and contacts come to", outcomeLines(rehearsed, colours)),
    ...block("what people waited for, in hours of contacts", heldLines(rehearsed, colours)),
    ...block("who is never called", neverLines(rehearsed, colours)),
    ...block(
      "what this does not know",
      unknownsOf(rehearsed).map((line) => `  ${line}`),
    ),
    ...(validation.stopped === null
      ? []
      : ["", colours.red(`the list can't be read to its end: ${validation.stopped.message}`)]),
  ];
}

function headLines(rehearsed: Rehearsed, colours: Colours): string[] {
  const { spec, listName, validation, forecast, lines, rate, zone, fromMs } = rehearsed;
  const { ok, rejected, duplicate } = validation.rows;
  const whose = {
    campaign: "",
    account: " of the account (OUTDIAL_CONCURRENCY)",
    option: ` (--concurrency; the campaign says ${numberText(spec.concurrency)})`,
  }[rehearsed.linesOf];
  const lastSeed = forecast.seed + forecast.runs - 1;
  return [
    `${colours.bold(spec.name)}, rehearsed over ${listName}: ${countText(ok, "contact")}, ${numberText(rejected)} rejected, ${numberText(duplicate)} duplicate`,
    `from ${weekdayMoment(fromMs, zone)} ${zone} on, with ${countText(lines, "line")}${whose}${rate ? `, ${rateInWords(rate)}` : ""}; ${countText(forecast.runs, "run")}, seed${forecast.runs === 1 ? "" : "s"} ${forecast.seed}${forecast.runs === 1 ? "" : ` to ${lastSeed}`}`,
    `outcomes: ${rehearsed.outcomesFrom}: ${sharesText(rehearsed)}`,
  ];
}

function sharesText({ model }: Rehearsed): string {
  const all = Object.values(model.shares).reduce((sum, share) => sum + share, 0);
  const shares = byCount(model.shares).map(([word, share]) => `${word} ${percent(share / all)}`);
  const invalid = `${percent(model.invalidNumbers)} of the numbers do not exist`;
  return `${shares.join(", ")}; ${invalid}; all of it give or take ${percent(model.uncertainty)}`;
}

function percent(share: number): string {
  const value = share * 100;
  return `${value >= 10 || value === 0 ? value.toFixed(0) : value.toFixed(1)} %`;
}

function totalRows(rehearsed: Rehearsed): string[][] {
  const { forecast, zone, fromMs, price, lines, validation } = rehearsed;
  const { endMs, calls, talkMs, open, done } = forecast;
  const contacts = Math.max(1, validation.rows.ok);
  const reached = sumOf([done.answered, done.callback_requested]);
  const moment = (atMs: number) => weekdayMoment(atMs, zone);
  const cost = (perMinute: number) => (ms: number) => usdText(costOf(ms, perMinute));
  return [
    open.high > 0
      ? ["end", `not within a year: ${between(open, numberText)} contacts are left`]
      : ["end", `${moment(endMs.median)} ${zone}${betweenText(endMs, moment)}`],
    ...(open.high > 0 ? [] : [["takes", formatDurationMs(wholeMinutes(endMs.median - fromMs))]]),
    [
      "calls",
      `${numberText(calls.median)}${betweenText(calls, numberText)}, ${(calls.median / contacts).toFixed(2)} a contact`,
    ],
    [
      "spoken with",
      `${numberText(reached.median)}${betweenText(reached, numberText)}, ${percent(reached.median / contacts)}`,
    ],
    ["talk", `${lengthText(talkMs.median)}${betweenText(talkMs, lengthText)}`],
    [
      "cost",
      price.ok
        ? `${cost(price.value)(talkMs.median)}${betweenText(talkMs, cost(price.value))}, at USD ${Number(price.value.toFixed(4))} a minute from the answer on (${price.from})`
        : `not known: ${price.why}; --cost-per-minute says what a minute of talk costs`,
    ],
    ...budgetRows(rehearsed),
    ["lines", `${numberText(forecast.mostLines)} of ${numberText(lines)} in use at most`],
  ];
}

/** Whether the campaign's own budget, and what the account has, are enough for what it is to cost. */
function budgetRows({ forecast: { talkMs }, price, spec, balance }: Rehearsed): string[][] {
  if (!price.ok) return [];
  const { totalMicros, perDayMicros } = budgetCapsOf(spec.budget);
  const [likely, high] = [costOf(talkMs.median, price.value), costOf(talkMs.high, price.value)];
  const against = (usd: number, what: string) => {
    if (high <= usd) return `is enough: ${what}`;
    return likely <= usd ? `is likely enough, and not surely: ${what}` : `is not enough: ${what}`;
  };
  return [
    ...(totalMicros === undefined
      ? []
      : [["budget", against(usdOf(totalMicros), `${usdText(usdOf(totalMicros))} in all (budget.total)`)]]),
    ...(perDayMicros === undefined
      ? []
      : [
          [
            "budget",
            `${usdText(usdOf(perDayMicros))} a day takes ${countText(Math.max(1, Math.ceil(likely / usdOf(perDayMicros))), "day")} or more (budget.per_day)`,
          ],
        ]),
    ...(balance.ok
      ? [["credit", against(balance.value, `the platform's account has ${usdText(balance.value)}`)]]
      : []),
  ];
}

/** Longer than a hundred hours nobody counts in days: it is talk of many lines. */
const MANY_HOURS_MS = 100 * 3_600_000;

function lengthText(ms: number): string {
  if (ms >= MANY_HOURS_MS) return `${numberText(Math.round(ms / 3_600_000))} h`;
  return formatDurationMs(wholeMinutes(ms));
}

function wholeMinutes(ms: number): number {
  return Math.max(60_000, Math.round(ms / 60_000) * 60_000);
}

function usdText(usd: number): string {
  return `USD ${usd < 100 ? usd.toFixed(2) : numberText(Math.round(usd))}`;
}

/** Of medians and bounds: which run is whose does not matter where the words exclude each other. */
function sumOf(ranges: readonly (Range | undefined)[]): Range {
  const sum = { low: 0, median: 0, high: 0 };
  for (const range of ranges) {
    sum.low += range?.low ?? 0;
    sum.median += range?.median ?? 0;
    sum.high += range?.high ?? 0;
  }
  return sum;
}

function between({ low, high }: Range, text: (value: number) => string): string {
  return low === high ? text(low) : `${text(low)} to ${text(high)}`;
}

function betweenText(range: Range, text: (value: number) => string): string {
  const words = between(range, text);
  return text(range.low) === text(range.high) ? "" : ` (${words} in eight of ten runs)`;
}

function wantedLines({ wanted, zone, spec, lines }: Rehearsed, colours: Colours): string[] {
  if (!wanted) return [];
  const by = `${weekdayMoment(wanted.endByMs, zone)} ${zone}`;
  const { answer } = wanted;
  if (answer.kind === "impossible") return [colours.yellow(`  ${impossibleText(answer, by, zone)}`)];
  const enough = answer.lines <= lines ? `; ${numberText(lines)} are enough` : "";
  const sure = `${numberText(answer.inTime)} of ${countText(answer.runs, "run")} in time`;
  const text = `  through by ${by}: ${countText(answer.lines, "line")} (${sure})${enough}`;
  return [answer.lines > spec.concurrency ? colours.yellow(text) : text];
}

function impossibleText(
  answer: Extract<LinesAnswer, { kind: "impossible" }>,
  by: string,
  zone: string,
): string {
  const why = byCount(answer.heldMs)
    .filter(([reason]) => reason !== "slots")
    .slice(0, 2)
    .map(([reason]) => HELD_WORDS[reason] ?? reason);
  const because = why.length === 0 ? "" : `; then people wait for ${why.join(" and ")}`;
  const left = answer.leftOut === 0 ? "" : `, with ${countText(answer.leftOut, "contact")} left out`;
  return `through by ${by}: with no number of lines; the earliest end is ${weekdayMoment(answer.earliestEndMs, zone)}${left}${because}`;
}

function outcomeLines({ forecast }: Rehearsed, colours: Colours): string[] {
  const { dispositions, done } = forecast;
  const medians = Object.entries(dispositions).map(([word, range]) => [word, range.median] as const);
  const rows = byCount(Object.fromEntries(medians)).map(([word]) => {
    const of = (ranges: Readonly<Record<string, Range>>) => ranges[word] ?? sumOf([]);
    return [
      word,
      numberText(of(done).median),
      numberText(of(dispositions).median),
      between(of(dispositions), numberText),
    ];
  });
  if (rows.length === 0) return [];
  return table([["outcome", "contacts", "calls", "in eight of ten runs"], ...rows], colours, {
    header: true,
    rightAligned: 2,
  });
}

function heldLines({ forecast }: Rehearsed, colours: Colours): string[] {
  const hours = Object.fromEntries(
    Object.entries(forecast.heldMs).map(([reason, ms]) => [reason, Math.round(ms / 3_600_000)]),
  );
  const rows = byCount(hours).map(([reason, count]) => [HELD_WORDS[reason] ?? reason, numberText(count)]);
  return table(rows, colours);
}

function neverLines({ forecast, validation, spec }: Rehearsed, colours: Colours): string[] {
  const { excluded, excludedDetail } = forecast;
  const rows = Object.entries(excluded)
    .filter(([reason]) => reason !== "no_common_window" && reason !== "no_transfer_hours")
    .map(([reason, range]) => {
      const detail = Object.entries(excludedDetail).find(([word]) => word === reason)?.[1] ?? "";
      return [reason, between(range, numberText), detail];
    });
  return [
    ...neverDialedLines(validation.neverDialed, `the window of campaign "${spec.name}"`).map(
      (line) => `  ${line}`,
    ),
    ...table(rows, colours),
    ...(validation.rows.rejected === 0
      ? []
      : [
          `  ${countText(validation.rows.rejected, "row")} of the list ${validation.rows.rejected === 1 ? "makes" : "make"} no contact: ${byCount(
            validation.rejectedByCode,
          )
            .map(([code, count]) => `${code} ${numberText(count)}`)
            .join(", ")}`,
        ]),
  ];
}
