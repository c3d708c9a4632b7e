import { zoneData } from "../domain/time/zone-data.ts";
import type { Zone } from "../domain/time/zone.ts";

/**
 * Names that IANA gave up, by the one that stands for them today, and other names of the same clock. Zones that merely
 * share their rules are not among them: Amsterdam is not Brussels.
 */
const formerNames: Readonly<Record<string, string>> = {
  "Africa/Asmara": "Africa/Asmera",
  "Africa/Bamako": "Africa/Timbuktu",
  "Africa/Cairo": "Egypt",
  "Africa/Tripoli": "Libya",
  "America/Adak": "America/Atka US/Aleutian",
  "America/Anchorage": "US/Alaska",
  "America/Argentina/Buenos_Aires": "America/Buenos_Aires",
  "America/Argentina/Catamarca": "America/Argentina/ComodRivadavia America/Catamarca",
  "America/Argentina/Cordoba": "America/Cordoba America/Rosario",
  "America/Argentina/Jujuy": "America/Jujuy",
  "America/Argentina/Mendoza": "America/Mendoza",
  "America/Atikokan": "America/Coral_Harbour",
  "America/Chicago": "CST6CDT US/Central",
  "America/Denver": "America/Shiprock MST7MDT Navajo US/Mountain",
  "America/Detroit": "US/Michigan",
  "America/Edmonton": "America/Yellowknife Canada/Mountain",
  "America/Halifax": "Canada/Atlantic",
  "America/Indiana/Indianapolis": "America/Fort_Wayne America/Indianapolis US/East-Indiana",
  "America/Indiana/Knox": "America/Knox_IN US/Indiana-Starke",
  "America/Iqaluit": "America/Pangnirtung",
  "America/Jamaica": "Jamaica",
  "America/Kentucky/Louisville": "America/Louisville",
  "America/Los_Angeles": "PST8PDT US/Pacific US/Pacific-New",
  "America/Manaus": "Brazil/West",
  "America/Mazatlan": "Mexico/BajaSur",
  "America/Mexico_City": "Mexico/General",
  "America/New_York": "EST5EDT US/Eastern",
  "America/Noronha": "Brazil/DeNoronha",
  "America/Nuuk": "America/Godthab",
  "America/Phoenix": "US/Arizona",
  "America/Regina": "Canada/Saskatchewan",
  "America/Rio_Branco": "America/Porto_Acre Brazil/Acre",
  "America/Santiago": "Chile/Continental",
  "America/Sao_Paulo": "Brazil/East",
  "America/St_Johns": "Canada/Newfoundland",
  "America/St_Thomas": "America/Virgin",
  "America/Tijuana": "America/Ensenada America/Santa_Isabel Mexico/BajaNorte",
  "America/Toronto": "America/Montreal America/Nipigon America/Thunder_Bay Canada/Eastern",
  "America/Vancouver": "Canada/Pacific",
  "America/Whitehorse": "Canada/Yukon",
  "America/Winnipeg": "America/Rainy_River Canada/Central",
  "Antarctica/McMurdo": "Antarctica/South_Pole",
  "Arctic/Longyearbyen": "Atlantic/Jan_Mayen",
  "Asia/Ashgabat": "Asia/Ashkhabad",
  "Asia/Dhaka": "Asia/Dacca",
  "Asia/Ho_Chi_Minh": "Asia/Saigon",
  "Asia/Hong_Kong": "Hongkong",
  "Asia/Jerusalem": "Asia/Tel_Aviv Israel",
  "Asia/Kathmandu": "Asia/Katmandu",
  "Asia/Kolkata": "Asia/Calcutta",
  "Asia/Macau": "Asia/Macao",
  "Asia/Makassar": "Asia/Ujung_Pandang",
  "Asia/Nicosia": "Europe/Nicosia",
  "Asia/Shanghai": "Asia/Chongqing Asia/Chungking Asia/Harbin",
  "Asia/Singapore": "Singapore",
  "Asia/Thimphu": "Asia/Thimbu",
  "Asia/Tokyo": "Japan",
  "Asia/Ulaanbaatar": "Asia/Choibalsan Asia/Ulan_Bator",
  "Asia/Urumqi": "Asia/Kashgar",
  "Asia/Yangon": "Asia/Rangoon",
  "Atlantic/Faroe": "Atlantic/Faeroe",
  "Atlantic/Reykjavik": "Iceland",
  "Australia/Adelaide": "Australia/South",
  "Australia/Brisbane": "Australia/Queensland",
  "Australia/Broken_Hill": "Australia/Yancowinna",
  "Australia/Darwin": "Australia/North",
  "Australia/Hobart": "Australia/Currie Australia/Tasmania",
  "Australia/Lord_Howe": "Australia/LHI",
  "Australia/Melbourne": "Australia/Victoria",
  "Australia/Perth": "Australia/West",
  "Australia/Sydney": "Australia/ACT Australia/Canberra Australia/NSW",
  "Europe/Chisinau": "Europe/Tiraspol",
  "Europe/Istanbul": "Asia/Istanbul Turkey",
  "Europe/Kyiv": "Europe/Kiev Europe/Uzhgorod Europe/Zaporozhye",
  "Europe/Lisbon": "Portugal",
  "Europe/London": "Europe/Belfast GB-Eire",
  "Europe/Moscow": "W-SU",
  "Europe/Warsaw": "Poland",
  "Pacific/Chatham": "NZ-CHAT",
  "Pacific/Chuuk": "Pacific/Truk Pacific/Yap",
  "Pacific/Easter": "Chile/EasterIsland",
  "Pacific/Honolulu": "Pacific/Johnston US/Hawaii",
  "Pacific/Kanton": "Pacific/Enderbury",
  "Pacific/Kwajalein": "Kwajalein",
  "Pacific/Pago_Pago": "Pacific/Samoa US/Samoa",
  "Pacific/Pohnpei": "Pacific/Ponape",
  UTC: "Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich Etc/UCT Etc/UTC Etc/Universal Etc/Zulu GMT0 Greenwich Universal",
};

const presentNames: ReadonlyMap<string, string> = new Map(
  Object.entries(formerNames).flatMap(([present, former]) =>
    former.split(" ").map((name) => [name.toLowerCase(), present] as const),
  ),
);

export type ZoneNameResult =
  | { readonly ok: true; readonly zone: string }
  | { readonly ok: false; readonly reason: string };

const refuse = (reason: string): ZoneNameResult => ({ ok: false, reason });

const example = "give an IANA name such as America/New_York";
const zoneShape = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

function resolve(text: string): ZoneNameResult {
  if (/^(?:utc|gmt|z)?\s*[+-]\s*\d/i.test(text)) {
    return refuse(`An offset is not a time zone (it knows no daylight saving time): ${example}.`);
  }
  // "IST", "CST" and "BST" each mean several zones, and "EST" is Panama's to IANA: no daylight saving time,
  // so evening calls an hour late. "GMT" in a list of British numbers means London, with the same error.
  if (/^[A-Za-z]{1,4}$/.test(text) && text.toUpperCase() !== "UTC") {
    return refuse(`An abbreviation does not say which time zone is meant: ${example}.`);
  }
  const name = text.replace(/ /g, "_");
  if (!zoneShape.test(name)) return refuse(`It is not the name of a time zone: ${example}.`);
  const zone = presentName(name);
  return zone === undefined ? refuse(`There is no time zone of that name: ${example}.`) : { ok: true, zone };
}

function presentName(name: string): string | undefined {
  const data = zoneData();
  const spelling = data.spelling(name);
  const present = presentNames.get(name.toLowerCase());
  if (present === undefined) return spelling;
  // A place may go its own way again, as Yellowknife could when Alberta changed its clocks.
  return spelling === undefined || isSameClock(data.zone(name), data.zone(present))
    ? data.spelling(present)
    : spelling;
}

/** Nobody is called before, and what is law in 2050 nobody knows. */
const since = Date.UTC(2024, 0, 1);
const until = Date.UTC(2050, 0, 1);

function isSameClock(one: Zone, other: Zone): boolean {
  const [changes, others] = [one.changes(since, until), other.changes(since, until)];
  return (
    one.offsetMs(since) === other.offsetMs(since) &&
    changes.length === others.length &&
    changes.every(({ atMs, byMs }, n) => atMs === others[n]?.atMs && byMs === others[n].byMs)
  );
}

// A file names a few dozen zones a million times, and the same few rubbish.
// The bound only matters for a column full of rubbish.
const maxCachedNames = 2_000;
const cache = new Map<string, ZoneNameResult>();

/**
 * The canonical IANA name of a time zone, in any case and by any of its links (`us/eastern`,
 * `America/New York`). Refused: unknown names, offsets, and abbreviations, which are ambiguous.
 */
export function canonicalZone(text: string): ZoneNameResult {
  const trimmed = text.trim();
  const known = cache.get(trimmed);
  if (known !== undefined) return known;
  const result = resolve(trimmed);
  if (cache.size >= maxCachedNames) cache.clear();
  cache.set(trimmed, result);
  return result;
}
