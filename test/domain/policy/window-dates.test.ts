import { describe, expect, it } from "vitest";

import {
  policyOf,
  readCampaignSpec,
  type CampaignSpecInput,
} from "../../../src/domain/campaigns/campaign-spec.ts";
import { windowStatus, type CallingWindow } from "../../../src/domain/policy/calling-window.ts";
import {
  isOpenOn,
  lastDayProblem,
  LONGEST_DAYS_OFF,
  NO_DATES,
  type DateSpan,
} from "../../../src/domain/policy/window-dates.ts";
import { DAY_MS, dayOfDate } from "../../../src/domain/time/local-day.ts";

const HOURS_9_TO_18 = { weekdays: ["09:00-18:00"] };

function windowOf(changes: Partial<CampaignSpecInput>): CallingWindow {
  const reading = readCampaignSpec({
    name: "june",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    retry: { max_attempts: 1 },
    window: HOURS_9_TO_18,
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return policyOf(reading.spec, 1).window;
}
const at = (iso: string) => Date.parse(iso);
const status = (changes: Partial<CampaignSpecInput>, zone: string | readonly string[], iso: string) =>
  windowStatus(windowOf(changes), typeof zone === "string" ? [zone] : zone, at(iso));
const opens = (iso: string, dayOff?: string) => ({
  open: false,
  opensAtMs: at(iso),
  ...(dayOff !== undefined && { dayOff }),
});
const span = (from: string, to = from, name = ""): DateSpan => ({
  fromDay: at(`${from}T00:00Z`) / DAY_MS,
  lastDay: at(`${to}T00:00Z`) / DAY_MS,
  name,
});

describe("holidays", () => {
  it("close the day in the zones of their place, and nowhere else", () => {
    const changes = { holidays: ["US"] };
    expect(status(changes, "America/New_York", "2026-11-26T15:00:00Z")).toEqual(
      opens("2026-11-27T14:00:00Z", "2026-11-26 is a holiday (Thanksgiving Day, US)"),
    );
    expect(status(changes, "Europe/Berlin", "2026-11-26T15:00:00Z")).toMatchObject({ open: true });
  });

  it("are of the local date, on both sides of the date line", () => {
    const changes = { holidays: ["NZ"] };
    // Waitangi Day is Friday, 6 February: in Auckland from Thursday, 11:00Z on.
    expect(status(changes, "Pacific/Auckland", "2026-02-05T04:59:00Z")).toMatchObject({ open: true });
    expect(status(changes, "Pacific/Auckland", "2026-02-05T22:00:00Z")).toMatchObject({
      dayOff: "2026-02-06 is a holiday (Waitangi Day, NZ)",
    });
  });

  it("of each place that a zone or a set of zones may be in close", () => {
    const changes = { holidays: ["DE-BY", "US"] };
    // Epiphany, which Bavaria keeps.
    const noon = "2026-01-06T15:30:00Z";
    expect(status(changes, "Europe/Berlin", noon)).toMatchObject({ open: false });
    expect(status(changes, "America/New_York", noon)).toMatchObject({ open: true });
    expect(status(changes, ["America/New_York", "Europe/Berlin"], noon)).toMatchObject({
      dayOff: "2026-01-06 is a holiday (Epiphany, DE-BY)",
    });
    // Of a zone that is of no country nobody knows whose holidays are kept there.
    expect(status(changes, "UTC", noon)).toMatchObject({
      dayOff: "2026-01-06 is a holiday (Epiphany, DE-BY)",
    });
  });

  it("close the zones in which their place lies, which may be another country's", () => {
    const noonOf = (zone: string, iso: string, place: string) =>
      status(
        { window: { weekdays: ["09:00-18:00"], weekend: ["09:00-18:00"] }, holidays: [place] },
        zone,
        iso,
      );
    // The 20th of December on Réunion, and there alone; Bastille Day in all of France.
    expect(noonOf("Indian/Reunion", "2026-12-20T08:00:00Z", "FR-RE")).toMatchObject({ open: false });
    expect(noonOf("Europe/Paris", "2026-12-20T11:00:00Z", "FR-RE")).toMatchObject({ open: true });
    expect(noonOf("America/Martinique", "2026-07-14T15:00:00Z", "FR")).toMatchObject({ open: false });
    expect(noonOf("America/Puerto_Rico", "2026-12-25T15:00:00Z", "US")).toMatchObject({ open: false });
    expect(noonOf("America/Puerto_Rico", "2026-12-25T15:00:00Z", "US-CA")).toMatchObject({ open: true });
    expect(noonOf("Europe/Belgrade", "2026-02-17T11:00:00Z", "XK")).toMatchObject({ open: false });
    expect(noonOf("Atlantic/Canary", "2026-05-30T11:00:00Z", "IC")).toMatchObject({ open: false });
    expect(noonOf("Europe/Guernsey", "2026-12-25T11:00:00Z", "GB-ALD")).toMatchObject({ open: false });
  });

  it("that keep it closed are named, not others of that day in other zones", () => {
    const changes = { holidays: ["DE", "SE"] };
    // Christmas Eve: all of it in Sweden, from two o'clock on in Germany.
    expect(status(changes, ["Europe/Berlin", "Europe/Stockholm"], "2026-12-24T09:00:00Z")).toMatchObject({
      dayOff: "2026-12-24 is a holiday (Christmas Eve, SE)",
    });
    const exceptions = [{ date: "2026-06-01" }, { date: "2026-06-02", hours: ["00:00-24:00"] }];
    expect(
      status({ exceptions }, ["Pacific/Auckland", "America/New_York"], "2026-06-01T21:30:00Z"),
    ).toMatchObject({ dayOff: "2026-06-01 is an exception" });
  });

  it("that keep it closed are named where they stand in one of several zones that open at that moment", () => {
    // Reunification Day's eve, at night: at nine o'clock Paris opens and Berlin does not.
    const changes = { holidays: ["DE"], window: { saturday: ["09:00-18:00"], sunday: ["09:00-18:00"] } };
    expect(status(changes, ["Europe/Paris", "Europe/Berlin"], "2026-10-02T22:00:00Z")).toEqual(
      opens("2026-10-04T07:00:00Z", "2026-10-03 is a holiday (National Holiday, DE)"),
    );
  });

  it("of several places are the one that begins first, and of two that do the one that is listed first", () => {
    const named = (holidays: string[]) => status({ holidays }, "UTC", "2026-12-24T09:00:00Z");
    // Christmas Eve: all day in Sweden and Finland, from two o'clock on in Germany.
    for (const holidays of [
      ["SE", "DE"],
      ["DE", "SE"],
      ["DE", "SE", "FI"],
    ])
      expect(named(holidays)).toMatchObject({ dayOff: "2026-12-24 is a holiday (Christmas Eve, SE)" });
    expect(named(["FI", "SE"])).toMatchObject({ dayOff: "2026-12-24 is a holiday (Christmas Eve, FI)" });
  });

  it("are not named where the window opens before the day that they close", () => {
    // Saturday has hours of its own; the Monday behind it is Labor Day, and would have been the next day.
    const changes = { holidays: ["US"], exceptions: [{ date: "2026-09-05", hours: ["10:00-12:00"] }] };
    expect(status(changes, "America/New_York", "2026-09-05T12:00:00Z")).toEqual(
      opens("2026-09-05T14:00:00Z"),
    );
  });

  it("that begin later leave the hours before", () => {
    const changes = { holidays: ["DE"] };
    expect(status(changes, "Europe/Berlin", "2026-12-24T10:00:00Z")).toEqual({
      open: true,
      untilMs: at("2026-12-24T13:00:00Z"),
    });
    expect(status(changes, "Europe/Berlin", "2026-12-24T13:00:00Z")).toEqual(
      opens("2026-12-28T08:00:00Z", "2026-12-24 is a holiday (Christmas Eve, DE)"),
    );
  });

  it("close a campaign that may always dial, too, and wherever somebody may be of whom no zone is known", () => {
    const always = { window: "always" as const, holidays: ["US"] };
    expect(status(always, "America/New_York", "2026-11-26T04:59:59Z")).toEqual({
      open: true,
      untilMs: at("2026-11-26T05:00:00Z"),
    });
    expect(status(always, "America/New_York", "2026-11-26T05:00:00Z")).toMatchObject(
      opens("2026-11-27T05:00:00Z"),
    );
    // It is the 26th somewhere from 10:00Z of the 25th to 12:00Z of the 27th.
    expect(status(always, [], "2026-11-25T10:00:00Z")).toEqual(
      opens("2026-11-27T12:00:00Z", "2026-11-26 is a holiday (Thanksgiving Day, US)"),
    );
    expect(status(always, [], "2026-11-25T09:59:59Z")).toEqual({
      open: true,
      untilMs: at("2026-11-25T10:00:00Z"),
    });
  });
});

describe("exceptions", () => {
  it("close a day, or give it hours of its own, whatever weekday and holiday it is", () => {
    const changes = {
      holidays: ["US"],
      exceptions: [
        { date: "2026-11-26", hours: ["10:00-12:00"] },
        { date: "2026-11-27", name: "Day after" },
        { date: "2026-11-28", hours: ["09:00-10:00", "11:00-12:00"] },
      ],
    };
    const zone = "America/New_York";
    expect(status(changes, zone, "2026-11-25T23:00:00Z")).toEqual(
      opens("2026-11-26T15:00:00Z", "2026-11-26 is an exception"),
    );
    expect(status(changes, zone, "2026-11-26T15:00:00Z")).toEqual({
      open: true,
      untilMs: at("2026-11-26T17:00:00Z"),
    });
    // A Friday whose exception has no hours, and a Saturday whose has.
    expect(status(changes, zone, "2026-11-27T15:00:00Z")).toEqual(
      opens("2026-11-28T14:00:00Z", "2026-11-27 is an exception (Day after)"),
    );
    expect(status(changes, zone, "2026-11-28T15:30:00Z")).toEqual(opens("2026-11-28T16:00:00Z"));
  });

  it("over several days are so on each of them, the last one included", () => {
    const changes = { exceptions: [{ date: "2026-12-24", to: "2027-01-01" }] };
    for (const date of ["2026-12-24", "2026-12-31", "2027-01-01"]) {
      expect(status(changes, "UTC", `${date}T12:00:00Z`)).toEqual(
        opens("2027-01-04T09:00:00Z", `${date} is an exception`),
      );
    }
    expect(status(changes, "UTC", "2026-12-23T12:00:00Z")).toMatchObject({ open: true });
  });
});

describe("blackouts", () => {
  const window = (...blackouts: DateSpan[]): CallingWindow => ({
    ...windowOf({ exceptions: [{ date: "2026-06-03", hours: ["00:00-24:00"] }] }),
    dates: {
      ...NO_DATES,
      ...windowOf({ exceptions: [{ date: "2026-06-03", hours: ["00:00-24:00"] }] }).dates,
      blackouts,
    },
  });

  it("close a day before all else", () => {
    const closed = window(span("2026-06-03", "2026-06-03", "Election"));
    expect(windowStatus(closed, ["Europe/Berlin"], at("2026-06-03T12:00:00Z"))).toEqual(
      opens("2026-06-04T07:00:00Z", "2026-06-03 is a blackout day (Election)"),
    );
    expect(windowStatus(window(), ["Europe/Berlin"], at("2026-06-03T20:00:00Z"))).toMatchObject({
      open: true,
    });
  });

  it("give nobody up, however long they are", () => {
    const long = window(span("2026-06-01", "2026-12-31"));
    expect(windowStatus(long, ["UTC"], at("2026-06-01T12:00:00Z"))).toEqual(
      opens("2027-01-01T09:00:00Z", "2026-06-01 is a blackout day"),
    );
    expect(windowStatus(long, ["UTC"], at("2026-06-01T20:00:00Z"))).toEqual(
      opens("2027-01-01T09:00:00Z", "2026-06-02 is a blackout day"),
    );
    const endless = window(span("2026-01-01", "2030-12-31"));
    expect(windowStatus(endless, ["UTC"], at("2026-06-01T12:00:00Z"))).toMatchObject({
      opensAtMs: at("2026-06-01T12:00:00Z") + LONGEST_DAYS_OFF * DAY_MS,
    });
  });

  it("keep nobody waiting whom the hours alone would never let be called", () => {
    const zones = ["America/New_York", "Asia/Tokyo"];
    const long = window(span("2026-06-01", "2026-12-31"));
    expect(windowStatus(long, zones, at("2026-06-08T12:00:00Z"))).toEqual({
      open: false,
      opensAtMs: undefined,
    });
  });
});

describe("a day on which business is done", () => {
  const dates = windowOf({
    holidays: ["DE"],
    exceptions: [{ date: "2026-06-05" }, { date: "2026-06-06", hours: ["10:00-12:00"] }],
  }).dates;
  const isOpen = (date: string, isUsually: boolean) =>
    isOpenOn(dates ?? NO_DATES, "Europe/Berlin", dayOfDate(date), isUsually);

  it("is one of which any part is open", () => {
    expect([isOpen("2026-06-03", true), isOpen("2026-06-03", false)]).toEqual([true, false]);
    // An exception closes a Friday and opens a Saturday.
    expect([isOpen("2026-06-05", true), isOpen("2026-06-06", false)]).toEqual([false, true]);
    // All of Christmas Day is a holiday; of Christmas Eve the morning is left.
    expect([isOpen("2026-12-25", true), isOpen("2026-12-24", true), isOpen("2026-12-24", false)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

it("a span of days off ends a year after it begins at the latest, and not before it", () => {
  const problem = (last: string) => lastDayProblem({ field: "date", date: "2026-06-01" }, last);
  expect(problem("2026-06-01")).toBeUndefined();
  expect(problem("2026-05-31")).toBe("must not be before `date`");
  expect(problem("2027-06-01")).toBeUndefined();
  expect(problem("2027-06-02")).toBe("must be within 366 days of `date`: give the rest as another");
  expect(problem("soon")).toBeUndefined();
});
