import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  latenessOf,
  readCallbackTime,
  type CallbackWish,
} from "../../../src/domain/follow-ups/callback-time.ts";
import { seededRandom } from "../../support/random.ts";

const NEW_YORK = ["America/New_York"];
/** A Sunday, 15:30 in New York. */
const SAID_MS = Date.parse("2026-11-22T20:30:00Z");

function read(said: unknown, changes: Partial<CallbackWish> = {}) {
  return readCallbackTime({ said, zones: NEW_YORK, saidAtMs: SAID_MS, nowMs: SAID_MS, ...changes });
}

/** Words of every sort that times are said in. */
const SPOKEN = [
  "in",
  "at",
  "tomorrow",
  "monday",
  "november",
  "weeks",
  "days",
  "hours",
  "h",
  "pm",
  "half",
  "a",
];

/** The moment as people there write it. */
function localOf(said: unknown, zones = NEW_YORK, changes: Partial<CallbackWish> = {}): string {
  const time = read(said, { zones, ...changes });
  if (time.kind !== "at") return time.kind === "nothing" ? "nothing" : time.why;
  const [zone = "UTC"] = zones;
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }).format(
    time.atMs,
  );
}

describe("a time to be called at", () => {
  it.each([
    ["2026-11-23T10:00:00-05:00", "2026-11-23 10:00"],
    ["2026-11-23 15:00Z", "2026-11-23 10:00"],
    ["2026-11-23T10:00:00.000+0100", "2026-11-23 04:00"],
    [1_795_446_000, "2026-11-23 10:00"],
    ["1795446000000", "2026-11-23 10:00"],
    ["2026-11-23 10:00", "2026-11-23 10:00"],
    ["2026-11-23T10:00:00", "2026-11-23 10:00"],
    ["2026-11-23", "2026-11-23 09:00"],
    ["10:00", "2026-11-23 10:00"],
    ["16:00", "2026-11-22 16:00"],
    ["4pm", "2026-11-22 16:00"],
    ["4 p.m.", "2026-11-22 16:00"],
    ["at 10", "2026-11-23 10:00"],
    ["at 4", "2026-11-22 16:00"],
    ["tomorrow at 10", "2026-11-23 10:00"],
    ["Tomorrow at 10 a.m.", "2026-11-23 10:00"],
    ["tomorrow at 3", "2026-11-23 15:00"],
    ["tomorrow 10", "2026-11-23 10:00"],
    ["at ten tomorrow, please", "2026-11-23 10:00"],
    ["tomorrow at 10 o'clock", "2026-11-23 10:00"],
    ["tomorrow", "2026-11-23 09:00"],
    ["tomorrow morning", "2026-11-23 09:00"],
    ["tomorrow morning at 8", "2026-11-23 08:00"],
    ["tomorrow evening at 8", "2026-11-23 20:00"],
    ["this evening", "2026-11-22 18:00"],
    ["tonight at 7", "2026-11-22 19:00"],
    ["tomorrow at noon", "2026-11-23 12:00"],
    ["tomorrow at 12", "2026-11-23 12:00"],
    ["tomorrow at 12am", "2026-11-23 00:00"],
    ["today at 5:30 pm", "2026-11-22 17:30"],
    ["monday at 3pm", "2026-11-23 15:00"],
    ["this friday 09:30", "2026-11-27 09:30"],
    ["friday", "2026-11-27 09:00"],
    ["November 23rd at 10am", "2026-11-23 10:00"],
    ["23 November 2026, 10:30", "2026-11-23 10:30"],
    ["Monday, November 23rd at 10am", "2026-11-23 10:00"],
    ["tomorrow, monday, at 10", "2026-11-23 10:00"],
    ["dec 1 at 2 pm", "2026-12-01 14:00"],
    ["23.11.2026 10:00", "2026-11-23 10:00"],
    ["11/23/2026 10:00", "2026-11-23 10:00"],
    ["12/12/2026 at 10am", "2026-12-12 10:00"],
    ["2h", "2026-11-22 17:30"],
    ["PT45M", "2026-11-22 16:15"],
    ["in two hours", "2026-11-22 17:30"],
    ["in half an hour", "2026-11-22 16:00"],
    ["30 minutes", "2026-11-22 16:00"],
    ["in about 20 min", "2026-11-22 15:50"],
    ["in a week", "2026-11-29 15:30"],
    ["in 3 days at 10am", "2026-11-25 10:00"],
    ["as soon as possible", "2026-11-22 15:30"],
    ["morgen um 10 Uhr", "2026-11-23 10:00"],
    ["am Dienstag um 15 Uhr", "2026-11-24 15:00"],
    ["heute Abend um 8", "2026-11-22 20:00"],
    ["in zwei Stunden", "2026-11-22 17:30"],
    ["mañana a las 10", "2026-11-23 10:00"],
    ["en 2 horas", "2026-11-22 17:30"],
    ["demain à 10h30", "2026-11-23 10:30"],
    ["après-demain à 14 heures", "2026-11-24 14:00"],
    ["amanhã às 10h", "2026-11-23 10:00"],
    ["domani alle 15", "2026-11-23 15:00"],
    ["morgen om 10 uur", "2026-11-23 10:00"],
  ])("%j is %s where the person is", (said, local) => {
    expect(localOf(said)).toBe(local);
  });

  it.each([[undefined], [null], [""], ["  "], ["none"], ["N/A"], ["not specified"], ["any time"]])(
    "%j says nothing",
    (said) => {
      expect(read(said)).toEqual({ kind: "nothing" });
    },
  );

  it.each([
    "10",
    "later",
    "next week",
    "next monday at 10",
    "last friday 9am",
    "not tomorrow",
    "tomorrow at 10 or 11",
    "tomorrow 10-12",
    "between 10 and 12 tomorrow",
    "after 5pm",
    "tomorrow at 8",
    "tomorrow at 25:00",
    "tomorrow at 10:75",
    "tomorrow morning at 3pm",
    "today tomorrow at 10",
    "the 23rd at 10am",
    "11/12/2026 10:00",
    "2026-02-31 10:00",
    "february 30 at 10am",
    "10:00 EST",
    "yesterday at 10",
    "in a month",
    "two hours ago",
    "every day at 10",
    "30",
    7,
    true,
    ["10:00"],
    { at: "10:00" },
    "tomorrow at 10 ".repeat(20),
    "99999999999h",
    `${"9".repeat(90)}d`,
    "PT9999999999999H",
    "P99999999W",
    `p${"9".repeat(90)}d`,
    9e15,
    "2026-11-23T10:00+99:99",
  ])("%j is left to people, with what was said", (said) => {
    const time = read(said);
    expect(time).toMatchObject({ kind: "unreadable", why: expect.stringContaining("no certain time") });
    expect(JSON.stringify(time)).toContain(JSON.stringify(JSON.stringify(said).slice(0, 40)).slice(1, -1));
  });

  it("that was past when it was said is left to people", () => {
    for (const said of ["2026-11-22T20:29:59Z", "2025-11-23 10:00", "today at 10am", "2020-01-01T00:00:00Z"])
      expect(read(said)).toMatchObject({ kind: "unreadable", why: expect.stringContaining("past already") });
  });

  it("that is months ahead is left to people", () => {
    for (const said of ["2036-01-01T00:00:00Z", "june 5 at 10am", "100d"])
      expect(read(said)).toMatchObject({ kind: "unreadable", why: expect.stringContaining("90 days") });
  });

  it("is repeated to people in a hundred characters at most", () => {
    const whyOf = (letters: number) => read("x".repeat(letters));
    expect(whyOf(98)).toMatchObject({ why: expect.stringContaining(`"${"x".repeat(98)}" was said`) });
    expect(whyOf(99)).toMatchObject({ why: expect.stringContaining(`"${"x".repeat(99)}… was said`) });
  });

  it("is none where no clock shows it", () => {
    for (const said of ["100000000d", 8.64e15]) expect(read(said)).toMatchObject({ kind: "unreadable" });
    expect(read("100000000d")).toMatchObject({ why: expect.stringContaining("no certain time") });
  });

  it("is 90 days ahead at most", () => {
    expect(read("90d")).toEqual({ kind: "at", atMs: SAID_MS + 90 * 86_400_000 });
    expect(read("90d1s")).toMatchObject({ kind: "unreadable" });
  });

  it("is gone by an hour later, and not before", () => {
    const HOUR_MS = 3_600_000;
    expect(latenessOf(SAID_MS, SAID_MS + HOUR_MS)).toBeUndefined();
    expect(latenessOf(SAID_MS, SAID_MS + HOUR_MS + 60_000)).toBe(
      "2026-11-22T20:30:00.000Z: gone by for 1h1m before the call could be acted on",
    );
  });

  it("that is now is tomorrow's, and that is today's date this year's", () => {
    expect(localOf("15:30")).toBe("2026-11-23 15:30");
    expect(localOf("15:31")).toBe("2026-11-22 15:31");
    expect(localOf("November 22nd at 4pm")).toBe("2026-11-22 16:00");
  });

  it("on a weekday is on the next one, in this week and in the next", () => {
    const wednesday = Date.parse("2026-11-25T15:00:00Z");
    const from = { saidAtMs: wednesday, nowMs: wednesday };
    expect(localOf("friday at 10", NEW_YORK, from)).toBe("2026-11-27 10:00");
    expect(localOf("tuesday at 10", NEW_YORK, from)).toBe("2026-12-01 10:00");
  });

  it("on February 29 is in a leap year", () => {
    const before = Date.parse("2028-01-15T15:00:00Z");
    expect(localOf("february 29 at 10am", NEW_YORK, { saidAtMs: before, nowMs: before })).toBe(
      "2028-02-29 10:00",
    );
    expect(read("february 29 at 10am")).toMatchObject({ why: expect.stringContaining("2028-02-29") });
  });

  it("that came while the call was processed is now, as long as it is not long gone by", () => {
    const later = (minutes: number) => read("in 10 minutes", { nowMs: SAID_MS + minutes * 60_000 });
    expect(later(2)).toEqual({ kind: "at", atMs: SAID_MS + 600_000 });
    expect(later(60)).toEqual({ kind: "at", atMs: SAID_MS + 3_600_000 });
    expect(later(80)).toMatchObject({ kind: "unreadable", why: expect.stringContaining("gone by") });
  });

  it("on a day of the week that its date is not is left to people", () => {
    expect(localOf("Tuesday, November 23rd at 10am")).toContain("2026-11-23 is another day of the week");
  });

  it("on the day of the week that today is may be meant for next week", () => {
    expect(localOf("sunday at 5pm")).toContain("the same day of next week");
  });

  it("is where the clocks of the person are, in summer and in winter, in a gap the first moment behind it", () => {
    const march = { saidAtMs: Date.parse("2026-03-07T17:00:00Z"), nowMs: Date.parse("2026-03-07T17:00:00Z") };
    expect(read("tomorrow at 10", march)).toEqual({ kind: "at", atMs: Date.parse("2026-03-08T14:00:00Z") });
    expect(read("2026-03-08 02:30", march)).toEqual({ kind: "at", atMs: Date.parse("2026-03-08T07:00:00Z") });
    const berlin = { ...march, zones: ["Europe/Berlin"] };
    expect(read("morgen um 10", berlin)).toEqual({ kind: "at", atMs: Date.parse("2026-03-08T09:00:00Z") });
  });

  describe("of somebody who may be in several zones", () => {
    it("is the moment at which it has come in all of them", () => {
      const zones = ["America/New_York", "America/Chicago", "America/Los_Angeles"];
      expect(read("tomorrow at 10", { zones })).toEqual({
        kind: "at",
        atMs: Date.parse("2026-11-23T18:00:00Z"),
      });
    });

    it("is left to people where the zones are far apart, where it is not on one day, and where there is none", () => {
      const far = ["Europe/Moscow", "Asia/Vladivostok"];
      expect(read("2026-11-24 10:00", { zones: far })).toMatchObject({
        why: expect.stringMatching(/7h apart \(Europe\/Moscow, Asia\/Vladivostok\)/),
      });
      const nearMidnight = {
        saidAtMs: Date.parse("2026-11-23T04:30:00Z"),
        nowMs: Date.parse("2026-11-23T04:30:00Z"),
      };
      const near = ["America/Chicago", "America/Halifax"];
      expect(read("tomorrow at 10", { zones: near, ...nearMidnight })).toMatchObject({
        why: expect.stringContaining("not on one day"),
      });
      expect(read("10:00", { zones: [] })).toMatchObject({ why: expect.stringContaining("no time zone") });
      expect(read("10:00", { zones: ["America/New_York", "No/Such_Zone"] })).toMatchObject({
        kind: "unreadable",
        why: expect.stringContaining("and there is no time zone No/Such_Zone"),
      });
      const many = ["Europe/Lisbon", "Europe/Paris", "Europe/Kyiv", "Asia/Dubai", "Asia/Karachi"];
      for (const [zones, shown] of [
        [many.slice(0, 4), "(Europe/Lisbon, Europe/Paris, Europe/Kyiv, Asia/Dubai)"],
        [many, "(Europe/Lisbon, Europe/Paris, Europe/Kyiv, Asia/Dubai and 1 more)"],
      ] as const)
        expect(read("2026-11-24 10:00", { zones })).toMatchObject({ why: expect.stringContaining(shown) });
      // With an offset it is the same moment everywhere.
      expect(read("2026-11-23T10:00:00Z", { zones: far })).toMatchObject({ kind: "at" });
    });
  });

  it("that is written in any of the usual ways is the moment that it was written for", () => {
    const zone = fc.constantFrom("America/New_York", "Asia/Kolkata", "America/St_Johns", "Pacific/Auckland");
    const minutes = fc.integer({ min: 24 * 60, max: 80 * 24 * 60 });
    fc.assert(
      fc.property(zone, minutes, fc.integer({ min: 0, max: 4 }), (where, ahead, way) => {
        const wantedMs = Math.floor((SAID_MS + ahead * 60_000) / 60_000) * 60_000;
        const parts = new Intl.DateTimeFormat("en-US", {
          timeZone: where,
          year: "numeric",
          month: "long",
          day: "numeric",
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
        }).formatToParts(wantedMs);
        const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
        const [year, month, day] = [part("year"), part("month"), part("day")];
        const [hour, minute] = [part("hour"), part("minute")];
        const half = `${Number(hour) % 12 === 0 ? 12 : Number(hour) % 12}:${minute}${Number(hour) < 12 ? "am" : "pm"}`;
        const said = [
          `${month} ${day} at ${hour}:${minute}`,
          `${month} ${day}, ${year} at ${half}`,
          `${half} on ${day} ${month}`,
          new Date(wantedMs).toISOString(),
          `${day} ${month} ${year} ${hour}:${minute}`,
        ][way];
        expect(read(said, { zones: [where] })).toEqual({ kind: "at", atMs: wantedMs });
      }),
    );
  });

  it("is read without an error, whatever was said, wherever and whenever", () => {
    const digits = fc.string({
      unit: fc.constantFrom(..."0123456789".split("")),
      minLength: 1,
      maxLength: 40,
    });
    const piece = fc.oneof(
      digits,
      fc.constantFrom(..."pPtTzZ+-:./ wdhms".split(""), ...SPOKEN),
      fc.string({ maxLength: 4 }),
    );
    const said = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      fc
        .array(fc.oneof(digits, fc.constantFrom(...SPOKEN)), { maxLength: 8 })
        .map((words) => words.join(" ")),
      fc.tuple(digits, fc.constantFrom("ms", "s", "m", "h", "d")).map((parts) => parts.join("")),
      fc
        .tuple(fc.constantFrom("p", "P", "pt", "PT"), digits, fc.constantFrom("w", "D", "h", "M", "S"))
        .map((parts) => parts.join("")),
      fc.double(),
      fc.anything(),
    );
    const zones = fc.subarray(["America/New_York", "Pacific/Apia", "Asia/Kolkata", "No/Such_Zone"]);
    const saidAtMs = fc.constantFrom(SAID_MS, Date.UTC(2000), Date.UTC(2099, 11, 31));
    fc.assert(
      fc.property(said, zones, saidAtMs, (text, where, whenMs) => {
        const time = read(text, { zones: where, saidAtMs: whenMs, nowMs: whenMs });
        expect(time.kind).toMatch(/^(?:nothing|at|unreadable)$/);
        if (time.kind === "at") expect(new Date(time.atMs).getTime()).toBe(time.atMs);
      }),
      { numRuns: 3_000, seed: Math.floor(seededRandom("times that were said")() * 2 ** 31) },
    );
  });
});
