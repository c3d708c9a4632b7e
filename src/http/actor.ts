import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { actorName, isOfCaller, type Caller } from "../domain/ground/access.ts";
import { stopActorOf } from "../domain/campaigns/stop-form.ts";
import { callerOf } from "./caller.ts";
import { letPass } from "./list-upload.ts";
import { Problem } from "./problem.ts";

/** Printable ASCII: the name stands in the audit for good. */
const ACTOR = /^[\x20-\x7e]{1,100}$/;

/**
 * Who is named in the audit: a token or a person by its name, with what the header `x-outdial-actor` says beside it. Whoever has the
 * token of the system itself is who the header says, or `api`.
 */
export function actorOf(request: FastifyRequest): string {
  const named = request.headers["x-outdial-actor"];
  if (named !== undefined && !(typeof named === "string" && ACTOR.test(named))) {
    throw new Problem({
      status: 422,
      code: "invalid_request",
      detail: "the header x-outdial-actor must be a name of 1 to 100 printable ASCII characters",
    });
  }
  const caller = callerOf(request);
  if (caller.kind === "system" && named !== undefined && isOfCaller(named)) {
    throw new Problem({
      status: 422,
      code: "invalid_request",
      detail:
        "the header x-outdial-actor must not begin with token:, link: or person: only whoever was found to be one is called by it",
    });
  }
  return nameOf(caller, named);
}

/** Takes any name, and makes it fit: a stop is a stop. */
const STOP_ROUTE = "/v1/stop-all";

/**
 * Refuses a name that can't be kept before anything is done for it, on every route that may change something: on those
 * that write no audit, and where an answer is given once more, too.
 */
export function judgeActors(app: FastifyInstance): void {
  app.addHook("preHandler", async (request) => {
    const { access, authenticatesItself } = request.routeOptions.config;
    if (request.headers["x-outdial-actor"] === undefined || isRead(request)) return;
    if (access?.role === undefined || authenticatesItself || request.routeOptions.url === STOP_ROUTE) return;
    try {
      actorOf(request);
    } catch (error) {
      // What is left of a list has to be read before its sender hears of it.
      if (request.body instanceof Readable) letPass(request);
      throw error;
    }
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** As `actorOf`, and never refused: what can't be kept is made fit. */
export function actorOfStop(request: FastifyRequest): string {
  const named = stopActorOf(request.headers["x-outdial-actor"]);
  const caller = callerOf(request);
  return nameOf(caller, named !== undefined && isOfCaller(named) ? `?${named}` : named);
}

function nameOf(caller: Caller, named: string | undefined): string {
  return caller.kind === "system"
    ? (named ?? "api")
    : actorName({ kind: caller.kind, name: caller.name }, named);
}
