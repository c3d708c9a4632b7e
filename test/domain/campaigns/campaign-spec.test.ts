import fc from "fast-check";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";

import {
  policyOf,
  rampUpMsOf,
  readCampaignSpec,
  type CampaignSpec,
  type SpecProblem,
} from "../../../src/domain/campaigns/campaign-spec.ts";
import { windowOf } from "../../../src/domain/campaigns/window-spec.ts";
import { waitAfter } from "../../../src/domain/policy/retry-delay.ts";

const REQUIRED = {
  name: "spring-renewal",
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  concurrency: 20,
};

function read(changes: object): CampaignSpec {
  const reading = readCampaignSpec({ ...REQUIRED, ...changes });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

function problems(changes: object): SpecProblem[] {
  const reading = readCampaignSpec({ ...REQUIRED, ...changes });
  return reading.ok ? [] : reading.problems;
}

describe("a spec that leaves out all that it may", () => {
  it("gets careful defaults: one attempt, weekdays from 9 to 6, the preset `careful`, no dates, no rules", () => {
    expect(read({})).toEqual({
      ...REQUIRED,
      brand: "default",
      weight: 1,
      retry: { max_attempts: 1, delays: {}, max_per_disposition: {} },
      window: { weekdays: ["09:00-18:00"] },
      presets: ["careful@2026.1"],
      inbound: "ignore",
      least_gap: "5m",
    });
  });

  it("keeps what it says", () => {
    const whole = {
      ...REQUIRED,
      brand: "acme.eu",
      from_numbers: ["+12025550100", "+442071838750"],
      default_region: "US",
      retry: {
        max_attempts: 3,
        delays: { no_answer: "30m", busy: "10m", voicemail: "4h", failed: "5m" },
        max_per_disposition: { voicemail: 1 },
      },
      window: { weekdays: ["09:00-12:00", "13:00-20:00"], saturday: ["10:00-18:00"] },
      starts_at: "2026-12-01T09:00:00+01:00",
      ends_at: "2026-12-24T12:00:00Z",
      analysis: { rules: [{ key: "do_not_call", equals: true, disposition: "opted_out" }], wait: "15m" },
      inbound: { reschedule: "24h" },
      least_gap: "2h",
      holidays: ["US", "DE-BY"],
      exceptions: [
        { date: "2026-12-24", to: "2026-12-26", name: "Christmas" },
        { date: "2026-12-27", hours: ["10:00-12:00"] },
      ],
      frequency: [{ attempts: 3, within: "7d", across: "everything", at_cap: "end" }],
      numbers: { countries: ["US", "CA"], kinds: ["shared_cost"] },
      weight: 4,
      ramp_up: "10m",
      presets: ["us-states@2026.1", "us-federal@2026.1", "careful@2026.1"],
      override: [{ rule: "us-tx.hours", reason: "existing customers only" }],
    };
    expect(read(whole)).toEqual(whole);
  });

  it("is read from the YAML that a person writes", () => {
    const text = `
name: spring-renewal
agent_id: 11111111-1111-4111-8111-111111111111
from_numbers: ["+12025550100"]
concurrency: 20              # slots
default_region: US
retry:
  max_attempts: 3
  delays: { no_answer: 30m, busy: 10m, voicemail: 4h, failed: 5m }
window: { weekdays: ["09:00-20:00"], saturday: ["10:00-18:00"] }
`;
    expect(readCampaignSpec(parse(text))).toMatchObject({ ok: true, spec: { concurrency: 20 } });
    expect(read({ window: parse("always") }).window).toBe("always");
  });
});

describe("a spec that goes as far as it may", () => {
  it.each([
    { not_called_within: "1m" },
    { not_called_within: "366d" },
    { least_gap: "7d" },
    { ramp_up: "24h" },
    { retry: { max_attempts: 10, delays: { busy: "30d" } } },
  ])("is taken: %j", (changes) => {
    expect(problems(changes)).toEqual([]);
  });
});

/** Bad values, the field that is named for each, and what is said of it. */
const BAD: readonly [changes: object, field: string, problem: RegExp][] = [
  [{ name: undefined }, "name", /is missing/],
  [{ least_gap: "8d" }, "least_gap", /up to 7d/],
  [{ least_gap: 5 }, "least_gap", /must be a duration up to 7d/],
  [{ name: 5 }, "name", /must be text/],
  [{ name: "" }, "name", /letters, digits/],
  [{ name: " spring" }, "name", /letters, digits/],
  [{ name: "-spring" }, "name", /letters, digits/],
  [{ name: "a/b" }, "name", /letters, digits/],
  [{ name: "a\nb" }, "name", /letters, digits/],
  [{ name: "../../etc" }, "name", /letters, digits/],
  [{ name: "x".repeat(101) }, "name", /100/],
  [{ brand: "" }, "brand", /lower-case/],
  [{ brand: "Acme" }, "brand", /lower-case/],
  [{ brand: 7 }, "brand", /must be text/],
  [{ brand: "x".repeat(101) }, "brand", /100/],
  [{ agent_id: undefined }, "agent_id", /is missing/],
  [{ agent_id: "" }, "agent_id", /must not be empty/],
  [{ agent_id: "x".repeat(201) }, "agent_id", /200/],
  [{ from_numbers: undefined }, "from_numbers", /is missing/],
  [{ from_numbers: "+12025550100" }, "from_numbers", /must be a list/],
  [{ from_numbers: [] }, "from_numbers", /must have 1 or more/],
  [{ from_numbers: ["2025550100"] }, "from_numbers[0]", /E\.164/],
  [{ from_numbers: ["+12025550100", "+1 202 555 0101"] }, "from_numbers[1]", /E\.164/],
  [{ from_numbers: ["+0123456789"] }, "from_numbers[0]", /E\.164/],
  [{ from_numbers: ["+1234567890123456"] }, "from_numbers[0]", /E\.164/],
  [{ from_numbers: ["+12025550100", "+12025550100"] }, "from_numbers", /twice/],
  [{ concurrency: undefined }, "concurrency", /is missing/],
  [{ concurrency: 0 }, "concurrency", /1 or more/],
  [{ concurrency: -1 }, "concurrency", /1 or more/],
  [{ concurrency: 2.5 }, "concurrency", /must be a whole number/],
  [{ concurrency: Number.NaN }, "concurrency", /number/],
  [{ concurrency: "20" }, "concurrency", /number/],
  [{ concurrency: 100_001 }, "concurrency", /100000/],
  [{ default_region: "usa" }, "default_region", /two-letter/],
  [{ default_region: "us" }, "default_region", /two-letter/],
  [{ retry: 3 }, "retry", /must be a group of fields/],
  [{ retry: {} }, "retry.max_attempts", /is missing/],
  [{ retry: { max_attempts: 0 } }, "retry.max_attempts", /must be 1 or more/],
  [{ retry: { max_attempts: 11 } }, "retry.max_attempts", /10/],
  [{ retry: { max_attempts: 1.5 } }, "retry.max_attempts", /must be a whole number/],
  [{ retry: { max_attempts: 2, delays: { answered: "5m" } } }, "retry.delays.answered", /not a field/],
  [
    { retry: { max_attempts: 2, delays: { busy: "soon" } } },
    "retry.delays.busy",
    /duration up to 30d such as/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: "31d" } } },
    "retry.delays.busy",
    /duration up to 30d such as/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: "9".repeat(400) + "d" } } },
    "retry.delays.busy",
    /duration up to/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: "-5m" } } },
    "retry.delays.busy",
    /duration up to 30d such as/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: 5 } } },
    "retry.delays.busy",
    /must be a duration .* next_window/,
  ],
  [{ retry: { max_attempts: 2, delays: { busy: "next-window" } } }, "retry.delays.busy", /next_window/],
  [
    { retry: { max_attempts: 2, delays: { busy: "other_part_of_day" } } },
    "retry.delays.busy",
    /needs how long after the call at least: \{ after: 4h, at: other_part_of_day \}/,
  ],
  [{ retry: { max_attempts: 2, delays: { busy: [] } } }, "retry.delays.busy", /1 to 9 delays/],
  [{ retry: { max_attempts: 2, delays: { busy: ["1m", "soon"] } } }, "retry.delays.busy[1]", /duration/],
  [
    { retry: { max_attempts: 2, delays: { busy: Array(10).fill("1m") } } },
    "retry.delays.busy",
    /must have 1 to 9 delays/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: { after: "4h", at: "noon" } } } },
    "retry.delays.busy.at",
    /one of next_window, other_part_of_day/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: { after: "0s", at: "next_window" } } } },
    "retry.delays.busy.after",
    /from 1m to 30d/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: { at: "next_window" } } } },
    "retry.delays.busy.after",
    /is missing/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: { first: "10m", factor: 1, at_most: "1d" } } } },
    "retry.delays.busy.factor",
    /more than 1/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: { first: "1h", factor: 2, at_most: "10m" } } } },
    "retry.delays.busy.at_most",
    /must not be shorter than first, which is 1h/,
  ],
  [
    { retry: { max_attempts: 2, delays: { busy: { first: "1h", factor: 2, max: "10m" } } } },
    "retry.delays.busy.max",
    /is not a field/,
  ],
  [{ contact_priority: "score" }, "contact_priority", /must be a group of fields/],
  [
    { contact_priority: { column: "score", first: 1, last: 1 } },
    "contact_priority.last",
    /must not be the same as first/,
  ],
  [{ contact_priority: { column: "score", first: 1 } }, "contact_priority.last", /is missing/],
  [{ order: "newest" }, "order", /one of list, newest_first/],
  [
    { retry: { max_attempts: 2, max_per_disposition: { busy: 0 } } },
    "retry.max_per_disposition.busy",
    /must be 1 or more/,
  ],
  [
    { retry: { max_attempts: 2, max_per_disposition: { hm: 1 } } },
    "retry.max_per_disposition.hm",
    /not a field/,
  ],
  [{ retry: { max_attempts: 2, delay: {} } }, "retry.delay", /not a field/],
  [{ window: "sometimes" }, "window", /`always` or days with ranges/],
  [{ window: null }, "window", /`always` or days with ranges/],
  [{ window: ["09:00-18:00"] }, "window", /`always` or days with ranges/],
  [{ window: {} }, "window", /opens on no day.*`always`/],
  [{ window: { weekdays: [], sunday: [] } }, "window", /opens on no day/],
  [{ window: { sunday: undefined } }, "window", /opens on no day/],
  [{ window: { weekdays: "09:00-18:00" } }, "window.weekdays", /must be a list/],
  [{ window: { weekdays: ["9-18"] } }, "window.weekdays[0]", /"HH:MM-HH:MM"/],
  [
    { window: { monday: ["09:00-18:00", "22:00-02:00"] } },
    "window.monday[1]",
    /split a range that crosses midnight/,
  ],
  [{ window: { monday: Array(7).fill("09:00-10:00") } }, "window.monday", /6/],
  [{ window: { funday: ["09:00-18:00"] } }, "window.funday", /not a field.*spelling/],
  [{ starts_at: "tomorrow" }, "starts_at", /ISO 8601 time with offset such as/],
  [{ starts_at: "2026-12-01T09:00:00" }, "starts_at", /offset/],
  [{ starts_at: "2026-02-30T09:00:00Z" }, "starts_at", /ISO 8601/],
  [{ starts_at: new Date(0) }, "starts_at", /ISO 8601/],
  [{ ends_at: "2026-13-01T09:00:00Z" }, "ends_at", /ISO 8601/],
  [{ starts_at: "2026-12-02T09:00:00Z", ends_at: "2026-12-02T09:00:00Z" }, "ends_at", /after starts_at/],
  [{ starts_at: "2026-12-02T09:00:00Z", ends_at: "2026-12-02T09:30:00+01:00" }, "ends_at", /after starts_at/],
  [{ analysis: {} }, "analysis.rules", /is missing/],
  [{ analysis: { rules: [] } }, "analysis.rules", /must have 1 or more/],
  [
    { analysis: { rules: [{ key: "", equals: 1, disposition: "answered" }] } },
    "analysis.rules[0].key",
    /must not be empty/,
  ],
  [
    { analysis: { rules: [{ key: "k", equals: null, disposition: "answered" }] } },
    "analysis.rules[0].equals",
    /./,
  ],
  [
    { analysis: { rules: [{ key: "k", equals: 1, disposition: "hm" }] } },
    "analysis.rules[0].disposition",
    /callback_requested/,
  ],
  [
    { analysis: { rules: [{ key: "k", equals: 1, disposition: "busy" }], wait: "long" } },
    "analysis.wait",
    /duration/,
  ],
  [
    { analysis: { rules: [{ key: "k", is: 1, equals: 1, disposition: "busy" }] } },
    "analysis.rules[0].is",
    /not a field/,
  ],
  [{ inbound: "hang_up" }, "inbound", /`close`, `ignore` or a reschedule/],
  [{ inbound: { reschedule: "soon" } }, "inbound.reschedule", /duration/],
  [{ inbound: { reschedule: "24h", close: true } }, "inbound.close", /not a field/],
  [{ contacts: "list.csv" }, "contacts", /\{ file: \.\.\. \}, \{ url/],
  [{ not_called_within: "30s" }, "not_called_within", /duration from 1m to 366d/],
  [{ not_called_within: "367d" }, "not_called_within", /duration from 1m to 366d/],
  [{ ramp_up: "25h" }, "ramp_up", /up to 24h/],
  [{ ramp_up: "slowly" }, "ramp_up", /up to 24h/],
  [{ holidays: [] }, "holidays", /must have 1 or more/],
  [{ holidays: "US" }, "holidays", /must be a list/],
  [{ holidays: ["US", "Bavaria"] }, "holidays[1]", /two-letter code such as US.*DE-BY/],
  [{ holidays: ["DE-BX"] }, "holidays[0]", /no part of DE: .*DE-BY/],
  [{ holidays: ["US", "US"] }, "holidays", /twice/],
  [{ exceptions: [] }, "exceptions", /must have 1 or more/],
  [{ exceptions: [{ date: "24.12.2026" }] }, "exceptions[0].date", /a day such as/],
  [{ exceptions: [{ date: "2026-02-29" }] }, "exceptions[0].date", /a day such as/],
  [{ exceptions: [{ to: "2026-12-26" }] }, "exceptions[0].date", /is missing/],
  [
    { exceptions: [{ date: "2026-12-26", to: "2026-12-25" }] },
    "exceptions[0].to",
    /must not be before `date`/,
  ],
  [{ exceptions: [{ date: "2026-12-26", to: "2027-12-27" }] }, "exceptions[0].to", /within 366 days/],
  [{ exceptions: [{ date: "2026-12-26", hours: ["9-12"] }] }, "exceptions[0].hours[0]", /"HH:MM-HH:MM"/],
  [{ exceptions: [{ date: "2026-12-26", name: " " }] }, "exceptions[0].name", /must not be empty/],
  [{ exceptions: [{ date: "2026-12-26", closed: true }] }, "exceptions[0].closed", /not a field/],
  [
    {
      exceptions: [
        { date: "2026-12-26" },
        { date: "2026-12-20", to: "2026-12-26" },
        { date: "2026-12-28", to: "2026-12-29" },
      ],
    },
    "exceptions[0].date",
    /within the exception of 2026-12-20 already/,
  ],
  [
    { exceptions: [{ date: "2026-12-26" }, { date: "2026-12-26" }] },
    "exceptions[1].date",
    /within the exception of 2026-12-26 already/,
  ],
  [{ frequency: [] }, "frequency", /must have 1 or more/],
  [{ frequency: { attempts: 3, within: "7d" } }, "frequency", /must be a list/],
  [{ frequency: [{ within: "7d" }] }, "frequency[0]", /either attempts or conversations/],
  [
    { frequency: [{ attempts: 3, conversations: 1, within: "7d" }] },
    "frequency[0]",
    /either attempts or conversations/,
  ],
  [{ frequency: [{ attempts: 0, within: "7d" }] }, "frequency[0].attempts", /1 or more/],
  [{ frequency: [{ attempts: 101, within: "7d" }] }, "frequency[0].attempts", /100/],
  [{ frequency: [{ attempts: 3 }] }, "frequency[0].within", /is missing/],
  [{ frequency: [{ attempts: 3, within: "30s" }] }, "frequency[0].within", /from 1m to 366d/],
  [{ frequency: [{ attempts: 3, within: "7d", across: "all" }] }, "frequency[0].across", /everything/],
  [{ frequency: [{ attempts: 3, within: "7d", at_cap: "stop" }] }, "frequency[0].at_cap", /wait/],
  [{ frequency: [1, 2, 3, 4, 5, 6].map((attempts) => ({ attempts, within: "7d" })) }, "frequency", /5/],
  [{ numbers: {} }, "numbers", /must say countries, kinds, or both/],
  [{ numbers: { countries: [] } }, "numbers.countries", /must have 1 or more/],
  [{ numbers: { countries: ["US", "XX"] } }, "numbers.countries[1]", /two-letter code such as US or DE/],
  [{ numbers: { countries: ["us"] } }, "numbers.countries[0]", /two-letter code/],
  [{ numbers: { countries: ["US", "US"] } }, "numbers.countries", /twice/],
  [{ numbers: { kinds: ["mobile"] } }, "numbers.kinds[0]", /premium_rate/],
  [{ list: "list.csv" }, "list", /not a field.*spelling/],
];

describe("exceptions of a spec may not meet", () => {
  const days = (date: string, to?: string) => ({
    date: `2026-12-${date}`,
    ...(to && { to: `2026-12-${to}` }),
  });

  it.each([
    ["one behind the other do not", [days("01"), days("02"), days("03", "04"), days("05")], []],
    [
      "one is within the second, which ends last",
      [days("01"), days("20", "26"), days("24")],
      [["exceptions[2].date", "2026-12-20"]],
    ],
    [
      "two are within the first, which ends behind both",
      [days("20", "31"), days("22"), days("25")],
      [
        ["exceptions[1].date", "2026-12-20"],
        ["exceptions[2].date", "2026-12-20"],
      ],
    ],
    [
      "one is within two that end on the same day, and the first is named",
      [days("20", "26"), days("22", "26"), days("24")],
      [
        ["exceptions[1].date", "2026-12-20"],
        ["exceptions[2].date", "2026-12-20"],
      ],
    ],
    [
      "a third one is within the second, which goes on behind the first",
      [days("20", "22"), days("21", "28"), days("25")],
      [
        ["exceptions[1].date", "2026-12-20"],
        ["exceptions[2].date", "2026-12-21"],
      ],
    ],
  ])("%s", (_what, exceptions, expected) => {
    expect(problems({ exceptions })).toEqual(
      expected.map(([field, within]) => ({ field, problem: `is within the exception of ${within} already` })),
    );
  });
});

describe("a spec that can't be read names the field and says what it takes", () => {
  it.each(BAD)("%j", (changes, field, problem) => {
    const found = problems(changes);
    expect(found.map((one) => one.field)).toContain(field);
    expect(
      found
        .filter((one) => one.field === field)
        .map((one) => one.problem)
        .join("; "),
    ).toMatch(problem);
  });

  it("reports every problem at once", () => {
    const found = problems({
      name: "",
      concurrency: 0,
      window: { weekdays: ["9-5"] },
      retry: { max_attempts: 99 },
      extra: 1,
    });
    expect(new Set(found.map((one) => one.field))).toEqual(
      new Set(["name", "concurrency", "window.weekdays[0]", "retry.max_attempts", "extra"]),
    );
  });

  it.each([null, undefined, "name: x", 5, [], true])("that is %j and no object is told so", (value) => {
    expect(readCampaignSpec(value)).toMatchObject({ ok: false, problems: [{ field: "the spec" }] });
  });

  it("of any shape at all is refused with problems, and never throws", () => {
    const anything = fc.object({ maxDepth: 3, key: fc.string({ minLength: 1 }) });
    fc.assert(
      fc.property(anything, anything, (top, inner) => {
        const reading = readCampaignSpec({
          ...REQUIRED,
          ...top,
          window: inner,
          retry: inner,
          analysis: inner,
        });
        const said = reading.ok ? [] : reading.problems;
        expect(said.length > 0).toBe(!reading.ok);
        for (const { field, problem } of said) expect(field !== "" && problem !== "").toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

const range = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 1_440 }))
  .filter(([start, end]) => start < end)
  .map(([start, end]) => `${clock(start)}-${clock(end)}`);
const duration = fc.constantFrom("0s", "250ms", "45s", "10m", "1h30m", "2d", "30d");
const retryWait = fc.oneof(
  duration,
  fc.constant("next_window"),
  fc.record({
    after: fc.constantFrom("1m", "4h", "30d"),
    at: fc.constantFrom("next_window", "other_part_of_day"),
  }),
);
const backoff = fc.record({
  first: fc.constantFrom("1s", "10m"),
  factor: fc.double({ min: 1.1, max: 10, noNaN: true }),
  at_most: fc.constantFrom("10m", "1d", "30d"),
});
const anySpec = fc.record(
  {
    name: fc.constantFrom("spring-renewal", "Überprüfung 2026", "a", "春 1"),
    brand: fc.constantFrom("acme", "acme.eu-2"),
    agent_id: fc.uuid(),
    from_numbers: fc.uniqueArray(fc.constantFrom("+12025550100", "+12025550101", "+442071838750"), {
      minLength: 1,
    }),
    concurrency: fc.integer({ min: 1, max: 100_000 }),
    default_region: fc.constantFrom("US", "DE"),
    retry: fc.record(
      {
        max_attempts: fc.integer({ min: 1, max: 10 }),
        delays: fc.record(
          { busy: duration, no_answer: fc.array(retryWait, { minLength: 1, maxLength: 9 }), failed: backoff },
          { requiredKeys: [] },
        ),
        max_per_disposition: fc.record({ failed: fc.integer({ min: 1, max: 10 }) }, { requiredKeys: [] }),
      },
      { requiredKeys: ["max_attempts"] },
    ),
    window: fc.oneof(
      fc.constant("always"),
      fc.record(
        {
          monday: fc.array(range, { minLength: 1, maxLength: 6 }),
          weekdays: fc.array(range, { maxLength: 6 }),
          weekend: fc.array(range, { maxLength: 6 }),
        },
        { requiredKeys: ["monday"] },
      ),
    ),
    starts_at: fc.constantFrom("2026-12-01T09:00:00Z", "2026-12-01T09:00:00.5+05:30"),
    ends_at: fc.constantFrom("2026-12-24T09:00:00Z"),
    analysis: fc.record(
      {
        rules: fc.array(
          fc.record({
            key: fc.constantFrom("outcome", "__proto__"),
            equals: fc.oneof(fc.string(), fc.boolean(), fc.integer()),
            disposition: fc.constantFrom("opted_out" as const, "busy" as const),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        wait: duration,
      },
      { requiredKeys: ["rules"] },
    ),
  },
  { requiredKeys: ["name", "agent_id", "from_numbers", "concurrency"] },
);

function clock(minute: number): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

describe("a spec that was read", () => {
  it("is read again to itself, also after the ledger has kept it as JSON", () => {
    fc.assert(
      fc.property(anySpec, (written) => {
        const first = readCampaignSpec(written);
        if (!first.ok) throw new Error(JSON.stringify(first.problems));
        expect(readCampaignSpec(first.spec)).toEqual(first);
        expect(readCampaignSpec(JSON.parse(JSON.stringify(first.spec)))).toEqual(first);
      }),
      { numRuns: 300 },
    );
  });

  it("gives a policy with all its durations and dates in milliseconds", () => {
    const policy = policyOf(
      read({
        retry: { max_attempts: 4, delays: { busy: "1h30m", failed: "0s" }, max_per_disposition: { busy: 2 } },
        window: "always",
        starts_at: "2026-12-01T10:00:00+01:00",
        ends_at: "2026-12-02T09:00:00Z",
        analysis: { rules: [{ key: "k", equals: 1, disposition: "busy" }], wait: "90s" },
        inbound: { reschedule: "1d" },
        not_called_within: "7d",
        least_gap: "90s",
      }),
      7,
    );
    const after = (afterMs: number) => ({ kind: "list", waits: [{ kind: "delay", afterMs }] });
    expect(policy).toEqual({
      version: 7,
      window: { kind: "always" },
      maxAttempts: 4,
      delays: { busy: after(5_400_000), failed: after(0) },
      maxPerDisposition: { busy: 2 },
      startsAtMs: Date.UTC(2026, 11, 1, 9),
      endsAtMs: Date.UTC(2026, 11, 2, 9),
      analysisRules: [{ key: "k", equals: 1, disposition: "busy" }],
      analysisWaitMs: 90_000,
      inbound: { kind: "reschedule", delayMs: 86_400_000 },
      notCalledWithinMs: 604_800_000,
      leastGapMs: 90_000,
      frequency: [],
      presetConsents: [],
      numbers: { countries: undefined, kinds: [] },
    });
    expect(policyOf(read({ inbound: "close" }), 1).inbound).toEqual({ kind: "close" });
  });

  it("gives a policy without what it does not say", () => {
    expect(policyOf(read({ window: "always" }), 1)).toEqual({
      version: 1,
      window: { kind: "always" },
      maxAttempts: 1,
      delays: {},
      maxPerDisposition: {},
      startsAtMs: undefined,
      endsAtMs: undefined,
      analysisRules: [],
      analysisWaitMs: 0,
      inbound: { kind: "ignore" },
      notCalledWithinMs: undefined,
      leastGapMs: 300_000,
      frequency: [],
      consent: undefined,
      presetConsents: [],
      numbers: { countries: undefined, kinds: [] },
    });
  });

  it("gives no policy of a duration that is none, should the ledger hold one", () => {
    expect(() => policyOf({ ...read({}), least_gap: "soon" }, 1)).toThrow("not a duration: soon");
  });

  it("says how long its lines grow", () => {
    expect(rampUpMsOf(read({ ramp_up: "10m" }))).toBe(600_000);
    expect(rampUpMsOf(read({}))).toBe(0);
  });

  it("gives a window with the dates that are unlike others, and caps in milliseconds", () => {
    const { window, frequency, numbers } = policyOf(
      read({
        window: "always",
        numbers: { countries: ["US"], kinds: ["satellite"] },
        holidays: ["US"],
        exceptions: [{ date: "1970-01-03", to: "1970-01-04", name: "Move", hours: ["10:00-12:00"] }],
        frequency: [
          { attempts: 3, within: "7d" },
          { conversations: 1, within: "90d", across: "everything", at_cap: "end" },
        ],
      }),
      1,
    );
    const ranges = [{ startMinute: 600, endMinute: 720 }];
    expect(numbers).toEqual({ countries: ["US"], kinds: ["satellite"] });
    expect(window).toEqual({
      kind: "always",
      dates: {
        holidays: ["US"],
        exceptions: [{ fromDay: 2, lastDay: 3, name: "Move", ranges }],
        blackouts: [],
      },
    });
    expect(frequency).toEqual([
      { counts: "attempts", atMost: 3, withinMs: 604_800_000, across: "brand", thenEnd: false },
      { counts: "conversations", atMost: 1, withinMs: 7_776_000_000, across: "everything", thenEnd: true },
    ]);
  });

  it("of any kind gives a policy", () => {
    fc.assert(
      fc.property(anySpec, (written) => {
        const policy = policyOf(read(written), 1);
        for (const delay of Object.values(policy.delays)) {
          for (const times of [1, 2, 9]) {
            const afterMs = waitAfter(delay, times)?.afterMs;
            expect(afterMs).toBeGreaterThanOrEqual(0);
            expect(afterMs).toBeLessThanOrEqual(30 * 86_400_000);
          }
        }
        const { presets: _presets, ...window } = policy.window;
        expect(window).toEqual(windowOf(read(written).window));
      }),
      { numRuns: 200 },
    );
  });
});
