import { describe, expect, it } from "vitest";

import {
  policyOf,
  readCampaignSpec,
  type CampaignSpecInput,
} from "../../../src/domain/campaigns/campaign-spec.ts";
import { checkDial } from "../../../src/domain/people/dial-checks.ts";
import type { DialFacts } from "../../../src/domain/people/dial-facts.ts";
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
    places: [],
    consents: [],
    lists: [],
    changedSources: [],
    sources: [],
    scrubbers: [],
    before: {},
    lastDisposition: undefined,
    calledUsMs: undefined,
    lastOfOthersMs: undefined,
    lastOfOwnMs: undefined,
    lastOfOtherCampaignsMs: undefined,
    counted: [],
    money: { heldMicros: 200_000, costMicros: 130_000, isTold: true },
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
      // Of `careful`, where nothing is said.
      "frequency",
      "window",
      "called_just_now",
      "money",
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
    expect(of("window", { zones: [] }, { window: "always" })).toMatchObject([
      { allowed: true, says: "when it was permitted the window was open" },
    ]);
    // Nor of a zone that data of another day had and this one has not.
    expect(of("window", { zones: ["Mars/Base"] }, { window: "always" })[0]?.says).toBe(
      "when it was permitted the window was open",
    );
    const sunday = Date.UTC(2026, 2, 8, 7, 30);
    const [check] = of("window", { permittedMs: sunday }, { window: { sunday: ["01:00-03:30"] } });
    expect(check?.says).toContain("2026-03-08 03:30:00 America/New_York (closed, 01:00-03:30)");
  });

  it("holds a suppression, costly kinds and countries against it", () => {
    const suppression = { source: "dnc", reason: "register", sinceMs: AT_MS - DAY_MS, isSure: true };
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

  it("holds rules of presets against it where the person may be, and says which", () => {
    const us: Partial<CampaignSpecInput> = { presets: ["us-states"], window: "always" };
    // 20:30 in Miami.
    const late = { permittedMs: Date.UTC(2026, 2, 10, 0, 30) };
    expect(of("window", { ...late, places: ["US-FL"] }, us)).toEqual([
      {
        rule: "window",
        allowed: false,
        says: "when it was permitted the window was closed (us-states 2026.1: Florida, 08:00-20:00 every day (us-fl.hours; Fla. Stat. § 501.616(6), § 501.059(8))): 2026-03-09 20:30:00 America/New_York (closed, 08:00-20:00)",
      },
    ]);
    const [elsewhere] = of("window", { ...late, places: ["US-NY"] }, us);
    expect(elsewhere?.allowed).toBe(true);
    expect(elsewhere?.says).toContain("America/New_York (open, 08:00-21:00)");
    // Where nobody knows the state, every one's rules hold.
    expect(allowed("window", late, us)).toEqual([false]);
  });

  it("shows rules of a place by the clocks of its country alone", () => {
    const us: Partial<CampaignSpecInput> = { presets: ["us-states", "ca"], window: "always" };
    const zones = ["America/New_York", "America/Toronto"];
    const [check] = of("window", { zones, places: ["CA", "US-FL"] }, us);
    expect(check?.says).toBe(
      "when it was permitted the window was open: 2026-03-09 12:00:00 America/New_York (open, 08:00-20:00); 2026-03-09 12:00:00 America/Toronto (open, 09:00-21:30)",
    );
  });

  it("counts a cap of a preset where the person may be, and says nothing of one that holds elsewhere", () => {
    const us: Partial<CampaignSpecInput> = { presets: ["us-states"], window: "always" };
    const [check] = of("frequency", { places: ["US-FL"], counted: [3] }, us);
    expect(check?.allowed).toBe(false);
    expect(check?.says).toMatch(
      /^3 attempts of the brand in the 1d before it, 3 at most, by us-states 2026\.1: Florida, .*us-fl\.calls/,
    );
    const elsewhere = checkDial(facts({ places: ["US-CA"], counted: [3] }), policy(us));
    expect(elsewhere.map(({ rule }) => rule)).toEqual([
      "suppressed",
      "number_not_allowed",
      "no_consent",
      "max_attempts",
      "window",
      "called_just_now",
      "money",
    ]);
  });

  it("holds consent against it as it had been recorded, where the policy or a place asks for it", () => {
    const given = (daysAgo: number, expiresAtMs?: number) =>
      ({ basis: "express", atMs: AT_MS - daysAgo * DAY_MS, expiresAtMs }) as const;
    const asks: Partial<CampaignSpecInput> = { consent: { require: "express" } };
    expect(of("no_consent", { consents: [given(3)] }, asks)).toEqual([
      { rule: "no_consent", allowed: true, says: "consent had been given (express is asked for)" },
    ]);
    const withdrawn = { basis: undefined, atMs: AT_MS - DAY_MS, expiresAtMs: undefined };
    expect(of("no_consent", { consents: [given(3), withdrawn] }, asks)).toEqual([
      { rule: "no_consent", allowed: false, says: "consent was withdrawn at 2026-03-08T16:00:00.000Z" },
    ]);
    expect(allowed("consent_expired", { consents: [given(3, AT_MS - HOUR_MS)] }, asks)).toEqual([false]);
    const us: Partial<CampaignSpecInput> = { presets: ["us-states"], window: "always" };
    const [inFlorida] = of("no_consent", { places: ["US-FL"] }, us);
    expect(inFlorida?.allowed).toBe(false);
    expect(inFlorida?.says).toMatch(/^no consent is known for the number, by us-states 2026\.1: Florida/);
    expect(of("no_consent", { places: ["CA"] }, us)).toEqual([]);
    const written = { ...given(3), basis: "express_written" } as const;
    expect(of("no_consent", { places: ["US-FL"], consents: [written] }, us)[0]?.says).toMatch(
      /^consent had been given \(.* is asked for\), by us-states 2026\.1: Florida/,
    );
  });

  it("holds the age of lists against it, and says so where the ledger does not know what it might be", () => {
    const list = { source: "register", renewedAtMs: AT_MS - 31 * DAY_MS, maxAgeMs: 31 * DAY_MS };
    expect(of("stale_list", {})).toEqual([]);
    expect(of("stale_list", { lists: [list] })).toEqual([
      {
        rule: "stale_list",
        allowed: false,
        says: "the list of the source register was of 2026-02-06T16:00:00.000Z, and may be 31d old, which was too old",
      },
    ]);
    const younger = { ...list, renewedAtMs: list.renewedAtMs + 1 };
    expect(allowed("stale_list", { lists: [younger] })).toEqual([true]);
    expect(allowed("stale_list", { lists: [younger], changedSources: ["other"] })).toEqual([undefined]);
    expect(allowed("stale_list", { lists: [younger, { ...list, renewedAtMs: undefined }] })).toEqual([false]);
    const suppression = { source: "register", reason: "on it", sinceMs: AT_MS - DAY_MS, isSure: false };
    expect(allowed("suppressed", { suppression })).toEqual([undefined]);
  });

  it("takes the delay of a retry as its policy has it by now: longer from call to call", () => {
    const gap = {
      least_gap: "1h",
      retry: { max_attempts: 5, delays: { busy: { first: "10m", factor: 2, at_most: "4h" } } },
    };
    const twice = (minutes: number) => ({
      before: { busy: 2 },
      lastDisposition: "busy" as const,
      lastOfOwnMs: AT_MS - minutes * MINUTE_MS,
    });
    expect(allowed("called_just_now", twice(19), gap)).toEqual([false]);
    expect(allowed("called_just_now", twice(20), gap)).toEqual([true]);
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
    expect(of("called_often", { counted: [1, 2] }, caps)[0]?.says).toBe(
      "more than 1 conversation of every brand in the 30d before it, 1 at most",
    );
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

  it.each([
    [200_000, 130_000, true, "USD 0.20 was held for it; it cost USD 0.13, as the platform told", true],
    [
      200_000,
      0,
      false,
      "USD 0.20 was held for it; it is taken to have cost USD 0.00: the platform has not told",
      true,
    ],
    [200_000, undefined, false, "USD 0.20 was held for it; what it cost is not known yet", true],
    [0, 130_000, true, "nothing was held for it; it cost USD 0.13, as the platform told", undefined],
  ])("had %s millionths held for it, and cost %s (told: %s)", (heldMicros, costMicros, isTold, says, is) => {
    expect(of("money", { money: { heldMicros, costMicros, isTold } })).toEqual([
      { rule: "money", allowed: is, says },
    ]);
  });

  it("was scrubbed where a service had cleared the number and that held, or was not, or nobody can tell", () => {
    const service = { source: "carrier", cacheMs: DAY_MS, whenAway: "wait" as const, isSure: true };
    const by = (last: { askedAtMs: number; listed: boolean } | undefined, changes = {}) =>
      allowed("not_scrubbed", { scrubbers: [{ ...service, last, ...changes }] });
    expect(by({ askedAtMs: AT_MS - HOUR_MS, listed: false })).toEqual([true]);
    expect(by({ askedAtMs: AT_MS - DAY_MS, listed: false })).toEqual([false]);
    expect(by({ askedAtMs: AT_MS - HOUR_MS, listed: true })).toEqual([false]);
    expect(by(undefined)).toEqual([false]);
    expect(by(undefined, { whenAway: "dial" })).toEqual([undefined]);
    expect(by({ askedAtMs: AT_MS - 2 * DAY_MS, listed: true }, { whenAway: "dial" })).toEqual([false]);
    expect(by({ askedAtMs: AT_MS - HOUR_MS, listed: false }, { isSure: false })).toEqual([undefined]);
    const saidOf = (last: { askedAtMs: number; listed: boolean } | undefined, changes = {}) =>
      of("not_scrubbed", { scrubbers: [{ ...service, last, ...changes }] })[0]?.says;
    const cleared = "the scrubbing service carrier had cleared the number at 2026-03-09T15:00:00.000Z";
    expect(saidOf({ askedAtMs: AT_MS - HOUR_MS, listed: false })).toBe(
      `${cleared}, and an answer holds for 1d`,
    );
    expect(saidOf({ askedAtMs: AT_MS - HOUR_MS, listed: false }, { isSure: false })).toBe(
      `${cleared}; how it was set up then is not known, since it was changed later`,
    );
    expect(saidOf({ askedAtMs: AT_MS - HOUR_MS, listed: true })).toBe(
      "the scrubbing service carrier had listed the number at 2026-03-09T15:00:00.000Z, and an answer holds for 1d",
    );
    expect(saidOf(undefined, { whenAway: "dial" })).toBe(
      "the scrubbing service carrier had not answered for the number, and an answer holds for 1d; without one it may be dialed while the service is away, of which the audit log tells (suppression_source.away)",
    );
  });

  it("had the sources that its policy required, or had not", () => {
    const source = { source: "ftc", hasList: true, isSure: true };
    const spec = { requires_sources: ["ftc"] };
    expect(allowed("missing_source", { sources: [source] }, spec)).toEqual([true]);
    expect(allowed("missing_source", { sources: [{ ...source, hasList: false }] }, spec)).toEqual([false]);
    expect(allowed("missing_source", { sources: [] }, spec)).toEqual([false]);
    expect(allowed("missing_source", { sources: [{ ...source, isSure: false }] }, spec)).toEqual([undefined]);
    expect(allowed("missing_source", { sources: [] })).toEqual([]);
    const another = { ...source, source: "another", hasList: false };
    expect(allowed("missing_source", { sources: [another, source] }, spec)).toEqual([true]);
    expect(allowed("missing_source", { sources: [another] }, spec)).toEqual([false]);
  });

  it("was made while those who take transferred calls were there, by their own clock, or was not", () => {
    const spec: Partial<CampaignSpecInput> = {
      transfers: { hours: { weekdays: ["09:00-16:00"] }, timezone: "Europe/London" },
    };
    // Noon in New York is 16:00 in London in these weeks of March.
    expect(of("transfer_closed", {}, spec)).toEqual([
      {
        rule: "transfer_closed",
        allowed: false,
        says: "those who take transferred calls were not there: 2026-03-09 16:00:00 Europe/London",
      },
    ]);
    expect(of("transfer_closed", { permittedMs: AT_MS - 1 }, spec)).toEqual([
      {
        rule: "transfer_closed",
        allowed: true,
        says: "those who take transferred calls were there: 2026-03-09 15:59:59 Europe/London",
      },
    ]);
    expect(of("transfer_closed", {})).toEqual([]);
  });

  it("takes a last call that is told to be later for one of the same moment", () => {
    const gap = { least_gap: "1h", retry: { max_attempts: 3, delays: { busy: "10m" } } };
    for (const last of [{ lastOfOwnMs: AT_MS + HOUR_MS }, { lastOfOthersMs: AT_MS + HOUR_MS }])
      expect(of("called_just_now", { ...last, lastDisposition: "busy" }, gap)).toMatchObject([
        { allowed: false, says: expect.stringMatching(/^0ms since the last call of the brand, /) },
      ]);
    expect(of("called_just_now", {}, gap)[0]?.says).toBe("the brand had not called the number within a day");
    // Of two last calls the later one is told, with what it asks for.
    const both = { lastOfOwnMs: AT_MS - 20 * MINUTE_MS, lastOfOthersMs: AT_MS - 90 * MINUTE_MS };
    expect(of("called_just_now", { ...both, lastDisposition: "busy" }, gap)[0]).toMatchObject({
      allowed: true,
      says: "20m since the last call of the brand, 10m at least",
    });
    const others = { lastOfOwnMs: AT_MS - 90 * MINUTE_MS, lastOfOthersMs: AT_MS - 61 * MINUTE_MS };
    expect(of("called_just_now", { ...others, lastDisposition: "busy" }, gap)[0]).toMatchObject({
      allowed: true,
      says: "1h1m since the last call of the brand, 1h at least",
    });
  });

  it("says what it saw, rule by rule", () => {
    const says = (rule: string, changed: Partial<DialFacts>, spec: Partial<CampaignSpecInput> = {}) =>
      of(rule, changed, spec).map((check) => check.says);
    const calledUsMs = AT_MS - HOUR_MS;
    const lately = { not_called_within: "7d" };
    const lastOfOtherCampaignsMs = AT_MS - 6 * DAY_MS;
    const retry = { max_attempts: 3, delays: { busy: "10m" }, max_per_disposition: { busy: 2 } };
    const dates = { starts_at: "2026-03-09T16:00:00Z", ends_at: "2026-03-09T17:00:00Z" };
    const spec = { requires_sources: ["ftc"] };
    const source = { source: "ftc", hasList: true, isSure: true };
    const suppression = { source: "register", reason: "on it", sinceMs: AT_MS - DAY_MS, isSure: false };
    const list = { source: "register", renewedAtMs: AT_MS - DAY_MS, maxAgeMs: 31 * DAY_MS };
    expect([
      ...says("suppressed", {}),
      ...says("suppressed", { suppression }),
      ...says("max_attempts", { before: { busy: 1 } }, { retry }),
      ...says("max_per_disposition", { before: { busy: 1 }, lastDisposition: "busy" }, { retry }),
      ...says("max_per_disposition", { before: {}, lastDisposition: "busy" }, { retry }),
      ...says("called_back", {}, { inbound: "close" }),
      ...says("called_back", { calledUsMs }, { inbound: "close" }),
      ...says("called_lately", {}, lately),
      ...says("called_lately", { lastOfOtherCampaignsMs }, lately),
      ...says("before_start", {}, dates),
      ...says("after_end", {}, dates),
      ...says("missing_source", { sources: [source] }, spec),
      ...says("missing_source", { sources: [{ ...source, hasList: false }] }, spec),
      ...says("missing_source", { sources: [] }, spec),
      ...says("missing_source", { sources: [{ ...source, isSure: false }] }, spec),
      ...says("stale_list", { lists: [list] }),
      ...says("stale_list", { lists: [{ ...list, renewedAtMs: undefined }] }),
      ...says("stale_list", { changedSources: ["other", "third"] }),
    ]).toEqual([
      "no suppression was in force",
      "suppressed since 2026-03-08T16:00:00.000Z (register: on it), if the source bound the brand then: its scope or its age was changed later",
      "call 2 of 3 at most",
      "1 of 2 calls before it came to busy",
      "0 of 2 calls before it came to busy",
      "the person had not called us since they were accepted",
      "the person had called us at 2026-03-09T15:00:00.000Z",
      "no other campaign of the brand had called within 7d",
      "another campaign of the brand had called at 2026-03-03T16:00:00.000Z, within 7d",
      "the campaign's start is 2026-03-09T16:00:00.000Z",
      "the campaign's end is 2026-03-09T17:00:00.000Z",
      "the required source ftc was there, and had a list or was asked",
      "the required source ftc had no list yet",
      "the required source ftc was not there for the brand",
      "whether the required source ftc bound the brand then is not known, since it was changed later",
      "the list of the source register was of 2026-03-08T16:00:00.000Z, and may be 31d old; no list that bound the brand was too old",
      "the source register had no list yet, and must have one of at most 31d, which was too old",
      "how old the lists of these sources might be then is not known, since it was changed later: other, third",
    ]);
  });
});
