import { randomUUID } from "node:crypto";

import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { followTurn } from "../../../ledger/sequences/after-turn.ts";
import {
  commandAll,
  holdCallsOfTold,
  listWaitingForCalls,
} from "../../../ledger/sequences/enrolment-commands.ts";
import { takeEnrolmentTurn } from "../../../ledger/sequences/enrolment-turns.ts";
import { closeSequence, pauseSequence, resumeSequence } from "../../../ledger/sequences/sequence-commands.ts";
import { SequenceRefusedError } from "../../../ledger/sequences/sequences.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { sequenceCommandSchema } from "../../wire/sequences.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { requireSequence, sequenceParams } from "./lookup.ts";
import { plainText } from "../../wire/text.ts";
import { inFlightView } from "../../in-flight.ts";

export const commandBody = z.strictObject({
  reason: plainText(500).optional(),
  /** Names this giving of the command: the same id again is the same command. */
  command_id: plainText(100).optional(),
});

const schemaOf = { params: sequenceParams, querystring: brandQuery } as const;

/** What people tell a whole sequence. */
export function sequenceCommandRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    for (const [command, work] of [
      ["pause", pauseSequence],
      ["resume", resumeSequence],
      ["close", closeSequence],
    ] as const) {
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
          const { sequence, stoppedBatchIds } = await asProblem(() =>
            deps.ledger.transaction((tx) =>
              work(tx, {
                sequenceId: id,
                actor: actorOf(request),
                reason: request.body.reason,
                nowMs: deps.now(),
              }),
            ),
          );
          deps.outbox.kick();
          if (command !== "pause") return { state: sequence.state };
          // What was started before is stopped now, and nothing of the sequence dials once this is answered.
          const inFlight = await deps.haltBatches(stoppedBatchIds);
          return { state: sequence.state, in_flight: inFlightView(inFlight) };
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
          const requestKey = `command:${command_id}`;
          const nowMs = deps.now();
          const told = await commandAll(deps.ledger, {
            sequenceId: sequence.id,
            entry: {
              kind,
              data: reason === undefined ? {} : { reason },
              requestKey,
              actor: actorOf(request),
              atMs: nowMs,
            },
            nowMs,
          });
          deps.outbox.kick();
          await holdCallsOfTold(deps.ledger, { sequenceId: sequence.id, requestKey });
          await takeBackCalls(deps, sequence.id);
          return { state: sequence.state, told };
        },
      );
    }
  };
}

/** Turns that a request waits for: seconds. The relay comes to all others, whose calls are held until then. */
const TURNS_AT_MOST = 200;

/** A few connections of the ledger, and not all of them. */
const AT_ONCE = 4;

/** Those who would be dialed next, before the relay comes to them, take their turns now. */
async function takeBackCalls(deps: HttpDeps, sequenceId: string): Promise<void> {
  const ids = await listWaitingForCalls(deps.ledger.db, sequenceId, TURNS_AT_MOST);
  const next = ids.values();
  const takeTurns = async () => {
    for (const enrolmentId of next) {
      const turn = await deps.ledger.transaction((tx) =>
        takeEnrolmentTurn(tx, { enrolmentId, nowMs: deps.now() }),
      );
      if (turn) await followTurn(deps, enrolmentId, turn);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
}

/** @throws Problem 409 where the command does not fit the sequence's state. */
export async function asProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SequenceRefusedError)) throw error;
    throw new Problem({ status: 409, code: "command_refused", detail: error.message }, { cause: error });
  }
}
