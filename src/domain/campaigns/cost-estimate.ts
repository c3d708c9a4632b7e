import type { Disposition } from "../policy/disposition.ts";
import type { DialingPolicy } from "../policy/dialing-policy.ts";
import { nextWait } from "../policy/retry.ts";
import { rangeOf, type Range } from "./rehearsal/forecast.ts";
import { RunOutcomes, type OutcomeModel } from "./rehearsal/outcome-model.ts";

/*
 * What a campaign's calls are likely to cost, before it is started: people and their retries are drawn as a rehearsal
 * draws them (rehearsal/outcome-model.ts), without the hours in which they are called, which cost nothing. So it takes
 * some milliseconds, whatever the list; how long it all takes a rehearsal tells.
 */

/** As many that luck says little, and few enough to hold up nothing. */
const PEOPLE = 500;
const RUNS = 20;

export interface CallsEstimate {
  contacts: number;
  calls: Range;
  talkMs: Range;
  /** Calls on which anything was said: what is paid once a call is paid for these. */
  spoken: Range;
  /** Calls and talk by what they come to, in the mean of the runs. */
  byDisposition: Partial<Record<Disposition, { calls: number; talkMs: number }>>;
}

/** In eight of ten cases it is between `low` and `high`. The same for the same input. */
export function estimateCalls(
  contacts: number,
  policy: Pick<DialingPolicy, "maxAttempts" | "maxPerDisposition" | "delays">,
  model: OutcomeModel,
): CallsEstimate {
  const people = Math.min(contacts, PEOPLE);
  const runs = Array.from({ length: RUNS }, (_, seed) =>
    callAll(people, policy, new RunOutcomes(model, seed + 1)),
  );
  const factor = people === 0 ? 0 : contacts / people;
  const over = (of: (run: Called) => number): Range => rangeOf(runs.map((run) => of(run) * factor));
  const byDisposition: CallsEstimate["byDisposition"] = {};
  for (const run of runs) {
    for (const [word, { calls, talkMs }] of run.byDisposition) {
      const sum = (byDisposition[word] ??= { calls: 0, talkMs: 0 });
      sum.calls += (calls * factor) / RUNS;
      sum.talkMs += (talkMs * factor) / RUNS;
    }
  }
  return {
    contacts,
    calls: over(({ calls }) => calls),
    talkMs: over(({ talkMs }) => talkMs),
    spoken: over(({ spoken }) => spoken),
    byDisposition,
  };
}

interface Called {
  calls: number;
  talkMs: number;
  spoken: number;
  byDisposition: Map<Disposition, { calls: number; talkMs: number }>;
}

function callAll(
  people: number,
  policy: Pick<DialingPolicy, "maxAttempts" | "maxPerDisposition" | "delays">,
  outcomes: RunOutcomes,
): Called {
  const called: Called = { calls: 0, talkMs: 0, spoken: 0, byDisposition: new Map() };
  for (let person = 1; person <= people; person += 1) {
    const cameTo = new Map<Disposition, number>();
    for (let attempts = 1; ; attempts += 1) {
      outcomes.draw(person, attempts);
      const { disposition, talkMs } = outcomes;
      called.calls += 1;
      called.talkMs += talkMs;
      called.spoken += talkMs > 0 ? 1 : 0;
      const sum = called.byDisposition.get(disposition) ?? { calls: 0, talkMs: 0 };
      called.byDisposition.set(disposition, { calls: sum.calls + 1, talkMs: sum.talkMs + talkMs });
      const sameDisposition = (cameTo.get(disposition) ?? 0) + 1;
      cameTo.set(disposition, sameDisposition);
      if (typeof nextWait({ disposition, attempts, sameDisposition }, policy) === "string") break;
    }
  }
  return called;
}

/** What a minute of talk and a call cost, in millionths of a US dollar. */
export interface CallPrice {
  minuteMicros: number;
  perCallMicros: number;
}

export function costRange(
  { talkMs, spoken }: Pick<CallsEstimate, "talkMs" | "spoken">,
  { minuteMicros, perCallMicros }: CallPrice,
): Range {
  const cost = (ms: number, calls: number) =>
    Math.round((ms / 60_000) * minuteMicros + calls * perCallMicros);
  return {
    low: cost(talkMs.low, spoken.low),
    median: cost(talkMs.median, spoken.median),
    high: cost(talkMs.high, spoken.high),
  };
}

/** Whether what there is pays for it: surely, likely, or not. */
export function isCovered(leftMicros: number, { median, high }: Range): "yes" | "likely" | "no" {
  if (high <= leftMicros) return "yes";
  return median <= leftMicros ? "likely" : "no";
}
