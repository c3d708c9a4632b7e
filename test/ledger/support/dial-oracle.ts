import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";

/*
 * A second reading of dialing policy, from the words of a spec and clocks on the wall alone: it judges a log of dials.
 * It shares nothing with the gate, the window or the ledger, and is slow and plain.
 */

const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
const HALF_HOUR_MS = 30 * MINUTE_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Person {
  phone: string;
  country: string | undefined;
  /** As specs name it; undefined: a number like most. */
  costly: "premium_rate" | undefined;
  zones: readonly string[];
  /** When they gave each brand their consent, in writing and for good; undefined: they did not. */
  consentedAtMs: number | undefined;
  /** Countries, and states as `US-FL`, that they may be in. */
  places: readonly string[];
  /** Who is worth more is called before others, where a campaign says so. */
  worth: number;
}

export interface Blackout {
  brand: string | undefined;
  from: string;
  to: string;
}

/** A list of numbers not to be dialed, of a brand or of every one, as it was last renewed. */
export interface NumberList {
  brand: string | undefined;
  maxAgeMs: number | undefined;
  /** Undefined: it has not come yet. */
  renewedAtMs: number | undefined;
  phones: ReadonlySet<string>;
}

/** Somebody's word, or their taking it back, in the order in which it was written down. */
export interface Said {
  brand: string;
  phone: string;
  /** Undefined: they took it back. */
  basis: "express" | "express_written" | "legitimate_interest" | undefined;
  atMs: number;
  untilMs: number;
}

/** What was in force at a moment. */
export interface Rules {
  spec: CampaignSpecInput;
  /** Under which its people were taken: what was kept of where they are. */
  taken: CampaignSpecInput;
  lists: readonly NumberList[];
  said: readonly Said[];
  blackouts: readonly Blackout[];
  suppressed: ReadonlySet<string>;
  paused: boolean;
  cancelled: boolean;
  /** From the campaign. */
  withdrawn: ReadonlySet<string>;
  calledUs: readonly { phone: string; atMs: number }[];
  /** When calls that were placed one by one are to be made, and callbacks were asked for, by contact. */
  placed: ReadonlyMap<number, { dueMs: number; askedMs: number | undefined }>;
  /** When everybody was taken. */
  beganMs: number;
  /** Contacts whose person has left a sequence, or rests in it. */
  kept: ReadonlySet<number>;
  /** No phone rings: nothing but the spec says how soon somebody is called again. */
  isSimulated: boolean;
}

/** A spec is in force, and nothing else. */
export function rulesUnder(spec: CampaignSpecInput): Rules {
  return {
    spec,
    taken: spec,
    lists: [],
    said: [],
    blackouts: [],
    suppressed: new Set(),
    paused: false,
    cancelled: false,
    withdrawn: new Set(),
    calledUs: [],
    placed: new Map(),
    beganMs: 0,
    kept: new Set(),
    isSimulated: true,
  };
}

export interface Dial {
  campaign: string;
  /** Of a callback: the campaign whose it is. */
  parent: string | undefined;
  brand: string;
  /** One person may be several. */
  contact: number;
  person: Person;
  /** The number of ours that they see. */
  from: string;
  variant: string | undefined;
  batch: string;
  atMs: number;
  /** When it rang, as the platform tells. */
  startMs: number;
  endMs: number;
  disposition: Disposition;
  /** It was told to the platform with its batch, and began later: what was decided at its batch's start binds it no more. */
  isLate: boolean;
  rules: Rules;
  /** What was in force when it was written what it came to; absent: that was not yet. */
  settledUnder?: Rules;
}

/** Where phones ring, this lies between any two calls to a number of one brand, whatever a spec says. */
const LEAST_GAP_MS = MINUTE_MS;

/** Under which rules callbacks of a campaign are made: whoever asked for one is not left out for having been called. */
export function ofCallbacks(spec: CampaignSpecInput): CampaignSpecInput {
  const { not_called_within: _within, frequency, contact_priority: _priority, order: _order, ...rest } = spec;
  const { canary: _canary, breaker: _breaker, ...policy } = rest;
  const caps = frequency?.filter(({ attempts }) => attempts !== undefined);
  return {
    ...policy,
    concurrency: Math.ceil(spec.concurrency / 10),
    ...(caps && caps.length > 0 && { frequency: caps.map((cap) => ({ ...cap, at_cap: "wait" as const })) }),
  };
}

/** Days on which people are at home, as calendars there print them; with an hour, from then on. */
const HOLIDAYS: Readonly<Record<string, { zones: readonly string[]; days: readonly [string, string?][] }>> = {
  US: {
    zones: ["America/New_York", "America/Los_Angeles"],
    days: [["2026-11-11"], ["2026-11-26"], ["2026-12-25"], ["2027-01-01"], ["2027-01-18"]],
  },
  "DE-BY": {
    zones: ["Europe/Berlin"],
    days: [
      ["2026-11-01"],
      ["2026-12-24", "14:00"],
      ["2026-12-25"],
      ["2026-12-26"],
      ["2026-12-31", "14:00"],
      ["2027-01-01"],
      ["2027-01-06"],
    ],
  },
};

/** What laws say of places, as somebody reads them aloud: by whom, on which days and at which hours nobody is called. */
interface Law {
  preset: string;
  /** By the zones in which people of the place may be. */
  hours: { weekdays?: readonly string[]; saturday?: readonly string[]; sunday?: readonly string[] };
  holidays?: readonly [string, string?][];
  /** So many calls of the brand, in so many hours. */
  calls?: { most: number; hours: number };
}

const everyDay = (...ranges: string[]) => ({ weekdays: ranges, saturday: ranges, sunday: ranges });
const FEDERAL: Law = { preset: "us-states", hours: everyDay("08:00-21:00") };
const US_DAYS = HOLIDAYS["US"]?.days ?? [];
const GERMAN_DAYS: readonly [string, string?][] = [
  ["2026-10-31"],
  ["2026-11-01"],
  ["2026-11-18"],
  ["2026-12-24", "14:00"],
  ["2026-12-25"],
  ["2026-12-26"],
  ["2026-12-31", "14:00"],
  ["2027-01-01"],
  ["2027-01-06"],
];
const BRITISH_DAYS: readonly [string, string?][] = [
  ["2026-12-25"],
  ["2026-12-26"],
  ["2026-12-28"],
  ["2027-01-01"],
];

const LAWS: Readonly<Record<string, readonly Law[]>> = {
  "US-NY": [FEDERAL],
  "US-DC": [FEDERAL],
  "US-CA": [FEDERAL, { preset: "us-states", hours: everyDay("09:00-21:00") }],
  "US-FL": [FEDERAL, { preset: "us-states", hours: everyDay("08:00-20:00"), calls: { most: 3, hours: 24 } }],
  "US-LA": [
    FEDERAL,
    {
      preset: "us-states",
      hours: { weekdays: ["08:00-20:00"], saturday: ["08:00-20:00"] },
      holidays: [["2026-11-03"], ...US_DAYS],
    },
  ],
  DE: [
    { preset: "de", hours: { weekdays: ["09:00-20:00"], saturday: ["10:00-16:00"] }, holidays: GERMAN_DAYS },
  ],
  GB: [
    {
      preset: "uk",
      hours: { weekdays: ["08:00-21:00"], saturday: ["09:00-21:00"], sunday: ["09:00-21:00"] },
      holidays: [["2026-11-30"], ...BRITISH_DAYS],
    },
  ],
};

/** Of whoever no law that is named speaks of. */
const CAREFUL: Omit<Law, "preset" | "holidays"> = {
  hours: { weekdays: ["09:00-18:00"] },
  calls: { most: 2, hours: 24 },
};
const CAREFUL_DAYS: Readonly<Record<string, readonly [string, string?][]>> = {
  US: US_DAYS,
  DE: [["2026-12-24", "14:00"], ["2026-12-25"], ["2026-12-26"], ["2026-12-31", "14:00"], ["2027-01-01"]],
  GB: BRITISH_DAYS,
};

/** The laws that a spec names. */
function lawsNamed({ presets, window }: CampaignSpecInput): readonly (string | undefined)[] {
  return (presets ?? (window === undefined ? ["careful"] : [])).map((name) => name.split("@")[0]);
}

/** Whether what was kept of people's places tells which laws are theirs; otherwise those of more places hold. */
function isPlaced({ spec, taken }: Rules): boolean {
  const kept = lawsNamed(taken);
  return lawsNamed(spec).includes("us-states") ? kept.includes("us-states") : kept.length > 0;
}

/** Whether more laws hold for its people than somebody knows who looks at them alone. */
export function isStricterThanSaid(rules: Rules): boolean {
  return lawsNamed(rules.spec).length > 0 && !isPlaced(rules);
}

/** The laws that a spec keeps for somebody; none where it names no preset. */
function lawsFor({ places }: Person, spec: CampaignSpecInput): readonly Omit<Law, "preset">[] {
  const named = lawsNamed(spec);
  if (named.length === 0) return [];
  return places.flatMap((place): readonly Omit<Law, "preset">[] => {
    const country = place.slice(0, 2);
    const speaks = country === "US" ? "us-states" : country === "GB" ? "uk" : country.toLowerCase();
    if (named.includes(speaks)) return LAWS[place] ?? [];
    return [{ ...CAREFUL, holidays: CAREFUL_DAYS[country] ?? [] }];
  });
}

/** Whether a law that is named asks for their consent: all of them do but the careful one. */
function needsConsentByLaw({ places }: Person, { presets = [] }: CampaignSpecInput): boolean {
  const named = new Set(presets.map((name) => name.split("@")[0]));
  return places.some((place) => {
    const country = place.slice(0, 2);
    return named.has(country === "US" ? "us-states" : country === "GB" ? "uk" : country.toLowerCase());
  });
}

function closedByLaw(
  zone: string,
  atMs: number,
  { hours, holidays = [] }: Omit<Law, "preset">,
): string | undefined {
  const { date, day, time } = wallOf(zone, atMs);
  for (const [holiday, from = "00:00"] of holidays)
    if (holiday === date && time >= from) return `${date} is a holiday by law, at ${time} in ${zone}`;
  const ranges =
    (day === "saturday" ? hours.saturday : day === "sunday" ? hours.sunday : hours.weekdays) ?? [];
  const isOpen = ranges.some((range) => {
    const [from = "", to = ""] = range.split("-");
    return from <= time && time < to;
  });
  return isOpen ? undefined : `the law says no on ${day}, ${time}, in ${zone}`;
}

const WALLS = new Map<string, Intl.DateTimeFormat>();

interface Wall {
  date: string;
  day: string;
  time: string;
}

/** What they showed, by zone and half hour: reading one takes longer than all else that is looked at. */
const SHOWN = new Map<string, Map<number, Wall>>();

/** In zones of whole and half hours, whose clocks change on the hour, minutes go on alike within a half hour. */
export function wallOf(zone: string, atMs: number): Wall {
  const halfHour = Math.floor(atMs / HALF_HOUR_MS);
  let shown = SHOWN.get(zone);
  if (shown === undefined) SHOWN.set(zone, (shown = new Map<number, Wall>()));
  let wall = shown.get(halfHour);
  if (wall === undefined) shown.set(halfHour, (wall = lookAtWall(zone, halfHour * HALF_HOUR_MS)));
  const past = Math.floor((atMs % HALF_HOUR_MS) / MINUTE_MS);
  if (past === 0) return wall;
  const { date, day, time } = wall;
  const minute = Number(time.slice(3)) + past;
  return { date, day, time: `${time.slice(0, 3)}${minute < 10 ? "0" : ""}${minute}` };
}

/** What a clock and a calendar on the wall show: "2026-11-26", "thursday", "09:30". */
function lookAtWall(zone: string, atMs: number): Wall {
  let format = WALLS.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      weekday: "long",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    WALLS.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const { year = "", month = "", day = "", weekday = "", hour = "", minute = "" } = parts;
  return { date: `${year}-${month}-${day}`, day: weekday.toLowerCase(), time: `${hour}:${minute}` };
}

/** Why nobody may be called in a zone at a moment; undefined where somebody may. */
function closedIn(zone: string, atMs: number, rules: Rules): string | undefined {
  const { spec, blackouts } = rules;
  const { date, day, time } = wallOf(zone, atMs);
  const isWithin = (ranges: readonly string[]) =>
    ranges.some((range) => {
      const [from = "", to = ""] = range.split("-");
      return from <= time && time < to;
    });
  for (const blackout of blackouts) {
    if (blackout.brand !== undefined && blackout.brand !== (spec.brand ?? "default")) continue;
    if (blackout.from <= date && date <= blackout.to) return `${date} is blacked out in ${zone}`;
  }
  for (const { date: from, to = from, hours = [] } of spec.exceptions ?? []) {
    if (from <= date && date <= to)
      return isWithin(hours) ? undefined : `${date} is an exception in ${zone}, at ${time}`;
  }
  for (const place of spec.holidays ?? []) {
    const known = HOLIDAYS[place];
    if (!known?.zones.includes(zone)) continue;
    for (const [holiday, from = "00:00"] of known.days)
      if (holiday === date && time >= from) return `${date} is a holiday of ${place}, at ${time}`;
  }
  return isWithin(usualHours(spec, day)) ? undefined : `it is ${day}, ${time}, in ${zone}`;
}

/** A Monday to Friday that no holiday or exception closes as a whole, or a day of which an exception names hours. */
export function isBusinessDay(
  zone: string,
  atMs: number,
  { exceptions = [], holidays = [] }: Pick<CampaignSpecInput, "exceptions" | "holidays">,
): boolean {
  const { date, day } = wallOf(zone, atMs);
  const exception = exceptions.find(({ date: from, to = from }) => from <= date && date <= to);
  if (exception) return (exception.hours ?? []).length > 0;
  const isHoliday = holidays.some((place) => {
    const known = HOLIDAYS[place];
    return (
      known?.zones.includes(zone) &&
      known.days.some(([holiday, from]) => holiday === date && from === undefined)
    );
  });
  return !isHoliday && day !== "saturday" && day !== "sunday";
}

function usualHours({ window = { weekdays: ["09:00-18:00"] } }: CampaignSpecInput, day: string) {
  if (window === "always") return ["00:00-24:00"];
  const days: Readonly<Record<string, readonly string[] | undefined>> = window;
  return days[day] ?? days[day === "saturday" || day === "sunday" ? "weekend" : "weekdays"] ?? [];
}

const DURATIONS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** As specs write it, in milliseconds. */
export function durationMs(text: string): number {
  const [, count = "", unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return Number(count) * (DURATIONS[unit] ?? Number.NaN);
}

/** Whether the last words of somebody let a brand call them, by a reading line by line. */
function isWelcome(
  { require, max_age: maxAge }: NonNullable<CampaignSpecInput["consent"]>,
  said: readonly Said[],
  { brand, phone, atMs }: { brand: string; phone: string; atMs: number },
): boolean {
  const own = said.filter((one) => one.brand === brand && one.phone === phone && one.atMs <= atMs);
  return own.some((one, index) => {
    if (one.basis === undefined) return false;
    if (own.some((other) => other.basis === undefined && other.atMs >= one.atMs)) return false;
    if (own.slice(index + 1).some((other) => other.basis === one.basis && other.atMs === one.atMs))
      return false;
    if (require === "express_written" && one.basis !== "express_written") return false;
    if (require === "express" && one.basis === "legitimate_interest") return false;
    return atMs < one.untilMs && (maxAge === undefined || atMs < one.atMs + durationMs(maxAge));
  });
}

/** Nobody was spoken with. */
const UNSPOKEN: ReadonlySet<string> = new Set(["no_answer", "busy", "voicemail", "failed", "invalid_number"]);

type Delays = NonNullable<NonNullable<CampaignSpecInput["retry"]>["delays"]>;
type Wait = string | { after: string; at: "next_window" | "other_part_of_day" };

/** What somebody waits for after the last of these calls; undefined where they are not called again. */
function waitOf(delays: Delays, own: readonly Dial[]): Wait | undefined {
  const { disposition } = own.at(-1) ?? {};
  const times = own.filter((dial) => dial.disposition === disposition).length;
  const said = Object.entries(delays).find(([key]) => key === disposition)?.[1];
  if (said === undefined || typeof said === "string" || "after" in said) return said;
  if (Array.isArray(said)) return said[times - 1] ?? said.at(-1);
  let ms = durationMs(said.first);
  for (let time = 1; time < times; time += 1) ms = Math.min(ms * said.factor, durationMs(said.at_most));
  return `${ms / SECOND_MS}s`;
}

/** How long they wait at least, by the words alone. */
function saidDelayMs(delays: Delays, own: readonly Dial[]): number | undefined {
  const wait = waitOf(delays, own);
  if (wait === undefined || wait === "next_window") return undefined;
  return durationMs(typeof wait === "string" ? wait : wait.after);
}

/** All hours that are drawn, and all parts of a day, begin and end on the half hour, in zones of whole hours. */
const nextHalfHour = (atMs: number) => (Math.floor(atMs / HALF_HOUR_MS) + 1) * HALF_HOUR_MS;

/** Up to a moment, itself included. */
function halfHours(fromMs: number, untilMs: number): number[] {
  const count = Math.floor((untilMs - fromMs) / HALF_HOUR_MS) + 1;
  return Array.from({ length: count }, (_, index) => fromMs + index * HALF_HOUR_MS);
}

/** As a clock on the wall has it. */
function partIn(zone: string, atMs: number): string {
  const { time } = wallOf(zone, atMs);
  if (time < "08:00" || time >= "21:00") return "night";
  if (time < "11:00") return "morning";
  if (time < "14:00") return "midday";
  return time < "17:00" ? "afternoon" : "evening";
}

/** Farther ahead than any days off of these lives. */
const FAR_MS = 40 * DAY_MS;

/**
 * When somebody is to be called again at the earliest, by what was in force when their last call was over. Undefined
 * where that is not known, or nobody would be.
 */
function dueAgainMs(own: readonly Dial[]): number | undefined {
  const last = own.at(-1);
  const rules = last?.settledUnder;
  if (last === undefined || rules === undefined) return undefined;
  const wait = waitOf(rules.spec.retry?.delays ?? {}, own);
  if (wait === undefined) return undefined;
  if (typeof wait === "string" && wait !== "next_window") return last.endMs + durationMs(wait);
  const earliestMs = last.endMs + (typeof wait === "string" ? 0 : durationMs(wait.after));
  const { zones } = last.person;
  const laws = lawsFor(last.person, rules.spec);
  if (laws.length > 0 && !isPlaced(rules)) return undefined;
  const isOpen = (atMs: number) =>
    zones.every(
      (zone) =>
        closedIn(zone, atMs, rules) === undefined &&
        laws.every((law) => closedByLaw(zone, atMs, law) === undefined),
    );
  const isNextWindow = typeof wait === "string" || wait.at === "next_window";
  if (isNextWindow) {
    const first = earliestMs % HALF_HOUR_MS === 0 ? earliestMs : nextHalfHour(earliestMs);
    const closes = [earliestMs, ...halfHours(first, earliestMs + DAY_MS)].some((atMs) => !isOpen(atMs));
    if (!closes) return earliestMs + DAY_MS;
    for (let atMs = first; atMs < earliestMs + FAR_MS; atMs += HALF_HOUR_MS)
      if (isOpen(atMs) && !isOpen(atMs - 1)) return atMs;
    return undefined;
  }
  const partsAt = (atMs: number) => zones.map((zone) => partIn(zone, atMs));
  const isLong = (atMs: number) => {
    const parts = partsAt(atMs).join();
    let endMs = nextHalfHour(atMs);
    while (endMs - atMs < HOUR_MS && isOpen(endMs) && partsAt(endMs).join() === parts) endMs += HALF_HOUR_MS;
    return endMs - atMs >= 10 * MINUTE_MS;
  };
  const unlike = (atMs: number, calls: readonly Dial[]) =>
    zones.every((zone) => calls.every((call) => partIn(zone, call.startMs) !== partIn(zone, atMs)));
  const days = new Set<string>();
  let firstOpenMs: number | undefined;
  let fallbackMs: number | undefined;
  for (let atMs = earliestMs; atMs < earliestMs + FAR_MS; atMs = nextHalfHour(atMs)) {
    if (!isOpen(atMs)) continue;
    firstOpenMs ??= atMs;
    if (fallbackMs !== undefined && atMs >= firstOpenMs + 7 * DAY_MS) break;
    days.add(wallOf(zones[0] ?? "UTC", atMs).date);
    if (days.size > 7) break;
    if (partsAt(atMs).includes("night") || !isLong(atMs)) continue;
    if (unlike(atMs, own)) return atMs;
    if (unlike(atMs, [last])) fallbackMs ??= atMs;
  }
  return fallbackMs ?? earliestMs;
}

/** When somebody called us last, since they were taken or asked for this call. */
function lastCallToUs(
  { calledUs, beganMs }: Rules,
  { phone }: Person,
  askedMs: number | undefined,
): number | undefined {
  const sinceMs = askedMs ?? beganMs;
  return calledUs.findLast((one) => one.phone === phone && one.atMs >= sinceMs)?.atMs;
}

/** What speaks against a dial, given all that were made before it. */
export function objectionsTo(dial: Dial, before: readonly Dial[]): string[] {
  const { atMs, person, rules, brand, campaign, contact } = dial;
  const { spec } = rules;
  const found: string[] = [];
  for (const zone of person.zones) {
    const closed = closedIn(zone, atMs, rules);
    if (closed !== undefined) found.push(closed);
    for (const law of lawsFor(person, spec)) {
      const unlawful = closedByLaw(zone, atMs, law);
      if (unlawful !== undefined) found.push(unlawful);
    }
  }
  if (rules.suppressed.has(person.phone)) found.push("the number is suppressed");
  if (rules.withdrawn.has(person.phone)) found.push("they were withdrawn");
  for (const list of rules.lists) {
    if (list.brand !== undefined && list.brand !== brand) continue;
    if (list.phones.has(person.phone)) found.push("the number is on a list");
    if (list.maxAgeMs === undefined) continue;
    if (list.renewedAtMs === undefined || atMs >= list.renewedAtMs + list.maxAgeMs)
      found.push(
        `a list of ${list.renewedAtMs === undefined ? "never" : atMs - list.renewedAtMs} is too old`,
      );
  }
  if (spec.consent && !isWelcome(spec.consent, rules.said, { brand, phone: person.phone, atMs }))
    found.push("there is no consent");
  const said = { brand, phone: person.phone, atMs };
  if (needsConsentByLaw(person, spec) && !isWelcome({ require: "express" }, rules.said, said))
    found.push("there is no consent, which the law asks for");
  if (rules.paused) found.push("the campaign is paused");
  if (rules.cancelled) found.push("the campaign was cancelled");
  if (spec.ends_at !== undefined && atMs >= Date.parse(spec.ends_at)) found.push("the campaign has ended");
  const toNumber = before.filter((other) => other.person.phone === person.phone);
  if (toNumber.some(({ endMs }) => endMs > atMs)) found.push("another call is up");
  if (dial.isLate) return found;

  const { countries, kinds = [] } = spec.numbers ?? {};
  if (person.costly !== undefined && !kinds.includes(person.costly)) found.push("the number costs much");
  if (countries !== undefined && !countries.includes(person.country ?? ""))
    found.push(`the number is of ${person.country ?? "no country"}`);
  if (rules.kept.has(contact)) found.push("they have left their sequence, or rest in it");
  const sinceEnd = (other: Dial) => atMs - other.endMs;
  const { dueMs: placedForMs = 0, askedMs } = rules.placed.get(contact) ?? {};
  if (atMs < placedForMs) found.push(`it was to be made at ${new Date(placedForMs).toISOString()}`);
  const calledUsMs = lastCallToUs(rules, person, askedMs);
  if (calledUsMs !== undefined && spec.inbound === "close") found.push("they have called us");
  if (calledUsMs !== undefined && typeof spec.inbound === "object")
    if (atMs < calledUsMs + durationMs(spec.inbound.reschedule)) found.push("they have called us lately");
  const own = toNumber.filter((other) => other.contact === contact);
  const ofBrand = toNumber.filter((other) => other.brand === brand);
  const { max_attempts: most = 1, delays = {}, max_per_disposition: each = {} } = spec.retry ?? {};
  if (own.length >= most) found.push(`${own.length} attempts were made`);
  const last = own.at(-1);
  if (last !== undefined) {
    const caps: Readonly<Record<string, number | undefined>> = each;
    const alike = own.filter(({ disposition }) => disposition === last.disposition).length;
    if (alike >= (caps[last.disposition] ?? Number.POSITIVE_INFINITY))
      found.push(`${alike} came to ${last.disposition}`);
  }
  const dueMs = dueAgainMs(own);
  if (dueMs !== undefined && atMs < dueMs)
    found.push(`it is to be called again at ${new Date(dueMs).toISOString()}, not before`);
  const gapMs = durationMs(spec.least_gap ?? "5m");
  for (const other of ofBrand) {
    const isOwn = other.contact === contact;
    // What was between the calls before was judged when these were made.
    if (isOwn && other !== last) continue;
    const saidMs = isOwn ? saidDelayMs(delays, own) : undefined;
    const leastMs = rules.isSimulated ? 0 : LEAST_GAP_MS;
    const neededMs = Math.max(leastMs, Math.min(gapMs, saidMs ?? gapMs));
    if (sinceEnd(other) < neededMs) found.push(`a call ended ${sinceEnd(other) / MINUTE_MS} minutes ago`);
  }
  for (const { calls } of lawsFor(person, spec)) {
    if (calls === undefined) continue;
    const counted = ofBrand.filter((other) => sinceEnd(other) < calls.hours * HOUR_MS).length;
    if (counted >= calls.most) found.push(`${counted} calls within ${calls.hours} hours, by law`);
  }
  const within = spec.not_called_within;
  if (within !== undefined) {
    for (const other of ofBrand)
      if (other.campaign !== campaign && other.parent !== campaign && sinceEnd(other) < durationMs(within))
        found.push(`called within ${within}`);
  }
  for (const cap of spec.frequency ?? []) {
    const counted = (cap.across === "everything" ? toNumber : ofBrand).filter(
      (other) =>
        sinceEnd(other) < durationMs(cap.within) &&
        (cap.attempts !== undefined || !UNSPOKEN.has(other.disposition)),
    );
    const atMost = cap.attempts ?? cap.conversations ?? 0;
    if (counted.length >= atMost)
      found.push(`${counted.length} calls within ${cap.within} where ${atMost} may be`);
  }
  return found;
}

/** Why somebody may have been left out, by every spec that their campaign had. */
export function mayBeLeftOut(
  reason: string,
  person: Person,
  specs: readonly CampaignSpecInput[],
  {
    own,
    wasSuppressed,
    wasWithdrawn,
    wasCancelled,
    hasCalledUs,
    isAlwaysWelcome,
  }: {
    own: readonly Dial[];
    wasSuppressed: boolean;
    wasWithdrawn: boolean;
    wasCancelled: boolean;
    hasCalledUs: boolean;
    isAlwaysWelcome: boolean;
  },
): boolean {
  const some = (test: (spec: CampaignSpecInput) => boolean) => specs.some(test);
  switch (reason) {
    case "suppressed":
      return wasSuppressed;
    case "withdrawn":
      return wasWithdrawn;
    case "cancelled":
      return wasCancelled;
    case "called_back":
      return hasCalledUs && some((spec) => spec.inbound === "close");
    case "no_consent":
      return (
        !isAlwaysWelcome && some((spec) => spec.consent !== undefined || needsConsentByLaw(person, spec))
      );
    case "consent_expired":
      return some(
        (spec) =>
          (spec.consent !== undefined && (!isAlwaysWelcome || spec.consent.max_age !== undefined)) ||
          (!isAlwaysWelcome && needsConsentByLaw(person, spec)),
      );
    case "max_attempts":
      return some((spec) => own.length >= (spec.retry?.max_attempts ?? 1));
    case "max_per_disposition":
      return own.length > 0 && some((spec) => spec.retry?.max_per_disposition !== undefined);
    case "number_not_allowed":
      return some(({ numbers: { countries, kinds = [] } = {} }) =>
        person.costly !== undefined && !kinds.includes(person.costly)
          ? true
          : countries !== undefined && !countries.includes(person.country ?? ""),
      );
    case "called_lately":
      return some((spec) => spec.not_called_within !== undefined);
    case "called_often":
      return some((spec) => (spec.frequency ?? []).some((cap) => cap.at_cap === "end"));
    case "after_end":
    case "campaign_ended":
      return some((spec) => spec.ends_at !== undefined);
    case "no_common_window":
      return some((spec) => !opensInAWeek(spec, person));
    default:
      return false;
  }
}

/**
 * Whether the usual hours share a moment in any week that clocks do not change in. Whoever was taken before presets were
 * named may be under the laws of every state: of those that say anything here, from ten to five on weekdays.
 */
function opensInAWeek(spec: CampaignSpecInput, person: Person): boolean {
  const { exceptions: _exceptions, holidays: _holidays, ...usual } = spec;
  const rules = rulesUnder(usual);
  const laws = lawsFor(person, spec).map(({ hours }) => ({ hours }));
  const all = laws.length === 0 ? [] : [...laws, { hours: { weekdays: ["10:00-17:00"] } }];
  const fromMs = Date.UTC(2026, 10, 9);
  for (let atMs = fromMs; atMs < fromMs + 7 * DAY_MS; atMs += 30 * MINUTE_MS) {
    const isOpen = person.zones.every(
      (zone) =>
        closedIn(zone, atMs, rules) === undefined &&
        all.every((law) => closedByLaw(zone, atMs, law) === undefined),
    );
    if (isOpen) return true;
  }
  return false;
}
