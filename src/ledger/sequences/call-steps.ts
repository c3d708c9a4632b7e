import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { callSpecsOf, type SequenceDefinition } from "../../domain/sequences/definition.ts";
import { digestOf } from "../ground/digest.ts";
import type { SequenceStep } from "../campaigns/stands-for.ts";

export interface CallStep {
  spec: CampaignSpec;
  /** Into which of the sequence's standing campaigns it places its calls: those with the same settings share one. */
  standsFor: SequenceStep;
}

const callSteps = new WeakMap<SequenceDefinition, ReadonlyMap<string, CallStep>>();

/** The call steps of a version, by their ids. */
export function callStepsOf(
  sequenceId: string,
  definition: SequenceDefinition,
): ReadonlyMap<string, CallStep> {
  const known = callSteps.get(definition);
  if (known) return known;
  const steps = new Map(
    callSpecsOf(definition).map(({ stepId, spec }) => {
      // Its name says nothing of how calls are made.
      const { name: _name, ...settings } = spec;
      const digest = digestOf(settings).slice(0, DIGEST_CHARS);
      return [stepId, { spec, standsFor: { sequenceId, step: stepId, digest } }];
    }),
  );
  callSteps.set(definition, steps);
  return steps;
}

/** Of a digest that only has to differ within one step of one sequence. */
const DIGEST_CHARS = 16;
