/** Deployments that serve an operation under another route than the contract's. */
import { describe, expect, test } from "vitest";
import type { Platform } from "../../src/platform/index.ts";
import { clientOf, failureOf, json, type SeenRequest, startPlatform } from "./fake-platform.ts";

const create = (p: Platform) => p.workflows.create({ name: "w", trigger_type: "webhook", workflow_json: {} });
const list = (p: Platform) => p.workflows.list();
const schedules = (p: Platform) => p.workflows.schedules();

const lineOf = ({ method, path }: SeenRequest): string => `${method} ${path}`;

/** A platform that serves one route alone and answers others with a status. */
const serving = (route: string, otherwise: number, answer: unknown = { id: "w1" }) =>
  startPlatform((request, response) =>
    request.path === route
      ? json(response, 200, request.method === "GET" ? [] : answer)
      : json(response, otherwise, {}, { location: `https://elsewhere.example${request.path}/` }),
  );

describe("workflows with a trailing slash", () => {
  test.each([307, 308, 404, 405])(
    "are found where the contract's form answers %i, and asked there from then on",
    async (status) => {
      const server = await serving("/v1/workflows/", status);
      const platform = clientOf(server);
      expect((await create(platform)).workflow_id).toBe("w1");
      await create(platform);
      await list(platform);
      expect(server.seen.map(lineOf)).toEqual([
        "POST /v1/workflows",
        "POST /v1/workflows/",
        "POST /v1/workflows/",
        "GET /v1/workflows",
        "GET /v1/workflows/",
      ]);
      expect(JSON.parse(server.seen[1]?.body ?? "")).toMatchObject({ name: "w" });
    },
  );

  test.each([500, 503, 301, 302, 303])(
    "are not tried where a write may have happened: %i",
    async (status) => {
      const server = await serving("/v1/workflows/", status);
      expect(await failureOf(create(clientOf(server)))).toMatchObject({ effect: "may_have_happened" });
      expect(server.seen.length).toBe(1);
    },
  );

  test("are not tried where the contract's form is served and refuses", async () => {
    const server = await serving("/v1/workflows/", 422);
    expect(await failureOf(create(clientOf(server)))).toMatchObject({ code: "unprocessable" });
    expect(server.seen.length).toBe(1);
  });

  test("keep a path prefix and the query", async () => {
    const server = await serving("/api/v1/workflows/", 404);
    await clientOf(`${server.origin}/api`).workflows.list({ page: 2 });
    expect(server.seen.map((one) => [one.path, one.query])).toEqual([
      ["/api/v1/workflows", { page: "2" }],
      ["/api/v1/workflows/", { page: "2" }],
    ]);
  });

  test("where neither form is served, the contract's is in the error", async () => {
    const server = await serving("/nowhere", 404);
    expect(await failureOf(list(clientOf(server)))).toMatchObject({
      code: "not_found",
      route: "/v1/workflows",
    });
    expect(server.seen.length).toBe(2);
  });

  test("where the other form refuses, its reason is the error", async () => {
    const server = await startPlatform((request, response) =>
      json(response, request.path.endsWith("/") ? 403 : 404, {}),
    );
    expect(await failureOf(create(clientOf(server)))).toMatchObject({
      code: "forbidden",
      route: "/v1/workflows/",
    });
  });

  test("a deployment that goes back to the contract's form is followed", async () => {
    let route = "/v1/workflows/";
    const server = await startPlatform((request, response) =>
      request.path === route ? json(response, 200, []) : json(response, 404, {}),
    );
    const platform = clientOf(server);
    await list(platform);
    route = "/v1/workflows";
    await list(platform);
    await list(platform);
    expect(server.seen.map((one) => one.path)).toEqual([
      "/v1/workflows",
      "/v1/workflows/",
      "/v1/workflows/",
      "/v1/workflows",
      "/v1/workflows",
    ]);
  });
});

describe("the list of schedules", () => {
  test.each([404, 405, 422])("is found under /all where a route for ids answers %i", async (status) => {
    const server = await serving("/v1/workflows/schedules/all", status);
    expect(await schedules(clientOf(server))).toEqual([]);
    expect(server.seen.map(lineOf)).toEqual([
      "GET /v1/workflows/schedules",
      "GET /v1/workflows/schedules/all",
    ]);
  });
});

test("other operations have one form: a redirect is an error", async () => {
  const server = await serving("/v1/agents/", 307);
  expect(await failureOf(clientOf(server).agents.list())).toMatchObject({ code: "redirected" });
  expect(server.seen.length).toBe(1);
});
