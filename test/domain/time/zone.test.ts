import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";

import {
  isZoneName,
  readZoneData,
  shippedZoneData,
  UnknownZoneError,
  useZoneData,
  zoneData,
  ZoneDataError,
  zoneOf,
} from "../../../src/domain/time/zone-data.ts";
import { Zone } from "../../../src/domain/time/zone.ts";

const HOUR_MS = 3_600_000;

const iso = (ms: number) => new Date(ms).toISOString().replace(":00.000Z", "Z");
/** What a clock shows, as the text says it. */
const wall = (text: string) => Date.parse(`${text}Z`);

function instants(name: string, local: string): { earlier: string; later: string; first: string } {
  const zone = zoneOf(name);
  return {
    earlier: iso(zone.instantMs(wall(local), "earlier")),
    later: iso(zone.instantMs(wall(local), "later")),
    first: iso(zone.firstInstantMs(wall(local))),
  };
}

describe("a local time", () => {
  it("has one instant, where the clocks show it once", () => {
    const at = "2026-12-08T13:00Z";
    expect(instants("Asia/Kolkata", "2026-12-08T18:30")).toEqual({ earlier: at, later: at, first: at });
  });

  it("that comes twice has two", () => {
    expect(instants("Europe/Berlin", "2026-10-25T02:30")).toEqual({
      earlier: "2026-10-25T00:30Z",
      later: "2026-10-25T01:30Z",
      first: "2026-10-25T00:30Z",
    });
  });

  it("that does not exist is as far from the change as it lies in the gap, or at the change", () => {
    expect(instants("America/New_York", "2026-03-08T02:20")).toEqual({
      earlier: "2026-03-08T06:20Z",
      later: "2026-03-08T07:20Z",
      first: "2026-03-08T07:00Z",
    });
  });

  it("is shown at the very edges of a gap", () => {
    expect(instants("America/New_York", "2026-03-08T03:00").earlier).toBe("2026-03-08T07:00Z");
    expect(instants("America/New_York", "2026-03-08T01:59").later).toBe("2026-03-08T06:59Z");
  });

  it("goes by half an hour on Lord Howe", () => {
    expect(instants("Australia/Lord_Howe", "2026-10-04T02:15")).toEqual({
      earlier: "2026-10-03T15:15Z",
      later: "2026-10-03T15:45Z",
      first: "2026-10-03T15:30Z",
    });
    expect(instants("Australia/Lord_Howe", "2027-04-04T01:45")).toEqual({
      earlier: "2027-04-03T14:45Z",
      later: "2027-04-03T15:15Z",
      first: "2027-04-03T14:45Z",
    });
  });

  it("of a day that Samoa left out is a day before or behind it", () => {
    expect(instants("Pacific/Apia", "2011-12-30T12:00")).toEqual({
      earlier: "2011-12-29T22:00Z",
      later: "2011-12-30T22:00Z",
      first: "2011-12-30T10:00Z",
    });
  });
});

describe("clocks", () => {
  it("of Morocco went back for Ramadan, and did so for the last time in 2026", () => {
    const changes = zoneOf("Africa/Casablanca").changes(Date.UTC(2025, 0, 1), Date.UTC(2029, 0, 1));
    expect(changes.map(({ atMs, byMs }) => [iso(atMs), byMs / HOUR_MS])).toEqual([
      ["2025-02-23T02:00Z", -1],
      ["2025-04-06T02:00Z", 1],
      ["2026-02-15T02:00Z", -1],
      ["2026-03-22T02:00Z", 1],
      ["2026-09-20T01:00Z", -1],
    ]);
  });

  it("that only change their name or their law do not change", () => {
    const changes = zoneOf("America/Vancouver").changes(Date.UTC(2026, 0, 1), Date.UTC(2030, 0, 1));
    expect(changes.map(({ atMs }) => iso(atMs))).toEqual(["2026-03-08T10:00Z"]);
  });

  it("are listed behind the one moment, and up to the other", () => {
    const zone = zoneOf("Europe/Berlin");
    const atMs = Date.parse("2026-03-29T01:00Z");
    const change = { atMs, byMs: HOUR_MS, offsetBeforeMs: HOUR_MS };
    expect(zone.changes(atMs - 1, atMs)).toEqual([change]);
    expect(zone.changes(atMs, atMs + 1)).toEqual([]);
    expect(zone.changes(atMs - HOUR_MS, atMs - 1)).toEqual([]);
  });

  it("went by the sun at first, to the second", () => {
    expect(zoneOf("Europe/Berlin").offsetMs(Date.UTC(1800, 0, 1))).toBe((53 * 60 + 28) * 1_000);
    expect(zoneOf("America/Juneau").offsetMs(-8.64e15)).toBe((15 * 3_600 + 2 * 60 + 19) * 1_000);
  });

  it("go on by today's rules as far as anybody waits, and stand still behind the year 2499", () => {
    const zone = zoneOf("America/New_York");
    expect(zone.offsetMs(Date.UTC(2300, 6, 1))).toBe(-4 * HOUR_MS);
    expect(zone.offsetMs(Date.UTC(2300, 0, 1))).toBe(-5 * HOUR_MS);
    expect(zone.changes(Date.UTC(2600, 0, 1), 8.64e15)).toEqual([]);
    expect(iso(zone.firstInstantMs(Date.UTC(9999, 6, 1, 9)))).toBe("9999-07-01T14:00Z");
  });

  it("change where their time does, by as much, whatever else begins", () => {
    const zone = new Zone("A/Z", [
      { startMs: 0, offsetMs: 0 },
      { startMs: 1 * HOUR_MS, offsetMs: 0 },
      { startMs: 100 * HOUR_MS, offsetMs: 1 * HOUR_MS },
      { startMs: 200 * HOUR_MS, offsetMs: 1 * HOUR_MS },
      { startMs: 300 * HOUR_MS, offsetMs: 3 * HOUR_MS },
    ]);
    expect(zone.changes(0, 1_000 * HOUR_MS)).toEqual([
      { atMs: 100 * HOUR_MS, byMs: 1 * HOUR_MS, offsetBeforeMs: 0 },
      { atMs: 300 * HOUR_MS, byMs: 2 * HOUR_MS, offsetBeforeMs: 1 * HOUR_MS },
    ]);
  });

  it("leave out a time by the change that does, where another follows within hours", () => {
    const zone = new Zone("A/Z", [
      { startMs: 0, offsetMs: 0 },
      { startMs: 100 * HOUR_MS, offsetMs: 1 * HOUR_MS },
      { startMs: 112 * HOUR_MS, offsetMs: 0 },
    ]);
    expect(zone.firstInstantMs(100.5 * HOUR_MS)).toBe(100 * HOUR_MS);
    expect(zone.instantMs(100.5 * HOUR_MS, "earlier")).toBe(99.5 * HOUR_MS);
    expect(zone.instantMs(100.5 * HOUR_MS, "later")).toBe(100.5 * HOUR_MS);
  });

  it("are asked about instants only", () => {
    for (const none of [Number.NaN, Infinity, -Infinity])
      expect(() => zoneOf("Europe/Berlin").offsetMs(none)).toThrow(RangeError);
  });
});

/** Of this Node, which knows what was law until then, whatever it knows of 2026. */
const KNOWN = { fromMs: Date.UTC(2014, 0, 1), toMs: Date.UTC(2024, 0, 1) };

/** When this Node lets a zone's clocks change, and to what. */
function changesOfNode(name: string): { atMs: number; offsetMs: number }[] {
  const found: { atMs: number; offsetMs: number }[] = [];
  let there = Temporal.Instant.fromEpochMilliseconds(KNOWN.fromMs).toZonedDateTimeISO(name);
  for (;;) {
    const next = there.getTimeZoneTransition("next");
    if (next === null || next.epochMilliseconds > KNOWN.toMs) return found;
    there = next;
    found.push({ atMs: there.epochMilliseconds, offsetMs: there.offsetNanoseconds / 1e6 });
  }
}

describe("every zone, against this Node's own arithmetic where both know the law", () => {
  const names = Intl.supportedValuesOf("timeZone");
  // What was law is still found out now and then: newer data has Moldova's clocks change an hour sooner in 2022.
  const agreed = names.filter((name) => {
    const ours = zoneOf(name).changes(KNOWN.fromMs, KNOWN.toMs);
    const own = ours.map(({ atMs, byMs, offsetBeforeMs }) => ({ atMs, offsetMs: offsetBeforeMs + byMs }));
    return JSON.stringify(own) === JSON.stringify(changesOfNode(name));
  });
  const zone = fc.constantFrom(...agreed);

  it("is nearly every zone", () => {
    expect(agreed.length / names.length).toBeGreaterThan(0.98);
  });

  const anyInstant = fc.integer({ min: KNOWN.fromMs / 1_000, max: KNOWN.toMs / 1_000 });

  it("shows the same time", () => {
    fc.assert(
      fc.property(zone, anyInstant, (name, seconds) => {
        const there = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toZonedDateTimeISO(name);
        expect(zoneOf(name).offsetMs(seconds * 1_000), name).toBe(there.offsetNanoseconds / 1e6);
      }),
      { numRuns: 4_000 },
    );
  });

  it("reads local times around a change the same", () => {
    const nearChange = fc
      .tuple(zone, anyInstant, fc.integer({ min: -180, max: 180 }))
      .map(([name, seconds, minutes]) => {
        const [change] = zoneOf(name).changes(seconds * 1_000, KNOWN.toMs);
        const atMs = change?.atMs ?? seconds * 1_000;
        return { name, localMs: atMs + zoneOf(name).offsetMs(atMs - 1) + minutes * 60_000 };
      });
    fc.assert(
      fc.property(nearChange, ({ name, localMs }) => {
        const local = Temporal.PlainDateTime.from(new Date(localMs).toISOString().slice(0, 23));
        for (const disambiguation of ["earlier", "later"] as const)
          expect(iso(zoneOf(name).instantMs(localMs, disambiguation)), `${name} ${local.toString()}`).toBe(
            iso(local.toZonedDateTime(name, { disambiguation }).epochMilliseconds),
          );
      }),
      { numRuns: 3_000 },
    );
  });
});

it("an instant of any zone is found again from what its clocks show", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zoneData().names()),
      fc.integer({ min: Date.UTC(1850, 0, 1), max: Date.UTC(2600, 0, 1) }),
      (name, atMs) => {
        const zone = zoneOf(name);
        const localMs = zone.localMs(atMs);
        const [first, last] = [zone.instantMs(localMs, "earlier"), zone.instantMs(localMs, "later")];
        expect([first, last]).toContain(atMs);
        expect(zone.firstInstantMs(localMs)).toBe(first);
        expect(zone.localMs(first)).toBe(localMs);
        expect(zone.localMs(last)).toBe(localMs);
      },
    ),
    { numRuns: 5_000 },
  );
});

describe("the zone data", () => {
  it("knows a zone in any case and by its links, and refuses what is none, naming it and the remedy", () => {
    expect(zoneOf("europe/BERLIN").name).toBe("Europe/Berlin");
    expect(zoneOf("US/Pacific").offsetMs(0)).toBe(-8 * HOUR_MS);
    expect(isZoneName("Europe/Atlantis")).toBe(false);
    expect(() => zoneOf("Europe/Atlantis")).toThrow(UnknownZoneError);
    expect(() => zoneOf("Europe/Atlantis")).toThrow(/"Europe\/Atlantis".*America\/New_York/);
    for (const none of ["", "constructor", "__proto__", "Etc/Unknown"])
      expect(() => zoneOf(none)).toThrow(UnknownZoneError);
  });

  it("can be unpacked to the last zone", () => {
    for (const name of shippedZoneData().names()) expect(zoneData().zone(name)).toBeInstanceOf(Zone);
  });

  it("is other data once a process is to go by that", () => {
    const shipped = shippedZoneData();
    try {
      useZoneData(() => ({ ...shipped, version: "2099a" }));
      expect(zoneData().version).toBe("2099a");
    } finally {
      useZoneData(shippedZoneData);
    }
    expect(zoneData().version).toBe(shipped.version);
  });

  it("may have come out more often in a year than there are letters", () => {
    expect(readZoneData({ version: "2026za", zones, links: [] }).version).toBe("2026za");
  });

  const zones = Array.from({ length: 300 }, (_, n) => `A/Z${n}|UTC|0|0|`);
  it.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /no object/],
    ["null", null, /no object/],
    ["a version with more before it", { version: "v2026f", zones, links: [] }, /which release/],
    ["a link without a name", { version: "2026f", zones, links: ["A/Z1|"] }, /"A\/Z1\|" leads to none/],
    ["a version of something else", { version: "1.0", zones, links: [] }, /which release/],
    ["a file that was cut off", { version: "2026f", zones: zones.slice(1), links: [] }, /299 zones only/],
    ["no list of links", { version: "2026f", zones }, /no list of links/],
    [
      "a zone that is no text",
      { version: "2026f", zones: [...zones, 7], links: [] },
      /one of its zones is 7/,
    ],
    ["a link to nowhere", { version: "2026f", zones, links: ["B/Z|C/Z"] }, /"B\/Z\|C\/Z" leads to none/],
  ])("that is %s is refused", (_, packed, words) => {
    expect(() => readZoneData(packed)).toThrow(ZoneDataError);
    expect(() => readZoneData(packed)).toThrow(words);
  });

  it.each([
    ["has an offset that is no number", "B/Z|UTC|?|0|"],
    ["has an index without an offset", "B/Z|UTC|0|01|a"],
    ["has more stretches than ends", "B/Z|UTC|0 -10|010|a"],
    ["has an end that lies before the one before it", "B/Z|UTC|0 -10|010|a -1"],
    ["has an end that is the same as the one before it", "B/Z|UTC|0 -10|010|a 0"],
    ["has an offset that is empty", "B/Z|UTC|0 |01|a"],
    ["has nothing at all", "B/Z||||"],
  ])("with a zone that %s says so when that zone is asked for", (_, packed) => {
    const data = readZoneData({ version: "2026f", zones: [...zones, packed], links: [] });
    expect(() => data.zone("B/Z")).toThrow(/its zone B\/Z can't be unpacked/);
    expect(data.zone("A/Z1").offsetMs(0)).toBe(0);
  });
});
