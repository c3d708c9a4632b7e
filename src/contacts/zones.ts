import type { NormalisedPhone } from "./phone.ts";
import { PrefixTrie } from "./prefix-trie.ts";
import { countryZones } from "./zone-data/country-zones.ts";
import { prefixZones } from "./zone-data/prefix-zones.ts";
import { canonicalZone } from "./zone-names.ts";
import { zoneSet, type ZoneSet } from "./zone-set.ts";

/** The time zones of number prefixes and of countries: docs/zone-data.md says where they are from. */
export interface ZoneData {
  /** Every set that a number can be answered with. Windows are computed once a set, so their number matters. */
  readonly zoneSets: readonly ZoneSet[];
  /** Zones of a calling code as a whole; empty for those of no country (+800, +883...). */
  wholeCode(callingCode: string): ZoneSet;
  /** Zones by the longest prefix that the data has for these digits (calling code included, no `+`). */
  longestPrefix(digits: string): { readonly zones: ZoneSet; readonly length: number };
  /** Zones of a country (ISO 3166-1 alpha-2), one for each of its clocks; empty if there is no such country. */
  ofCountry(country: string): ZoneSet;
}

const nanp = "1";

// "1" and the area code.
const nanpAreaLength = 4;

const none = zoneSet([]);

/** Reads `Zone&Zone` of the data. Throws if the time zone data in force lacks one of them. */
export function zonesOfData(names: string): ZoneSet {
  return zoneSet(
    names.split("&").map((name) => {
      const result = canonicalZone(name);
      if (result.ok) return result.zone;
      throw new Error(
        `The time zone data in force does not know ${name}, which the phone prefix data names: unset OUTDIAL_ZONE_DATA, or have it name newer data.`,
      );
    }),
  );
}

function build(): ZoneData {
  const trie = new PrefixTrie();
  const zoneSets: ZoneSet[] = [];
  for (const [names, prefixes] of prefixZones) {
    const zones = zonesOfData(names);
    zoneSets.push(zones);
    for (const prefix of prefixes.split(" ")) trie.set(prefix, zones);
  }
  const countries = new Map<string, ZoneSet>();
  for (const [names, codes] of countryZones)
    for (const code of codes.split(" ")) countries.set(code, zonesOfData(names));
  const unknown = { zones: none, length: 0 };
  const longestPrefix = (digits: string) => trie.longest(digits) ?? unknown;
  return {
    zoneSets,
    wholeCode: (callingCode) => longestPrefix(callingCode).zones,
    longestPrefix,
    ofCountry: (country) => countries.get(country) ?? none,
  };
}

let loaded: ZoneData | undefined;

/** Reads the data once a process (some 40 ms); throws if the time zone data in force lacks a zone. */
export function zoneData(): ZoneData {
  loaded ??= build();
  return loaded;
}

/**
 * Every IANA zone that the owner of a valid number may be in; empty if nothing is known (+800, +883...).
 *
 * A proven fixed line, and any geographic number of +1 (where mobiles have area codes, too), is placed by the
 * longest prefix; one of an area code that the data does not know may be anywhere in its country. Everything else,
 * including numbers that may be mobile, may be anywhere under its calling code: mobiles roam a country, and
 * toll-free, VoIP or personal numbers say nothing of a place.
 */
export function zonesOfPhone(phone: NormalisedPhone): ZoneSet {
  const data = zoneData();
  const { callingCode } = phone;
  if (!isPlacedByPrefix(phone)) return data.wholeCode(callingCode);
  const { zones, length } = data.longestPrefix(phone.phone.slice(1));
  if (callingCode === nanp && length < nanpAreaLength) return countryOf(phone);
  return zones;
}

/** Whether the digits of the number tell more of a place than its calling code. */
export function isPlacedByPrefix({ callingCode, type }: NormalisedPhone): boolean {
  return (
    type === "FIXED_LINE" || (callingCode === nanp && (type === "FIXED_LINE_OR_MOBILE" || type === "MOBILE"))
  );
}

/**
 * The same without trust in a prefix of +1, whose numbers are ported, and stay with people who move: every zone of
 * the number's country. Elsewhere mobiles are placed nowhere anyway.
 */
export function zonesWithoutPrefix(phone: NormalisedPhone): ZoneSet {
  return phone.callingCode === nanp && isPlacedByPrefix(phone) ? countryOf(phone) : zonesOfPhone(phone);
}

/** All of the country that the numbering plan gives the number to; all of its calling code where it names none. */
function countryOf({ region, callingCode }: NormalisedPhone): ZoneSet {
  const data = zoneData();
  const zones = region === undefined ? none : data.ofCountry(region);
  return zones.length > 0 ? zones : data.wholeCode(callingCode);
}
