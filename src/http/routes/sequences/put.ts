import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { callSpecsOf, readSequence, type SequenceDefinition } from "../../../domain/sequences/definition.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import { putSequenceVersion } from "../../../ledger/sequences/sequence-commands.ts";
import type { Platform } from "../../../platform/index.ts";
import { actorOf } from "../../actor.ts";
import { checkCaller } from "../../caller-check.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { Problem } from "../../problem.ts";
import type { FieldProblem } from "../../wire/problem.ts";
import { sequencePutSchema } from "../../wire/sequences.ts";

const putBody = z.strictObject({ definition: z.unknown() });

/** Writing a sequence down, or its next version. Those who are in it stay on theirs. */
export function sequencePutRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.put(
      "/v1/sequences",
      { schema: { body: putBody, response: { 200: sequencePutSchema } } },
      async (request) => {
        const reading = readSequence(request.body.definition);
        if (!reading.ok) throw invalidSequence(reading.problems);
        const { definition } = reading;
        await checkCallers(deps.platform, definition);
        const actor = actorOf(request);
        const { sequence, kind } = await deps.ledger.transaction((tx) =>
          putSequenceVersion(tx, { definition, actor, nowMs: deps.now() }),
        );
        // Its standing campaigns get their workflows.
        deps.outbox.kick();
        const { id, brand, name, state, version } = sequence;
        const warnings = await warningsFor(deps, definition);
        return { id, brand, name, state, version, result: kind, warnings };
      },
    );
  };
}

/** Every problem of a definition at once. */
function invalidSequence(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_spec",
    detail: `the sequence has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}

/** Asks the platform whether it would call for each call step; those that call alike are asked about once. */
export async function checkCallers(platform: Platform, definition: SequenceDefinition): Promise<void> {
  const stepsByCaller = new Map<string, { spec: CampaignSpec; steps: string[] }>();
  for (const { stepId, spec } of callSpecsOf(definition)) {
    const caller = JSON.stringify([spec.agent_id, spec.from_numbers]);
    const known = stepsByCaller.get(caller) ?? { spec, steps: [] };
    known.steps.push(stepId);
    stepsByCaller.set(caller, known);
  }
  const errors: FieldProblem[] = [];
  for (const { spec, steps } of stepsByCaller.values()) {
    errors.push(...(await callerProblems(platform, spec, `call of step ${steps.join(", ")}`)));
  }
  if (errors.length === 0) return;
  const told = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new Problem({
    status: 422,
    code: "caller_refused",
    detail: `the platform can't call for this sequence: ${told}`,
    errors,
  });
}

async function callerProblems(
  platform: Platform,
  spec: CampaignSpec,
  where: string,
): Promise<FieldProblem[]> {
  try {
    await checkCaller(platform, spec);
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "caller_refused") throw error;
    return (error.errors ?? []).map(({ field, message }) => ({ field: `${where}: ${field}`, message }));
  }
}
