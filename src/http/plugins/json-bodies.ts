import type { FastifyInstance } from "fastify";

import { isDeeperThan, MAX_DEPTH } from "../../domain/ground/nesting.ts";
import { Problem } from "../problem.ts";

/**
 * Takes JSON as the body of a request, and nothing else. What is no UTF-8 would be kept with other letters than were
 * sent, and what is nested without end breaks whoever walks it: both are refused before anybody sees them. No body is one without fields.
 */
export function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const text = textOf(body);
    if (text === undefined) done(refused("is not UTF-8: send it as that"));
    else if (isDeeperThan(text, MAX_DEPTH)) done(refused(`is nested deeper than ${MAX_DEPTH}`));
    else void parse(request, text, done);
  });
  // Whoever pauses a campaign in a hurry has nothing else to say.
  app.addHook("preValidation", async (request) => {
    const { config, schema } = request.routeOptions;
    if (schema?.body !== undefined && config.requestKey !== "list" && request.body === undefined)
      request.body = {};
  });
}

function textOf(body: string | Buffer): string | undefined {
  try {
    return typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function refused(problem: string): Problem {
  return new Problem({ status: 400, code: "invalid_request", detail: `the body ${problem}` });
}
