import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { notFound } from "../errors.ts";
import { isRegardless } from "../fault-hooks.ts";
import {
  batchCreateBody,
  batchCreatedResponse,
  batchesResponse,
  batchItemResponse,
  batchListItem,
  batchStatusResponse,
  itemsQuery,
} from "../schemas/batch-calls.ts";
import {
  envelopeOf,
  idParams,
  messageResponse,
  pageOf,
  pageQuery,
  rowsOf,
  wholeListQuery,
} from "../schemas/page.ts";
import type { BatchRecord, ItemRecord } from "../state/batches.ts";
import { checkCanCall, checkCountry } from "./can-call.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.4. */
export function batchCallRoutes(core: Core): Routes {
  return async (app) => {
    await batchRecordRoutes(core)(app);
    await batchListRoutes(core)(app);
    await batchOperationRoutes(core)(app);
  };
}

function batchRecordRoutes({ faults, batchRun, batchViews }: Core): Routes {
  /** A page of items as it is shown: a read may lie of some (the faults `items_missing` and `items_forgotten`). */
  const shownItems = (page: readonly ItemRecord[]) => {
    const missing = page.length === 0 ? null : faults.take("items_missing");
    const forgotten = page.length === 0 ? null : faults.take("items_forgotten");
    const isMeant = (fault: { phone?: string | undefined } | null, item: ItemRecord) =>
      fault !== null && (fault.phone === undefined || fault.phone === item.phone);
    return page
      .filter((item) => !isMeant(missing, item))
      .map((item) => (isMeant(forgotten, item) ? batchViews.undialed(item) : batchViews.item(item)));
  };
  return async (app) => {
    app.post(
      "/v1/batch-calls",
      {
        onRequest: requires("batch_calls:write"),
        schema: { body: batchCreateBody, response: { 201: batchCreatedResponse } },
      },
      (request, reply) => {
        const organization = organizationOf(request);
        const agent = checkCanCall(organization, request.body.agent_id, request.body.from_number);
        for (const [index, { phone_number: phone }] of request.body.contacts.entries()) {
          checkCountry(organization, request.body.from_number, phone, [
            "body",
            "contacts",
            index,
            "phone_number",
          ]);
        }
        const batch = organization.batches.create(request.body, agent);
        if (faults.take("vanish_on", ({ event }) => event === "create") !== null) {
          batchRun.vanish(batch);
        }
        const late = faults.take("visible_late");
        if (late !== null) {
          batchRun.hide(batch, late.ms);
        }
        reply.code(201).send(batchViews.created(batch));
      },
    );

    app.get(
      "/v1/batch-calls/:id",
      {
        onRequest: requires("batch_calls:read"),
        schema: { params: idParams, response: { 200: batchStatusResponse } },
      },
      (request, reply) => {
        reply.send(batchViews.status(batchOf(request, request.params.id)));
      },
    );

    app.get(
      "/v1/batch-calls/:id/items",
      {
        onRequest: requires("batch_calls:read"),
        schema: {
          params: idParams,
          querystring: itemsQuery,
          response: { 200: envelopeOf(batchItemResponse) },
        },
      },
      (request, reply) => {
        const { window, status } = request.query;
        const { items } = batchOf(request, request.params.id);
        const wanted =
          status === undefined ? items : items.filter((item) => batchViews.word(item.status) === status);
        const most = faults.peek("items_page_cap")?.rows ?? window.limit;
        const page = pageOf(wanted, window, (item) => item);
        reply.send({ ...page, items: shownItems(page.items.slice(0, most)) });
      },
    );

    app.delete(
      "/v1/batch-calls/:id",
      {
        onRequest: requires("batch_calls:delete"),
        schema: { params: idParams, response: { 200: messageResponse } },
      },
      (request, reply) => {
        batchRun.remove(batchOf(request, request.params.id));
        reply.send({ message: "Batch call deleted" });
      },
    );
  };
}

function batchListRoutes({ batchViews }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/batch-calls",
      {
        onRequest: requires("batch_calls:read"),
        schema: { querystring: pageQuery(50, {}), response: { 200: batchesResponse } },
      },
      (request, reply) => {
        reply.send(
          pageOf(organizationOf(request).batches.all(), request.query.window, (batch) =>
            batchViews.listed(batch),
          ),
        );
      },
    );

    app.get(
      "/v1/batch-calls/active",
      {
        onRequest: requires("batch_calls:read"),
        schema: { querystring: wholeListQuery({}), response: { 200: z.array(batchListItem) } },
      },
      (request, reply) => {
        const active = organizationOf(request)
          .batches.all()
          .filter(({ status }) => status === "queued" || status === "running");
        reply.send(rowsOf(active, request.query.window, (batch) => batchViews.listed(batch)));
      },
    );
  };
}

function batchOperationRoutes({ faults, batchRun, batchViews }: Core): Routes {
  const operations = {
    start: (batch: BatchRecord, regardless: boolean) => {
      batchRun.start(batch, regardless);
      if (faults.take("vanish_on", ({ event }) => event === "start") !== null) {
        batchRun.vanish(batch);
      }
    },
    pause: (batch: BatchRecord) => {
      batchRun.pause(batch);
    },
    resume: (batch: BatchRecord, regardless: boolean) => {
      batchRun.resume(batch, regardless);
    },
    cancel: (batch: BatchRecord) => {
      batchRun.cancel(batch);
    },
  };
  return async (app) => {
    for (const [name, operate] of Object.entries(operations)) {
      app.post(
        `/v1/batch-calls/:id/${name}`,
        {
          onRequest: requires("batch_calls:write"),
          schema: { params: idParams, response: { 200: batchStatusResponse } },
        },
        (request, reply) => {
          const batch = batchOf(request, request.params.id);
          operate(batch, isRegardless(request));
          reply.send(batchViews.status(batch));
        },
      );
    }
  };
}

/** Throws 404 unless the caller's organization has the batch. Late effects may find one that was deleted. */
function batchOf(request: FastifyRequest, id: string): BatchRecord {
  const { batches } = organizationOf(request);
  const batch = isRegardless(request) ? batches.findForgotten(id) : batches.find(id);
  if (batch === null) {
    throw notFound("Batch call");
  }
  return batch;
}
