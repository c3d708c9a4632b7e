import { getCountries, getCountryCallingCode, type CountryCode } from "libphonenumber-js/max";
import { foldedName } from "./header-aliases.ts";
import { phoneRegion, type NationalHome } from "./phone.ts";

// The languages of the header aliases: a list with a column "Land" says "Deutschland".
const nameLanguages = [
  "en",
  "de",
  "fr",
  "es",
  "pt",
  "it",
  "nl",
  "pl",
  "cs",
  "sv",
  "da",
  "nb",
  "fi",
  "tr",
  "id",
  "ru",
];

const otherNames: readonly (readonly [string, CountryCode])[] = [
  ["usa", "US"],
  ["unitedstatesofamerica", "US"],
  ["america", "US"],
  ["uk", "GB"],
  ["greatbritain", "GB"],
  ["england", "GB"],
  ["uae", "AE"],
  ["turkey", "TR"],
  ["holland", "NL"],
  ["czechrepublic", "CZ"],
  ["southkorea", "KR"],
];

const callingCodes = new Set<string>(getCountries().map((region) => getCountryCallingCode(region)));

let names: Map<string, CountryCode | undefined> | undefined;

function countryNames(): Map<string, CountryCode | undefined> {
  if (names !== undefined) return names;
  names = new Map();
  for (const language of nameLanguages) {
    const display = new Intl.DisplayNames([language], { type: "region" });
    for (const region of getCountries()) {
      const name = foldedName(display.of(region) ?? region);
      // One name for two countries in two languages says nothing.
      names.set(name, names.has(name) && names.get(name) !== region ? undefined : region);
    }
  }
  for (const [name, region] of otherNames) names.set(name, region);
  return names;
}

/**
 * Reads a country cell: an ISO code, a calling code (`49`, `+49`, `0049`), or a country's name in one of the
 * languages above. Undefined if it is none of them.
 */
export function nationalHome(cell: string): NationalHome | undefined {
  const text = cell.trim();
  const region = phoneRegion(text);
  if (region !== undefined) return { region };
  const callingCode = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(text.replace(/\s/g, ""))?.[1];
  if (callingCode !== undefined) return callingCodes.has(callingCode) ? { callingCode } : undefined;
  const named = countryNames().get(foldedName(text));
  return named === undefined ? undefined : { region: named };
}
