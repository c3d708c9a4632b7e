import { countriesOfZone } from "../../time/zone-countries.ts";

/*
 * Where a contact may be, as rules of places ask for it: countries (ISO 3166-1), and states of the United States as
 * `US-FL`. `US` beside no state means that the person may be in any of them. None at all: nobody knows more than the zones.
 */

/** Where a rule holds. */
export type Territory =
  | { kind: "places"; places: readonly string[] }
  /** Everywhere but in these countries. */
  | { kind: "elsewhere"; except: readonly string[] };

export function countryOf(place: string): string {
  return place.slice(0, 2);
}

/** Whether somebody who may be in each of the places, or the zones where no place is known, may be in the territory. */
export function mayBeIn(territory: Territory, places: readonly string[], zones: readonly string[]): boolean {
  if (places.length > 0) return places.some((place) => touches(territory, place));
  const countries = countriesOfZones(zones);
  return countries === undefined || countries.some((country) => touches(territory, country));
}

function touches(territory: Territory, place: string): boolean {
  if (territory.kind === "elsewhere") return !territory.except.includes(countryOf(place));
  return territory.places.some(
    (one) => one === place || one === countryOf(place) || (place.length === 2 && countryOf(one) === place),
  );
}

/** Countries of zones; undefined where one of them, or all that is known, is of no country. */
export function countriesOfZones(zones: readonly string[]): readonly string[] | undefined {
  const each = zones.map(countriesOfZone);
  if (each.length === 0 || each.some((countries) => countries.length === 0)) return undefined;
  return [...new Set(each.flat())];
}

/** In which of somebody's zones the clocks of a territory are; all, where it can't be told. */
export function zonesWithin(territory: Territory, zones: readonly string[]): readonly string[] {
  if (territory.kind === "elsewhere") return zones;
  const countries = new Set(territory.places.map(countryOf));
  const within = zones.filter((zone) => {
    const its = countriesOfZone(zone);
    return its.length === 0 || its.some((country) => countries.has(country));
  });
  return within.length === 0 ? zones : within;
}
