import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import type { Dialect } from "./dialect.ts";
import { ApiError } from "./errors.ts";

/** Names what a request asked for in vain, where that is let pass. */
const IGNORED_HEADER = "x-sandbox-ignored-query";

/** Of what a client makes up, so much is repeated to it: it has to fit into the head of an answer. */
const MOST_NAMES = 10;
const LONGEST_NAME = 50;

/**
 * The hook that passes over nothing in a query. A server of the kind that the platform is ignores a parameter that it
 * does not know; a client that misspells a filter then takes the whole list for its part. So such a request is refused,
 * but in the dialect of published clients: they may send what nobody here has seen, and are told in a header.
 */
export function checkQueryNames(dialect: Dialect) {
  const namesByQuery = new WeakMap<object, readonly string[]>();
  const namesOf = (query: unknown): readonly string[] => {
    if (typeof query !== "object" || query === null) {
      return [];
    }
    const known = namesByQuery.get(query) ?? namesIn(query);
    namesByQuery.set(query, known);
    return known;
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const known = namesOf(request.routeOptions.schema?.querystring);
    const unknown = Object.keys(request.query ?? {}).filter((name) => !known.includes(name));
    if (unknown.length === 0) {
      return;
    }
    // By characters: half of one can't be encoded.
    const shown = unknown
      .slice(0, MOST_NAMES)
      .map((name) => Array.from(name).slice(0, LONGEST_NAME).join(""));
    if (dialect === "published") {
      reply.header(IGNORED_HEADER, shown.map((name) => encodeURIComponent(name)).join(", "));
      return;
    }
    const takes = known.length === 0 ? "takes none" : `takes ${known.join(", ")}`;
    throw new ApiError(
      422,
      shown.map((name) => ({
        loc: ["query", name],
        msg: `Unknown query parameter: this operation ${takes}`,
        type: "extra_forbidden",
      })),
    );
  };
}

/** The names that the schema of a query has. */
function namesIn(schema: object): readonly string[] {
  if (schema instanceof z.ZodObject) {
    return Object.keys(schema.shape);
  }
  return schema instanceof z.ZodPipe && typeof schema.in === "object" ? namesIn(schema.in) : [];
}
