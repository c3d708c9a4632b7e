import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  isProcessed,
  ITEM_WORDS,
  looksUndialed,
  readAnalysis,
  readCall,
  readErrorText,
  readItem,
  type CallFacts,
  type ItemFacts,
} from "../../../src/domain/campaigns/call-outcome.ts";
import { DISPOSITIONS, isRetryable } from "../../../src/domain/policy/disposition.ts";
import { cpuMsOf } from "../../support/cpu.ts";
import { normaliseWord } from "../../../src/domain/ground/normalise-word.ts";

const item = (facts: Partial<ItemFacts>): ItemFacts => ({
  status: "completed",
  errorText: undefined,
  callId: undefined,
  dialCount: undefined,
  startedAtMs: undefined,
  completedAtMs: undefined,
  ...facts,
});
const call = (facts: Partial<CallFacts>): CallFacts => ({
  callId: "call",
  status: "ended",
  durationSeconds: 12,
  startedAtMs: undefined,
  endedAtMs: undefined,
  ...facts,
});

describe("an item's word", () => {
  it.each([
    ["No Answer", "no_answer"],
    [" no-answer ", "no_answer"],
    ["NO__ANSWER", "no_answer"],
    ["in progress", "in_progress"],
    ["Voicemail.Detected", "voicemail_detected"],
    ["", ""],
    ["Zażółć", "za_"],
  ])("%j is read as %j", (status, word) => {
    expect(normaliseWord(status)).toBe(word);
  });

  it("is read as the same whatever its case and its separators", () => {
    for (const word of Object.keys(ITEM_WORDS)) {
      const plain = readItem(item({ status: word }));
      for (const written of [
        word.toUpperCase(),
        word.replaceAll("_", "-"),
        word.replaceAll("_", " "),
        ` ${word}\n`,
      ])
        expect(readItem(item({ status: written }))).toEqual(plain);
    }
  });

  it.each([
    "",
    " ",
    "teapot",
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "completed!",
    "call_completed",
    "0",
    "null",
    "完了",
    "\0",
  ])("%j is not recognised, which is neither an end nor a proof", (status) => {
    expect(readItem(item({ status }))).toMatchObject({ phase: "unrecognised" });
    expect(looksUndialed(item({ status }))).toBe(false);
  });

  it("that nobody has seen never ends an attempt, so it is never called again for it, whatever else is said", () => {
    const text = fc.option(
      fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("busy", "SIP 486", "no answer")),
      {
        nil: undefined,
      },
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), text, (status, errorText) => {
        fc.pre(!Object.hasOwn(ITEM_WORDS, normaliseWord(status)));
        const facts = item({ status, errorText });
        expect(readItem(facts).phase).toBe("unrecognised");
        expect(looksUndialed(facts)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is kept short where it is very long", () => {
    const reading = readItem(item({ status: "x".repeat(1_000_000) }));
    expect(reading).toEqual({ phase: "unrecognised", word: "x".repeat(60) });
  });
});

describe("a word that this platform is known to end items with", () => {
  const words = new Set(["gone_fishing"]);
  const read = (facts: Partial<ItemFacts>, of?: CallFacts) =>
    readItem(item({ status: "Gone fishing", ...facts }), words, of);

  it("ends none by itself, nor beside a call that is up", () => {
    const unrecognised = { phase: "unrecognised", word: "gone_fishing" };
    expect(read({})).toEqual(unrecognised);
    expect(read({}, call({ status: "ringing" }))).toEqual(unrecognised);
  });

  it.each([
    ["its time of end", { completedAtMs: 1 }, undefined],
    ["its call, which is over", {}, call({ status: "ended" })],
  ])("ends one beside %s, and leaves what it came to to its call", (_sign, facts, of) => {
    expect(read(facts, of)).toEqual({ phase: "ended", disposition: undefined, reason: "item gone_fishing" });
  });

  it("ends no item of another word", () => {
    expect(readItem(item({ status: "gone", completedAtMs: 1 }), words).phase).toBe("unrecognised");
  });
});

describe("an item that ended", () => {
  it.each([
    ["failed", undefined, "failed", "item failed"],
    ["failed", "  ", "failed", "item failed"],
    ["failed", "carrier rejected: 503", "failed", "item failed"],
    ["failed", "SIP/2.0 486 Busy Here", "busy", "item failed: SIP 486"],
    ["Error", "user does not exist", "invalid_number", 'item error: "does not exist"'],
    ["completed", "Voicemail reached", "voicemail", 'item completed: "voicemail"'],
    ["completed", "607 Unwanted", "opted_out", "item completed: SIP 607"],
    // Its own word is clear: a text beside it changes nothing.
    ["busy", "SIP 404", "busy", "item busy"],
    ["answered", "voicemail", "answered", "item answered"],
  ] as const)("%s with %j came to %s", (status, errorText, disposition, reason) => {
    expect(readItem(item({ status, errorText }))).toEqual({ phase: "ended", disposition, reason });
  });

  it.each(["completed", "done", "success"])("%s without a known text leaves it to its call", (status) => {
    for (const errorText of [undefined, "", "all good", "SIP 200 OK", "code 503", "cause 16"])
      expect(readItem(item({ status, errorText }))).toEqual({
        phase: "ended",
        disposition: undefined,
        reason: `item ${status}`,
      });
  });
});

describe("an error text", () => {
  it.each([
    ["SIP/2.0 486 Busy Here", "busy", "SIP 486"],
    ["sip 404", "invalid_number", "SIP 404"],
    ["SIP/2.0   486", "busy", "SIP 486"],
    ["SIP reply was 486", "busy", "SIP 486"],
    ["SIP status: 480", "no_answer", "SIP 480"],
    ["SIP error code: 603", "no_answer", "SIP 603"],
    ["486", "busy", "SIP 486"],
    ["  600 Busy Everywhere", "busy", "SIP 600"],
    ["call failed with status 408", "no_answer", "SIP 408"],
    ["response=484;text=address incomplete", "invalid_number", "SIP 484"],
    ['Q.850;cause=17;text="User busy"', "busy", "Q.850 cause 17"],
    ["Reason: cause 1", "invalid_number", "Q.850 cause 1"],
    ["hangup cause: 19", "no_answer", "Q.850 cause 19"],
    // A SIP code that says nothing leaves it to the cause, an empty cause to the phrase.
    ["SIP 500 with Q.850;cause=17", "busy", "Q.850 cause 17"],
    ["SIP 503, cause 16: no answer", "no_answer", '"no answer"'],
    ["SIP 404, cause 17, no answer", "invalid_number", "SIP 404"],
    ["cause 17, no answer", "busy", "Q.850 cause 17"],
    ["The user is BUSY right now", "busy", '"busy"'],
    ["ringing timeout", "no_answer", '"ringing timeout"'],
  ] as const)("%j says %s", (text, disposition, reason) => {
    expect(readErrorText(text)).toEqual({ disposition, reason });
  });

  it.each([
    undefined,
    "",
    "   ",
    "timeout after 486 ms",
    "took 404 ms",
    "call 4861 failed",
    "code 4045",
    "SIP 200 OK",
    "SIP 999",
    "because 17 people",
    "cause 1700",
    "the cause of this: 17",
    "business line",
    "busybody",
    "answer",
    "nobody answered",
    "indeclinable",
    "４８６",
    "ＢＵＳＹ",
  ])("%j says nothing known", (text) => {
    expect(readErrorText(text)).toBeUndefined();
  });

  it("is read in no time however long and however hard to search", () => {
    const hostile = [
      "sip".repeat(200_000),
      `sip${" ".repeat(400_000)}486`,
      "cause".repeat(100_000),
      `cause${"\u00a0".repeat(300_000)}17`,
      "no ".repeat(200_000),
      "\ud800".repeat(500_000),
      "İ".repeat(500_000),
      `${"code ".repeat(100_000)}486`,
      "ring".repeat(250_000),
      "👩‍👩‍👧‍👦".repeat(50_000),
    ];
    const tookMs = cpuMsOf(() => {
      for (const text of hostile) readErrorText(text);
    });
    // Ten megabyte-sized texts; one that was searched whole by a backtracking pattern takes seconds alone.
    expect(tookMs).toBeLessThan(1_000);
  });

  it("counts only as far as its first 500 characters", () => {
    expect(readErrorText(`${"x ".repeat(248)}busy`)?.disposition).toBe("busy");
    expect(readErrorText(`${"x ".repeat(250)}busy`)).toBeUndefined();
  });

  // Seconds of arithmetic, of which a busy machine makes many more.
  it(
    "of any kind comes to a disposition of the table and a short reason, or to nothing",
    { timeout: 60_000 },
    () => {
      fc.assert(
        fc.property(fc.string({ unit: "binary", maxLength: 700 }), (text) => {
          const read = readErrorText(text);
          if (!read) return;
          expect(DISPOSITIONS).toContain(read.disposition);
          expect(read.reason.length).toBeLessThan(60);
        }),
        { numRuns: 1_000 },
      );
    },
  );
});

describe("a call", () => {
  it.each([
    ["ended", 12, "answered", "call ended, 12 s"],
    ["ended", undefined, "answered", "call ended, duration not given"],
    ["completed", 0, "no_answer", "call completed, 0 s"],
    ["Failed", 30, "failed", "call failed"],
    ["error", undefined, "failed", "call error"],
  ] as const)("%s after %s s came to %s", (status, durationSeconds, disposition, reason) => {
    expect(readCall(call({ status, durationSeconds }))).toEqual({ disposition, reason });
  });

  it("that is up, or says something that nobody has seen, came to nothing yet", () => {
    for (const status of [
      "waiting",
      "queued",
      "initiated",
      "ringing",
      "connected",
      "active",
      "",
      "hm",
      "__proto__",
    ])
      expect(readCall(call({ status, durationSeconds: 0 }))).toBeUndefined();
  });

  it.each([
    ["completed", true],
    ["FAILED", true],
    ["processing", false],
    ["pending", false],
    ["", false],
    [undefined, false],
  ] as const)("whose processing is %j is processed: %s", (processingStatus, processed) => {
    expect(isProcessed(call({ processingStatus }))).toBe(processed);
  });
});

describe("rules over a call's analysis", () => {
  const optOut = { key: "do_not_call", equals: true, disposition: "opted_out" as const };
  const callback = { key: "outcome", equals: "callback", disposition: "callback_requested" as const };

  it("the first that fits decides", () => {
    const analysis = { outcome: "callback", do_not_call: true };
    expect(readAnalysis([callback, optOut], call({ analysis }))).toEqual({
      disposition: "callback_requested",
      reason: "analysis outcome = callback",
    });
    expect(readAnalysis([optOut, callback], call({ analysis }))).toEqual({
      disposition: "opted_out",
      reason: "analysis do_not_call = true",
    });
  });

  it("none fits a call without an analysis, or without the key", () => {
    for (const analysis of [
      undefined,
      {},
      { other: "callback" },
      { outcome: null },
      { outcome: { value: "callback" } },
    ])
      expect(readAnalysis([callback, optOut], call({ analysis }))).toBeUndefined();
  });

  it("names that every object has fit nothing", () => {
    for (const key of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      expect(
        readAnalysis([{ key, equals: "x", disposition: "opted_out" }], call({ analysis: {} })),
      ).toBeUndefined();
  });
});

describe("an item that looks as if it was never dialed", () => {
  const undialed = item({ status: "pending" });

  it.each([
    { status: "pending" },
    { status: "cancelled" },
    { status: "Skipped", dialCount: 0 },
    { status: "queued", completedAtMs: 5, errorText: "batch cancelled" },
  ])("%j", (facts) => {
    expect(looksUndialed(item(facts))).toBe(true);
  });

  it.each([
    ["a call", { callId: "call" }],
    ["a count", { dialCount: 1 }],
    ["a negative count, which makes no sense", { dialCount: -1 }],
    ["a start", { startedAtMs: 0 }],
    ["a word of a call that is up", { status: "ringing" }],
    ["a word of an end", { status: "no_answer" }],
    ["a word that nobody has seen", { status: "parked" }],
    ["no word", { status: "" }],
  ])("any sign against it counts: %s", (_sign, facts) => {
    expect(looksUndialed({ ...undialed, ...facts })).toBe(false);
  });
});

it("an item word with an unknown text comes to no more than the word alone says", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(ITEM_WORDS)),
      fc.string({ unit: "grapheme" }),
      (status, errorText) => {
        fc.pre(readErrorText(errorText) === undefined);
        expect(readItem(item({ status, errorText }))).toEqual(readItem(item({ status })));
      },
    ),
    { numRuns: 500 },
  );
});

it("only words that say so come to something that is called again", () => {
  const retried = Object.keys(ITEM_WORDS).filter((status) => {
    const reading = readItem(item({ status }));
    return reading.phase === "ended" && reading.disposition !== undefined && isRetryable(reading.disposition);
  });
  const said =
    "voicemail voicemail_detected voicemail_left machine answering_machine no_answer noanswer not_answered " +
    "unanswered missed declined rejected busy user_busy line_busy failed failure error";
  expect(retried.sort()).toEqual(said.split(" ").sort());
});
