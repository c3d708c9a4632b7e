import { parseDurationMs } from "../../time/duration.ts";
import { parseMinuteRange, type MinuteRange } from "../minute-range.ts";

/*
 * What a preset is: rules of places about calls, each with where it is from. Its data is a file under data/, named after
 * id and version, and never changed once a version of Outdial was released with it: campaigns are bound to a version.
 */

/** Hours by days of the week; a day that nothing names is closed. */
export interface PresetHours {
  daily?: readonly string[];
  weekdays?: readonly string[];
  saturday?: readonly string[];
  sunday?: readonly string[];
}

/** Unique over all presets, as `us-fl.hours`: by it a rule is lifted. */
interface RuleBase {
  id: string;
  /** Where it holds, in words. */
  where: string;
  /**
   * Where it holds: countries (ISO 3166-1), or states of the United States such as `US-FL`. `elsewhere`: wherever no
   * preset that the campaign names has anything to say.
   */
  places: readonly string[] | "elsewhere";
  /** Statute, regulation or code of practice. */
  source: string;
  url: string;
  /** The date of what is cited, or since when it is in force, as far as that was found: `2021-07-01`, `1999`. */
  dated: string;
  /** What was read strictly, and what a reader should know. */
  note?: string;
}

export type PresetRule = RuleBase &
  (
    | { kind: "hours"; hours: PresetHours }
    /** Nobody is called on Sundays. */
    | { kind: "sundays" }
    /** Places whose public holidays are kept (time/holidays.ts); `own`: those of the contact's countries. */
    | { kind: "holidays"; holidays: readonly string[] | "own" }
    /** So many calls at most to a number, in any stretch of this length. */
    | { kind: "calls"; attempts: number; within: string }
    /** Nobody is called by a voice that no person speaks with, unless they agreed to that before. */
    | { kind: "consent"; consent: "required_for_ai_voice" }
  );

export interface Preset {
  id: string;
  /** The year, and a count within it. */
  version: string;
  title: string;
  /** The day on which its rules were last held against their sources. */
  reviewed: string;
  /** Countries that it speaks of: nobody in them is `elsewhere`. */
  countries: readonly string[];
  /** Presets without which it makes no sense; they are named with it. */
  needs: readonly string[];
  rules: readonly PresetRule[];
}

/** As people write it: `us-states@2026.1`. */
export function pinOf({ id, version }: Preset): string {
  return `${id}@${version}`;
}

/** Seven days, Monday first. */
export function daysOf(hours: PresetHours): readonly (readonly MinuteRange[])[] {
  const { daily = [], weekdays = daily, saturday = daily, sunday = daily } = hours;
  const [week, sat, sun] = [rangesOf(weekdays), rangesOf(saturday), rangesOf(sunday)];
  return [week, week, week, week, week, sat, sun];
}

function rangesOf(texts: readonly string[]): MinuteRange[] {
  return texts.map((text) => {
    const range = parseMinuteRange(text);
    if (range === undefined) throw new Error(`${text} is no range of hours`);
    return range;
  });
}

/** Hours in words: "Monday to Friday 09:00-18:00, Saturday 10:00-17:00, closed on Sundays". */
function hoursText(hours: PresetHours): string {
  const { daily, weekdays = daily, saturday = daily, sunday = daily } = hours;
  const text = (ranges: readonly string[] = []) => ranges.join(" and ");
  const [week, sat, sun] = [text(weekdays), text(saturday), text(sunday)];
  if (week === sat && sat === sun) return `${week} every day`;
  const day = (name: string, ranges: string) => (ranges === "" ? `not on ${name}s` : `${name} ${ranges}`);
  const first = week === sat ? [`Monday to Saturday ${week}`] : [`Monday to Friday ${week}`];
  const weekend =
    sat === sun && week !== sat
      ? [sat === "" ? "not at weekends" : `at weekends ${sat}`]
      : [...(week === sat ? [] : [day("Saturday", sat)]), day("Sunday", sun)];
  return [...first, ...weekend].join(", ");
}

/** What a rule says, in words. */
export function ruleText(rule: PresetRule): string {
  switch (rule.kind) {
    case "hours":
      return hoursText(rule.hours);
    case "sundays":
      return "no calls on Sundays";
    case "holidays":
      return rule.holidays === "own"
        ? "no calls on public holidays of the contact's country"
        : `no calls on public holidays (${rule.holidays.join(", ")})`;
    case "calls":
      return `${rule.attempts} ${rule.attempts === 1 ? "call" : "calls"} to a number within ${rule.within}`;
    case "consent":
      return "prior consent to calls by an artificial voice";
  }
}

/** Of a rule of calls. */
export function withinMsOf({ within }: Extract<PresetRule, { kind: "calls" }>): number {
  const withinMs = parseDurationMs(within);
  if (withinMs === undefined) throw new Error(`${within} is no duration`);
  return withinMs;
}
