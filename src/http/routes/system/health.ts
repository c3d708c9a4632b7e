import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { z } from "zod";

import { readInstallation } from "../../../ledger/installation.ts";
import { probeTemporal } from "../../../temporal/probe.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";

/** Whether this process lives, and whether it could do its work. */
export function healthRoutes(deps: HttpDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get("/healthz", { schema: { response: { 200: z.object({ ok: z.literal(true) }) } } }, async () => ({
      ok: true as const,
    }));

    app.get("/readyz", { schema: { response: { 200: z.object({ ok: z.literal(true) }) } } }, async () => {
      await readInstallation(deps.ledger.db);
      try {
        await probeTemporal(deps.client);
      } catch (error) {
        throw new Problem(
          {
            status: 503,
            code: "temporal_unavailable",
            detail: "Temporal does not answer: what is under way goes on once it does",
          },
          { cause: error },
        );
      }
      return { ok: true as const };
    });
  };
}
