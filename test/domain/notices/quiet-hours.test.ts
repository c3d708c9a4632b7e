import { describe, expect, it } from "vitest";

import { quietHoursSchema, quietUntil } from "../../../src/domain/notices/quiet-hours.ts";

/* 2026-11-23 is a Monday. */

type Stretches = readonly { on?: string; from: string; to: string }[];

const parse = (hours: Stretches) => quietHoursSchema.safeParse({ zone: "UTC", hours });
const untilOf = (hours: Stretches, nowText: string) => {
  const ms = quietUntil(quietHoursSchema.parse({ zone: "UTC", hours }), Date.parse(nowText));
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 16);
};
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

describe("a time of the day", () => {
  it.each(["00:00", "09:05", "23:59", "24:00", "12:30"])("may be %s", (time) => {
    expect(parse([{ from: "01:01", to: time }]).success).toBe(true);
  });

  it.each(["24:01", "25:00", "12:60", "09:99", "9:00", "09:00:00", "noon", "", "-1:00"])(
    "may not be %j",
    (time) => {
      const { error } = parse([{ from: time, to: "08:00" }]);
      expect(error?.issues).toMatchObject([
        { path: ["hours", 0, "from"], message: expect.stringContaining('such as "20:00"') },
      ]);
    },
  );

  it("is read to the minute", () => {
    expect(untilOf([{ from: "09:10", to: "10:25" }], "2026-11-23T09:09:59Z")).toBeUndefined();
    expect(untilOf([{ from: "09:10", to: "10:25" }], "2026-11-23T09:10:00Z")).toBe("2026-11-23T10:25");
    expect(untilOf([{ from: "09:10", to: "10:25" }], "2026-11-23T10:25:00Z")).toBeUndefined();
    expect(untilOf([{ from: "23:30", to: "24:00" }], "2026-11-23T23:59:59Z")).toBe("2026-11-24T00:00");
  });
});

describe("a stretch", () => {
  it("begins on the days that its word stands for, and on no other", () => {
    const noon = (day: number) => `2026-11-${23 + day}T12:00:00Z`;
    const quietOn = (on: string) =>
      DAYS.filter((_, day) => untilOf([{ on, from: "11:00", to: "13:00" }], noon(day)) !== undefined);
    expect(quietOn("every_day")).toEqual(DAYS);
    expect(quietOn("weekdays")).toEqual(DAYS.slice(0, 5));
    expect(quietOn("weekend")).toEqual(DAYS.slice(5));
    for (const day of DAYS) expect(quietOn(day)).toEqual([day]);
    expect(parse([{ on: "holidays", from: "11:00", to: "13:00" }]).success).toBe(false);
  });

  it("lasts a whole day where it ends when it begins", () => {
    expect(untilOf([{ on: "monday", from: "08:00", to: "08:00" }], "2026-11-23T12:00:00Z")).toBe(
      "2026-11-24T08:00",
    );
    expect(untilOf([{ on: "monday", from: "08:00", to: "08:00" }], "2026-11-23T07:59:00Z")).toBeUndefined();
  });
});

describe("quiet hours", () => {
  const refused = (hours: Stretches) => parse(hours).error?.issues;
  const ALL_QUIET = [{ path: ["hours"], message: expect.stringContaining("no minute of the week") }];

  it.each<[string, Stretches]>([
    ["every day, all day", [{ from: "00:00", to: "24:00" }]],
    ["from an hour to the same of the next day", [{ from: "08:00", to: "08:00" }]],
    [
      "by night and by day",
      [
        { from: "20:00", to: "08:00" },
        { from: "08:00", to: "20:00" },
      ],
    ],
    [
      "on weekdays and at weekends",
      [
        { on: "weekdays", from: "00:00", to: "24:00" },
        { on: "weekend", from: "00:00", to: "24:00" },
      ],
    ],
    [
      "from one day into the next, over the end of the week",
      DAYS.map((on) => ({ on, from: "13:37", to: "13:37" })),
    ],
  ])("that leave no minute of the week are refused: %s", (_which, hours) => {
    expect(refused(hours)).toMatchObject(ALL_QUIET);
  });

  it.each<[string, Stretches]>([
    ["the last minute of a day", [{ from: "00:00", to: "23:59" }]],
    ["the first minute of a day", [{ from: "00:01", to: "24:00" }]],
    [
      "a minute between two",
      [
        { from: "20:00", to: "08:00" },
        { from: "08:01", to: "20:00" },
      ],
    ],
    ["one day", DAYS.filter((day) => day !== "sunday").map((on) => ({ on, from: "00:00", to: "24:00" }))],
    [
      "the first minute of the week",
      [
        { on: "monday", from: "00:01", to: "24:00" },
        ...DAYS.slice(1).map((on) => ({ on, from: "00:00", to: "24:00" })),
      ],
    ],
    [
      "the last minute of the week",
      [
        ...DAYS.slice(0, 6).map((on) => ({ on, from: "00:00", to: "24:00" })),
        { on: "sunday", from: "00:00", to: "23:59" },
      ],
    ],
  ])("that leave %s are taken", (_which, hours) => {
    expect(refused(hours)).toBeUndefined();
  });

  it("follow each other where they touch, for as long as a week but a minute", () => {
    const hours = [
      { on: "sunday", from: "00:01", to: "24:00" },
      ...DAYS.slice(0, 6).map((on) => ({ on, from: "00:00", to: "24:00" })),
    ];
    expect(untilOf(hours, "2026-11-22T00:01:00Z")).toBe("2026-11-29T00:00");
    expect(untilOf(hours, "2026-11-22T00:00:30Z")).toBeUndefined();
  });
});
