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
import { sequenceCheckSchema, sequencePutSchema } from "../../wire/sequences.ts";
import type { Routes } from "../../route-scope.ts";

const putBody = z.strictObject({
  definition: z.unknown(),
  if_version: z
    .int()
    .min(0)
    .optional()
    .describe("Only while this version is the newest; 0: only where there is none yet."),
});

const checkBody = z.strictObject({ definition: z.unknown() });

/** Writing a sequence down, or its next version. Those who are in it stay on theirs. */
export function sequencePutRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.put(
      "/v1/sequences",
      { config: { etag: "heeded" }, schema: { body: putBody, response: { 200: sequencePutSchema } } },
      async (request) => {
        const reading = readSequence(request.body.definition);
        if (!reading.ok) throw invalidSequence(reading.problems);
        const { definition } = reading;
        const { if_version: ifVersion } = request.body;
        requireBrand(request, definition.brand);
        await checkCallers(deps.platform, definition);
        const actor = actorOf(request);
        const requireSeen = requiredBy(request, `sequence "${definition.name}"`);
        const { sequence, kind } = await deps.ledger.transaction((tx) =>
          putSequenceVersion(tx, { definition, ifVersion, requireSeen, actor, nowMs: deps.now() }),
        );
        // Its standing campaigns get their workflows.
        deps.outbox.kick();
        const { id, brand, name, state, version } = sequence;
        const warnings = await warningsFor(deps, definition, [definition.brand]);
        return { id, brand, name, state, version, result: kind, warnings };
      },
    );

    app.post(
      "/v1/sequences/check",
      {
        // The same again is read again, and changes as little.
        config: { requestKey: "own" },
        schema: { body: checkBody, response: { 200: sequenceCheckSchema } },
      },
      async (request) => {
        const reading = readSequence(request.body.definition);
        if (!reading.ok) {
          const problems = reading.problems.map(({ field, problem }) => ({ field, message: problem }));
          return { ok: false, problems, warnings: [] };
        }
        requireBrand(request, reading.definition.brand);
        return {
          ok: true,
          problems: [],
          warnings: await warningsFor(deps, reading.definition, [reading.definition.brand]),
        };
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
