// Area codes of the United States by the towns of the ZIP codes that have them.
import { sorted } from "./clocks.mjs";
import { fold } from "./gazetteer.mjs";

/** Fewer ZIP codes than this are a newcomer's first ones. */
const LEAST_ZIPS = 10;

/** A code whose ZIP codes nearly all have an older one as well lies over it. */
const OVERLAY_SHARE = 0.9;

/** A town of the same name that is farther away than this is another one. In degrees, some 40 km. */
const SAME_TOWN_DEGREES = 0.4;

/** Fewer people than this in a part of an area, by towns that may be its neighbour's, say nothing of the area. */
const LEAST_IN_AREA = 2_000;

/**
 * The towns and zones of each area code. ZIP codes have the codes of their neighbours, too: so ZIP codes beyond the
 * border of a code's state don't count, and towns that the geocoding knows under other codes alone don't either. A code
 * that lies over another one has the territory of that.
 *
 * @param exchanges {Map<string, Set<string>>} states and towns that the geocoding names under each area code
 * @returns {Map<string, {zones: string[], over: string, towns: object[]}>} by area code
 */
export function areasByZip({ zips }, exchanges, isKnown, clocks, gazetteer) {
  const byArea = zipsByArea(zips, exchanges, clocks);
  const areas = new Map();
  for (const [area, own] of byArea) {
    if (own.length < LEAST_ZIPS) continue;
    const over = isKnown(area) ? area : overlaid(area, own, isKnown);
    const towns = new Map();
    for (const zip of own) {
      const known = zip.areas.filter((one) => exchanges.get(one)?.has(townKey(zip.state, zip.city)) === true);
      if (over !== undefined && known.length > 0 && !known.includes(over)) continue;
      for (const place of gazetteer.placesNamed("US", zip.city))
        if (place.region === zip.state && isNear(place.at, zip.at)) towns.set(place, zip.zone);
    }
    areas.set(area, { zones: zonesOf(towns), over, towns: [...towns.keys()] });
  }
  return areas;
}

export function townKey(state, town) {
  return `${state} ${fold(town)}`;
}

function zipsByArea(zips, exchanges, clocks) {
  const byArea = new Map();
  for (const [, state, given, areas, city, at] of zips) {
    const zone = clocks.within(given, ["US"]);
    if (zone === undefined) continue;
    for (const area of areas) {
      if (exchanges.get(area)?.has(state) !== true) continue;
      const own = byArea.get(area) ?? byArea.set(area, []).get(area);
      own.push({ state, zone, areas, city, at });
    }
  }
  return byArea;
}

function overlaid(area, zips, isKnown) {
  const shared = new Map();
  for (const { areas } of zips)
    for (const one of areas) if (one !== area && isKnown(one)) shared.set(one, (shared.get(one) ?? 0) + 1);
  const [most] = [...shared].sort(([, a], [, b]) => b - a);
  return most !== undefined && most[1] >= zips.length * OVERLAY_SHARE ? most[0] : undefined;
}

/** Where ZIP code and gazetteer differ, a town may keep either clock. */
function zonesOf(towns) {
  const people = new Map();
  for (const [{ zone, population }, zipZone] of towns)
    for (const one of new Set([zone, zipZone])) people.set(one, (people.get(one) ?? 0) + population);
  return sorted([...people].flatMap(([zone, sum]) => (sum >= LEAST_IN_AREA ? [zone] : [])));
}

function isNear([north, east], [otherNorth, otherEast]) {
  return Math.hypot(north - otherNorth, east - otherEast) < SAME_TOWN_DEGREES;
}
