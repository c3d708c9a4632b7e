import { describe, expect, it } from "vitest";

import { strictPlacesOf } from "../../src/contacts/contact-places.ts";
import { readContact } from "../../src/contacts/one-contact.ts";
import { normalisePhone, type NormalisedPhone } from "../../src/contacts/phone.ts";
import { statesOfAreas, statesOfZips } from "../../src/contacts/zone-data/us-states.ts";

interface Case {
  what: string;
  number: string;
  country?: string;
  state?: string;
  postalCode?: string;
  timeZone?: string;
  places: readonly string[];
  /** Where it differs. */
  strict?: readonly string[];
}

const MIAMI = "+13055550143";
const MANHATTAN = "+12125550143";

const CASES: readonly Case[] = [
  { what: "an area code", number: MIAMI, places: ["US-FL"], strict: ["US"] },
  { what: "an overlay of it", number: "+17865550143", places: ["US-FL"], strict: ["US"] },
  {
    what: "an area code that two states share",
    number: "+12015550143",
    places: ["US-NJ", "US-NY"],
    strict: ["US"],
  },
  { what: "a state that is the number's", number: MIAMI, state: "FL", places: ["US-FL"] },
  { what: "a state by its name", number: MIAMI, state: "florida", places: ["US-FL"] },
  {
    what: "a state that is not the number's: both",
    number: MANHATTAN,
    state: "FL",
    places: ["US-FL", "US-NY"],
  },
  {
    what: "a ZIP code that is not the number's: both",
    number: MANHATTAN,
    postalCode: "33101",
    places: ["US-FL", "US-NY"],
  },
  { what: "a ZIP code in a state of two clocks", number: MIAMI, postalCode: "32501", places: ["US-FL"] },
  {
    what: "a ZIP code that lost its zero",
    number: MANHATTAN,
    postalCode: "2903",
    places: ["US-NY", "US-RI"],
  },
  {
    what: "three digits that are of two states",
    number: MANHATTAN,
    postalCode: "063",
    places: ["US-CT", "US-NY"],
  },
  {
    what: "a ZIP code that three digits would leave open",
    number: MANHATTAN,
    postalCode: "06390",
    places: ["US-NY"],
  },
  {
    what: "a ZIP code that speaks against its state: both",
    number: MIAMI,
    state: "TX",
    postalCode: "02903",
    places: ["US-FL", "US-RI", "US-TX"],
  },
  {
    what: "a ZIP code of the forces: any state",
    number: MIAMI,
    postalCode: "09012",
    places: ["US-FL"],
    strict: ["US"],
  },
  {
    what: "the country of a number that has a state",
    number: MIAMI,
    country: "USA",
    places: ["US-FL"],
    strict: ["US"],
  },
  {
    what: "another country: both",
    number: MIAMI,
    country: "France",
    places: ["FR", "US-FL"],
    strict: ["FR", "US"],
  },
  {
    what: "the state of a foreign number: both",
    number: "+33612345678",
    state: "",
    country: "US",
    places: ["FR", "US"],
  },
  { what: "a toll-free number: either country", number: "+18005550143", places: ["CA", "US"] },
  {
    what: "a toll-free number with a state: that",
    number: "+18005550143",
    state: "LA",
    country: "US",
    places: ["US-LA"],
  },
  { what: "a province", number: "+14165550143", state: "ON", places: ["CA"] },
  {
    what: "a postal code of Canada with a number of a state",
    number: MIAMI,
    postalCode: "M5V 3L9",
    places: ["CA", "US-FL"],
  },
  { what: "Puerto Rico, which is a country of its own", number: "+17875550143", places: ["PR"] },
  { what: "Puerto Rico as a state", number: MIAMI, state: "PR", places: ["PR", "US-FL"] },
  { what: "a mobile of France", number: "+33612345678", places: ["FR"] },
  { what: "a number of Jersey, which is not the United Kingdom", number: "+441534123456", places: ["JE"] },
  { what: "a number of no country", number: "+80012345678", places: [] },
  {
    what: "a time zone in which the state is",
    number: MIAMI,
    timeZone: "America/Chicago",
    places: ["US-FL"],
    strict: ["US"],
  },
  {
    what: "a time zone by another name of its clock",
    number: MIAMI,
    timeZone: "America/Detroit",
    places: ["US-FL"],
    strict: ["US"],
  },
  {
    what: "a time zone in which the state is not: any state",
    number: MIAMI,
    timeZone: "America/Denver",
    places: ["US"],
  },
  {
    what: "a time zone of another country: both",
    number: MIAMI,
    timeZone: "Asia/Seoul",
    places: ["KR", "US-FL"],
    strict: ["KR", "US"],
  },
  {
    what: "a time zone with the state beside it",
    number: MIAMI,
    timeZone: "America/Denver",
    state: "CO",
    places: ["US-CO", "US-FL"],
  },
];

describe("countries and states that a contact may be in", () => {
  it.each(CASES)("by $what", ({ number, places, strict, ...row }) => {
    const found = readContact(number, row);
    expect(found).toMatchObject({ ok: true, places, strictPlaces: strict ?? places });
  });

  it("are never fewer under `zones: strict`", () => {
    for (const { number, places: _places, strict: _strict, ...row } of CASES) {
      const found = readContact(number, row);
      if (!found.ok) throw new Error(found.reason);
      for (const place of found.places)
        expect(
          found.strictPlaces.includes(place) || found.strictPlaces.includes(place.slice(0, 2)),
          place,
        ).toBe(true);
    }
  });

  it("under `zones: strict` are those of the country where only the prefix told the state", () => {
    const phone = normalisePhone(MIAMI) as NormalisedPhone;
    expect(strictPlacesOf(phone, ["US-FL"])).toEqual(["US"]);
    expect(strictPlacesOf(phone, ["US-FL", "US-NY"])).toEqual(["US-FL", "US-NY"]);
  });
});

describe("the states of area codes and ZIP codes", () => {
  const states = (rows: readonly (readonly [string, string])[]) =>
    new Set(rows.flatMap(([names]) => names.split("&")));

  it("name every state and the capital", () => {
    const of = states(statesOfAreas);
    expect(of.size).toBe(51);
    for (const state of of) expect(states(statesOfZips).has(state), state).toBe(true);
  });

  it("have no prefix twice", () => {
    for (const rows of [statesOfAreas, statesOfZips]) {
      const all = rows.flatMap(([, prefixes]) => prefixes.split(" "));
      expect(new Set(all).size).toBe(all.length);
    }
  });
});
