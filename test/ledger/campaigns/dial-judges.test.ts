import { expect, it } from "vitest";

import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import { callerObjections, hasCaller, Rests } from "../support/dial-callers.ts";
import type { CampaignEvent } from "../support/dial-records.ts";
import { ANN, campaignOf, dialAt, NOON_MS, plannedOf, rulesOf, type Spec } from "../support/dial-samples.ts";
import { Liveness } from "../support/dial-liveness.ts";
import { HOUR_MS, MINUTE_MS, objectionsTo, type Rules } from "../support/dial-oracle.ts";
import { pauseObjections } from "../support/dial-pauses.ts";
import { specOf } from "../support/scenario.ts";

/* Those who judge the log of dials object where they should: a judge that is silent would find every log fair. */

/** As many dials, each a minute after the one before. */
function dialed(count: number, changes: Spec, fromMs = NOON_MS): CampaignEvent[] {
  const spec = specOf(changes);
  return Array.from({ length: count }, (_, index) => {
    const atMs = fromMs + index * MINUTE_MS;
    return { kind: "dialed", atMs, spec, dial: dialAt(atMs) };
  });
}

function settled(dispositions: readonly Disposition[], changes: Spec, atMs = NOON_MS): CampaignEvent {
  return { kind: "settled", plannedMs: atMs, atMs, spec: specOf(changes), dispositions };
}

it("a dial after a cancel, after their own call, or before it was to be made is objected to", () => {
  const fair = rulesOf({ inbound: "close" });
  const objections = (changes: Partial<Rules>) =>
    objectionsTo(dialAt(NOON_MS, { rules: { ...fair, ...changes } }), []);
  expect(objections({})).toEqual([]);
  expect(objections({ cancelled: true })).toEqual(["the campaign was cancelled"]);
  expect(objections({ calledUs: [{ phone: ANN.phone, atMs: NOON_MS - 1 }] })).toEqual([
    "they have called us",
  ]);
  // Before they were taken: that was about something else.
  expect(objections({ calledUs: [{ phone: ANN.phone, atMs: NOON_MS - 2 * HOUR_MS }] })).toEqual([]);
  expect(objections({ kept: new Set([1]) }), "they rest in their sequence").toHaveLength(1);
  const placed = new Map([[1, { dueMs: NOON_MS + 1, askedMs: undefined }]]);
  expect(objections({ placed })).toHaveLength(1);
});

it("two calls within a minute are objected to where phones ring, whatever a spec says", () => {
  const spec = { least_gap: "0s", retry: { max_attempts: 3, delays: { busy: "1s" } } };
  const before = (endMs: number) => [dialAt(NOON_MS - HOUR_MS, { contact: 2, campaign: "other", endMs })];
  const objections = (endMs: number, isSimulated: boolean) =>
    objectionsTo(dialAt(NOON_MS, { rules: { ...rulesOf(spec), isSimulated } }), before(endMs));
  expect(objections(NOON_MS - MINUTE_MS, false)).toEqual([]);
  expect(objections(NOON_MS - MINUTE_MS + 1, false)).toHaveLength(1);
  expect(objections(NOON_MS, true)).toEqual([]);
});

it("a call more than a canary has is objected to, until somebody approves", () => {
  const spec = { canary: 2 };
  expect(pauseObjections(dialed(2, spec))).toEqual([]);
  expect(pauseObjections(dialed(3, spec))).toHaveLength(1);
  const approved: CampaignEvent = { kind: "approved", atMs: NOON_MS, spec: specOf(spec) };
  expect(pauseObjections([...dialed(2, spec), approved, ...dialed(3, spec)])).toEqual([]);
});

it("calls through an open breaker, and more than a probe has, are objected to", () => {
  const spec: Spec = { breaker: { at_least: 5, failed: 0.6, probe: { after: "15m", calls: 1, tries: 1 } } };
  const opening = settled(["failed", "failed", "unknown", "busy", "busy"], spec);
  expect(
    pauseObjections([settled(["failed", "failed", "busy", "busy", "busy"], spec), ...dialed(1, spec)]),
  ).toEqual([]);
  expect(pauseObjections([opening, ...dialed(1, spec)])).toHaveLength(1);
  const probing: CampaignEvent = { kind: "planned", atMs: NOON_MS + 15 * MINUTE_MS, spec: specOf(spec) };
  expect(pauseObjections([opening, probing, ...dialed(1, spec)])).toEqual([]);
  expect(pauseObjections([opening, probing, ...dialed(2, spec)])).toHaveLength(1);
  const well = settled(["busy"], spec, NOON_MS + HOUR_MS);
  expect(pauseObjections([opening, probing, well, ...dialed(9, spec)])).toEqual([]);
  // What was planned before the probe began says nothing of it.
  expect(pauseObjections([opening, probing, settled(["busy"], spec), ...dialed(9, spec)])).toHaveLength(8);
  // It failed again, and had one try: nobody probes by the clock any more.
  const again = settled(["failed"], spec, NOON_MS + HOUR_MS);
  const later: CampaignEvent = { kind: "planned", atMs: NOON_MS + 9 * HOUR_MS, spec: specOf(spec) };
  expect(pauseObjections([opening, probing, again, later, ...dialed(1, spec)])).toHaveLength(1);
});

it("a number above its calls of an hour, one that rests, and one from afar are objected to", () => {
  const rests = new Rests();
  const campaign = campaignOf({ caller_ids: { per_hour: 1 } });
  const batch = plannedOf(campaign);
  const one = dialAt(NOON_MS);
  expect(callerObjections(batch, [one], { log: [one], planned: [batch], rests })).toEqual([]);
  const two = [one, dialAt(NOON_MS, { contact: 2 })];
  expect(callerObjections(batch, two, { log: two, planned: [batch], rests })).toHaveLength(1);

  const near = plannedOf(campaignOf({ caller_ids: { match: "country" } }));
  expect(callerObjections(near, [one], { log: [one], planned: [near], rests })).toHaveLength(1);
  const matched = { ...near, from: "+442079460100" };
  expect(callerObjections(matched, [one], { log: [one], planned: [matched], rests })).toEqual([]);

  const health = { answered: 0.5, newest: 10, at_least: 10, rest: "3h" };
  const resting = campaignOf({ caller_ids: { health }, from_numbers: ["+12025550100"] });
  const [spec = specOf()] = resting.specs;
  rests.settle(
    Array.from({ length: 10 }, () => one),
    spec,
    NOON_MS - HOUR_MS,
  );
  const during = plannedOf(resting);
  expect(callerObjections(during, [one], { log: [one], planned: [during], rests })).toEqual([
    "+12025550100 rests",
  ]);
  expect(hasCaller(spec, NOON_MS, { planned: [], rests })).toBe(false);
  expect(hasCaller(spec, NOON_MS + 3 * HOUR_MS, { planned: [], rests })).toBe(true);
});

it("somebody who may be called for an hour and is not is objected to; who may not, or has no line, is not", () => {
  const campaign = campaignOf({ window: { weekdays: ["09:00-18:00"] } });
  const look = (atMs: number, forMs: number, hasLine = true) => {
    const liveness = new Liveness();
    const engine = { hasLine: () => hasLine, hasCaller: () => true, log: [] };
    const [spec = specOf()] = campaign.specs;
    liveness.look(engine, [{ contact: 1, campaign, person: ANN }], {
      nowMs: atMs,
      nextMs: atMs + forMs,
      rulesOf: () => ({ ...rulesOf(), spec }),
    });
    return liveness.objections.length;
  };
  const londonMs = Date.UTC(2026, 10, 25, 12);
  expect(look(londonMs, 2 * HOUR_MS)).toBe(1);
  expect(look(londonMs, 30 * MINUTE_MS)).toBe(0);
  expect(look(londonMs, 2 * HOUR_MS, false)).toBe(0);
  expect(look(Date.UTC(2026, 10, 25, 19), 6 * HOUR_MS)).toBe(0);
});
