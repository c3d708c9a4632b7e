import { describe, expect, it } from "vitest";

import type { CampaignSpecInput } from "../../../../src/domain/campaigns/campaign-spec.ts";
import {
  LEAST_LEAD_MS,
  type Plan,
  type RehearsedCall,
} from "../../../../src/domain/campaigns/rehearsal/plan.ts";
import { Simulation } from "../../../../src/domain/campaigns/rehearsal/simulation.ts";
import { given } from "../../../support/ledgers.ts";
import { finish, FROM_MS, HOUR_MS, IN_VAIN, people, planOf, runOf } from "./support.ts";

const NEW_YORK = ["America/New_York"];

describe("a rehearsed campaign, to the millisecond", () => {
  const [RING_MS, LINE_MS, DELAY_MS] = [97_000, 100_000, 1_800_000];
  const planned = (count: number, changes: Partial<CampaignSpecInput> = {}, plan: Partial<Plan> = {}) =>
    planOf(
      people([NEW_YORK], count),
      {
        window: "always",
        concurrency: 10,
        retry: { max_attempts: 3, delays: { no_answer: "30m", busy: "30m" } },
        ...changes,
      },
      { model: IN_VAIN, ...plan },
    );
  const told = (calls: readonly RehearsedCall[]) =>
    calls.map(({ person, nth, beganMs }) => [person, nth, beganMs - FROM_MS]);

  it("goes on where everybody stands: with the calls that they had, and when they are due", () => {
    const plan = planned(
      4,
      {},
      {
        standing: {
          calls: Uint8Array.of(0, 2, 0, 1),
          cameTo: [undefined, "no_answer", undefined, "busy"],
          dueMs: Float64Array.of(FROM_MS, FROM_MS + HOUR_MS, FROM_MS + 2 * HOUR_MS, FROM_MS - HOUR_MS),
        },
      },
    );
    const again = RING_MS + DELAY_MS;
    const { result, calls } = runOf(plan);
    expect(told(calls)).toEqual([
      [3, 2, 0],
      [0, 1, 0],
      [3, 3, again],
      [0, 2, again],
      [1, 3, HOUR_MS],
      [0, 3, 2 * again],
      [2, 1, 2 * HOUR_MS],
      [2, 2, 2 * HOUR_MS + again],
      [2, 3, 2 * HOUR_MS + 2 * again],
    ]);
    expect(result).toMatchObject({
      calls: 9,
      open: 0,
      dispositions: { no_answer: 9 },
      done: { no_answer: 4 },
      doneBecause: { max_attempts: 4 },
      mostLines: 2,
      talkMs: 0,
      lineMs: 9 * RING_MS,
      endMs: FROM_MS + 2 * HOUR_MS + 2 * again + RING_MS,
      heldMs: { not_due: 3 * HOUR_MS + 5 * DELAY_MS },
    });
    expect([...result.callsByHour]).toEqual(
      [
        [0, 4],
        [1, 2],
        [2, 2],
        [3, 1],
      ].map(([hour = 0, many]) => [Math.floor(FROM_MS / HOUR_MS) + hour, many]),
    );
  });

  it("counts what somebody had before from before now, whenever they are due", () => {
    // A day before now is within a day and a half, and is not once they are due.
    const plan = planned(
      1,
      { frequency: [{ attempts: 1, within: "36h" }], retry: { max_attempts: 2 } },
      {
        standing: {
          calls: Uint8Array.of(1),
          cameTo: ["no_answer"],
          dueMs: Float64Array.of(FROM_MS + 20 * HOUR_MS),
        },
      },
    );
    expect(told(runOf(plan).calls)).toEqual([[0, 2, 20 * HOUR_MS]]);
    const sooner = { ...plan, standing: { ...given(plan.standing), dueMs: Float64Array.of(FROM_MS) } };
    const { calls, result } = runOf(sooner);
    expect(told(calls)).toEqual([[0, 2, 12 * HOUR_MS]]);
    expect(result.heldMs).toEqual({ frequency: 12 * HOUR_MS });
  });

  it("tells what everybody waits for where the clock runs out", () => {
    const plan = planned(4, { concurrency: 1 });
    const until = (ms: number) => finish(new Simulation(plan, 1).run(FROM_MS + ms));
    // The fourth begins at five minutes, and has hung up at 397 s; its line is free at 400 s.
    const lines = LINE_MS + 2 * LINE_MS + 3 * LINE_MS;
    const dueAgain = (ms: number) => [0, 1, 2, 3].reduce((all, n) => all + (ms - n * LINE_MS - RING_MS), 0);
    expect(until(398_000)).toMatchObject({
      open: 4,
      calls: 4,
      endMs: FROM_MS + 398_000,
      heldMs: { slots: lines, not_due: dueAgain(398_000) },
    });
    // Whoever is being called waits for nothing.
    expect(until(396_999)).toMatchObject({
      open: 4,
      calls: 4,
      heldMs: { slots: lines, not_due: dueAgain(396_999) - (396_999 - 397_000) },
    });
    expect(until(150_000)).toMatchObject({
      open: 4,
      calls: 2,
      heldMs: { slots: LINE_MS + 2 * 150_000, not_due: 53_000 },
    });
    const once = planned(2, { concurrency: 1, retry: { max_attempts: 1 } });
    const through = finish(new Simulation(once, 1).run(FROM_MS + LINE_MS + RING_MS));
    expect(through).toMatchObject({ open: 0, endMs: FROM_MS + LINE_MS + RING_MS, done: { no_answer: 2 } });
    const short = finish(new Simulation(once, 1).run(FROM_MS + LINE_MS + RING_MS - 1));
    expect(short).toMatchObject({ open: 1, done: { no_answer: 1 } });
  });

  it("tells hours, days off, a start that is to come and those who take transfers apart", () => {
    const held = (changes: Partial<CampaignSpecInput>) => {
      const { result } = runOf(planned(2, { retry: { max_attempts: 1 }, ...changes }));
      return result.heldMs;
    };
    // Monday, seven in New York.
    const weekdays = { weekdays: ["09:00-18:00"] };
    expect(held({ window: weekdays })).toEqual({ window: 4 * HOUR_MS });
    expect(held({ starts_at: new Date(FROM_MS + 3 * HOUR_MS).toISOString() })).toEqual({
      before_start: 6 * HOUR_MS,
    });
    // Until midnight there.
    expect(held({ exceptions: [{ date: "2026-11-30" }] })).toEqual({ day_off: 34 * HOUR_MS });
    const transfers = { hours: { weekdays: ["10:00-11:00"] }, timezone: "America/New_York" };
    expect(held({ transfers })).toEqual({ transfer_closed: 6 * HOUR_MS });
  });

  it("leaves out all who wait when it ends, tells the first why, and has booked what they waited for", () => {
    const ends = 2 * LINE_MS + 50_000;
    const { result } = runOf(planned(5, { concurrency: 1, ends_at: new Date(FROM_MS + ends).toISOString() }));
    // Two were called; the third would have to be within the last minute and a half, and no retry comes in time.
    expect(result).toMatchObject({ calls: 2, excluded: { after_end: 5 }, done: {}, open: 0 });
    expect(result.excludedDetail.after_end).toMatch(/2026-11-30/);
    expect(result.endMs).toBe(FROM_MS + ends);
    const closes = ends - LEAST_LEAD_MS + 1;
    expect(result.heldMs).toEqual({
      slots: LINE_MS + 3 * closes,
      not_due: closes - RING_MS,
      // Four from then on, and one from when they hung up.
      window: 4 * (ends - closes) + (ends - LINE_MS - RING_MS),
    });
  });

  it("has a line in use for longer where few stand for many", () => {
    const plan = planned(2, { concurrency: 1, retry: { max_attempts: 1 } }, { lineFactor: 3 });
    expect(
      runOf(plan).calls.map(({ beganMs, endedMs, freeMs }) =>
        [beganMs, endedMs, freeMs].map((ms) => ms - FROM_MS),
      ),
    ).toEqual([
      [0, RING_MS, 3 * LINE_MS],
      [3 * LINE_MS, 3 * LINE_MS + RING_MS, 6 * LINE_MS],
    ]);
  });

  it("begins as many calls in a stretch of time as its rate lets, and no line sooner than its ramp", () => {
    const rated = planned(5, { retry: { max_attempts: 1 } }, { rate: { calls: 2, withinMs: 1_000 } });
    expect(runOf(rated).calls.map(({ beganMs }) => beganMs - FROM_MS)).toEqual([0, 0, 1_000, 1_000, 2_000]);
    const ramped = planned(6, { concurrency: 4, ramp_up: "4m", retry: { max_attempts: 1 } });
    // One line from the start; the second, third and fourth behind the first, the second and the third minute.
    expect(runOf(ramped).calls.map(({ beganMs }) => beganMs - FROM_MS)).toEqual([
      0, 60_001, 100_000, 120_001, 160_001, 180_001,
    ]);
  });

  it("paces itself by those who take its conversations, once it knows how many come of its calls", () => {
    const talk = {
      ...IN_VAIN,
      shares: { answered: 1 },
      talkSeconds: { ...IN_VAIN.talkSeconds, answered: 60 },
    };
    const transfers = { capacity: 6, expect: 0.3, talk: "5m" };
    const of = (model: Plan["model"]) =>
      runOf(planned(40, { concurrency: 30, transfers, retry: { max_attempts: 1 } }, { model })).result;
    const [conversing, none] = [of(talk), of(IN_VAIN)];
    expect(conversing.mostLines).toBeLessThan(none.mostLines);
    expect(none.mostLines).toBeGreaterThan(5);
    expect([conversing.calls, none.calls]).toEqual([40, 40]);
  });
});
