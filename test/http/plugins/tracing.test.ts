import { fastify } from "fastify";
import { expect, it } from "vitest";

import { traceRequests } from "../../../src/http/plugins/tracing.ts";
import type { SpanBegin } from "../../../src/tracing/work.ts";

it("a trace that a request names is kept as its sender's word, and one that none names is not", async () => {
  const begun: SpanBegin[] = [];
  const app = fastify();
  traceRequests(app, {
    begin(span) {
      begun.push(span);
      const traceId = span.parent?.traceId ?? "a".repeat(32);
      return { traceParent: { traceId, spanId: "b".repeat(16), isSampled: false }, link() {}, end() {} };
    },
  });
  app.get("/v1/me", async () => ({}));
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  await app.inject({ url: "/v1/me", headers: { traceparent } });
  await app.inject({ url: "/v1/me", headers: { traceparent: "nonsense" } });
  await app.close();
  expect(begun.map(({ parent, isParentSent }) => [parent?.spanId, isParentSent])).toEqual([
    ["00f067aa0ba902b7", true],
    [undefined, false],
  ]);
});
