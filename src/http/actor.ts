import type { FastifyRequest } from "fastify";

import { Problem } from "./problem.ts";

/** Printable ASCII: the name stands in the audit for good. */
const ACTOR = /^[\x20-\x7e]{1,100}$/;

/** Who is named in the audit: the header `x-outdial-actor`, or `api`. */
export function actorOf(request: FastifyRequest): string {
  const named = request.headers["x-outdial-actor"];
  if (named === undefined) return "api";
  if (typeof named === "string" && ACTOR.test(named)) return named;
  throw new Problem({
    status: 422,
    code: "invalid_request",
    detail: "the header x-outdial-actor must be a name of 1 to 100 printable ASCII characters",
  });
}
