import { randomUUID } from "node:crypto";

import { z } from "zod";

import { countTold, tellEnrolments } from "../../../ledger/sequences/enrolment-inbox.ts";
import { claimRequest, requestDigest, RequestReusedError } from "../../../ledger/ground/request-keys.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { requestKeyOf } from "../../plugins/idempotency.ts";
import { sequenceEventSchema } from "../../wire/sequences.ts";
import { brandQuery } from "../campaigns/lookup.ts";
import { eventBody, numberOf } from "./enrolments.ts";
import { requireSequence, sequenceParams } from "./lookup.ts";
import type { Routes } from "../../route-scope.ts";

const bodySchema = eventBody.extend({
  /** With `+`. */
  phone: z.string().min(1).max(40),
});

/** Events of a person, for everything of one sequence that the person is in at that moment. */
export function sequenceEventRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/sequences/:ref/event",
      {
        config: { requestKey: "own" },
        schema: {
          params: sequenceParams,
          querystring: brandQuery,
          body: bodySchema,
          response: { 200: sequenceEventSchema },
        },
      },
      async (request) => {
        const sequence = await requireSequence(deps.ledger.db, request.params.ref, request.query.brand);
        const { name, data } = request.body;
        const given = requestKeyOf(request, request.body.request_key);
        const phone = numberOf(request.body.phone);
        const requestKey = `event:${given ?? randomUUID()}`;
        const told = await deps.ledger.transaction(async (tx) => {
          if (given !== undefined) {
            const event = { name, data, requestKey };
            const before = await countTold(tx, { sequenceId: sequence.id, phone, event });
            const key = `event ${sequence.id} ${given}`;
            const digest = requestDigest({ name, data, phone });
            const claimed = await claimRequest(tx, { key, digest, nowMs: deps.now() });
            if (before === undefined || claimed.kind === "other")
              throw new RequestReusedError(given, "event");
            if (before > 0) return before;
          }
          const answer = await tellEnrolments(tx, {
            brand: sequence.brand,
            phone,
            sequenceName: sequence.name,
            event: { name, data, requestKey, at: deps.now() },
            actor: actorOf(request),
          });
          return answer.told;
        });
        deps.outbox.kick();
        return { told };
      },
    );
  };
}
