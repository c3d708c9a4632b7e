import { describe, expect, it } from "vitest";

import { createWindowMemo } from "../../../src/domain/policy/calling-window.ts";
import {
  asksConsent,
  type DialingPolicy,
  type FrequencyCap,
} from "../../../src/domain/policy/dialing-policy.ts";
import type { ContactFacts, GateDecision } from "../../../src/domain/policy/gate-question.ts";
import { consentStandings, decide, saidDelayMs } from "../../../src/domain/policy/policy-gate.ts";
import type { ScrubAnswer, Scrubber } from "../../../src/domain/policy/scrubbing.ts";

const NOW_MS = Date.UTC(2026, 5, 3, 12);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FOREVER = Number.POSITIVE_INFINITY;
const OPEN_ATTEMPT_WAIT_MS = 45_000;

const WELCOME: ContactFacts = {
  number: { country: "US", costly: undefined },
  zones: ["America/New_York"],
  places: ["US-FL"],
  suppression: undefined,
  consents: [],
  attempts: 0,
  attemptsByDisposition: {},
  lastDisposition: undefined,
  openElsewhere: false,
  dueAtMs: NOW_MS,
  calledBackAtMs: undefined,
  calledAtMs: undefined,
  lastCallAtMs: undefined,
  ownLastCallAtMs: undefined,
  cappedSinceMs: [],
  perhapsCappedSinceMs: [],
  undecidedUntilMs: undefined,
  isSimulated: false,
};

const ALWAYS: DialingPolicy = {
  version: 1,
  window: { kind: "always" },
  maxAttempts: 3,
  delays: {},
  maxPerDisposition: {},
  startsAtMs: undefined,
  endsAtMs: undefined,
  analysisRules: [],
  analysisWaitMs: 0,
  inbound: { kind: "ignore" },
  notCalledWithinMs: undefined,
  leastGapMs: 0,
  frequency: [],
  presetConsents: [],
  numbers: { countries: undefined, kinds: [] },
  consent: undefined,
};

function ask(
  facts: Partial<ContactFacts>,
  policy: Partial<DialingPolicy>,
  scrubbers: readonly Scrubber[] = [],
): GateDecision {
  const whole = { ...ALWAYS, ...policy };
  return decide({
    facts: { ...WELCOME, ...facts },
    policy: whole,
    nowMs: NOW_MS,
    openAttemptWaitMs: OPEN_ATTEMPT_WAIT_MS,
    windowOf: createWindowMemo(whole.window),
    lists: scrubbers.map((scrubber) => ({
      source: scrubber.source,
      renewedAtMs: undefined,
      maxAgeMs: undefined,
      scrubber,
    })),
  });
}

const FLORIDA = { kind: "places", places: ["US-FL"] } as const;

describe("somebody whom a scrubbing service is to be asked about", () => {
  const SERVICE: Scrubber = {
    sourceId: 1,
    source: "carrier",
    sinceMs: 0,
    cacheMs: DAY_MS,
    whenAway: "wait",
    awayTriedAtMs: undefined,
  };
  const said = (listed: boolean, agoMs: number): ScrubAnswer => ({
    sourceId: 1,
    last: { askedAtMs: NOW_MS - agoMs, listed },
    unansweredAtMs: undefined,
  });

  it("is dialed for as long as its answer holds, and without a word where none is asked", () => {
    expect(ask({ scrubbed: [said(false, HOUR_MS)] }, {}, [SERVICE])).toEqual({
      kind: "dial",
      untilMs: NOW_MS + 23 * HOUR_MS,
    });
    expect(ask({}, {})).toEqual({ kind: "dial", untilMs: FOREVER });
    expect(ask({ scrubbed: [said(true, HOUR_MS)] }, {}), "one that is asked no more").toMatchObject({
      kind: "dial",
    });
  });

  it.each([[undefined], [[]]])("waits for its first answer as for an open attempt (%j)", (scrubbed) => {
    expect(ask({ ...(scrubbed && { scrubbed }) }, {}, [SERVICE])).toEqual({
      kind: "wait",
      reason: "not_scrubbed",
      untilMs: NOW_MS + OPEN_ATTEMPT_WAIT_MS,
      detail: expect.stringContaining("carrier has not said yet"),
    });
  });

  it("waits while it is listed, and is looked at within an hour, or when that ends", () => {
    const listed = (agoMs: number) => ask({ scrubbed: [said(true, agoMs)] }, {}, [SERVICE]);
    expect(listed(HOUR_MS)).toEqual({
      kind: "wait",
      reason: "not_scrubbed",
      untilMs: NOW_MS + HOUR_MS,
      detail: "the scrubbing service carrier lists the number",
    });
    expect(listed(DAY_MS - 10 * MINUTE_MS)).toMatchObject({ untilMs: NOW_MS + 10 * MINUTE_MS });
  });

  it("waits for whatever holds without the service first: it is paid for each number", () => {
    expect(ask({ openElsewhere: true }, {}, [SERVICE])).toMatchObject({ reason: "open_attempt" });
  });
});

describe("the consent that a preset asks for", () => {
  const preset = { text: "rule fl-consent", territory: FLORIDA };
  const other = { text: "rule tx-consent", territory: { kind: "places", places: ["US-TX"] } } as const;
  const CONSENTED = { basis: "express", atMs: NOW_MS - DAY_MS, expiresAtMs: undefined } as const;

  it("is that of whoever may be where its rule holds, by the first that does", () => {
    const refused = ask({}, { presetConsents: [other, preset] });
    expect(refused).toMatchObject({
      kind: "never",
      reason: "no_consent",
      detail: expect.stringMatching(/, by rule fl-consent$/),
    });
    expect(ask({ places: ["US-TX"] }, { presetConsents: [other, preset] })).toMatchObject({
      detail: expect.stringMatching(/, by rule tx-consent$/),
    });
    // In a country of which no more is known they may be in any of its states.
    expect(ask({ places: ["US"] }, { presetConsents: [preset] })).toMatchObject({ reason: "no_consent" });
    expect(ask({ places: ["US-GA"] }, { presetConsents: [preset] })).toMatchObject({ kind: "dial" });
  });

  it("lets them be called once it was given, until it ends", () => {
    expect(ask({ consents: [CONSENTED] }, { presetConsents: [preset] })).toEqual({
      kind: "dial",
      untilMs: FOREVER,
    });
    const ending = { ...CONSENTED, expiresAtMs: NOW_MS + 5 * HOUR_MS };
    expect(ask({ consents: [ending] }, { presetConsents: [preset] })).toMatchObject({
      kind: "dial",
      untilMs: NOW_MS + 5 * HOUR_MS,
    });
  });

  it("stands beside what the campaign itself asks for, which is told first, without the preset's name", () => {
    const own = { require: "express", maxAgeMs: 2 * DAY_MS } as const;
    const standings = (consents: ContactFacts["consents"], changes: Partial<DialingPolicy>) =>
      consentStandings({ ...WELCOME, consents }, { ...ALWAYS, consent: own, ...changes }, NOW_MS).map(
        ({ rule, standing }) => [rule, standing.kind],
      );
    expect(standings([CONSENTED], { presetConsents: [preset] })).toEqual([
      [undefined, "given"],
      ["rule fl-consent", "given"],
    ]);
    expect(standings([CONSENTED], { presetConsents: [other] })).toEqual([[undefined, "given"]]);
    const both = { consent: own, presetConsents: [preset] };
    expect(ask({}, both)).toMatchObject({ kind: "never", detail: expect.not.stringMatching(/, by /) });
    expect(
      consentStandings({ ...WELCOME, consents: [CONSENTED] }, both, NOW_MS).map(({ standing }) => standing),
    ).toEqual([
      { kind: "given", untilMs: NOW_MS + DAY_MS },
      { kind: "given", untilMs: FOREVER },
    ]);
    // What is too old for the campaign is old enough for the preset.
    const old = { ...CONSENTED, atMs: NOW_MS - 3 * DAY_MS };
    expect(standings([old], { presetConsents: [preset] })).toEqual([
      [undefined, "consent_expired"],
      ["rule fl-consent", "given"],
    ]);
    expect(ask({ consents: [CONSENTED] }, { consent: own, presetConsents: [preset] })).toEqual({
      kind: "dial",
      untilMs: NOW_MS + DAY_MS,
    });
  });

  it("is read for whoever asks for any", () => {
    expect([
      asksConsent({ consent: undefined, presetConsents: [] }),
      asksConsent({ consent: undefined }),
      asksConsent({ consent: { require: "express", maxAgeMs: undefined }, presetConsents: [] }),
      asksConsent({ consent: undefined, presetConsents: [preset] }),
    ]).toEqual([false, false, true, true]);
  });
});

describe("a cap of calls that a preset asks for", () => {
  const cap = (thenEnd: boolean): FrequencyCap => ({
    counts: "attempts",
    atMost: 3,
    withinMs: DAY_MS,
    across: "brand",
    thenEnd,
    of: [
      { text: "rule tx-daily", territory: { kind: "places", places: ["US-TX"] } },
      { text: "rule fl-daily", territory: FLORIDA },
    ],
  });
  const sinceMs = NOW_MS - 23 * HOUR_MS;

  it("holds whoever may be where its rule holds, and says which", () => {
    const at = (places: string[], thenEnd = false) =>
      ask({ places, cappedSinceMs: [sinceMs] }, { frequency: [cap(thenEnd)] });
    expect(at(["US-FL"])).toEqual({
      kind: "wait",
      reason: "frequency",
      untilMs: NOW_MS + HOUR_MS,
      detail: "rule fl-daily",
    });
    expect(at(["US-TX"])).toMatchObject({ detail: "rule tx-daily" });
    expect(at(["US-GA"])).toMatchObject({ kind: "dial" });
    expect(at(["US-FL"], true)).toMatchObject({
      kind: "never",
      reason: "called_often",
      detail: "rule fl-daily",
    });
    expect(at(["US-GA"], true)).toMatchObject({ kind: "dial" });
  });

  it("lets go of them when it is over", () => {
    expect(ask({ cappedSinceMs: [NOW_MS - DAY_MS] }, { frequency: [cap(false)] })).toMatchObject({
      kind: "dial",
    });
  });
});

describe("the delay that a campaign says of a retry", () => {
  const delays: DialingPolicy["delays"] = {
    busy: {
      kind: "list",
      waits: [
        { kind: "delay", afterMs: 5 * MINUTE_MS },
        { kind: "next_window", afterMs: 0 },
        { kind: "next_window", afterMs: 3 * HOUR_MS },
      ],
    },
  };
  const said = (lastDisposition: ContactFacts["lastDisposition"], busy?: number) =>
    saidDelayMs({ lastDisposition, attemptsByDisposition: busy === undefined ? {} : { busy } }, { delays });

  it("is that after so many calls which came to the same, and none of a window that may open at any moment", () => {
    expect([said("busy"), said("busy", 0), said("busy", 1), said("busy", 2), said("busy", 3)]).toEqual([
      5 * MINUTE_MS,
      5 * MINUTE_MS,
      5 * MINUTE_MS,
      undefined,
      3 * HOUR_MS,
    ]);
  });

  it("is none before the first call, after what is not retried, and where none is said", () => {
    expect([said(undefined), said("answered"), said("no_answer")]).toEqual([undefined, undefined, undefined]);
  });
});
