import type { Forecast } from "../../../domain/campaigns/rehearsal/forecast.ts";
import { dayText } from "../../view/weekday-moment.ts";
import { numberText } from "../../view/words.ts";

/*
 * When calls are made, as a picture: few hours a line each, many of them a line a day.
 */

type Hours = Forecast["callsByHour"];

/** Hours that are shown a line each: those of a day or two. */
const MOST_LINES = 24;
/** Days that are shown; who plans for more reads `--json`. */
const MOST_DAYS = 35;
const LONGEST_BAR = 40;
const EIGHTHS = " ▁▂▃▄▅▆▇█";

/** Hours in which half of the runs or more make a call. */
export function hoursChart(all: Hours): string[] {
  const hours = all.filter(({ median }) => median > 0);
  if (hours.length === 0) return [];
  return hours.length <= MOST_LINES ? hourLines(hours) : dayLines(hours);
}

function hourLines(hours: Hours): string[] {
  const most = Math.max(1, ...hours.map(({ median }) => median));
  const width = numberText(most).length;
  return hours.map(({ hour, median }) => {
    const bar = "█".repeat(Math.round((median / most) * LONGEST_BAR));
    const at = `${dayText(Math.floor(hour / 24))} ${String(hour % 24).padStart(2, "0")}:00`;
    return `  ${at}  ${numberText(median).padStart(width)}  ${bar}`.trimEnd();
  });
}

function dayLines(hours: Hours): string[] {
  const most = Math.max(1, ...hours.map(({ median }) => median));
  const days = new Map<number, number[]>();
  for (const { hour, median } of hours) {
    const day = Math.floor(hour / 24);
    const ofDay = days.get(day) ?? Array.from({ length: 24 }, () => 0);
    ofDay[hour % 24] = median;
    days.set(day, ofDay);
  }
  const sums = [...days].map(([day, ofDay]) => ({
    day,
    ofDay,
    sum: ofDay.reduce((all, one) => all + one, 0),
  }));
  const width = Math.max("calls".length, ...sums.map(({ sum }) => numberText(sum).length));
  const hidden = sums.slice(MOST_DAYS);
  return [
    `  ${"".padEnd(14)}  ${"calls".padStart(width)}  0     6     12    18`,
    ...sums.slice(0, MOST_DAYS).map(({ day, ofDay, sum }) => {
      const bars = ofDay.map((calls) => barOf(calls, most)).join("");
      return `  ${dayText(day)}  ${numberText(sum).padStart(width)}  ${bars}`.trimEnd();
    }),
    ...(hidden.length > 0 ? [`  and ${numberText(hidden.length)} days more (--json has them)`] : []),
    `  █ is ${numberText(most)} calls an hour`,
  ];
}

function barOf(calls: number, most: number): string {
  // Whatever is there is seen.
  const eighths = calls <= 0 ? 0 : Math.max(1, Math.round((calls / most) * 8));
  return EIGHTHS[eighths] ?? " ";
}
