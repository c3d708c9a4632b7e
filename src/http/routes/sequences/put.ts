import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { readSequence } from "../../../domain/sequences/definition.ts";
import type { SpecProblem } from "../../../domain/ground/spec-problems.ts";
import { putSequenceVersion } from "../../../ledger/sequences/sequence-commands.ts";
import { actorOf } from "../../actor.ts";
import { requireBrand } from "../../caller.ts";
import { checkCallers } from "../../caller-check.ts";
import type { HttpDeps } from "../../deps.ts";
import { warningsFor } from "../../missing.ts";
import { requiredBy } from "../../plugins/etags.ts";
import { Problem } from "../../problem.ts";
import { sequencePutSchema } from "../../wire/sequences.ts";

const putBody = z.strictObject({ definition: z.unknown() });

/** Writing a sequence down, or its next version. Those who are in it stay on theirs. */
export function sequencePutRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.put(
      "/v1/sequences",
      { config: { etag: "heeded" }, schema: { body: putBody, response: { 200: sequencePutSchema } } },
      async (request) => {
        const reading = readSequence(request.body.definition);
        if (!reading.ok) throw invalidSequence(reading.problems);
        const { definition } = reading;
        requireBrand(request, definition.brand);
        await checkCallers(deps.platform, definition);
        const actor = actorOf(request);
        const requireSeen = requiredBy(request, `sequence "${definition.name}"`);
        const { sequence, kind } = await deps.ledger.transaction((tx) =>
          putSequenceVersion(tx, { definition, requireSeen, actor, nowMs: deps.now() }),
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
export function invalidSequence(problems: readonly SpecProblem[]): Problem {
  const told = problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new Problem({
    status: 422,
    code: "invalid_spec",
    detail: `the sequence has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}: ${told}`,
    errors: problems.map(({ field, problem }) => ({ field, message: problem })),
  });
}
