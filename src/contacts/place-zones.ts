import { getCountries, getCountryCallingCode, type CountryCode } from "libphonenumber-js/max";
import { foldedName, type PlaceRole } from "./header-aliases.ts";
import { nationalHome } from "./phone-region.ts";
import type { NormalisedPhone } from "./phone.ts";
import { PrefixTrie } from "./prefix-trie.ts";
import { regionZones } from "./zone-data/region-zones.ts";
import { statesOfZips } from "./zone-data/us-states.ts";
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
  readonly found:
    | {
        readonly zones: ZoneSet;
        /** Countries, or states of the United States as `US-FL`, that it may be. */
        readonly places: readonly string[];
        readonly by: PlaceRole;
        readonly isExact: boolean;
      }
    | undefined;
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
  /** States of the United States by their names. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  readonly countries: ReadonlySet<string>;
  readonly zips: PrefixTrie;
  /** States of the United States by first digits of a ZIP code. */
  readonly zipStates: ReadonlyMap<string, readonly string[]>;
}

const UNITED_STATES = "US";

/** Territories and freely associated states have codes of their own in ISO 3166. */
const OWN_CODES: ReadonlySet<string> = new Set(["AS", "FM", "GU", "MH", "MP", "PR", "PW", "UM", "VI"]);

function placeOfState(code: string): string {
  return OWN_CODES.has(code) ? code : `${UNITED_STATES}-${code}`;
}

/** Zones of a state of the United States, by its two letters. */
export function zonesOfState(code: string): ZoneSet {
  return places().regions.get(`${UNITED_STATES} ${foldedName(code)}`) ?? zoneSet([]);
}

let loaded: Places | undefined;

/** Read once a process, when the first row names a place (some 20 ms). */
function places(): Places {
  if (loaded !== undefined) return loaded;
  const regions = new Map<string, ZoneSet>();
  const states = new Map<string, readonly string[]>();
  const countries = new Set<string>();
  for (const [country, names, called] of regionZones) {
    countries.add(country);
    const zones = zonesOfData(names);
    const [code = "", ...others] = called.split("|");
    for (const name of [code, ...others]) {
      const key = `${country} ${foldedName(name)}`;
      if (country === UNITED_STATES)
        states.set(key, [...new Set([...(states.get(key) ?? []), placeOfState(code)])]);
      // Two regions of one name: whichever is meant.
      regions.set(key, zoneSet([...(regions.get(key) ?? []), ...zones]));
    }
  }
  const zips = new PrefixTrie();
  for (const [names, prefixes] of zipZones)
    for (const prefix of prefixes.split(" ")) zips.set(prefix, zonesOfData(names));
  const zipStates = new Map<string, readonly string[]>();
  for (const [codes, prefixes] of statesOfZips)
    for (const prefix of prefixes.split(" ")) zipStates.set(prefix, codes.split("&").map(placeOfState));
  loaded = { regions, states, countries, zips, zipStates };
  return loaded;
}

const sharing = new Map<string, readonly CountryCode[]>();

function countriesOfCode(callingCode: string): readonly CountryCode[] {
  let countries = sharing.get(callingCode);
  if (countries === undefined) {
    countries = getCountries().filter((country) => getCountryCallingCode(country) === callingCode);
    sharing.set(callingCode, countries);
  }
  return countries;
}

/** What the row's country means, for the rest of the row. */
interface Home {
  /** Where the person is if nothing else is said; undefined if the cell is empty or not understood. */
  readonly named: readonly string[] | undefined;
  /**
   * What a state or a postal code may be of without speaking against it. A calling code names no country, and neither
   * does a number: its owner may live with a neighbour under the same code.
   */
  readonly meant: readonly string[];
}

function homeOf(cell: string, phone: NormalisedPhone): Home {
  const ofNumber = countriesOfCode(phone.callingCode);
  const home = cell === "" ? undefined : nationalHome(cell);
  if (home === undefined) return { named: undefined, meant: ofNumber };
  if ("region" in home) return { named: [home.region], meant: [home.region] };
  const meant = countriesOfCode(home.callingCode);
  const isOfNumber = home.callingCode === phone.callingCode && phone.region !== undefined;
  return { named: isOfNumber ? [phone.region] : meant, meant };
}

/** Whose states and codes are told apart by themselves: no two share any. */
const northAmerica = ["US", "CA"];

/** Whose post has the ZIP codes of the United States. */
const territories: ReadonlySet<string> = new Set(["PR", "VI", "GU", "AS", "MP", "UM"]);

/**
 * Countries whose states and postal codes a row may name. Forms fill in one country of North America for people of the
 * others.
 */
function readable({ meant }: Home): readonly string[] {
  const isAmerican = meant.some((country) => northAmerica.includes(country) || territories.has(country));
  return isAmerican ? [...new Set([...meant, ...northAmerica])] : meant;
}

type CellReading =
  /** Several where the cell can be read in several ways; undefined: one that is nowhere in the data. */
  | {
      readonly kind: "zones";
      readonly readings: readonly (ZoneSet | undefined)[];
      readonly country: string;
      readonly places: readonly string[];
    }
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
  if (cell === "" || !northAmerica.some((country) => countries.includes(country))) return silent;
  const zip = (wholeZipForm.exec(cell) ?? zipForm.exec(cell))?.[1];
  if (zip !== undefined) return readZip(zip);
  const letter = canadianForm.exec(cell)?.[1]?.toUpperCase();
  if (letter === undefined) return { kind: "unread" };
  const provinces = canadianLetters[letter] ?? [];
  const zones = provinces.flatMap((province) => places().regions.get(`CA ${province.toLowerCase()}`) ?? []);
  return zones.length > 0
    ? { kind: "zones", readings: [zoneSet(zones)], country: "CA", places: ["CA"] }
    : { kind: "unheard", country: "CA" };
}

/**
 * Spreadsheets take the leading zeros of the north-east and of Puerto Rico for nothing. Three digits are also what lists
 * without names keep of a code: its beginning.
 */
function readZip(digits: string): CellReading {
  const padded = digits.padStart(zipDigits, "0");
  const whole = zonesOfZip(padded);
  if (digits.length > zipAreaDigits) {
    return whole === undefined
      ? { kind: "unheard", country: UNITED_STATES }
      : { kind: "zones", readings: [whole], country: UNITED_STATES, places: statesOfZip(padded) };
  }
  const beginning = zonesOfZip(digits);
  const either = [...statesOfZip(padded), ...statesOfZip(digits)];
  // Codes that begin with what is in none of the data are somewhere, too: those of the forces are.
  if (whole !== undefined)
    return { kind: "zones", readings: [whole, beginning], country: UNITED_STATES, places: either };
  return beginning === undefined
    ? { kind: "unheard", country: UNITED_STATES }
    : { kind: "zones", readings: [beginning], country: UNITED_STATES, places: statesOfZip(digits) };
}

/** All of the country where no state is known to have the code. */
function statesOfZip(digits: string): readonly string[] {
  const { zipStates } = places();
  return zipStates.get(digits) ?? zipStates.get(digits.slice(0, zipAreaDigits)) ?? [UNITED_STATES];
}

function zonesOfZip(digits: string): ZoneSet | undefined {
  const found = places().zips.longest(digits);
  return found !== undefined && found.length >= zipAreaDigits ? found.zones : undefined;
}

function readState(cell: string, countries: readonly string[]): CellReading {
  const several = countries.filter((country) => places().countries.has(country));
  if (cell === "" || several.length === 0) return silent;
  const name = foldedName(cell);
  const found = several.flatMap((country) => {
    const key = `${country} ${name}`;
    const zones = places().regions.get(key);
    return zones === undefined ? [] : [{ country, zones, places: places().states.get(key) ?? [country] }];
  });
  const [first] = found;
  if (first === undefined) return { kind: "unread" };
  // Two countries under one calling code have a state of that name: whichever is meant.
  return {
    kind: "zones",
    readings: found.map(({ zones }) => zones),
    country: first.country,
    places: found.flatMap((one) => one.places),
  };
}

/**
 * The zones of the place that a row names: by its postal code (of the United States and Canada), else by its state, else
 * by its country. A postal code that is in none of the data means its state, or all of its country.
 */
export function readPlace(cells: PlaceCells, phone: NormalisedPhone): PlaceReading {
  const { country, state, postalCode } = cells;
  if (country === "" && state === "" && postalCode === "") return none;
  const home = homeOf(country, phone);
  const countries = readable(home);
  const byCode = readPostalCode(postalCode, countries);
  const byState = readState(state, countries);
  const unread: UnreadPlace[] = [];
  if (country !== "" && home.named === undefined) unread.push({ column: "country", value: country });
  if (byState.kind === "unread") unread.push({ column: "state", value: state });
  if (byCode.kind === "unread") unread.push({ column: "postal_code", value: postalCode });
  return { found: foundOf(byCode, byState, home), unread };
}

function foundOf(byCode: CellReading, byState: CellReading, home: Home): PlaceReading["found"] {
  const state = byState.kind === "zones" ? zonesOfReadings(byState, undefined) : undefined;
  if (byCode.kind === "zones") {
    const zones = atHome(zonesOfReadings(byCode, state), byCode.country, home);
    const others = byState.kind === "zones" ? byState.places : [];
    const its = placesAtHome(placesOfBoth(byCode.places, others), byCode.country, home);
    return { zones, places: its, by: "postal_code", isExact: true };
  }
  if (byState.kind === "zones" && state !== undefined) {
    const its = placesAtHome(byState.places, byState.country, home);
    return { zones: atHome(state, byState.country, home), places: its, by: "state", isExact: true };
  }
  if (byCode.kind === "unheard") {
    const zones = atHome(zonesOfCountries([byCode.country]), byCode.country, home);
    const its = placesAtHome([byCode.country], byCode.country, home);
    return { zones, places: its, by: "postal_code", isExact: false };
  }
  const named = home.named ?? [];
  const zones = zonesOfCountries(named);
  return zones.length === 0 ? undefined : { zones, places: named, by: "country", isExact: false };
}

/** What code and state of a row both say; all that either says, where they agree on nothing. */
function placesOfBoth(byCode: readonly string[], byState: readonly string[]): readonly string[] {
  if (byState.length === 0) return byCode;
  const agreed = byState.filter((place) => byCode.includes(place) || byCode.includes(place.slice(0, 2)));
  return agreed.length > 0 ? agreed : [...byCode, ...byState];
}

/** A state of a country, and all of the country that the row names where that is another. */
function placesAtHome(found: readonly string[], country: string, { meant }: Home): readonly string[] {
  const isMeant = meant.includes(country) || found.some((place) => meant.includes(place.slice(0, 2)));
  return isMeant ? found : [...found, ...meant];
}

function zonesOfCountries(countries: readonly string[]): ZoneSet {
  return zoneSet(countries.flatMap((country) => zoneData().ofCountry(country)));
}

/** All readings; beside what else is known of the place those that agree with it, and all of both where none does. */
function zonesOfReadings(
  { readings, country }: Extract<CellReading, { kind: "zones" }>,
  other: ZoneSet | undefined,
): ZoneSet {
  const finer = readings.map((zones) => zones ?? other ?? zonesOfCountries([country]));
  if (other === undefined) return zoneSet(finer.flat());
  const agreeing = finer.filter((zones) => zones.some((zone) => other.includes(zone)));
  return agreeing.length > 0 ? zoneSet(agreeing.flat()) : zoneSet([...finer.flat(), ...other]);
}

/** A state or a code of a country, and all of the one that the row names where that is another. */
function atHome(zones: ZoneSet, country: string, { meant }: Home): ZoneSet {
  if (meant.includes(country)) return zones;
  const named = zonesOfCountries(meant);
  return zones.some((zone) => named.includes(zone)) ? zones : zoneSet([...zones, ...named]);
}
