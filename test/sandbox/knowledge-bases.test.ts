import http from "node:http";

import { expect, test } from "vitest";
import type { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import {
  documentResponse,
  knowledgeBaseDetailResponse,
  knowledgeBaseResponse,
} from "../../src/sandbox/schemas/knowledge-bases.ts";
import { messageResponse } from "../../src/sandbox/schemas/page.ts";
import { ask, eventually, get, openSandbox, refusal } from "./support.ts";

const BASES = "/v1/knowledge-bases";

async function createBase(sandbox: Sandbox): Promise<string> {
  const base = await get(knowledgeBaseResponse, sandbox, "POST", BASES, { name: "Manuals" });
  return `${BASES}/${base.id}`;
}

async function sendForm(sandbox: Sandbox, path: string, form: FormData): Promise<Response> {
  return await fetch(`${sandbox.url}${path}/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.apiKey}` },
    body: form,
  });
}

async function upload(sandbox: Sandbox, path: string, name: string, content: string) {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  const response = await sendForm(sandbox, path, form);
  expect(response.status).toBe(201);
  return documentResponse.parse(await response.json());
}

type Base = z.output<typeof knowledgeBaseDetailResponse>;

async function read(sandbox: Sandbox, path: string): Promise<Base> {
  return await get(knowledgeBaseDetailResponse, sandbox, "GET", path);
}

test("a document is pending, then processed, then ready with its chunks", async () => {
  const sandbox = await openSandbox({ speed: 5 });
  const path = await createBase(sandbox);
  const document = await upload(sandbox, path, "guide.PDF", "x".repeat(5_000));
  expect(document).toMatchObject({
    filename: "guide.PDF",
    file_type: "pdf",
    file_size_bytes: 5_000,
    status: "pending",
    chunk_count: 0,
  });
  const seen = new Set<string>();
  await eventually(async () => {
    const [found] = (await read(sandbox, path)).documents;
    seen.add(found?.status ?? "");
    expect(found).toMatchObject({ id: document.id, status: "ready", chunk_count: 3 });
  });
  expect([...seen]).toEqual(["pending", "processing", "ready"].filter((status) => seen.has(status)));
  expect(seen).toContain("processing");
});

test("what cannot be read fails, with the reason; so does what a fault says", async () => {
  const sandbox = await openSandbox({ speed: 10_000 });
  const path = await createBase(sandbox);
  sandbox.faults.add({ kind: "document", outcome: "failed", error: "out of ink", filename: "c.txt" });
  sandbox.faults.add({ kind: "document", outcome: "stuck", filename: "d.txt" });
  await upload(sandbox, path, "a.exe", "x");
  await upload(sandbox, path, "b.txt", "");
  await upload(sandbox, path, "c.txt", "x");
  await upload(sandbox, path, "d.txt", "x");
  await upload(sandbox, path, "e.txt", "x");
  await eventually(async () => {
    expect((await read(sandbox, path)).documents).toMatchObject([
      { status: "failed", error_message: 'Files of type "exe" cannot be read' },
      { status: "failed", error_message: "The document is empty" },
      { status: "failed", error_message: "out of ink", chunk_count: 0 },
      { status: "processing", error_message: null },
      { status: "ready", error_message: null, chunk_count: 1 },
    ]);
  });
});

test("knowledge bases and documents can be listed and deleted", async () => {
  const sandbox = await openSandbox();
  const path = await createBase(sandbox);
  const document = await upload(sandbox, path, "a.txt", "x");
  const all = await get(knowledgeBaseResponse.array(), sandbox, "GET", BASES);
  expect(all).toMatchObject([{ name: "Manuals", description: null, document_count: 1 }]);
  expect(all[0]).not.toHaveProperty("documents");
  await get(messageResponse, sandbox, "DELETE", `${path}/documents/${document.id}`);
  expect((await refusal(sandbox, "DELETE", `${path}/documents/${document.id}`)).status).toBe(404);
  expect((await read(sandbox, path)).documents).toEqual([]);
  await get(messageResponse, sandbox, "DELETE", path);
  expect((await refusal(sandbox, "GET", path)).status).toBe(404);
  expect((await ask(sandbox, "GET", BASES)).body).toEqual([]);
  expect((await refusal(sandbox, "POST", BASES, {})).status).toBe(422);
});

test("an upload needs one file with a name, in a form, for a knowledge base that exists", async () => {
  const sandbox = await openSandbox();
  const path = await createBase(sandbox);
  expect(await refusal(sandbox, "POST", `${path}/documents`, { file: "x" })).toMatchObject({
    status: 422,
    detail: [{ loc: ["body", "file"], type: "missing" }],
  });
  const fields = new FormData();
  fields.append("title", "no file");
  expect((await sendForm(sandbox, path, fields)).status).toBe(422);
  const two = new FormData();
  two.append("file", new Blob(["1"]), "one.txt");
  two.append("file", new Blob(["2"]), "two.txt");
  expect((await sendForm(sandbox, path, two)).status).toBe(422);
  const many = new FormData();
  for (let n = 0; n < 50; n += 1) many.append("title", "no file");
  expect((await sendForm(sandbox, path, many)).status).toBe(422);
  const good = new FormData();
  good.append("file", new Blob(["1"]), "one.txt");
  expect((await sendForm(sandbox, `${BASES}/nothing`, good)).status).toBe(404);
  expect((await read(sandbox, path)).documents).toEqual([]);
});

/** Streams so many megabytes as one file; resolves with the status, or null if `breakOff` ended the connection. */
async function stream(sandbox: Sandbox, path: string, megabytes: number, breakOff = false) {
  const boundary = "----outdial";
  const chunk = Buffer.alloc(1_000_000, "x");
  return await new Promise<{ status: number; text: string } | null>((resolve, reject) => {
    const request = http.request(`${sandbox.url}${path}/documents`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${sandbox.apiKey}`,
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
    });
    request.on("error", (error) => {
      if (breakOff) {
        resolve(null);
      } else {
        reject(error);
      }
    });
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.write(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.txt"\r\n` +
        "Content-Type: text/plain\r\n\r\n",
    );
    let sent = 0;
    const next = () => {
      while (sent < megabytes) {
        sent += 1;
        if (!request.write(chunk)) {
          request.once("drain", next);
          return;
        }
      }
      if (breakOff) {
        request.destroy();
      } else {
        request.end(`\r\n--${boundary}--\r\n`);
      }
    };
    next();
  });
}

test("a document of 200 megabytes goes through without growing the process by it", async () => {
  const sandbox = await openSandbox();
  const path = await createBase(sandbox);
  await stream(sandbox, path, 5);
  const before = process.memoryUsage().rss;
  const answer = await stream(sandbox, path, 200);
  const grownBytes = process.memoryUsage().rss - before;
  expect(answer?.status).toBe(201);
  expect(documentResponse.parse(JSON.parse(answer?.text ?? ""))).toMatchObject({
    file_size_bytes: 200_000_000,
  });
  expect(grownBytes).toBeLessThan(150_000_000);
});

test("a document that is too large is refused with the limit in words", async () => {
  const sandbox = await openSandbox();
  const path = await createBase(sandbox);
  const answer = await stream(sandbox, path, 537);
  expect(answer).toEqual({ status: 413, text: '{"detail":"A document may have 512 MB at most"}' });
  expect((await read(sandbox, path)).documents).toEqual([]);
});

test("an upload that breaks off is no document, and nothing breaks with it", async () => {
  const sandbox = await openSandbox();
  const path = await createBase(sandbox);
  expect(await stream(sandbox, path, 3, true)).toBeNull();
  await upload(sandbox, path, "after.txt", "x");
  expect((await read(sandbox, path)).documents).toMatchObject([{ filename: "after.txt" }]);
});
