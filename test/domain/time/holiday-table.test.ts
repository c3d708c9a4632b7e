import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";

import { FIRST_YEAR, LAST_YEAR, PACKAGE_VERSION } from "../../../src/domain/time/holiday-data.ts";
import { allHolidayPlaces, workedOut } from "../../../src/domain/time/holiday-package.ts";
import { isTabled, tabledHolidays, tableOf } from "../../../src/domain/time/holiday-table.ts";
import { holidayOn } from "../../../src/domain/time/holidays.ts";
import { DAY_MS } from "../../../src/domain/time/local-day.ts";
import { seededRandom } from "../../support/random.ts";

const AGAIN = "run `npm run holidays`";

describe("the table of holidays", () => {
  it("was written from the package that is installed, for two years ahead and more", () => {
    const { version } = createRequire(import.meta.url)("date-holidays/package.json") as { version: string };
    expect(PACKAGE_VERSION, AGAIN).toBe(version);
    expect(LAST_YEAR, AGAIN).toBeGreaterThanOrEqual(new Date().getUTCFullYear() + 2);
  });

  it("has every place that the package knows", () => {
    expect(
      allHolidayPlaces().filter((place) => !isTabled(place)),
      AGAIN,
    ).toEqual([]);
    expect(isTabled("XX")).toBe(false);
  });

  it("has what the package works out, in a year of each place", () => {
    const random = seededRandom("years of holidays");
    for (const place of allHolidayPlaces()) {
      const year = FIRST_YEAR + Math.floor(random() * (LAST_YEAR - FIRST_YEAR + 1));
      const tabled = [...(tabledHolidays(place, year) ?? [])].sort(([a], [b]) => a - b);
      const listed = [...workedOut(place, year)].sort(([a], [b]) => a - b);
      expect([place, year, tabled], AGAIN).toEqual([place, year, listed]);
    }
  });

  it("leaves other years to the package", () => {
    expect(tabledHolidays("DE", FIRST_YEAR - 1)).toBeUndefined();
    expect(tabledHolidays("DE", LAST_YEAR + 1)).toBeUndefined();
    const unity = Date.UTC(LAST_YEAR + 1, 9, 3) / DAY_MS;
    expect(holidayOn("DE", unity)?.name).toBe("National Holiday");
  });

  it("says of a part what it has beyond the whole, and what it lacks", () => {
    const first = Date.UTC(2026, 0, 1) / DAY_MS;
    const whole = new Map([[first, { name: "New Year", startMinute: 0 }]]);
    const part = new Map([[first + 357, { name: "Eve", startMinute: 840 }]]);
    const years = { firstYear: 2026, lastYear: 2026 };
    expect(tableOf(["DE", "DE-BY"], years, (place) => (place === "DE" ? whole : part))).toEqual({
      names: "New Year\nEve",
      places: "DE 0.0\nDE-BY !0.0,357@840.1",
    });
  });
});
