import { createServer as createTlsServer } from "node:tls";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";

import { afterEach, describe, expect, it } from "vitest";

import { createOutbound } from "../../src/outbound/client.ts";
import type { Lookup } from "../../src/outbound/connector.ts";
import { OutboundError, OutboundRefusedError } from "../../src/outbound/errors.ts";
import type { Outbound, OutboundRequest } from "../../src/outbound/outbound.ts";
import { startRawServer, startReceiver } from "./receiver.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function opened<T extends { close(): Promise<void> }>(resource: T): T {
  closing.push(() => resource.close());
  return resource;
}

function outbound(allow: readonly string[], lookup?: Lookup): Outbound {
  return opened(createOutbound({ allow, ...(lookup && { lookup }) }));
}

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "application/json" },
  body: '{"a":1}',
  timeoutMs: 10_000,
  ...more,
});

async function failure(request: Promise<unknown>): Promise<Error> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("the request did not fail");
  return error;
}

const resolvesTo =
  (...addresses: string[]): Lookup =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));

describe("a request to an allowed address", () => {
  it("arrives as it was meant, and its answer comes back without cookies", async () => {
    const receiver = opened(
      await startReceiver((response) =>
        response
          .writeHead(201, { "set-cookie": "session=hidden", "x-thing": ["first", "second"] })
          .end("thanks \0 ü"),
      ),
    );
    const answer = await outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${receiver.port}/hook?a=b`));
    expect(answer).toMatchObject({ status: 201, body: "thanks \uFFFD ü", retryAfterMs: undefined });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect(receiver.received).toMatchObject([
      { method: "POST", url: "/hook?a=b", body: '{"a":1}', headers: { "user-agent": "outdial" } },
    ]);
  });

  it.each(["127.0.0.0/8", "::ffff:127.0.0.1"])("is sent where %s is allowed", async (allowed) => {
    const receiver = opened(await startReceiver((response) => response.end()));
    const answer = await outbound([allowed]).request(post(`http://127.0.0.1:${receiver.port}/`));
    expect(answer.status).toBe(200);
  });

  it("goes to the address that was checked, under the name that was asked for", async () => {
    const receiver = opened(await startReceiver((response) => response.end()));
    const client = outbound(["Receiver.TEST."], resolvesTo("127.0.0.1"));
    await client.request(post(`http://receiver.test:${receiver.port}/`));
    expect(receiver.received[0]?.headers.host).toBe(`receiver.test:${receiver.port}`);
  });

  it("shows the name to a TLS server, and believes no certificate that is not that name's", async () => {
    const names: string[] = [];
    const server = createTlsServer({
      SNICallback: (name, done) => {
        names.push(name);
        done(new Error("no certificate"));
      },
    });
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    closing.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
        }),
    );
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const client = outbound(["receiver.test"], resolvesTo("127.0.0.1"));
    const error = await failure(client.request(post(`https://receiver.test:${port}/`)));
    expect(names).toEqual(["receiver.test"]);
    expect(error).toMatchObject({ kind: "connection", effect: "did_not_happen" });
  });
});

describe("a request to an address that is not allowed", () => {
  it.each([
    ["http://127.0.0.1:1/", "this machine itself"],
    ["https://[::1]/", "this machine itself"],
    ["https://10.1.2.3/", "in a private network"],
    ["https://169.254.169.254/latest/meta-data/", "link-local"],
    ["https://[fd00::1]/", "in a private network"],
    ["https://0/", "unspecified"],
    ["http://93.184.215.14/", "must be reached by https"],
  ])("to %s is refused and told how to allow it", async (url, told) => {
    const error = await failure(outbound([]).request(post(url)));
    expect(error).toBeInstanceOf(OutboundRefusedError);
    expect(error.message).toContain(told);
    expect(error.message).toContain("OUTDIAL_OUTBOUND_ALLOW");
  });

  it("by a name that leads to a private network is refused, with the address", async () => {
    const client = outbound([], resolvesTo("10.0.0.7"));
    const error = await failure(client.request(post("https://innocent.example/")));
    expect(error).toBeInstanceOf(OutboundRefusedError);
    expect(error).toMatchObject({ host: "innocent.example", address: "10.0.0.7" });
  });

  it("by a name of which one address is private is refused", async () => {
    const client = outbound([], resolvesTo("93.184.215.14", "::ffff:192.168.0.1"));
    expect(await failure(client.request(post("https://mixed.example/")))).toBeInstanceOf(
      OutboundRefusedError,
    );
  });

  it("by an allowed name does not reach the credentials of a cloud's machine", async () => {
    const client = outbound(["receiver.test"], resolvesTo("169.254.169.254"));
    const error = await failure(client.request(post("http://receiver.test/latest/meta-data/")));
    expect(error).toBeInstanceOf(OutboundRefusedError);
  });

  it("is refused where the name leads elsewhere than a moment ago", async () => {
    const receiver = opened(
      await startReceiver((response) => response.writeHead(200, { connection: "close" }).end()),
    );
    const answers = ["127.0.0.1", "127.0.0.1", "169.254.169.254"];
    let asked = 0;
    const client = outbound(["receiver.test"], (host) => {
      asked += 1;
      return resolvesTo(answers[asked - 1] ?? "10.0.0.1")(host);
    });
    const url = `http://receiver.test:${receiver.port}/`;
    await client.request(post(url));
    await client.request(post(url));
    expect(await failure(client.request(post(url)))).toBeInstanceOf(OutboundRefusedError);
    // Once a connection: nobody asks again between the check and the connection.
    expect(asked).toBe(3);
    expect(receiver.received).toHaveLength(2);
  });

  it.each([
    ["ftp://example.com/", {}, "ftp: is not allowed"],
    ["file:///etc/passwd", {}, "file: is not allowed"],
    ["example.com/hook", {}, "is not a URL"],
    ["https://user:hidden@example.com/", {}, "user name or password"],
    ["https://example.com/", { headers: { Host: "other.example" } }, "header Host can't be set"],
    ["https://example.com/", { headers: { "transfer-encoding": "chunked" } }, "can't be set"],
    ["https://example.com/", { headers: { "x-a": "b\r\nx-c: hidden" } }, "line break"],
    ["https://example.com/", { headers: { "x a": "hidden" } }, "header's name"],
    ["https://example.com/", { headers: { "x-a": "h".repeat(20_000) } }, "16384 at most"],
    ["https://example.com/", { body: "ü".repeat(131_073) }, "262144 at most"],
  ])("as %s %j says what is wrong", async (url, more, told) => {
    const error = await failure(outbound([]).request(post(url, more)));
    expect(error).toBeInstanceOf(OutboundRefusedError);
    expect(error.message).toContain(told);
    expect(inspect(error)).not.toContain("hidden");
  });
});

describe("a redirect", () => {
  const signed = { headers: { "webhook-signature": "v1,hidden" } };

  it("within the same origin is followed, with method, headers and body", async () => {
    const receiver = opened(
      await startReceiver((response, { url }) =>
        url === "/old" ? response.writeHead(308, { location: "/new" }).end() : response.end("moved"),
      ),
    );
    const answer = await outbound(["127.0.0.1"]).request(
      post(`http://127.0.0.1:${receiver.port}/old`, signed),
    );
    expect(answer).toMatchObject({ status: 200, body: "moved" });
    expect(receiver.received[1]).toMatchObject({ method: "POST", body: '{"a":1}', ...signed });
  });

  it.each([
    [307, "http://169.254.169.254/latest/?token=hidden", "http://169.254.169.254/latest/?..."],
    [308, "http://user:hidden@127.0.0.1:1/", "http://127.0.0.1:1/"],
    [307, "//elsewhere.example/", "http://elsewhere.example/"],
    [302, "/same-origin", undefined],
    [307, "http://", undefined],
  ])("%i to %s is the answer, and nobody else hears of it", async (status, location, shown) => {
    const receiver = opened(
      await startReceiver((response) => response.writeHead(status, { location }).end()),
    );
    const answer = await outbound(["127.0.0.1", "10.0.0.1"]).request(
      post(`http://127.0.0.1:${receiver.port}/`, signed),
    );
    expect(answer.status).toBe(status);
    if (shown !== undefined) expect(answer.headers["location"]).toBe(shown);
    expect(inspect(answer)).not.toContain("hidden");
    expect(receiver.received).toHaveLength(1);
  });

  it("that leads round in circles ends after three", async () => {
    const receiver = opened(
      await startReceiver((response) => response.writeHead(307, { location: "/again" }).end()),
    );
    const answer = await outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${receiver.port}/`));
    expect(answer.status).toBe(307);
    expect(receiver.received).toHaveLength(4);
  });

  it("whose name has moved into a private network meanwhile is refused", async () => {
    const receiver = opened(
      await startReceiver((response) =>
        response.writeHead(307, { location: "/next", connection: "close" }).end(),
      ),
    );
    let asked = 0;
    const client = outbound(["receiver.test"], (host) => {
      asked += 1;
      return resolvesTo(asked === 1 ? "127.0.0.1" : "169.254.169.254")(host);
    });
    const error = await failure(client.request(post(`http://receiver.test:${receiver.port}/`)));
    expect(error).toBeInstanceOf(OutboundRefusedError);
    expect(receiver.received).toHaveLength(1);
  });
});

describe("an answer that is no pleasure", () => {
  const respond = (text: string) => (socket: { write(text: string): void }) => socket.write(text);

  it.each([
    ["429", "120", 120_000],
    ["503", "999999999", 86_400_000],
    ["503", "Wed, 21 Oct 2026 07:28:30 GMT", 30_000],
    ["503", "Wed, 21 Oct 2026 07:00:00 GMT", 0],
    ["429", "soon", undefined],
    ["429", "-5", undefined],
    ["500", "120", undefined],
  ])("%s with Retry-After %s waits %s ms", async (status, retryAfter, waitMs) => {
    const receiver = opened(
      await startReceiver((response) =>
        response
          .writeHead(Number(status), { "retry-after": retryAfter, date: "Wed, 21 Oct 2026 07:28:00 GMT" })
          .end(),
      ),
    );
    const answer = await outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${receiver.port}/`));
    expect(answer).toMatchObject({ status: Number(status), retryAfterMs: waitMs });
  });

  it("is read to its bound and no further, however long it is", async () => {
    let wrote = 0;
    const server = opened(
      await startRawServer((socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const more = () => {
          while (!socket.destroyed && socket.write("x".repeat(16_384))) wrote += 16_384;
        };
        socket.on("drain", more);
        more();
      }),
    );
    const answer = await outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${server.port}/`));
    expect(answer.body).toHaveLength(65_536);
    await expect.poll(() => server.connections.size).toBe(0);
    expect(wrote).toBeLessThan(50_000_000);
  });

  it("that is compressed is not unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const receiver = opened(
      await startReceiver((response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb)),
    );
    const answer = await outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${receiver.port}/`));
    expect(answer).toMatchObject({ status: 200, body: "" });
  });

  it.each([
    ["breaks off after its status", "HTTP/1.1 204 No Content\r\n\r\n", 204, ""],
    ["breaks off within its body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", 200, "half"],
    ["breaks off within a letter", "HTTP/1.1 200 OK\r\n\r\nhal\u00fc", 200, "hal"],
  ])("that %s has been given", async (_what, text, status, body) => {
    const server = opened(
      await startRawServer((socket) => socket.end(Buffer.from(text, "utf8").subarray(0, text.length))),
    );
    const answer = await outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${server.port}/`));
    expect(answer).toMatchObject({ status, body });
  });

  it("whose body drips is taken for what came in time", async () => {
    const server = opened(await startRawServer(respond("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\ndrip")));
    const answer = await outbound(["127.0.0.1"]).request(
      post(`http://127.0.0.1:${server.port}/`, { timeoutMs: 300 }),
    );
    expect(answer).toMatchObject({ status: 200, body: "drip" });
  });

  it.each([
    ["never comes", respond(""), "timeout"],
    ["drips its headers", respond("HTTP/1.1 200 OK\r\nx-long: "), "timeout"],
    ["is cut off before its status", (socket: { destroy(): void }) => socket.destroy(), "connection"],
    ["is not HTTP", respond("SSH-2.0-OpenSSH_9.6\r\n\r\n"), "not_http"],
    ["has endless headers", respond(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(40_000)}`), "not_http"],
  ])("that %s leaves open whether it was carried out", async (_what, onData, kind) => {
    const server = opened(await startRawServer(onData));
    const error = await failure(
      outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${server.port}/`, { timeoutMs: 300 })),
    );
    expect(error).toBeInstanceOf(OutboundError);
    expect(error).toMatchObject({ kind, effect: "may_have_happened" });
  });
});

describe("a request that can't be sent", () => {
  it("to a closed port did not happen", async () => {
    const server = await startRawServer(() => {});
    await server.close();
    const error = await failure(outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${server.port}/`)));
    expect(error).toMatchObject({ kind: "connection", code: "ECONNREFUSED", effect: "did_not_happen" });
  });

  it("to a name that nobody has did not happen", async () => {
    const client = outbound([], () =>
      Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" })),
    );
    const error = await failure(client.request(post("https://nobody.example/")));
    expect(error).toMatchObject({ kind: "connection", code: "ENOTFOUND", effect: "did_not_happen" });
    const empty = await failure(outbound([], resolvesTo()).request(post("https://nobody.example/")));
    expect(empty).toBeInstanceOf(OutboundRefusedError);
  });

  it("ends in time where the resolver does not answer", async () => {
    const client = outbound([], () => new Promise(() => {}));
    const error = await failure(client.request(post("https://slow.example/", { timeoutMs: 100 })));
    expect(error).toMatchObject({ kind: "timeout", effect: "did_not_happen" });
  });

  it("ends when its caller gives up, and at once where that was before", async () => {
    const server = opened(await startRawServer(() => giveUp.abort()));
    const giveUp = new AbortController();
    const client = outbound(["127.0.0.1"]);
    const request = post(`http://127.0.0.1:${server.port}/`, { signal: giveUp.signal });
    expect(await failure(client.request(request))).toMatchObject({
      kind: "aborted",
      effect: "may_have_happened",
    });
    expect(await failure(client.request(request))).toMatchObject({
      kind: "aborted",
      effect: "did_not_happen",
    });
  });

  it("ends when the client is closed, which waits for nobody", async () => {
    const client = createOutbound({ allow: ["127.0.0.1"] });
    const server = opened(await startRawServer(() => void client.close()));
    const request = post(`http://127.0.0.1:${server.port}/`);
    expect(await failure(client.request(request))).toMatchObject({ effect: "may_have_happened" });
    expect(await failure(client.request(request))).toMatchObject({
      kind: "closed",
      effect: "did_not_happen",
    });
  });

  it("tells nothing of what it holds", async () => {
    const server = opened(await startRawServer((socket) => socket.end("hidden in the answer")));
    const error = await failure(
      outbound(["127.0.0.1"]).request(
        post(`http://127.0.0.1:${server.port}/?token=hidden`, {
          headers: { authorization: "Bearer hidden" },
          body: "hidden",
        }),
      ),
    );
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("hidden in");
    expect(inspect(error, { depth: 10 })).not.toContain("hidden");
  });
});

describe("idle connections", () => {
  it("are dropped soon, whatever the receiver proposes", async () => {
    const server = opened(
      await startRawServer((socket) =>
        socket.write("HTTP/1.1 204 No Content\r\nconnection: keep-alive\r\nkeep-alive: timeout=600\r\n\r\n"),
      ),
    );
    await outbound(["127.0.0.1"]).request(post(`http://127.0.0.1:${server.port}/`));
    await expect.poll(() => server.connections.size).toBe(0);
  });
});
