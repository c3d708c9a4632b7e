import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import { foldedName, type PlaceRole } from "./header-aliases.ts";
import { nationalHome } from "./phone-region.ts";
import type { NormalisedPhone } from "./phone.ts";
import { PrefixTrie } from "./prefix-trie.ts";
import { regionZones } from "./zone-data/region-zones.ts";
import { zipZones } from "./zone-data/zip-zones.ts";
import { zoneSet, type ZoneSet } from "./zone-set.ts";
import { zoneData, zonesOfData } from "./zones.ts";

/** What a row says of where its person is, as it is written; empty where it says nothing. */
export interface PlaceCells {
  readonly country: string;
  readonly state: string;
  readonly postalCode: string;
}

/** What was found of it. */
export interface PlaceReading {
  /** Zones of the place; undefined where nothing is said that tells a clock. */
  readonly found: { readonly zones: ZoneSet; readonly by: PlaceRole; readonly isExact: boolean } | undefined;
  /** Cells that could not be understood: the row is placed without them, and people are told. */
  readonly unread: readonly UnreadPlace[];
}

export interface UnreadPlace {
  readonly column: PlaceRole;
  readonly value: string;
}

/**
 * Provinces by the first letter of a postal code, as Canada Post gives them out. X is Nunavut and the Northwest
 * Territories.
 */
const canadianLetters: Readonly<Record<string, readonly string[]>> = {
  A: ["NL"],
  B: ["NS"],
  C: ["PE"],
  E: ["NB"],
  G: ["QC"],
  H: ["QC"],
  J: ["QC"],
  K: ["ON"],
  L: ["ON"],
  M: ["ON"],
  N: ["ON"],
  P: ["ON"],
  R: ["MB"],
  S: ["SK"],
  T: ["AB"],
  V: ["BC"],
  X: ["NT", "NU"],
  Y: ["YT"],
};

const none: PlaceReading = { found: undefined, unread: [] };

interface Places {
  readonly regions: ReadonlyMap<string, ZoneSet>;
  readonly countries: ReadonlySet<string>;
  readonly zips: PrefixTrie;
}

let loaded: Places | undefined;

/** Read once a process, when the first row names a place (some 20 ms). */
function places(): Places {
  if (loaded !== undefined) return loaded;
  const regions = new Map<string, ZoneSet>();
  const countries = new Set<string>();
  for (const [country, names, called] of regionZones) {
    countries.add(country);
    const zones = zonesOfData(names);
    for (const name of called.split("|")) {
      const key = `${country} ${foldedName(name)}`;
      // Two regions of one name: whichever is meant.
      regions.set(key, zoneSet([...(regions.get(key) ?? []), ...zones]));
    }
  }
  const zips = new PrefixTrie();
  for (const [names, prefixes] of zipZones)
    for (const prefix of prefixes.split(" ")) zips.set(prefix, zonesOfData(names));
  loaded = { regions, countries, zips };
  return loaded;
}

/** Countries that a cell may mean: one, or all that share a calling code. Undefined if it is not understood. */
function countriesOf(cell: string, phone: NormalisedPhone): readonly string[] | undefined {
  const home = nationalHome(cell);
  if (home === undefined) return undefined;
  if ("region" in home) return [home.region];
  if (home.callingCode === phone.callingCode && phone.region !== undefined) return [phone.region];
  return getCountries().filter((country) => getCountryCallingCode(country) === home.callingCode);
}

/** Where the row names no country, its state and postal code are of the number's; in +1 no two countries share names. */
function likelyCountries({ region, callingCode }: NormalisedPhone): readonly string[] {
  if (callingCode === "1") return [...new Set([...(region === undefined ? [] : [region]), "US", "CA"])];
  return region === undefined ? [] : [region];
}

type CellReading =
  | { readonly kind: "zones"; readonly zones: ZoneSet }
  /** Of the right form, and nowhere in the data: somewhere in its country. */
  | { readonly kind: "unheard"; readonly country: string }
  | { readonly kind: "unread" }
  /** Nothing is said, or nothing that could tell a clock. */
  | { readonly kind: "silent" };

const silent: CellReading = { kind: "silent" };

const zipForm = /^(\d{3,5})(?:[\s-]?\d{4})?$/;
const wholeZipForm = /^(\d{5})\d{4}$/;
const zipDigits = 5;
const zipAreaDigits = 3;
const canadianForm = /^([A-Z])\d[A-Z](?:[\s-]?\d[A-Z]\d)?$/i;

function readPostalCode(cell: string, countries: readonly string[]): CellReading {
  const mayBe = (country: string): boolean => countries.includes(country);
  if (cell === "" || (!mayBe("US") && !mayBe("CA"))) return silent;
  const zip = mayBe("US") ? (wholeZipForm.exec(cell) ?? zipForm.exec(cell))?.[1] : undefined;
  if (zip !== undefined) {
    // Spreadsheets take the leading zeros of the north-east for nothing.
    const found = places().zips.longest(zip.padStart(zipDigits, "0"));
    return found !== undefined && found.length >= zipAreaDigits
      ? { kind: "zones", zones: found.zones }
      : { kind: "unheard", country: "US" };
  }
  const letter = mayBe("CA") ? canadianForm.exec(cell)?.[1]?.toUpperCase() : undefined;
  if (letter === undefined) return { kind: "unread" };
  const provinces = canadianLetters[letter] ?? [];
  const zones = provinces.flatMap((province) => places().regions.get(`CA ${province.toLowerCase()}`) ?? []);
  return zones.length > 0 ? { kind: "zones", zones: zoneSet(zones) } : { kind: "unheard", country: "CA" };
}

function readState(cell: string, countries: readonly string[]): CellReading {
  const several = countries.filter((country) => places().countries.has(country));
  if (cell === "" || several.length === 0) return silent;
  const name = foldedName(cell);
  const zones = several.flatMap((country) => places().regions.get(`${country} ${name}`) ?? []);
  return zones.length > 0 ? { kind: "zones", zones: zoneSet(zones) } : { kind: "unread" };
}

/**
 * The zones of the place that a row names: by its postal code (of the United States and Canada), else by its state, else
 * by its country. A postal code that is in none of the data means its state, or all of its country.
 */
export function readPlace(cells: PlaceCells, phone: NormalisedPhone): PlaceReading {
  const { country, state, postalCode } = cells;
  if (country === "" && state === "" && postalCode === "") return none;
  const named = country === "" ? undefined : countriesOf(country, phone);
  const countries = named ?? likelyCountries(phone);
  const byCode = readPostalCode(postalCode, countries);
  const byState = readState(state, countries);
  const unread: UnreadPlace[] = [];
  if (country !== "" && named === undefined) unread.push({ column: "country", value: country });
  if (byState.kind === "unread") unread.push({ column: "state", value: state });
  if (byCode.kind === "unread") unread.push({ column: "postal_code", value: postalCode });
  return { found: foundOf(byCode, byState, named), unread };
}

function foundOf(
  byCode: CellReading,
  byState: CellReading,
  named: readonly string[] | undefined,
): PlaceReading["found"] {
  if (byCode.kind === "zones") {
    const zones = byState.kind === "zones" ? agreed(byCode.zones, byState.zones) : byCode.zones;
    return { zones, by: "postal_code", isExact: true };
  }
  if (byState.kind === "zones") return { zones: byState.zones, by: "state", isExact: true };
  if (byCode.kind === "unheard") {
    return { zones: zoneData().ofCountry(byCode.country), by: "postal_code", isExact: false };
  }
  const zones = zoneSet((named ?? []).flatMap((country) => zoneData().ofCountry(country)));
  return zones.length === 0 ? undefined : { zones, by: "country", isExact: false };
}

/** The finer of two that agree; both where they contradict each other. */
function agreed(finer: ZoneSet, other: ZoneSet): ZoneSet {
  return finer.some((zone) => other.includes(zone)) ? finer : zoneSet([...finer, ...other]);
}
