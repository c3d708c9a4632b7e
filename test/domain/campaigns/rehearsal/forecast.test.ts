import { describe, expect, it } from "vitest";

import {
  forecastOf,
  rangeOf,
  rehearse,
  type SeededRun,
} from "../../../../src/domain/campaigns/rehearsal/forecast.ts";
import { linesNeeded } from "../../../../src/domain/campaigns/rehearsal/lines-needed.ts";
import type { Plan } from "../../../../src/domain/campaigns/rehearsal/plan.ts";
import { finish, FROM_MS, HOUR_MS, people, planOf, runOf } from "./support.ts";

const NEW_YORK = ["America/New_York"];
const RETRY = { max_attempts: 3, delays: { no_answer: "30m", busy: "10m", voicemail: "4h", failed: "5m" } };

function forecast(plan: Plan, runs = 10) {
  return forecastOf(finish(rehearse(plan, { runs, seed: 1 })));
}

describe("a forecast", () => {
  it("is a range of its runs, wide where little is known, narrow where much is", () => {
    const plan = planOf(people([NEW_YORK], 3_000), { concurrency: 40, retry: RETRY });
    const unsure = forecast(plan);
    const sure = forecast({ ...plan, model: { ...plan.model, uncertainty: 0 } });
    const width = ({ low, high }: { low: number; high: number }) => high - low;
    expect(width(unsure.calls)).toBeGreaterThan(3 * width(sure.calls));
    expect(width(unsure.talkMs)).toBeGreaterThan(3 * width(sure.talkMs));
    expect(unsure.calls.low).toBeLessThan(sure.calls.median);
    expect(unsure.calls.high).toBeGreaterThan(sure.calls.median);
    expect([unsure.runs, unsure.seed]).toEqual([10, 1]);
  });

  it("tells a tenth, the middle and nine tenths of what its runs came to", () => {
    expect(rangeOf([5])).toEqual({ low: 5, median: 5, high: 5 });
    expect(rangeOf([11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toEqual({ low: 2, median: 6, high: 10 });
  });

  it("rounds what lies between two of them", () => {
    expect(rangeOf([0, 10])).toEqual({ low: 1, median: 5, high: 9 });
    expect(rangeOf([10, 0, 4])).toEqual({ low: 1, median: 4, high: 9 });
    expect(rangeOf([3, 3, 3, 100])).toEqual({ low: 3, median: 3, high: 71 });
  });

  it("sums up whatever single runs came to, also where not all of them came to it", () => {
    const run = (changes: Partial<SeededRun>): SeededRun => ({
      seed: 1,
      endMs: 0,
      calls: 0,
      dispositions: {},
      done: {},
      doneBecause: {},
      excluded: {},
      excludedDetail: {},
      open: 0,
      talkMs: 0,
      lineMs: 0,
      mostLines: 0,
      callsByHour: new Map(),
      heldMs: {},
      ...changes,
    });
    const found = forecastOf([
      run({
        seed: 9,
        endMs: 300,
        calls: 3,
        talkMs: 30,
        lineMs: 60,
        mostLines: 4,
        open: 2,
        dispositions: { busy: 2 },
        done: { busy: 1 },
        doneBecause: { exhausted: 1 } as never,
        excluded: { suppressed: 4 },
        excludedDetail: { suppressed: "first" },
        callsByHour: new Map([
          [12, 2],
          [9, 1],
        ]),
        heldMs: { slots: 10, window: 4 },
      }),
      run({
        seed: 8,
        endMs: 100,
        calls: 1,
        talkMs: 10,
        lineMs: 20,
        mostLines: 7,
        dispositions: { answered: 1 },
        excludedDetail: { suppressed: "second" },
        callsByHour: new Map([[11, 5]]),
        heldMs: { slots: 30 },
      }),
    ]);
    const range = (one: number, other: number) => rangeOf([one, other]);
    expect(found).toEqual({
      runs: 2,
      seed: 8,
      endMs: range(300, 100),
      calls: range(3, 1),
      talkMs: range(30, 10),
      lineMs: range(60, 20),
      mostLines: 7,
      dispositions: { busy: range(2, 0), answered: range(0, 1) },
      done: { busy: range(1, 0) },
      doneBecause: { exhausted: range(1, 0) },
      excluded: { suppressed: range(4, 0) },
      excludedDetail: { suppressed: "second" },
      open: range(2, 0),
      callsByHour: [
        { hour: 9, ...range(1, 0) },
        { hour: 11, ...range(0, 5) },
        { hour: 12, ...range(2, 0) },
      ],
      heldMs: { slots: 20, window: 2 },
    });
  });

  it("is of as many runs as are asked for, each with the seed that makes it again, and pauses between them", () => {
    const plan = planOf(people([NEW_YORK], 20), { window: "always" });
    const made = rehearse(plan, { runs: 3, seed: 5 });
    let pauses = 0;
    let step = made.next();
    for (; step.done !== true; step = made.next()) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(3);
    expect(step.value.map(({ seed }) => seed)).toEqual([5, 6, 7]);
    expect(step.value[2]).toEqual({ ...runOf(plan, 7).result, seed: 7 });
  });

  it("counts calls by the hours of the zone that it is asked for", () => {
    const plan = planOf(people([NEW_YORK], 50), { window: { weekdays: ["09:00-18:00"] } });
    const inUtc = forecast(plan, 2).callsByHour.map(({ hour }) => hour % 24);
    const inKolkata = forecast({ ...plan, shownIn: "Asia/Kolkata" }, 2).callsByHour.map(
      ({ hour }) => hour % 24,
    );
    expect(inUtc[0]).toBe(14);
    // 14:00 on UTC is half past seven there.
    expect(inKolkata[0]).toBe(19);
  });
});

describe("the lines that it takes to be through by a moment", () => {
  const plan = planOf(people([NEW_YORK], 4_000), { concurrency: 20, window: "always", retry: RETRY });
  const runs = finish(rehearse(plan, { runs: 10, seed: 1 }));

  it("are enough for nine of ten runs, and one in twenty fewer are not", () => {
    const endByMs = FROM_MS + 16 * HOUR_MS;
    const answer = finish(linesNeeded(plan, { endByMs, runs, mostLines: 100_000 }));
    if (answer.kind !== "lines") throw new Error("there is an answer");
    expect(answer.inTime).toBeGreaterThanOrEqual(9);
    const inTime = (lines: number) =>
      finish(rehearse({ ...plan, lines }, { runs: 10, seed: 1 })).filter(({ endMs }) => endMs <= endByMs)
        .length;
    expect(inTime(answer.lines)).toBe(answer.inTime);
    expect(inTime(Math.floor(answer.lines * 0.93))).toBeLessThan(9);
  });

  it("are none where retries or hours alone take longer, and the earliest end is told with why", () => {
    const endByMs = FROM_MS + HOUR_MS;
    const answer = finish(linesNeeded(plan, { endByMs, runs, mostLines: 100_000 }));
    if (answer.kind !== "impossible") throw new Error("nobody is through in an hour");
    // Two voicemails behind each other wait for four hours each.
    expect(answer.earliestEndMs).toBeGreaterThan(FROM_MS + 8 * HOUR_MS);
    expect(answer.leftOut).toBe(0);
    expect(answer.heldMs.not_due).toBeGreaterThan(0);
  });

  it("are not those with which ends_at leaves people out", () => {
    const ending = planOf(people([NEW_YORK], 4_000), {
      concurrency: 20,
      window: "always",
      retry: RETRY,
      ends_at: new Date(FROM_MS + 6 * HOUR_MS).toISOString(),
    });
    const its = finish(rehearse(ending, { runs: 5, seed: 1 }));
    const answer = finish(
      linesNeeded(ending, { endByMs: FROM_MS + 9 * HOUR_MS, runs: its, mostLines: 100_000 }),
    );
    expect(answer).toMatchObject({ kind: "impossible" });
    expect(answer.kind === "impossible" && answer.leftOut).toBeGreaterThan(0);
  });

  it("never change what a person's call comes to", () => {
    const few = runOf({ ...plan, lines: 5 }).calls;
    const many = runOf({ ...plan, lines: 500 }).calls;
    const came = (calls: typeof few) =>
      new Map(calls.map(({ person, nth, disposition }) => [`${person} ${nth}`, disposition]));
    expect(came(many)).toEqual(came(few));
  });
});
