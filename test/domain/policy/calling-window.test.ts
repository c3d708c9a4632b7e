import { describe, expect, it } from "vitest";

import {
  createWindowMemo,
  DAY_NAMES,
  DEFAULT_WINDOW_SPEC,
  findOpenings,
  windowStatus,
  type CallingWindow,
} from "../../../src/domain/policy/calling-window.ts";
import { parseMinuteRange } from "../../../src/domain/policy/minute-range.ts";
import { type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { windowOf } from "../../../src/domain/campaigns/window-spec.ts";

type WindowSpec = Exclude<CampaignSpecInput["window"], "always" | undefined>;

const at = (iso: string): number => {
  const momentMs = Date.parse(iso);
  if (Number.isNaN(momentMs)) throw new Error(`not an instant: ${iso}`);
  return momentMs;
};
const iso = (momentMs: number | undefined) =>
  momentMs === undefined ? undefined : new Date(momentMs).toISOString().replace(":00.000Z", "Z");

function openings(spec: WindowSpec, zones: readonly string[], from: string, until: string): string[] {
  return findOpenings(windowOf(spec), zones, at(from), at(until)).map(
    ({ startMs, endMs }) => `${iso(startMs)} - ${iso(endMs)}`,
  );
}

describe("a range of minutes as it is written", () => {
  it.each([
    ["09:00-20:00", { startMinute: 540, endMinute: 1_200 }],
    ["00:00-24:00", { startMinute: 0, endMinute: 1_440 }],
    ["23:59-24:00", { startMinute: 1_439, endMinute: 1_440 }],
    ["09:00-18:59", { startMinute: 540, endMinute: 1_139 }],
    [" 09:00-09:01 ", { startMinute: 540, endMinute: 541 }],
  ])("%j is one", (text, range) => {
    expect(parseMinuteRange(text)).toEqual(range);
  });

  it.each([
    "",
    "09:00",
    "9:00-18:00",
    "09:00-9:30",
    "09:00 - 18:00",
    "09:00–18:00",
    "09.00-18.00",
    "09:00-09:00",
    "18:00-09:00",
    "22:00-02:00",
    "09:60-18:00",
    "09:00-18:60",
    "09:00-24:01",
    "24:00-24:00",
    "25:00-26:00",
    "-09:00-18:00",
    "09:00-18:00,19:00-20:00",
    "٠٩:٠٠-١٨:٠٠",
  ])("%j is none", (text) => {
    expect(parseMinuteRange(text)).toBeUndefined();
  });
});

describe("days as a spec names them", () => {
  it("takes a day's own name before `weekdays` and `weekend`, and closes days that nothing names", () => {
    const window = windowOf({
      weekdays: ["09:00-18:00"],
      wednesday: ["10:00-11:00"],
      friday: [],
      sunday: ["12:00-13:00"],
    });
    expect(window).toEqual({
      kind: "weekly",
      days: [
        [{ startMinute: 540, endMinute: 1_080 }],
        [{ startMinute: 540, endMinute: 1_080 }],
        [{ startMinute: 600, endMinute: 660 }],
        [{ startMinute: 540, endMinute: 1_080 }],
        [],
        [],
        [{ startMinute: 720, endMinute: 780 }],
      ],
    });
  });

  it.each(DAY_NAMES.map((day, index) => [day, index] as const))(
    "opens on %s when only it is named",
    (day, index) => {
      // 2026-06-01 is a Monday.
      const opens = at("2026-06-01T00:00:00Z") + index * 86_400_000 + 9 * 3_600_000;
      expect(windowStatus(windowOf({ [day]: ["09:00-10:00"] }), ["UTC"], at("2026-06-01T00:00:00Z"))).toEqual(
        {
          open: false,
          opensAtMs: opens,
        },
      );
    },
  );

  it("is office hours on weekdays where a spec says nothing", () => {
    const window = windowOf(DEFAULT_WINDOW_SPEC);
    const status = (moment: string) => windowStatus(window, ["Europe/Berlin"], at(moment));
    expect(status("2026-06-05T07:00:00Z")).toEqual({ open: true, untilMs: at("2026-06-05T16:00:00Z") });
    expect(status("2026-06-05T16:00:00Z")).toEqual({ open: false, opensAtMs: at("2026-06-08T07:00:00Z") });
  });
});

describe("clock changes: where a local time is in doubt the window is shorter", () => {
  it.each([
    // New York: 02:00 to 03:00 is skipped at 07:00Z, 01:00 to 02:00 comes twice around 06:00Z.
    [
      "New York, across the gap",
      "America/New_York",
      "2026-03-08",
      "01:30-03:30",
      "2026-03-08T06:30Z",
      "2026-03-08T07:30Z",
    ],
    [
      "New York, opens in the gap",
      "America/New_York",
      "2026-03-08",
      "02:30-04:00",
      "2026-03-08T07:30Z",
      "2026-03-08T08:00Z",
    ],
    [
      "New York, closes in the gap",
      "America/New_York",
      "2026-03-08",
      "01:00-02:30",
      "2026-03-08T06:00Z",
      "2026-03-08T06:30Z",
    ],
    [
      "New York, opens in the repeat",
      "America/New_York",
      "2026-11-01",
      "01:30-03:00",
      "2026-11-01T06:30Z",
      "2026-11-01T08:00Z",
    ],
    [
      "New York, closes in the repeat",
      "America/New_York",
      "2026-11-01",
      "00:30-01:30",
      "2026-11-01T04:30Z",
      "2026-11-01T05:30Z",
    ],
    [
      "New York, across the repeat",
      "America/New_York",
      "2026-11-01",
      "00:30-02:30",
      "2026-11-01T04:30Z",
      "2026-11-01T07:30Z",
    ],
    // Adelaide, half an hour off the others, spring in October.
    [
      "Adelaide, opens in the gap",
      "Australia/Adelaide",
      "2026-10-04",
      "02:30-04:00",
      "2026-10-03T17:00Z",
      "2026-10-03T17:30Z",
    ],
    [
      "Adelaide, closes in the gap",
      "Australia/Adelaide",
      "2026-10-04",
      "01:00-02:30",
      "2026-10-03T15:30Z",
      "2026-10-03T16:00Z",
    ],
    [
      "Adelaide, opens in the repeat",
      "Australia/Adelaide",
      "2026-04-05",
      "02:30-04:00",
      "2026-04-04T17:00Z",
      "2026-04-04T18:30Z",
    ],
    [
      "Adelaide, closes in the repeat",
      "Australia/Adelaide",
      "2026-04-05",
      "01:00-02:30",
      "2026-04-04T14:30Z",
      "2026-04-04T16:00Z",
    ],
    // Lord Howe moves its clocks by half an hour.
    [
      "Lord Howe, opens in the gap",
      "Australia/Lord_Howe",
      "2026-10-04",
      "02:15-03:00",
      "2026-10-03T15:45Z",
      "2026-10-03T16:00Z",
    ],
    [
      "Lord Howe, opens in the repeat",
      "Australia/Lord_Howe",
      "2026-04-05",
      "01:45-03:00",
      "2026-04-04T15:15Z",
      "2026-04-04T16:30Z",
    ],
    // St John's, half an hour off, in the north.
    [
      "St John's, across the gap",
      "America/St_Johns",
      "2026-03-08",
      "01:00-04:00",
      "2026-03-08T04:30Z",
      "2026-03-08T06:30Z",
    ],
    // Santiago skips its midnight: the day begins at 01:00, and the evening before ends at 23:00.
    [
      "Santiago, opens at the skipped midnight",
      "America/Santiago",
      "2026-09-06",
      "00:00-10:00",
      "2026-09-06T04:00Z",
      "2026-09-06T13:00Z",
    ],
    [
      "Santiago, closes at the skipped midnight",
      "America/Santiago",
      "2026-09-05",
      "20:00-24:00",
      "2026-09-06T00:00Z",
      "2026-09-06T03:00Z",
    ],
    // Kolkata has no clock changes and lies half an hour off.
    ["Kolkata", "Asia/Kolkata", "2026-03-29", "09:00-18:00", "2026-03-29T03:30Z", "2026-03-29T12:30Z"],
  ])("%s", (_name, zone, date, range, opens, closes) => {
    const day = new Date(`${date}T12:00:00Z`).getUTCDay();
    const spec = { [DAY_NAMES[(day + 6) % 7] ?? ""]: [range] };
    const [noonMs, halfDayMs] = [at(`${date}T12:00:00Z`), 36 * 3_600_000];
    expect(
      openings(
        spec,
        [zone],
        new Date(noonMs - halfDayMs).toISOString(),
        new Date(noonMs + halfDayMs).toISOString(),
      ),
    ).toEqual([`${opens} - ${closes}`]);
  });

  it("does not open at all where all of it lies in the hour that comes twice", () => {
    expect(
      openings(
        { sunday: ["01:15-01:45"] },
        ["America/New_York"],
        "2026-10-31T00:00:00Z",
        "2026-11-02T00:00:00Z",
      ),
    ).toEqual([]);
  });

  it("does not open at all where all of it lies in the hour that is skipped", () => {
    expect(
      openings(
        { sunday: ["02:00-03:00"] },
        ["America/New_York"],
        "2026-03-07T00:00:00Z",
        "2026-03-09T00:00:00Z",
      ),
    ).toEqual([]);
  });
});

describe("several ranges and whole days", () => {
  it("keeps a lunch break, and joins ranges that touch or overlap", () => {
    expect(
      openings(
        { monday: ["14:00-16:00", "09:00-12:00", "15:00-17:00", "17:00-18:00"] },
        ["UTC"],
        "2026-06-01T00:00:00Z",
        "2026-06-02T00:00:00Z",
      ),
    ).toEqual(["2026-06-01T09:00Z - 2026-06-01T12:00Z", "2026-06-01T14:00Z - 2026-06-01T18:00Z"]);
  });

  it("goes on over midnight from 24:00 to the next day's 00:00", () => {
    const spec = { monday: ["22:00-24:00"], tuesday: ["00:00-02:00"] };
    expect(openings(spec, ["UTC"], "2026-06-01T12:00:00Z", "2026-06-02T12:00:00Z")).toEqual([
      "2026-06-01T22:00Z - 2026-06-02T02:00Z",
    ]);
    expect(windowStatus(windowOf(spec), ["UTC"], at("2026-06-01T23:59:59.999Z"))).toEqual({
      open: true,
      untilMs: at("2026-06-02T02:00:00Z"),
    });
  });

  it("opens at its first instant and is closed at its last", () => {
    const window = windowOf({ monday: ["09:00-10:00"] });
    const opens = at("2026-06-01T09:00:00Z");
    const closes = at("2026-06-01T10:00:00Z");
    expect(windowStatus(window, ["UTC"], opens - 1)).toEqual({ open: false, opensAtMs: opens });
    expect(windowStatus(window, ["UTC"], opens)).toEqual({ open: true, untilMs: closes });
    expect(windowStatus(window, ["UTC"], closes - 1)).toEqual({ open: true, untilMs: closes });
    expect(windowStatus(window, ["UTC"], closes)).toEqual({ open: false, opensAtMs: opens + 7 * 86_400_000 });
  });

  it("cuts openings at both ends of the stretch that is asked about", () => {
    expect(
      openings({ weekdays: ["09:00-18:00"] }, ["UTC"], "2026-06-01T10:00:00Z", "2026-06-02T10:00:00Z"),
    ).toEqual(["2026-06-01T10:00Z - 2026-06-01T18:00Z", "2026-06-02T09:00Z - 2026-06-02T10:00Z"]);
  });
});

describe("numbers that may be in several zones", () => {
  it("may only be called while the window is open in all of them", () => {
    const us = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles"];
    expect(
      openings({ weekdays: ["09:00-18:00"] }, us, "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"),
    ).toEqual(["2026-06-01T16:00Z - 2026-06-01T22:00Z"]);
  });

  it("gives the same openings in whatever order the zones come", () => {
    const spec = { weekdays: ["08:00-12:00", "13:00-20:00"] };
    const zones = ["Asia/Kolkata", "Europe/London", "Australia/Adelaide"];
    const stretch = ["2026-03-25T00:00:00Z", "2026-04-10T00:00:00Z"] as const;
    expect(openings(spec, [...zones].reverse(), ...stretch)).toEqual(openings(spec, zones, ...stretch));
    expect(openings(spec, [...zones, ...zones], ...stretch)).toEqual(openings(spec, zones, ...stretch));
  });

  it("may never be called where their days do not meet", () => {
    const window = windowOf({ weekdays: ["09:00-12:00"] });
    expect(windowStatus(window, ["America/New_York", "Asia/Tokyo"], at("2026-06-01T00:00:00Z"))).toEqual({
      open: false,
      opensAtMs: undefined,
    });
  });

  it("may never be called where no zone is known", () => {
    expect(windowStatus(windowOf({ weekdays: ["00:00-24:00"] }), [], at("2026-06-01T12:00:00Z"))).toEqual({
      open: false,
      opensAtMs: undefined,
    });
  });
});

describe("the day on the other side of the date line", () => {
  it("is looked at on both ends of a short stretch", () => {
    // On Kiritimati (+14) Tuesday begins on Monday at 10:00Z; in Pago Pago (-11) Sunday ends on Monday at 11:00Z.
    const [from, until] = ["2026-06-01T09:00:00Z", "2026-06-01T12:00:00Z"] as const;
    expect(openings({ tuesday: ["00:00-24:00"] }, ["Pacific/Kiritimati"], from, until)).toEqual([
      "2026-06-01T10:00Z - 2026-06-01T12:00Z",
    ]);
    expect(openings({ sunday: ["00:00-24:00"] }, ["Pacific/Pago_Pago"], from, until)).toEqual([
      "2026-06-01T09:00Z - 2026-06-01T11:00Z",
    ]);
  });
});

describe("a window that is always open", () => {
  const always: CallingWindow = { kind: "always" };

  it("is open whenever it is asked for, wherever, and without an end", () => {
    expect(windowStatus(always, ["Asia/Kolkata"], 5)).toEqual({
      open: true,
      untilMs: Number.POSITIVE_INFINITY,
    });
    expect(findOpenings(always, ["Asia/Kolkata"], 5, 9)).toEqual([{ startMs: 5, endMs: 9 }]);
  });
});

it("an opening that never closes is one, also over a midnight that comes twice", () => {
  // In Havana it is midnight twice on the 1st of November.
  const [from, until] = ["2026-10-31T12:00Z", "2026-11-02T12:00Z"];
  expect(findOpenings({ kind: "always" }, ["America/Havana"], at(from), at(until))).toEqual([
    { startMs: at(from), endMs: at(until) },
  ]);
  expect(openings({ weekdays: ["00:00-24:00"] }, [], from, until)).toEqual([]);
});

describe("an answer that is remembered", () => {
  it("is asked anew at the very moment at which it ends", () => {
    const remembered = createWindowMemo(windowOf({ monday: ["09:00-10:00"] }));
    const [opens, closes] = [at("2026-06-01T09:00:00Z"), at("2026-06-01T10:00:00Z")];
    expect(remembered(["UTC"], opens - 1)).toEqual({ open: false, opensAtMs: opens });
    expect(remembered(["UTC"], opens)).toEqual({ open: true, untilMs: closes });
    expect(remembered(["UTC"], closes)).toEqual({ open: false, opensAtMs: opens + 7 * 86_400_000 });
  });

  it("is of its own zones alone, and of no moment before it was asked for", () => {
    const window = windowOf({ weekdays: ["09:00-18:00"] });
    const remembered = createWindowMemo(window);
    const sets = [["Europe/Berlin"], ["America/New_York"], ["Asia/Tokyo"], ["Europe/Berlin", "Asia/Tokyo"]];
    // Up and down the day: clocks of machines are set back, too.
    for (const hour of [8, 15, 1, 23, 7, 13, 14, 0, 16]) {
      const nowMs = at("2026-06-03T00:00:00Z") + hour * 3_600_000;
      for (const zones of sets)
        expect(remembered(zones, nowMs), `${zones.join("+")} at ${hour}`).toEqual(
          windowStatus(window, zones, nowMs),
        );
    }
  });

  it("is not reckoned again before it ends", () => {
    const remembered = createWindowMemo(windowOf({ weekdays: ["09:00-18:00"] }));
    const opensMs = at("2026-06-03T09:00:00Z");
    const first = remembered(["UTC"], opensMs);
    expect(remembered(["UTC"], opensMs)).toBe(first);
    expect(remembered(["UTC"], opensMs + 3_600_000)).toBe(first);
    expect(remembered(["UTC"], first.open ? first.untilMs : 0)).not.toBe(first);
  });

  it("that there is no opening is believed for a day", () => {
    // The first that New York and Phoenix share is on Sunday, 1 November 2026, at 16:00Z.
    const remembered = createWindowMemo(windowOf({ sunday: ["09:00-12:00"] }));
    const zones = ["America/New_York", "America/Phoenix"];
    const askedMs = at("2026-10-17T17:00:00Z");
    const none = remembered(zones, askedMs);
    expect(none).toEqual({ open: false, opensAtMs: undefined });
    expect(remembered(zones, askedMs + 86_399_999)).toBe(none);
    expect(remembered(zones, askedMs + 86_400_000)).toEqual({
      open: false,
      opensAtMs: at("2026-11-01T16:00:00Z"),
    });
  });
});

describe("how far ahead an opening is looked for", () => {
  // New York and Phoenix share 09:00 to 12:00 in winter only: from Sunday, 1 November 2026.
  const zones = ["America/New_York", "America/Phoenix"];
  const window: CallingWindow = windowOf({ sunday: ["09:00-12:00"] });
  const opensMs = at("2026-11-01T16:00:00Z");
  const horizonMs = 14 * 86_400_000;

  it("finds one that comes just within 14 days", () => {
    expect(windowStatus(window, zones, opensMs - horizonMs + 1)).toEqual({ open: false, opensAtMs: opensMs });
  });

  it("finds none that comes after 14 days", () => {
    expect(windowStatus(window, zones, opensMs - horizonMs)).toEqual({ open: false, opensAtMs: undefined });
  });

  it("ends an opening that never closes at the horizon", () => {
    const whole = windowOf({ weekdays: ["00:00-24:00"], weekend: ["00:00-24:00"] });
    const nowMs = at("2026-06-03T10:20:30Z");
    expect(windowStatus(whole, ["Asia/Kolkata"], nowMs)).toEqual({ open: true, untilMs: nowMs + horizonMs });
  });
});
