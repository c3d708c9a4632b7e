import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";

import { normalisePhone, type NormalisedPhone } from "../../src/contacts/phone.ts";
import { isPlacedByPrefix, zoneData, zonesOfPhone, zonesWithoutPrefix } from "../../src/contacts/zones.ts";
import { sized } from "../support/long.ts";
import { seededRandom } from "../support/random.ts";
import { areaTowns, covers, placesNamed, readGeocodes, zonesOfCountries } from "./support/zone-evidence.ts";

const countriesOfCode = new Map<string, string[]>();
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  countriesOfCode.set(code, [...(countriesOfCode.get(code) ?? []), country]);
}

const severalClocks = new Set(
  [...countriesOfCode]
    .filter(([, countries]) => new Set(countries.flatMap((one) => zonesOfCountries.get(one) ?? [])).size > 1)
    .map(([code]) => code),
);
const geocodes = readGeocodes(severalClocks);

function codeOf(prefix: string): string {
  return [1, 2, 3].map((length) => prefix.slice(0, length)).find((code) => severalClocks.has(code)) ?? "";
}

const zonesOfPrefix = (prefix: string): readonly string[] => zoneData().longestPrefix(prefix).zones;

/** The prefix, and those with one digit more of which nothing else is said. */
function withRest(prefix: string): string[] {
  return [prefix, ...Array.from({ length: 10 }, (_, digit) => `${prefix}${digit}`)].filter(
    (one) => one === prefix || !geocodes.has(one),
  );
}

describe("the zones of a prefix", () => {
  it.each<readonly [string, string, readonly string[]]>([
    ["Recife", "5581", ["America/Recife", "America/Noronha"]],
    ["Belem", "5591", ["America/Belem"]],
    ["Santarem", "5593", ["America/Santarem"]],
    ["Maraba", "5594", ["America/Belem"]],
    ["the west of the Amazon", "5597", ["America/Manaus", "America/Eirunepe"]],
    ["Saratov", "7845", ["Europe/Saratov"]],
    ["the overlay of Florida's 850", "1448", ["America/New_York", "America/Chicago"]],
    ["the overlay of Kentucky's 270", "1364", ["America/New_York", "America/Chicago"]],
    ["the overlay of Indiana's 812", "1930", ["America/New_York", "America/Chicago"]],
    ["the overlay of Idaho's 208", "1986", ["America/Boise", "America/Los_Angeles"]],
    ["the overlay of Oregon's 541", "1458", ["America/Boise", "America/Los_Angeles"]],
    ["the newest code of Saskatchewan", "1474", ["America/Regina"]],
    ...["236", "257", "672", "778"].map(
      (area) =>
        [
          `the overlay ${area} of British Columbia`,
          `1${area}`,
          ["America/Vancouver", "America/Edmonton", "America/Dawson_Creek", "America/Creston"],
        ] as const,
    ),
    ...["367", "581"].map(
      (area) =>
        [`the overlay ${area} of Quebec's 418`, `1${area}`, ["America/Toronto", "America/Halifax"]] as const,
    ),
    ["the overlay of Newfoundland's 709", "1879", ["America/St_Johns", "America/Goose_Bay"]],
    ["the Congolese east", "2436", ["Africa/Lubumbashi"]],
    ["Bougainville", "6759", ["Pacific/Bougainville"]],
    ["the archipelagos of Polynesia", "689409", ["Pacific/Marquesas", "Pacific/Gambier"]],
  ])("of %s (+%s) have the clocks of %j", (_where, prefix, wanted) => {
    for (const one of withRest(prefix))
      expect(
        wanted.filter((zone) => !covers(zonesOfPrefix(one), zone)),
        one,
      ).toEqual([]);
  });

  it("of an area code that is newer than the data are those of its country", () => {
    // No area code, so that it stays newer.
    const unheard: NormalisedPhone = {
      ok: true,
      phone: "+12999234567",
      region: "US",
      callingCode: "1",
      type: "FIXED_LINE_OR_MOBILE",
    };
    expect(zonesOfPhone(unheard)).toEqual(zoneData().ofCountry("US"));
    expect(zonesOfPhone({ ...unheard, region: undefined })).toEqual(zoneData().wholeCode("1"));
  });

  // Some hundred thousand look-ups, and a year of clocks for some four hundred zones.
  it("have the clock of every place of 5,000 people that its geocoding names", { timeout: 120_000 }, () => {
    let held = 0;
    const lacking: string[] = [];
    for (const [prefix, text] of geocodes) {
      for (const { name, zone, people } of placesNamed(
        prefix,
        text,
        countriesOfCode.get(codeOf(prefix)) ?? [],
      )) {
        held += 1;
        const bad = withRest(prefix).find((one) => !covers(zonesOfPrefix(one), zone));
        if (bad !== undefined)
          lacking.push(`+${bad} (${text}) lacks ${zone} of ${name}, ${people}: ${zonesOfPrefix(bad).join()}`);
      }
    }
    expect(held).toBeGreaterThan(25_000);
    expect(lacking).toEqual([]);
  });

  it("have the clock of the largest town in each part of an area code", () => {
    const lacking = areaTowns.filter(({ area, zone }) =>
      // 555 is no exchange that anybody listed.
      [`1${area}`, `1${area}555`].some((prefix) => !covers(zonesOfPrefix(prefix), zone)),
    );
    expect(areaTowns.length).toBeGreaterThan(350);
    expect(lacking).toEqual([]);
  });

  it("have every clock of its countries, where it is a whole calling code", () => {
    const lacking = [...countriesOfCode].flatMap(([code, countries]) =>
      countries.flatMap((country) =>
        (zonesOfCountries.get(country) ?? []).filter(
          (zone) => !covers(zoneData().wholeCode(code), zone) || !covers(zoneData().ofCountry(country), zone),
        ),
      ),
    );
    expect(lacking).toEqual([]);
  });
});

/** A number that may be valid: with the first digits of some known prefix of the country, or with none. */
function someNumber(
  random: () => number,
  country: string,
  prefixes: readonly string[],
  lengths: readonly number[],
) {
  const code = getCountryCallingCode(country as Parameters<typeof getCountryCallingCode>[0]);
  const digits = lengths[Math.floor(random() * lengths.length)] ?? 9;
  const known = prefixes[Math.floor(random() * prefixes.length)];
  let number = random() < 0.6 && known !== undefined ? known : code;
  while (number.length < code.length + digits) number += String(Math.floor(random() * 10));
  return `+${number}`;
}

/** Zones of places that are certainly within the prefixes of this number. */
function certainZones(phone: NormalisedPhone): string[] {
  const digits = phone.phone.slice(1);
  const countries = countriesOfCode.get(phone.callingCode) ?? [];
  if (!isPlacedByPrefix(phone)) return countries.flatMap((country) => zonesOfCountries.get(country) ?? []);
  if (!severalClocks.has(phone.callingCode)) return [...(zonesOfCountries.get(phone.region ?? "") ?? [])];
  for (let length = digits.length; length > phone.callingCode.length; length -= 1) {
    const prefix = digits.slice(0, length);
    const text = geocodes.get(prefix);
    if (text !== undefined && length > 4) return placesNamed(prefix, text, countries).map(({ zone }) => zone);
  }
  // Nothing is said of its exchange, unless by the program's own data.
  const isOfArea = phone.callingCode === "1" && zoneData().longestPrefix(digits).length <= 4;
  return isOfArea ? areaTowns.filter(({ area }) => digits.startsWith(area, 1)).map(({ zone }) => zone) : [];
}

describe("random numbers of all countries", () => {
  it("lack no clock of a place that is within their prefix", { timeout: 240_000 }, () => {
    const random = seededRandom("zones of random numbers");
    const prefixes = new Map<string, string[]>();
    for (const prefix of geocodes.keys()) {
      const code = codeOf(prefix);
      const known = prefixes.get(code);
      if (known) known.push(prefix);
      else prefixes.set(code, [prefix]);
    }
    for (const [code, known] of prefixes) prefixes.set(code, known.slice(-4_001));
    const countries = getCountries();
    const seen = new Set<string>();
    const lacking: string[] = [];
    const enough = sized({ short: 20_000, long: 40_000 });
    let valid = 0;
    for (let tries = 0; valid < enough && tries < 2_000_000; tries += 1) {
      const country = countries[tries % countries.length] ?? "US";
      const code = getCountryCallingCode(country);
      const phone = normalisePhone(someNumber(random, country, prefixes.get(code) ?? [], [7, 8, 9, 10]));
      if (!phone.ok) continue;
      valid += 1;
      seen.add(phone.region ?? "");
      const zones = zonesOfPhone(phone);
      for (const zone of certainZones(phone))
        if (!covers(zones, zone)) lacking.push(`${phone.phone} lacks ${zone}: ${zones.join()}`);
      const wider = zonesWithoutPrefix(phone);
      for (const zone of zones)
        if (!covers(wider, zone)) lacking.push(`${phone.phone} in all of its country lacks ${zone}`);
    }
    expect(valid).toBe(enough);
    expect(seen.size).toBeGreaterThan(200);
    expect(lacking.slice(0, 20)).toEqual([]);
  });
});
