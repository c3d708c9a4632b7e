import { zoneOf } from "../domain/time/zone-data.ts";
import { countriesOfZone } from "../domain/time/zone-countries.ts";
import type { NormalisedPhone } from "./phone.ts";
import type { PlaceReading } from "./place-zones.ts";
import { zonesOfState } from "./place-zones.ts";
import { statesOfAreas } from "./zone-data/us-states.ts";
import { isPlacedByPrefix } from "./zones.ts";

/*
 * In which countries, and states of the United States, a contact may be: what rules of places go by
 * (domain/policy/presets). Zones are found for clocks, places for laws, and laws are kept of each place that the person
 * may be in.
 *
 * 1. The state of the row counts, and so does the state of the number, also where they differ: some states' laws protect
 *    whoever has a number of theirs.
 * 2. A country in the row says less than a number with a state of it. Where they contradict each other, both count.
 * 3. A number that names no state may be in any, unless its row says in which.
 * 4. Under `zones: strict` no prefix of +1 is believed: a number means all of its country, where the row names no state.
 *    What holds under it is never less than what holds without.
 */

/** Sorted, each once: `US-FL`, `FR`; `US` beside no state is any of them. Empty: nothing is known. */
export type Places = readonly string[];

export interface ContactPlaces {
  readonly places: Places;
  /** The same under `zones: strict`. */
  readonly strictPlaces: Places;
}

const interned = new Map<string, Places>();

/** More pairs of states and countries than lists have; beyond that equal sets are not the same array. */
const MOST_INTERNED = 5_000;

function placeSet(places: Iterable<string>): Places {
  const all = new Set(places);
  // Any state of it, so that single ones say nothing more.
  const sorted = [...all].filter((place) => place.length === 2 || !all.has(place.slice(0, 2))).sort();
  const key = sorted.join();
  const known = interned.get(key);
  if (known !== undefined) return known;
  const set: Places = Object.freeze(sorted);
  if (interned.size < MOST_INTERNED) interned.set(key, set);
  return set;
}

let areas: ReadonlyMap<string, readonly string[]> | undefined;

function statesOfArea(area: string): readonly string[] | undefined {
  areas ??= new Map(
    statesOfAreas.flatMap(([states, codes]) =>
      codes.split(" ").map((code) => [code, states.split("&").map((state) => `US-${state}`)]),
    ),
  );
  return areas.get(area);
}

const NANP = "1";

/** Where the owner of a number may be, by the number alone. */
function placesOfPhone(phone: NormalisedPhone): Places {
  const { region, callingCode } = phone;
  if (region === undefined) return placeSet([]);
  // Toll-free and personal numbers of +1 are of no one country.
  if (callingCode === NANP && !isPlacedByPrefix(phone)) return placeSet(["CA", "US"]);
  if (region !== "US") return placeSet([region]);
  return placeSet(statesOfArea(phone.phone.slice(2, 5)) ?? ["US"]);
}

/** The same without trust in a prefix of +1. */
function placesWithoutPrefix(phone: NormalisedPhone): Places {
  const isTrusted = phone.callingCode !== NANP || !isPlacedByPrefix(phone);
  return isTrusted || phone.region === undefined ? placesOfPhone(phone) : placeSet([phone.region]);
}

export function placesOfContact(phone: NormalisedPhone, found: PlaceReading["found"]): ContactPlaces {
  const number = placesOfPhone(phone);
  if (found === undefined) return { places: number, strictPlaces: placesWithoutPrefix(phone) };
  const row = found.places;
  if (found.isExact) {
    // A number of a whole country adds nothing to a state of it that the row names, nor does one that is of no country.
    const isOfAny = phone.callingCode === NANP && !isPlacedByPrefix(phone);
    const added = number.filter((place) => place.length > 2 || !row.some((one) => one.startsWith(place)));
    const places = placeSet([...row, ...(isOfAny ? [] : added)]);
    return { places, strictPlaces: places };
  }
  const isWithin = number.length > 0 && number.every((place) => row.includes(place.slice(0, 2)));
  const strictPlaces = placeSet([...row, ...placesWithoutPrefix(phone)]);
  return { places: isWithin ? number : placeSet([...row, ...number]), strictPlaces };
}

/** Of somebody whose time zone the row gives: where the zone is in none of their places, it adds the countries that it is in. */
export function placesInZone(zone: string, { places, strictPlaces }: ContactPlaces): ContactPlaces {
  const countries = countriesOfZone(zone);
  const isThere = places.some((place) => isIn(zone, countries, place));
  if (isThere || countries.length === 0) return { places, strictPlaces };
  return {
    places: placeSet([...places, ...countries]),
    strictPlaces: placeSet([...strictPlaces, ...countries]),
  };
}

function isIn(zone: string, countries: readonly string[], place: string): boolean {
  if (!countries.includes(place.slice(0, 2))) return false;
  return place.length === 2 || zonesOfState(place.slice(3)).some((its) => haveOneClock(its, zone));
}

/** A day of each half of a year: the data has one zone for each clock of a country. */
const DAYS = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];

function haveOneClock(one: string, other: string): boolean {
  return one === other || DAYS.every((day) => zoneOf(one).offsetMs(day) === zoneOf(other).offsetMs(day));
}

/** Places under `zones: strict` of somebody whose places were found without. */
export function strictPlacesOf(phone: NormalisedPhone, places: readonly string[]): Places {
  return placeSet(places) === placesOfPhone(phone) ? placesWithoutPrefix(phone) : placeSet(places);
}
