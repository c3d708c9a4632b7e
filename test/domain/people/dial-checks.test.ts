import { describe, expect, it } from "vitest";

import {
  policyOf,
  readCampaignSpec,
  type CampaignSpecInput,
} from "../../../src/domain/campaigns/campaign-spec.ts";
import { checkDial, type DialFacts } from "../../../src/domain/people/dial-checks.ts";
import type { DialingPolicy } from "../../../src/domain/policy/dialing-policy.ts";

/** A Monday, 12:00 in New York. */
const AT_MS = Date.UTC(2026, 2, 9, 16);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

function policy(changes: Partial<CampaignSpecInput> = {}): DialingPolicy {
  const reading = readCampaignSpec({
    name: "spring",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return policyOf(reading.spec, 1);
}

function facts(changes: Partial<DialFacts> = {}): DialFacts {
  return {
    phone: "+12025550143",
    zones: ["America/New_York"],
    permittedMs: AT_MS,
    startedMs: undefined,
    suppression: undefined,
    before: {},
    lastDisposition: undefined,
    calledUsMs: undefined,
    lastOfOthersMs: undefined,
    lastOfOwnMs: undefined,
    lastOfOtherCampaignsMs: undefined,
    counted: [],
    isSimulated: false,
    ...changes,
  };
}

const of = (rule: string, changed: Partial<DialFacts>, spec: Partial<CampaignSpecInput> = {}) =>
  checkDial(facts(changed), policy(spec)).filter((check) => check.rule === rule);
const allowed = (...asked: Parameters<typeof of>) => of(...asked).map((check) => check.allowed);

describe("what the ledger shows of a call that was permitted", () => {
  it("is allowed by every rule where none had anything against it", () => {
    const checks = checkDial(facts(), policy());
    expect(checks.map(({ rule }) => rule)).toEqual([
      "suppressed",
      "number_not_allowed",
      "max_attempts",
      "window",
      "called_just_now",
    ]);
    expect(checks.every((check) => check.allowed)).toBe(true);
  });

  it("shows the window in each zone by the hours of that local day, and zones that show the same as one", () => {
    const zones = ["America/Detroit", "America/New_York", "America/Phoenix"];
    const [check] = of("window", { zones }, { window: { monday: ["09:00-11:30", "13:00-24:00"] } });
    expect(check).toEqual({
      rule: "window",
      allowed: false,
      says: "when it was permitted the window was closed: 2026-03-09 12:00:00 America/Detroit and 1 more (closed, 09:00-11:30, 13:00-24:00); 2026-03-09 09:00:00 America/Phoenix (open, 09:00-11:30, 13:00-24:00)",
    });
  });

  it("tells a call that rang after the window had closed from one that was permitted in it", () => {
    const startedMs = AT_MS + 2 * HOUR_MS;
    expect(allowed("window", { startedMs }, { window: { weekdays: ["09:00-13:00"] } })).toEqual([
      true,
      false,
    ]);
    // Whoever rings in the same second is told of once.
    expect(allowed("window", { startedMs: AT_MS + 999 })).toEqual([true]);
  });

  it("names the day off, where the window was closed for one", () => {
    const spec: Partial<CampaignSpecInput> = { exceptions: [{ date: "2026-03-09", name: "Inventory" }] };
    expect(of("day_off", {}, spec)).toEqual([
      {
        rule: "day_off",
        allowed: false,
        says: "when it was permitted the window was closed (2026-03-09 is an exception (Inventory)): 2026-03-09 12:00:00 America/New_York (closed, no hours that day)",
      },
    ]);
    expect(of("window", {}, spec)).toEqual([]);
  });

  it("has no hours where the window is always open, and the same hour on the day the clocks change", () => {
    expect(of("window", { zones: [] }, { window: "always" })[0]?.allowed).toBe(true);
    const sunday = Date.UTC(2026, 2, 8, 7, 30);
    const [check] = of("window", { permittedMs: sunday }, { window: { sunday: ["01:00-03:30"] } });
    expect(check?.says).toContain("2026-03-08 03:30:00 America/New_York (closed, 01:00-03:30)");
  });

  it("holds a suppression, costly kinds and countries against it", () => {
    const suppression = { source: "dnc", reason: "register", sinceMs: AT_MS - DAY_MS };
    expect(of("suppressed", { suppression })[0]).toEqual({
      rule: "suppressed",
      allowed: false,
      says: "suppressed since 2026-03-08T16:00:00.000Z (dnc: register)",
    });
    expect(allowed("number_not_allowed", { phone: "+19005550143" })).toEqual([false]);
    expect(allowed("number_not_allowed", {}, { numbers: { countries: ["CA"] } })).toEqual([false]);
    expect(of("number_not_allowed", {}, { numbers: { countries: ["US"] } })[0]?.says).toBe(
      "a number of US, which its policy allows",
    );
  });

  it("counts the calls before it, of all kinds and of the last one's", () => {
    const retry = { max_attempts: 3, delays: { busy: "10m" }, max_per_disposition: { busy: 2 } };
    expect(allowed("max_attempts", { before: { busy: 1, no_answer: 1 } }, { retry })).toEqual([true]);
    expect(allowed("max_attempts", { before: { busy: 2, no_answer: 1 } }, { retry })).toEqual([false]);
    expect(
      allowed("max_per_disposition", { before: { busy: 1 }, lastDisposition: "busy" }, { retry }),
    ).toEqual([true]);
    expect(
      allowed("max_per_disposition", { before: { busy: 2 }, lastDisposition: "busy" }, { retry }),
    ).toEqual([false]);
    expect(
      of("max_per_disposition", { before: { no_answer: 2 }, lastDisposition: "no_answer" }, { retry }),
    ).toEqual([]);
  });

  it("holds the person's own call against it, as the campaign asks", () => {
    const calledUsMs = AT_MS - HOUR_MS;
    expect(of("called_back", { calledUsMs })).toEqual([]);
    expect(allowed("called_back", { calledUsMs }, { inbound: "close" })).toEqual([false]);
    expect(allowed("called_back", {}, { inbound: "close" })).toEqual([true]);
    expect(allowed("called_back_lately", { calledUsMs }, { inbound: { reschedule: "2h" } })).toEqual([false]);
    expect(allowed("called_back_lately", { calledUsMs }, { inbound: { reschedule: "1h" } })).toEqual([true]);
  });

  it("holds calls of other campaigns and the caps of how often against it", () => {
    const lately = { not_called_within: "7d" };
    expect(allowed("called_lately", { lastOfOtherCampaignsMs: AT_MS - 6 * DAY_MS }, lately)).toEqual([false]);
    expect(allowed("called_lately", { lastOfOtherCampaignsMs: AT_MS - 7 * DAY_MS }, lately)).toEqual([true]);
    const caps: Partial<CampaignSpecInput> = {
      frequency: [
        { attempts: 3, within: "7d" },
        { conversations: 1, within: "30d", across: "everything", at_cap: "end" },
      ],
    };
    expect(of("frequency", { counted: [1, 0] }, caps)[0]).toEqual({
      rule: "frequency",
      allowed: true,
      says: "1 attempt of the brand in the 7d before it, 3 at most",
    });
    expect(of("frequency", { counted: [4, 0] }, caps)[0]).toEqual({
      rule: "frequency",
      allowed: false,
      says: "more than 3 attempts of the brand in the 7d before it, 3 at most",
    });
    expect(of("called_often", { counted: [1, 1] }, caps)[0]).toEqual({
      rule: "called_often",
      allowed: false,
      says: "1 conversation of every brand in the 30d before it, 1 at most",
    });
  });

  it("holds the campaign's dates against it", () => {
    const dates = { starts_at: "2026-03-09T16:00:00Z", ends_at: "2026-03-09T17:00:00Z" };
    expect([allowed("before_start", {}, dates), allowed("after_end", {}, dates)]).toEqual([[true], [true]]);
    expect(allowed("before_start", { permittedMs: AT_MS - 1 }, dates)).toEqual([false]);
    expect(allowed("after_end", { permittedMs: AT_MS + HOUR_MS }, dates)).toEqual([false]);
  });

  it("holds the time since the last call against it: a retry's shorter delay, and a minute in any case", () => {
    const gap = { least_gap: "1h", retry: { max_attempts: 3, delays: { busy: "10m" } } };
    const own = (minutes: number) => ({
      lastOfOwnMs: AT_MS - minutes * MINUTE_MS,
      lastDisposition: "busy" as const,
    });
    expect(allowed("called_just_now", own(10), gap)).toEqual([true]);
    expect(allowed("called_just_now", own(9), gap)).toEqual([false]);
    expect(allowed("called_just_now", { lastOfOthersMs: AT_MS - 59 * MINUTE_MS }, gap)).toEqual([false]);
    expect(of("called_just_now", { lastOfOthersMs: AT_MS - HOUR_MS }, gap)[0]).toEqual({
      rule: "called_just_now",
      allowed: true,
      says: "1h since the last call of the brand, 1h at least",
    });
    const none = { least_gap: "0s", retry: { max_attempts: 3, delays: { busy: "0s" } } };
    expect(allowed("called_just_now", { ...own(0.5) }, none)).toEqual([false]);
    expect(allowed("called_just_now", { ...own(0.5), isSimulated: true }, none)).toEqual([true]);
  });
});
