import { FIRST_YEAR, HOLIDAY_NAMES, HOLIDAY_PLACES, LAST_YEAR } from "./holiday-data.ts";
import type { Holiday } from "./holiday-package.ts";
import { DAY_MS } from "./local-day.ts";

/*
 * The table of holidays (holiday-data.ts, written by `npm run holidays`): a line a place, years between semicolons.
 *
 * 1. An entry is a day counted from the year's first, the minute at which it begins where it is not midnight, and the
 *    number of its name in base 36: `0.4`, `357@840.1q`.
 * 2. A part of a country has only what it has beyond it, or, after a `!`, lacks of it.
 * 3. What is read of it is what the package works out (test/domain/time/holiday-table.test.ts).
 */

let names: readonly string[] | undefined;
let lines: ReadonlyMap<string, string> | undefined;

function lineOf(place: string): string | undefined {
  lines ??= new Map(
    HOLIDAY_PLACES.split("\n").map((line) => {
      const [name = "", years = ""] = line.split(" ");
      return [name, years];
    }),
  );
  return lines.get(place);
}

/** Whether the holidays of a place are in the table. */
export function isTabled(place: string): boolean {
  return lineOf(place) !== undefined;
}

/** By local day; undefined where the table has no such place or year. */
export function tabledHolidays(place: string, year: number): ReadonlyMap<number, Holiday> | undefined {
  if (year < FIRST_YEAR || year > LAST_YEAR) return undefined;
  const entries = entriesOf(place, year);
  if (!entries) return undefined;
  names ??= HOLIDAY_NAMES.split("\n");
  const firstDay = Date.UTC(year, 0, 1) / DAY_MS;
  const byDay = new Map<number, Holiday>();
  for (const entry of entries) {
    const [when = "", name = ""] = entry.split(".");
    const [day = "", minute = "0"] = when.split("@");
    const known = names[Number.parseInt(name, 36)] ?? "";
    byDay.set(firstDay + Number(day), { name: known, startMinute: Number(minute) });
  }
  return byDay;
}

/** With those of the whole of which it is a part. */
function entriesOf(place: string, year: number): ReadonlySet<string> | undefined {
  const line = lineOf(place);
  if (line === undefined) return undefined;
  const whole = wholeOf(place);
  const entries = new Set(whole === undefined ? [] : entriesOf(whole, year));
  const own = line.split(";")[year - FIRST_YEAR] ?? "";
  for (const entry of own === "" ? [] : own.split(",")) {
    if (entry.startsWith("!")) entries.delete(entry.slice(1));
    else entries.add(entry);
  }
  return entries;
}

/** What a place is a part of; undefined for a country. */
function wholeOf(place: string): string | undefined {
  const end = place.lastIndexOf("-");
  return end < 0 ? undefined : place.slice(0, end);
}

/** What the table holds of some places, wholes before their parts, in years that follow each other. */
export function tableOf(
  places: readonly string[],
  { firstYear, lastYear }: { firstYear: number; lastYear: number },
  holidaysOf: (place: string, year: number) => ReadonlyMap<number, Holiday>,
): { names: string; places: string } {
  const numbers = new Map<string, string>();
  const numberOf = (name: string): string => {
    const number = numbers.get(name) ?? numbers.size.toString(36);
    numbers.set(name, number);
    return number;
  };
  const written = new Map<string, readonly string[][]>();
  const made = places.map((place) => {
    const years: string[][] = [];
    for (let year = firstYear; year <= lastYear; year += 1) {
      const firstDay = Date.UTC(year, 0, 1) / DAY_MS;
      years.push(
        [...holidaysOf(place, year)]
          .sort(([a], [b]) => a - b)
          .map(([day, { name, startMinute }]) => {
            const minute = startMinute === 0 ? "" : `@${startMinute}`;
            return `${day - firstDay}${minute}.${numberOf(name)}`;
          }),
      );
    }
    written.set(place, years);
    const whole = written.get(wholeOf(place) ?? "") ?? [];
    return `${place} ${years.map((entries, index) => difference(entries, whole[index] ?? [])).join(";")}`;
  });
  return { names: [...numbers.keys()].join("\n"), places: made.join("\n") };
}

function difference(entries: readonly string[], whole: readonly string[]): string {
  return [
    ...whole.filter((entry) => !entries.includes(entry)).map((entry) => `!${entry}`),
    ...entries.filter((entry) => !whole.includes(entry)),
  ].join(",");
}
