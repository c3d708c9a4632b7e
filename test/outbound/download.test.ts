import { gzipSync } from "node:zlib";

import { afterEach, describe, expect, it } from "vitest";

import { createDownloads, DownloadRefusedError, type Downloads } from "../../src/outbound/download.ts";
import { OutboundError, OutboundRefusedError } from "../../src/outbound/errors.ts";
import { startRawServer, startReceiver } from "./receiver.ts";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function opened<T extends { close(): Promise<void> }>(resource: T): T {
  closing.push(() => resource.close());
  return resource;
}

function downloads(bounds: Parameters<typeof createDownloads>[0]["bounds"] = {}): Downloads {
  return opened(createDownloads({ allow: ["127.0.0.1"], bounds }));
}

async function read(from: Downloads, url: string, headers: Record<string, string> = {}): Promise<string> {
  return from.read({ url, headers }, async (body) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  });
}

async function failure(reading: Promise<unknown>): Promise<unknown> {
  return reading.then(
    () => undefined,
    (error: unknown) => error,
  );
}

const raw = async (...writes: string[]) =>
  opened(
    await startRawServer((socket) => {
      for (const text of writes) socket.write(text);
    }),
  );

describe("a download", () => {
  it("hands on more than memory should hold, as it comes", async () => {
    const piece = Buffer.alloc(65_536, "x");
    const receiver = opened(
      await startReceiver((response) => {
        for (let n = 0; n < 200; n += 1) response.write(piece);
        response.end();
      }),
    );
    const text = await read(downloads(), `http://127.0.0.1:${receiver.port}/list`, { "X-Key": "k" });
    expect(text).toHaveLength(200 * 65_536);
    expect(receiver.received[0]).toMatchObject({ method: "GET", headers: { "x-key": "k" } });
  });

  it("goes only where it is allowed to", async () => {
    const from = opened(createDownloads({ allow: [] }));
    expect(await failure(read(from, "http://127.0.0.1:1/"))).toBeInstanceOf(OutboundRefusedError);
  });

  it("follows a list that moved within its host, and takes its secrets nowhere else", async () => {
    const elsewhere = opened(await startReceiver((response) => response.end("stolen")));
    const receiver = opened(
      await startReceiver((response, { url }) => {
        if (url === "/moved") response.writeHead(302, { location: "/list" }).end();
        else if (url === "/away")
          response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/?key=hidden` }).end();
        else if (url === "/round") response.writeHead(301, { location: "/round" }).end();
        else response.end("phone\n");
      }),
    );
    const at = (path: string) =>
      read(downloads(), `http://127.0.0.1:${receiver.port}${path}`, { "x-key": "k" });
    expect(await at("/moved")).toBe("phone\n");
    const away = await failure(at("/away"));
    expect(away).toBeInstanceOf(DownloadRefusedError);
    expect(String(away)).toMatch(/has moved to http/);
    expect(String(away)).not.toContain("hidden");
    expect(String(await failure(at("/round")))).toContain("again and again");
    expect(elsewhere.received).toEqual([]);
  });

  it.each([
    [404, false],
    [204, false],
    [401, false],
    [429, true],
    [503, true],
  ])("of an answer %i is none", async (status, mayPass) => {
    const receiver = opened(await startReceiver((response) => response.writeHead(status).end()));
    const error = await failure(read(downloads(), `http://127.0.0.1:${receiver.port}/`));
    expect(error).toMatchObject({ name: "DownloadRefusedError", mayPass });
  });

  it("does not unpack what comes packed", async () => {
    const receiver = opened(
      await startReceiver((response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("phone\n")),
      ),
    );
    expect(String(await failure(read(downloads(), `http://127.0.0.1:${receiver.port}/`)))).toContain(
      "compressed",
    );
  });

  it("is never half a list", async () => {
    const short = await raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nphone\n");
    const cut = opened(
      await startRawServer((socket) => {
        socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\nphone\n\r\n");
      }),
    );
    const endless = opened(
      await startRawServer((socket) => {
        socket.end("HTTP/1.1 200 OK\r\n\r\nphone\n");
      }),
    );
    const from = downloads({ idleMs: 300 });
    expect(await failure(read(from, `http://127.0.0.1:${short.port}/`))).toMatchObject({ kind: "timeout" });
    expect(await failure(read(from, `http://127.0.0.1:${cut.port}/`))).toBeInstanceOf(OutboundError);
    expect(String(await failure(read(from, `http://127.0.0.1:${endless.port}/`)))).toContain(
      "does not say where its answer ends",
    );
  });

  it("ends where it is too large, too slow as a whole, or nobody answers", async () => {
    const receiver = opened(await startReceiver((response) => response.end("x".repeat(1_000))));
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect(String(await failure(read(downloads({ maxBytes: 999 }), url)))).toContain("more than 999 bytes");
    const silent = await raw();
    const address = `http://127.0.0.1:${silent.port}/`;
    expect(await failure(read(downloads({ wholeMs: 100 }), address))).toMatchObject({
      code: "not through in time",
    });
    expect(await failure(read(downloads({ idleMs: 100 }), address))).toMatchObject({ kind: "timeout" });
  });

  it("leaves the taker's own failure as it is, and the connection behind", async () => {
    const receiver = opened(await startReceiver((response) => response.end("x".repeat(1_000_000))));
    const url = `http://127.0.0.1:${receiver.port}/`;
    const taking = downloads().read({ url, headers: {} }, () => Promise.reject(new RangeError("no room")));
    expect(await failure(taking)).toBeInstanceOf(RangeError);
  });
});
