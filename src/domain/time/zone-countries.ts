import { createRequire } from "node:module";

/*
 * Which countries a time zone is in, as IANA's zone1970.tab has it: the package moment-timezone carries it beside the
 * rules of the zones. It changes with countries, not with clocks, so that the shipped release is always good for it.
 */

let known:
  | { byZone: ReadonlyMap<string, readonly string[]>; groups: ReadonlyMap<string, string> }
  | undefined;

function table() {
  known ??= read(createRequire(import.meta.url)("moment-timezone/data/packed/latest.json"));
  return known;
}

function read({ countries, links }: { countries: readonly string[]; links: readonly string[] }) {
  const byZone = new Map<string, string[]>();
  for (const text of countries) {
    const [country = "", zones = ""] = text.split("|");
    for (const zone of zones.toLowerCase().split(" "))
      byZone.set(zone, [...(byZone.get(zone) ?? []), country]);
  }
  const groups = new Map<string, string>();
  for (const text of links) {
    const [target = "", name = ""] = text.toLowerCase().split("|");
    groups.set(name, target);
  }
  // The name that a zone goes by today may itself be a link of the data, and its old name another.
  for (const [name, target] of groups) {
    const own = byZone.get(name);
    if (own !== undefined && !byZone.has(target)) byZone.set(target, own);
  }
  return { byZone, groups };
}

/**
 * Countries (ISO 3166-1) that a zone is in, by its name or any of its links. Empty for one that is of no country, as UTC
 * is, and for short names such as EST and CET, which people use in more countries than the data has them in.
 */
export function countriesOfZone(zone: string): readonly string[] {
  if (!zone.includes("/")) return [];
  const name = zone.toLowerCase();
  const { byZone, groups } = table();
  return byZone.get(name) ?? byZone.get(groups.get(name) ?? "") ?? [];
}
