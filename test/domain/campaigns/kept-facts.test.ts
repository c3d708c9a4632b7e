import { describe, expect, it } from "vitest";

import type { CallFacts } from "../../../src/domain/campaigns/call-outcome.ts";
import { keptFieldSchema, keptOf, needOfKept } from "../../../src/domain/campaigns/kept-facts.ts";

const CALL: CallFacts = {
  callId: "call-1",
  status: "Call_Ended",
  durationSeconds: 42,
  startedAtMs: undefined,
  endedAtMs: undefined,
  processingStatus: "completed",
  analysis: { interested: true, plan: "gold", again: null },
  summary: "They want the gold plan.",
  transcriptLength: 12,
  direction: undefined,
  costMicros: undefined,
};

describe("what is kept of a call beside its outcome", () => {
  it("is what was asked for, and nothing else", () => {
    expect(keptOf([], CALL)).toEqual({});
    expect(keptOf(["status"], CALL)).toEqual({ status: "call_ended" });
    expect(Object.keys(keptOf(["status"], CALL)), "no analysis, not even an empty one").toEqual(["status"]);
    expect(keptOf(["duration_seconds"], CALL)).toEqual({ duration_seconds: 42 });
    expect(keptOf(["processed"], CALL)).toEqual({ processed: true });
    expect(keptOf(["summary"], CALL)).toEqual({ summary: "They want the gold plan." });
    expect(keptOf(["transcript_length"], CALL)).toEqual({ transcript_length: 12 });
    expect(keptOf(["analysis.plan"], CALL)).toEqual({ analysis: { plan: "gold" } });
    expect(keptOf(["analysis"], CALL)).toEqual({ analysis: CALL.analysis });
    expect(keptOf(["status", "analysis.again"], CALL)).toEqual({
      status: "call_ended",
      analysis: { again: null },
    });
  });

  it("is nothing of a call that is not known, and says that there is none of what a call has not", () => {
    expect(keptOf(["status", "analysis"], undefined)).toEqual({});
    const bare: CallFacts = {
      ...CALL,
      durationSeconds: undefined,
      processingStatus: undefined,
      analysis: undefined,
      summary: undefined,
      transcriptLength: undefined,
    };
    expect(
      keptOf(["duration_seconds", "processed", "summary", "transcript_length", "analysis.plan"], bare),
    ).toEqual({ processed: false, summary: "", transcript_length: 0, analysis: {} });
    // A field that is there, were it undefined, would hide what is known of a call from elsewhere.
    expect(Object.keys(keptOf(["duration_seconds"], bare))).toEqual([]);
  });

  it("takes no answer that the analysis has not of its own", () => {
    expect(keptOf(["analysis.toString", "analysis.other"], CALL)).toEqual({ analysis: {} });
  });

  it("has a thousand characters of a summary, and no half of one at its end", () => {
    const kept = (summary: string) => keptOf(["summary"], { ...CALL, summary }).summary;
    expect(kept("s".repeat(1_001))).toBe("s".repeat(1_000));
    expect(kept(`${"s".repeat(999)}\u{1F600}`)).toBe(`${"s".repeat(999)}\uFFFD`);
  });

  it("leaves out an answer that is too long, and keeps those beside it", () => {
    // Quotes and the key are counted in.
    const analysis = { a: "x".repeat(997), b: "x".repeat(998), c: "short" };
    expect(Object.keys(keptOf(["analysis"], { ...CALL, analysis }).analysis ?? {})).toEqual(["a", "c"]);
  });

  it("leaves out what is one too many, and those that were asked for by name last", () => {
    const long = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, "x".repeat(896)]));
    const keys = (fields: string[], analysis: Record<string, unknown>) =>
      Object.keys(keptOf(fields, { ...CALL, analysis }).analysis ?? {});
    // Each is 900 characters: eight of them leave 800.
    expect(keys(["analysis"], long)).toEqual(["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"]);
    expect(keys(["analysis.k8", "analysis"], long)).toEqual(["k8", "k0", "k1", "k2", "k3", "k4", "k5", "k6"]);
    expect(keys(["analysis"], { ...long, small: "x".repeat(793) }), "it fits to the letter").toContain(
      "small",
    );
    expect(keys(["analysis"], { ...long, small: "x".repeat(794) })).not.toContain("small");
  });

  it.each<[string[], ReturnType<typeof needOfKept>]>([
    [[], "nothing"],
    [["status"], "call"],
    [["duration_seconds"], "call"],
    [["status", "summary"], "processing"],
    [["analysis"], "processing"],
    [["analysis.plan"], "processing"],
  ])("of %j needs: %s", (fields, need) => {
    expect(needOfKept(fields)).toBe(need);
  });

  it("is named field by field, answers by their names", () => {
    const isField = (field: string) => keptFieldSchema.safeParse(field).success;
    for (const field of [
      "status",
      "processed",
      "analysis",
      "analysis.would buy",
      `analysis.${"k".repeat(101)}`,
    ])
      expect(isField(field), field).toBe(true);
    for (const field of ["", "Status", "call.status", "status ", "analysis.", "analysis.a\nb", "cost"])
      expect(isField(field), JSON.stringify(field)).toBe(false);
    expect(isField(`analysis.${"k".repeat(102)}`)).toBe(false);
  });
});
