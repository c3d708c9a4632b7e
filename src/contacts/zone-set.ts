/** IANA zones: sorted, each once, frozen; equal sets are the same array. */
export type ZoneSet = readonly string[];

// Bounded by the sets in the prefix data and the single zones that there are: some 800 together.
const interned = new Map<string, ZoneSet>();

/** The one set of these canonical zone names. */
export function zoneSet(zones: Iterable<string>): ZoneSet {
  const sorted = [...new Set(zones)].sort();
  const key = sorted.join("&");
  const known = interned.get(key);
  if (known !== undefined) return known;
  const set: ZoneSet = Object.freeze(sorted);
  interned.set(key, set);
  return set;
}
