import { describe, expect, it } from "vitest";

import { openingOf, type Place } from "../../dashboard/src/pages/campaign/opening.ts";

/** As whoever runs the tests reads a time of day. */
function read(hour: number, minute = 0): string {
  const clock = new Intl.DateTimeFormat([], {
    timeZone: "UTC",
    hour: "2-digit",
    minute: "2-digit",
  });
  return clock.format(Date.UTC(2026, 0, 1, hour, minute));
}

const AT = "2026-11-27T14:12:00.000Z";
const NEW_YORK: Place = {
  open: [{ from: AT, until: "2026-11-28T02:00:00.000Z" }],
  local: [{ at: "2026-11-27T09:12:00-05:00", zones: ["America/New_York"] }],
};

describe("what is said of a place of people to call", () => {
  it("is by one clock, theirs", () => {
    const { now, opening, yours } = openingOf(NEW_YORK, AT);
    expect([now, opening]).toEqual([`it is ${read(9, 12)}`, `open until ${read(21)}`]);
    expect(yours).toContain("your browser's clock");
    const later = { ...NEW_YORK, open: [{ from: "2026-11-28T13:00:00Z", until: "2026-11-28T14:00:00Z" }] };
    expect(openingOf(later, AT).opening).toBe(`opens ${read(8)}`);
  });

  it("heeds that clocks there change until then", () => {
    const place: Place = {
      open: [{ from: "2026-11-01T14:00:00Z", until: "2026-11-01T20:00:00Z" }],
      local: [{ at: "2026-10-31T20:00:00-04:00", zones: ["America/New_York"] }],
    };
    expect(openingOf(place, "2026-11-01T00:00:00Z").opening).toBe(`opens ${read(9)}`);
  });

  it("goes by the offset where the browser does not know the zone", () => {
    const place = { ...NEW_YORK, local: [{ at: "2026-11-27T19:57:00+05:45", zones: ["Asia/Newer"] }] };
    expect(openingOf(place, AT).opening).toBe(`open until ${read(7, 45)}`);
  });

  it("says where nobody may be called at all", () => {
    expect(openingOf({ ...NEW_YORK, open: [] }, AT)).toMatchObject({
      opening: "not within 24 hours",
      yours: undefined,
    });
  });
});
