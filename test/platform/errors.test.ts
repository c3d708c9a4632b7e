import { describe, expect, test } from "vitest";
import * as platformModule from "../../src/platform/index.ts";
import { effectOfStatus } from "../../src/platform/effect.ts";
import { A_BATCH, BATCH, clientOf, failureOf, json, KEY, startPlatform } from "./fake-platform.ts";

const statuses = [
  { status: 401, class: platformModule.UnauthorizedError, code: "unauthorized", onWrite: "did_not_happen" },
  {
    status: 402,
    class: platformModule.PaymentRequiredError,
    code: "payment_required",
    onWrite: "did_not_happen",
  },
  { status: 403, class: platformModule.ForbiddenError, code: "forbidden", onWrite: "did_not_happen" },
  { status: 404, class: platformModule.NotFoundError, code: "not_found", onWrite: "did_not_happen" },
  { status: 409, class: platformModule.ConflictError, code: "conflict", onWrite: "did_not_happen" },
  { status: 422, class: platformModule.UnprocessableError, code: "unprocessable", onWrite: "did_not_happen" },
  { status: 429, class: platformModule.RateLimitedError, code: "rate_limited", onWrite: "did_not_happen" },
  {
    status: 500,
    class: platformModule.InternalServerError,
    code: "internal_error",
    onWrite: "may_have_happened",
  },
  { status: 502, class: platformModule.BadGatewayError, code: "bad_gateway", onWrite: "may_have_happened" },
  { status: 503, class: platformModule.UnavailableError, code: "unavailable", onWrite: "may_have_happened" },
  {
    status: 504,
    class: platformModule.GatewayTimeoutError,
    code: "gateway_timeout",
    onWrite: "may_have_happened",
  },
  { status: 307, class: platformModule.RedirectedError, code: "redirected", onWrite: "did_not_happen" },
  { status: 302, class: platformModule.RedirectedError, code: "redirected", onWrite: "may_have_happened" },
  {
    status: 400,
    class: platformModule.UnexpectedStatusError,
    code: "unexpected_status",
    onWrite: "did_not_happen",
  },
  {
    status: 408,
    class: platformModule.UnexpectedStatusError,
    code: "unexpected_status",
    onWrite: "may_have_happened",
  },
  {
    status: 418,
    class: platformModule.UnexpectedStatusError,
    code: "unexpected_status",
    onWrite: "may_have_happened",
  },
  {
    status: 501,
    class: platformModule.UnexpectedStatusError,
    code: "unexpected_status",
    onWrite: "may_have_happened",
  },
] as const;

describe.each(statuses)("status $status", ({ status, class: expected, code, onWrite }) => {
  test(`is a ${expected.name} that says what a write may have done (${onWrite}), and that a read did nothing`, async () => {
    const headers = { "x-request-id": "req-1", location: "https://elsewhere.example/x?token=secret" };
    const server = await startPlatform((_, response) =>
      json(response, status, { detail: "no luck" }, headers),
    );
    const platform = clientOf(server);

    const write = await failureOf(platform.batchCalls.start(BATCH));
    expect(write).toBeInstanceOf(expected);
    expect(write).toMatchObject({ code, status, effect: onWrite, detail: "no luck", requestId: "req-1" });
    expect(write).toMatchObject({
      method: "POST",
      route: "/v1/batch-calls/{batch_id}/start",
      name: expected.name,
    });
    expect(write.message).toContain("POST /v1/batch-calls/{batch_id}/start: answered " + status);
    expect(write.message).toContain(onWrite === "did_not_happen" ? "did not happen" : "may have happened");

    const read = await failureOf(platform.batchCalls.get(BATCH));
    expect(read).toBeInstanceOf(expected);
    expect(read.effect).toBe("none");
    expect(`${write.message}${read.message}`).not.toContain("secret");
    expect(server.seen.length).toBe(2); // Nothing was repeated, no redirect was followed.
  });
});

test("a write is only called undone for statuses that say so", () => {
  const undone = Array.from({ length: 400 }, (_, index) => index + 200).filter(
    (status) => effectOfStatus("write", status) === "did_not_happen",
  );
  expect(undone).toEqual([
    307, 308, 400, 401, 402, 403, 404, 405, 409, 411, 413, 414, 415, 421, 422, 426, 428, 429, 431,
  ]);
});

test("a redirect's error names where it points, without its query", async () => {
  const server = await startPlatform((_, response) => {
    response.writeHead(308, { location: "https://elsewhere.example/v1/?token=secret" }).end();
  });
  const error = await failureOf(clientOf(server).billing.balance());
  expect(error.message).toBe(
    "GET /v1/billing/balance: answered 308 with a redirect to https://elsewhere.example/v1/, which is not followed",
  );
});

test("the platform's field errors are handed on by field, without what was sent in", async () => {
  const detail = [
    {
      loc: ["body", "contacts", 3, "phone_number"],
      msg: "not E.164: +12025550123",
      type: "v",
      input: "+12025550123",
    },
    { loc: ["query", "limit"], msg: "too large", type: "v" },
    "something else",
  ];
  const server = await startPlatform((_, response) => json(response, 422, { detail }));
  const error = await failureOf(clientOf(server).batchCalls.create(A_BATCH));
  expect(error.fieldErrors).toEqual([
    { field: "body.contacts.3.phone_number", message: "not E.164: +12***23" },
    { field: "query.limit", message: "too large" },
    { field: "?", message: "something else" },
  ]);
  expect(error.message).toContain("query.limit: too large");
});

test.each([
  ["FastAPI's detail", '{"detail":"Agent not published"}', "Agent not published"],
  ["a detail with a message", '{"detail":{"message":"Agent not published"}}', "Agent not published"],
  ["a proxy's message", '{"message":"upstream gone"}', "upstream gone"],
  ["an error object", '{"error":{"message":"upstream gone"}}', "upstream gone"],
  ["plain text", "upstream\n gone", "upstream gone"],
  ["a JSON text", '"upstream gone"', "upstream gone"],
  ["an HTML page", "<html>gone</html>", undefined],
  ["an empty body", "", undefined],
  ["JSON without words", '{"detail":{"a":1}}', undefined],
  ["null", "null", undefined],
])("%s becomes the detail", async (_, body, detail) => {
  const server = await startPlatform((_request, response) => {
    response.writeHead(409).end(body);
  });
  expect((await failureOf(clientOf(server).batchCalls.get(BATCH))).detail).toBe(detail);
});

test("neither key nor phone number gets from an answer into an error", async () => {
  const server = await startPlatform((_, response) =>
    json(response, 403, { detail: `key ${KEY} may not call +1 (202) 555-0123 with Bearer abc.def` }),
  );
  const error = await failureOf(clientOf(server).batchCalls.start(BATCH));
  expect(error.detail).toBe("key *** may not call +12***23 with Bearer ***");
  expect(JSON.stringify(error) + error.message + error.stack).not.toMatch(/sk_test|5550123|abc\.def/);
});

test("an endless error page is cut off, and its status still counts", async () => {
  const server = await startPlatform((_, response) => {
    response.writeHead(409);
    const pour = (): void => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
    };
    response.on("drain", pour);
    pour();
  });
  const error = await failureOf(clientOf(server).batchCalls.start(BATCH));
  expect(error).toMatchObject({ code: "conflict", effect: "did_not_happen", detail: undefined });
});

test("a connection that breaks inside an error's body does not hide the status", async () => {
  const server = await startPlatform((_, response) => {
    response.writeHead(429, { "content-length": "1000", "retry-after": "7" });
    response.write("{");
    setTimeout(() => response.destroy(), 20);
  });
  const error = await failureOf(clientOf(server).batchCalls.start(BATCH));
  expect(error).toMatchObject({ code: "rate_limited", effect: "did_not_happen", retryAfterMs: 7_000 });
});

describe("a successful answer that is not what it must be", () => {
  const garbage: readonly [string, string][] = [
    ["HTML", "<html>welcome</html>"],
    ["half a JSON text", '{"batch_call_id": "x'],
    ["a list instead of a record", "[]"],
    ["a text", '"ok"'],
    ["a record without its id", '{"status":"queued"}'],
    ["an empty body", ""],
    ["null", "null"],
  ];
  test.each(garbage)("%s: says that the write may have happened", async (_, body) => {
    const server = await startPlatform((_request, response) => {
      response.writeHead(200).end(body);
    });
    const platform = clientOf(server);
    const write = await failureOf(platform.batchCalls.create(A_BATCH));
    expect(write).toMatchObject({ code: "unexpected_response", status: 200, effect: "may_have_happened" });
    const read = await failureOf(platform.batchCalls.get(BATCH));
    expect(read).toMatchObject({ code: "unexpected_response", effect: "none" });
    expect(read.message).not.toContain("welcome");
  });

  test("an answer larger than the bound is given up, with its size named", async () => {
    const server = await startPlatform((_, response) => json(response, 200, { id: "x".repeat(2_000) }));
    const error = await failureOf(clientOf(server, { maxResponseBytes: 1_000 }).batchCalls.get(BATCH));
    expect(error).toBeInstanceOf(platformModule.UnexpectedResponseError);
    expect(error.message).toContain("more than 1000 bytes");
  });

  test("the error names the field that is wrong and not what stood in it", async () => {
    const items = [{ agent_id: "1" }, { agent_id: "2", is_published: { a: "+12025550123" } }];
    const server = await startPlatform((_, response) => json(response, 200, { items, total: 2 }));
    const error = await failureOf(clientOf(server).agents.list());
    expect(error.message).toContain("items.1.is_published");
    expect(error.message).not.toContain("5550123");
  });
});
