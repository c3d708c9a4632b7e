import { describe, expect, it } from "vitest";

import { paceAt } from "../../../../src/activities/deps.ts";
import type { CampaignSpecInput } from "../../../../src/domain/campaigns/campaign-spec.ts";
import {
  LEAST_LEAD_MS,
  LINE_FILL,
  type Plan,
  type RehearsedCall,
} from "../../../../src/domain/campaigns/rehearsal/plan.ts";
import { USUAL_OUTCOMES } from "../../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { Simulation } from "../../../../src/domain/campaigns/rehearsal/simulation.ts";
import { findOpenings } from "../../../../src/domain/policy/calling-window.ts";
import type { DialingPolicy } from "../../../../src/domain/policy/dialing-policy.ts";
import {
  RETRYABLE_DISPOSITIONS,
  isRetryable,
  type Disposition,
} from "../../../../src/domain/policy/disposition.ts";
import { waitAfter } from "../../../../src/domain/policy/retry-delay.ts";
import { PeopleGatherer } from "../../../../src/domain/campaigns/rehearsal/people.ts";
import { fillOf } from "../../../../bench/fill/fill.ts";
import { simulateFill } from "../../../../bench/fill/simulate.ts";
import { given } from "../../../support/ledgers.ts";
import { seededRandom } from "../../../support/random.ts";
import { DAY_MS } from "../../support/local-clock.ts";
import { FROM_MS, HOUR_MS, IN_VAIN, people, planOf, runOf, sum, US_NUMBER } from "./support.ts";

const NEW_YORK = ["America/New_York"];

/** Campaigns of all kinds, small enough to be looked at call by call. */
function randomPlan(random: () => number): Plan {
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const pick = <Value>(values: readonly Value[]) => values[upTo(values.length - 1)] as Value;
  const delays = Object.fromEntries(
    RETRYABLE_DISPOSITIONS.filter(() => random() < 0.7).map((word) => [word, pick(["0s", "5m", "2h", "1d"])]),
  );
  const changes: Partial<CampaignSpecInput> = {
    concurrency: 1 + upTo(12),
    window: pick([
      "always" as const,
      { weekdays: ["09:00-12:00", "13:00-18:00"] },
      { weekend: ["10:00-11:00"], friday: ["08:30-20:00"] },
    ]),
    retry: { max_attempts: 1 + upTo(4), delays },
    least_gap: pick(["0s", "5m", "3h"]),
    ...(random() < 0.3 && { frequency: [{ attempts: 1 + upTo(1), within: "2d" }] }),
    ...(random() < 0.3 && { ramp_up: "1h" }),
    ...(random() < 0.3 && { holidays: ["US"] }),
    ...(random() < 0.3 && { ends_at: new Date(FROM_MS + upTo(6 * 24) * HOUR_MS).toISOString() }),
    ...(random() < 0.2 && { starts_at: new Date(FROM_MS + 5 * HOUR_MS).toISOString() }),
  };
  const rate = random() < 0.3 ? { calls: 1 + upTo(2), withinMs: 10_000 } : undefined;
  const sets = [NEW_YORK, ["Europe/Berlin"], ["America/New_York", "America/Los_Angeles"], ["Asia/Kolkata"]];
  try {
    return planOf(people(sets.slice(upTo(3)), 1 + upTo(120)), changes, { rate });
  } catch {
    // An end before a start: another one.
    return randomPlan(random);
  }
}

describe("a rehearsed campaign", () => {
  it("keeps its window, its lines, its rate, its caps and its gaps, and ends with everybody, whatever it says", () => {
    const random = seededRandom("rehearsed campaigns");
    for (let round = 0; round < 150; round += 1) {
      const plan = randomPlan(random);
      const { result, calls } = runOf(plan, round);
      const about = `round ${round}`;
      expect(sum(result.done) + sum(result.excluded) + result.open, about).toBe(plan.people.count);
      expect(result.open, about).toBe(0);
      expect(calls.length, about).toBe(result.calls);
      expect(sum(result.dispositions), about).toBe(result.calls);
      expect(
        [...result.callsByHour.values()].reduce((all, one) => all + one, 0),
        about,
      ).toBe(result.calls);
      for (const call of calls) expectInWindow(plan, call, about);
      expectLines(plan, calls, about);
      expectAttempts(plan, calls, about);
      expectNobodyWaitsInVain(plan, calls, about);
    }
  });

  it("calls nobody who has no window, no allowed number or a suppression, and says so", () => {
    const gatherer = new PeopleGatherer();
    const kind = US_NUMBER;
    gatherer.add({ zones: [], kind });
    gatherer.add({ zones: ["Pacific/Auckland", "America/New_York"], kind });
    gatherer.add({ zones: NEW_YORK, kind: { country: "US", costly: "premium_rate" } });
    gatherer.add({ zones: NEW_YORK, kind, isSuppressed: true });
    gatherer.add({ zones: NEW_YORK, kind });
    const { result, calls } = runOf(planOf(gatherer.people(), { window: { weekdays: ["09:00-12:00"] } }));
    expect(result.excluded).toEqual({ no_common_window: 2, number_not_allowed: 1, suppressed: 1 });
    expect(calls.map(({ person }) => person)).toEqual([4]);
  });

  it("keeps the rules of presets where people may be, and calls nobody there without the consent that they ask for", () => {
    const gatherer = new PeopleGatherer();
    const zones = NEW_YORK;
    const consented = (places: string[]) => {
      const person = gatherer.add({ zones, places, kind: US_NUMBER });
      gatherer.consented(person, { basis: "express", atMs: FROM_MS - DAY_MS, expiresAtMs: undefined });
      return person;
    };
    const florida = Array.from({ length: 3 }, () => consented(["US-FL"]));
    const york = Array.from({ length: 3 }, () => consented(["US-NY"]));
    gatherer.add({ zones, places: ["US-FL"], kind: US_NUMBER });
    const plan = planOf(
      gatherer.people(),
      {
        presets: ["us-federal", "us-states"],
        window: "always",
        retry: { max_attempts: 6, delays: { no_answer: "1h", busy: "1h", failed: "1h", voicemail: "1h" } },
      },
      { model: { ...USUAL_OUTCOMES, shares: { no_answer: 1 }, invalidNumbers: 0 } },
    );
    const { result, calls } = runOf(plan);
    expect(result.excluded).toEqual({ no_consent: 1 });
    const within = (person: number, ms: number) =>
      calls.filter((call) => call.person === person && call.beganMs < FROM_MS + ms).length;
    // Florida has a cap of three calls within 24 hours, and New York none.
    expect(florida.map((person) => within(person, DAY_MS))).toEqual([3, 3, 3]);
    expect(york.map((person) => within(person, DAY_MS))).toEqual([6, 6, 6]);
    expect(result.open).toBe(0);
    expect(result.heldMs.frequency).toBeGreaterThan(0);
    for (const { beganMs, person } of calls) {
      const hour = (new Date(beganMs).getUTCHours() + 24 - 5) % 24;
      expect(hour, `${person} at ${new Date(beganMs).toISOString()}`).toBeGreaterThanOrEqual(8);
      expect(hour, `${person} at ${new Date(beganMs).toISOString()}`).toBeLessThan(21);
    }
  });

  it("calls again when the window next opens, and in another part of the day, where retries say that", () => {
    const noAnswer = { ...USUAL_OUTCOMES, shares: { no_answer: 1 as const }, invalidNumbers: 0 };
    const moments = (delay: "next_window" | { after: string; at: "other_part_of_day" }) =>
      runOf(
        planOf(
          people([NEW_YORK], 1),
          {
            window: { weekdays: ["09:00-18:00"] },
            retry: { max_attempts: 3, delays: { no_answer: delay } },
          },
          { model: noAnswer },
        ),
      ).calls.map(({ beganMs }) => new Date(beganMs).toISOString());
    expect(moments("next_window")).toEqual([
      "2026-11-30T14:00:00.000Z",
      "2026-12-01T14:00:00.000Z",
      "2026-12-02T14:00:00.000Z",
    ]);
    // Morning, midday and afternoon: midday begins at eleven, the afternoon at two.
    expect(moments({ after: "1h", at: "other_part_of_day" })).toEqual([
      "2026-11-30T14:00:00.000Z",
      "2026-11-30T16:00:00.000Z",
      "2026-11-30T19:00:00.000Z",
    ]);
  });

  it("calls by priority before anything else, and the newest first where the spec says so", () => {
    const gatherer = new PeopleGatherer();
    for (const priority of [0, 9, 0, 9]) gatherer.add({ zones: NEW_YORK, kind: US_NUMBER, priority });
    const model = {
      ...USUAL_OUTCOMES,
      shares: { no_answer: 1 },
      invalidNumbers: 0,
      uncertainty: 0,
      ringSeconds: { ...USUAL_OUTCOMES.ringSeconds, no_answer: 30 },
    };
    const order = (changes: Partial<CampaignSpecInput>) =>
      runOf(
        planOf(
          gatherer.people(),
          {
            window: "always",
            concurrency: 1,
            retry: { max_attempts: 2, delays: { no_answer: "1m" } },
            ...changes,
          },
          { model },
        ),
      ).calls.map(({ person }) => person);
    expect(order({}).slice(0, 2)).toEqual([1, 3]);
    expect(order({ order: "newest_first" }).slice(0, 2)).toEqual([3, 1]);
    // A retry of a high priority that is due goes before first calls of a low one.
    expect(order({})).toEqual([1, 3, 0, 1, 3, 0, 2, 2]);
  });

  it("keeps to the hours of those who take transferred calls, and to as many lines as they can take them of", () => {
    const spec = { concurrency: 50, window: "always" as const, retry: { max_attempts: 1 } };
    const capacity = { capacity: 4, expect: 0.2, talk: "5m" };
    const hours = { hours: { weekdays: ["09:00-10:00"] }, timezone: "America/New_York" };
    const whom = people([NEW_YORK], 600);
    const free = runOf(planOf(whom, spec));
    expect(free.result.mostLines).toBe(50);
    const paced = runOf(planOf(whom, { ...spec, transfers: capacity }));
    // Four at first, when every call is taken for a conversation of a minute; most are none, and are shorter.
    expect(paced.result.mostLines).toBeGreaterThanOrEqual(4);
    expect(paced.result.mostLines).toBeLessThan(10);
    expect(paced.result.endMs).toBeGreaterThan(free.result.endMs);
    expect(sum(paced.result.done) + sum(paced.result.excluded)).toBe(600);
    const { calls, result } = runOf(planOf(whom, { ...spec, transfers: { ...hours, ...capacity } }));
    expect(calls).toHaveLength(600);
    for (const { beganMs } of calls) expect(new Date(beganMs).getUTCHours()).toBe(14);
    expect(result.heldMs.transfer_closed).toBeGreaterThan(0);
  });

  it("leaves out who is not through by ends_at, those whose call is up at that moment included", () => {
    const plan = planOf(
      people([NEW_YORK], 60),
      {
        concurrency: 2,
        window: "always",
        ends_at: new Date(FROM_MS + HOUR_MS / 6).toISOString(),
        retry: { max_attempts: 5, delays: { no_answer: "1m" } },
      },
      { model: { ...planOf(people([NEW_YORK], 1)).model, shares: { no_answer: 1 }, invalidNumbers: 0 } },
    );
    const { result } = runOf(plan);
    expect(result.excluded.after_end).toBeGreaterThan(40);
    expect(sum(result.excluded) + sum(result.done)).toBe(60);
    expect(result.endMs).toBeGreaterThanOrEqual(FROM_MS + HOUR_MS / 6);
    expect(result.endMs).toBeLessThan(FROM_MS + HOUR_MS / 6 + 60_000);
  });

  it("puts nobody on a line whose window closes before a stop could take effect", () => {
    const { dialByMarginMs, minLeadMs } = paceAt(1);
    expect(LEAST_LEAD_MS).toBe(dialByMarginMs + minLeadMs);
    // One minute of the day is too short for anybody: nobody is called in it, and nobody is through.
    const plan = planOf(people([NEW_YORK], 1), { window: { weekdays: ["09:00-09:01"] } });
    expect(runOf(plan).result).toMatchObject({ calls: 0, open: 1 });
    const longer = planOf(people([NEW_YORK], 1), { window: { weekdays: ["09:00-09:02"] } });
    expect(runOf(longer).calls[0]?.beganMs).toBe(FROM_MS + 2 * HOUR_MS);
  });

  it("waits for its retries, its hours and its lines as long as it says", () => {
    const plan = planOf(
      people([NEW_YORK], 2),
      {
        concurrency: 1,
        window: { weekdays: ["09:00-18:00"] },
        retry: { max_attempts: 2, delays: { no_answer: "30m" } },
      },
      { model: IN_VAIN },
    );
    const { result, calls } = runOf(plan);
    const nineMs = FROM_MS + 2 * HOUR_MS;
    expect(calls.map(({ person, beganMs }) => [person, beganMs - nineMs])).toEqual([
      [0, 0],
      [1, 100_000],
      [0, 97_000 + 1_800_000],
      [1, 197_000 + 1_800_000],
    ]);
    // Two hours until nine for each; a hundred seconds behind the other's first call; half an hour for each retry.
    expect(result.heldMs).toEqual({ window: 4 * HOUR_MS, slots: 100_000, not_due: 2 * 1_800_000 });
    expect(LINE_FILL).toBe(0.97);
  });

  it("has its lines as full as the batches of the engine keep them", () => {
    for (const { contacts, lines } of [
      { contacts: 10_000, lines: 100 },
      { contacts: 2_000, lines: 100 },
      { contacts: 400, lines: 30 },
      { contacts: 20_000, lines: 1_000 },
    ]) {
      const batches = simulateFill({ contacts, lines, seed: 1, isStreamOpen: true });
      const { calls } = runOf(planOf(people([NEW_YORK], contacts), { concurrency: lines, window: "always" }));
      // Until the last contact is dialed, as it is measured there.
      const lastMs = Math.max(...calls.map(({ beganMs }) => beganMs));
      const spans = calls.map(({ beganMs, endedMs }) => ({ fromMs: beganMs, toMs: endedMs }));
      const { fill } = fillOf(spans, lines, lastMs);
      expect(Math.abs(fill - batches.fill), `${contacts} on ${lines}`).toBeLessThan(0.025);
    }
  });

  it("comes to no end within a year where lines are too few, and says how many are left", () => {
    const plan = planOf(people([NEW_YORK], 5_000), { concurrency: 1, window: { monday: ["09:00-10:00"] } });
    const { result } = runOf(plan);
    expect(result.open).toBeGreaterThan(1_000);
    expect(result.endMs).toBe(FROM_MS + 366 * DAY_MS);
    expect(result.heldMs.slots).toBeGreaterThan(0);
  });

  it("is the same again with the same seed, and pauses on its way", () => {
    const plan = planOf(people([NEW_YORK], 5_000), { window: "always" });
    expect(runOf(plan, 7).result).toEqual(runOf(plan, 7).result);
    expect(runOf(plan, 8).result).not.toEqual(runOf(plan, 7).result);
    let pauses = 0;
    const run = new Simulation(plan, 1).run();
    while (run.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(2);
  });
});

function expectInWindow(
  { people: whom, policy }: Plan,
  { person, beganMs }: RehearsedCall,
  about: string,
): void {
  const { zones } = given(whom.lanes[whom.laneOf[person] ?? 0]);
  const opening = findOpenings(policy.window, zones, beganMs - 1, beganMs + LEAST_LEAD_MS).find(
    ({ startMs, endMs }) => startMs <= beganMs && endMs >= beganMs + LEAST_LEAD_MS,
  );
  expect(opening, `${about}: ${zones.join()} at ${new Date(beganMs).toISOString()}`).toBeDefined();
  expect(beganMs, about).toBeGreaterThanOrEqual(policy.startsAtMs ?? 0);
  expect(beganMs, about).toBeLessThan(policy.endsAtMs ?? Infinity);
}

function expectLines(
  { lines, rampMs, rate, fromMs }: Plan,
  calls: readonly RehearsedCall[],
  about: string,
): void {
  for (const { beganMs } of calls) {
    const up = calls.filter((other) => other.beganMs <= beganMs && beganMs < other.endedMs).length;
    const grown = rampMs === 0 ? lines : Math.ceil((lines * (beganMs - fromMs)) / rampMs);
    expect(up, about).toBeLessThanOrEqual(Math.min(lines, Math.max(1, grown)));
    if (!rate) continue;
    const begun = calls.filter(
      (other) => other.beganMs <= beganMs && other.beganMs > beganMs - rate.withinMs,
    ).length;
    expect(begun, about).toBeLessThanOrEqual(rate.calls);
  }
}

function expectAttempts({ policy }: Plan, calls: readonly RehearsedCall[], about: string): void {
  const before = new Map<number, RehearsedCall[]>();
  for (const call of calls) {
    const own = before.get(call.person) ?? [];
    before.set(call.person, own);
    const last = own.at(-1);
    expect(call.nth, about).toBe(own.length + 1);
    expect(call.nth, about).toBeLessThanOrEqual(policy.maxAttempts);
    if (last) {
      const { disposition, endedMs } = last;
      expect(isRetryable(disposition), about).toBe(true);
      const delayMs = delayMsOf(policy, disposition);
      expect(delayMs, about).toBeDefined();
      expect(call.beganMs - endedMs, about).toBeGreaterThanOrEqual(Math.max(60_000, delayMs ?? 0));
      for (const { atMost, withinMs } of policy.frequency) {
        const within = own.filter((one) => one.endedMs > call.beganMs - withinMs).length;
        expect(within, about).toBeLessThan(atMost);
      }
    }
    own.push(call);
  }
}

/** Of plans whose delays are all plain ones. */
function delayMsOf(policy: DialingPolicy, disposition: Disposition): number | undefined {
  const delay = isRetryable(disposition) ? policy.delays[disposition] : undefined;
  return delay && waitAfter(delay, 1)?.afterMs;
}

/** Every call begins at a moment at which something let it begin: no line is idle while somebody may be called. */
function expectNobodyWaitsInVain(plan: Plan, calls: readonly RehearsedCall[], about: string): void {
  // Ramps and rates let calls begin at moments of their own, caps and gaps too: those are held above.
  const { policy, rampMs, rate, fromMs } = plan;
  if (rampMs > 0 || rate || policy.frequency.length > 0 || policy.leastGapMs > 0) return;
  const freed = new Set(calls.map(({ freeMs }) => freeMs));
  const last = new Map<number, RehearsedCall>();
  for (const call of calls) {
    const before = last.get(call.person);
    last.set(call.person, call);
    const delayMs = before ? (delayMsOf(policy, before.disposition) ?? 0) : 0;
    const dueMs = before
      ? before.endedMs + Math.max(60_000, delayMs)
      : Math.max(fromMs, policy.startsAtMs ?? 0);
    const { zones } = given(plan.people.lanes[plan.people.laneOf[call.person] ?? 0]);
    const [opening] = findOpenings(policy.window, zones, call.beganMs - DAY_MS, call.beganMs + 1).slice(-1);
    const isExplained =
      call.beganMs === dueMs || call.beganMs === opening?.startMs || freed.has(call.beganMs);
    expect(isExplained, `${about}: ${JSON.stringify(call)}`).toBe(true);
  }
}
