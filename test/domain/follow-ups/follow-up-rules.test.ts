import { describe, expect, it } from "vitest";

import { readCampaignSpec, type CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import { planFollowUp, type FollowUpFacts } from "../../../src/domain/follow-ups/follow-up-plan.ts";
import {
  followUpRulesSchema,
  needsProcessing,
  rulesFor,
  selectedDispositions,
  waitMsOf,
} from "../../../src/domain/follow-ups/follow-up-rules.ts";
import { specDifference } from "../../../src/domain/campaigns/spec-difference.ts";

const NOW_MS = Date.UTC(2026, 5, 1, 12);

const TAG = [{ tag: { tag: "warm" } }];

function rulesOf(...rules: object[]) {
  return followUpRulesSchema.parse(
    rules.map((rule, index) => ({ id: `rule-${index}`, actions: TAG, ...rule })),
  );
}

function problemsOf(followUps: unknown): string[] {
  const reading = readCampaignSpec({
    name: "spring",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 1,
    follow_ups: followUps,
  });
  return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
}

function factsOf(...rules: object[]): FollowUpFacts {
  return {
    rules: rulesOf(...rules),
    attempt: {
      number: 1,
      disposition: "answered",
      reason: "item completed",
      call_id: "call-1",
      started_at: null,
      ended_at: null,
      duration_seconds: 40,
    },
    contact: { phone: "+12025550143", region: "US" },
    zones: ["America/New_York"],
    variables: { plan: "gold" },
    campaign: { id: "c", name: "Spring renewal", brand: "acme", run: 2 },
  };
}

const CALL = {
  call_id: "call-1",
  call_analysis: { interested: true, callback_time: "2026-06-02T09:00:00-04:00" },
  call_sentiment: "positive",
  transcript: [1, 2, 3],
};

function plan(facts: FollowUpFacts, changes: object = {}) {
  return planFollowUp({
    followUpId: "f",
    contactId: 7,
    facts,
    call: CALL,
    isUnprocessed: false,
    nowMs: NOW_MS,
    ...changes,
  });
}

const variables = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, "'x'"]));

describe("rules as they are read", () => {
  it("may have a hundred variables, and kinds of actions that are not there", () => {
    const enroll = { sequence: "s", variables: variables(100) };
    expect(problemsOf([{ id: "a", actions: [{ enroll, recording: undefined }] }])).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["no action", [{ id: "a", actions: [] }], "follow_ups[0].actions"],
    [
      "two kinds in one action",
      [{ id: "a", actions: [{ tag: { tag: "x" }, recording: {} }] }],
      "must be one of automation",
    ],
    ["an unknown kind", [{ id: "a", actions: [{ email: {} }] }], "follow_ups[0].actions[0].email"],
    ["an unknown field", [{ id: "a", whn: "true", actions: TAG }], "follow_ups[0].whn"],
    ["a condition that is none", [{ id: "a", when: "'text'", actions: TAG }], "follow_ups[0].when"],
    ["broken syntax", [{ id: "a", when: "analysis.x ==", actions: TAG }], "follow_ups[0].when"],
    ["an unknown variable", [{ id: "a", when: "event.name == 'x'", actions: TAG }], "follow_ups[0].when"],
    [
      "a disposition that does not exist",
      [{ id: "a", on: ["hung_up"], actions: TAG }],
      "follow_ups[0].on[0]",
    ],
    [
      "the same id twice",
      [
        { id: "a", actions: TAG },
        { id: "a", actions: TAG },
      ],
      "follow_ups[1].id: is the id of another rule",
    ],
    [
      "the same label twice",
      [
        { id: "a", classify: [{ label: "x", value: "'1'" }], actions: TAG },
        { id: "b", classify: [{ label: "x", value: "'2'" }], actions: TAG },
      ],
      "follow_ups[1].classify[0].label: is given by another line: each label has one source",
    ],
    [
      "more variables than a hundred",
      [{ id: "a", actions: [{ enroll: { sequence: "s", variables: variables(101) } }] }],
      "may have 100 variables at most",
    ],
    [
      "an address that is no text",
      [{ id: "a", actions: [{ webhook: { url: 5 } }] }],
      "follow_ups[0].actions[0].webhook.url: must be an address that begins with https://",
    ],
    [
      "a folder that leads out",
      [{ id: "a", actions: [{ recording: { folder: "../etc" } }] }],
      "follow_ups[0].actions[0].recording.folder",
    ],
    [
      "an absolute folder",
      [{ id: "a", actions: [{ recording: { folder: "/etc" } }] }],
      "below the one for recordings",
    ],
  ])("%s is refused, and the field is named", (_what, followUps, words) => {
    expect(problemsOf(followUps).join("\n")).toContain(words);
  });

  it("a campaign under way may change them", () => {
    const spec = (changes: Partial<CampaignSpecInput>) => {
      const reading = readCampaignSpec({
        name: "spring",
        agent_id: "agent",
        from_numbers: ["+12025550100"],
        concurrency: 1,
        ...changes,
      });
      if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
      return reading.spec;
    };
    const difference = specDifference(spec({}), spec({ follow_ups: [{ id: "a", actions: TAG }] }));
    expect(difference).toEqual([expect.objectContaining({ field: "follow_ups", amendable: true })]);
  });

  it("select answered calls by default, and nothing where there are none", () => {
    expect(selectedDispositions(rulesOf({}))).toEqual(["answered", "callback_requested"]);
    expect(selectedDispositions(rulesOf({}, { on: ["unknown", "answered"] }))).toEqual([
      "answered",
      "callback_requested",
      "unknown",
    ]);
    expect(selectedDispositions(undefined)).toEqual([]);
    expect(rulesFor(undefined, "answered")).toEqual([]);
  });
});

describe("waiting for a call to be processed", () => {
  it.each<[object, boolean]>([
    [{}, false],
    [{ when: "analysis.interested == true" }, true],
    [{ when: "attempt.duration_seconds > 10" }, false],
    [{ classify: [{ label: "mood", value: "string(call.call_sentiment)" }] }, true],
    [{ actions: [{ recording: {} }] }, true],
    // What the ledger holds of a call is not asked of the platform.
    [{ actions: [{ webhook: { url: "https://example.com", data: { a: "call.call_id" } } }] }, false],
    [{ when: 'call.error.contains("declined") && call.attempt > 1 && call.disposition == "busy"' }, false],
    [{ when: "call.duration_seconds > 20" }, true],
    [{ when: "call.analysis.interested == true" }, true],
    [{ when: 'call.?agent_name.orValue("") == "Ada"' }, true],
    [{ when: 'call["summary"] == "x"' }, true],
    [{ when: 'labels.call == "x" || variables.analysis == "call"' }, false],
    [{ when: "analysis.interested == true", needs_processing: false }, false],
    [{ needs_processing: true }, true],
    [{ actions: [...TAG, { recording: {} }] }, true],
    [{ actions: [{ callback: { at: "analysis.callback_time" } }] }, true],
    [{ actions: [{ callback: {} }] }, false],
    [{ actions: [{ enroll: { sequence: "welcome", key: "text(analysis.order)" } }] }, true],
    [{ actions: [{ enroll: { sequence: "welcome", variables: { mood: "call.call_sentiment" } } }] }, true],
    [{ actions: [{ enroll: { sequence: "welcome", key: "variables.plan" } }] }, false],
  ])("a rule of %o needs it: %s", (rule, expected) => {
    expect(rulesOf(rule).map(needsProcessing)).toEqual([expected]);
  });

  it("lasts as long as the most patient rule that needs it", () => {
    expect(
      waitMsOf(rulesOf({ wait: "2d" }, { needs_processing: true, wait: "5m" }, { needs_processing: true })),
    ).toBe(30 * 60_000);
    expect(waitMsOf(rulesOf({}))).toBe(0);
  });
});

describe("a follow-up's plan", () => {
  it("classifies, selects by the labels and fills in what is sent", () => {
    const made = plan(
      factsOf({
        classify: [
          { label: "mood", value: "call.call_sentiment" },
          { label: "long", value: "call.transcript_length >= 3 ? 'yes' : 'no'" },
        ],
        when: "labels.mood == 'positive' && analysis.interested == true",
        actions: [
          {
            webhook: { url: "https://example.com/x", data: { plan: "variables.plan", long: "labels.long" } },
          },
        ],
      }),
    );
    expect(made.rules).toEqual(["rule-0"]);
    expect(made.labels).toEqual({ mood: "positive", long: "yes" });
    expect(made.actions).toMatchObject([
      {
        owner: "rule-0",
        n: 0,
        spec: {
          kind: "webhook",
          type: "follow_up.rule-0",
          data: { plan: "gold", long: "yes" },
          subject: { call_id: "call-1", phone: "+12025550143", labels: { mood: "positive" } },
          flow: { inOrder: true, onFailure: "stop" },
        },
      },
    ]);
    expect(made.problems).toEqual([]);
  });

  it("passes over a rule whose condition has no value, and tells", () => {
    const made = plan(factsOf({ when: "analysis.no_such_key == true" }, { on: ["answered"] }));
    expect(made.rules).toEqual(["rule-1"]);
    expect(made.problems).toEqual([{ rule: "rule-0", problem: expect.stringContaining("no_such_key") }]);
  });

  it("leaves out a label that has no value, and tells; a label is a word, not a text", () => {
    const made = plan(
      factsOf({
        classify: [
          { label: "none", value: "text(analysis.no_such_key)" },
          { label: "long", value: `'${"x".repeat(201)}'` },
        ],
      }),
    );
    expect(made.labels).toEqual({ long: "x".repeat(200) });
    expect(made.problems).toEqual([
      { rule: "rule-0", problem: expect.stringMatching(/^label none: .*no_such_key/) },
    ]);
  });

  it("is for the rules of its disposition alone", () => {
    expect(plan(factsOf({ on: ["busy"] }, {})).rules).toEqual(["rule-1"]);
  });

  it("does actions one after the other, or all at once, as their rule says", () => {
    const flows = plan(factsOf({}, { mode: "parallel", on_failure: "continue" })).actions.map(
      ({ spec }) => spec.flow,
    );
    expect(flows).toEqual([
      { inOrder: true, onFailure: "stop" },
      { inOrder: false, onFailure: "continue" },
    ]);
  });

  it.each([[null], ["text"], [["interested"]], [7], [undefined]])(
    "of a call whose analysis is %j, which is none, has none",
    (call_analysis) => {
      const made = plan(factsOf({ when: "!has(analysis.interested)" }), { call: { ...CALL, call_analysis } });
      expect(made).toMatchObject({ rules: ["rule-0"], problems: [] });
    },
  );

  it("keeps somebody from calls of the brand, or of all where it says so", () => {
    const suppress = (scope?: string) =>
      plan(factsOf({ actions: [{ suppress: { reason: "asked to", ...(scope && { scope }) } }] })).actions[0]
        ?.spec;
    const whole = { kind: "suppress", phone: "+12025550143", reason: "asked to" };
    expect(suppress()).toMatchObject({ ...whole, brand: "acme" });
    expect(suppress("brand")).toMatchObject({ ...whole, brand: "acme" });
    expect(suppress("global")).toMatchObject(whole);
    expect(suppress("global")).not.toHaveProperty("brand");
  });

  it("sends a webhook with the secrets of its campaign's brand", () => {
    const { actions } = plan(factsOf({ actions: [{ webhook: { url: "https://example.com/hook" } }] }));
    expect(actions[0]?.spec).toMatchObject({ kind: "webhook", brand: "acme" });
  });

  it("gives a tag to the number, in its brand", () => {
    expect(plan(factsOf({})).actions[0]?.spec).toMatchObject({
      kind: "tag",
      brand: "acme",
      phone: "+12025550143",
      tag: "warm",
      source: "follow-up rule-0",
    });
  });

  it("of a call that was not processed, a rule acts or leaves it alone, as it says", () => {
    const facts = factsOf({ on_unprocessed: "skip" }, { on_unprocessed: "act" });
    expect(plan(facts, { isUnprocessed: true }).rules).toEqual(["rule-1"]);
    expect(plan(facts).rules).toEqual(["rule-0", "rule-1"]);
  });

  const HOUR_MS = 3_600_000;

  it.each<[string | undefined, object, number | undefined, string | undefined]>([
    ["analysis.callback_time", {}, Date.parse("2026-06-02T09:00:00-04:00"), undefined],
    ["'2h'", {}, NOW_MS + 2 * HOUR_MS, undefined],
    ["'2026-06-02 09:00'", {}, Date.parse("2026-06-02T13:00:00Z"), undefined],
    ["'tomorrow at 10'", {}, Date.parse("2026-06-02T14:00:00Z"), undefined],
    // Nothing was said.
    [undefined, {}, NOW_MS + HOUR_MS, undefined],
    ["analysis.?callback_at", {}, NOW_MS + HOUR_MS, undefined],
    ["''", { default_delay: "3h" }, NOW_MS + 3 * HOUR_MS, undefined],
    ["analysis.no_such_key", {}, NOW_MS + HOUR_MS, "no_such_key"],
    // Something was said, and is for people.
    ["'2020-01-01T00:00:00Z'", {}, undefined, "past already"],
    ["'2036-01-01T00:00:00Z'", {}, undefined, "90 days"],
    ["'sometime next week'", {}, undefined, '"sometime next week" was said'],
    ["analysis.callback_time.at", {}, undefined, "finds no at"],
    ["call.call_sentiment + 1", {}, undefined, "does not go together"],
    // Unless its rule says so.
    ["'sometime'", { on_unreadable: "default_delay" }, NOW_MS + HOUR_MS, "1h was taken"],
  ])("a callback at %s, with %o", (at, changes, atMs, problem) => {
    const [action] = plan(factsOf({ actions: [{ callback: { ...(at && { at }), ...changes } }] })).actions;
    const { spec } = action ?? {};
    if (spec?.kind !== "callback") throw new Error("no callback was planned");
    expect(spec).toMatchObject({ contactId: 7, maxPerContact: 3 });
    expect(spec.atMs).toBe(atMs);
    const told = atMs === undefined ? spec.unreadable : spec.problems?.[0];
    expect(told ?? "").toContain(problem ?? "");
    expect(told === undefined).toBe(problem === undefined);
  });

  it("counts what was said from the end of the call, however long it took to be processed", () => {
    const facts = factsOf({ actions: [{ callback: { at: "'in 2 hours'" } }] });
    const endedAtMs = NOW_MS - 20 * 60_000;
    const attempt = { ...facts.attempt, ended_at: new Date(endedAtMs).toISOString() };
    expect(plan({ ...facts, attempt }).actions[0]?.spec).toMatchObject({ atMs: endedAtMs + 2 * HOUR_MS });
  });

  it("keeps recordings of each run in a folder of its own", () => {
    const [action] = plan(factsOf({ actions: [{ recording: {} }] })).actions;
    expect(action?.spec).toMatchObject({
      kind: "recording",
      callId: "call-1",
      folder: "Spring renewal/run 2",
    });
  });

  it.each([
    ["  Spring renewal ", 1, "Spring renewal"],
    ["Frühling 2026: A/B", 1, "Frühling 2026- A-B"],
    ["../../etc", 1, "..-..-etc"],
    ["x".repeat(90), 3, `${"x".repeat(80)}/run 3`],
  ])("keeps recordings of %j, run %d, in %s", (name, run, folder) => {
    const facts = factsOf({ actions: [{ recording: {} }] });
    const made = plan({ ...facts, campaign: { ...facts.campaign, name, run } });
    expect(made.actions[0]?.spec).toMatchObject({ kind: "recording", folder, timeoutMs: 60_000 });
  });

  it("keeps a recording where its rule says, and knows where there was no call", () => {
    const facts = factsOf({ actions: [{ recording: { folder: "renewals/2026", timeout: "90s" } }] });
    const { spec } = plan({ ...facts, attempt: { ...facts.attempt, call_id: null } }).actions[0] ?? {};
    expect(spec).toMatchObject({ folder: "renewals/2026", timeoutMs: 90_000 });
    expect(spec).not.toHaveProperty("callId");
  });

  it.each([
    ["answered", null, undefined],
    ["no_answer", 0, "nobody took the call (no_answer)"],
    ["busy", null, "nobody took the call (busy)"],
    ["failed", 12, undefined],
  ])(
    "asks for no recording of a call that nobody took (%s, %s s)",
    (disposition, duration_seconds, absence) => {
      const facts = factsOf({ on: [disposition], actions: [{ recording: {} }] });
      const attempt = { ...facts.attempt, disposition, duration_seconds };
      const { spec } = plan({ ...facts, attempt }).actions[0] ?? {};
      expect(spec?.kind === "recording" && spec.absence).toBe(absence);
    },
  );

  it("enrolls with what has a value, and tells what has none", () => {
    const [action] = plan(
      factsOf({
        actions: [
          { enroll: { sequence: "welcome", variables: { plan: "variables.plan", x: "analysis.x" } } },
        ],
      }),
    ).actions;
    expect(action?.spec).toMatchObject({ sequence: "welcome", brand: "acme", variables: { plan: "gold" } });
    expect(action?.spec.problems).toEqual([expect.stringContaining("variables.x")]);
  });

  it("enrolls under a key where there is one, and tells where it has no value", () => {
    const enroll = (more: object) =>
      plan(factsOf({ actions: [{ enroll: { sequence: "welcome", ...more } }] })).actions[0]?.spec;
    expect(enroll({ key: "variables.plan" })).toMatchObject({ personKey: "gold" });
    expect(enroll({ key: "variables.plan" })).not.toHaveProperty("problems");
    expect(enroll({})).not.toHaveProperty("personKey");
    const without = enroll({ key: "text(analysis.order)" });
    expect(without).not.toHaveProperty("personKey");
    expect(without?.problems).toEqual([expect.stringMatching(/^key: .*order/)]);
  });
});
