import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { looksUndialed, type CallFacts } from "../../../src/domain/campaigns/call-outcome.ts";
import {
  readAttempts,
  type ListedItem,
  type Outcome,
  type Reading,
  type ReadingInput,
  type UnendedAttempt,
} from "../../../src/domain/campaigns/findings.ts";
import type { AnalysisRule } from "../../../src/domain/policy/dialing-policy.ts";

const NOW_MS = Date.UTC(2026, 5, 3, 12);
const PHONE = "+12025550100";

const attempt = (facts: Partial<UnendedAttempt> = {}): UnendedAttempt => ({
  phone: PHONE,
  itemId: undefined,
  callId: undefined,
  state: "open",
  endedAtMs: undefined,
  plannedAtMs: NOW_MS - 900_000,
  seenDialed: false,
  refusals: 0,
  ...facts,
});
const item = (facts: Partial<ListedItem> = {}): ListedItem => ({
  itemId: "item",
  phone: PHONE,
  status: "completed",
  errorText: undefined,
  callId: undefined,
  dialCount: undefined,
  startedAtMs: undefined,
  completedAtMs: undefined,
  ...facts,
});
const call = (facts: Partial<CallFacts> = {}): CallFacts => ({
  callId: "call",
  status: "ended",
  durationSeconds: 30,
  startedAtMs: undefined,
  endedAtMs: undefined,
  ...facts,
});
const RULE: AnalysisRule = { key: "outcome", equals: "callback", disposition: "callback_requested" };

function read(input: Partial<Omit<ReadingInput, "calls">> & { calls?: CallFacts[] }): Reading {
  const { calls = [], ...rest } = input;
  return readAttempts({
    attempts: [attempt()],
    items: [item()],
    analysisRules: [],
    decideAfterMs: 600_000,
    nowMs: NOW_MS,
    ...rest,
    calls: new Map(calls.map((one) => [one.callId, one])),
  });
}

/** What became of the one attempt of a reading. */
function outcome(input: Parameters<typeof read>[0]): Outcome | "undialed" | "missing" {
  const reading = read(input);
  if (reading.undialed.length > 0) return "undialed";
  if (reading.missing.length > 0) return "missing";
  const [finding] = reading.findings;
  if (!finding) throw new Error("nothing was said of the attempt");
  return finding.outcome;
}

describe("an item that failed because the platform refused to call", () => {
  const refused = { status: "failed", dialCount: 0, errorText: "Concurrency limit reached (20/20)" };

  it("is of somebody undialed, with why", () => {
    const reading = read({ items: [item(refused)] });
    expect(reading.undialed).toEqual([PHONE]);
    expect([...reading.refused]).toEqual([[PHONE, "concurrency limit reached 20 20"]]);
    expect(reading.findings).toEqual([]);
  });

  it.each([
    ["has a call", { callId: "call" }],
    ["has a beginning", { startedAtMs: NOW_MS }],
    ["was tried", { dialCount: 1 }],
    ["does not say that it was not tried", { dialCount: undefined }],
    ["failed of nothing that is known", { errorText: "internal error" }],
    ["failed of nothing that is told", { errorText: undefined }],
    ["failed of a carrier", { errorText: "rate limit exceeded at carrier" }],
    ["failed of a trunk's answer", { errorText: "SIP 503 too many requests" }],
  ])("is a failed call where it %s", (_what, facts) => {
    expect(outcome({ items: [item({ ...refused, ...facts })] })).toMatchObject({
      kind: "ended",
      disposition: "failed",
    });
  });

  it("is what its text says where that tells of the person", () => {
    const errorText = "486 busy here, rate limit reached";
    expect(outcome({ items: [item({ ...refused, errorText })] })).toMatchObject({ disposition: "busy" });
  });

  it("is a failed call from the sixth time in a row on, or where the ledger knows of a dial", () => {
    const failed = { kind: "ended", disposition: "failed" };
    const items = [item(refused)];
    expect(outcome({ attempts: [attempt({ refusals: 4 })], items })).toBe("undialed");
    expect(outcome({ attempts: [attempt({ refusals: 5 })], items })).toMatchObject(failed);
    expect(outcome({ attempts: [attempt({ seenDialed: true })], items })).toMatchObject(failed);
  });

  it("is a failed call where no listing of calls can prove that nobody was called", () => {
    expect(outcome({ items: [item(refused)], callsListingProves: false })).toMatchObject({
      disposition: "failed",
    });
  });

  it("does not hide another item of the number that shows a dial, in whichever order they are listed", () => {
    const items = [item({ itemId: "a", ...refused }), item({ itemId: "b", status: "ringing" })];
    for (const order of [items, [...items].reverse()])
      for (const itemId of [undefined, "a"])
        expect(outcome({ attempts: [attempt({ itemId })], items: order })).toEqual({ kind: "up" });
  });
});

describe("which item is an attempt's", () => {
  it("the one with its id, though another has its number", () => {
    const items = [item({ itemId: "a", status: "busy" }), item({ itemId: "b", status: "voicemail" })];
    for (const order of [items, [...items].reverse()])
      expect(outcome({ attempts: [attempt({ itemId: "a" })], items: order })).toMatchObject({
        disposition: "busy",
      });
  });

  it("the one with its number where the id is not known, or not listed", () => {
    for (const itemId of [undefined, "gone"])
      expect(
        outcome({ attempts: [attempt({ itemId })], items: [item({ itemId: "x", status: "busy" })] }),
      ).toMatchObject({
        disposition: "busy",
      });
  });

  it("whichever way the platform writes the number", () => {
    for (const phone of ["12025550100", "+1 202-555-0100", "+1 (202) 555 0100", "tel:+12025550100"])
      expect(outcome({ items: [item({ phone, status: "busy" })] })).toMatchObject({ disposition: "busy" });
  });

  it("of two with its number, the one that shows a dial, in whichever order they are listed", () => {
    const items = [item({ itemId: "a", status: "pending" }), item({ itemId: "b", status: "ringing" })];
    for (const order of [items, [...items].reverse()])
      expect(outcome({ items: order })).toEqual({ kind: "up" });
  });

  it("not the one with its id, where that shows no dial and another with its number does", () => {
    const items = [item({ itemId: "a", status: "cancelled" }), item({ itemId: "b", status: "busy" })];
    for (const order of [items, [...items].reverse()])
      expect(outcome({ attempts: [attempt({ itemId: "a" })], items: order })).toMatchObject({
        disposition: "busy",
      });
  });

  it("none where no item has its id or its number: missing, which proves nothing", () => {
    for (const items of [
      [],
      [item({ phone: "+12025550199" })],
      [item({ phone: undefined })],
      [item({ phone: "" })],
    ]) {
      const reading = read({ items });
      expect(reading.missing).toEqual([PHONE]);
      expect(reading.findings).toEqual([]);
      expect(reading.undialed).toEqual([]);
    }
  });

  it("items of nobody change nothing", () => {
    const stranger = item({ itemId: "s", phone: "+12025550111", status: "busy" });
    expect(read({ items: [item({ status: "busy" }), stranger] })).toEqual(
      read({ items: [item({ status: "busy" })] }),
    );
  });

  it("an item without a number does not pass for that of an attempt", () => {
    expect(outcome({ items: [item({ phone: undefined, itemId: "x", status: "pending" })] })).toBe("missing");
  });
});

describe("what an item says without its call", () => {
  it.each([
    ["pending", "undialed"],
    ["cancelled", "undialed"],
    ["ringing", { kind: "up" }],
    ["parked on the moon", { kind: "up" }],
    ["busy", { kind: "ended", disposition: "busy", reason: "item busy" }],
    ["failed", { kind: "ended", disposition: "failed", reason: "item failed" }],
  ] as const)("%s", (status, expected) => {
    expect(outcome({ items: [item({ status })] })).toEqual(expected);
  });

  it("a waiting or cancelled word beside a sign of a dial is a call that is up", () => {
    for (const sign of [{ callId: "call" }, { dialCount: 1 }, { startedAtMs: NOW_MS }])
      for (const status of ["pending", "cancelled"]) {
        const reading = read({ items: [item({ status, ...sign })] });
        expect(reading.up).toEqual([PHONE]);
        expect(reading.undialed).toEqual([]);
      }
  });

  it("wants the calls where only they can tell, and is provisional until they do", () => {
    for (const callId of [undefined, "call"]) {
      const reading = read({ items: [item({ status: "completed", callId })] });
      expect(reading.wantCalls).toEqual([PHONE]);
      expect(reading.findings[0]?.outcome).toEqual({
        kind: "provisional",
        reason: "item completed: waits for its call",
      });
    }
  });
});

describe("an item with a word of the platform's own", () => {
  const OWN_WORDS = { endedItemWords: new Set(["wrapped", "ringing"]) };

  it("has its calls asked where the word is known to end one, and is up until a call says that it is over", () => {
    const reading = read({ items: [item({ status: "wrapped", callId: "call" })], ...OWN_WORDS });
    expect(reading.up).toEqual([PHONE]);
    expect(reading.wantCalls).toEqual([PHONE]);
    expect(
      outcome({ items: [item({ status: "wrapped", callId: "call" })], calls: [call()], ...OWN_WORDS }),
    ).toMatchObject({ kind: "ended", disposition: "answered" });
  });

  it("asks no calls where nobody knows the word, nor where it has a meaning already", () => {
    for (const status of ["parked", "ringing"]) {
      const reading = read({ items: [item({ status, callId: "call" })], ...OWN_WORDS });
      expect(reading.up).toEqual([PHONE]);
      expect(reading.wantCalls).toEqual([]);
    }
  });

  it("is kept with its ids and times, though its word is no sign of a dial", () => {
    expect(read({ items: [item({ status: "parked", errorText: "odd" })] }).findings).toMatchObject([
      { itemId: "item", itemStatus: undefined, errorText: "odd" },
    ]);
  });
});

describe("what an item says together with its call", () => {
  const items = [item({ status: "completed", callId: "call" })];

  it.each([
    [call(), { kind: "ended", disposition: "answered", reason: "item completed, call ended, 30 s" }],
    [
      call({ durationSeconds: 0 }),
      { kind: "ended", disposition: "no_answer", reason: "item completed, call ended, 0 s" },
    ],
    [
      call({ status: "failed" }),
      { kind: "ended", disposition: "failed", reason: "item completed, call failed" },
    ],
    [call({ status: "connected" }), { kind: "provisional", reason: "item completed: waits for its call" }],
  ] as const)("$0.status, $0.durationSeconds s", (facts, expected) => {
    expect(outcome({ items, calls: [facts] })).toEqual(expected);
  });

  it("finds the call by the id that the ledger kept, where the item has lost it", () => {
    expect(
      outcome({
        attempts: [attempt({ callId: "call" })],
        items: [item({ status: "done" })],
        calls: [call()],
      }),
    ).toMatchObject({ disposition: "answered" });
  });

  it("hands on ids, words and times, the item's before the call's", () => {
    const [finding] = read({
      items: [item({ status: "busy", callId: "call", errorText: "SIP 486", completedAtMs: NOW_MS - 5 })],
      calls: [call({ startedAtMs: NOW_MS - 40, endedAtMs: NOW_MS - 1, durationSeconds: 7 })],
    }).findings;
    expect(finding).toEqual({
      phone: PHONE,
      itemId: "item",
      callId: "call",
      itemStatus: "busy",
      errorText: "SIP 486",
      startedAtMs: NOW_MS - 40,
      endedAtMs: NOW_MS - 5,
      durationSeconds: 7,
      outcome: { kind: "ended", disposition: "busy", reason: "item busy" },
    });
  });
});

describe("what the ledger holds of a dial, against an item that shows none", () => {
  const quiet = ["pending", "cancelled"].map((status) => item({ status }));
  const signs: Partial<UnendedAttempt>[] = [
    { callId: "call" },
    { seenDialed: true },
    { state: "provisional", endedAtMs: NOW_MS - 1_000 },
  ];

  it("wins: it is no item of somebody undialed", () => {
    for (const one of quiet)
      for (const sign of signs) {
        const reading = read({ attempts: [attempt(sign)], items: [one] });
        expect(reading.undialed).toEqual([]);
        expect(reading.up).toEqual([PHONE]);
        expect(reading.findings[0]?.outcome).toEqual({ kind: "up" });
      }
  });

  it("has the call asked, and its end taken, where the call is known", () => {
    for (const one of quiet) {
      const attempts = [attempt({ callId: "call" })];
      expect(read({ attempts, items: [one] }).wantCalls).toEqual([PHONE]);
      expect(outcome({ attempts, items: [one], calls: [call({ durationSeconds: 12 })] })).toEqual({
        kind: "ended",
        disposition: "answered",
        reason: `item ${one.status}, call ended, 12 s`,
      });
    }
    const attempts = [attempt({ seenDialed: true })];
    expect(read({ attempts, items: quiet.slice(0, 1) }).wantCalls).toEqual([]);
  });

  it("ends by its call where its item is not listed, and is missing until the call is over", () => {
    const attempts = [attempt({ callId: "call" })];
    const waiting = read({ attempts, items: [], calls: [call({ status: "connected" })] });
    expect(waiting).toMatchObject({ missing: [PHONE], wantCalls: [PHONE], findings: [] });
    expect(outcome({ attempts, items: [], calls: [call()] })).toEqual({
      kind: "ended",
      disposition: "answered",
      reason: "no item, call ended, 30 s",
    });
  });

  it("ends by what its item said before, where a listing lacks that for once", () => {
    const seen = (told: UnendedAttempt["told"], changes: Partial<UnendedAttempt> = {}) =>
      outcome({
        attempts: [attempt({ itemId: "item", callId: "call", seenDialed: true, told, ...changes })],
        items: [],
        calls: [call({ durationSeconds: 0 })],
      });
    const listed = (facts: Partial<ListedItem>) =>
      outcome({ items: [item({ callId: "call", ...facts })], calls: [call({ durationSeconds: 0 })] });
    for (const [status, errorText] of [
      ["voicemail", undefined],
      ["failed", "SIP 486"],
      ["failed", "SIP 607"],
      ["no_answer", undefined],
    ] as const)
      expect(seen({ status, errorText }), status).toEqual(listed({ status, errorText }));
    // One that was up when it was seen last has said nothing of its end.
    expect(seen({ status: "in_progress", errorText: undefined })).toMatchObject({
      kind: "ended",
      reason: expect.stringContaining("item in_progress, call ended"),
    });
  });

  it("has the call asked for whose item is not listed, where it is known, and none where it is not", () => {
    for (const attempts of [[attempt({ callId: "call" })], [attempt({ seenDialed: true })]]) {
      const reading = read({ attempts, items: [] });
      expect(reading.missing).toEqual([PHONE]);
      expect(reading.wantCalls).toEqual(attempts[0]?.callId === undefined ? [] : [PHONE]);
    }
  });

  it("is told of by a word only where the word shows a dial", () => {
    const wordOf = (one: Partial<ListedItem>) => read({ items: [item(one)] }).findings[0]?.itemStatus;
    expect(wordOf({ status: "ringing" })).toBe("ringing");
    expect(wordOf({ status: "parked", dialCount: 1 })).toBe("parked");
    expect(wordOf({ status: "pending", startedAtMs: NOW_MS })).toBe("pending");
    expect(wordOf({ status: "parked" })).toBeUndefined();
    expect(wordOf({ status: "busy" })).toBe("busy");
  });
});

describe("how long an ended item waits for its call", () => {
  const waiting = attempt({ state: "provisional", endedAtMs: NOW_MS - 600_000 });

  it("until the bound, then it is unknown", () => {
    expect(outcome({ attempts: [waiting], decideAfterMs: 600_001 })).toMatchObject({ kind: "provisional" });
    expect(outcome({ attempts: [waiting], decideAfterMs: 600_000 })).toEqual({
      kind: "ended",
      disposition: "unknown",
      reason: "item completed, and its call said nothing in time",
    });
  });

  it("counts from what the item says of its end, before what the ledger kept", () => {
    const items = [item({ completedAtMs: NOW_MS - 1_000 })];
    expect(outcome({ attempts: [waiting], items, decideAfterMs: 600_000 })).toMatchObject({
      kind: "provisional",
    });
  });

  it("counts from an end that is told for this very moment", () => {
    const items = [item({ completedAtMs: NOW_MS })];
    expect(outcome({ attempts: [waiting], items, decideAfterMs: 600_000 })).toMatchObject({
      kind: "provisional",
    });
    expect(outcome({ attempts: [waiting], items, decideAfterMs: 0 })).toMatchObject({ kind: "ended" });
  });

  it("is never over at the first look: an end that was long ago still gets its calls read", () => {
    const reading = read({ items: [item({ completedAtMs: NOW_MS - 86_400_000 })] });
    expect(reading.wantCalls).toEqual([PHONE]);
    expect(reading.findings[0]?.outcome).toMatchObject({ kind: "provisional" });
  });
});

describe("a time that the platform can't mean", () => {
  const items = [item({ status: "completed", callId: "c1" })];
  it("long before the plan decides nothing sooner, one to come nothing later", () => {
    const ended = (completedAtMs: number, sinceMs: number) =>
      outcome({
        attempts: [
          attempt({ state: "provisional", plannedAtMs: NOW_MS - sinceMs, endedAtMs: NOW_MS - sinceMs }),
        ],
        items: items.map((one) => ({ ...one, completedAtMs })),
        decideAfterMs: 600_000,
      });
    expect(ended(Date.UTC(2001, 0, 1), 60_000)).toMatchObject({ kind: "provisional" });
    expect(ended(Date.UTC(2001, 0, 1), 700_000)).toMatchObject({ kind: "ended", disposition: "unknown" });
    expect(ended(Date.UTC(2091, 0, 1), 60_000)).toMatchObject({ kind: "provisional" });
    expect(ended(Date.UTC(2091, 0, 1), 700_000)).toMatchObject({ kind: "ended", disposition: "unknown" });
  });

  it("is a sign of a dial all the same", () => {
    const pending = item({ status: "cancelled" });
    expect(looksUndialed(pending)).toBe(true);
    expect(looksUndialed({ ...pending, hasStart: true })).toBe(false);
    expect(looksUndialed({ ...pending, dialCount: Number.NaN })).toBe(false);
  });
});

describe("rules over the analysis", () => {
  const items = [item({ status: "answered", callId: "call" })];
  const analysed = (facts: Partial<CallFacts>) => ({ items, analysisRules: [RULE], calls: [call(facts)] });

  it("decide as soon as one fits, even before processing says that it is over", () => {
    for (const processingStatus of ["completed", "processing"])
      expect(outcome(analysed({ processingStatus, analysis: { outcome: "Callback" } }))).toEqual({
        kind: "ended",
        disposition: "callback_requested",
        reason: "analysis outcome = callback",
      });
  });

  it("make an answered call wait for its processing, and ask for the call whole", () => {
    for (const calls of [[], [call()], [call({ processingStatus: "pending" })]]) {
      const reading = read({ items, analysisRules: [RULE], calls });
      expect(reading.wantAnalysis).toEqual(["call"]);
      expect(reading.findings[0]?.outcome).toEqual({
        kind: "provisional",
        reason: "item answered: waits for its analysis",
      });
    }
  });

  it("leave it to the item once the call is processed and none fits", () => {
    for (const processingStatus of ["completed", "failed"])
      expect(outcome(analysed({ processingStatus, analysis: { outcome: "none" } }))).toEqual({
        kind: "ended",
        disposition: "answered",
        reason: "item answered",
      });
  });

  it("leave it to the item once the bound has passed", () => {
    const late = attempt({ state: "provisional", endedAtMs: NOW_MS - 600_000 });
    expect(outcome({ attempts: [late], items, analysisRules: [RULE] })).toMatchObject({
      kind: "ended",
      disposition: "answered",
    });
  });

  it("are asked of voicemails too, and of nothing else", () => {
    for (const [status, kind] of [
      ["voicemail", "provisional"],
      ["busy", "ended"],
      ["failed", "ended"],
      ["invalid", "ended"],
    ] as const)
      expect(outcome({ items: [item({ status, callId: "call" })], analysisRules: [RULE] })).toMatchObject({
        kind,
      });
  });

  it("are not waited for where the item has no call", () => {
    expect(outcome({ items: [item({ status: "answered" })], analysisRules: [RULE] })).toMatchObject({
      kind: "ended",
      disposition: "answered",
    });
  });
});

describe("any reading", () => {
  const phones = Array.from({ length: 6 }, (_, index) => `+1202555010${index}`);
  const words = [
    "pending",
    "cancelled",
    "ringing",
    "completed",
    "answered",
    "busy",
    "failed",
    "",
    "hm",
    "voicemail",
  ];
  const moment = fc.option(fc.integer({ min: NOW_MS - 9_000_000, max: NOW_MS + 9_000_000 }), {
    nil: undefined,
  });
  const anyItem = fc.record({
    itemId: fc.constantFrom("i0", "i1", "i2", "i3", "i4", "i5", "i6"),
    phone: fc.constantFrom(undefined, "", ...phones),
    status: fc.constantFrom(...words),
    errorText: fc.constantFrom(undefined, "busy", "SIP 607"),
    callId: fc.constantFrom(undefined, "c0", "c1"),
    dialCount: fc.constantFrom(undefined, 0, 1),
    startedAtMs: moment,
    completedAtMs: moment,
  });
  const anyAttempt = fc.record({
    itemId: fc.constantFrom(undefined, "i0", "i1", "i2"),
    callId: fc.constantFrom(undefined, "c0"),
    state: fc.constantFrom("open" as const, "provisional" as const),
    endedAtMs: moment,
    plannedAtMs: fc.constant(NOW_MS - 900_000),
    seenDialed: fc.boolean(),
    refusals: fc.nat(6),
  });

  it("says of every attempt exactly one thing: up, provisional, ended, undialed or missing", () => {
    fc.assert(
      fc.property(
        fc.array(anyAttempt, { maxLength: 6 }),
        fc.array(anyItem, { maxLength: 8 }),
        fc.boolean(),
        (facts, items, analysed) => {
          const attempts = facts.map((one, index) => ({ ...one, phone: phones[index] ?? "" }));
          const reading = read({
            attempts,
            items,
            analysisRules: analysed ? [RULE] : [],
            calls: [call({ callId: "c0" })],
          });
          const said = [...reading.findings.map((one) => one.phone), ...reading.undialed, ...reading.missing];
          expect(said.sort()).toEqual(attempts.map((one) => one.phone).sort());
          const upFindings = reading.findings
            .filter((one) => one.outcome.kind === "up")
            .map((one) => one.phone);
          expect(reading.up).toEqual(upFindings);
          const waiting = reading.findings.filter((one) => one.outcome.kind === "provisional");
          const asksForMore = new Set([...reading.wantCalls, ...reading.up, ...reading.missing]);
          for (const { phone } of waiting)
            expect(asksForMore.has(phone) || reading.wantAnalysis.length > 0).toBe(true);
          expect(reading.wantAnalysis.length).toBeLessThanOrEqual(waiting.length);
          for (const one of attempts)
            if (one.seenDialed || one.callId !== undefined || one.state === "provisional")
              expect(reading.undialed).not.toContain(one.phone);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("is decided in the end: whoever has waited past the bound, by a known end, waits no longer", () => {
    fc.assert(
      fc.property(anyItem, fc.boolean(), (one, analysed) => {
        const listed = { ...one, phone: PHONE, completedAtMs: NOW_MS - 700_000 };
        const reading = read({
          attempts: [attempt({ state: "provisional", endedAtMs: NOW_MS - 700_000 })],
          items: [listed],
          analysisRules: analysed ? [RULE] : [],
        });
        expect(reading.wantCalls).toEqual([]);
        expect(reading.wantAnalysis).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe("what is kept of a call", () => {
  const answered = item({ status: "answered", callId: "call" });
  const waitsFor = (what: string) => ({
    kind: "provisional",
    reason: expect.stringMatching(`: waits for its ${what}$`) as string,
  });
  const ends = (disposition: string, kept?: object) => ({
    kind: "ended",
    disposition,
    reason: expect.any(String) as string,
    ...(kept && { kept }),
  });

  it("is nothing where nothing is asked for, and nobody waits for it", () => {
    expect(outcome({ items: [answered] })).toEqual({
      kind: "ended",
      disposition: "answered",
      reason: "item answered",
    });
  });

  it("waits for the call in the listing, as far as that is what is asked for", () => {
    const input = { items: [answered], keptFields: ["duration_seconds"] };
    const reading = read(input);
    expect(reading.wantCalls).toEqual([PHONE]);
    expect(reading.wantAnalysis).toEqual([]);
    expect(outcome(input)).toEqual(waitsFor("call"));
    // A call of which nothing can be read yet says nothing.
    expect(outcome({ ...input, calls: [call({ status: "in_progress" })] })).toEqual(waitsFor("call"));
    expect(outcome({ ...input, calls: [call({ durationSeconds: 12 })] })).toEqual(
      ends("answered", { duration_seconds: 12 }),
    );
  });

  it("waits for the processing of a call that somebody took, and of no other", () => {
    const keptFields = ["analysis.interested"];
    const input = { items: [answered], keptFields };
    const unprocessed = call({ processingStatus: "pending" });
    expect(read({ ...input, calls: [unprocessed] }).wantAnalysis).toEqual(["call"]);
    expect(read({ ...input, calls: [unprocessed] }).wantCalls).toEqual([]);
    expect(outcome(input)).toEqual(waitsFor("analysis"));
    expect(outcome({ ...input, calls: [unprocessed] })).toEqual(waitsFor("analysis"));
    const processed = call({ processingStatus: "completed", analysis: { interested: true } });
    expect(outcome({ ...input, calls: [processed] })).toMatchObject({
      kind: "ended",
      disposition: "answered",
    });
    const busy = { items: [item({ status: "busy", callId: "call" })], keptFields };
    expect(outcome(busy)).toEqual(waitsFor("call"));
    expect(outcome({ ...busy, calls: [call()] })).toMatchObject({ kind: "ended", disposition: "busy" });
  });

  it("is what is known where there is no call, or it was waited for long enough", () => {
    const keptFields = ["duration_seconds"];
    expect(outcome({ items: [item({ status: "answered" })], keptFields })).toEqual(ends("answered", {}));
    const overdue = attempt({ state: "provisional", callId: "call", endedAtMs: NOW_MS - 700_000 });
    expect(outcome({ attempts: [overdue], items: [answered], keptFields })).toEqual(ends("answered", {}));
    const waiting = attempt({ state: "provisional", callId: "call", endedAtMs: NOW_MS - 500_000 });
    expect(outcome({ attempts: [waiting], items: [answered], keptFields })).toEqual(waitsFor("call"));
  });

  it("keeps nobody waiting who opted out: they are suppressed at once", () => {
    const optedOut = item({ status: "failed", errorText: "SIP 607 Unwanted", callId: "call" });
    expect(outcome({ items: [optedOut], keptFields: ["duration_seconds"] })).toEqual(ends("opted_out", {}));
  });
});
