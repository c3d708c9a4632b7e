import { describe, expect, it } from "vitest";

import type { CallingWindow } from "../../../src/domain/policy/calling-window.ts";
import { meetsTransferHours, neverMeetText } from "../../../src/domain/policy/common-hours.ts";
import type { TransferPolicy } from "../../../src/domain/policy/dialing-policy.ts";
import type { PlacedRule } from "../../../src/domain/policy/presets/placed-rule.ts";
import { NO_DATES } from "../../../src/domain/policy/window-dates.ts";
import { dayOfDate } from "../../../src/domain/time/local-day.ts";

type Hours = NonNullable<TransferPolicy["hours"]>;

const ZONE = "Etc/UTC";
const NEW_YORK = "America/New_York";
const range = (from: number, to: number) => ({ startMinute: from * 60, endMinute: to * 60 });
const daily = (from: number, to: number) => Array.from({ length: 7 }, () => [range(from, to)]);
const weekly = (from: number, to: number): CallingWindow => ({ kind: "weekly", days: daily(from, to) });
/** Open on one date alone. */
const onDate = (date: string, from: number, to: number): CallingWindow => {
  const day = dayOfDate(date);
  return {
    kind: "weekly",
    days: Array.from({ length: 7 }, () => []),
    dates: {
      ...NO_DATES,
      exceptions: [{ fromDay: day, lastDay: day, name: "", ranges: [range(from, to)] }],
    },
  };
};
const there = (window: CallingWindow, zone = ZONE): Hours => ({ window, zone });
const meets = (
  window: CallingWindow,
  hours: Hours | undefined,
  at: string,
  { zones = [ZONE], places }: { zones?: readonly string[]; places?: readonly string[] } = {},
) =>
  meetsTransferHours(
    { window, transfers: hours === undefined ? {} : { hours } },
    { zones, places },
    Date.parse(at),
  );

describe("whether somebody can be called while those who take transferred calls are there", () => {
  it("is so where no hours of theirs are said", () => {
    expect(meets(weekly(9, 10), undefined, "2026-12-01T00:00Z")).toBe(true);
    expect(meetsTransferHours({ window: weekly(9, 10) }, { zones: [ZONE] }, 0)).toBe(true);
  });

  it("is so where both are open at once for a while, and not where one ends as the other begins", () => {
    expect(meets(weekly(9, 10), there(weekly(9, 12)), "2026-12-01T00:00Z")).toBe(true);
    expect(meets(weekly(9, 10), there(weekly(10, 12)), "2026-12-01T00:00Z")).toBe(false);
    // By the clocks of each: nine in New York is two in the afternoon here.
    const here = there(weekly(14, 15));
    expect(meets(weekly(9, 10), here, "2026-12-01T00:00Z", { zones: [NEW_YORK] })).toBe(true);
    expect(meets(weekly(9, 10), here, "2026-12-01T00:00Z", { zones: [ZONE] })).toBe(false);
  });

  it("is asked anew once the last time at which they were is over, whichever moment was asked about before", () => {
    const window = onDate("2026-12-20", 9, 10);
    const hours = there(weekly(8, 18));
    const asked: [string, boolean][] = [
      ["2026-12-19T12:00Z", true],
      // More than two weeks ahead, it is none.
      ["2026-12-01T12:00Z", false],
      ["2026-12-01T13:00Z", false],
      ["2026-12-19T12:00Z", true],
      ["2026-12-20T09:59Z", true],
      ["2026-12-20T10:00Z", false],
      ["2026-12-20T09:59Z", true],
      ["2026-12-20T21:00Z", false],
    ];
    for (const [at, isSo] of asked) expect([at, meets(window, hours, at)]).toEqual([at, isSo]);
  });

  it("is another question for the same people there, and another window", () => {
    const hours = there(weekly(9, 12));
    expect(meets(weekly(10, 11), hours, "2026-12-01T00:00Z")).toBe(true);
    expect(meets(weekly(12, 13), hours, "2026-12-01T00:00Z")).toBe(false);
  });

  it("is another one where rules of places differ, be the zones the same", () => {
    const floridian: PlacedRule = {
      text: "evenings",
      territory: { kind: "places", places: ["US-FL"] },
      days: daily(18, 20),
    };
    const window: CallingWindow = { ...weekly(9, 20), presets: [floridian] };
    const hours = there(weekly(9, 12), NEW_YORK);
    const at = (place: string) =>
      meets(window, hours, "2026-12-01T00:00Z", { zones: [NEW_YORK], places: [place] });
    expect([at("US-NY"), at("US-FL"), at("US-NY")]).toEqual([true, false, true]);
    // Of whom nobody knows where they are, all rules hold that may.
    expect(meets(window, hours, "2026-12-01T00:00Z", { zones: [NEW_YORK] })).toBe(false);
  });

  it("is so but for days off and holidays: these put off, and give up nobody", () => {
    const day = dayOfDate("2026-12-01");
    const away: CallingWindow = {
      ...weekly(9, 12),
      dates: { ...NO_DATES, blackouts: [{ fromDay: day, lastDay: day + 29, name: "" }] },
    };
    expect(meets(away, there(weekly(9, 12)), "2026-12-01T00:00Z")).toBe(true);
    expect(meets(away, there(weekly(13, 14)), "2026-12-01T00:00Z")).toBe(false);
    // They are there on Christmas Day alone, on which a preset has nobody called.
    const christmas: PlacedRule = {
      text: "holidays",
      territory: { kind: "places", places: ["US"] },
      holidays: ["US"],
    };
    const evenings: PlacedRule = { text: "hours", territory: christmas.territory, days: daily(17, 20) };
    const under = (presets: readonly PlacedRule[], from: number, to: number) =>
      meets(
        { kind: "always", presets },
        there(onDate("2026-12-25", from, to), NEW_YORK),
        "2026-12-20T00:00Z",
        {
          zones: [NEW_YORK],
          places: ["US-NY"],
        },
      );
    expect(under([christmas], 9, 10)).toBe(true);
    expect(under([christmas, evenings], 18, 19)).toBe(true);
    // Hours hold all the same.
    expect(under([christmas, evenings], 9, 10)).toBe(false);
  });

  it("is told with the zones that were looked at, where any are known", () => {
    const text =
      "no time within 14 days at which the window is open and those who take transferred calls are there, by the clocks of Etc/UTC";
    expect(neverMeetText([ZONE, NEW_YORK], there(weekly(9, 12)))).toBe(
      `zones Etc/UTC, America/New_York: ${text}`,
    );
    expect(neverMeetText([], there(weekly(9, 12)))).toBe(text);
  });
});
