import { randomUUID } from "node:crypto";

import { z } from "zod";

import { tellEverybody, tellSequence } from "../../../commands/sequences.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { sequenceCommandSchema } from "../../wire/sequences.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { requireSequence, sequenceParams } from "./lookup.ts";
import { plainText } from "../../wire/text.ts";
import { inFlightView } from "../../in-flight.ts";
import type { Routes } from "../../route-scope.ts";

export const commandBody = z.strictObject({
  reason: plainText(500).optional(),
  /** Names this giving of the command: the same id again is the same command. */
  command_id: plainText(100).optional(),
});

const schemaOf = { params: sequenceParams, querystring: brandQuery } as const;

/** What people tell a whole sequence. */
export function sequenceCommandRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    for (const command of ["pause", "resume", "close"] as const) {
      app.post(
        `/v1/sequences/:ref/${command}`,
        {
          schema: {
            ...schemaOf,
            body: commandBody.omit({ command_id: true }),
            response: { 200: sequenceCommandSchema },
          },
        },
        async (request) => {
          const { id } = await requireSequence(deps.ledger.db, request.params.ref, request.query.brand);
          const { sequence, inFlight } = await tellSequence(deps, command, {
            sequenceId: id,
            actor: actorOf(request),
            reason: request.body.reason,
          });
          return { state: sequence.state, ...(inFlight && { in_flight: inFlightView(inFlight) }) };
        },
      );
    }

    for (const kind of ["exit", "skip"] as const) {
      app.post(
        `/v1/sequences/:ref/${kind}`,
        { schema: { ...schemaOf, body: commandBody, response: { 200: sequenceCommandSchema } } },
        async (request) => {
          const sequence = await requireSequence(deps.ledger.db, request.params.ref, request.query.brand);
          const { reason, command_id = randomUUID() } = request.body;
          const told = await tellEverybody(deps, {
            sequenceId: sequence.id,
            kind,
            commandId: command_id,
            actor: actorOf(request),
            reason,
          });
          return { state: sequence.state, told };
        },
      );
    }
  };
}
