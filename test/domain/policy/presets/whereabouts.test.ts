import { describe, expect, it } from "vitest";

import type { PlacedRule } from "../../../../src/domain/policy/presets/placed-rule.ts";
import {
  holidayPlacesOf,
  rulesByZone,
  rulesKeyFor,
} from "../../../../src/domain/policy/presets/rules-by-zone.ts";
import {
  countriesOfZones,
  mayBeIn,
  zonesWithin,
  type Territory,
} from "../../../../src/domain/policy/presets/whereabouts.ts";

const NEW_YORK = "America/New_York";
const PARIS = "Europe/Paris";

const of = (...places: string[]): Territory => ({ kind: "places", places });
const elsewhereThan = (...except: string[]): Territory => ({ kind: "elsewhere", except });

describe("whether somebody may be where a rule holds", () => {
  it.each([
    ["is in the state", of("US-FL"), ["US-FL"], true],
    ["is in another", of("US-FL"), ["US-NY"], false],
    ["is in its country, nobody knows where", of("US-FL"), ["US"], true],
    ["is in a state of the country", of("US"), ["US-NY"], true],
    ["is in one of two places", of("US-FL"), ["US-NY", "US-FL"], true],
    ["is in another country", of("US-FL"), ["CA"], false],
    ["is elsewhere than a country that is spoken of", elsewhereThan("FR"), ["US-NY"], true],
    ["is in a country that is spoken of", elsewhereThan("US"), ["US-NY"], false],
  ])("who %s", (_name, territory, places, mayBe) => {
    expect(mayBeIn(territory, places, [NEW_YORK])).toBe(mayBe);
  });

  it("goes by the zones where no place is known, and holds for everybody where these say nothing", () => {
    expect(mayBeIn(of("FR"), [], [PARIS])).toBe(true);
    expect(mayBeIn(of("DE"), [], [PARIS])).toBe(false);
    // One of two zones is enough.
    expect(mayBeIn(of("FR"), [], [NEW_YORK, PARIS])).toBe(true);
    // Of a zone of no country, and of no zone, nobody can tell.
    expect(mayBeIn(of("DE"), [], ["UTC"])).toBe(true);
    expect(mayBeIn(of("DE"), [], [PARIS, "UTC"])).toBe(true);
    expect(mayBeIn(of("DE"), [], [])).toBe(true);
  });

  it("knows the countries of zones, and none where one of them is of none", () => {
    expect(countriesOfZones([PARIS])).toContain("FR");
    expect(countriesOfZones([PARIS])).not.toContain("US");
    expect(countriesOfZones([PARIS, "UTC"])).toBeUndefined();
    expect(countriesOfZones([])).toBeUndefined();
  });

  it("has the clocks of a rule's own zones, or all where they can't be told", () => {
    expect(zonesWithin(of("FR"), [NEW_YORK, PARIS])).toEqual([PARIS]);
    expect(zonesWithin(of("FR"), [NEW_YORK, "UTC"])).toEqual(["UTC"]);
    expect(zonesWithin(of("FR"), [NEW_YORK])).toEqual([NEW_YORK]);
    expect(zonesWithin(elsewhereThan("FR"), [NEW_YORK, PARIS])).toEqual([NEW_YORK, PARIS]);
  });
});

const range = (from: number, to: number) => ({ startMinute: from * 60, endMinute: to * 60 });
const daily = (from: number, to: number) => Array.from({ length: 7 }, () => [range(from, to)]);
const hours = (territory: Territory, from: number, to: number): PlacedRule => ({
  text: "hours",
  territory,
  days: daily(from, to),
});

describe("rules of places, zone by zone", () => {
  it("are one window of the hours that all of them allow, in the zones where they hold", () => {
    const rules = [hours(of("US"), 8, 21), hours(of("US-FL"), 9, 20), hours(of("FR"), 10, 13)];
    const found = rulesByZone(rules, [NEW_YORK], ["US-FL"]);
    expect(found.map(({ zone, under }) => ({ zone, under }))).toEqual([
      {
        zone: NEW_YORK,
        under: { kind: "weekly", days: daily(9, 20), dates: expect.objectContaining({ holidays: [] }) },
      },
    ]);
    expect(rulesByZone([], [NEW_YORK], ["US-FL"])).toEqual([]);
    expect(rulesByZone(rules, ["Asia/Tokyo"], ["JP"])).toEqual([]);
  });

  it("leave no hour where they share none, not an empty one where one ends as the other begins", () => {
    const [only] = rulesByZone([hours(of("US"), 8, 12), hours(of("US-FL"), 12, 20)], [NEW_YORK], ["US-FL"]);
    expect(only?.under.days).toEqual(Array.from({ length: 7 }, () => []));
  });

  it("leave the hours to others where a rule is of holidays, which stand one place at a time", () => {
    const rules: PlacedRule[] = [
      hours(of("US"), 8, 21),
      { text: "holidays", territory: of("US"), holidays: ["US-MS", "US-AL"] },
    ];
    const found = rulesByZone(rules, [NEW_YORK], ["US-AL"]);
    expect(found.map(({ under }) => [under.days[0], under.dates.holidays])).toEqual([
      [[range(8, 21)], []],
      [[range(0, 24)], ["US-AL"]],
      [[range(0, 24)], ["US-MS"]],
    ]);
    expect(new Set(found.map(({ key }) => key)).size).toBe(3);
  });

  it("are kept apart by whom they hold for: people under other rules have another key", () => {
    const rules = [hours(of("US-FL"), 8, 20), { ...hours(of("US-NY"), 9, 20) }];
    const keyOf = (places: string[]) => rulesKeyFor(rules, [NEW_YORK], places);
    expect([keyOf(["US-FL"]), keyOf(["US-NY"]), keyOf(["US-FL", "US-NY"]), keyOf(["US-GA"])]).toEqual([
      "0",
      "1",
      "0,1",
      "",
    ]);
    // Of whom no place is known, by the zones.
    expect(rulesKeyFor(rules, [NEW_YORK], [])).toBe("0,1");
    expect(rulesKeyFor(rules, [PARIS], [])).toBe("");
  });

  it("have holidays of the contact's own country in their key, so that a Frenchman's are no Swiss one's", () => {
    const own: PlacedRule[] = [{ text: "holidays", territory: elsewhereThan("US"), holidays: "own" }];
    expect(rulesKeyFor(own, [PARIS], ["FR"])).toBe("0:FR");
    expect(rulesKeyFor(own, [PARIS], ["CH"])).toBe("0:CH");
    expect(rulesByZone(own, [PARIS], ["FR"]).map(({ under }) => under.dates.holidays)).toEqual([[], ["FR"]]);
    expect(rulesByZone(own, [PARIS], ["CH"]).map(({ under }) => under.dates.holidays)).toEqual([[], ["CH"]]);
  });

  it("keep holidays of every country that somebody may be in and the rule speaks of, as far as they are known", () => {
    const own: PlacedRule = { text: "holidays", territory: elsewhereThan("US"), holidays: "own" };
    expect(holidayPlacesOf(own, [PARIS], ["FR", "CH", "FR"])).toEqual(["CH", "FR"]);
    expect(holidayPlacesOf(own, [PARIS], ["US-NY", "FR"])).toEqual(["FR"]);
    // Nobody has the holidays of a country that there is not.
    expect(holidayPlacesOf(own, [PARIS], ["XX", "FR"])).toEqual(["FR"]);
    expect(holidayPlacesOf(own, [PARIS], [])).toContain("FR");
    expect(holidayPlacesOf(own, ["UTC"], [])).toEqual([]);
    expect(holidayPlacesOf({ ...own, holidays: ["US-AL"] }, [PARIS], ["FR"])).toEqual(["US-AL"]);
    expect(
      holidayPlacesOf({ text: "hours", territory: of("FR"), days: daily(8, 9) }, [PARIS], ["FR"]),
    ).toEqual([]);
  });
});
