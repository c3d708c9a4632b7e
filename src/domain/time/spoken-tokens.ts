import { Temporal } from "temporal-polyfill";

import { meaningOf, type WordMeaning } from "./spoken-words.ts";

/** A part of what was said that is some part of a time. */
export type Token =
  | { kind: "date"; date: Temporal.PlainDate }
  /** `exact`: written as clocks of 24 hours have it. */
  | { kind: "time"; hour: number; minute: number; exact: boolean }
  | { kind: "number"; value: number; ordinal: boolean }
  /** One, or `at`: what is behind it says which. */
  | { kind: "a" }
  /** Before noon, or German for `on the`. */
  | { kind: "am" }
  | WordMeaning;

const TOKEN =
  /(?<iso>\d{4}-\d{2}-\d{2})(?:t(?=\d))?|(?<numeric>\d{1,2}([./-])\d{1,2}\3\d{4})|(?<time>\d{1,2}[:h]\d{2}(?!\d))(?::\d{2}(?:\.\d{1,9})?)?|(?<number>\d{1,4})(?<ordinal>st|nd|rd|th|\.)?(?!\d)|(?<word>[a-z][a-z'-]*)/y;

/** Undefined where a part of the text is no word of a time. */
export function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === " " || text[at] === ",") {
      at += 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const token = match?.groups && tokenOf(match.groups);
    if (!match || !token) return undefined;
    tokens.push(token);
    at += match[0].length;
  }
  return tokens;
}

function tokenOf(groups: Partial<Record<string, string>>): Token | undefined {
  const { iso, numeric, time, number, ordinal, word } = groups;
  if (iso !== undefined) {
    const [year = 0, month = 0, day = 0] = iso.split("-").map(Number);
    return dateToken(dateOf(year, month, day));
  }
  if (numeric !== undefined) return numericDate(numeric);
  if (time !== undefined) {
    const [hour = "", minute = ""] = time.split(/[:h]/);
    const exact = hour.length === 2;
    return { kind: "time", hour: Number(hour), minute: Number(minute), exact };
  }
  if (number !== undefined) return { kind: "number", value: Number(number), ordinal: ordinal !== undefined };
  if (word === "a") return { kind: "a" };
  if (word === "am") return { kind: "am" };
  return word === undefined ? undefined : meaningOf(word);
}

function dateToken(date: Temporal.PlainDate | undefined): Token | undefined {
  return date && { kind: "date", date };
}

/** Undefined where there is no such day. */
export function dateOf(year: number, month: number, day: number): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    return undefined;
  }
}

/** Whether the day or the month comes first differs between countries: only what can't be mistaken is read. */
function numericDate(text: string): Token | undefined {
  const [first = 0, second = 0, year = 0] = text.split(/[./-]/).map(Number);
  if (first <= 12 && second <= 12 && first !== second) return undefined;
  return dateToken(second > 12 ? dateOf(year, first, second) : dateOf(year, second, first));
}
