import { finishBreathing } from "../../../ledger/ground/breather.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";

import {
  assumptionFault,
  readRehearsedPerson,
  walkSequence,
  waysJson,
  type RehearsedPerson,
} from "../../../contacts/rehearsed-sequence.ts";
import { mayTouch } from "../../../domain/ground/access.ts";
import { readSequence, type SequenceDefinition } from "../../../domain/sequences/definition.ts";
import { listBlackouts } from "../../../ledger/ground/blackouts.ts";
import { callerOf, requireBrand } from "../../caller.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { createSlots } from "../../slots.ts";
import { unknownSequence } from "../../unknown.ts";
import { sequenceRehearsalSchema } from "../../wire/sequences/rehearsals.ts";
import { readDefinition } from "../../../ledger/sequences/sequences.ts";
import { requireSequence } from "./lookup.ts";
import { invalidSequence } from "./put.ts";
import type { Routes } from "../../route-scope.ts";

/** Each takes some hundredths of a second, in one piece: they come one after the other. */
const AT_ONCE = 1;

const rehearseBody = z
  .strictObject({
    /** A sequence as PUT takes it. */
    definition: z.unknown().optional(),
    /** Instead of it: one that is there, by its id or name, as those are walked who enroll now. */
    sequence: z.string().min(1).max(100).optional(),
    brand: z.string().min(1).max(100).default("default"),
    /** Who goes through it: `phone`, and where known what a list would say of the person. */
    person: z.unknown(),
    /** When the person is enrolled; absent, now. */
    from: z.iso.datetime({ offset: true }).optional(),
    /** What happens at steps: a disposition of a call step, `event` or `timeout`, and so on. Absent, all that may. */
    assume: z.record(z.string().max(100), z.array(z.string().max(100)).min(1).max(20)).default({}),
  })
  .refine(({ definition, sequence }) => (definition === undefined) !== (sequence === undefined), {
    message: "must say either definition or sequence",
    path: ["definition"],
  });

type Body = z.output<typeof rehearseBody>;

/** The ways that one person may take through a sequence. Nothing is written, and nobody is called. */
export function sequenceRehearseRoutes(deps: HttpDeps): Routes {
  const slots = createSlots(AT_ONCE, "another sequence is being rehearsed");
  return async (app) => {
    app.post(
      "/v1/sequences/rehearse",
      {
        // The same again is walked again, and changes as little.
        config: { requestKey: "own" },
        schema: { body: rehearseBody, response: { 200: sequenceRehearsalSchema } },
      },
      async (request) => {
        const { body } = request;
        const definition = await definitionOf(deps, request, body);
        const person = personIn(body.person, definition);
        const assumed = assumedIn(body.assume, definition);
        const nowMs = deps.now();
        const fromMs = body.from === undefined ? nowMs : Date.parse(body.from);
        return slots(async () => {
          const blackouts = await listBlackouts(deps.ledger.db, { brand: definition.brand, nowMs });
          const walk = walkSequence(definition, person, {
            blackouts: { ok: true, value: blackouts },
            fromMs,
            assumed,
          });
          return waysJson(await finishBreathing(walk));
        });
      },
    );
  };
}

async function definitionOf(
  { ledger }: HttpDeps,
  request: FastifyRequest,
  { sequence: ref, brand, definition }: Body,
): Promise<SequenceDefinition> {
  if (ref !== undefined) {
    const sequence = await requireSequence(ledger.db, ref, brand);
    // An id of another brand's is answered as if there were none.
    if (!mayTouch(callerOf(request), sequence.brand)) throw unknownSequence(ref);
    return readDefinition(ledger.db, sequence.id, sequence.version);
  }
  const reading = readSequence(definition);
  if (!reading.ok) throw invalidSequence(reading.problems);
  requireBrand(request, reading.definition.brand);
  return reading.definition;
}

function personIn(value: unknown, definition: SequenceDefinition): RehearsedPerson {
  const reading = readRehearsedPerson(value, definition);
  if (reading.ok) return reading;
  const problems = reading.problems.map(({ field, problem }) => ({
    field: field === "" ? "person" : `person.${field}`,
    message: problem,
  }));
  throw unfit(reading.reason === undefined ? problems : [{ field: "person.phone", message: reading.reason }]);
}

function assumedIn(assume: Body["assume"], definition: SequenceDefinition): Map<string, string[]> {
  const faults = Object.entries(assume).flatMap(([id, words]) =>
    words.flatMap((what) => {
      const message = assumptionFault(definition, id, what);
      return message === undefined ? [] : [{ field: `assume.${id}`, message }];
    }),
  );
  if (faults.length > 0) throw unfit(faults);
  return new Map(Object.entries(assume));
}

function unfit(errors: readonly { field: string; message: string }[]): Problem {
  return new Problem({
    status: 422,
    code: "invalid_request",
    detail: errors.map(({ field, message }) => `${field}: ${message}`).join("; "),
    errors,
  });
}
