import type { CampaignSpec } from "./campaign-spec.ts";
import { speaksOfStates } from "../policy/presets/registry.ts";
import { countryOf } from "../policy/presets/whereabouts.ts";

/** What is known of where somebody may be. */
interface Placed {
  /** Sorted IANA names; none where nothing is known. */
  zones: readonly string[];
  /** The same under `zones: strict`. */
  strictZones: readonly string[];
  /** Countries, and states as `US-FL`; absent: not known beyond the zones. */
  places?: readonly string[];
  /** The same under `zones: strict`. */
  strictPlaces?: readonly string[];
}

/**
 * To what a campaign holds somebody. Countries are kept where it names presets, and states where one of these has rules
 * of states: elsewhere they would only make lanes. Of one that names presets later, whoever was taken before may be in
 * any state of their country, or anywhere in the countries of their zones.
 */
export function whereUnder(
  spec: Pick<CampaignSpec, "zones" | "presets">,
  person: Placed,
): { zones: readonly string[]; places: readonly string[] } {
  const isStrict = spec.zones === "strict";
  const places = isStrict ? person.strictPlaces : person.places;
  return {
    zones: isStrict ? person.strictZones : person.zones,
    places: placesFor(spec.presets, places ?? []),
  };
}

function placesFor(presets: readonly string[] | undefined, places: readonly string[]): readonly string[] {
  if (presets === undefined || speaksOfStates(presets)) return presets === undefined ? [] : places;
  return [...new Set(places.map(countryOf))].sort();
}
