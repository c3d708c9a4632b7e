import { describe, expect, it } from "vitest";

import { countriesOfZone } from "../../../src/domain/time/zone-countries.ts";

describe("the countries of a zone", () => {
  it.each([
    ["America/New_York", ["US"]],
    ["America/Indiana/Indianapolis", ["US"]],
    ["Europe/Berlin", ["DE"]],
    ["Europe/Zurich", ["CH"]],
    ["Asia/Kolkata", ["IN"]],
    // The name that it had before 2022, and one that differs by its case.
    ["Europe/Kiev", ["UA"]],
    ["Europe/Kyiv", ["UA"]],
    ["asia/tokyo", ["JP"]],
    ["US/Pacific", ["US"]],
  ])("%s is in %j", (zone, countries) => {
    expect(countriesOfZone(zone)).toEqual(expect.arrayContaining(countries));
    for (const country of countriesOfZone(zone)) expect(country).toMatch(/^[A-Z]{2}$/);
  });

  it.each(["UTC", "Etc/UTC", "Etc/GMT+5", "EST", "CET", "Nowhere/Atall", ""])("%j is in none", (zone) => {
    expect(countriesOfZone(zone)).toEqual([]);
  });
});
