import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { earliestStretchMs, moneyDayAt, stretchBegunMs } from "../../../src/domain/campaigns/money-day.ts";
import { DAY_MS } from "../../../src/domain/time/local-day.ts";

const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(text);

describe("a day of money", () => {
  it.each([
    ["UTC", "2026-06-01T23:59:59Z", "2026-06-01", "2026-06-01T00:00:00Z", 24],
    ["America/New_York", "2026-06-02T03:59:00Z", "2026-06-01", "2026-06-01T04:00:00Z", 24],
    ["America/New_York", "2026-03-08T12:00:00Z", "2026-03-08", "2026-03-08T05:00:00Z", 23],
    ["America/New_York", "2026-11-01T12:00:00Z", "2026-11-01", "2026-11-01T04:00:00Z", 25],
    ["Asia/Kathmandu", "2026-06-01T18:15:00Z", "2026-06-02", "2026-06-01T18:15:00Z", 24],
    // Its clocks leave out midnight: the day begins at one.
    ["Africa/Cairo", "2026-04-24T10:00:00Z", "2026-04-24", "2026-04-23T22:00:00Z", 23],
    // An hour after midnight it is midnight again: that is no other day.
    ["America/Havana", "2025-11-02T05:30:00Z", "2025-11-02", "2025-11-02T04:00:00Z", 25],
    // A minute after midnight it was the evening before again, and the new day had begun.
    ["America/St_Johns", "2010-11-07T03:00:00Z", "2010-11-07", "2010-11-07T02:30:00Z", 25],
  ])("of %s at %s is %s, from %s on, for %i hours", (zone, now, date, begins, hours) => {
    const day = moneyDayAt(at(now), zone);
    expect(day).toMatchObject({ zone, date, beginsAtMs: at(begins) });
    expect((day.endsAtMs - day.beginsAtMs) / HOUR_MS).toBe(hours);
  });

  it("of a zone that nobody has data of is that of UTC, and says so", () => {
    expect(moneyDayAt(at("2026-06-01T23:00:00Z"), "Atlantis/Poseidonis")).toEqual(
      moneyDayAt(at("2026-06-01T23:00:00Z"), "UTC"),
    );
  });

  it("follows the one before without a gap, whatever the clocks do", () => {
    const zones = ["UTC", "America/New_York", "Africa/Cairo", "America/Havana", "Australia/Lord_Howe"];
    const moment = fc.integer({ min: at("2008-01-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moment, (zone, nowMs) => {
        const day = moneyDayAt(nowMs, zone);
        expect(day.beginsAtMs).toBeLessThanOrEqual(nowMs);
        expect(day.endsAtMs).toBeGreaterThan(nowMs);
        expect(moneyDayAt(day.endsAtMs - 1, zone)).toEqual(day);
        expect(moneyDayAt(day.endsAtMs, zone).beginsAtMs).toBe(day.endsAtMs);
      }),
    );
  });

  it("has stretches of spending that begin with the last of the days that bind it", () => {
    const nowMs = at("2026-06-02T12:00:00Z");
    const newYork = moneyDayAt(nowMs, "America/New_York");
    expect(stretchBegunMs(nowMs, [])).toBe(at("2026-06-02T00:00:00Z"));
    expect(stretchBegunMs(nowMs, [newYork])).toBe(at("2026-06-02T04:00:00Z"));
    expect(
      stretchBegunMs(at("2026-06-02T02:00:00Z"), [
        moneyDayAt(at("2026-06-02T02:00:00Z"), "America/New_York"),
      ]),
    ).toBe(at("2026-06-02T00:00:00Z"));
    expect(earliestStretchMs(newYork)).toBe(newYork.beginsAtMs - DAY_MS);
  });
});
