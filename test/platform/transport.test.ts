import { createServer, type Socket } from "node:net";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { AbortedError, ConnectionError, TimeoutError } from "../../src/platform/index.ts";
import { BATCH, clientOf, failureOf, json, portOf, startPlatform, until } from "./fake-platform.ts";

/** A TCP server that does as it is told with each connection. */
async function startTcp(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return portOf(server);
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("nothing was sent", () => {
  test("a refused connection did not happen", async () => {
    const platform = clientOf(`http://127.0.0.1:${await closedPort()}`);
    const error = await failureOf(platform.batchCalls.start(BATCH));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "connection", effect: "did_not_happen", sent: false });
    expect(error.message).toContain("could not connect (ECONNREFUSED)");
    expect(await failureOf(platform.batchCalls.get(BATCH))).toMatchObject({ effect: "none", sent: false });
  });

  test("a name that does not resolve did not happen", async () => {
    const error = await failureOf(clientOf("http://nobody.invalid").batchCalls.start(BATCH));
    expect(error).toMatchObject({ effect: "did_not_happen", sent: false });
  });

  test("a server that does not speak TLS did not happen", async () => {
    const port = await startTcp((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
    const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).batchCalls.start(BATCH));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ effect: "did_not_happen", sent: false });
  });

  test("a connection that is dropped during its TLS handshake did not happen", async () => {
    const port = await startTcp((socket) => socket.once("data", () => socket.destroy()));
    const error = await failureOf(clientOf(`https://127.0.0.1:${port}`).batchCalls.start(BATCH));
    expect(error).toMatchObject({ effect: "did_not_happen", sent: false });
  });

  test("a connection that is not ready in time did not happen", async () => {
    const port = await startTcp(() => {}); // Accepts and never answers the TLS handshake.
    const platform = clientOf(`https://127.0.0.1:${port}`, { timeouts: { connectMs: 100, wholeMs: 15_000 } });
    const error = await failureOf(platform.batchCalls.start(BATCH));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ effect: "did_not_happen", sent: false });
  });

  test("a write that found no free connection in time did not happen, and never does afterwards", async () => {
    const held: ServerResponse[] = [];
    const server = await startPlatform((request, response) => {
      if (request.method === "GET") held.push(response);
      else json(response, 200, {});
    });
    const platform = clientOf(server, { maxConnections: 1 });
    const read = platform.batchCalls.get(BATCH);
    await until("the read holds the connection", () => held.length === 1);
    const error = await failureOf(platform.batchCalls.start(BATCH, { timeoutMs: 50 }));
    expect(error).toMatchObject({ code: "timeout", effect: "did_not_happen", sent: false });

    for (const response of held) json(response, 200, { id: BATCH });
    await read;
    await platform.batchCalls.pause(BATCH); // The connection is free and used again: the start had its chance.
    expect(server.seen.map((one) => one.path.split("/").at(-1))).toEqual([BATCH, "pause"]);
  });

  test("an abort before a connection was free did not happen, and never does afterwards", async () => {
    const held: ServerResponse[] = [];
    const server = await startPlatform((request, response) => {
      if (request.method === "GET") held.push(response);
      else json(response, 200, {});
    });
    const platform = clientOf(server, { maxConnections: 1 });
    const read = platform.batchCalls.get(BATCH);
    await until("the read holds the connection", () => held.length === 1);
    const abort = new AbortController();
    const start = failureOf(platform.batchCalls.start(BATCH, { signal: abort.signal }));
    abort.abort(new Error("changed my mind"));
    expect(await start).toMatchObject({ code: "aborted", effect: "did_not_happen" });
    for (const response of held) json(response, 200, { id: BATCH });
    await read;
    await platform.batchCalls.pause(BATCH);
    expect(server.seen.length).toBe(2);
  });

  test("an abort before the call did not happen, and is not even tried", async () => {
    const server = await startPlatform((_, response) => json(response, 200, {}));
    const reason = new Error("stopping");
    const error = await failureOf(
      clientOf(server).batchCalls.start(BATCH, { signal: AbortSignal.abort(reason) }),
    );
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ effect: "did_not_happen", cause: reason });
    expect(server.connections()).toBe(0);
  });

  test("a closed client sends nothing", async () => {
    const server = await startPlatform((_, response) => json(response, 200, {}));
    const platform = clientOf(server);
    await platform.close();
    expect(await failureOf(platform.batchCalls.start(BATCH))).toMatchObject({
      code: "aborted",
      effect: "did_not_happen",
    });
    expect(server.seen.length).toBe(0);
  });
});

describe("sent, and no answer that can be read", () => {
  const lost: readonly [string, string, (response: ServerResponse) => void][] = [
    ["the connection is dropped without an answer", "connection", (response) => response.destroy()],
    ["the connection is reset", "connection", (response) => response.socket?.resetAndDestroy()],
    [
      "the connection is dropped inside the answer",
      "connection",
      (response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{");
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      "the answer is not HTTP",
      "unexpected_response",
      (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n+12025550123\r\n"),
    ],
    [
      "headers are without end",
      "unexpected_response",
      (response) => {
        response.writeHead(200, { "x-long": "y".repeat(20_000) }).end("{}");
      },
    ],
  ];
  test.each(lost)("%s: the write may have happened", async (_, code, answer) => {
    const server = await startPlatform((_request, response) => answer(response));
    const platform = clientOf(server);
    const write = await failureOf(platform.batchCalls.start(BATCH));
    expect(write).toMatchObject({ code, effect: "may_have_happened" });
    expect(await failureOf(platform.batchCalls.get(BATCH))).toMatchObject({ code, effect: "none" });
    expect(inspect(write)).not.toContain("5550123");
  });

  test("headers that do not come in time: the write may have happened", async () => {
    const server = await startPlatform(() => {});
    const platform = clientOf(server, { timeouts: { headersMs: 100, wholeMs: 15_000 } });
    const error = await failureOf(platform.batchCalls.start(BATCH));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ effect: "may_have_happened", sent: true });
    expect(error.message).toContain("did not begin in time");
  });

  test("an answer that drips is bounded as a whole", async () => {
    const server = await startPlatform((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(drip));
    });
    const platform = clientOf(server, { timeouts: { wholeMs: 1_500 } });
    const error = await failureOf(platform.batchCalls.start(BATCH));
    expect(error).toMatchObject({ code: "timeout", effect: "may_have_happened", sent: true });
    expect(error.message).toContain("1500 ms");
  });

  test("a call's own time limit stands for the client's", async () => {
    const server = await startPlatform((request, response) => {
      if (request.method === "GET") setTimeout(() => json(response, 200, { id: BATCH }), 300);
    });
    const platform = clientOf(server, { timeouts: { headersMs: 50, wholeMs: 50 } });
    expect((await platform.batchCalls.get(BATCH, { timeoutMs: 15_000 })).batch_call_id).toBe(BATCH);
    expect(await failureOf(platform.batchCalls.start(BATCH, { timeoutMs: 60 }))).toMatchObject({
      code: "timeout",
    });
    expect(await failureOf(platform.batchCalls.get(BATCH, { timeoutMs: 0 }))).toMatchObject({
      code: "invalid_request",
    });
  });

  test("an abort after the request was sent: the write may have happened", async () => {
    const server = await startPlatform(() => {});
    const abort = new AbortController();
    const start = failureOf(clientOf(server).batchCalls.start(BATCH, { signal: abort.signal }));
    await until("the server has the request", () => server.seen.length === 1);
    abort.abort(new Error("stopping"));
    expect(await start).toMatchObject({ code: "aborted", effect: "may_have_happened" });
  });

  test("an abort while the answer flows ends it", async () => {
    const server = await startPlatform((_, response) => {
      response.writeHead(200);
      response.write("{");
    });
    const abort = new AbortController();
    const read = failureOf(clientOf(server).batchCalls.get(BATCH, { signal: abort.signal }));
    await until("the server has the request", () => server.seen.length === 1);
    abort.abort();
    expect(await read).toMatchObject({ code: "aborted", effect: "none" });
  });
});

describe("connections", () => {
  test("connections are used again, after failed and empty answers, too", async () => {
    const server = await startPlatform((_, response, nth) => {
      if (nth % 3 === 0) response.writeHead(204).end();
      else json(response, nth % 3 === 1 ? 200 : 409, { id: BATCH });
    });
    const platform = clientOf(server);
    for (let round = 0; round < 30; round++) await platform.batchCalls.start(BATCH).catch(() => {});
    expect(server.seen.length).toBe(30);
    // Two, not one: the pool frees a connection only a moment after its answer has ended.
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test("a connection that the server closed while it was idle is not written to", async () => {
    let closed = 0;
    const server = await startPlatform((_, response) => json(response, 200, { id: BATCH }));
    server.server.on("connection", (socket) => socket.on("close", () => (closed += 1)));
    const platform = clientOf(server);
    for (let round = 1; round <= 5; round++) {
      await platform.batchCalls.start(BATCH);
      server.server.closeIdleConnections();
      await until("the idle connection is closed", () => closed === server.connections());
      // The client's own end of it is read in this turn of the event loop.
      await new Promise(setImmediate);
    }
    expect(server.seen.length).toBe(5);
  });

  test("there are never more connections than allowed", async () => {
    let now = 0;
    let most = 0;
    const server = await startPlatform((_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now -= 1;
        json(response, 200, { id: BATCH });
      }, 10);
    });
    const platform = clientOf(server, { maxConnections: 3 });
    await Promise.all(Array.from({ length: 12 }, () => platform.batchCalls.get(BATCH)));
    expect(server.connections()).toBe(3);
    expect(most).toBe(3);
  });

  test("requests that waited behind a failing connection fail or succeed, and none hangs", async () => {
    const server = await startPlatform((_, response, nth) => {
      if (nth <= 2) response.destroy();
      else json(response, 200, { id: BATCH });
    });
    const platform = clientOf(server, { maxConnections: 1 });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => platform.batchCalls.get(BATCH)),
    );
    expect(outcomes.map((one) => one.status).sort()).toEqual([
      ...Array<string>(4).fill("fulfilled"),
      ...Array<string>(2).fill("rejected"),
    ]);
  });

  test("requests that waited for a server that is gone all fail", async () => {
    const platform = clientOf(`http://127.0.0.1:${await closedPort()}`, { maxConnections: 1 });
    const errors = await Promise.all(
      Array.from({ length: 5 }, () => failureOf(platform.batchCalls.start(BATCH))),
    );
    expect(errors.map((one) => one.effect)).toEqual(Array(5).fill("did_not_happen"));
    expect(errors.map((one) => one.code)).toEqual(Array(5).fill("connection"));
  });

  test("closing waits for the requests under way", async () => {
    const server = await startPlatform((_, response) => {
      setTimeout(() => json(response, 200, { id: BATCH }), 50);
    });
    const platform = clientOf(server);
    const read = platform.batchCalls.get(BATCH);
    await until("the server has the request", () => server.seen.length === 1);
    await platform.close();
    expect((await read).batch_call_id).toBe(BATCH);
    await platform.close();
  });

  test("a signal that outlives its calls keeps no listeners", async () => {
    const server = await startPlatform((_, response) => json(response, 200, { id: BATCH }));
    const platform = clientOf(server);
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    for (let round = 0; round < 30; round++) await platform.batchCalls.get(BATCH, { signal });
    await Promise.all(Array.from({ length: 30 }, () => platform.batchCalls.get(BATCH, { signal })));
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });
});

test("a run of an automation may take its time where other requests are given up", async () => {
  const held: ServerResponse[] = [];
  const server = await startPlatform((request, response) => {
    if (request.method === "POST") held.push(response);
  });
  const platform = clientOf(server, { timeouts: { wholeMs: 60, headersMs: 60 } });
  const running = platform.workflows.execute("w", { execution_mode: "sync" });
  await until("it runs", () => held.length === 1);
  for (let nth = 0; nth < 3; nth++) expect((await failureOf(platform.calls.get("c"))).code).toBe("timeout");
  for (const response of held) json(response, 200, { execution_id: "x", status: "success" });
  expect(await running).toMatchObject({ execution_id: "x", status: "success" });
  // Long enough to be sent.
  const given = await failureOf(platform.workflows.execute("w", {}, { timeoutMs: 1_000 }));
  expect(given).toMatchObject({ code: "timeout", effect: "may_have_happened" });
});
