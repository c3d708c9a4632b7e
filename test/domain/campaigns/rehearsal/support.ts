import {
  policyOf,
  rampUpMsOf,
  readCampaignSpec,
  type CampaignSpecInput,
} from "../../../../src/domain/campaigns/campaign-spec.ts";
import { WindowBook } from "../../../../src/domain/campaigns/rehearsal/lane-hours.ts";
import {
  USUAL_OUTCOMES,
  type OutcomeModel,
} from "../../../../src/domain/campaigns/rehearsal/outcome-model.ts";
import { PeopleGatherer, type People } from "../../../../src/domain/campaigns/rehearsal/people.ts";
import type { Plan, RehearsedCall, RunResult } from "../../../../src/domain/campaigns/rehearsal/plan.ts";
import { Simulation } from "../../../../src/domain/campaigns/rehearsal/simulation.ts";

/** A Monday, seven in New York. */
export const FROM_MS = Date.parse("2026-11-30T12:00:00Z");
export const HOUR_MS = 3_600_000;

/** Everybody's phone rings for 97 seconds in vain: with what a rehearsal adds, a line is in use for a hundred. */
export const IN_VAIN: OutcomeModel = {
  ...USUAL_OUTCOMES,
  shares: { no_answer: 1 },
  invalidNumbers: 0,
  uncertainty: 0,
  ringSeconds: { ...USUAL_OUTCOMES.ringSeconds, no_answer: 97 },
};

export const US_NUMBER = { country: "US", costly: undefined };

export function people(zoneSets: readonly (readonly string[])[], count: number): People {
  const gatherer = new PeopleGatherer();
  for (let index = 0; index < count; index += 1)
    gatherer.add({ zones: zoneSets[index % zoneSets.length] ?? [], kind: US_NUMBER });
  return gatherer.people();
}

export function planOf(
  whom: People,
  changes: Partial<CampaignSpecInput> = {},
  plan: Partial<Plan> = {},
): Plan {
  const reading = readCampaignSpec({
    name: "rehearsed",
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    concurrency: 10,
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const policy = policyOf(reading.spec, 1);
  return {
    people: whom,
    policy,
    windows: new WindowBook(policy.window),
    lines: reading.spec.concurrency,
    rampMs: rampUpMsOf(reading.spec),
    isNewestFirst: reading.spec.order === "newest_first",
    rate: undefined,
    model: USUAL_OUTCOMES,
    fromMs: FROM_MS,
    shownIn: "UTC",
    ...plan,
  };
}

export function finish<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

export function runOf(plan: Plan, seed = 1): { result: RunResult; calls: RehearsedCall[] } {
  const calls: RehearsedCall[] = [];
  const result = finish(new Simulation({ ...plan, onCall: (call) => calls.push(call) }, seed).run());
  return { result, calls };
}

export function sum(counts: Readonly<Partial<Record<string, number>>>): number {
  return Object.values(counts).reduce<number>((all, count) => all + (count ?? 0), 0);
}
