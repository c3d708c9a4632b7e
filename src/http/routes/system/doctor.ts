import type { HttpDeps } from "../../deps.ts";
import { examinationSchema } from "../../wire/system.ts";
import type { Routes } from "../../route-scope.ts";

/** It asks the platform, databases and Temporal: whoever comes within this is told what was found. */
const HOLDS_MS = 10_000;

/** What is missing or misconfigured here, and how to mend it. However many ask, one look is under way at a time. */
export function doctorRoutes(deps: HttpDeps): Routes {
  let found: { checks: ReturnType<HttpDeps["examine"]>; atMs: number } | undefined;
  const look = () => {
    const nowMs = performance.now();
    if (found === undefined || nowMs - found.atMs > HOLDS_MS) {
      const looked = { checks: deps.examine(), atMs: Number.POSITIVE_INFINITY };
      found = looked;
      looked.checks.then(
        () => {
          looked.atMs = performance.now();
        },
        () => {
          // Whoever waits is told; the next one looks anew.
          if (found === looked) found = undefined;
        },
      );
    }
    return found.checks;
  };
  return async (app) => {
    app.get("/v1/doctor", { schema: { response: { 200: examinationSchema } } }, async () => {
      const checks = await look();
      return {
        ok: checks.every(({ status }) => status !== "fail"),
        checks: checks.map((check) => ({ ...check })),
      };
    });
  };
}
