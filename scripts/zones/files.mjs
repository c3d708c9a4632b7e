// The files that are written: data for the program, evidence for its tests, the report.
import { fold } from "./gazetteer.mjs";

const WRITTEN =
  "// Written by `npm run zones`: change the rules in scripts/zones, not this file. docs/zone-data.md is its report.";

/** Places of fewer people than this are no evidence: the tests hold every prefix against the others. */
const LEAST_EVIDENCE = 5_000;

/**
 * The same in states of one clock of the countries whose geocoding names the state: there a town can only differ where
 * all of the state does.
 */
const LEAST_EVIDENCE_WITHIN = 30_000;
const STATE_IS_NAMED = new Set(["BR", "CA", "MX", "US"]);

/** Every set of zones once, with the prefixes that have it. */
export function setsOf(byPrefix) {
  const sets = new Map();
  for (const [prefix, zones] of byPrefix) {
    const key = zones.join("&");
    sets.set(key, [...(sets.get(key) ?? []), prefix]);
  }
  return [...sets]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, prefixes]) => [key, prefixes.sort().join(" ")]);
}

function tableText(name, meaning, rows) {
  const lines = rows.map((row) => `  [${row.map((cell) => JSON.stringify(cell)).join(", ")}],`);
  const type = `readonly (readonly [${rows[0].map(() => "string").join(", ")}])[]`;
  return `/** ${meaning} */\nexport const ${name}: ${type} = [\n${lines.join("\n")}\n];\n`;
}

function tableModule(name, meaning, rows) {
  return `${WRITTEN}\n\n${tableText(name, meaning, rows)}`;
}

export function statesModule({ areas, zips }) {
  const ofAreas = tableText(
    "statesOfAreas",
    "States of the United States, and the area codes of +1 that they have.",
    areas,
  );
  const ofZips = tableText(
    "statesOfZips",
    "States of the United States, and the first digits of their ZIP codes.",
    zips,
  );
  return `${WRITTEN}\n\n${ofAreas}\n${ofZips}`;
}

/** Sources for the program, by their path from the root. */
export function dataModules({ table, countries, regions, zips, states }) {
  return {
    "src/contacts/zone-data/us-states.ts": statesModule(states),
    "src/contacts/zone-data/prefix-zones.ts": tableModule(
      "prefixZones",
      "Zones, and the prefixes of numbers (calling code included) that have them.",
      setsOf(table),
    ),
    "src/contacts/zone-data/country-zones.ts": tableModule(
      "countryZones",
      "Zones, and the countries (ISO 3166-1) that have them: one zone for each clock.",
      setsOf(countries),
    ),
    "src/contacts/zone-data/region-zones.ts": tableModule(
      "regionZones",
      "Country, zones, and the names of a state or province: of countries with several clocks.",
      regions.map(({ country, zones, names }) => [country, zones.join("&"), names.join("|")]),
    ),
    "src/contacts/zone-data/zip-zones.ts": tableModule(
      "zipZones",
      "Zones, and the ZIP codes of the United States that have them, by their first digits.",
      setsOf(zips.byPrefix),
    ),
  };
}

/** What the tests hold the data against, by path. */
export function evidenceFiles(data, { areas }, clocks, gazetteer) {
  const iso = new Map(
    data.regions
      .filter(({ level, iso: code }) => level === 1 && code !== "")
      .map((one) => [`${one.country} ${one.code}`, one.iso.slice(3)]),
  );
  const named = new Map();
  for (const [country, , , , name, others] of data.places)
    for (const one of new Set([name, ...others].map(fold)))
      named.set(`${country} ${one}`, (named.get(`${country} ${one}`) ?? 0) + 1);
  const rows = [];
  for (const [country, region, zones, population, name] of data.places) {
    const isPlain = STATE_IS_NAMED.has(country) && gazetteer.anyZonesOfRegion(country, region).length < 2;
    const least = isPlain ? LEAST_EVIDENCE_WITHIN : LEAST_EVIDENCE;
    if (population < least || clocks.ofCountry(country).length < 2) continue;
    const zone = zones.find((one) => clocks.within(one, [country]) !== undefined);
    if (zone === undefined) continue;
    const only = named.get(`${country} ${fold(name)}`) === 1 ? "only" : "";
    rows.push([country, iso.get(`${country} ${region}`) ?? "", name, population, zone, only]);
  }
  const towns = [];
  for (const [area, one] of areas)
    for (const zone of one.zones) {
      const [largest] = one.towns
        .filter((town) => town.zone === zone)
        .sort((a, b) => b.population - a.population);
      if (largest !== undefined) towns.push([area, largest.region, largest.name, largest.population, zone]);
    }
  const text = (heading, list) =>
    [heading, ...list.map((row) => row.join("\t")).sort()].join("\n").concat("\n");
  return {
    "test/contacts/zone-evidence/places.tsv": text("country\tregion\tname\tpeople\tzone\tonly", rows),
    "test/contacts/zone-evidence/area-towns.tsv": text("area\tstate\ttown\tpeople\tzone", towns),
    "test/contacts/zone-evidence/country-zones.tsv": text(
      "country\tzone",
      Object.entries(data.countries).flatMap(([country, zones]) => zones.map((zone) => [country, zone])),
    ),
  };
}
