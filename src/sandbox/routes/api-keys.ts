import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { organizationOf, requires } from "../auth.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import {
  apiKeyCreateBody,
  apiKeyCreatedResponse,
  apiKeyPatchBody,
  apiKeyResponse,
  apiKeysQuery,
  apiKeyUsageResponse,
  DEFAULT_GRACE_HOURS,
  rotateBody,
  rotateQuery,
} from "../schemas/api-keys.ts";
import { idParams, rowsOf } from "../schemas/page.ts";
import type { ApiKeyRecord } from "../state/api-keys.ts";
import { apiKeyUsageView, apiKeyView } from "../views/api-key.ts";
import type { Routes } from "../route-scope.ts";

const SHOWN_ONCE = "Keep this key: it is not shown again";

/** Contract 4.10. */
export function apiKeyRoutes(core: Core): Routes {
  return async (app) => {
    await apiKeyRecordRoutes(core)(app);
    await apiKeyActionRoutes(core)(app);
  };
}

function apiKeyRecordRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.get(
      "/v1/api-keys",
      {
        onRequest: requires("api_keys:read"),
        schema: { querystring: apiKeysQuery, response: { 200: z.array(apiKeyResponse) } },
      },
      (request, reply) => {
        const { window, include_inactive: everyone } = request.query;
        const keys = organizationOf(request)
          .apiKeys.all()
          .filter((key) => everyone || key.isActive);
        reply.send(rowsOf(keys, window, (key) => apiKeyView(key, clock)));
      },
    );

    app.get(
      "/v1/api-keys/:id",
      {
        onRequest: requires("api_keys:read"),
        schema: { params: idParams, response: { 200: apiKeyResponse } },
      },
      (request, reply) => {
        reply.send(apiKeyView(keyOf(request, request.params.id), clock));
      },
    );

    app.patch(
      "/v1/api-keys/:id",
      {
        onRequest: requires("api_keys:write"),
        schema: { params: idParams, body: apiKeyPatchBody, response: { 200: apiKeyResponse } },
      },
      (request, reply) => {
        const record = keyOf(request, request.params.id);
        organizationOf(request).apiKeys.patch(record, request.body);
        reply.send(apiKeyView(record, clock));
      },
    );

    app.delete(
      "/v1/api-keys/:id",
      {
        onRequest: requires("api_keys:delete"),
        schema: { params: idParams, response: { 204: z.null().describe("Revoked, at once") } },
      },
      (request, reply) => {
        organizationOf(request).apiKeys.revoke(keyOf(request, request.params.id));
        reply.code(204).send(null);
      },
    );
  };
}

function apiKeyActionRoutes({ clock }: Core): Routes {
  return async (app) => {
    app.post(
      "/v1/api-keys",
      {
        onRequest: requires("api_keys:write"),
        schema: { body: apiKeyCreateBody, response: { 201: apiKeyCreatedResponse } },
      },
      (request, reply) => {
        const { record, key } = organizationOf(request).apiKeys.create(request.body);
        reply.code(201).send({ ...apiKeyView(record, clock), key, message: SHOWN_ONCE });
      },
    );

    app.post(
      "/v1/api-keys/:id/rotate",
      {
        onRequest: requires("api_keys:write"),
        schema: {
          params: idParams,
          querystring: rotateQuery,
          body: rotateBody,
          response: { 200: apiKeyCreatedResponse },
        },
      },
      (request, reply) => {
        const { apiKeys } = organizationOf(request);
        const old = keyOf(request, request.params.id);
        if (!apiKeys.isValid(old)) {
          throw conflict("An inactive or expired API key cannot be rotated");
        }
        const graceHours = request.body?.grace_period_hours ?? request.query.grace_period_hours;
        const { record, key } = apiKeys.rotate(old, graceHours ?? DEFAULT_GRACE_HOURS);
        reply.send({ ...apiKeyView(record, clock), key, message: SHOWN_ONCE });
      },
    );

    app.get(
      "/v1/api-keys/:id/usage",
      {
        onRequest: requires("api_keys:read"),
        schema: { params: idParams, response: { 200: apiKeyUsageResponse } },
      },
      (request, reply) => {
        reply.send(apiKeyUsageView(keyOf(request, request.params.id), clock));
      },
    );
  };
}

/** Throws 404 unless the caller's organization has the key. */
function keyOf(request: FastifyRequest, id: string): ApiKeyRecord {
  const record = organizationOf(request).apiKeys.find(id);
  if (record === null) {
    throw notFound("API key");
  }
  return record;
}
