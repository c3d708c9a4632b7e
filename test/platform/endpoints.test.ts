import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type EndpointName, endpoints, operationOf, operations } from "../../src/platform/index.ts";
import { BATCH, clientOf, json, KEY, startPlatform } from "./fake-platform.ts";
import { uses } from "./uses.ts";

const names = Object.keys(endpoints).filter((name): name is EndpointName => name in endpoints);

/** The operations of the contract's tables, and those that platform clients use beside them. */
const COUNTS = {
  agents: 12,
  calls: 8,
  phoneNumbers: 6,
  sipConnections: 5,
  dispatchRules: 1,
  batchCalls: 10,
  workflows: 24,
  analytics: 3,
  billing: 9,
  config: 4,
  knowledgeBases: 6,
  apiKeys: 7,
  chat: 2 + 4,
};

describe("every operation", () => {
  test.each(names)("%s sends its method, path, query and body, with the key", async (name) => {
    const { use, line, body, answer = {} } = uses[name];
    const server = await startPlatform((_, response) => json(response, 200, answer));
    await use(clientOf(server));
    const [one] = server.seen;
    const search = new URLSearchParams(one?.query).toString();
    expect(`${one?.method} ${one?.path}${search === "" ? "" : `?${search}`}`).toBe(line);
    expect(one?.headers.authorization).toBe(`Bearer ${KEY}`);
    if (name === "knowledgeBases.addDocument") return;
    expect(one?.body === "" ? undefined : JSON.parse(one?.body ?? "")).toEqual(body);
    expect(one?.headers["content-type"]).toBe(body === undefined ? undefined : "application/json");
  });

  test("goes to the base URL's path", async () => {
    const server = await startPlatform((_, response) => json(response, 200, {}));
    for (const prefix of ["", "/", "/api", "/api/"]) {
      const platform = clientOf(server.origin + prefix);
      await platform.agents.delete("a1");
      await platform.batchCalls.pause("b1");
    }
    const paths = ["/v1/agents/a1", "/v1/batch-calls/b1/pause"];
    const under = paths.map((path) => `/api${path}`);
    expect(server.seen.map((one) => one.path)).toEqual([...paths, ...paths, ...under, ...under]);
  });

  test("stands in the table once, as many as the contract has", () => {
    const found: Record<string, number> = {};
    for (const { resource } of operations) found[resource] = (found[resource] ?? 0) + 1;
    expect(found).toEqual(COUNTS);
    const lines = operations.map(({ endpoint }) => `${endpoint.method} ${endpoint.route}`);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe("the table of operations", () => {
  test("says of every delete and of everything that calls phones that a person should be asked", () => {
    const asking = operations.filter(({ asks }) => asks === "deletes").map(({ name }) => name);
    expect(asking).toEqual(names.filter((name) => endpoints[name].method === "DELETE"));
    const dialing = operations.filter(({ asks }) => asks === "dials").map(({ name }) => name);
    expect(dialing).toEqual(["calls.phone", "batchCalls.start", "batchCalls.resume"]);
  });

  test("names path parameters in the path's order, with rules where they are more than ids", () => {
    expect(Object.keys(operationOf("sipConnections.get").params.shape)).toEqual(["id", "connection_id"]);
    expect(Object.keys(operationOf("agents.list").params.shape)).toEqual([]);
    expect(operationOf("config.category").params.safeParse({ category: "video" }).success).toBe(false);
  });

  test("can be described to a reader: every rule is a JSON schema, with the fields' own names", () => {
    for (const { params, query, body } of operations) {
      for (const rules of [params, query, body]) {
        if (rules === undefined || rules === "multipart") continue;
        expect(z.toJSONSchema(rules, { io: "input" })).toMatchObject({ type: "object" });
      }
    }
    const { body } = operationOf("agents.create");
    if (body === undefined || body === "multipart") throw new Error("no rules");
    expect(z.toJSONSchema(body, { io: "input" })).toMatchObject({
      required: ["agent_name"],
      properties: {
        agent_name: { minLength: 1, maxLength: 255 },
        temperature: { minimum: 0, maximum: 2 },
        agent_type: { enum: ["orchestration_agent", "realtime_agent"] },
      },
    });
  });

  test("lets any operation be sent without knowing it", async () => {
    for (const name of names) {
      if (name === "knowledgeBases.addDocument" || name === "calls.recording") continue;
      const { line, body, answer = {} } = uses[name];
      const server = await startPlatform((_, response) => json(response, 200, answer));
      const entry = operationOf(name);
      const [method = "", target = ""] = line.split(" ");
      const [path = "", search] = target.split("?");
      const sent =
        body !== undefined && "name" in Object(body) && name.startsWith("agents.")
          ? rename(name, body)
          : body;
      await clientOf(server).send(name, {
        params: paramsIn(entry.endpoint.route, path),
        query: search === undefined ? undefined : coerced(search, Object.values(entry.alsoAs ?? {})),
        body: sent,
      });
      expect(`${server.seen[0]?.method} ${server.seen[0]?.path}`).toBe(`${method} ${path}`);
      expect(server.seen[0]?.query).toEqual(Object.fromEntries(new URLSearchParams(search)));
    }
  });
});

/** The create and update forms of an agent call its name otherwise than the wire. */
function rename(name: EndpointName, body: unknown): unknown {
  if (name === "agents.import") return body;
  const { name: agentName, ...rest } = Object(body);
  return { agent_name: agentName, ...rest };
}

function paramsIn(route: string, path: string): Record<string, string> {
  const values = path.split("/");
  const parts = route.split("/").entries();
  return Object.fromEntries(
    [...parts].flatMap(([index, part]) =>
      part.startsWith("{") ? [[part.slice(1, -1), values[index] ?? ""]] : [],
    ),
  );
}

/** The query that a caller gives. The client itself adds the other names of a field. */
function coerced(search: string, added: readonly string[]): Record<string, unknown> {
  const typed = (text: string): unknown =>
    text === "true" ? true : /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  const given = [...new URLSearchParams(search)].filter(([field]) => !added.includes(field));
  return Object.fromEntries(given.map(([field, text]) => [field, typed(text)]));
}

test("only filters that were given travel in the query", async () => {
  const server = await startPlatform((_, response) => json(response, 200, []));
  const platform = clientOf(server);
  await platform.calls.list({ batch_call_id: BATCH, from_date: "2026-03-05T10:00:00+02:00", limit: 25 });
  await platform.batchCalls.items(BATCH, { skip: 100, status: undefined });
  await platform.phoneNumbers.list();
  expect(server.seen.map((one) => one.query)).toEqual([
    { batch_call_id: BATCH, from_date: "2026-03-05T10:00:00+02:00", limit: "25" },
    { skip: "100" },
    {},
  ]);
});

test("an id stays inside its path segment", async () => {
  const server = await startPlatform((_, response) => json(response, 200, { id: "x" }));
  await clientOf(server).agents.get("a/../b?c=d#e f%2e");
  expect(server.seen[0]?.path).toBe("/v1/agents/a%2F..%2Fb%3Fc%3Dd%23e%20f%252e");
});
