import { describe, expect, it } from "vitest";

import {
  afterScrubFailure,
  AWAY_HOLDS_MS,
  readScrubAnswer,
  scrubbedUntil,
  scrubStanding,
  silenceText,
  UNANSWERED_REST_MS,
  unscrubbedText,
  type ScrubAnswer,
  type Scrubber,
} from "../../../src/domain/policy/scrubbing.ts";

const NOW_MS = Date.UTC(2026, 5, 3, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const SERVICE: Scrubber = {
  sourceId: 1,
  source: "carrier",
  sinceMs: 0,
  cacheMs: 24 * HOUR_MS,
  whenAway: "wait",
  awayTriedAtMs: undefined,
};
const DIALING: Scrubber = { ...SERVICE, whenAway: "dial", awayTriedAtMs: NOW_MS - MINUTE_MS };

const answer = (
  last: { agoMs: number; listed: boolean } | undefined,
  unansweredAgoMs?: number,
): ScrubAnswer => ({
  sourceId: 1,
  last: last && { askedAtMs: NOW_MS - last.agoMs, listed: last.listed },
  unansweredAtMs: unansweredAgoMs === undefined ? undefined : NOW_MS - unansweredAgoMs,
});
const standing = (of: ScrubAnswer | undefined, scrubber = SERVICE) => scrubStanding(scrubber, of, NOW_MS);

describe("how a number stands with a scrubbing service", () => {
  it("may be dialed for as long as its clear answer holds, and not in its last minutes", () => {
    const held = standing(answer({ agoMs: HOUR_MS, listed: false }));
    expect(held).toEqual({ kind: "clear", untilMs: NOW_MS + 23 * HOUR_MS });
    expect(standing(answer({ agoMs: 24 * HOUR_MS - MINUTE_MS, listed: false }))).toEqual({ kind: "unasked" });
    expect(standing(answer({ agoMs: 24 * HOUR_MS, listed: false }))).toEqual({ kind: "unasked" });
  });

  it("is never dialed beyond the end of the answer, however ends are rounded", () => {
    for (let agoMs = 0; agoMs < 24 * HOUR_MS; agoMs += 7 * MINUTE_MS) {
      const held = standing(answer({ agoMs, listed: false }));
      if (held.kind === "clear") expect(held.untilMs).toBeLessThanOrEqual(NOW_MS - agoMs + 24 * HOUR_MS);
    }
  });

  it("is not dialed by what another address had said, but stays listed where that one had listed it", () => {
    const moved = { ...SERVICE, sinceMs: NOW_MS - MINUTE_MS };
    expect(standing(answer({ agoMs: HOUR_MS, listed: false }), moved)).toEqual({ kind: "unasked" });
    expect(standing(answer({ agoMs: MINUTE_MS, listed: false }), moved)).toMatchObject({ kind: "clear" });
    expect(standing(answer({ agoMs: HOUR_MS, listed: true }), moved)).toMatchObject({ kind: "listed" });
    expect(standing(answer(undefined, 2 * MINUTE_MS), moved)).toEqual({ kind: "unasked" });
  });

  it("takes an answer of the future for one of now", () => {
    expect(standing(answer({ agoMs: -9 * HOUR_MS, listed: true }))).toEqual({
      kind: "listed",
      untilMs: NOW_MS + 24 * HOUR_MS,
    });
  });

  it("is not dialed while it is listed, nor asked about over and over where the service says nothing of it", () => {
    expect(standing(answer({ agoMs: HOUR_MS, listed: true }), DIALING)).toMatchObject({ kind: "listed" });
    expect(standing(answer(undefined, MINUTE_MS), DIALING)).toEqual({
      kind: "unanswered",
      untilMs: NOW_MS - MINUTE_MS + UNANSWERED_REST_MS,
    });
    expect(standing(answer(undefined, UNANSWERED_REST_MS))).toEqual({ kind: "unasked" });
    // What it said before holds all the same.
    expect(standing(answer({ agoMs: HOUR_MS, listed: false }, MINUTE_MS))).toMatchObject({ kind: "clear" });
  });

  it("is dialed without an answer only by that rule, while the service is known to be away, and unless it was listed", () => {
    expect(standing(undefined, DIALING)).toEqual({
      kind: "away",
      untilMs: NOW_MS - MINUTE_MS + AWAY_HOLDS_MS,
    });
    expect(standing(undefined, { ...DIALING, whenAway: "wait" })).toEqual({ kind: "unasked" });
    expect(standing(undefined, { ...DIALING, awayTriedAtMs: undefined })).toEqual({ kind: "unasked" });
    expect(standing(undefined, { ...DIALING, awayTriedAtMs: NOW_MS - AWAY_HOLDS_MS })).toEqual({
      kind: "unasked",
    });
    expect(standing(answer({ agoMs: 99 * HOUR_MS, listed: true }), DIALING)).toEqual({ kind: "unasked" });
    expect(standing(answer({ agoMs: 99 * HOUR_MS, listed: false }), DIALING)).toMatchObject({ kind: "away" });
    // It was asked, and would not say: now or last week, and whatever it had said before.
    for (const agoMs of [UNANSWERED_REST_MS, 99 * HOUR_MS]) {
      expect(standing(answer(undefined, agoMs), DIALING)).toEqual({ kind: "unasked" });
      expect(standing(answer({ agoMs: 99 * HOUR_MS, listed: false }, agoMs), DIALING)).toEqual({
        kind: "unasked",
      });
    }
  });

  it("is cleared, or free of a service that is away, to the second: not for a call in the last two minutes", () => {
    const endMs = NOW_MS + 10 * MINUTE_MS;
    const cleared = {
      sourceId: 1,
      last: { askedAtMs: endMs - 24 * HOUR_MS, listed: false },
      unansweredAtMs: undefined,
    };
    const at = (nowMs: number) => scrubStanding(SERVICE, cleared, nowMs);
    expect(at(endMs - 2 * MINUTE_MS - 1)).toEqual({ kind: "clear", untilMs: endMs });
    expect(at(endMs - 2 * MINUTE_MS)).toEqual({ kind: "unasked" });
    const away = (agoMs: number) => standing(undefined, { ...DIALING, awayTriedAtMs: NOW_MS - agoMs });
    expect(away(28 * MINUTE_MS - 1)).toMatchObject({ kind: "away" });
    expect(away(28 * MINUTE_MS)).toEqual({ kind: "unasked" });
  });

  it("is listed to the end of the answer, and unanswered from the moment at which the service moved on", () => {
    expect(standing(answer({ agoMs: 24 * HOUR_MS - 1, listed: true }))).toMatchObject({ kind: "listed" });
    expect(standing(answer({ agoMs: 24 * HOUR_MS, listed: true }))).toEqual({ kind: "unasked" });
    const moved = { ...SERVICE, sinceMs: NOW_MS - MINUTE_MS };
    expect(standing(answer(undefined, MINUTE_MS), moved)).toMatchObject({ kind: "unanswered" });
    expect(standing(answer(undefined, MINUTE_MS + 1), moved)).toEqual({ kind: "unasked" });
  });

  it("needs every service: the first that says no decides, else the one whose answer ends first", () => {
    const other: Scrubber = { ...SERVICE, sourceId: 2, source: "litigators", cacheMs: 10 * HOUR_MS };
    const both = [
      answer({ agoMs: HOUR_MS, listed: false }),
      { ...answer({ agoMs: HOUR_MS, listed: false }), sourceId: 2 },
    ];
    expect(scrubbedUntil([SERVICE, other], both, NOW_MS)).toEqual({ untilMs: NOW_MS + 9 * HOUR_MS });
    expect(scrubbedUntil([SERVICE, other], both.slice(0, 1), NOW_MS)).toEqual({
      source: "litigators",
      standing: { kind: "unasked" },
    });
    expect(scrubbedUntil([], [], NOW_MS)).toEqual({ untilMs: Number.POSITIVE_INFINITY });
    // One that is away leaves the number free for as long as that is known.
    expect(scrubbedUntil([SERVICE, { ...DIALING, sourceId: 2 }], both.slice(0, 1), NOW_MS)).toEqual({
      untilMs: NOW_MS - MINUTE_MS + AWAY_HOLDS_MS,
    });
  });

  it.each([
    ["listed", "the scrubbing service carrier lists the number"],
    [
      "unanswered",
      "the scrubbing service carrier was asked and said nothing of the number: it is asked again",
    ],
    [
      "unasked",
      "the scrubbing service carrier has not said yet that the number may be dialed: outdial suppress source show carrier tells whether it answers",
    ],
  ] as const)("is not dialed where it is %s, and the words say why", (kind, text) => {
    expect(unscrubbedText({ source: "carrier", standing: { kind, untilMs: NOW_MS } })).toBe(text);
  });
});

describe("what a service answers", () => {
  const asked = ["+12025550101", "+12025550102", "+12025550103"];
  const read = (value: unknown) => readScrubAnswer(JSON.stringify(value), asked);

  it("is read number by number: who is listed and why, who is clear, and of whom it says nothing", () => {
    expect(
      read({
        listed: [{ phone: asked[0], reason: " dnc " }, "+19995550100", 7, { phone: 3 }, null],
        clear: [asked[0], asked[2], { phone: asked[1] }],
        more: true,
      }),
    ).toEqual({ listed: new Map([[asked[0], "dnc"]]), clear: new Set([asked[2]]), missing: [asked[1]] });
  });

  it("may list numbers as they were asked, with no reason, or with one that is cut where nobody reads on", () => {
    expect(
      read({
        listed: [
          asked[0],
          { phone: asked[1], reason: 7 },
          { phone: asked[2], reason: ` ${"x".repeat(300)}` },
        ],
        clear: [],
      }),
    ).toEqual({
      listed: new Map([
        [asked[0], undefined],
        [asked[1], undefined],
        [asked[2], "x".repeat(200)],
      ]),
      clear: new Set(),
      missing: [],
    });
    const blank = read({ listed: [{ phone: asked[0], reason: " " }], clear: [] });
    expect(typeof blank === "string" ? blank : blank.listed.get("+12025550101")).toBeUndefined();
  });

  it("is refused with what is wrong with it", () => {
    expect(readScrubAnswer("<html>", asked)).toBe(
      "its answer is no JSON, or longer than 512 KB, or compressed",
    );
    expect(readScrubAnswer("{}", asked)).toBe('its answer has no "listed" and "clear"');
    expect(read({ listed: [], clear: "all" })).toBe(
      '"listed" and "clear" of its answer are not both lists of numbers',
    );
  });

  it.each([[undefined], [null], [[]], ["clear"], [{ listed: [] }], [{ listed: {}, clear: asked }]])(
    "is refused where it is %j",
    (value) => {
      expect(typeof readScrubAnswer(JSON.stringify(value) ?? "", asked)).toBe("string");
    },
  );

  it("is an answer, too, where it says nothing of any number, and people are told of it", () => {
    const none = read({ listed: [], clear: asked.map((phone) => phone.slice(1)) });
    expect(none).toEqual({ listed: new Map(), clear: new Set(), missing: asked });
    if (typeof none === "string") throw new Error(none);
    expect(silenceText(none)).toContain("nothing of any of the 3 numbers");
    expect(silenceText({ ...none, clear: new Set(asked.slice(0, 1)) })).toBeUndefined();
    expect(silenceText({ ...none, listed: new Map([["+12025550101", "dnc"]]) })).toBeUndefined();
  });
});

describe("a service that fails", () => {
  it("is away from the third time in a row on, and left alone for longer each time, up to a quarter of an hour", () => {
    const away = (failures: number) =>
      afterScrubFailure({ kind: "away", text: "" }, { failures, silent: failures });
    expect([1, 2, 3, 4].map((failures) => away(failures).isAway)).toEqual([false, false, true, true]);
    expect([1, 2, 3].map((failures) => away(failures).restMs)).toEqual([10_000, 20_000, 40_000]);
    expect(away(1_000_000).restMs).toBe(15 * MINUTE_MS);
  });

  it("is never away by answering wrongly", () => {
    for (const silent of [0, 9])
      expect(afterScrubFailure({ kind: "wrong", text: "" }, { failures: 9, silent }).isAway).toBe(false);
    // Nor do such failures count towards it.
    const after = (silent: number) => afterScrubFailure({ kind: "away", text: "" }, { failures: 9, silent });
    expect([1, 2, 3].map((silent) => after(silent).isAway)).toEqual([false, false, true]);
  });

  it("is left alone for as long as it asks, within that bound", () => {
    const rest = (retryAfterMs: number) =>
      afterScrubFailure({ kind: "away", text: "", retryAfterMs }, { failures: 1, silent: 1 });
    expect(rest(MINUTE_MS).restMs).toBe(MINUTE_MS);
    expect(rest(HOUR_MS).restMs).toBe(15 * MINUTE_MS);
    expect(rest(0).restMs).toBe(10_000);
  });
});
