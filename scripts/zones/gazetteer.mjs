// Places and regions by name, and the zones that people live in there.
import { sorted } from "./clocks.mjs";

/** Where fewer people live in a zone's part of a region, that part says nothing of the region. */
export const LEAST_PEOPLE = 500;

/** A name in the form in which names are compared. */
export function fold(name) {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/\bst\.? /g, "saint ")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Names of regions that libphonenumber writes in its own way. */
const OTHER_NAMES = {
  US: { DC: ["Washington D.C."], WA: ["Washington State"] },
  CA: { BC: ["British Colombia"] },
  MX: {
    COA: ["COAH"],
    CHH: ["CHIH"],
    CMX: ["CDMX", "DF"],
    MEX: ["Estado de Mexico", "EDO MEX"],
    NLE: ["NL"],
    ROO: ["QROO", "Q ROO"],
    CHP: ["CHIS"],
    SLP: ["S L P"],
    TAM: ["TAMPS"],
    MIC: ["MICH"],
    HID: ["HGO"],
  },
  // Provinces before 2015, by those which they became.
  CD: {
    HK: ["Katanga"],
    LU: ["Katanga"],
    TA: ["Katanga"],
    LO: ["Kasai-Oriental"],
    SA: ["Kasai-Oriental"],
    TO: ["Oriental Province", "Kisanga"],
    IT: ["Oriental Province"],
    BU: ["Oriental Province"],
    HU: ["Oriental Province"],
    BC: ["Bas-Congo"],
    KL: ["Bandundu"],
    KG: ["Bandundu"],
    MN: ["Bandundu"],
    KC: ["Kasai-Occidental"],
    KS: ["Kasai-Occidental"],
    EQ: ["Mbandaka"],
  },
  PG: {
    NCD: ["NCD"],
    EHG: ["Highlands"],
    WHM: ["Highlands"],
    SHM: ["Highlands"],
    EPW: ["Highlands"],
    HLA: ["Highlands"],
    JWK: ["Highlands"],
    CPK: ["Highlands"],
    ESW: ["Sepik"],
    SAN: ["Sepik"],
    MBA: ["MP"],
    NSB: ["Islands"],
    NIK: ["Islands"],
    EBR: ["Islands"],
    WBK: ["Islands"],
    MRL: ["Islands"],
  },
};

/** Words that say what kind of region it is, in the languages of the names. */
const KINDS =
  /\b(?:republic|region|territory|district|area|province|oblast|kra[iy]|okrug|autonomous|respublika|avtonomnyy|state|people's|of)\b/gi;

/** So many first letters alike make two names of a region the same. */
const LEAST_ALIKE = 4;

/** What is left of a region's name without the words for its kind. */
function coreOf(name) {
  return fold(name.replaceAll(KINDS, " "));
}

function isAlike(one, other) {
  const length = Math.min(one.length, other.length, 5);
  return length >= LEAST_ALIKE && one.slice(0, length) === other.slice(0, length);
}

export class Gazetteer {
  #clocks;
  #places = new Map();
  #formerNames = new Map();
  #inRegion = new Map();
  #anyInRegion = new Map();
  #regions = new Map();
  #cores = [];
  /** Places whose zone is none of their country's: left out, and told in the report. */
  strange = [];

  constructor({ places, regions }, clocks) {
    this.#clocks = clocks;
    const people = new Map();
    for (const [country, region, given, population, name, others, at] of places) {
      const zone = given.map((one) => clocks.within(one, [country])).find((one) => one !== undefined);
      if (zone === undefined) {
        if (population > 0) this.strange.push({ country, name, zone: given[0], population });
        continue;
      }
      const key = `${country} ${region}`;
      const zones = people.get(key) ?? people.set(key, new Map()).get(key);
      zones.set(zone, (zones.get(zone) ?? 0) + population);
      const place = { country, region, zone, population, name, at };
      this.#enter(this.#places, `${country} ${fold(name)}`, place);
      for (const folded of new Set(others.map(fold)))
        this.#enter(this.#formerNames, `${country} ${folded}`, place);
    }
    for (const [key, zones] of people) this.#anyInRegion.set(key, sorted(zones.keys()));
    for (const [key, zones] of people)
      this.#inRegion.set(
        key,
        sorted([...zones].flatMap(([zone, sum]) => (sum >= LEAST_PEOPLE ? [zone] : []))),
      );
    for (const { country, iso, code, names, level } of regions) {
      // Parts of regions count only where the standard has them, too: elsewhere they are called like their towns.
      if (level !== 1 && iso === "") continue;
      const [top = ""] = code.split(".");
      const short = iso.slice(3);
      const own = OTHER_NAMES[country]?.[short] ?? [];
      for (const name of names) this.#cores.push({ country, core: coreOf(name), code: top });
      for (const folded of new Set([...names, ...own, short, iso].filter(Boolean).map(fold))) {
        const key = `${country} ${folded}`;
        const codes = this.#regions.get(key) ?? this.#regions.set(key, new Set()).get(key);
        codes.add(top);
      }
    }
  }

  /** The codes of regions of this name in a country. */
  regionsNamed(country, name) {
    const found = this.#regions.get(`${country} ${fold(name)}`);
    if (found !== undefined) return [...found];
    return name.search(KINDS) !== -1 ? this.#regionsLike(country, coreOf(name)) : [];
  }

  /** `Udmurtian Republic` is `Udmurtskaya Respublika`: whatever begins alike, and all of them if several do. */
  #regionsLike(country, core) {
    if (core.length < LEAST_ALIKE) return [];
    const alike = this.#cores.filter((one) => one.country === country && isAlike(one.core, core));
    return [...new Set(alike.map(({ code }) => code))];
  }

  /** Zones in which people live in a region; empty where no place of it is known. */
  zonesOfRegion(country, code) {
    return this.#inRegion.get(`${country} ${code}`) ?? [];
  }

  /** With those in which hardly anybody lives. */
  anyZonesOfRegion(country, code) {
    return this.#anyInRegion.get(`${country} ${code}`) ?? [];
  }

  zonesOfCountry(country) {
    return this.#clocks.ofCountry(country);
  }

  /** Places of this name; where none has it today, those that have it besides or had it once. */
  placesNamed(country, name) {
    const key = `${country} ${fold(name)}`;
    return this.#places.get(key) ?? this.#formerNames.get(key) ?? [];
  }

  #enter(names, key, place) {
    (names.get(key) ?? names.set(key, []).get(key)).push(place);
  }
}
