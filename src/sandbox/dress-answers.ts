import type { FastifyRequest } from "fastify";

import { dressOf } from "./dialect.ts";

type Dress = ReturnType<typeof dressOf>;

/** The hook that shows answers in the dialect of published clients, by the schema of their route and status. */
export function dressAnswers() {
  const dresses = new WeakMap<object, Dress>();
  return async (request: FastifyRequest, reply: { readonly statusCode: number }, payload: unknown) => {
    const responses = request.routeOptions.schema?.response;
    const schema: unknown =
      typeof responses === "object" && responses !== null ? Reflect.get(responses, reply.statusCode) : null;
    if (typeof schema !== "object" || schema === null) {
      return payload;
    }
    let dress = dresses.get(schema);
    if (dress === undefined) {
      dress = dressOf(schema);
      dresses.set(schema, dress);
    }
    return dress === null ? payload : dress(payload);
  };
}
