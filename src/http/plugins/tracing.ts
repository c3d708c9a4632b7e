import type { FastifyInstance, FastifyRequest } from "fastify";

import { Work, type Tracer } from "../../tracing/work.ts";

/** Those are asked every few seconds, and tell nothing of any work. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz"]);

/**
 * Makes each request a piece of work with a span, in the trace that its sender says (`traceparent`), by its route: addresses
 * hold phone numbers. What is sent there can only name a trace: nobody knows yet whose request it is, and whether the
 * trace is recorded is not theirs to say.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer | undefined): void {
  if (!tracer) return;
  const works = new WeakMap<FastifyRequest, Work>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { method, headers, routeOptions, protocol } = request;
    const route = routeOptions.url;
    if (UNTRACED.has(route)) return done();
    const { traceparent } = headers;
    const work = new Work({
      name: route === undefined ? method : `${method} ${route}`,
      kind: "server",
      attributes: { "http.request.method": method, "http.route": route, "url.scheme": protocol },
      traceParent: typeof traceparent === "string" ? traceparent : undefined,
      isTraceParentSent: true,
      tracer,
      begins: true,
    });
    works.set(request, work);
    work.run(done);
  });
  // A body comes by events of the socket, which know nothing of what is in hand.
  app.addHook("preValidation", (request, _reply, done) => {
    const work = works.get(request);
    if (work) work.run(done);
    else done();
  });
  app.addHook("onResponse", async (request, { statusCode }) => {
    const work = works.get(request);
    work?.note({}, { "http.response.status_code": statusCode });
    work?.end(statusCode >= 500 ? String(statusCode) : undefined);
  });
}
