// The zones of number prefixes: libphonenumber's own, held against its geocoding, the places that this names, ZIP codes
// and overlays. A zone too many costs calls, a zone too few breaks the law: in doubt a set is widened.
import { areasByZip, townKey } from "./areas.mjs";
import { sorted } from "./clocks.mjs";
import { readDescription } from "./descriptions.mjs";
import { AREA_DIGITS, MOST_DIGITS, OVERLAYS } from "./plans.mjs";

/** An area with fewer longer prefixes that name known places than this is not known by them. */
const LEAST_PREFIXES = 10;

/** So many prefixes around one that name a known place tell where it is, if its own place is not known. */
const LEAST_NEIGHBOURS = 3;

/** What libphonenumber says of a clock in an area is believed where so many places bear it out, and hardly any not. */
const LEAST_HELD = 3;
const MOST_REFUTED = 0.1;

/** So many people make a town that is not easily taken for another of its name. */
const LEAST_TOWN = 20_000;

const NO_CLAIM = { held: 0, refuted: 0 };
const NOTHING_READ = { anywhere: [], bounds: [] };

const NANP = "1";

/**
 * @typedef {object} Finding a prefix of libphonenumber's that got other zones
 * @property {string} prefix
 * @property {string[]} was
 * @property {string[]} is
 * @property {string} because
 */

/** All prefixes with their zones, shortest first, and what was found on the way. */
export function prefixZones(data, clocks, gazetteer) {
  /** @type {Map<string, string[]>} */
  const table = new Map();
  /** @type {Finding[]} */
  const findings = [];
  const unread = new Map();
  let areas = new Map();
  for (const [code, members] of Object.entries(data.callingCodes)) {
    const whole = clocks.ofCountries(members.map(({ country }) => country));
    if (whole.length === 0) throw new Error(`calling code ${code} has no zone`);
    table.set(code, whole);
    if (whole.length === 1) continue;
    const plan = new Plan(code, members, data, clocks, gazetteer);
    for (const [prefix, zones] of plan.build()) table.set(prefix, zones);
    if (plan.unread > 0) unread.set(code, plan.unread);
    if (code === NANP) ({ areas } = plan);
  }
  const short = withoutRepeats(table);
  for (const [prefix, zones] of Object.entries(data.prefixZones)) {
    const is = longest(short, prefix);
    const was = sorted(zones);
    if (is !== undefined && was.join() !== is.join() && was[0] !== "Etc/Unknown")
      findings.push({ prefix, was, is });
  }
  return { table: short, findings, unread, areas };
}

/** Without prefixes that say what the next shorter one says. */
function withoutRepeats(table) {
  const kept = new Map();
  for (const prefix of byLength(table.keys())) {
    const zones = table.get(prefix);
    if (longest(kept, prefix)?.join() !== zones.join()) kept.set(prefix, zones);
  }
  return kept;
}

function byLength(prefixes) {
  return [...prefixes].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

export function longest(map, digits) {
  for (let length = digits.length; length > 0; length -= 1) {
    const found = map.get(digits.slice(0, length));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One calling code whose countries have several zones. */
class Plan {
  #code;
  #members;
  #data;
  #clocks;
  #gazetteer;
  /** Length of the shortest prefix that is an area. */
  #areaLength;
  /** What libphonenumber says, in zones of the prefix's countries. */
  #given = new Map();
  #readings = new Map();
  /** How many prefixes under one name a known place, and in which zones. */
  #groups = new Map();
  /** By area and zone: how many places bear libphonenumber out. */
  #claims = new Map();
  #sets = new Map();
  areas = new Map();
  unread = 0;

  constructor(code, members, data, clocks, gazetteer) {
    this.#code = code;
    this.#members = members;
    this.#data = data;
    this.#clocks = clocks;
    this.#gazetteer = gazetteer;
    this.#areaLength = code.length + (AREA_DIGITS[code] ?? 1);
  }

  build() {
    this.#readGiven();
    this.#readGeocodes();
    const prefixes = new Set([...this.#given.keys(), ...this.#readings.keys()]);
    if (this.#code === NANP) for (const area of Object.keys(this.#data.areas)) prefixes.add(NANP + area);
    // Areas of which every part is known, and nothing is said as a whole.
    for (const [prefix, { count }] of this.#groups)
      if (prefix.length === this.#areaLength && count >= LEAST_PREFIXES) prefixes.add(prefix);
    const ordered = byLength(prefixes).filter(
      (prefix) => prefix.length >= this.#areaLength || this.#readings.has(prefix),
    );
    for (const prefix of ordered) this.#sets.set(prefix, this.#own(prefix));
    if (this.#code === NANP) this.#knowAreas();
    this.#takeTogether(ordered);
    this.#widenUpwards();
    if (this.#code === NANP) this.#inherit();
    const known = byLength(this.#sets.keys()).filter((prefix) => this.#sets.get(prefix).length > 0);
    return new Map(known.map((prefix) => [prefix, this.#sets.get(prefix)]));
  }

  #readGiven() {
    for (const [prefix, zones] of Object.entries(this.#data.prefixZones)) {
      if (!prefix.startsWith(this.#code) || prefix === this.#code) continue;
      // Cities of other countries, which libphonenumber takes for a clock like theirs, fall away here.
      const countries = this.#countriesOf(prefix);
      this.#given.set(prefix, sorted(zones.flatMap((zone) => this.#clocks.within(zone, countries) ?? [])));
    }
  }

  #readGeocodes() {
    for (const [prefix, text] of Object.entries(this.#data.geocodes)) {
      if (!prefix.startsWith(this.#code) || prefix === this.#code) continue;
      const reading = readDescription(text, this.#countriesOf(prefix), this.#gazetteer, prefix);
      this.#readings.set(prefix, reading);
      if (!reading.isCertain) continue;
      this.#hold(prefix, reading);
      for (let length = this.#code.length + 1; length < prefix.length; length += 1) {
        const parent = prefix.slice(0, length);
        const group = this.#groups.get(parent) ?? { count: 0, zones: new Set() };
        this.#groups.set(parent, group);
        group.count += 1;
        for (const zone of reading.zones) group.zones.add(zone);
      }
    }
  }

  /** Countries whose numbers begin so: of those with digits of their own that one alone, else all without. */
  #countriesOf(prefix) {
    if (this.#code === NANP) {
      const country = this.#data.areas[prefix.slice(1, 4)];
      return country === undefined ? this.#members.map((member) => member.country) : [country];
    }
    // Long enough for every rule of leading digits.
    const national = prefix.slice(this.#code.length).padEnd(10, "0");
    const own = this.#members.filter(
      ({ leading }) => leading !== null && new RegExp(`^(?:${leading})`).test(national),
    );
    const among = own.length > 0 ? own : this.#members.filter(({ leading }) => leading === null);
    return among.map(({ country }) => country);
  }

  /** What is said of the prefix itself: libphonenumber's zones, and those of the places which it names. */
  #own(prefix) {
    // Without a geocoding of its own it has that of the next shorter prefix.
    const own = this.#readings.get(prefix);
    const reading = own ?? longest(this.#readings, prefix) ?? NOTHING_READ;
    const given = this.#notLeftOver(prefix, reading.anywhere);
    if (own === undefined && this.#isBelieved(prefix)) return given;
    // A town that everybody knows by its name says more of its own area code than libphonenumber does.
    if (own?.isCertain === true && prefix.length === this.#areaLength && own.people >= LEAST_TOWN)
      return own.zones;
    if (own?.isCertain === true) return sorted([...own.zones, ...given]);
    // The longer prefixes add their zones to its own.
    if ((own === undefined || own.isRegion) && this.#isKnownBelow(prefix)) return given;
    const around =
      this.#zonesAround(prefix, reading) ??
      (own?.isRegion === true ? own.zones : this.#clocks.ofCountries(this.#countriesOf(prefix)));
    if (own === undefined || own.isRegion) return sorted([...given, ...around]);
    this.unread += 1;
    // Of places that share a name, those that lie among the prefixes around; where none does, any.
    const chosen = own.choices.flatMap((zones) => {
      const near = zones.filter((zone) => around.includes(zone));
      return near.length > 0 ? near : zones;
    });
    return sorted([...given, ...own.zones, ...chosen, ...(own.isUnread ? around : [])]);
  }

  /**
   * Whether what libphonenumber says of a prefix without a geocoding is to be believed: in the same area it says the
   * same of prefixes that name places with that clock, and hardly ever of others.
   */
  #isBelieved(prefix) {
    const given = this.#given.get(prefix) ?? [];
    if (given.length === 0) return false;
    // Nothing is geocoded in the whole country: then nothing speaks against it.
    if (this.#readings.size === 0) return true;
    if (prefix.length <= this.#areaLength) return !this.#isKnownBelow(prefix);
    return given.every((zone) => {
      const { held, refuted } = this.#claims.get(`${prefix.slice(0, this.#areaLength)} ${zone}`) ?? NO_CLAIM;
      return held >= LEAST_HELD && refuted <= held * MOST_REFUTED;
    });
  }

  /** Counts where places bear out, or refute, what libphonenumber says of exactly their prefixes. */
  #hold(prefix, { zones }) {
    for (let length = prefix.length; length > this.#areaLength; length -= 1) {
      const given = this.#given.get(prefix.slice(0, length));
      if (given === undefined) continue;
      for (const zone of given) {
        const key = `${prefix.slice(0, this.#areaLength)} ${zone}`;
        const claim = this.#claims.get(key) ?? { held: 0, refuted: 0 };
        this.#claims.set(key, claim);
        claim[zones.includes(zone) ? "held" : "refuted"] += 1;
      }
      return;
    }
  }

  /** Whether enough longer prefixes name known places: it has their zones then. */
  #isKnownBelow(prefix) {
    return (this.#groups.get(prefix)?.count ?? 0) >= LEAST_PREFIXES;
  }

  /**
   * What libphonenumber says of the prefix or of a shorter one within its area: kept, unless all of the named region
   * keeps other clocks. What it says of an area as a whole stands for those parts of it which it did not list.
   */
  #notLeftOver(prefix, anywhere) {
    for (let length = prefix.length; length >= this.#areaLength; length -= 1) {
      const above = prefix.slice(0, length);
      const found = this.#given.get(above);
      if (found === undefined || (length === this.#areaLength && this.#isKnownBelow(above))) continue;
      return found.filter((zone) => anywhere.length === 0 || anywhere.includes(zone) || this.#isTiny(zone));
    }
    return [];
  }

  /** What is said of so few people was said on purpose. */
  #isTiny(zone) {
    const people = this.#members.map(({ country }) => this.#clocks.peopleBy(country, zone));
    return Math.max(...people) < LEAST_TOWN;
  }

  /** Zones of the smallest group of prefixes around this one that name known places, within what its region allows. */
  #zonesAround(prefix, { bounds }) {
    for (let length = prefix.length - 1; length >= this.#areaLength; length -= 1) {
      const group = this.#groups.get(prefix.slice(0, length));
      if (group === undefined || group.count < LEAST_NEIGHBOURS) continue;
      const zones = [...group.zones].filter((zone) => bounds.length === 0 || bounds.includes(zone));
      if (zones.length > 0) return zones;
    }
    return bounds.length > 0 ? bounds : undefined;
  }

  /** Area codes of +1, by ZIP codes or by their exchanges; by their state where there is nothing finer. */
  #knowAreas() {
    const isKnown = (area) => this.#isKnownBelow(NANP + area);
    this.areas = areasByZip(this.#data, this.#namedUnderAreas(), isKnown, this.#clocks, this.#gazetteer);
    for (const area of Object.keys(this.#data.areas)) {
      const byZip = this.areas.get(area);
      // Their territory is known whole: what libphonenumber says beyond it is a leftover.
      const given = this.#given.get(NANP + area) ?? [];
      if (byZip !== undefined && byZip.zones.length > 0)
        this.#sets.set(NANP + area, sorted([...byZip.zones, ...given.filter((zone) => this.#isTiny(zone))]));
      else if (isKnown(area) || OVERLAYS[area] !== undefined) this.#sets.set(NANP + area, given);
    }
  }

  /** Codes of the states, and towns with their state, that the geocoding names under each area code. */
  #namedUnderAreas() {
    const named = new Map();
    for (const [prefix, text] of Object.entries(this.#data.geocodes)) {
      if (!prefix.startsWith(NANP) || prefix.length < this.#areaLength) continue;
      const area = prefix.slice(1, 4);
      const of = named.get(area) ?? named.set(area, new Set()).get(area);
      for (const state of this.#gazetteer.regionsNamed("US", text)) of.add(state);
      const [, towns, name] = /^(.+), ([^,]+)$/.exec(text) ?? [];
      if (towns === undefined) continue;
      for (const state of this.#gazetteer.regionsNamed("US", name)) {
        of.add(state);
        for (const town of towns.split("/")) of.add(townKey(state, town));
      }
    }
    return named;
  }

  /** Prefixes of more digits than tell anything, as one. */
  #takeTogether(ordered) {
    const most = MOST_DIGITS[this.#code];
    if (most === undefined) return;
    for (const prefix of ordered) {
      if (prefix.length <= most) continue;
      const short = prefix.slice(0, most);
      this.#sets.set(short, sorted([...(this.#sets.get(short) ?? []), ...this.#sets.get(prefix)]));
      this.#sets.delete(prefix);
    }
  }

  /** A longer prefix that nobody listed may be in any zone of those around it that somebody did. */
  #widenUpwards() {
    for (const prefix of byLength(this.#sets.keys()).reverse()) {
      for (let length = prefix.length - 1; length > this.#code.length; length -= 1) {
        const above = this.#sets.get(prefix.slice(0, length));
        if (above === undefined) continue;
        this.#sets.set(prefix.slice(0, length), sorted([...above, ...this.#sets.get(prefix)]));
        break;
      }
    }
  }

  #inherit() {
    for (const [area, overlaid] of Object.entries(OVERLAYS)) {
      const from = overlaid.flatMap((one) => this.#sets.get(NANP + one) ?? []);
      this.#sets.set(NANP + area, sorted([...(this.#sets.get(NANP + area) ?? []), ...from]));
    }
  }
}
