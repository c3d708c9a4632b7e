// States of the United States by what rows and numbers say: the first digits of a ZIP code, and area codes.
import { setsOf } from "./files.mjs";

/** ZIP codes of the forces, which are anywhere; and of countries that the post of the United States serves. */
const NO_STATES = new Set(["AA", "AE", "AP", "FM", "MH", "PW"]);

/** How libphonenumber's geocoding writes what no state's name is. */
const WRITTEN_OTHERWISE = { "Washington State": "WA", "Washington D.C.": "DC" };

/** Area codes (behind the calling code) with all states that the geocoding names under them. */
function statesOfAreas({ areas, geocodes, regions }) {
  const named = new Map(Object.entries(WRITTEN_OTHERWISE));
  for (const { country, level, iso, names } of regions)
    if (country === "US" && level === 1) for (const name of names) named.set(name, iso.slice(3));
  const byArea = new Map();
  for (const [prefix, name] of Object.entries(geocodes)) {
    const area = prefix.slice(1, 4);
    if (!prefix.startsWith("1") || areas[area] !== "US") continue;
    // A state by its name, or a town with the state's letters.
    const state = named.get(name) ?? /, ([A-Z]{2})$/.exec(name)?.[1];
    if (state !== undefined) byArea.set(area, (byArea.get(area) ?? new Set()).add(state));
  }
  return byArea;
}

/** ZIP codes by three digits, and by all five where three are of several states. */
function statesOfZips({ zips }) {
  const byPrefix = new Map();
  const note = (prefix, state) => byPrefix.set(prefix, (byPrefix.get(prefix) ?? new Set()).add(state));
  const known = zips.filter(([, state]) => !NO_STATES.has(state));
  for (const [zip, state] of known) note(zip.slice(0, 3), state);
  for (const [zip, state] of known) if (byPrefix.get(zip.slice(0, 3)).size > 1) note(zip, state);
  return byPrefix;
}

const inOrder = (byPrefix) =>
  [...byPrefix].map(([prefix, states]) => [prefix, [...states].sort((a, b) => (a < b ? -1 : 1))]);

/** Rows of states, each once, with the prefixes that have them. */
export function usStates(data) {
  return { areas: setsOf(inOrder(statesOfAreas(data))), zips: setsOf(inOrder(statesOfZips(data))) };
}
