import { z } from "zod";

import {
  listDeliveries,
  readDelivery,
  retryDelivery,
  retryFailedDeliveries,
  type RetryRefusal,
} from "../../../ledger/triggers/deliveries.ts";
import { writeAudit } from "../../../ledger/ground/audit.ts";
import { skipDelivery } from "../../../ledger/triggers/skipping.ts";
import { readTrigger } from "../../../ledger/triggers/triggers.ts";
import { actorOf } from "../../actor.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { unknownDelivery } from "../../unknown.ts";
import { idParams, reasonText } from "../../wire/text.ts";
import {
  deliveryPageSchema,
  deliverySchemaOut,
  retriedPageSchema,
  retriedSchema,
} from "../../wire/triggers.ts";
import { requireTrigger, triggerParams } from "./manage.ts";
import { deliverySummary, deliveryView } from "./views.ts";
import { afterQuery, cursorOf, cutPage, limitQuery, timePlaceIn } from "../../cursor.ts";
import type { Routes } from "../../route-scope.ts";

const pageQuery = z.strictObject({
  state: z.enum(["received", "done", "ignored", "failed"]).optional(),
  after: afterQuery,
  limit: limitQuery,
});

const skipBody = z.strictObject({ reason: reasonText("must say something, or be left out").optional() });

const retryQuery = z.strictObject({ after: afterQuery });

const deliveryParams = idParams(
  "a delivery",
  "`outdial trigger deliveries` or GET /v1/triggers/{name}/deliveries",
);

/** What came through triggers, and working off again what failed. */
export function deliveryRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/triggers/:name/deliveries",
      { schema: { params: triggerParams, querystring: pageQuery, response: { 200: deliveryPageSchema } } },
      async (request) => {
        const { state, after, limit } = request.query;
        const trigger = await requireTrigger(deps.ledger.db, request.params.name);
        const { items, total } = await listDeliveries(deps.ledger.db, {
          triggerId: trigger.id,
          ...(state !== undefined && { state }),
          ...timePlaceIn(after),
          limit: limit + 1,
        });
        const { page, next_after } = cutPage(items, limit, ({ receivedAtMs, id }) => [receivedAtMs, id]);
        return { items: page.map((one) => deliverySummary(one, trigger.name)), total, next_after };
      },
    );

    app.get(
      "/v1/deliveries/:id",
      { schema: { params: deliveryParams, response: { 200: deliverySchemaOut } } },
      async (request) => {
        const delivery = await readDelivery(deps.ledger.db, request.params.id);
        const trigger = delivery && (await readTrigger(deps.ledger.db, delivery.triggerId));
        if (!delivery || !trigger) throw refusal("unknown");
        return deliveryView(delivery, trigger.name);
      },
    );

    app.post(
      "/v1/deliveries/:id/skip",
      {
        schema: {
          description:
            "Nothing comes of it any more. What it had done before it failed stays done; its sender may send it again under another key.",
          params: deliveryParams,
          body: skipBody,
          response: { 200: deliverySchemaOut },
        },
      },
      async (request) => {
        const skip = {
          deliveryId: request.params.id,
          reason: request.body.reason,
          actor: actorOf(request),
          nowMs: deps.now(),
        };
        const skipped = await deps.ledger.transaction((tx) => skipDelivery(tx, skip));
        if (skipped === "unknown") throw refusal("unknown");
        if (skipped === "not_failed")
          throw refused("the delivery did not fail: only what failed is left undone");
        const trigger = await readTrigger(deps.ledger.db, skipped.triggerId);
        return deliveryView(skipped, trigger?.name ?? "");
      },
    );

    app.post(
      "/v1/deliveries/:id/retry",
      { schema: { params: deliveryParams, response: { 200: retriedSchema } } },
      async (request) => {
        const { id } = request.params;
        const actor = actorOf(request);
        const nowMs = deps.now();
        const retried = await deps.ledger.transaction(async (tx) => {
          const result = await retryDelivery(tx, id, nowMs);
          if (result === "retried")
            await writeAudit(tx, { nowMs, actor, action: "delivery.retry", detail: { delivery: id } });
          return result;
        });
        if (retried !== "retried") throw refusal(retried);
        deps.outbox.kick();
        return { retried: 1 };
      },
    );

    app.post(
      "/v1/triggers/:name/retry",
      {
        schema: {
          description:
            "The oldest first, a thousand at most. With `after` it goes on behind the last of them, so that none is worked off twice, however often it fails meanwhile.",
          params: triggerParams,
          querystring: retryQuery,
          response: { 200: retriedPageSchema },
        },
      },
      async (request) => {
        const place = timePlaceIn(request.query.after);
        const trigger = await requireTrigger(deps.ledger.db, request.params.name);
        const actor = actorOf(request);
        const nowMs = deps.now();
        const { retried, next } = await deps.ledger.transaction(async (tx) => {
          const again = await retryFailedDeliveries(tx, trigger.id, { ...place, nowMs });
          const detail = { trigger: trigger.name, deliveries: again.retried };
          if (again.retried > 0) await writeAudit(tx, { nowMs, actor, action: "delivery.retry", detail });
          return again;
        });
        deps.outbox.kick();
        return { retried, next_after: next === undefined ? null : cursorOf([next.atMs, next.id]) };
      },
    );
  };
}

const WHY: Readonly<Record<Exclude<RetryRefusal, "unknown">, string>> = {
  not_failed: "the delivery did not fail: only what failed is worked off again",
  forgotten: "the delivery's body was forgotten: have its sender send it again",
};

function refusal(why: RetryRefusal): Problem {
  return why === "unknown" ? unknownDelivery() : refused(WHY[why]);
}

function refused(detail: string): Problem {
  return new Problem({ status: 409, code: "command_refused", detail });
}
