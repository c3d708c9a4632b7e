/** Files up, recordings down. How much memory they take is in transfer-memory.test.ts. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PlatformError, UploadSource } from "../../src/platform/index.ts";
import { clientOf, failureOf, json, portOf, startPlatform, stays, until } from "./fake-platform.ts";

interface Form {
  readonly headers: string;
  readonly content: string;
}

/** The one part of a form, cut out by hand. */
function formIn(body: string, contentType: string | undefined): Form {
  const boundary = /boundary=(.+)$/.exec(contentType ?? "")?.[1] ?? "none";
  const start = `--${boundary}\r\n`;
  const end = `\r\n--${boundary}--\r\n`;
  expect(body.startsWith(start) && body.endsWith(end)).toBe(true);
  const [headers = "", ...content] = body.slice(start.length, -end.length).split("\r\n\r\n");
  return { headers, content: content.join("\r\n\r\n") };
}

async function upload(
  source: UploadSource,
): Promise<Form & { length: string | undefined; encoding: string | undefined }> {
  const server = await startPlatform((_, response) => json(response, 200, { id: "d1", status: "pending" }));
  const uploaded = await clientOf(server).knowledgeBases.addDocument("k1", source);
  expect(uploaded).toMatchObject({ id: "d1", status: "pending" });
  const [one] = server.seen;
  const headers = one?.headers ?? {};
  return {
    ...formIn(one?.body ?? "", headers["content-type"]),
    length: headers["content-length"],
    encoding: headers["transfer-encoding"],
  };
}

function fileOf(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "outdial-upload-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Descriptors of this process that are open on a file. */
function opened(path: string): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false; // Closed since the folder was listed.
    }
  }).length;
}

describe("an upload", () => {
  test("of a path carries its content, name, type and length", async () => {
    const sent = await upload({ path: fileOf("prices.pdf", "12 €\r\n\r\n34") });
    expect(sent.content).toBe("12 €\r\n\r\n34");
    expect(sent.headers).toBe(
      'Content-Disposition: form-data; name="file"; filename="prices.pdf"\r\nContent-Type: application/pdf',
    );
    expect(Number(sent.length)).toBeGreaterThan(sent.content.length);
    expect(sent.encoding).toBeUndefined();
  });

  test("of data, empty data included, and of a path under another name", async () => {
    const sent = await upload({ data: Buffer.alloc(200_000, "x"), filename: 'a "b" ☎.bin' });
    expect(sent.content).toBe("x".repeat(200_000));
    expect(sent.headers).toContain('filename="a %22b%22 ☎.bin"\r\nContent-Type: application/octet-stream');
    expect((await upload({ data: new Uint8Array(), filename: "empty.txt" })).content).toBe("");
    expect((await upload({ path: fileOf("a.txt", "t"), filename: "b.md" })).headers).toContain(
      "text/markdown",
    );
  });

  test("of a stream announces its length where it is known, and is sent in chunks where not", async () => {
    const known = await upload({
      stream: Readable.from(["ab", Buffer.from("cd")]),
      filename: "s",
      sizeBytes: 4,
    });
    expect([known.content, known.encoding]).toEqual(["abcd", undefined]);
    const unknown = await upload({ stream: Readable.from(["ab", "cd"]), filename: "s" });
    expect([unknown.content, unknown.length, unknown.encoding]).toEqual(["abcd", undefined, "chunked"]);
  });

  test.each([
    [
      "shorter than announced",
      { stream: Readable.from(["ab"]), filename: "s", sizeBytes: 3 },
      "3 bytes and has 2",
    ],
    [
      "longer than announced",
      { stream: Readable.from(["abcd"]), filename: "s", sizeBytes: 3 },
      "3 bytes and has more",
    ],
    [
      "that breaks",
      {
        stream: (async function* () {
          yield Buffer.from("a");
          throw Object.assign(new Error("secret"), { code: "EIO" });
        })(),
        filename: "s",
      },
      "could not be read to its end (EIO)",
    ],
  ])("of a stream %s is given up, and the error says why", async (_, source, reason) => {
    const server = await startPlatform((_request, response) => json(response, 200, {}));
    const error = await failureOf(clientOf(server).knowledgeBases.addDocument("k1", source));
    expect(error).toMatchObject({ code: "aborted", effect: "may_have_happened" });
    expect(error.message).toContain(reason);
    expect(error.message).not.toContain("secret");
    expect(server.seen.length).toBe(0);
  });

  const retry = { attempts: 3, baseDelayMs: 1 };

  test("of a path or data is repeated where it was refused, in full", async () => {
    const server = await startPlatform((_, response, nth) => json(response, nth === 1 ? 429 : 200, {}));
    const platform = clientOf(server, { retry, limiter: "none" });
    await platform.knowledgeBases.addDocument("k1", { path: fileOf("a.txt", "again") });
    expect(server.seen.map((one) => one.body.includes("again"))).toEqual([true, true]);
  });

  test.skipIf(!existsSync("/proc/self/fd"))(
    "of a path that was given up leaves no file open, however far it came",
    async () => {
      const path = fileOf("large.txt", "x".repeat(8_000_000));
      const reading: IncomingMessage[] = [];
      const server = createServer((request) => reading.push(request));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      const abort = new AbortController();
      const platform = clientOf(`http://127.0.0.1:${portOf(server)}`, { maxConnections: 1, limiter: "none" });
      const options = { signal: abort.signal };
      const uploads = Array.from({ length: 5 }, () =>
        failureOf(platform.knowledgeBases.addDocument("k1", { path }, options)),
      );
      await until("the first is on its way, the others behind it", () => opened(path) > 0);
      expect(opened(path)).toBe(1);
      abort.abort();
      for (const upload of uploads) expect(await upload).toMatchObject({ code: "aborted" });
      await until("the file is closed", () => opened(path) === 0);
      expect(reading.length).toBeLessThanOrEqual(1);
    },
  );

  test("of a path whose file is gone by the next try is an error of that upload alone", async () => {
    const path = fileOf("short-lived.txt", "x");
    let held: ServerResponse | undefined;
    const server = await startPlatform((request, response) => {
      if (request.method === "GET") {
        held = response;
        return;
      }
      rmSync(path, { force: true });
      json(response, 429, {});
    });
    const platform = clientOf(server, { retry, limiter: "none", maxConnections: 1 });
    const uploading = failureOf(platform.knowledgeBases.addDocument("k1", { path }));
    await until("the first try is refused", () => server.seen.length === 1);
    // Holds the one connection, so that the next try is there for a while before anybody reads its form.
    const other = platform.agents.get("a1");
    await until("the other request holds the connection", () => held !== undefined);
    await stays("requests", () => server.seen.length);
    if (held !== undefined) json(held, 200, { id: "a1" });
    const error = await uploading;
    expect(error).toMatchObject({ code: "aborted" });
    expect(error.message).toContain("could not be read to its end (ENOENT)");
    expect((await other).agent_id).toBe("a1");
    expect(server.seen.length).toBe(2);
  });

  test("of a stream is never repeated: it can be read once", async () => {
    const server = await startPlatform((_, response) => json(response, 429, {}));
    const source = { stream: Readable.from(["once"]), filename: "s" };
    const platform = clientOf(server, { retry, limiter: "none" });
    await failureOf(platform.knowledgeBases.addDocument("k1", source));
    expect(server.seen.length).toBe(1);
  });

  test("that may have happened is never repeated", async () => {
    const server = await startPlatform((_, response) => json(response, 503, {}));
    const platform = clientOf(server, { retry });
    const error = await failureOf(
      platform.knowledgeBases.addDocument("k1", { data: Buffer.from("x"), filename: "a" }),
    );
    expect(error.effect).toBe("may_have_happened");
    expect(server.seen.length).toBe(1);
  });

  test("that is refused before its end is an error with the platform's words, and its source is closed", async () => {
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        closed = true;
      }
    }
    const server = createServer((_request, response) => {
      response.writeHead(413, { connection: "close" }).end('{"detail":"too large"}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const platform = clientOf(`http://127.0.0.1:${portOf(server)}`);
    const error = await failureOf(
      platform.knowledgeBases.addDocument("k1", { stream: endless(), filename: "s" }),
    );
    expect(error).toMatchObject({ status: 413, detail: "too large", effect: "did_not_happen" });
    await until("the source is closed", () => closed);
  });

  test("is ended by its signal, and its source is closed", async () => {
    let closed = false;
    const stream = (async function* () {
      try {
        for (;;) {
          yield Buffer.alloc(1_000);
          await new Promise((resolve) => setTimeout(resolve, 2));
        }
      } finally {
        closed = true;
      }
    })();
    const requests: IncomingMessage[] = [];
    const server = createServer((request) => requests.push(request.resume()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const abort = new AbortController();
    const platform = clientOf(`http://127.0.0.1:${portOf(server)}`);
    const uploading = failureOf(
      platform.knowledgeBases.addDocument("k1", { stream, filename: "s" }, { signal: abort.signal }),
    );
    await until("it is on its way", () => requests.length === 1);
    abort.abort();
    expect(await uploading).toMatchObject({ code: "aborted", effect: "may_have_happened" });
    await until("the source is closed", () => closed);
  });
});

describe("a recording", () => {
  const ogg = Buffer.from("OggS and then some sound");

  test("comes as a stream with what its headers say", async () => {
    const server = await startPlatform((_, response) => {
      response.writeHead(200, {
        "content-type": "audio/ogg",
        "content-length": String(ogg.length),
        "content-disposition": 'attachment; filename="../../call.ogg"',
      });
      response.end(ogg);
    });
    const recording = await clientOf(server).calls.recording("c1");
    expect(recording).toMatchObject({
      contentType: "audio/ogg",
      sizeBytes: ogg.length,
      filename: "call.ogg",
    });
    expect(Buffer.concat(await recording.body.toArray())).toEqual(ogg);
    expect(server.seen[0]?.headers.accept).toBe("*/*");
  });

  test("comes the same way for whoever sends it by name", async () => {
    const server = await startPlatform((_, response) => response.end(ogg));
    const recording = await clientOf(server).send("calls.recording", { params: { call_id: "c1" } });
    const body: unknown = Reflect.get(Object(recording), "body");
    if (!(body instanceof Readable)) throw new Error("no stream");
    expect(Buffer.concat(await body.toArray())).toEqual(ogg);
  });

  test("that is not there is an error with the platform's words", async () => {
    const server = await startPlatform((_, response) => json(response, 404, { detail: "no recording" }));
    const error = await failureOf(clientOf(server).calls.recording("c1"));
    expect(error).toMatchObject({ code: "not_found", detail: "no recording" });
  });

  test("that stands elsewhere is not fetched from there: the key would go with it", async () => {
    const server = await startPlatform((_, response) =>
      response.writeHead(302, { location: "https://storage.example/x?sig=y" }).end(),
    );
    const error = await failureOf(clientOf(server).calls.recording("c1"));
    expect(error.message).toContain("redirect to https://storage.example/x");
    expect(error.message).not.toContain("sig");
  });

  /** Sends a little and then nothing. */
  const stalling = () =>
    startPlatform((_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("some");
    });

  async function breakOf(body: Readable): Promise<PlatformError> {
    const read = body.toArray();
    return failureOf(read);
  }

  /** Of a recording that a busy machine may give up before its headers are read. */
  async function breakOfEither(recording: Promise<{ body: Readable }>): Promise<PlatformError> {
    return failureOf(recording.then(({ body }) => body.toArray()));
  }

  test("that is cut off is an error, never a short recording", async () => {
    const server = await startPlatform((_, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("some", () => response.destroy());
    });
    const { body } = await clientOf(server).calls.recording("c1");
    expect(await breakOf(body)).toMatchObject({ code: "connection", effect: "none" });
  });

  test("that stalls is given up, in time and by its signal, while it is read", async () => {
    const server = await stalling();
    const silent = clientOf(server, { timeouts: { headersMs: 50 } }).calls.recording("c1");
    expect(await breakOfEither(silent)).toMatchObject({ code: "timeout", effect: "none" });
    const late = clientOf(server).calls.recording("c1", { timeoutMs: 60 });
    expect(await breakOfEither(late)).toMatchObject({ code: "timeout" });
    const abort = new AbortController();
    const aborted = await clientOf(server).calls.recording("c1", { signal: abort.signal });
    abort.abort();
    expect(await breakOf(aborted.body)).toMatchObject({ code: "aborted" });
  });

  test("that nobody reads gives its connection back when it is destroyed", async () => {
    const server = await stalling();
    const platform = clientOf(server, { maxConnections: 1 });
    for (let nth = 0; nth < 3; nth++) (await platform.calls.recording("c1")).body.destroy();
    await platform.close();
    expect(server.seen.length).toBe(3);
  });

  test("is repeated like any read until its headers are there", async () => {
    const server = await startPlatform((_, response, nth) => {
      if (nth === 1) json(response, 503, {});
      else response.end(ogg);
    });
    const platform = clientOf(server, { retry: { attempts: 2, baseDelayMs: 1 } });
    const { body } = await platform.calls.recording("c1");
    expect(Buffer.concat(await body.toArray())).toEqual(ogg);
  });
});
