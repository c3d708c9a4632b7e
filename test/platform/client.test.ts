/**
 * What users of other clients expect of one: pages to go on from, headers of successes, retries and headers of one
 * request, raw requests, a proxy, a dispatcher or a fetch of their own, settings from the environment.
 */
import net, { connect } from "node:net";
import { createServer } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Agent } from "undici";
import { describe, expect, expectTypeOf, it, onTestFinished, test, vi } from "vitest";

import {
  type Call,
  createPlatform,
  type EndpointName,
  InvalidRequestError,
  isEndpointName,
  operations,
  type PlatformOptions,
  type WithResponse,
} from "../../src/platform/index.ts";
import { openBatchStream } from "../../src/platform/stream/batch-stream.ts";
import {
  BATCH,
  clientOf,
  failureOf,
  json,
  KEY,
  portOf,
  startPlatform,
  type SeenRequest,
} from "./fake-platform.ts";
import { uses } from "./uses.ts";

const rows = (count: number): { id: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `c${index}` }));

/** A platform with so many calls in pages. */
const withCalls = (count: number) =>
  startPlatform(({ query }, response) => {
    const [skip, limit] = [Number(query["skip"] ?? 0), Number(query["limit"] ?? 50)];
    json(response, 200, { items: rows(count).slice(skip, skip + limit), total: count });
  });

const idsOf = (calls: readonly Call[]) => calls.map((call) => call.call_id);

describe("the answer's own", () => {
  // A recording is read by its use.
  const names = Object.keys(uses)
    .filter(isEndpointName)
    .filter((name) => name !== "calls.recording");

  test.each(names)("%s tells its status, headers and request id", async (name: EndpointName) => {
    const server = await startPlatform((_, response) =>
      json(response, 201, uses[name].answer ?? {}, { "x-request-id": "req-7", "x-left": "9" }),
    );
    const sent: unknown = uses[name].use(clientOf(server));
    if (typeof sent !== "object" || sent === null || !("withResponse" in sent))
      throw new Error("no way to it");
    const { withResponse } = sent;
    if (typeof withResponse !== "function") throw new Error("no way to it");
    const told: WithResponse<unknown> = await Reflect.apply(withResponse, sent, []);
    expect(told).toMatchObject({ status: 201, requestId: "req-7", headers: { "x-left": "9" } });
    expect(told.data).toEqual(await Promise.resolve(sent));
    expect(server.seen).toHaveLength(1);
  });

  it("is there of a recording, too", async () => {
    const server = await startPlatform((_, response) => response.writeHead(206, { "x-a": "b" }).end("Ogg"));
    const { data, status, headers } = await clientOf(server).calls.recording("c").withResponse();
    expect([status, headers["x-a"], await text(data.body)]).toEqual([206, "b", "Ogg"]);
  });

  it("fails as the promise does, and is nobody's unhandled failure then", async () => {
    const unhandled = vi.fn<(reason: unknown) => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const server = await startPlatform((_, response) => json(response, 404, { detail: "gone" }));
    const platform = clientOf(server);
    expect(await failureOf(platform.calls.get("c").withResponse())).toMatchObject({ status: 404 });
    expect(await failureOf(platform.calls.end("c").withResponse())).toMatchObject({ status: 404 });
    expect(await failureOf(platform.calls.list().withResponse())).toMatchObject({ status: 404 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("the types say so", async () => {
    const platform = clientOf(await withCalls(0));
    expectTypeOf(platform.calls.get("c").withResponse()).resolves.toEqualTypeOf<WithResponse<Call>>();
    expectTypeOf(platform.calls.end("c").withResponse()).resolves.toEqualTypeOf<WithResponse<Call>>();
    expectTypeOf(platform.calls.delete("c").withResponse()).resolves.toEqualTypeOf<WithResponse<void>>();
    await platform.calls.list();
  });
});

describe("a page", () => {
  it("is walked on from, row by row and page by page", async () => {
    const server = await withCalls(7);
    const platform = clientOf(server);
    const page = await platform.calls.list({ limit: 3, skip: 1 });
    expect(page).toEqual({ items: expect.any(Array), total: 7 });
    expect(idsOf(page.items)).toEqual(["c1", "c2", "c3"]);
    const found: Call[] = [];
    for await (const call of page) found.push(call);
    expect(idsOf(found)).toEqual(["c1", "c2", "c3", "c4", "c5", "c6"]);
    const sizes: number[] = [];
    for await (const one of page.pages()) sizes.push(one.items.length);
    expect(sizes).toEqual([3, 3]);
    // What it has already is not asked for again.
    expect(server.seen.map(({ query }) => query["skip"])).toEqual(["1", "4", "4"]);
  });

  it("leads to the next one, until there is none", async () => {
    const server = await withCalls(5);
    const first = await clientOf(server).calls.list({ limit: 2 });
    const second = await first.next();
    const third = await second?.next();
    expect([second, third].map((page) => idsOf(page?.items ?? []))).toEqual([["c2", "c3"], ["c4"]]);
    expect(await third?.next()).toBeUndefined();
    expect(server.seen).toHaveLength(3);
  });

  it("goes on by its number where lists count pages", async () => {
    const server = await startPlatform(({ query }, response) => {
      const number = Number(query["page"]);
      json(response, 200, number > 4 ? [] : [{ id: `w${number}` }]);
    });
    const page = await clientOf(server).workflows.list({ page: 2, per_page: 1 });
    const found: string[] = [];
    for await (const one of page) found.push(one.workflow_id);
    expect(found).toEqual(["w2", "w3", "w4"]);
  });

  it("is gathered up to a bound, which says whether it left anything out", async () => {
    const server = await withCalls(120);
    const { calls } = clientOf(server);
    const some = await calls.list({ limit: 50 }).gather({ atMost: 70 });
    expect([some.items.length, some.isAll]).toEqual([70, false]);
    const all = await calls.list({ limit: 50 }).gather({ atMost: 120 });
    expect([all.items.length, all.isAll]).toEqual([120, true]);
    await expect(calls.list().gather({ atMost: 0 })).rejects.toThrow("atMost: must be a whole number from 1");
  });

  it("need not be waited for to be walked", async () => {
    const server = await withCalls(4);
    const found: Call[] = [];
    for await (const call of clientOf(server).calls.list({ limit: 3 })) found.push(call);
    expect(idsOf(found)).toEqual(["c0", "c1", "c2", "c3"]);
  });

  it("carries the options of its request to the pages behind it", async () => {
    const server = await withCalls(4);
    await clientOf(server)
      .calls.list({ limit: 2 }, { headers: { "X-Team": "north" } })
      .gather({ atMost: 9 });
    expect(server.seen.map(({ headers }) => headers["x-team"])).toEqual(["north", "north"]);
  });
});

describe("one request", () => {
  it("may be repeated, or not, whatever its client does", async () => {
    const server = await startPlatform((_, response, nth) => json(response, nth % 3 === 0 ? 200 : 503, []));
    const quick = { attempts: 3, baseDelayMs: 1, maxDelayMs: 1 };
    expect(await clientOf(server).calls.list({}, { retry: quick })).toMatchObject({ items: [] });
    expect(server.seen).toHaveLength(3);
    const eager = clientOf(server, { retry: quick });
    expect(await failureOf(eager.calls.list({}, { retry: "none" }))).toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(4);
    const never = failureOf(eager.calls.list({}, { retry: { attempts: 0 } }));
    expect((await never).fieldErrors).toMatchObject([{ field: "retry.attempts" }]);
  });

  it("is never repeated where it may have happened", async () => {
    const server = await startPlatform((_, response) => json(response, 502, {}));
    const retry = { attempts: 3, baseDelayMs: 1 };
    const failed = await failureOf(clientOf(server).batchCalls.start(BATCH, { retry }));
    expect(failed.effect).toBe("may_have_happened");
    expect(server.seen).toHaveLength(1);
  });

  it("carries headers of the client and its own, and none that would lie", async () => {
    const server = await startPlatform((_, response) => json(response, 200, { id: "c" }));
    const platform = clientOf(server, { headers: { "X-Team": "north", "user-agent": "crm/2" } });
    await platform.calls.get("c", { headers: { "x-team": "south", "x-trace": "t1" } });
    expect(server.seen[0]?.headers).toMatchObject({
      "x-team": "south",
      "x-trace": "t1",
      "user-agent": "crm/2",
      authorization: `Bearer ${KEY}`,
    });
    for (const name of ["Authorization", "host", "content-length", "bad name", "x:y"]) {
      const failed = await failureOf(platform.calls.get("c", { headers: { [name]: "1" } }));
      expect(failed, name).toBeInstanceOf(InvalidRequestError);
    }
    expect(await failureOf(platform.calls.get("c", { headers: { "x-a": "b\r\nhost: evil" } }))).toMatchObject(
      {
        effect: "did_not_happen",
      },
    );
    expect(server.seen).toHaveLength(1);
  });
});

describe("a raw request", () => {
  it("reaches what is in no table, with the client's key, and reads what comes", async () => {
    const server = await startPlatform((_, response) => json(response, 200, { ok: [1] }));
    const platform = createPlatform({ baseUrl: `${server.origin}/api`, apiKey: KEY });
    onTestFinished(() => platform.close());
    const made = await platform
      .request({
        method: "PUT",
        path: "/v1/rooms/{room_id}",
        params: { room_id: "a/b" },
        query: { full: true, none: undefined },
        body: { name: "x" },
      })
      .withResponse();
    expect(made).toMatchObject({ data: { ok: [1] }, status: 200 });
    expect(server.seen[0]).toMatchObject({
      method: "PUT",
      path: "/api/v1/rooms/a%2Fb",
      query: { full: "true" },
      body: '{"name":"x"}',
    });
  });

  it("says what it may have done, by the template", async () => {
    const server = await startPlatform((_, response) => json(response, 500, { detail: "no" }));
    const platform = clientOf(server);
    const asked = { path: "/v1/rooms/{id}", params: { id: "r" } } as const;
    const post = await failureOf(platform.request({ method: "POST", ...asked }));
    expect(post).toMatchObject({ effect: "may_have_happened", route: "/v1/rooms/{id}" });
    expect(await failureOf(platform.request({ method: "GET", ...asked }))).toMatchObject({ effect: "none" });
    const read = platform.request({ method: "POST", ...asked, access: "read" });
    expect(await failureOf(read)).toMatchObject({ effect: "none" });
  });

  test.each([
    ["v1/rooms", {}],
    ["/v1/../admin", {}],
    ["/v1/rooms?x=1", {}],
    ["//elsewhere.example.com/v1 ", {}],
    ["/v1/{id}", {}],
    ["/v1/{id}", { id: ".." }],
    ["/v1/rooms", { id: "x" }],
  ])("refuses the path %s with %o before anything is sent", async (at, params) => {
    const server = await startPlatform((_, response) => json(response, 200, {}));
    const failed = await failureOf(clientOf(server).request({ method: "GET", path: at, params }));
    expect(failed).toMatchObject({ code: "invalid_request", effect: "did_not_happen" });
    expect(server.seen).toHaveLength(0);
  });
});

/** A proxy that makes tunnels, and remembers to where and by whom it was asked. */
async function startProxy(): Promise<{ url: string; asked: string[]; credentials: string[] }> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket) => {
    asked.push(request.url ?? "");
    credentials.push(request.headers["proxy-authorization"] ?? "");
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [onward, socket]) end.on("error", () => socket.destroy());
    onTestFinished(() => void onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://me:p%40ss@127.0.0.1:${portOf(proxy)}`, asked, credentials };
}

describe("what sends the requests", () => {
  const answering = () => startPlatform((_, response) => json(response, 200, { id: "c", name: "n" }));

  it("may be a dispatcher of one's own, which stays open", async () => {
    const server = await answering();
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.close());
    const dispatched = vi.spyOn(dispatcher, "dispatch");
    const platform = clientOf(server, { dispatcher });
    expect(await platform.calls.get("c")).toMatchObject({ call_id: "c" });
    await platform.close();
    expect(dispatched).toHaveBeenCalledOnce();
    expect(dispatcher.closed).toBe(false);
  });

  it("may be a proxy, for requests and streams, with its password", async () => {
    const server = await answering();
    const proxy = await startProxy();
    const platform = clientOf(server, { proxy: proxy.url });
    await platform.calls.get("c");
    const states: unknown[] = [];
    const stream = platform.openBatchStream({
      batchCallId: BATCH,
      onHint: () => {},
      onState: (change) => states.push(change),
    });
    // The server speaks no WebSocket: that its refusal arrives is proof enough of the way.
    await expect.poll(() => states).toContainEqual(expect.objectContaining({ state: "waiting" }));
    await stream.close();
    const target = server.origin.replace("http://", "");
    expect(proxy.asked).toContain(target);
    expect(proxy.asked.every((one) => one === target)).toBe(true);
    const basic = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    expect(new Set(proxy.credentials)).toEqual(new Set([basic]));
  });

  it("may be a proxy that says nothing: a stream that waits for it leaves no connection to it", async () => {
    const sockets = new Set<net.Socket>();
    let asked = 0;
    const silent = net.createServer((socket) => {
      sockets.add(socket);
      asked += 1;
      socket.resume();
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const stream = openBatchStream({
      batchCallId: BATCH,
      wsUrl: "ws://127.0.0.1:9",
      apiKey: "sk-1",
      proxy: new URL(`http://127.0.0.1:${(silent.address() as net.AddressInfo).port}`),
      timing: { handshakeMs: 50, backoffBaseMs: 200, backoffMaxMs: 200 },
      onHint: () => {},
    });
    await expect.poll(() => asked).toBeGreaterThanOrEqual(3);
    await stream.close();
    await expect.poll(() => sockets.size).toBe(0);
  });

  it("may be a fetch: bodies, headers, answers and errors are the same", async () => {
    const server = await startPlatform((request, response) => {
      if (request.path.endsWith("/end")) json(response, 409, { detail: "over" });
      else json(response, 200, { id: "c" }, { "x-request-id": "r1" });
    });
    const fetched: string[] = [];
    const platform = clientOf(server, {
      fetch: (url, init) => {
        fetched.push(url);
        return fetch(url, init);
      },
    });
    const { requestId, data } = await platform.calls
      .test({ agent_id: "a", dynamic_variables: { name: "Ann" } })
      .withResponse();
    expect([requestId, data.call_id]).toEqual(["r1", "c"]);
    expect(server.seen[0]).toMatchObject({ body: '{"agent_id":"a","dynamic_variables":{"name":"Ann"}}' });
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(await failureOf(platform.calls.end("c"))).toMatchObject({ status: 409, detail: "over" });
    await platform.knowledgeBases.addDocument("k", {
      data: new Uint8Array(200_000).fill(97),
      filename: "a.txt",
    });
    expect(server.seen.at(-1)?.body.length).toBeGreaterThan(200_000);
    expect(fetched).toHaveLength(3);
  });

  it("counts a request as sent once a fetch was called, and holds its times", async () => {
    const hanging: PlatformOptions["fetch"] = (_url, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("given up")));
      });
    const slow = clientOf("http://127.0.0.1:9", { fetch: hanging });
    const late = await failureOf(slow.batchCalls.start(BATCH, { timeoutMs: 30 }));
    expect(late).toMatchObject({ code: "timeout", effect: "may_have_happened" });
    const refused = clientOf("http://127.0.0.1:9", { fetch });
    expect(await failureOf(refused.batchCalls.start(BATCH))).toMatchObject({
      code: "connection",
      effect: "may_have_happened",
    });
  });

  it("is one of them alone, and an address where it must be one", () => {
    const options = { baseUrl: "http://127.0.0.1:9", apiKey: KEY };
    const both = () => createPlatform({ ...options, fetch, proxy: "http://127.0.0.1:3128" });
    expect(both).toThrow("proxy and fetch: can't be combined");
    expect(() => createPlatform({ ...options, proxy: "127.0.0.1:3128" })).toThrow(
      "proxy: must be an http://",
    );
  });
});

describe("the environment", () => {
  const folder = () => {
    const made = mkdtempSync(path.join(os.tmpdir(), "outdial-client-"));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };

  const asked = async (variables: Record<string, string>, options: PlatformOptions = {}) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const platform = createPlatform(options);
    onTestFinished(() => platform.close());
    await platform.calls.get("c");
    return platform;
  };

  it("says where the platform is and by which key, unless an option does", async () => {
    const seen: SeenRequest[] = [];
    const server = await startPlatform((request, response) => {
      seen.push(request);
      json(response, 200, { id: "c" });
    });
    const file = path.join(folder(), "key");
    writeFileSync(file, "from-a-file\n");
    await asked({ PLATFORM_BASE_URL: server.origin, PLATFORM_API_KEY: "from-there" });
    await asked({ PLATFORM_API_KEY: "", PLATFORM_API_KEY_FILE: file });
    await asked({ PLATFORM_BASE_URL: "http://127.0.0.1:9" }, { baseUrl: server.origin, apiKey: "given" });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer from-there",
      "Bearer from-a-file",
      "Bearer given",
    ]);
  });

  it("is named where it has nothing, and nothing of a key is", () => {
    for (const name of ["PLATFORM_BASE_URL", "PLATFORM_API_KEY", "PLATFORM_API_KEY_FILE"])
      vi.stubEnv(name, "");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => createPlatform()).toThrow("PLATFORM_API_KEY");
    expect(() => createPlatform({ apiKey: KEY })).toThrow("PLATFORM_BASE_URL");
    vi.stubEnv("PLATFORM_API_KEY_FILE", "/nowhere/at/all");
    expect(() => createPlatform({ baseUrl: "http://127.0.0.1:9" })).toThrow("can't be read from the file");
  });
});

test("every operation of the table has a use above", () => {
  expect(Object.keys(uses).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
});
