import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished, vi } from "vitest";

import { answeredBy, ApiUnreachableError } from "../../src/cli/api/errors.ts";
import { openTransport, type Transport } from "../../src/cli/api/transport.ts";
import { explain } from "../../src/cli/errors.ts";
import { VERSION } from "../../src/http/version.ts";

/** A server that answers as it is told to, and a client of it. */
async function serving(
  answer: http.RequestListener,
  { prefix = "", version = VERSION } = {},
): Promise<{ api: Transport; server: http.Server; connections: () => number }> {
  let connections = 0;
  const server = http
    .createServer((request, response) => {
      response.setHeader("x-outdial-version", version);
      answer(request, response);
    })
    .on("connection", () => (connections += 1));
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
  const { api, connections } = await serving(
    (request, response) => {
      const { method, url, headers } = request;
      void text(request).then((body) => {
        const { authorization, "content-length": length, "content-type": type } = headers;
        const { "x-outdial-actor": actor, "idempotency-key": key } = headers;
        seen.push({ method, url, authorization, length, type, actor, key, body });
        response.end('{"ok":true}');
      });
    },
    { prefix: "/behind/" },
  );
  await api.ask("listTags", { query: { brand: "x y", tag: undefined, limit: 2 } });
  await api.ask("removeBudget", { body: { reason: "Zoë" } });
  await api.ask("deployAutomation", { path: { name: "a/b" } });
  const common = { authorization: "Bearer a-token", actor: "cli" };
  expect(seen).toMatchObject([
    { ...common, method: "GET", url: "/behind/v1/tags?brand=x+y&limit=2", body: "" },
    {
      ...common,
      method: "DELETE",
      url: "/behind/v1/budgets",
      length: "17",
      type: "application/json",
      body: '{"reason":"Zoë"}',
    },
    { ...common, method: "POST", url: "/behind/v1/automations/a%2Fb/deploy", key: undefined, body: "" },
  ]);
  expect(connections()).toBe(1);
});

it("sends a list as it is read, of any length", async () => {
  const { api } = await serving((request, response) => {
    void text(request).then((body) => response.end(JSON.stringify({ ok: body.length === 5_000_000 })));
  });
  const chunk = "x".repeat(50_000);
  const answer = await api.ask("uploadContacts", {
    path: { ref: "a" },
    body: Readable.from(
      (function* () {
        for (let i = 0; i < 100; i += 1) yield chunk;
      })(),
    ),
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
  const asked = api.ask("uploadContacts", { path: { ref: "a" }, body: endless }, { answerWithinMs: 0 });
  await expect(asked).rejects.toMatchObject({ code: "import_differs", message: "no" });
  await expect.poll(() => endless.destroyed).toBe(true);
});

it("tells what kept a list from being read, and not that nobody answers", async () => {
  const { api } = await serving(ok);
  const broken = Readable.from(
    (async function* () {
      yield "phone\n";
      throw Object.assign(new Error("EIO: read"), { code: "EIO" });
    })(),
  );
  const asked = api.ask("uploadContacts", { path: { ref: "a" }, body: broken });
  await expect(asked).rejects.toMatchObject({ code: "EIO" });
});

it("waits for an answer for as long as it is told to, and says what does not answer", async () => {
  const { api } = await serving(() => {});
  const asked = api.ask("readSystem", {}, { answerWithinMs: 50 });
  await expect(asked).rejects.toThrow(ApiUnreachableError);
  await expect(asked).rejects.toThrow(/does not answer/);
});

it("gives up an answer of which nothing comes any more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { api } = await serving((_request, response) => {
    response.setHeader("content-type", "text/csv");
    response.write("half");
  });
  let heard = "";
  const reading = (async () => {
    const body = await api.open("downloadResults", { path: { ref: "a" } }, { answerWithinMs: 5_000 });
    for await (const part of body) heard += String(part);
  })();
  const failed = reading.catch((error: unknown) => error);
  await expect.poll(() => heard).toBe("half");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(String(await failed)).toMatch(/nothing came of the answer for 5 seconds: see whether/);
});

it("lets go of an answer at once where no more of it is wanted", async () => {
  let left = 0;
  const { api } = await serving((_request, response) => {
    response.once("close", () => (left += 1));
    response.setHeader("content-type", "text/csv");
    response.write("half");
  });
  const open = () => api.open("downloadResults", { path: { ref: "a" } }, { answerWithinMs: 10 * 60_000 });
  for await (const part of await open()) {
    expect(String(part)).toBe("half");
    break;
  }
  await expect.poll(() => left).toBe(1);
  const unread = await open();
  unread.destroy();
  await expect.poll(() => left).toBe(2);
});

it("ends at once when it is told to", async () => {
  const { api, server } = await serving(() => {});
  const controller = new AbortController();
  const asked = api.ask("readSystem", { signal: controller.signal }, { answerWithinMs: 0 });
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
    await expect(api.ask("readSystem"), host).rejects.toThrow(/nobody listens there/);
    await api.close();
  }
  const { api } = await serving((_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write('{"ok"', () => response.destroy());
  });
  await expect(api.ask("readSystem")).rejects.toThrow(ApiUnreachableError);
});

it("says what answers where that is no Outdial", async () => {
  const { api } = await serving((_request, response) => response.writeHead(502).end("<html>bad gateway"));
  await expect(api.ask("readSystem")).rejects.toMatchObject({ code: "unreadable", status: 502 });
  const other = http.createServer((_request, response) => response.end('{"ok":"yes"}'));
  await new Promise<void>((resolve) => {
    other.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const stranger = openTransport({ url: `http://127.0.0.1:${port}`, token: undefined });
  for (const name of ["readSystem", "checkAlive"] as const)
    await expect(stranger.ask(name), name).rejects.toMatchObject({ code: "unreadable", status: 200 });
  await stranger.close();
});

it("takes a probe, which says no version, by what it says", async () => {
  const { api } = await serving((_request, response) => {
    response.removeHeader("x-outdial-version");
    response.end('{"ok":true}');
  });
  expect(await api.ask("checkAlive")).toEqual({ ok: true });
});

it("says of which versions the two are, where a command fails of what a system of another one answered", async () => {
  const { api } = await serving((_request, response) => response.end("{}"), { version: "9.9.9" });
  const answer = await api.ask("listTags", { query: { brand: "a", limit: 1 } });
  onTestFinished(() => void (answeredBy.note = undefined));
  const failure = await Promise.resolve()
    .then(() => answer.items.length)
    .catch((error: unknown) => error);
  expect(explain(failure)).toMatchObject({
    code: "unreadable",
    message: expect.stringMatching(/is Outdial 9\.9\.9, and this command .*: use the same version of both/s),
  });
});

it("says what is missing from what is asked for", async () => {
  const { api } = await serving(ok);
  await expect(api.ask("readCampaign", { path: { ref: "" } })).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("path.ref is needed"),
  });
});

it("takes a system whose process has begun to end for one that is gone", async () => {
  const { api } = await serving((request, response) => {
    request.resume().once("end", () => {
      // As Fastify writes it while it closes.
      response.writeHead(503, { "Content-Type": "application/json", Connection: "close" });
      response.end('{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}');
    });
  });
  const failure = await api.ask("readSystem").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiUnreachableError);
  expect(failure).toMatchObject({ message: expect.stringContaining("is just ending") });
});
