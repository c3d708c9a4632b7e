import { describe, expect, it } from "vitest";

import { windowOf } from "../../../src/domain/campaigns/window-spec.ts";
import {
  createNeverMemo,
  NeverDialedGroups,
  whyNever,
  type NeverDialed,
} from "../../../src/domain/policy/never-dialed.ts";
import { NO_DATES } from "../../../src/domain/policy/window-dates.ts";
import { DAY_MS, dayOf } from "../../../src/domain/time/local-day.ts";

/** A Wednesday in summer: New York is 4 h behind UTC, St. John's 2.5 h, Kathmandu 5.75 h ahead. */
const NOW_MS = Date.UTC(2026, 5, 3, 12);
const OFFICE_HOURS = windowOf({ weekdays: ["09:00-18:00"] });
const FAR_APART = ["America/New_York", "Asia/Tokyo"];

describe("who can never be dialed under a window", () => {
  const reasonOf = createNeverMemo(OFFICE_HOURS, NOW_MS);

  it("is whoever has no zone, or zones that are never open at once", () => {
    expect(reasonOf([])).toBe("no_time_zone");
    expect(reasonOf(FAR_APART)).toBe("no_common_window");
    expect(createNeverMemo(windowOf({ monday: [] }), NOW_MS)(["Europe/Berlin"])).toBe("no_common_window");
  });

  it("is nobody for whom the window is open now, or will be", () => {
    expect(reasonOf(["Europe/Berlin"])).toBeUndefined();
    expect(reasonOf(["America/Los_Angeles"])).toBeUndefined();
  });

  it("is the same the second time, also where nothing is known of zones", () => {
    for (let time = 0; time < 2; time += 1) {
      expect(reasonOf(["Europe/Berlin", "Europe/Paris"])).toBeUndefined();
      expect(reasonOf(FAR_APART)).toBe("no_common_window");
      expect(reasonOf([])).toBe("no_time_zone");
    }
  });

  it("is worked out once for each set of zones: lists of a million share a few", () => {
    let looks = 0;
    const counted = {
      ...OFFICE_HOURS,
      get dates() {
        looks += 1;
        return NO_DATES;
      },
    };
    const reasonOfCounted = createNeverMemo(counted, NOW_MS);
    reasonOfCounted(["Europe/Berlin"]);
    const first = looks;
    expect(first).toBeGreaterThan(0);
    reasonOfCounted(["Europe/Berlin"]);
    expect(looks).toBe(first);
    reasonOfCounted(["Europe/Paris"]);
    expect(looks).toBeGreaterThan(first);
  });

  it("is nobody whose window opens behind days off", () => {
    const today = dayOf(NOW_MS);
    const blackouts = [{ fromDay: today, lastDay: today + 60, name: "" }];
    const closed = { ...OFFICE_HOURS, dates: { ...NO_DATES, blackouts } };
    expect(createNeverMemo(closed, NOW_MS)(["Europe/Berlin"])).toBeUndefined();
    expect(createNeverMemo(closed, NOW_MS + 30 * DAY_MS)(FAR_APART)).toBe("no_common_window");
  });
});

describe("those who can never be dialed are counted", () => {
  it("by reason, country and zones, largest group first", () => {
    const groups = new NeverDialedGroups();
    groups.add("no_common_window", "US", FAR_APART);
    groups.add("no_time_zone", undefined, []);
    groups.add("no_time_zone", undefined, []);
    groups.add("no_time_zone", "US", []);
    groups.add("no_common_window", "US", ["Asia/Tokyo"]);
    groups.add("no_common_window", undefined, []);
    groups.add("no_common_window", "US", ["Asia/Tokyo"]);
    groups.add("no_common_window", "US", ["Asia/Tokyo"]);
    expect(groups.all()).toEqual([
      { reason: "no_common_window", region: "US", zones: ["Asia/Tokyo"], contacts: 3 },
      { reason: "no_time_zone", region: null, zones: [], contacts: 2 },
      { reason: "no_common_window", region: "US", zones: FAR_APART, contacts: 1 },
      { reason: "no_time_zone", region: "US", zones: [], contacts: 1 },
      { reason: "no_common_window", region: null, zones: [], contacts: 1 },
    ]);
  });

  it("on from what was counted before, which stays as it was", () => {
    const before: readonly NeverDialed[] = [{ reason: "no_time_zone", region: "US", zones: [], contacts: 7 }];
    const groups = new NeverDialedGroups(before);
    groups.add("no_time_zone", "US", []);
    expect(groups.all()).toEqual([{ reason: "no_time_zone", region: "US", zones: [], contacts: 8 }]);
    expect(before[0]?.contacts).toBe(7);
  });

  it("in 100 groups, and what is beyond that in one for each reason", () => {
    const groups = new NeverDialedGroups();
    for (let index = 0; index < 100; index += 1) groups.add("no_common_window", `C${index}`, ["UTC"]);
    expect(groups.all()).toHaveLength(100);
    expect(groups.all().every(({ region }) => region !== null)).toBe(true);
    groups.add("no_common_window", "CX", ["UTC"]);
    groups.add("no_common_window", "CY", ["UTC"]);
    groups.add("no_time_zone", "CX", []);
    groups.add("no_common_window", "C7", ["UTC"]);
    const all = groups.all();
    expect(all).toHaveLength(102);
    expect(all.slice(0, 2)).toEqual([
      { reason: "no_common_window", region: "C7", zones: ["UTC"], contacts: 2 },
      { reason: "no_common_window", region: null, zones: [], contacts: 2 },
    ]);
    expect(all.at(-1)).toEqual({ reason: "no_time_zone", region: null, zones: [], contacts: 1 });
    expect(all.reduce((sum, { contacts }) => sum + contacts, 0)).toBe(104);
  });
});

describe("why they can never be dialed is said", () => {
  const why = (reason: NeverDialed["reason"], zones: readonly string[]) =>
    whyNever({ reason, zones }, NOW_MS);

  it("where nothing tells a zone, with what to give", () => {
    expect(why("no_time_zone", [])).toEqual({
      why: "nothing tells a time zone of theirs, and the window is kept in the contact's own",
      remedy: "give a time_zone, or a country and state, in the list",
    });
  });

  it("where the window of one zone does not open, with what to widen", () => {
    expect(why("no_common_window", ["Europe/Berlin"])).toEqual({
      why: "the window does not open in Europe/Berlin within 14 days",
      remedy: "widen the window",
    });
  });

  it.each([
    [["America/New_York", "Asia/Tokyo"], "any of 2 time zones, whose clocks are 13 h apart"],
    [["Europe/London", "America/St_Johns"], "any of 2 time zones, whose clocks are 3.5 h apart"],
    [["Asia/Kathmandu", "UTC", "Europe/London"], "any of 3 time zones, whose clocks are 5.75 h apart"],
    [["UTC", "Australia/Lord_Howe"], "any of 2 time zones, whose clocks are 10.5 h apart"],
    [[], "many time zones"],
  ])("where %j are never open at once, with how far their clocks are apart", (zones, where) => {
    expect(why("no_common_window", zones)).toEqual({
      why: `their numbers may be in ${where}: the window is never open in all of them at once`,
      remedy:
        "give a time_zone, or a country and state, for each in the list, or widen the window until it is longer than the clocks are apart",
    });
  });
});
