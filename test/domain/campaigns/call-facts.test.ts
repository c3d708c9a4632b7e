import { describe, expect, it } from "vitest";

import { factsOfCall } from "../../../src/domain/campaigns/call-facts.ts";
import type { CallFacts } from "../../../src/domain/campaigns/call-outcome.ts";

function factsOf(call: Record<string, unknown>): CallFacts {
  return factsOfCall({ call_id: "call-1", ...call }, (value) => Number(value));
}

/** What is kept of an analysis; fields that are there without a value are told from those that are not there. */
const keptOf = (analysis: Record<string, unknown>) => factsOf({ call_analysis: analysis }).analysis;

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
const texts = (count: number) => Array.from({ length: count }, () => "x".repeat(2_000));

describe("of a call is known", () => {
  it.each<[keyof CallFacts, Record<string, unknown>, unknown]>([
    ["status", { status: "s".repeat(101) }, "s".repeat(100)],
    ["status", { status: 7 }, ""],
    ["processingStatus", { processing_status: ["completed"] }, undefined],
    ["startedAtMs", { start_time: "12" }, 12],
    ["startedAtMs", { start_time: 12 }, 12],
    ["startedAtMs", { start_time: null }, undefined],
    ["endedAtMs", { end_time: true }, undefined],
    ["endedAtMs", { end_time: ["12"] }, undefined],
    ["durationSeconds", { duration_seconds: 0 }, 0],
    ["durationSeconds", { duration_seconds: -1 }, undefined],
    ["durationSeconds", { duration_seconds: Number.NaN }, undefined],
    ["durationSeconds", { duration_seconds: 86_400 }, 86_400],
    ["durationSeconds", { duration_seconds: 86_401 }, undefined],
    ["direction", { call_type: "Inbound_Phone" }, "inbound"],
    ["direction", { call_type: "web" }, "web"],
    ["direction", { call_type: "phone" }, "outbound"],
    ["direction", {}, undefined],
    ["direction", { call_type: ["inbound"] }, undefined],
    ["summary", { call_summary: { text: 7, content: "They agree." } }, "They agree."],
    ["summary", { call_summary: { text: 7 } }, undefined],
    ["summary", { call_summary: "s".repeat(4_001) }, "s".repeat(4_000)],
    // Half a character is none.
    ["summary", { call_summary: `${"s".repeat(3_999)}\u{1F600}` }, `${"s".repeat(3_999)}\uFFFD`],
    ["transcriptLength", { transcript: "agent: yes?\n  \t\n\nuser: no\nagent: oh\n" }, 3],
    ["transcriptLength", { transcript: "a\n".repeat(300_000) }, 250_000],
    ["transcriptLength", { transcript: { lines: 3 } }, undefined],
    ["costMicros", { call_cost: 0.25 }, 250_000],
    ["costMicros", { call_cost: { total_usd: 0.25, total: 3 } }, 250_000],
    ["costMicros", { call_cost: { total_usd: "much", total: 0.5 } }, 500_000],
    ["costMicros", { call_cost: { currency: "USD", total_cost: 0 } }, 0],
    ["costMicros", { call_cost: { total_usd: "0.25" } }, undefined],
    ["costMicros", { call_cost: null }, undefined],
  ])("its %s, where it makes sense", (field, call, known) => {
    expect(factsOf(call)[field]).toBe(known);
  });
});

describe("of an analysis is kept", () => {
  it("each kind of answer, an empty one included", () => {
    const answers = { plan: "gold", score: 7, again: null, agreed: false, tags: [], more: {} };
    expect(keptOf(answers)).toStrictEqual(answers);
  });

  it("nothing that is no answer, whether in a list or under a name", () => {
    expect(
      keptOf({ none: undefined, endless: Number.POSITIVE_INFINITY, list: [Number.NaN, 1, undefined] }),
    ).toStrictEqual({ list: [1] });
  });

  it("a name of a hundred characters, and what has a longer one is left out", () => {
    expect(keptOf({ ["k".repeat(101)]: 1, ["k".repeat(100)]: 2 })).toStrictEqual({ ["k".repeat(100)]: 2 });
  });

  it("a thousand values, those within a list counted in", () => {
    expect(keptOf(numbered(1_000))).toStrictEqual(numbered(1_000));
    expect(keptOf(numbered(1_001))).toStrictEqual(numbered(1_000));
    const list = Array.from({ length: 999 }, () => true);
    expect(keptOf({ list })).toStrictEqual({ list });
  });

  it("a text's beginning, and of all texts together what comes to 50,000 characters", () => {
    expect(keptOf({ long: "x".repeat(2_001) })).toStrictEqual({ long: "x".repeat(2_000) });
    const full = { list: texts(24), last: "x".repeat(2_000) };
    expect(keptOf({ ...full, agreed: true, beyond: "x", behind: 1 })).toStrictEqual({
      ...full,
      agreed: true,
      behind: 1,
    });
    const room = { list: texts(24), last: "x".repeat(1_990) };
    expect(keptOf({ ...room, beyond: "x".repeat(11), short: "yes" })).toStrictEqual({
      ...room,
      short: "yes",
    });
    expect(keptOf({ list: texts(25), agreed: true })).toStrictEqual({ list: texts(25), agreed: true });
    const short = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, "yes"]));
    expect(keptOf(short), "short ones count for what they are").toStrictEqual(short);
  });

  it("what stands within the bounds beside what does not, and of a list all or nothing", () => {
    const ones = (length: number) => Array.from({ length }, () => 1);
    const result = { opted_out: true, words: ones(997), behind: 1 };
    expect(keptOf({ result, behind: 1 })).toStrictEqual({ result: { opted_out: true, words: ones(997) } });
    expect(keptOf({ result: { ...result, words: ones(998) }, behind: 1 })).toStrictEqual({
      result: { opted_out: true },
    });
    expect(keptOf({ result: { interested: true, ...numbered(1_100) } })).toStrictEqual({
      result: { interested: true, ...numbered(998) },
    });
    expect(keptOf({ result: { words: texts(26), interested: true }, agreed: "yes" })).toStrictEqual({
      result: { interested: true },
      agreed: "yes",
    });
    expect(keptOf({ list: [[1, 2], ones(1_000)] })).toStrictEqual({});
    expect(keptOf({ list: ["opted_out", texts(26)], agreed: true }), "a list of lists, too").toStrictEqual({
      agreed: true,
    });
  });

  it("what is six levels deep, in objects and in lists", () => {
    expect(keptOf({ a: { b: { c: { d: { e: { f: 6, g: { h: 7 } } } } } } })).toStrictEqual({
      a: { b: { c: { d: { e: { f: 6, g: {} } } } } },
    });
    expect(keptOf({ a: [[[[[6]]]]] })).toStrictEqual({ a: [[[[[6]]]]] });
    // Of what is deeper a list would say that it is not in it.
    expect(keptOf({ a: [[[[[6, [7]]]]]], b: 8 })).toStrictEqual({ b: 8 });
    expect(keptOf({ a: { b: { c: { d: { e: { f: ["opted_out"], g: 7 } } } } } })).toStrictEqual({
      a: { b: { c: { d: { e: { g: 7 } } } } },
    });
  });
});
