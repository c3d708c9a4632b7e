import type { Disposition } from "../../policy/disposition.ts";
import type { NeverReason } from "../../policy/gate-reasons.ts";
import type { FinalReason } from "../../policy/retry.ts";
import type { HeldBy, Plan, RunResult } from "./plan.ts";
import { Simulation } from "./simulation.ts";

/** Of several runs: what a tenth of them stays below, what half of them do, and what a tenth exceeds. */
export interface Range {
  low: number;
  median: number;
  high: number;
}

/** What is to be expected of a campaign. */
export interface Forecast {
  runs: number;
  /** Of the first run; each further one has the next. */
  seed: number;
  /** When everybody is through. Unix milliseconds. */
  endMs: Range;
  calls: Range;
  talkMs: Range;
  lineMs: Range;
  /** The most lines at once, of all runs. */
  mostLines: number;
  dispositions: Partial<Record<Disposition, Range>>;
  done: Partial<Record<Disposition, Range>>;
  doneBecause: Partial<Record<FinalReason, Range>>;
  excluded: Partial<Record<NeverReason, Range>>;
  excludedDetail: Partial<Record<NeverReason, string>>;
  /** People who were not through within a year. */
  open: Range;
  /** Hours of a clock in the plan's zone since 1970 in which any call began in any run, in order. */
  callsByHour: ({ hour: number } & Range)[];
  /** Mean time that people waited, by what for. Milliseconds. */
  heldMs: Partial<Record<HeldBy, number>>;
}

/** A run with the seed that makes it again. */
export interface SeededRun extends RunResult {
  seed: number;
}

export interface Runs {
  runs: number;
  /** Of the first one. */
  seed: number;
}

/** Runs a plan so often, each time with the next seed. Pauses as runs do. */
export function* rehearse(plan: Plan, { runs, seed }: Runs): Generator<void, SeededRun[]> {
  const made: SeededRun[] = [];
  for (let run = 0; run < runs; run += 1) {
    const result = yield* new Simulation(plan, seed + run).run();
    made.push({ ...result, seed: seed + run });
    yield;
  }
  return made;
}

/** Sums runs up. There is at least one. */
export function forecastOf(runs: readonly SeededRun[]): Forecast {
  const over = (of: (run: SeededRun) => number): Range => rangeOf(runs.map(of));
  const overWords = <Word extends string>(of: (run: SeededRun) => Partial<Record<Word, number>>) => {
    const ranges: Partial<Record<Word, Range>> = {};
    for (const word of wordsOf(runs.map(of))) ranges[word] = over((run) => of(run)[word] ?? 0);
    return ranges;
  };
  const hours = new Set(runs.flatMap(({ callsByHour }) => [...callsByHour.keys()]));
  const heldMs: Forecast["heldMs"] = {};
  for (const reason of wordsOf(runs.map((run) => run.heldMs)))
    heldMs[reason] = runs.reduce((sum, run) => sum + (run.heldMs[reason] ?? 0), 0) / runs.length;
  return {
    runs: runs.length,
    seed: Math.min(...runs.map(({ seed }) => seed)),
    endMs: over(({ endMs }) => endMs),
    calls: over(({ calls }) => calls),
    talkMs: over(({ talkMs }) => talkMs),
    lineMs: over(({ lineMs }) => lineMs),
    mostLines: Math.max(...runs.map(({ mostLines }) => mostLines)),
    dispositions: overWords((run) => run.dispositions),
    done: overWords((run) => run.done),
    doneBecause: overWords((run) => run.doneBecause),
    excluded: overWords((run) => run.excluded),
    excludedDetail: Object.assign({}, ...runs.map(({ excludedDetail }) => excludedDetail)),
    open: over(({ open }) => open),
    callsByHour: [...hours]
      .sort((a, b) => a - b)
      .map((hour) => ({ hour, ...over(({ callsByHour }) => callsByHour.get(hour) ?? 0) })),
    heldMs,
  };
}

function wordsOf<Word extends string>(counts: readonly Partial<Record<Word, number>>[]): Set<Word> {
  return new Set(counts.flatMap((one) => Object.keys(one) as Word[]));
}

/** Of values in no order, of which there is at least one. */
export function rangeOf(values: readonly number[]): Range {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const below = sorted[Math.floor(place)] ?? 0;
    const above = sorted[Math.ceil(place)] ?? below;
    return Math.round(below + (above - below) * (place - Math.floor(place)));
  };
  return { low: at(0.1), median: at(0.5), high: at(0.9) };
}
