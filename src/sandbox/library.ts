import type { z } from "zod";

import { problemWords, specProblems } from "../domain/ground/spec-problems.ts";
import type { SandboxCallPlan, SandboxFaultInForce, SandboxFaults, SandboxOutcome } from "./library-types.ts";
import { faultSchema } from "./faults.ts";
import type { ActiveFault, Faults } from "./faults.ts";
import type { Outcomes } from "./outcomes.ts";
import { forcedOutcomeSchema } from "./prescription.ts";

/** The faults of a sandbox as its library's users see them. */
export function libraryFaults(faults: Faults): SandboxFaults {
  return {
    add: (fault) => shown(faults.add(checked(faultSchema, fault, "a fault"))),
    remove: (id) => faults.remove(id),
    list: () => faults.list().map(shown),
    clear: () => faults.clear(),
  };
}

/** @throws Error which names what is wrong with an outcome */
export function prescribe(
  outcomes: Outcomes,
  phone: string,
  plans: readonly (SandboxOutcome | SandboxCallPlan)[],
): void {
  const [word, details] = forcedOutcomeSchema.options;
  const read = plans.map((plan) =>
    typeof plan === "string" ? checked(word, plan, "an outcome") : checked(details, plan, "an outcome"),
  );
  outcomes.force(phone, read);
}

/** As it is now: what is in force goes on counting. */
function shown({ fault_id: id, fault, hits, remaining, effects }: ActiveFault): SandboxFaultInForce {
  return {
    id,
    fault: structuredClone(fault),
    hits,
    remaining: remaining ?? undefined,
    effects: effects.map((effect) => ({ ...effect })),
  };
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown, kind: string): z.output<Schema> {
  const reading = schema.safeParse(value, { error: problemWords });
  if (reading.success) return reading.data;
  const problems = specProblems(reading.error.issues, { whole: kind, kind });
  throw new Error(`sandbox: ${problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ")}`);
}
