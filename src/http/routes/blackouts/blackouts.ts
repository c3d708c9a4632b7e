import { z } from "zod";

import { addBlackout, removeBlackout } from "../../../commands/blackouts.ts";
import { lastDayProblem } from "../../../domain/policy/window-dates.ts";
import { dateText, dayOf, dayOfDate } from "../../../domain/time/local-day.ts";
import { listBlackouts, type Blackout } from "../../../ledger/ground/blackouts.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { inFlightView } from "../../in-flight.ts";
import { Problem } from "../../problem.ts";
import { unknownBlackout } from "../../unknown.ts";
import {
  blackoutAddedSchema,
  blackoutListSchema,
  blackoutRemovedSchema,
  type BlackoutWire,
} from "../../wire/blackouts.ts";
import { isoOf } from "../../wire/instant.ts";
import { reasonText } from "../../wire/text.ts";
import { brandName } from "../suppressions/suppressions.ts";
import type { Routes } from "../../route-scope.ts";

const addBody = z
  .strictObject({
    from: z.iso.date(),
    /** The last day; absent: it is one day. */
    to: z.iso.date().optional(),
    name: reasonText("is needed: people are told it where nobody is called"),
    /** Absent: for every brand. */
    brand: brandName.optional(),
  })
  .check((context) => {
    const { from, to = from } = context.value;
    const message = lastDayProblem({ field: "from", date: from }, to);
    if (message !== undefined) context.issues.push({ code: "custom", input: to, path: ["to"], message });
  });

const removeBody = z.strictObject({ reason: reasonText("is needed: it is kept for good") });

const ABOUT =
  "Dates on which nobody of a brand is called, wherever they are, whatever its campaigns say. Batches that are dialing against it are stopped.";

/** Dates on which nobody of a brand is called. */
export function blackoutRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.post(
      "/v1/blackouts",
      { schema: { description: ABOUT, body: addBody, response: { 200: blackoutAddedSchema } } },
      async (request) => {
        const { from, to = from, name, brand } = request.body;
        if (dayOfDate(to) < dayOf(deps.now()) - 1)
          throw new Problem({
            status: 422,
            code: "blackout_over",
            detail: `${to} is over everywhere: give a day that is to come`,
          });
        const { blackout, isNew, stoppedBatches, inFlight, waiting } = await addBlackout(deps, {
          brand,
          fromDay: dayOfDate(from),
          lastDay: dayOfDate(to),
          name,
          actor: actorOf(request),
        });
        return {
          blackout: blackoutView(blackout),
          is_new: isNew,
          stopped_batches: stoppedBatches,
          in_flight: inFlightView(inFlight),
          waiting: waiting.map(({ id, name }) => ({ campaign_id: id, name })),
        };
      },
    );

    app.get(
      "/v1/blackouts",
      {
        schema: {
          querystring: z.strictObject({
            /** Those for every brand are listed with it, since they bind it too. */
            brand: brandName.optional(),
          }),
          response: { 200: blackoutListSchema },
        },
      },
      async (request) => {
        const items = await listBlackouts(deps.ledger.db, { ...request.query, nowMs: deps.now() });
        return { items: items.map(blackoutView) };
      },
    );

    app.delete(
      "/v1/blackouts/:id",
      {
        schema: {
          params: z.strictObject({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
          body: removeBody,
          response: { 200: blackoutRemovedSchema },
        },
      },
      async (request) => {
        const { id } = request.params;
        const removed = await removeBlackout(deps, {
          id,
          reason: request.body.reason,
          actor: actorOf(request),
        });
        if (removed) return { removed: blackoutView(removed) };
        throw unknownBlackout(id);
      },
    );
  };
}

function blackoutView({ id, brand, fromDay, lastDay, name, createdAtMs }: Blackout): BlackoutWire {
  return {
    id,
    brand: brand ?? null,
    from: dateText(fromDay),
    to: dateText(lastDay),
    name,
    created_at: isoOf(createdAtMs),
  };
}
