import { describe, expect, it } from "vitest";

import { strictZonesOf, zonesOfContact } from "../../src/contacts/contact-zones.ts";
import { foldedName } from "../../src/contacts/header-aliases.ts";
import { normalisePhone, type NormalisedPhone } from "../../src/contacts/phone.ts";
import { readContacts } from "../../src/contacts/read-contacts.ts";
import { regionZones } from "../../src/contacts/zone-data/region-zones.ts";
import { zoneData, zonesOfPhone } from "../../src/contacts/zones.ts";
import { seededRandom } from "../support/random.ts";
import { pieces } from "./support/rows.ts";
import { covers } from "./support/zone-evidence.ts";

function phone(number: string): NormalisedPhone {
  const read = normalisePhone(number);
  if (!read.ok) throw new Error(`${number}: ${read.code}`);
  return read;
}

const NEW_YORK = "+12125550100";
const TALLAHASSEE_OR_PENSACOLA = "+18505550123";
const TORONTO = "+14165550123";
const MOSCOW_MOBILE = "+79161234567";
const PERTH_OR_ELSEWHERE = "+61412345678";
const US = zoneData().ofCountry("US");

interface Case {
  readonly what: string;
  readonly number: string;
  readonly country?: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly zones: readonly string[];
  readonly strict?: readonly string[];
  readonly by?: string;
}

const cases: readonly Case[] = [
  { what: "a number alone", number: NEW_YORK, zones: ["America/New_York"], strict: US, by: "number" },
  {
    what: "a state by its code",
    number: TALLAHASSEE_OR_PENSACOLA,
    state: "GA",
    zones: ["America/New_York"],
    by: "state",
  },
  { what: "a state by its name", number: NEW_YORK, state: "new york", zones: ["America/New_York"] },
  {
    what: "a state of two clocks",
    number: NEW_YORK,
    state: "FL",
    zones: ["America/Chicago", "America/New_York"],
  },
  {
    what: "a state that the number speaks against: they may have moved, or not",
    number: NEW_YORK,
    state: "CA",
    zones: ["America/Los_Angeles", "America/New_York"],
  },
  {
    what: "a ZIP code",
    number: TALLAHASSEE_OR_PENSACOLA,
    postalCode: "32501",
    zones: ["America/Chicago"],
    by: "postal_code",
  },
  {
    what: "a ZIP code before its state",
    number: TALLAHASSEE_OR_PENSACOLA,
    state: "FL",
    postalCode: "32301-1234",
    zones: ["America/New_York"],
  },
  {
    what: "a ZIP code whose zeros a spreadsheet took",
    number: NEW_YORK,
    postalCode: "2139",
    zones: ["America/New_York"],
  },
  {
    what: "a ZIP+4 whose zeros a spreadsheet took",
    number: NEW_YORK,
    postalCode: "21391234",
    zones: ["America/New_York"],
  },
  {
    what: "three digits, which are the beginning of a ZIP code or two zeros short of one",
    number: NEW_YORK,
    country: "US",
    postalCode: "945",
    zones: ["America/Los_Angeles", "America/New_York", "America/Puerto_Rico"],
    by: "postal_code",
  },
  {
    what: "three digits that no code begins with, and so many zeros short of one",
    number: NEW_YORK,
    postalCode: "100",
    zones: ["America/New_York"],
  },
  {
    what: "three digits of which only one reading is in its state",
    number: "+14155550123",
    state: "California",
    postalCode: "945",
    zones: ["America/Los_Angeles"],
  },
  {
    what: "three digits that are two zeros short, by the state",
    number: "+17875550123",
    state: "PR",
    postalCode: "945",
    zones: ["America/Puerto_Rico"],
  },
  {
    what: "three digits of which no reading is in its state",
    number: NEW_YORK,
    state: "NY",
    postalCode: "945",
    zones: ["America/Los_Angeles", "America/New_York", "America/Puerto_Rico"],
  },
  {
    what: "three digits that a code of the forces begins with, who may be anywhere",
    number: NEW_YORK,
    postalCode: "962",
    zones: [...US, "America/Puerto_Rico"].toSorted(),
  },
  {
    what: "three digits of the forces, in their state",
    number: NEW_YORK,
    state: "CA",
    postalCode: "962",
    zones: ["America/Los_Angeles", "America/New_York"],
  },
  {
    what: "four digits, which are one zero short and nothing else",
    number: "+14155550123",
    postalCode: "8701",
    zones: ["America/Los_Angeles", "America/New_York"],
  },
  {
    what: "a ZIP code where the row names no more than a calling code, whichever country's the number is",
    number: TORONTO,
    country: "+1",
    postalCode: "90210",
    zones: ["America/Los_Angeles", "America/Toronto"],
  },
  {
    what: "a state where the row names no more than a calling code, whichever country's the number is",
    number: "+77011234567",
    country: "7",
    state: "Камчатский край",
    zones: ["Asia/Kamchatka"],
  },
  {
    what: "a state of a country that shares the number's calling code",
    number: "+77172701234",
    state: "Камчатский край",
    zones: ["Asia/Almaty", "Asia/Kamchatka"],
  },
  {
    what: "a Canadian postal code under a country that a form filled in",
    number: NEW_YORK,
    country: "US",
    postalCode: "v5k 0a1",
    zones: [...US, "America/Dawson_Creek", "America/Edmonton", "America/Vancouver"].toSorted(),
  },
  {
    what: "a province under a country that a form filled in",
    number: NEW_YORK,
    country: "US",
    state: "BC",
    zones: [...US, "America/Dawson_Creek", "America/Edmonton", "America/Vancouver"].toSorted(),
  },
  {
    what: "a ZIP code under a country that a form filled in",
    number: TORONTO,
    country: "CA",
    postalCode: "90210",
    zones: ["America/Los_Angeles", ...zoneData().ofCountry("CA")].toSorted(),
  },
  {
    what: "a ZIP code of a territory that a row has for a country",
    number: "+17875550123",
    country: "Puerto Rico",
    postalCode: "945",
    zones: ["America/Los_Angeles", "America/Puerto_Rico"],
  },
  {
    what: "a ZIP code that speaks against its state",
    number: NEW_YORK,
    state: "NY",
    postalCode: "90001",
    zones: ["America/Los_Angeles", "America/New_York"],
  },
  {
    what: "a ZIP code that nobody knows, in its state",
    number: NEW_YORK,
    state: "TX",
    postalCode: "00000",
    zones: ["America/Chicago", "America/Denver", "America/New_York"],
  },
  {
    what: "a ZIP code that nobody knows, anywhere in the country",
    number: NEW_YORK,
    postalCode: "00000",
    zones: US,
  },
  {
    what: "a ZIP code of Puerto Rico",
    number: NEW_YORK,
    postalCode: "00901",
    zones: ["America/New_York", "America/Puerto_Rico"],
  },
  {
    what: "Puerto Rico as the post has it",
    number: "+17875550123",
    state: "PR",
    zones: ["America/Puerto_Rico"],
  },
  {
    what: "a Canadian postal code",
    number: TORONTO,
    postalCode: "S4P 3Y2",
    zones: ["America/Regina", "America/Toronto", "America/Winnipeg"],
  },
  {
    what: "a postal code of the number's own province",
    number: TORONTO,
    postalCode: "k1a0b1",
    zones: ["America/Atikokan", "America/Toronto", "America/Winnipeg"],
  },
  {
    what: "a province",
    number: "+13065550123",
    state: "Saskatchewan",
    zones: ["America/Regina", "America/Winnipeg"],
  },
  {
    what: "a country which is the number's own",
    number: NEW_YORK,
    country: "USA",
    zones: ["America/New_York"],
    strict: US,
    by: "country",
  },
  {
    what: "a country which is not the number's",
    number: "+4915112345678",
    country: "Japan",
    zones: ["Asia/Tokyo", "Europe/Berlin"],
  },
  {
    what: "a calling code for a country",
    number: NEW_YORK,
    country: "1",
    zones: ["America/New_York"],
    strict: US,
  },
  {
    what: "a country of a mobile that may be anywhere under its code",
    number: MOSCOW_MOBILE,
    country: "KZ",
    zones: ["Asia/Almaty"],
  },
  {
    what: "a state of a mobile that may be anywhere in its country",
    number: PERTH_OR_ELSEWHERE,
    state: "WA",
    zones: ["Australia/Perth"],
  },
  {
    what: "a state in the language of the country",
    number: MOSCOW_MOBILE,
    state: "Московская область",
    zones: ["Europe/Moscow"],
  },
  {
    what: "a state of the country that the row names",
    number: "+4915112345678",
    country: "US",
    state: "Hawaii",
    zones: ["Europe/Berlin", "Pacific/Honolulu"],
  },
  {
    what: "a number of no country",
    number: "+80012345678",
    country: "Portugal",
    state: "Açores",
    zones: ["Atlantic/Azores"],
  },
  {
    what: "a state that is none",
    number: NEW_YORK,
    state: "won",
    zones: ["America/New_York"],
    strict: US,
    by: "number",
  },
  {
    what: "a state of a country with one clock",
    number: "+4915112345678",
    state: "Bayern",
    zones: ["Europe/Berlin"],
    by: "number",
  },
  {
    what: "a postal code of a country of which none are known",
    number: "+34612345678",
    postalCode: "28013",
    zones: ["Atlantic/Canary", "Europe/Madrid"],
    by: "number",
  },
];

describe("where a contact may be", () => {
  it.each(cases)("by $what", ({ number, country = "", state = "", postalCode = "", zones, strict, by }) => {
    const found = zonesOfContact(phone(number), { country, state, postalCode });
    expect(found.zones).toEqual(zones);
    expect(found.strictZones).toEqual(strict ?? zones);
    if (by !== undefined) expect(found.placedBy).toBe(by);
  });

  it("is told apart by the names of states: the United States and Canada share none", () => {
    const namesOf = (wanted: string) =>
      regionZones.flatMap(([country, , names]) =>
        country === wanted ? names.split("|").map(foldedName) : [],
      );
    const canadian = new Set(namesOf("CA"));
    expect(canadian.size).toBeGreaterThan(13);
    expect(namesOf("US").filter((name) => canadian.has(name))).toEqual([]);
  });

  it("names the cells that it could not understand, unless they can tell nothing", () => {
    const unread = (number: string, state: string, postalCode: string, country = "") =>
      zonesOfContact(phone(number), { country, state, postalCode }).unread;
    expect(unread(NEW_YORK, "won", "n/a", "Atlantis")).toEqual([
      { column: "country", value: "Atlantis" },
      { column: "state", value: "won" },
      { column: "postal_code", value: "n/a" },
    ]);
    expect(unread("+4915112345678", "won", "80331")).toEqual([]);
    expect(unread(NEW_YORK, "NY", "00000")).toEqual([]);
  });

  it("is never less under strict, whatever the row says", () => {
    const random = seededRandom("zones of rows");
    const any = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
    const numbers = [
      NEW_YORK,
      TALLAHASSEE_OR_PENSACOLA,
      TORONTO,
      MOSCOW_MOBILE,
      PERTH_OR_ELSEWHERE,
      "+18005550123",
      "+18762101234",
      "+442071838750",
      "+551132345678",
    ];
    const countries = ["", "", "US", "CA", "KZ", "AU", "1", "Germany", "nowhere"];
    const states = ["", "", "CA", "FL", "QC", "WA", "Texas", "Bayern", "Bahia", "won"];
    const codes = ["", "", "10001", "32501", "945", "962", "00000", "V5K 0A1", "D1D 1D1", "n/a"];
    for (let round = 0; round < 3_000; round += 1) {
      const cells = { country: any(countries), state: any(states), postalCode: any(codes) };
      const number = phone(any(numbers));
      const { zones, strictZones } = zonesOfContact(number, cells);
      expect(zones.length).toBeGreaterThan(0);
      for (const zone of zones)
        expect(covers(strictZones, zone), JSON.stringify({ cells, number })).toBe(true);
    }
  });

  it("is found again under strict for somebody who was taken without it", () => {
    const newYork = phone(NEW_YORK);
    expect(strictZonesOf(newYork, zonesOfPhone(newYork))).toEqual(US);
    expect(strictZonesOf(newYork, ["America/Los_Angeles", "America/New_York"])).toEqual([
      "America/Los_Angeles",
      "America/New_York",
    ]);
  });
});

describe("the columns of a place", () => {
  async function rowsOf(text: string, options: Parameters<typeof readContacts>[1] = {}) {
    const rows = [];
    for await (const chunk of readContacts(pieces(text), options)) rows.push(...chunk.rows);
    return rows;
  }

  it.each<readonly [string, string]>([
    ["State", "Zip"],
    ["state_province", "ZIP Code"],
    ["Provincia", "Código postal"],
    ["Bundesland", "PLZ"],
  ])("are found as %s and %s, and handed to the agent as before", async (state, zip) => {
    const [row] = await rowsOf(`phone,${state},${zip}\n${TALLAHASSEE_OR_PENSACOLA},Florida,32501\n`);
    expect(row).toMatchObject({
      zones: ["America/Chicago"],
      placedBy: "postal_code",
      variables: { [state]: "Florida", [zip]: "32501" },
    });
  });

  it("are found in NDJSON, too", async () => {
    const [row] = await rowsOf(`{"phone":"${TALLAHASSEE_OR_PENSACOLA}","state":"FL","zip":32501}\n`, {
      format: "ndjson",
    });
    expect(row).toMatchObject({ zones: ["America/Chicago"], variables: { state: "FL", zip: "32501" } });
  });

  it("are named by the mapping, whose names are variables as any renamed column's", async () => {
    const text = `phone,Where,Nation\n2125550100,Texas,US\n`;
    const map = { state: "Where", country: "Nation" };
    const [row] = await rowsOf(text, { map });
    expect(row).toMatchObject({
      kind: "contact",
      placedBy: "state",
      variables: { state: "Texas", country: "US" },
    });
    const line = JSON.stringify({ phone: "2125550100", Where: "Texas", Nation: "US" });
    const [same] = await rowsOf(`${line}\n`, { map, format: "ndjson" });
    expect(same).toMatchObject({
      kind: "contact",
      placedBy: "state",
      variables: { state: "Texas", country: "US" },
    });
  });

  it("say nothing beside a time zone", async () => {
    const [row] = await rowsOf(`phone,state,tz\n${NEW_YORK},CA,Europe/Berlin\n`);
    expect(row).toMatchObject({
      zones: ["Europe/Berlin"],
      strictZones: ["Europe/Berlin"],
      placedBy: "time_zone",
      unread: [],
    });
  });

  it("that speak of the phone's country alone are none", async () => {
    const [row] = await rowsOf(`phone,phone_country\n${NEW_YORK},DE\n`);
    expect(row).toMatchObject({ zones: ["America/New_York"], placedBy: "number" });
  });
});
