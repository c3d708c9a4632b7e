import { describe, expect, it } from "vitest";

import { rehearse, type SeededRun } from "../../../../src/domain/campaigns/rehearsal/forecast.ts";
import { linesNeeded } from "../../../../src/domain/campaigns/rehearsal/lines-needed.ts";
import type { Plan } from "../../../../src/domain/campaigns/rehearsal/plan.ts";
import { given } from "../../../support/ledgers.ts";
import { finish, FROM_MS, IN_VAIN, people, planOf } from "./support.ts";

const NEW_YORK = ["America/New_York"];

function alike(count: number, changes: Partial<Plan> = {}): Plan {
  return planOf(
    people([NEW_YORK], count),
    { window: "always", concurrency: 1, retry: { max_attempts: 1 } },
    { model: IN_VAIN, ...changes },
  );
}

const LINE_MS = 100_000;
const CALL_MS = 97_000;

/** When as many people one after the other on one line are through. */
const through = (turns: number) => FROM_MS + (turns - 1) * LINE_MS + CALL_MS;

const runsOf = (plan: Plan, runs = 10) => finish(rehearse(plan, { runs, seed: 1 }));

describe("as few lines as are enough", () => {
  const plan = alike(60);
  const runs = runsOf(plan);
  const needed = (endByMs: number, mostLines = 1_000) =>
    finish(linesNeeded(plan, { endByMs, runs, mostLines }));

  it.each([
    [60, 1],
    [30, 2],
    [20, 3],
    [12, 5],
    [10, 6],
    [6, 10],
    [5, 12],
    [4, 15],
    [3, 20],
    [2, 30],
    [1, 60],
  ])("%i one after the other take %i lines, to the millisecond", (turns, lines) => {
    expect(needed(through(turns))).toEqual({ kind: "lines", lines, inTime: 10, runs: 10 });
    // A millisecond sooner is one turn fewer.
    const sooner = needed(through(turns) - 1);
    if (turns === 1)
      expect(sooner).toEqual({ kind: "impossible", earliestEndMs: through(1), heldMs: {}, leftOut: 0 });
    else expect(sooner.kind === "lines" && sooner.lines).toBe(Math.ceil(60 / (turns - 1)));
  });

  it("are no more than there are people, or than any campaign may have", () => {
    expect(needed(through(1), 60)).toMatchObject({ lines: 60 });
    expect(needed(through(1), 59)).toMatchObject({ kind: "impossible", earliestEndMs: through(2) });
    expect(needed(through(2), 30)).toMatchObject({ lines: 30 });
    expect(needed(through(60), 1)).toMatchObject({ lines: 1 });
    expect(needed(through(60), 0)).toMatchObject({ lines: 1 });
  });

  it("are within half a percent where there are many", () => {
    const many = alike(2_000);
    const answer = finish(
      linesNeeded(many, { endByMs: through(2), runs: runsOf(many, 1), mostLines: 10_000 }),
    );
    if (answer.kind !== "lines") throw new Error("there is an answer");
    expect(answer.lines).toBeGreaterThanOrEqual(1_000);
    expect(answer.lines).toBeLessThanOrEqual(1_005);
  });

  it("are looked for among runs that there are", () => {
    expect(() => finish(linesNeeded(plan, { endByMs: through(1), runs: [], mostLines: 5 }))).toThrow(
      "no run to hold lines against",
    );
  });
});

describe("lines that are held against all runs", () => {
  const unsure = alike(200, {
    model: { ...IN_VAIN, shares: { answered: 1 } },
  });
  const plan: Plan = { ...unsure, lines: 4, model: { ...unsure.model, uncertainty: 0.3 } };
  const runs = runsOf(plan);
  const endOf = ({ endMs }: SeededRun) => endMs;

  it("are enough for nine of ten, told by how many, and by no more lines than that takes", () => {
    const endByMs = FROM_MS + 3_600_000;
    const answer = finish(linesNeeded(plan, { endByMs, runs, mostLines: 1_000 }));
    if (answer.kind !== "lines") throw new Error("there is an answer");
    const inTime = (lines: number) =>
      runsOf({ ...plan, lines }).filter((run) => endOf(run) <= endByMs).length;
    expect(answer.inTime).toBe(inTime(answer.lines));
    expect(answer.runs).toBe(10);
    expect(answer.inTime).toBeGreaterThanOrEqual(9);
    expect(inTime(answer.lines - 1)).toBeLessThan(9);
  });

  it("are raised where the run that they were found by is not as slow as others are with them", () => {
    // A wrong idea of which run is the slow one: the one that they are found by is the quickest.
    const ends = runs.toSorted((a, b) => endOf(a) - endOf(b));
    const misled = ends.map((run, nth) => ({ ...run, endMs: -nth }));
    const endByMs = FROM_MS + 3_600_000;
    const [right, wrong] = [runs, misled].map((of) =>
      finish(linesNeeded(plan, { endByMs, runs: of, mostLines: 1_000 })),
    );
    if (right?.kind !== "lines" || wrong?.kind !== "lines") throw new Error("there are answers");
    expect(wrong.inTime).toBeGreaterThanOrEqual(9);
    // In steps of three percent, six, twelve: no more than another step above.
    expect(wrong.lines).toBeGreaterThanOrEqual(right.lines);
    expect(wrong.lines).toBeLessThan(right.lines * 1.3);
  });

  it("are as many as there may be where even those are too few for nine of ten, and it is told for how many", () => {
    const ends = runsOf({ ...plan, lines: 200 }).toSorted((a, b) => endOf(a) - endOf(b));
    const [quickest, second] = [given(ends[0]), given(ends[1])];
    // A wrong idea of which is the slow one: they are found by the quickest, which alone is in time.
    const others = ends.slice(1);
    const asked = [...others.slice(0, 8), quickest, ...others.slice(8)].map((run, nth) => ({
      ...run,
      endMs: nth,
    }));
    const answer = finish(linesNeeded(plan, { endByMs: endOf(second) - 1, runs: asked, mostLines: 1_000 }));
    expect(answer).toEqual({ kind: "lines", lines: 200, inTime: 1, runs: 10 });
  });
});
