import Holidays from "date-holidays";
import { describe, expect, it } from "vitest";

import { countriesOfPlace, holidayOn, holidayPlaceProblem } from "../../../src/domain/time/holidays.ts";
import { DAY_MS } from "../../../src/domain/time/local-day.ts";
import { countriesOfZone } from "../../../src/domain/time/zone-countries.ts";

const dayOf = (date: string) => Date.parse(`${date}T00:00Z`) / DAY_MS;
const on = (place: string, date: string) => holidayOn(place, dayOf(date));

/** Dates of a year, as what is printed on calendars there. */
function datesOf(place: string, year: number): string[] {
  const dates: string[] = [];
  for (let day = dayOf(`${year}-01-01`); day < dayOf(`${year + 1}-01-01`); day += 1) {
    if (holidayOn(place, day)?.startMinute === 0)
      dates.push(new Date(day * DAY_MS).toISOString().slice(5, 10));
  }
  return dates;
}

describe("public holidays", () => {
  it.each([
    // The eleven of 5 U.S.C. 6103; Independence Day of 2026 is a Saturday, which is kept on the Friday before.
    ["US", 2026, "01-01 01-19 02-16 05-25 06-19 07-03 07-04 09-07 10-12 11-11 11-26 12-25".split(" ")],
    ["DE", 2026, "01-01 04-03 04-06 05-01 05-14 05-25 10-03 12-25 12-26".split(" ")],
    ["GB-ENG", 2026, "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-26 12-28".split(" ")],
    ["FR", 2026, "01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25".split(" ")],
    // A year before, to see that the movable ones move.
    ["DE", 2027, "01-01 03-26 03-29 05-01 05-06 05-17 10-03 12-25 12-26".split(" ")],
  ])("of %s in %i are those of its calendar", (place, year, dates) => {
    expect(datesOf(place, year)).toEqual(expect.arrayContaining(dates));
    // What the package has beyond, it may have: but no day of which nobody there has heard.
    expect(datesOf(place, year).length).toBeLessThanOrEqual(dates.length + 2);
  });

  it("of a part of a country are its own and the country's", () => {
    expect(on("DE-BY", "2026-01-06")?.name).toBe("Epiphany");
    expect(on("DE", "2026-01-06")).toBeUndefined();
    expect(on("DE-BY", "2026-10-03")).toBeDefined();
    expect(on("DE-BE", "2026-03-08")).toBeDefined();
    expect(on("DE-BY", "2026-03-08")).toBeUndefined();
  });

  it("of a place within a part are its own as well", () => {
    expect(on("DE-BY-A", "2026-08-08")).toMatchObject({ startMinute: 0 });
    expect(on("DE-BY", "2026-08-08")).toBeUndefined();
    expect(on("DE-BY-A", "2026-01-06")?.name).toBe("Epiphany");
  });

  it("that last into the next year do so there", () => {
    const days = ["2026-12-27", "2026-12-28", "2026-12-31", "2027-01-02", "2027-01-03"];
    expect(days.map((day) => on("SZ", day)?.name)).toEqual([
      undefined,
      "Incwala Festival",
      "Incwala Festival",
      "Incwala Festival",
      undefined,
    ]);
  });

  it("on which the clocks go back end with their day", () => {
    expect(on("AT", "2025-10-26")?.name).toBe("National Holiday");
    expect(on("AT", "2025-10-27")).toBeUndefined();
  });

  it("that take the whole of a day take it, whatever else begins on it at noon", () => {
    expect(on("AS", "2027-12-24")).toEqual({ name: "Christmas Day (substitute day)", startMinute: 0 });
    expect(on("AS", "2026-12-24")).toMatchObject({ startMinute: 720 });
  });

  it("are said in English, whatever the country speaks", () => {
    expect(on("DE", "2026-12-25")).toEqual({ name: "Christmas Day", startMinute: 0 });
    expect(on("JP", "2026-05-05")?.name).toMatch(/^[ -~]+$/);
  });

  it("that begin at sunset begin at 18:00 of the evening before, and end with their day", () => {
    // Yom Kippur of 2026: from the evening of Sunday, 20 September.
    expect(on("IL", "2026-09-20")).toMatchObject({ startMinute: 1_080 });
    expect(on("IL", "2026-09-21")).toMatchObject({ startMinute: 0 });
    expect(on("IL", "2026-09-22")).toBeUndefined();
  });

  it("are none on days that are merely observed, and none of schools", () => {
    // Father's Day and Valentine's Day are in the package, as observances.
    expect(on("US", "2026-02-14")).toBeUndefined();
    expect(on("US", "2026-06-21")).toBeUndefined();
  });

  it("that are so from noon on leave the morning", () => {
    expect(on("DE", "2026-12-24")).toEqual({ name: "Christmas Eve", startMinute: 840 });
    expect(on("DE", "2026-12-31")).toEqual({ name: "New Year's Eve", startMinute: 840 });
    expect(on("DE", "2027-01-01")).toEqual({ name: "New Year's Day", startMinute: 0 });
  });

  it("do not depend on the clock of the machine", () => {
    const { TZ } = process.env;
    try {
      const dates = ["Pacific/Kiritimati", "Etc/UTC", "Pacific/Pago_Pago"].map((zone, index) => {
        process.env["TZ"] = zone;
        // Years that nobody has asked for: what is known is kept.
        return datesOf("AU-NSW", 2030 + index).filter((date) => date === "04-25" || date === "12-25");
      });
      expect(dates).toEqual([
        ["04-25", "12-25"],
        ["04-25", "12-25"],
        ["04-25", "12-25"],
      ]);
    } finally {
      if (TZ === undefined) delete process.env["TZ"];
      else process.env["TZ"] = TZ;
    }
  });
});

/** All that the package knows. */
function allPlaces(): string[] {
  const all = new Holidays();
  return Object.keys(all.getCountries()).flatMap((country) => [
    country,
    ...Object.keys(all.getStates(country) ?? {}).flatMap((state) => [
      `${country}-${state}`,
      ...Object.keys(all.getRegions(country, state) ?? {}).map((region) => `${country}-${state}-${region}`),
    ]),
  ]);
}

describe("every place that is known", () => {
  const places = allPlaces();
  const countries = new Set(Intl.supportedValuesOf("timeZone").flatMap(countriesOfZone));

  it("is taken, and has holidays that can be read", () => {
    expect(places.length).toBeGreaterThan(600);
    for (const place of places) {
      expect([place, holidayPlaceProblem(place)]).toEqual([place, undefined]);
      expect([place, datesOf(place, 2026).length > 0]).toEqual([place, true]);
    }
  });

  it("lies in a zone that there is: nobody names a place in vain", () => {
    const nowhere = places.filter(
      (place) => !countriesOfPlace(place).some((country) => countries.has(country)),
    );
    expect(nowhere).toEqual([]);
  });
});

describe("a place whose holidays are asked for", () => {
  it.each(["US", "US-CA", "DE", "DE-BY", "DE-BY-A", "GB-SCT", "IL"])("%s is known", (place) => {
    expect(holidayPlaceProblem(place)).toBeUndefined();
  });

  it.each([
    ["", "two-letter code"],
    ["us", "two-letter code"],
    ["USA", "two-letter code"],
    ["XX", "two-letter code"],
    ["constructor", "two-letter code"],
    ["US-PR", "goes by a code of its own: give PR"],
    ["FR-NC", "give NC"],
    ["DE-XX", "is no part of DE: DE-BB, DE-BE, DE-BW, DE-BY"],
    ["DE-BY-A-B", "is no part of DE-BY: DE-BY-A"],
    ["DE-BY-toString", "is no part of DE-BY"],
    ["DE-", "is no part of DE"],
    ["JP-13", "has a part that is not known: give JP"],
  ])("%j is not, and it is said what is", (place, words) => {
    expect(holidayPlaceProblem(place)).toContain(words);
  });
});
