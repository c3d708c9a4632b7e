import { describe, expect, it } from "vitest";

import { differencesOf } from "../../../src/domain/rules/comparison.ts";
import { rehearse, type RehearsedCall } from "../../../src/domain/rules/rehearsal.ts";
import { readRuleSet } from "../../../src/domain/rules/rule-set.ts";
import { storedCallOf, storedCallSchema } from "../../../src/domain/rules/stored-call.ts";
import { momentOf } from "../../../src/platform/index.ts";

const NOW_MS = Date.UTC(2026, 5, 1, 12);

const CAMPAIGN = { name: "spring", agent_id: "agent", from_numbers: ["+12025550100"], concurrency: 1 };

const CALL = {
  call_id: "call-1",
  call_type: "outbound",
  status: "ended",
  to_number: "+12025550143",
  duration_seconds: 44,
  start_time: "2026-06-01T11:00:00Z",
  end_time: "2026-06-01T11:00:44Z",
  processing_status: "completed",
  call_analysis: { interested: true, callback_at: "2026-06-02T15:00:00Z" },
  call_summary: { text: "Wants an offer." },
  transcript: [{}, {}, {}],
  dynamic_variables: { plan: "team" },
};

function rehearsed(definition: object, call: object = {}, step?: string): RehearsedCall {
  const rules = readRuleSet(definition, step);
  if (!rules.ok) throw new Error(JSON.stringify(rules.problems));
  const stored = storedCallOf(storedCallSchema.parse({ ...CALL, ...call }));
  return rehearse(rules.definition, stored, { momentOf, nowMs: NOW_MS });
}

describe("a rehearsal of a campaign's rules", () => {
  it("says which rule decides, and which follow-ups would do what", () => {
    const definition = {
      ...CAMPAIGN,
      analysis: {
        rules: [
          { key: "voicemail_detected", equals: true, disposition: "voicemail" },
          { when: "call.analysis.interested == true", disposition: "callback_requested" },
        ],
      },
      follow_ups: [
        {
          id: "call_again",
          on: ["callback_requested"],
          when: 'variables.plan == "team"',
          actions: [
            { callback: { at: "call.analysis.callback_at" } },
            { tag: { tag: "warm" } },
            { enroll: { sequence: "welcome" } },
            { webhook: { url: "https://crm.example.com/hook", data: { a: "call.analysis.none" } } },
          ],
        },
        { id: "others", on: ["answered"], actions: [{ suppress: { reason: "no" } }] },
      ],
    };
    expect(rehearsed(definition)).toEqual({
      disposition: "callback_requested",
      reason: "rule 2: call.analysis.interested == true",
      rule: 2,
      followUps: [
        {
          rule: "call_again",
          actions: ["callback at 2026-06-02T15:00:00.000Z", "tag warm", "enroll in welcome", "webhook"],
        },
      ],
      way: undefined,
      problems: [],
    });
  });

  it("tells of a call as lists show it that what asks for its analysis was not asked", () => {
    const listed = { processing_status: undefined, call_analysis: undefined, call_summary: undefined };
    const asking = {
      ...CAMPAIGN,
      analysis: { rules: [{ key: "interested", equals: true, disposition: "callback_requested" }] },
    };
    const told = (definition: object, call: object) => rehearsed(definition, call).problems;
    expect(told(asking, listed)).toEqual([
      expect.stringMatching(/^the record says nothing of what processing/),
    ]);
    expect(told(asking, { ...listed, status: "failed" })).toEqual([]);
    expect(told(asking, { ...listed, processing_status: "failed" })).toEqual([]);
    expect(told(CAMPAIGN, listed)).toEqual([]);
    const following = {
      ...CAMPAIGN,
      follow_ups: [{ id: "a", when: "call.analysis.?x.orValue(1) == 1", actions: [{ tag: { tag: "a" } }] }],
    };
    expect(told(following, listed)).toEqual([expect.stringMatching(/^the record says nothing/)]);
  });

  it("is of the tables where no rule fits, with what the batch's item said", () => {
    const cases: [object, string, string][] = [
      [{}, "answered", "call ended, 44 s"],
      [{ item_status: "voicemail" }, "voicemail", "item voicemail"],
      [{ item_status: "completed" }, "answered", "item completed, call ended, 44 s"],
      [{ item_status: "failed", error_message: "SIP 486 Busy Here" }, "busy", "item failed: SIP 486"],
      [{ status: "failed", error_message: "SIP 404" }, "invalid_number", "call failed: SIP 404"],
      [{ status: "failed" }, "failed", "call failed"],
      [{ duration_seconds: 0 }, "no_answer", "call ended, 0 s"],
      // The item was read before the call was over; what failed is no word of a call that did not.
      [{ item_status: "in_progress" }, "answered", "call ended, 44 s"],
      [{ error_message: "SIP 486 Busy Here" }, "answered", "call ended, 44 s"],
    ];
    for (const [call, disposition, reason] of cases)
      expect(rehearsed(CAMPAIGN, call)).toMatchObject({ disposition, reason, rule: undefined });
    expect(rehearsed(CAMPAIGN, { status: "connected" })).toEqual({
      disposition: undefined,
      reason: "call connected: not over",
      rule: undefined,
      followUps: [],
      way: undefined,
      problems: [],
    });
    // An item that says that its call is over does not tell what it came to.
    expect(rehearsed(CAMPAIGN, { status: "connected", item_status: "completed" })).toMatchObject({
      disposition: undefined,
    });
  });

  it("of a call that was not processed is what the engine does after the wait", () => {
    const call = { processing_status: "failed", call_analysis: null, transcript: null };
    const definition = {
      ...CAMPAIGN,
      analysis: { rules: [{ when: "call.analysis.interested == true", disposition: "callback_requested" }] },
      follow_ups: [
        {
          id: "careful",
          when: "call.analysis.interested == true",
          on_unprocessed: "skip",
          actions: [{ tag: { tag: "x" } }],
        },
      ],
    };
    expect(rehearsed(definition, call)).toMatchObject({ disposition: "answered", followUps: [] });
    const pending = { ...call, processing_status: "processing" };
    expect(rehearsed(definition, pending)).toMatchObject({ disposition: "answered", followUps: [] });
    // A follow-up that does without the analysis does so where it says that, and there alone.
    const unread = (on_unprocessed: string) => ({
      ...CAMPAIGN,
      follow_ups: [
        { id: "unread", when: "!call.processed", on_unprocessed, actions: [{ tag: { tag: "x" } }] },
      ],
    });
    expect(rehearsed(unread("skip"), pending).followUps).toEqual([]);
    expect(rehearsed(unread("act"), pending).followUps).toHaveLength(1);
    const processed = { ...definition, analysis: undefined };
    expect(rehearsed(processed)).toMatchObject({ followUps: [{ rule: "careful", actions: ["tag x"] }] });
  });

  it("tells what has no value, of rules and of follow-ups alike", () => {
    const definition = {
      ...CAMPAIGN,
      analysis: { rules: [{ when: "call.analysis.wish == 'x'", disposition: "voicemail" }] },
      follow_ups: [{ id: "one", when: "analysis.other", actions: [{ tag: { tag: "x" } }] }],
    };
    expect(rehearsed(definition).problems).toEqual([
      expect.stringMatching(/^rule 1 finds no wish/),
      expect.stringMatching(/^follow-up one: when: finds no other/),
    ]);
  });

  it("fills follow-ups in with all that is known of the call", () => {
    const told = [
      "attempt.number == 2",
      'attempt.disposition == "busy"',
      'attempt.call_id == "call-1"',
      'attempt.started_at == "2026-06-01T11:00:00.000Z"',
      'attempt.ended_at == "2026-06-01T11:00:44.000Z"',
      "attempt.duration_seconds == 44",
      'call.error == "SIP 486 Busy Here"',
      'contact.phone == "+12025550143"',
      "contact.region == null",
      'variables.plan == "team"',
      'campaign.name == "spring"',
      "campaign.run == 1",
    ];
    const follow_ups = told.map((when, index) => ({
      id: `r${index}`,
      on: ["busy"],
      when,
      actions: [{ tag: { tag: "x" } }],
    }));
    const item = { item_status: "failed", error_message: "SIP 486 Busy Here", attempt: 2 };
    const { followUps, problems } = rehearsed({ ...CAMPAIGN, follow_ups }, item);
    expect(problems).toEqual([]);
    expect(followUps.map(({ rule }) => told[Number(rule.slice(1))])).toEqual(told);
  });

  it("gives each follow-up its own actions, whether it asks for the analysis or not", () => {
    const follow_ups = [
      { id: "asking", when: "call.analysis.interested == true", actions: [{ tag: { tag: "warm" } }] },
      { id: "plain", actions: [{ tag: { tag: "called" } }, { suppress: { reason: "no" } }] },
    ];
    expect(rehearsed({ ...CAMPAIGN, follow_ups }).followUps).toEqual([
      { rule: "asking", actions: ["tag warm"] },
      { rule: "plain", actions: ["tag called", "suppress"] },
    ]);
  });

  it("speaks of the contact where one is known, by the clocks of its zones", () => {
    const follow_ups = [
      { id: "here", when: 'contact.region == "US"', actions: [{ tag: { tag: "x" } }] },
      { id: "later", actions: [{ callback: { at: "call.analysis.callback_at" } }] },
    ];
    const spec = specOf({ ...CAMPAIGN, follow_ups });
    const raw = { ...CALL, call_analysis: { callback_at: "2026-06-02 15:00" } };
    const contact = { phone: "+12025550143", region: "US", variables: {} };
    const followUps = (stored: object) =>
      rehearse({ spec }, { raw, ...stored }, { momentOf, nowMs: NOW_MS }).followUps.map(
        ({ actions }) => actions,
      );
    expect(followUps({ contact, zones: ["America/New_York"] })).toEqual([
      ["tag x"],
      ["callback at 2026-06-02T19:00:00.000Z"],
    ]);
    expect(followUps({})).toEqual([[expect.stringMatching(/^callback, when a person says so: /)]]);
  });

  it("takes a call without a moment for one of now, and calls back from then on", () => {
    const follow_ups = [{ id: "later", actions: [{ callback: { default_delay: "2h" } }] }];
    const actionsOf = (call: object) => rehearsed({ ...CAMPAIGN, follow_ups }, call).followUps[0]?.actions;
    expect(actionsOf({})).toEqual(["callback at 2026-06-01T13:00:44.000Z"]);
    expect(actionsOf({ start_time: null, end_time: null })).toEqual(["callback at 2026-06-01T14:00:00.000Z"]);
  });

  it.each([
    ["the number of its record", "+12025550143", "+12025550143"],
    ["nobody's number where its record tells none", "anonymous", "+12025550100"],
    ["nobody's number where it has more digits than any", "+1202555014300000", "+12025550100"],
    ["nobody's number where something stands before it", "x+12025550143", "+12025550100"],
  ])("without a contact, speaks of %s", (_what, to_number, phone) => {
    const follow_ups = [
      { id: "whom", when: `contact.phone == "${phone}"`, actions: [{ tag: { tag: "x" } }] },
    ];
    const spec = specOf({ ...CAMPAIGN, follow_ups });
    const { followUps } = rehearse({ spec }, { raw: { ...CALL, to_number } }, { momentOf, nowMs: NOW_MS });
    expect(followUps.map(({ rule }) => rule)).toEqual(["whom"]);
  });

  it("knows an attempt's number, and survives a record of nothing but an id", () => {
    const rules = [{ when: "call.attempt == 3", disposition: "voicemail" }];
    expect(rehearsed({ ...CAMPAIGN, analysis: { rules } }, { attempt: 3 })).toMatchObject({ rule: 1 });
    const bare = rehearse(
      { spec: specOf(CAMPAIGN) },
      storedCallOf(storedCallSchema.parse({ call_id: "x" })),
      { momentOf, nowMs: NOW_MS },
    );
    expect(bare).toMatchObject({ disposition: undefined, reason: "call without a status: not over" });
  });
});

function specOf(definition: object) {
  const rules = readRuleSet(definition, undefined);
  if (!rules.ok) throw new Error(JSON.stringify(rules.problems));
  return rules.definition.spec;
}

describe("a rehearsal of a sequence", () => {
  const SEQUENCE = {
    name: "welcome",
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    variables: { plan: "basic" },
    steps: [
      { id: "first", call: {}, on: { answered: "which", unknown: "lost", otherwise: "rest" } },
      {
        id: "which",
        branch: [
          {
            when: 'last_call.analysis.interested == true && last_call.summary.contains("offer")',
            to: "offer",
          },
          { when: "last_call.transcript_length > 10", to: "lost" },
          { otherwise: "rest" },
        ],
      },
      { id: "offer", branch: [{ when: 'variables.plan == "team"', to: "won" }, { otherwise: "lost" }] },
      { id: "rest", wait: { for: "3d" } },
      { id: "won", exit: { outcome: "won" } },
      { id: "lost", exit: { outcome: "lost" } },
    ],
  };

  it("says which way the person goes, and where that ends or rests", () => {
    expect(rehearsed(SEQUENCE).way).toEqual({
      passed: ["which -> offer", "offer -> won"],
      step: null,
      outcome: "won",
      problems: [],
    });
    expect(rehearsed(SEQUENCE, { dynamic_variables: {} }).way).toMatchObject({ outcome: "lost" });
    expect(rehearsed(SEQUENCE, { call_summary: null }).way).toMatchObject({
      passed: ["which -> rest"],
      step: "rest",
      outcome: null,
    });
    expect(rehearsed(SEQUENCE, { item_status: "busy" }).way).toMatchObject({ passed: [], step: "rest" });
    const unprocessed = rehearsed(SEQUENCE, { call_analysis: null });
    expect(unprocessed.way).toMatchObject({ passed: ["which -> rest"] });
    expect(unprocessed.problems).toEqual([expect.stringMatching(/^step which: .*finds no interested/)]);
  });

  it("names the part of a split that the person is in", () => {
    const steps = [
      { id: "first", call: {} },
      {
        id: "halves",
        split: [
          { weight: 1, to: "won" },
          { weight: 1, to: "lost" },
        ],
      },
      { id: "won", exit: { outcome: "won" } },
      { id: "lost", exit: { outcome: "lost" } },
    ];
    const { way } = rehearsed({ ...SEQUENCE, steps });
    expect(["won", "lost"]).toContain(way?.outcome);
    expect(way?.passed).toEqual([`halves -> ${way?.outcome}`]);
  });

  it("of a call of which no contact is known goes by the number of its record", () => {
    const steps = [
      { id: "first", call: {} },
      {
        id: "which",
        branch: [
          { when: 'contact.phone == "+12025550143" || contact.region == "US"', to: "won" },
          { otherwise: "lost" },
        ],
      },
      { id: "won", exit: { outcome: "won" } },
      { id: "lost", exit: { outcome: "lost" } },
    ];
    const rules = readRuleSet({ ...SEQUENCE, steps }, undefined);
    if (!rules.ok) throw new Error(JSON.stringify(rules.problems));
    const wayOf = (stored: object) =>
      rehearse(rules.definition, { raw: CALL, ...stored }, { momentOf, nowMs: NOW_MS }).way?.outcome;
    expect(wayOf({})).toBe("won");
    const contact = { phone: "+12025550199", region: null, variables: {} };
    expect(wayOf({ contact })).toBe("lost");
    expect(wayOf({ contact: { ...contact, region: "US" } })).toBe("won");
  });

  it("by the rules of the call step that is named", () => {
    const rules = [{ when: "call.analysis.interested == true", disposition: "opted_out" }];
    const steps = [
      { id: "first", call: {} },
      { id: "rest", wait: { for: "1d" } },
      { id: "second", call: { analysis: { rules } } },
    ];
    const definition = { ...SEQUENCE, steps };
    expect(rehearsed(definition, {}, "first")).toMatchObject({
      disposition: "answered",
      way: { step: "rest" },
    });
    expect(rehearsed(definition, {}, "second")).toMatchObject({
      disposition: "opted_out",
      way: { step: null, outcome: "opted_out" },
    });
    expect(readRuleSet(definition, undefined)).toEqual({
      ok: false,
      problems: [{ field: "step", problem: "is missing: say of which step the calls are, first, second" }],
    });
    expect(readRuleSet(definition, "rest")).toMatchObject({ problems: [{ field: "step" }] });
    expect(readRuleSet(CAMPAIGN, "first")).toMatchObject({ problems: [{ field: "step" }] });
    expect(readRuleSet({ ...SEQUENCE, steps: steps.slice(1, 2) }, undefined)).toMatchObject({
      problems: [{ field: "steps" }],
    });
  });
});

describe("two rule sets differ over a call", () => {
  const one: RehearsedCall = {
    disposition: "answered",
    reason: "call ended, 44 s",
    rule: undefined,
    followUps: [],
    way: undefined,
    problems: [],
  };
  const compared = (now: Partial<RehearsedCall>, before: RehearsedCall | undefined = one) =>
    differencesOf({ callId: "x", recorded: undefined, now: { ...one, ...now }, before });

  it("in what comes of it, not in why", () => {
    expect(compared({ reason: "rule 1", rule: 1 })).toEqual([]);
    expect(compared({ disposition: "voicemail" })).toEqual(["disposition"]);
    expect(compared({ followUps: [{ rule: "a", actions: ["webhook"] }] })).toEqual(["follow_ups"]);
    const way = { passed: [], step: "a", outcome: null, problems: [] };
    expect(compared({ way })).toEqual(["way"]);
    expect(compared({ way }, { ...one, way })).toEqual([]);
    // Where it has a problem on its way is no other way.
    expect(compared({ way: { ...way, problems: ["step a: finds no plan"] } }, { ...one, way })).toEqual([]);
    for (const other of [{ passed: ["x"] }, { step: "b" }, { outcome: "won" }])
      expect(compared({ way: { ...way, ...other } }, { ...one, way })).toEqual(["way"]);
    expect(differencesOf({ callId: "x", recorded: undefined, now: one, before: undefined })).toEqual([]);
  });
});
