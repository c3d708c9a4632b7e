import { describe, expect, it } from "vitest";

import { forecastOf, rangeOf, rehearse } from "../../../../src/domain/campaigns/rehearsal/forecast.ts";
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
