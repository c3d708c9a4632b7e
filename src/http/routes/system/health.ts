import { readInstallation } from "../../../ledger/ground/installation.ts";
import { probeTemporal } from "../../../temporal/probe.ts";
import { TemporalUnavailableError } from "../../../temporal/server/errors.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";
import { readySchema } from "../../wire/system.ts";
import type { Routes } from "../../route-scope.ts";

/** Whether this process lives, and whether it could do its work. */
export function healthRoutes(deps: HttpDeps): Routes {
  return async (app) => {
    app.get("/healthz", { schema: { response: { 200: readySchema } } }, async () => ({
      ok: true as const,
    }));

    app.get("/readyz", { schema: { response: { 200: readySchema } } }, async () => {
      await readInstallation(deps.ledger.db);
      try {
        await probeTemporal(deps.client);
      } catch (error) {
        if (!(error instanceof TemporalUnavailableError)) throw error;
        throw new Problem(
          { status: 503, code: "temporal_unavailable", detail: error.message },
          { cause: error },
        );
      }
      return { ok: true as const };
    });
  };
}
