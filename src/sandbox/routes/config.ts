import { z } from "zod";

import { requires } from "../auth.ts";
import {
  categoryParams,
  categoryResponse,
  defaultsConfig,
  languageEntry,
  providerConfig,
} from "../schemas/config.ts";
import { rowsOf, wholeListQuery } from "../schemas/page.ts";
import { LANGUAGES } from "../state/config.ts";
import { analyticsView, categoryView, DEFAULTS } from "../views/config.ts";
import type { Routes } from "../route-scope.ts";

/** Contract 4.8. The same for everybody, and fixed. */
export function configRoutes(): Routes {
  return async (app) => {
    const onRequest = requires("config:read");

    app.get(
      "/v1/config/providers",
      { onRequest, schema: { response: { 200: providerConfig } } },
      (_request, reply) => {
        reply.send({
          stt: categoryView("stt"),
          llm: categoryView("llm"),
          tts: categoryView("tts"),
          realtime: categoryView("realtime"),
          analytics: analyticsView(),
          languages: [...LANGUAGES],
          defaults: DEFAULTS,
        });
      },
    );

    app.get(
      "/v1/config/providers/:category",
      { onRequest, schema: { params: categoryParams, response: { 200: categoryResponse } } },
      (request, reply) => {
        const { category } = request.params;
        reply.send({ category, ...categoryView(category) });
      },
    );

    app.get(
      "/v1/config/defaults",
      { onRequest, schema: { response: { 200: defaultsConfig } } },
      (_request, reply) => {
        reply.send(DEFAULTS);
      },
    );

    app.get(
      "/v1/config/languages",
      {
        onRequest,
        schema: { querystring: wholeListQuery({}), response: { 200: z.array(languageEntry) } },
      },
      (request, reply) => {
        reply.send(rowsOf(LANGUAGES, request.query.window, (language) => language));
      },
    );
  };
}
