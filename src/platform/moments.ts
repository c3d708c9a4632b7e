import { parseHttpDate } from "./http-date.ts";

/*
 * The platform's times, whatever they are written like. Nothing else may read them: `Date.parse` takes a time without
 * a zone for the machine's own, and almost any text with a number in it for a time.
 *
 * M1 A time without a zone is UTC, on every machine the same.
 * M2 ISO 8601 with `T` or a space between date and time, any number of decimals, an offset or `UTC`; a date alone is
 *    its midnight; an HTTP date; seconds or milliseconds since 1970, as a number or as a text.
 * M3 A time that can't be, or that nobody who lives could mean, is no time: what it stands for is then not known. It
 *    is never a reason to refuse the record that it stands in.
 */

/** No platform of calls to agents is older; zero times (year 1, 1970) are before it. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);

/** Keys expire within two years; what is said of later is a mistake, or a word for "never". */
const LATEST_MS = Date.UTC(2100, 0, 1);

const NUMBER = /^\d{9,13}(?:\.\d+)?$/;

const WRITTEN =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?)?(?: ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?$/i;

/** Longer than any of these is no time, and is not looked through. */
const LONGEST_TEXT = 64;

/** A time of the platform as Unix milliseconds, a whole number; undefined where it is none. Never throws. */
export function momentOf(value: string | number | null | undefined): number | undefined {
  if (typeof value === "number") return ofNumber(value);
  if (typeof value !== "string" || value.length > LONGEST_TEXT) return undefined;
  const text = value.trim();
  return within(NUMBER.test(text) ? ofNumber(Number(text)) : (ofText(text) ?? parseHttpDate(text)));
}

/** Seconds and milliseconds of the years that can be meant are far apart. */
function ofNumber(value: number): number | undefined {
  return within(value * 1_000) ?? within(value);
}

function within(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= EARLIEST_MS && ms < LATEST_MS ? Math.round(ms) : undefined;
}

function ofText(text: string): number | undefined {
  const [whole, year, month, day, hour = "0", minute = "0", second = "0", decimals = "0", zone = "Z"] =
    WRITTEN.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // The 31st of a month that has 30 days would be the first of the next.
  if (new Date(dayMs).toISOString().slice(0, 10) !== `${year}-${month}-${day}`) return undefined;
  // 23:59:60 is a leap second, and 24:00:00 the end of a day.
  if (Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  if (seconds > 86_400) return undefined;
  const offset = offsetMinutes(zone);
  if (offset === undefined) return undefined;
  return dayMs + seconds * 1_000 + Math.floor(Number(`0.${decimals}`) * 1_000) - offset * 60_000;
}

/** No zone of the world is further from UTC. */
const FURTHEST_MINUTES = 15 * 60;

function offsetMinutes(zone: string): number | undefined {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (hours === undefined) return 0;
  const total = Number(hours) * 60 + Number(minutes);
  if (Number(minutes) > 59 || total > FURTHEST_MINUTES) return undefined;
  return sign === "-" ? -total : total;
}
