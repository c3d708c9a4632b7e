import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { ApiProblemError, ApiUnreachableError } from "../../src/cli/api/errors.ts";
import { openTransport, type Transport } from "../../src/cli/api/transport.ts";

const anything = async () => z.object({ ok: z.boolean() });

/** A server that answers as it is told to, and a client of it. */
async function serving(
  answer: http.RequestListener,
  prefix = "",
): Promise<{ api: Transport; server: http.Server; connections: () => number }> {
  let connections = 0;
  const server = http.createServer(answer).on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const api = openTransport({ url: `http://127.0.0.1:${port}${prefix}`, token: "a-token" });
  onTestFinished(async () => {
    await api.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return { api, server, connections: () => connections };
}

const ok: http.RequestListener = (request, response) => {
  request.resume().once("end", () => response.end('{"ok":true}'));
};

it("asks with its token, its query and its body, behind the address's prefix, over few connections", async () => {
  const seen: unknown[] = [];
  const { api, connections } = await serving((request, response) => {
    const { method, url, headers } = request;
    void text(request).then((body) => {
      const { authorization, "content-length": length, "content-type": type } = headers;
      seen.push({ method, url, authorization, length, type, actor: headers["x-outdial-actor"], body });
      response.end('{"ok":true}');
    });
  }, "/behind/");
  await api.ask(anything, { path: "/v1/things", query: { a: "x y", none: undefined, n: 2 } });
  await api.ask(anything, { method: "DELETE", path: "/v1/things", body: { name: "Zoë" } });
  await api.ask(anything, { method: "POST", path: "/v1/things" });
  const common = { authorization: "Bearer a-token", actor: "cli" };
  expect(seen).toMatchObject([
    { ...common, method: "GET", url: "/behind/v1/things?a=x+y&n=2", body: "" },
    {
      ...common,
      method: "DELETE",
      url: "/behind/v1/things",
      length: "15",
      type: "application/json",
      body: '{"name":"Zoë"}',
    },
    { ...common, method: "POST", url: "/behind/v1/things", body: "" },
  ]);
  expect(connections()).toBe(1);
});

it("sends a list as it is read, of any length", async () => {
  const { api } = await serving((request, response) => {
    void text(request).then((body) => response.end(JSON.stringify({ ok: body.length === 5_000_000 })));
  });
  const chunk = "x".repeat(50_000);
  const answer = await api.ask(anything, {
    method: "POST",
    path: "/",
    stream: {
      contentType: "text/csv",
      readable: Readable.from(
        (function* () {
          for (let i = 0; i < 100; i += 1) yield chunk;
        })(),
      ),
    },
  });
  expect(answer).toEqual({ ok: true });
});

it("hears an answer that comes before a list was sent to its end, and sends no more of it", async () => {
  const refusal = {
    type: "about:blank",
    title: "Conflict",
    status: 409,
    code: "import_differs",
    detail: "no",
  };
  const { api } = await serving((request, response) => {
    request.once("data", () => {
      response.statusCode = 409;
      response.setHeader("content-type", "application/problem+json");
      response.end(JSON.stringify(refusal));
    });
  });
  const endless = new PassThrough();
  endless.write("phone\n");
  const asked = api.ask(anything, {
    method: "POST",
    path: "/",
    stream: { contentType: "text/csv", readable: endless },
    answerWithinMs: 0,
  });
  await expect(asked).rejects.toMatchObject({ code: "import_differs", message: "no" });
  await expect.poll(() => endless.destroyed, { timeout: 10_000 }).toBe(true);
});

it("tells what kept a list from being read, and not that nobody answers", async () => {
  const { api } = await serving(ok);
  const broken = Readable.from(
    (async function* () {
      yield "phone\n";
      throw Object.assign(new Error("EIO: read"), { code: "EIO" });
    })(),
  );
  const asked = api.ask(anything, {
    method: "POST",
    path: "/",
    stream: { contentType: "text/csv", readable: broken },
  });
  await expect(asked).rejects.toMatchObject({ code: "EIO" });
});

it("waits for an answer for as long as it is told to, and says what does not answer", async () => {
  const { api } = await serving(() => {});
  const asked = api.ask(anything, { path: "/", answerWithinMs: 50 });
  await expect(asked).rejects.toThrow(ApiUnreachableError);
  await expect(asked).rejects.toThrow(/does not answer/);
});

it("ends at once when it is told to", async () => {
  const { api, server } = await serving(() => {});
  const controller = new AbortController();
  const asked = api.ask(anything, { path: "/", answerWithinMs: 0, signal: controller.signal });
  const heard = new Promise((resolve) => {
    server.once("request", resolve);
  });
  await heard;
  controller.abort(new Error("enough"));
  await expect(asked).rejects.toThrow("enough");
});

it("says that nobody is there, or that an answer broke off", async () => {
  const nobody = net.createServer();
  await new Promise<void>((resolve) => {
    nobody.listen(0, "127.0.0.1", resolve);
  });
  const { port } = nobody.address() as AddressInfo;
  await new Promise((resolve) => {
    nobody.close(resolve);
  });
  for (const host of ["127.0.0.1", "localhost"]) {
    const api = openTransport({ url: `http://${host}:${port}`, token: undefined });
    await expect(api.ask(anything, { path: "/" }), host).rejects.toThrow(/nobody listens there/);
    await api.close();
  }
  const { api } = await serving((_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"ok"', () => response.destroy());
  });
  await expect(api.ask(anything, { path: "/" })).rejects.toThrow(ApiUnreachableError);
});

it("says what answers where that is no Outdial", async () => {
  const { api } = await serving((_request, response) => response.writeHead(502).end("<html>bad gateway"));
  await expect(api.ask(anything, { path: "/" })).rejects.toMatchObject({ code: "unreadable", status: 502 });
  const other = await serving((_request, response) => response.end('{"ok":"yes"}'));
  await expect(other.api.ask(anything, { path: "/" })).rejects.toThrow(ApiProblemError);
});

it("takes a system whose process has begun to end for one that is gone", async () => {
  const { api } = await serving((request, response) => {
    request.resume().once("end", () => {
      // As Fastify writes it while it closes.
      response.writeHead(503, { "Content-Type": "application/json", Connection: "close" });
      response.end('{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}');
    });
  });
  const failure = await api.ask(anything, { path: "/v1/things" }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiUnreachableError);
  expect(failure).toMatchObject({ message: expect.stringContaining("is just ending") });
});
