// What libphonenumber's geocoding says of a prefix, as places of the gazetteer.
import { sorted } from "./clocks.mjs";
import { REGIONS_OF_AREA } from "./plans.mjs";

/**
 * @typedef {object} Reading
 * @property {string[]} zones of the regions and places that it names
 * @property {string[][]} choices zones of places which share a name, where nothing tells which is meant
 * @property {string[]} anywhere all zones of the regions that it names, those of a handful of people, too; empty where it
 *   names none
 * @property {string[]} bounds zones that it may be in at most
 * @property {number} people in the smallest of the places that it names
 * @property {boolean} isUnread whether a part of it names nothing that is known
 * @property {boolean} isRegion whether it names regions alone
 * @property {boolean} isCertain whether every part names one place that is known
 */

/** Reads one description. @returns {Reading} */
export function readDescription(text, countries, gazetteer, prefix) {
  const { parts, regions } = partsOf(text, countries, gazetteer);
  const zones = [];
  const choices = [];
  const territory = regions.flatMap(({ country, code }) => gazetteer.zonesOfRegion(country, code));
  const anywhere = regions.flatMap(({ country, code }) => gazetteer.anyZonesOfRegion(country, code));
  const area = regions.length > 0 ? [] : areaRegions(prefix, gazetteer);
  let people = Number.POSITIVE_INFINITY;
  let isUnread = parts.length === 0;
  let isRegion = parts.length > 0;
  for (const part of parts) {
    const named = regions.length > 0 ? [] : regionsNamed(part, countries, gazetteer);
    if (named.length > 0) {
      const of = named.flatMap(({ country, code }) => gazetteer.zonesOfRegion(country, code));
      territory.push(...of);
      anywhere.push(...named.flatMap(({ country, code }) => gazetteer.anyZonesOfRegion(country, code)));
      zones.push(...of);
      continue;
    }
    isRegion = false;
    const places = countries
      .flatMap((country) => gazetteer.placesNamed(country, part))
      .filter((place) => isAmong(place, regions.length > 0 ? regions : area));
    const found = sorted(meant(places).map(({ zone }) => zone));
    people = Math.min(people, Math.max(0, ...places.map(({ population }) => population)));
    if (found.length === 0) isUnread = true;
    else if (found.length === 1) zones.push(...found);
    else choices.push(found);
  }
  return {
    zones: sorted(zones),
    choices,
    anywhere: sorted(anywhere),
    bounds: sorted(territory.length > 0 ? territory : boundsOf(area, countries, gazetteer)),
    people,
    isUnread,
    isRegion,
    isCertain: !isUnread && !isRegion && choices.length === 0,
  };
}

/** Who names a great city without more means that one, and no hamlet of its name. */
const GREAT_CITY = 100_000;
const FAR_GREATER = 100;

function meant(places) {
  const [greatest] = places.toSorted((a, b) => b.population - a.population);
  if (greatest === undefined || greatest.population < GREAT_CITY) return places;
  return places.filter(({ population }) => population * FAR_GREATER > greatest.population);
}

/** Regions of one country say nothing of places in the others that share its calling code. */
function isAmong(place, regions) {
  const own = regions.filter(({ country }) => country === place.country);
  return own.length === 0 || own.some(({ code }) => code === place.region);
}

function boundsOf(area, countries, gazetteer) {
  if (area.length === 0) return [];
  const others = countries.filter((country) => area.every((one) => one.country !== country));
  return [
    ...area.flatMap(({ country, code }) => gazetteer.zonesOfRegion(country, code)),
    ...others.flatMap((country) => gazetteer.zonesOfCountry(country)),
  ];
}

function regionsNamed(name, countries, gazetteer) {
  return countries.flatMap((country) =>
    gazetteer.regionsNamed(country, name).map((code) => ({ country, code })),
  );
}

function areaRegions(prefix, gazetteer) {
  const names = REGIONS_OF_AREA[prefix.slice(0, 3)] ?? [];
  return names.flatMap((name) => regionsNamed(name, ["AU"], gazetteer));
}

/** `Altar/Caborca, SON`, `Recife - PE`, `Ovalle, Coquimbo`: places, and the region which they are in. */
function partsOf(text, countries, gazetteer) {
  const [, places, name] = /^(.+)(?:, | - )([^,]+)$/.exec(text) ?? [];
  if (places !== undefined) {
    const regions = name.split("/").flatMap((one) => regionsNamed(one, countries, gazetteer));
    if (regions.length > 0) return { parts: splitPlaces(places), regions };
  }
  return { parts: splitPlaces(text), regions: [] };
}

function splitPlaces(text) {
  return text
    .replaceAll(/[()]/g, "/")
    .split(/\/|, /)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
