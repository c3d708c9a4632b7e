/** Numbers, money and times as the browser's locale has them. */

/** Empty where there is no browser, as in tests: that of the machine. */
const LOCALE = (globalThis as { navigator?: { languages: readonly string[] } }).navigator?.languages ?? [];

const WHOLE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const SHARE = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });
const MONEY = new Intl.NumberFormat(LOCALE, { style: "currency", currency: "USD" });
const SMALL_MONEY = new Intl.NumberFormat(LOCALE, {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 4,
});
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });

/** The zone of whoever looks at the page. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function count(of: number): string {
  return WHOLE.format(of);
}

/** So many of something: its word as it is for one, and for several. */
export function counted(of: number, one: string, several = `${one}s`): string {
  return `${count(of)} ${of === 1 ? one : several}`;
}

const RATE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });

/** So many in a unit of time, with a tenth. */
export function rate(of: number): string {
  return RATE.format(of);
}

/** Nothing where there is nothing to divide by. */
export function share(part: number, whole: number): string {
  return whole > 0 ? SHARE.format(part / whole) : "–";
}

/** Cents, and more of it only where cents say nothing: what cost something is not shown as nothing. */
export function money(usd: number): string {
  const isSmall = usd !== 0 && Math.abs(usd) < 0.01;
  return (isSmall ? SMALL_MONEY : MONEY).format(usd);
}

const MOMENTS = new Map<string, Intl.DateTimeFormat>();

/** A moment in a zone, with the zone's name at that moment. */
export function moment(at: string | number | Date, zone: string = OWN_ZONE): string {
  const kept = MOMENTS.get(zone);
  const format =
    kept ??
    new Intl.DateTimeFormat(LOCALE, {
      timeZone: zone,
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "short",
    });
  if (!kept) MOMENTS.set(zone, format);
  return format.format(new Date(at));
}

const DATE = new Intl.DateTimeFormat(LOCALE, {
  timeZone: "UTC",
  year: "numeric",
  month: "short",
  day: "numeric",
});

/** A calendar day, wherever it is: `2026-03-02`. */
export function date(day: string): string {
  return DATE.format(new Date(`${day}T00:00:00Z`));
}

const CLOCK = new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit" });

/** The hour and minute of a moment near now, by the clock of the browser. */
export function clock(at: string | number): string {
  return CLOCK.format(new Date(at));
}

const CLOCKS = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError where the browser does not know the zone */
export function clockIn(at: string | number, zone: string): string {
  const kept = CLOCKS.get(zone);
  const format =
    kept ?? new Intl.DateTimeFormat(LOCALE, { timeZone: zone, hour: "2-digit", minute: "2-digit" });
  if (!kept) CLOCKS.set(zone, format);
  return format.format(new Date(at));
}

/** Hour and minute of a local time as the server has it: `2026-03-02T10:04:05-05:00`. */
export function wallClock(local: string): string {
  return clockIn(`${local.slice(0, 16)}Z`, "UTC");
}

const WALL = new Intl.DateTimeFormat(LOCALE, {
  timeZone: "UTC",
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** A local time as the server has it, by its own zone data: `2026-03-02T10:04:05-05:00`. */
export function wallTime(local: string): string {
  const [, wall, offset = ""] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[^+Z-]*(.*)$/.exec(local) ?? [];
  return wall === undefined ? local : `${WALL.format(new Date(`${wall}Z`))} ${offset}`.trim();
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** How long ago, or until then: "in 5 minutes". */
export function ago(at: string | number | Date, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1_000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return RELATIVE.format(Math.trunc(seconds / size), unit);
}

/** Seconds as 1:05 or 2:10:00. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60];
  const tail = String(rest).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** `no_answer` as people write it. */
export function term(word: string): string {
  return word.replaceAll("_", " ");
}
