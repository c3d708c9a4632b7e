import { describe, expect, it } from "vitest";

import { readCampaignSpec, windowInSpec } from "../../../../src/domain/campaigns/campaign-spec.ts";
import { windowStatus, type CallingWindow } from "../../../../src/domain/policy/calling-window.ts";
import { consentRulesOf, presetCapsOf } from "../../../../src/domain/policy/presets/in-force.ts";
import { newestPresets, PRESETS } from "../../../../src/domain/policy/presets/registry.ts";
import { mayBeIn } from "../../../../src/domain/policy/presets/whereabouts.ts";
import { zoneOf } from "../../../../src/domain/time/zone-data.ts";

function windowUnder(presets: readonly string[], override: readonly string[] = []): CallingWindow {
  const reading = readCampaignSpec({
    name: "presets",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    window: "always",
    presets,
    ...(override.length > 0 && { override: override.map((rule) => ({ rule, reason: "counsel says so" })) }),
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return windowInSpec(reading.spec);
}

/** A moment by the clock of a zone. */
function at(zone: string, local: string): number {
  return zoneOf(zone).instantMs(Date.parse(`${local}Z`), "later");
}

interface Row {
  rule: string;
  place: string;
  zone: string;
  /** Local times at which a call may begin. */
  open: readonly string[];
  /** Local times at which it may not, by this rule and no other of its preset. */
  closed: readonly string[];
}

/** 2026-11-16 is a Monday, without a holiday in its week. */
const [MONDAY, SATURDAY, SUNDAY] = ["2026-11-16", "2026-11-21", "2026-11-22"];

/** The first and the last minute of a day's hours, and those beyond them. */
function edges(date: string, from: string, to: string): Pick<Row, "open" | "closed"> {
  const shifted = (clock: string, minutes: number) =>
    new Date(Date.parse(`${date}T${clock}Z`) + minutes * 60_000).toISOString().slice(0, 16);
  return {
    open: [shifted(from, 0), shifted(to, -1)],
    closed: [shifted(from, -1), shifted(to, 0)],
  };
}

function hours(code: string, zone: string, from: string, to: string, date = MONDAY): Row {
  const { open, closed } = edges(date, from, to);
  // The federal rule closes at 21:00 and opens at 08:00 whatever a state says.
  const own = closed.filter((local) => local.slice(11) >= "08:00" && local.slice(11) < "21:00");
  return { rule: `us-${code.toLowerCase()}.hours`, place: `US-${code}`, zone, open, closed: own };
}

const STATES: readonly Row[] = [
  hours("AL", "America/Chicago", "08:00", "20:00"),
  hours("CA", "America/Los_Angeles", "09:00", "21:00"),
  hours("CT", "America/New_York", "09:00", "20:00", SUNDAY),
  hours("FL", "America/New_York", "08:00", "20:00", SATURDAY),
  hours("FL", "America/Chicago", "08:00", "20:00"),
  hours("IL", "America/Chicago", "09:00", "21:00"),
  hours("IN", "America/New_York", "09:00", "20:00"),
  hours("KY", "America/New_York", "10:00", "21:00"),
  hours("LA", "America/Chicago", "08:00", "20:00"),
  hours("MA", "America/New_York", "08:00", "20:00"),
  hours("MD", "America/New_York", "08:00", "20:00"),
  hours("ME", "America/New_York", "09:00", "17:00"),
  { rule: "us-me.hours", place: "US-ME", zone: "America/New_York", open: [], closed: [`${SATURDAY}T12:00`] },
  hours("MI", "America/New_York", "09:00", "21:00"),
  hours("MN", "America/Chicago", "09:00", "21:00"),
  hours("MS", "America/Chicago", "08:00", "20:00"),
  hours("NE", "America/Chicago", "13:00", "21:00", SUNDAY),
  hours("NM", "America/Denver", "09:00", "21:00"),
  hours("NV", "America/Los_Angeles", "09:00", "20:00"),
  hours("OK", "America/Chicago", "08:00", "20:00"),
  hours("OR", "America/Los_Angeles", "08:00", "20:00"),
  hours("RI", "America/New_York", "09:00", "18:00"),
  hours("RI", "America/New_York", "10:00", "17:00", SATURDAY),
  { rule: "us-ri.hours", place: "US-RI", zone: "America/New_York", open: [], closed: [`${SUNDAY}T12:00`] },
  hours("SD", "America/Chicago", "09:00", "21:00"),
  { rule: "us-sd.hours", place: "US-SD", zone: "America/Chicago", open: [], closed: [`${SATURDAY}T12:00`] },
  hours("TX", "America/Chicago", "09:00", "21:00"),
  hours("TX", "America/Chicago", "12:00", "21:00", SUNDAY),
  hours("UT", "America/Denver", "08:00", "21:00"),
  hours("WA", "America/Los_Angeles", "08:00", "20:00", SUNDAY),
  hours("WY", "America/Denver", "08:00", "20:00"),
  ...["AL", "LA", "MS"].map((code) => ({
    rule: `us-${code.toLowerCase()}.sundays`,
    place: `US-${code}`,
    zone: "America/Chicago",
    open: [`${SATURDAY}T12:00`],
    closed: [`${SUNDAY}T08:00`, `${SUNDAY}T19:59`],
  })),
  {
    rule: "us-ut.sundays",
    place: "US-UT",
    zone: "America/Denver",
    open: [`${SATURDAY}T20:59`],
    closed: [`${SUNDAY}T12:00`],
  },
  ...(
    [
      ["AL", "2026-04-27"],
      ["LA", "2026-02-17"],
      ["MS", "2026-04-27"],
      ["NE", "2026-11-26"],
      ["PA", "2026-11-26"],
      ["RI", "2026-08-10"],
      ["UT", "2026-07-24"],
    ] as const
  ).map(([code, day]) => ({
    rule: `us-${code.toLowerCase()}.holidays`,
    place: `US-${code}`,
    zone: "America/New_York",
    // The same holiday is a day like any in a state that does not keep it.
    open: [`${MONDAY}T12:00`],
    closed: [`${day}T12:00`],
  })),
];

const COUNTRIES: readonly Row[] = [
  { rule: "us.hours", place: "US-NY", zone: "America/New_York", ...edges(SUNDAY, "08:00", "21:00") },
  { rule: "us.hours", place: "PR", zone: "America/Puerto_Rico", ...edges(MONDAY, "08:00", "21:00") },
  { rule: "ca.hours", place: "CA", zone: "America/Toronto", ...edges(MONDAY, "09:00", "21:30") },
  { rule: "ca.hours", place: "CA", zone: "America/Vancouver", ...edges(SATURDAY, "10:00", "18:00") },
  { rule: "ca.hours", place: "CA", zone: "America/St_Johns", ...edges(SUNDAY, "10:00", "18:00") },
  {
    rule: "ca.holidays",
    place: "CA",
    zone: "America/Toronto",
    open: ["2026-06-30T12:00"],
    closed: ["2026-07-01T12:00"],
  },
  { rule: "uk.hours", place: "GB", zone: "Europe/London", ...edges(MONDAY, "08:00", "21:00") },
  { rule: "uk.hours", place: "GB", zone: "Europe/London", ...edges(SUNDAY, "09:00", "21:00") },
  {
    rule: "uk.holidays",
    place: "GB",
    zone: "Europe/London",
    open: ["2026-11-27T12:00"],
    // Saint Andrew's Day is Scotland's alone.
    closed: ["2026-11-30T12:00", "2026-12-28T12:00"],
  },
  { rule: "fr.hours", place: "FR", zone: "Europe/Paris", ...edges(MONDAY, "10:00", "13:00") },
  { rule: "fr.hours", place: "FR", zone: "Europe/Paris", ...edges(MONDAY, "14:00", "20:00") },
  { rule: "fr.hours", place: "RE", zone: "Indian/Reunion", ...edges(MONDAY, "14:00", "20:00") },
  {
    rule: "fr.hours",
    place: "FR",
    zone: "Europe/Paris",
    open: [],
    closed: [`${SATURDAY}T12:00`, `${SUNDAY}T15:00`],
  },
  {
    rule: "fr.holidays",
    place: "FR",
    zone: "Europe/Paris",
    open: ["2026-11-12T12:00"],
    closed: ["2026-11-11T12:00", "2026-07-14T15:00"],
  },
  { rule: "de.hours", place: "DE", zone: "Europe/Berlin", ...edges("2026-11-23", "09:00", "20:00") },
  { rule: "de.hours", place: "DE", zone: "Europe/Berlin", ...edges(SATURDAY, "10:00", "16:00") },
  { rule: "de.hours", place: "DE", zone: "Europe/Berlin", open: [], closed: [`${SUNDAY}T12:00`] },
  {
    rule: "de.holidays",
    place: "DE",
    zone: "Europe/Berlin",
    open: ["2026-10-30T12:00"],
    // Corpus Christi and Repentance Day are no holidays of every Land.
    closed: ["2026-06-04T12:00", "2026-11-18T12:00"],
  },
  { rule: "careful.hours", place: "JP", zone: "Asia/Tokyo", ...edges(MONDAY, "09:00", "18:00") },
  { rule: "careful.hours", place: "JP", zone: "Asia/Tokyo", open: [], closed: [`${SATURDAY}T12:00`] },
  {
    rule: "careful.holidays",
    place: "JP",
    zone: "Asia/Tokyo",
    open: ["2026-11-24T12:00", "2026-11-26T12:00"],
    closed: ["2026-11-23T12:00"],
  },
];

const EVERYWHERE = windowUnder(newestPresets().map(({ id }) => id));

describe("each rule of a preset", () => {
  it.each([...STATES, ...COUNTRIES])(
    "$rule holds in $place by the clock of $zone",
    ({ rule, place, zone, ...says }) => {
      for (const local of says.open)
        expect(windowStatus(EVERYWHERE, [zone], at(zone, local), [place]), local).toMatchObject({
          open: true,
        });
      const without = windowUnder(
        newestPresets().map(({ id }) => id),
        [rule],
      );
      for (const local of says.closed) {
        const status = windowStatus(EVERYWHERE, [zone], at(zone, local), [place]);
        expect(status, local).toMatchObject({ open: false });
        // It alone is why, and it is what people are told.
        expect(windowStatus(without, [zone], at(zone, local), [place]), local).toMatchObject({ open: true });
        expect(JSON.stringify(status), local).toContain(`(${rule};`);
      }
    },
  );

  it("stands in the table, so that no rule goes untried", () => {
    const tried = new Set([...STATES, ...COUNTRIES].map(({ rule }) => rule));
    const of = (kinds: readonly string[]) =>
      newestPresets().flatMap(({ rules }) =>
        rules.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id),
      );
    expect(of(["hours", "sundays", "holidays"]).filter((id) => !tried.has(id))).toEqual([]);
  });

  it.each([
    ["US-FL", 3, 24],
    ["US-MD", 3, 24],
    ["US-OK", 3, 24],
    ["US-OR", 3, 24],
    ["US-ME", 1, 8],
    ["FR", 4, 30 * 24],
    ["JP", 2, 24],
    ["US-NY", undefined, undefined],
    ["DE", undefined, undefined],
  ])("caps the calls to somebody in %s", (place, atMost, hoursLong) => {
    const caps = presetCapsOf(newestPresets().map(({ id }) => id)).filter(({ of = [] }) =>
      of.some(({ territory }) => mayBeIn(territory, [place], [])),
    );
    expect(caps.map((cap) => [cap.atMost, cap.withinMs / 3_600_000, cap.across, cap.counts])).toEqual(
      atMost === undefined ? [] : [[atMost, hoursLong, "brand", "attempts"]],
    );
  });

  it.each([
    ["US-NY", ["us.consent"]],
    ["US-FL", ["us.consent", "us-fl.consent"]],
    ["GB", ["uk.consent"]],
    ["JP", []],
  ])("of consent holds in %s", (place, wanted) => {
    const names = newestPresets().map(({ id }) => id);
    const idsIn = (rules: ReturnType<typeof consentRulesOf>) =>
      rules.flatMap(({ text, territory }) =>
        mayBeIn(territory, [place], []) ? [/\(([\w.-]+);/.exec(text)?.[1]] : [],
      );
    expect(idsIn(consentRulesOf(names))).toEqual(wanted);
    const lifts = wanted.map((rule) => ({ rule, reason: "all of them agreed" }));
    expect(idsIn(consentRulesOf(names, lifts))).toEqual([]);
    expect(consentRulesOf(undefined)).toEqual([]);
  });

  it("is dated, has a source, and an id of its own", () => {
    for (const preset of PRESETS) {
      expect(preset.reviewed).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(preset.version).toMatch(/^\d{4}\.\d+$/);
      for (const rule of preset.rules) {
        expect(rule.source.length, rule.id).toBeGreaterThan(5);
        expect(rule.url, rule.id).toMatch(/^https:\/\//);
        expect(rule.dated, rule.id).toMatch(/^\d{4}(-\d\d-\d\d)?$/);
        expect(
          rule.id.startsWith(`${preset.id}.`) || rule.id.startsWith("us-") || rule.id.startsWith("us."),
        ).toBe(true);
      }
    }
    const ids = newestPresets().flatMap(({ rules }) => rules.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("somebody who may be in several places", () => {
  const window = windowUnder(["us-states", "fr"]);
  const zones = ["America/New_York"];

  it("is called at hours that all of them allow", () => {
    const both = ["US-FL", "US-KY"];
    expect(windowStatus(window, zones, at("America/New_York", `${MONDAY}T09:59`), both).open).toBe(false);
    expect(windowStatus(window, zones, at("America/New_York", `${MONDAY}T10:00`), both).open).toBe(true);
    expect(windowStatus(window, zones, at("America/New_York", `${MONDAY}T19:59`), both).open).toBe(true);
    expect(windowStatus(window, zones, at("America/New_York", `${MONDAY}T20:00`), both).open).toBe(false);
  });

  it("keeps the rules of every state where no state is known", () => {
    for (const places of [["US"], []]) {
      const open = (local: string) => windowStatus(window, zones, at("America/New_York", local), places).open;
      // Kentucky opens last, Maine closes first.
      expect([`${MONDAY}T09:59`, `${MONDAY}T10:00`, `${MONDAY}T16:59`, `${MONDAY}T17:00`].map(open)).toEqual([
        false,
        true,
        true,
        false,
      ]);
      expect(open(`${SATURDAY}T12:00`)).toBe(false);
    }
  });

  it("keeps each country's rules by the clocks of that country", () => {
    const both = { zones: ["America/New_York", "Europe/Paris"], places: ["FR", "US-NY"] };
    // Ten to one in Paris, and not yet eight in New York.
    expect(windowStatus(window, both.zones, at("Europe/Paris", `${MONDAY}T12:50`), both.places).open).toBe(
      false,
    );
    expect(windowStatus(window, both.zones, at("Europe/Paris", `${MONDAY}T14:10`), both.places).open).toBe(
      true,
    );
    // French hours are none of New York's.
    expect(
      windowStatus(window, both.zones, at("America/New_York", `${MONDAY}T13:30`), both.places).open,
    ).toBe(true);
  });

  it("is called nowhere by the rules of a country in which they are not", () => {
    const paris = at("Europe/Paris", `${MONDAY}T13:30`);
    expect(windowStatus(windowUnder(["fr"]), ["Europe/Paris"], paris, ["MC"])).toMatchObject({ open: true });
    expect(windowStatus(windowUnder(["fr"]), ["Europe/Paris"], paris, ["FR"])).toMatchObject({ open: false });
  });
});

describe("presets and the window of a campaign", () => {
  it("widen nothing: an exception opens no day that a rule closes", () => {
    const reading = readCampaignSpec({
      name: "presets",
      agent_id: "agent",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      window: { weekdays: ["06:00-10:00"] },
      exceptions: [{ date: SUNDAY, hours: ["06:00-23:00"] }],
      presets: ["us-states"],
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const window = windowInSpec(reading.spec);
    const open = (local: string) =>
      windowStatus(window, ["America/Chicago"], at("America/Chicago", local), ["US-LA"]).open;
    expect(["07:59", "08:00", "09:59", "10:00"].map((clock) => open(`${MONDAY}T${clock}`))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(open(`${SUNDAY}T12:00`)).toBe(false);
  });

  it("close at the earlier instant on the day on which clocks change", () => {
    const window = windowUnder(["us-federal"]);
    const zone = "America/New_York";
    // 2026-03-08: 02:00 becomes 03:00. Eight in the morning is 12:00 UTC, and was 13:00 the day before.
    for (const [day, opensAt] of [
      ["2026-03-07", "2026-03-07T13:00Z"],
      ["2026-03-08", "2026-03-08T12:00Z"],
      ["2026-11-01", "2026-11-01T13:00Z"],
    ] as const) {
      const midnight = at(zone, `${day}T00:00`);
      expect(windowStatus(window, [zone], midnight, ["US-NY"])).toMatchObject({
        open: false,
        opensAtMs: Date.parse(opensAt),
      });
    }
  });

  it("put off by holidays, and exclude nobody", () => {
    const window = windowUnder(["fr"]);
    const status = windowStatus(window, ["Europe/Paris"], at("Europe/Paris", "2026-12-25T10:30"), ["FR"]);
    expect(status).toMatchObject({ open: false, opensAtMs: at("Europe/Paris", "2026-12-28T10:00") });
    expect(status).toHaveProperty("dayOff", expect.stringContaining("Christmas Day"));
    expect(status).toHaveProperty("dayOff", expect.stringContaining("fr 2026.1"));
  });

  it("exclude whom they leave no hour in two weeks", () => {
    // Nine to ten in Hawaii is after six in Rhode Island.
    const reading = readCampaignSpec({
      name: "presets",
      agent_id: "agent",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      window: { weekdays: ["08:00-09:00"] },
      presets: ["us-states"],
    });
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const status = windowStatus(windowInSpec(reading.spec), ["America/New_York"], Date.UTC(2026, 10, 16), [
      "US-RI",
    ]);
    expect(status).toMatchObject({ open: false, opensAtMs: undefined });
    expect(status).toHaveProperty("rule", expect.stringContaining("us-ri.hours"));
  });

  it("hold for somebody on UTC, and for somebody without a zone, wherever their rules are", () => {
    const window = windowUnder(["fr"]);
    expect(windowStatus(window, ["UTC"], Date.UTC(2026, 10, 16, 13, 30)).open).toBe(false);
    expect(windowStatus(window, ["UTC"], Date.UTC(2026, 10, 16, 12, 30)).open).toBe(true);
    const anywhere = windowStatus(window, [], Date.UTC(2026, 10, 16, 12, 30));
    expect(anywhere.open).toBe(false);
  });

  it("say nothing where none is named", () => {
    const reading = readCampaignSpec({
      name: "presets",
      agent_id: "agent",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      window: "always",
    });
    expect(reading.ok && windowInSpec(reading.spec)).toEqual({ kind: "always" });
  });
});
