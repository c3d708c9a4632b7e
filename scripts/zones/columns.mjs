// Zones of what a row may say of a person's place: a country, a state, a ZIP code.
import { sorted } from "./clocks.mjs";

/** States of the United States' post that are countries of their own in ISO 3166 and in the time zone database. */
const COUNTRIES_BY_POST = new Map([
  ["AS", ["American Samoa"]],
  ["FM", ["Federated States of Micronesia", "Micronesia"]],
  ["GU", ["Guam"]],
  ["MH", ["Marshall Islands"]],
  ["MP", ["Northern Mariana Islands", "Saipan"]],
  ["PR", ["Puerto Rico"]],
  ["PW", ["Palau"]],
  ["VI", ["U.S. Virgin Islands", "US Virgin Islands", "Virgin Islands"]],
]);

const ZIP_AREA_DIGITS = 3;

/** A town of the same name that is farther away than this is another one. In degrees, some 40 km. */
const SAME_TOWN_DEGREES = 0.4;

export function countryZones(clocks) {
  return clocks.countries
    .map((country) => [country, clocks.ofCountry(country)])
    .filter(([, zones]) => zones.length > 0);
}

/**
 * The states and provinces of each country with several clocks, under all their names.
 *
 * @returns {{country: string, zones: string[], names: string[]}[]}
 */
export function regionZones(data, zips, clocks, gazetteer) {
  const found = new Map();
  for (const { country, iso, code, names, level } of data.regions) {
    if ((level !== 1 && iso === "") || clocks.ofCountry(country).length < 2) continue;
    const short = iso.slice(3);
    const [top] = code.split(".");
    const zones = sorted([
      ...gazetteer.anyZonesOfRegion(country, top),
      ...(country === "US" ? zips.zonesOfState(short) : []),
    ]);
    if (zones.length === 0) continue;
    found.set(iso || `${country}.${code}`, {
      country,
      zones,
      names: [...new Set([short, ...names].filter(Boolean))],
    });
  }
  for (const [code, names] of COUNTRIES_BY_POST)
    found.set(`US ${code}`, { country: "US", zones: clocks.ofCountry(code), names: [code, ...names] });
  return [...found.values()].sort((a, b) =>
    `${a.country} ${a.names[0]}` < `${b.country} ${b.names[0]}` ? -1 : 1,
  );
}

/** ZIP codes of the United States: zones by prefix, the first three digits at least. */
export class Zips {
  #byState = new Map();
  /** @type {Map<string, string[]>} */
  byPrefix = new Map();
  /** ZIP codes without a zone: those of the forces abroad. */
  without = 0;
  /** ZIP codes whose town keeps another clock in the gazetteer: both count. */
  doubted = [];

  constructor({ zips }, clocks, gazetteer) {
    const whole = new Map();
    for (const [zip, state, given, , city, at] of zips) {
      const zones = this.#zonesOf(zip, state, given, city, at, clocks, gazetteer);
      if (zones.length === 0) {
        this.without += 1;
        continue;
      }
      this.#byState.set(state, sorted([...(this.#byState.get(state) ?? []), ...zones]));
      whole.set(zip, zones);
      const area = zip.slice(0, ZIP_AREA_DIGITS);
      this.byPrefix.set(area, sorted([...(this.byPrefix.get(area) ?? []), ...zones]));
    }
    for (const [zip, zones] of whole)
      if (this.byPrefix.get(zip.slice(0, ZIP_AREA_DIGITS)).join() !== zones.join())
        this.byPrefix.set(zip, zones);
  }

  zonesOfState(state) {
    return this.#byState.get(state) ?? [];
  }

  #zonesOf(zip, state, given, city, at, clocks, gazetteer) {
    const country = COUNTRIES_BY_POST.has(state) ? state : "US";
    const own = clocks.within(given, [country]);
    if (country !== "US") return own === undefined ? clocks.ofCountry(country) : [own];
    const town = gazetteer
      .placesNamed("US", city)
      .filter((place) => place.region === state && isNear(place.at, at))
      .map(({ zone }) => zone);
    const zones = sorted(own === undefined ? town : [own, ...town]);
    if (own !== undefined && zones.length > 1) this.doubted.push({ zip, city, state, zones });
    return zones;
  }
}

function isNear([north, east], [otherNorth, otherEast]) {
  return Math.hypot(north - otherNorth, east - otherEast) < SAME_TOWN_DEGREES;
}
