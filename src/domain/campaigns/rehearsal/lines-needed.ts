import type { SeededRun } from "./forecast.ts";
import type { HeldBy, Plan, RunResult } from "./plan.ts";
import { Simulation } from "./simulation.ts";

/*
 * How many lines it takes to be through by a moment. More lines never make anybody's call come to something else, as
 * what it comes to follows from the person: so the run that is the slowest but for a tenth is asked for one number of
 * lines after the other, and what is found is held against all runs.
 */

export type LinesAnswer =
  /** With so many lines `inTime` of the runs were through in time: nine of ten at least. */
  | { kind: "lines"; lines: number; inTime: number; runs: number }
  /** With any number of lines the end comes later, or people are left out by `ends_at`. */
  | { kind: "impossible"; earliestEndMs: number; leftOut: number; heldMs: Partial<Record<HeldBy, number>> };

export interface LinesWanted {
  endByMs: number;
  /** Of the plan as it is: the ones to be held against. */
  runs: readonly SeededRun[];
  /** No campaign may have more. */
  mostLines: number;
}

/** So much of the runs has to be through in time. */
const SURE = 0.9;

/** By so much an answer is raised that held for one run and not for nine of ten; twice as much each further time. */
const RAISED_BY = 0.03;

/** Through, and nobody left behind for want of time. */
function isInTime({ endMs, open, excluded }: RunResult, endByMs: number): boolean {
  return endMs <= endByMs && open === 0 && (excluded.after_end ?? 0) === 0;
}

export function* linesNeeded(plan: Plan, wanted: LinesWanted): Generator<void, LinesAnswer> {
  const { endByMs, runs } = wanted;
  const most = Math.max(1, Math.min(wanted.mostLines, plan.people.count));
  const { seed } = slowRun(runs);
  const untilMs = endByMs + 1;
  const best = yield* new Simulation({ ...plan, lines: most }, seed).run();
  if (!isInTime(best, endByMs)) {
    const { endMs: earliestEndMs, heldMs, excluded, open } = best;
    return { kind: "impossible", earliestEndMs, heldMs, leftOut: (excluded.after_end ?? 0) + open };
  }
  let lines = yield* leastLines(most, function* (tried) {
    return isInTime(yield* new Simulation({ ...plan, lines: tried }, seed).run(untilMs), endByMs);
  });
  for (let raisedBy = RAISED_BY; ; raisedBy *= 2) {
    const late = yield* runsThatAreLate({ ...plan, lines }, wanted, lines === most);
    const inTime = runs.length - late;
    if (inTime >= SURE * runs.length || lines === most)
      return { kind: "lines", lines, inTime, runs: runs.length };
    lines = Math.min(most, Math.ceil(lines * (1 + raisedBy)));
  }
}

/** How many; where not all have to be counted, no more than show that they are too many. The slowest ones are first. */
function* runsThatAreLate(
  plan: Plan,
  { endByMs, runs }: LinesWanted,
  countsAll: boolean,
): Generator<void, number> {
  let late = 0;
  for (const { seed } of slowestLast(runs).toReversed()) {
    const run = yield* new Simulation(plan, seed).run(endByMs + 1);
    if (!isInTime(run, endByMs)) late += 1;
    if (!countsAll && runs.length - late < SURE * runs.length) break;
  }
  return late;
}

/** By halving what is between one that is too few and one that is enough. */
function* leastLines(
  most: number,
  isEnough: (lines: number) => Generator<void, boolean>,
): Generator<void, number> {
  let tooFew = 0;
  let enough = most;
  // From few lines on: with many a run is quick, and with few it is soon known to be too slow.
  for (let tried = 1; tried < enough; tried *= 4) {
    if (yield* isEnough(tried)) enough = tried;
    else tooFew = tried;
  }
  while (enough - tooFew > Math.max(1, enough * 0.005)) {
    const tried = Math.floor((tooFew + enough) / 2);
    if (yield* isEnough(tried)) enough = tried;
    else tooFew = tried;
  }
  return enough;
}

/** The one that nine of ten are through before. */
function slowRun(runs: readonly SeededRun[]): { seed: number } {
  const found = slowestLast(runs)[Math.ceil(SURE * runs.length) - 1];
  if (!found) throw new Error("no run to hold lines against");
  return found;
}

function slowestLast(runs: readonly SeededRun[]): SeededRun[] {
  return runs.toSorted((a, b) => a.endMs - b.endMs || a.open - b.open);
}
