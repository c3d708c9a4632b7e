import { describe, expect, it } from "vitest";

import { factsOfCall } from "../../../src/domain/campaigns/call-facts.ts";
import type { CallFacts } from "../../../src/domain/campaigns/call-outcome.ts";
import { decideByRules, needOf } from "../../../src/domain/campaigns/call-rules.ts";
import type { CallAccount } from "../../../src/domain/campaigns/call-values.ts";
import { readCampaignSpec } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { AnalysisRule } from "../../../src/domain/policy/dialing-policy.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";

const RAW = {
  call_id: "call-1",
  call_type: "outbound",
  status: "Ended",
  duration_seconds: 44,
  start_time: "2026-06-01T12:00:00Z",
  end_time: "2026-06-01T12:00:44Z",
  processing_status: "completed",
  call_analysis: { interested: true, score: 7, plan: "Team", tags: ["warm", "eu"] },
  call_summary: { text: "Wants an offer." },
  transcript: [{ role: "agent" }, { role: "user" }, { role: "agent" }],
};

function factsWith(changes: Record<string, unknown> = {}): CallFacts {
  return factsOfCall({ ...RAW, ...changes }, (value) => Date.parse(String(value)));
}

interface Given {
  call?: CallFacts | undefined;
  disposition?: Disposition;
  account?: Partial<CallAccount>;
  isOverdue?: boolean;
}

function decide(rules: AnalysisRule[], given: Given = {}) {
  const { disposition = "answered", account = {}, isOverdue = false } = given;
  const call = "call" in given ? given.call : factsWith();
  return decideByRules({
    rules,
    isOverdue,
    account: {
      callId: "call-1",
      call,
      itemStatus: "completed",
      errorText: undefined,
      attempt: 1,
      startedAtMs: undefined,
      endedAtMs: undefined,
      ...account,
      disposition,
      reason: "item completed",
    },
  });
}

const rule = (when: string, disposition: Disposition = "callback_requested"): AnalysisRule => ({
  when,
  disposition,
});

const fits = (when: string, given: Given = {}) => {
  const ruling = decide([rule(when)], given);
  return ruling.kind === "decided" && ruling.rule === 1;
};

describe("a rule sees every field of a call", () => {
  it.each([
    'call.call_id == "call-1"',
    'call.status == "ended"',
    'call.direction == "outbound"',
    "call.attempt == 2",
    "call.duration_seconds > 20 && call.duration_seconds == 44",
    'call.error.contains("486")',
    'call.disposition == "answered"',
    'call.reason == "item completed"',
    'instant(call.started_at) < instant("2026-06-01T12:00:30Z")',
    'call.ended_at == "2026-06-01T12:00:44.000Z"',
    "call.processed",
    "call.analysis.interested == true && call.duration_seconds > 20",
    "call.analysis.interested",
    'call.analysis.score >= 6.5 && call.analysis.plan.lowerAscii() == "team" && "warm" in call.analysis.tags',
    'call.summary.contains("offer")',
    "call.transcript_length == 3",
  ])("%s", (when) => {
    expect(fits(when, { account: { attempt: 2, errorText: "SIP 486" } })).toBe(true);
  });

  it("and finds it empty where nothing is known, never missing", () => {
    const bare = factsOfCall({ call_id: "x", processing_status: "completed" }, () => undefined);
    for (const empty of [
      'call.status == "" && call.duration_seconds == 0 && call.error == "" && call.started_at == ""',
      'call.summary == "" && call.transcript_length == 0 && size(call.analysis) == 0 && call.direction == "outbound"',
    ])
      expect(fits(empty, { call: bare })).toBe(true);
  });

  it.each([
    [{ call_summary: "A text." }, 'call.summary == "A text."'],
    [{ call_summary: { summary: "Within." } }, 'call.summary == "Within."'],
    [{ call_summary: ["none"] }, 'call.summary == ""'],
    [{ transcript: "agent: hello\n\nuser: yes\n" }, "call.transcript_length == 2"],
    [{ transcript: null }, "call.transcript_length == 0"],
    [{ call_type: "inbound" }, 'call.direction == "inbound"'],
    [{ call_analysis: "interested" }, "size(call.analysis) == 0"],
    [{ call_analysis: ["interested"] }, "size(call.analysis) == 0"],
    [{ duration_seconds: "44" }, "call.duration_seconds == 0"],
  ])("of a platform that writes it as %o", (changes, when) => {
    expect(fits(when, { call: factsWith(changes) })).toBe(true);
  });
});

describe("a rule without a value does not fit, and stops nothing", () => {
  const next: AnalysisRule = { when: "call.duration_seconds > 20", disposition: "voicemail" };

  it.each([
    ["call.analysis.nothing == true", /rule 1 finds no nothing/],
    ["!(call.analysis.nothing == true)", /rule 1 finds no nothing/],
    ["call.analysis.plan > 3", /rule 1 .*does not go together/],
    ["call.analysis.plan", /rule 1 comes to text where true or false is wanted/],
    ["call.analysis.score", /rule 1 comes to a number where/],
    ["call.analysis.tags.exists(a, call.analysis.tags.exists(b, a + b + 1 == 1))", /rule 1 /],
  ])("%s", (when, told) => {
    expect(decide([rule(when), next])).toMatchObject({ kind: "decided", disposition: "voicemail", rule: 2 });
    const alone = decide([rule(when)]);
    expect(alone).toMatchObject({ kind: "decided", disposition: "answered" });
    expect(alone).not.toHaveProperty("rule");
    expect(alone.kind === "decided" && alone.reason).toMatch(told);
  });

  it.each([
    "call.analysis.nothing == true || call.duration_seconds > 20",
    "!has(call.analysis.nothing)",
    "call.analysis.?nothing.orValue(true)",
    "has(call.analysis.interested) && call.analysis.interested == true",
  ])("but is one where it says what holds then: %s", (when) => {
    expect(fits(when)).toBe(true);
  });

  it("of another type than the rule takes it for it is just not equal", () => {
    expect(decide([rule('call.analysis.interested == "yes"')])).toMatchObject({
      disposition: "answered",
      reason: "item completed",
      problems: [],
    });
  });
});

describe("whatever an analysis holds", () => {
  const deep = (depth: number): unknown => (depth === 0 ? "end" : { in: deep(depth - 1) });
  const hostile: [string, Record<string, unknown>][] = [
    ["a text of ten million characters", { text: "x".repeat(10_000_000) }],
    [
      "a hundred thousand answers",
      Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n])),
    ],
    ["a list of a million", { list: Array.from({ length: 1_000_000 }, () => 1) }],
    ["data a thousand levels deep", { deep: deep(1_000) }],
    [
      "names of the language's own",
      JSON.parse('{"__proto__": {"interested": true}, "constructor": "x", "toString": 1}'),
    ],
    ["numbers that are none", { nan: Number.NaN, endless: Number.POSITIVE_INFINITY, tiny: -0 }],
    ["NUL and half a character", { "a\0b": "x\0y", half: "\uD83D", whole: "\u{1F600}\u202E" }],
    ["a key of a thousand characters", { ["k".repeat(1_000)]: true }],
  ];

  it.each(hostile)("%s: every rule is over in no time, and those behind it are asked", (_what, analysis) => {
    const call = factsWith({ call_analysis: { ...analysis, last: true } });
    const rules = [
      rule("call.analysis.interested == true"),
      rule("call.analysis.exists(a, call.analysis.exists(b, a == b + 'x'))"),
      rule('text(call.analysis).contains("nobody said this")'),
      { key: "constructor", equals: "Function", disposition: "opted_out" as const },
      { key: "__proto__", equals: true, disposition: "opted_out" as const },
      rule("call.duration_seconds == 44", "voicemail"),
    ];
    const startedMs = performance.now();
    expect(decide(rules, { call })).toMatchObject({ disposition: "voicemail", rule: 6 });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it("what is kept of it is bounded, and such as a database takes", () => {
    for (const [, analysis] of hostile) {
      const { analysis: kept = {} } = factsWith({ call_analysis: analysis });
      const text = JSON.stringify(kept);
      expect(text.length).toBeLessThan(150_000);
      expect(text).not.toMatch(/\\u0000|\\ud83d"/i);
      expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    }
    expect(factsWith({ call_analysis: { a: "x".repeat(5_000), b: 1 } }).analysis).toEqual({
      a: "x".repeat(2_000),
      b: 1,
    });
  });
});

describe("what a rule waits for", () => {
  it.each([
    ["call.analysis.x == 1", "processing"],
    ['call.summary != ""', "processing"],
    ["call.transcript_length > 3", "processing"],
    ["[call].exists(c, c.status == 'x')", "processing"],
    ["call.duration_seconds > 20", "call"],
    ['call.status == "ended"', "call"],
    ['call.error.contains("x") && call.attempt > 1 && call.disposition == "busy"', "nothing"],
  ])("%s: %s", (when, need) => {
    expect(needOf({ when })).toBe(need);
  });

  it("is what its condition says, and no more", () => {
    const unprocessed = factsWith({ processing_status: "processing", call_analysis: null });
    expect(decide([rule("call.analysis.x == 1")], { call: unprocessed })).toEqual({
      kind: "waits",
      need: "processing",
    });
    expect(decide([rule("call.duration_seconds > 20")], { call: unprocessed })).toMatchObject({ rule: 1 });
    expect(decide([rule("call.duration_seconds > 20")], { call: undefined })).toEqual({
      kind: "waits",
      need: "call",
    });
    expect(decide([rule("call.attempt == 1")], { call: undefined })).toMatchObject({ rule: 1 });
  });

  it("holds up those behind it: the first that fits decides", () => {
    const unprocessed = factsWith({ processing_status: "pending", call_analysis: null });
    const now = rule("call.duration_seconds > 20", "voicemail");
    for (const first of [
      rule("call.analysis.x == 1"),
      { key: "x", equals: 1, disposition: "opted_out" as const },
    ])
      expect(decide([first, now], { call: unprocessed })).toEqual({ kind: "waits", need: "processing" });
    expect(decide([now, rule("call.analysis.x == 1")], { call: unprocessed })).toMatchObject({ rule: 1 });
  });

  it("holds up an answer that is there already, for the one before it that may come", () => {
    const answers = [
      { key: "refused", equals: true, disposition: "opted_out" as const },
      { key: "again", equals: true, disposition: "callback_requested" as const },
    ];
    const call = factsWith({ processing_status: "pending", call_analysis: { again: true } });
    expect(decide(answers, { call })).toEqual({ kind: "waits", need: "processing" });
    expect(decide(answers.toReversed(), { call })).toMatchObject({ rule: 1 });
  });

  it("is bounded: after that, rules over what did not come are passed over", () => {
    const given = { call: factsWith({ processing_status: "pending", call_analysis: null }), isOverdue: true };
    const overAnalysis = [rule("!has(call.analysis.interested)"), rule("!call.processed", "opted_out")];
    expect(decide(overAnalysis, given)).toMatchObject({ disposition: "answered", problems: [] });
    expect(decide([...overAnalysis, rule("call.duration_seconds > 20")], given)).toMatchObject({ rule: 3 });
    expect(decide([rule("call.duration_seconds == 0")], { call: undefined, isOverdue: true })).toMatchObject({
      rule: 1,
    });
    expect(decide(overAnalysis, { call: undefined, isOverdue: true })).toMatchObject({
      disposition: "answered",
      problems: [],
    });
  });

  it("is asked of an analysis that came, although its processing is not said to be over", () => {
    const given = { call: factsWith({ processing_status: "pending" }), isOverdue: true };
    expect(decide([rule("call.processed"), rule("call.analysis.interested")], given)).toMatchObject({
      rule: 2,
    });
    expect(decide([rule("!call.processed")], given)).toMatchObject({ rule: 1 });
  });

  it("is nothing where there is no call to read", () => {
    const given = { call: undefined, account: { callId: undefined } };
    expect(decide([rule("call.analysis.x == 1"), rule("!has(call.analysis.x)")], given)).toMatchObject({
      kind: "decided",
      disposition: "answered",
      problems: [],
    });
    expect(decide([rule("call.duration_seconds == 0")], given)).toMatchObject({ rule: 1 });
  });
});

describe("calls that nobody took", () => {
  const busy = { disposition: "busy" as const, account: { errorText: "603 declined by user" } };

  it("are asked about what is known at once, and wait for no processing", () => {
    const rules = [
      rule('call.analysis.x == "y"', "opted_out"),
      rule('call.error.contains("declined")', "no_answer"),
    ];
    expect(decide(rules, busy)).toMatchObject({ kind: "decided", disposition: "no_answer", rule: 2 });
  });

  it.each<Disposition>(["opted_out", "invalid_number", "unknown"])(
    "and no rule makes another word of %s",
    (disposition) => {
      expect(decide([rule("call.attempt == 1", "no_answer")], { disposition })).toMatchObject({
        disposition,
        reason: "item completed",
      });
    },
  );
});

describe("the reason", () => {
  it("says which rule decided, in one line that fits beside the rest", () => {
    const long = `call.duration_seconds\n > 20 ${"|| call.attempt == 99 ".repeat(20)}`;
    const ruling = decide([rule(long)]);
    const { reason } = ruling as Extract<typeof ruling, { kind: "decided" }>;
    expect(reason).toMatch(/^rule 1: call\.duration_seconds > 20 \|\|/);
    expect(reason).toMatch(/…$/);
    expect(reason).toHaveLength("rule 1: ".length + 200);
  });

  it.each([20, 200])("says a condition of %i characters whole", (length) => {
    const when = `call.status != "${"x".repeat(length - 'call.status != ""'.length)}"`;
    expect(when).toHaveLength(length);
    expect(decide([rule(` ${when}\n`)])).toMatchObject({ reason: `rule 1: ${when}` });
  });
});

describe("a rule is refused when the campaign is", () => {
  const problems = (...rules: object[]) => {
    const reading = readCampaignSpec({
      name: "spring",
      agent_id: "agent",
      from_numbers: ["+12025550100"],
      concurrency: 1,
      analysis: { rules },
    });
    return reading.ok ? [] : reading.problems.map(({ field, problem }) => `${field}: ${problem}`);
  };
  const disposition = "voicemail";

  it.each([
    [{ when: "call.analysis.x ==", disposition }, /rules\[0\]\.when: can't be read/],
    [{ when: "call.summry == 'x'", disposition }, /rules\[0\]\.when: .*call\.summary may be meant/],
    [{ when: "call.duration_seconds", disposition }, /when: is a number where a condition is wanted/],
    [{ when: "x".repeat(2_001), disposition }, /when: is longer than 2000/],
    [{ disposition }, /rules\[0\]: must say when: a condition over the call, or key and equals/],
    [{ when: "true", key: "x", equals: 1, disposition }, /must say either when, or key and equals/],
    [{ key: "x", disposition }, /rules\[0\]\.equals: is missing/],
    [{ when: "true" }, /rules\[0\]\.disposition: must be/],
  ])("%o", (given, told) => {
    expect(problems(given)).toEqual([expect.stringMatching(told)]);
  });

  it("and taken in either form", () => {
    expect(problems({ when: "call.processed", disposition }, { key: "x", equals: 1, disposition })).toEqual(
      [],
    );
  });
});
