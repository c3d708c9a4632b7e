/** Bodies that clients send as forms, and under the wrong label: read by what is in them, within bounds. */
import { request } from "node:http";

import { describe, expect, test } from "vitest";
import { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import { ask, get, openSandbox, PUBLISHED_AGENT, STANDING_STILL } from "./support.ts";

const BOUNDARY = "----form-of-a-client-7f3a";

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: string;
}

function formOf(parts: readonly Part[], boundary = BOUNDARY): string {
  const bodies = parts.map(({ name, filename, type, content }) => {
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    const label = type === undefined ? "" : `Content-Type: ${type}\r\n`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${label}\r\n${content}\r\n`;
  });
  return `${bodies.join("")}--${boundary}--\r\n`;
}

/** Labels under which one and the same form is seen. */
const LABELS = [
  `multipart/form-data; boundary=${BOUNDARY}`,
  "multipart/form-data",
  "application/json",
  "text/plain;charset=UTF-8",
  "multipart/form-data; boundary=another",
];

const answer = z.object({ status: z.number(), body: z.record(z.string(), z.unknown()) });

async function send(sandbox: Sandbox, path: string, label: string, body: string) {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": label },
    body,
  });
  return answer.parse({ status: response.status, body: await response.json() });
}

async function exported(sandbox: Sandbox, path: string): Promise<string> {
  const found = await ask(sandbox, "GET", path);
  expect(found.status).toBe(200);
  return JSON.stringify(found.body);
}

async function workflow(sandbox: Sandbox): Promise<string> {
  const body = {
    name: "W",
    trigger_type: "post_call",
    workflow_json: { nodes: [] },
    description: "Ünïcode ☎",
  };
  const made = await ask(sandbox, "POST", "/v1/workflows", body);
  return `/v1/workflows/${z.object({ workflow_id: z.string() }).parse(made.body).workflow_id}/export`;
}

describe.each([
  ["an agent", "/v1/agents/import", async () => `/v1/agents/${PUBLISHED_AGENT}/export`, "agent_name"],
  ["an automation", "/v1/workflows/import", workflow, "name"],
] as const)("%s that was exported", (_, path, exportOf, named) => {
  test.each(LABELS)("is imported as the file of a form that is labelled %s", async (label) => {
    const sandbox = await openSandbox({ speed: STANDING_STILL });
    const json = await exported(sandbox, await exportOf(sandbox));
    const plain = await send(sandbox, path, "application/json", json);
    for (const name of ["file", "agent", "upload"]) {
      const form = formOf([{ name, filename: "export.json", type: "application/json", content: json }]);
      const found = await send(sandbox, path, label, form);
      expect([name, found.status, found.body[named]]).toEqual([name, 201, plain.body[named]]);
    }
  });

  test("is imported as a field, and as JSON that is labelled as a form", async () => {
    const sandbox = await openSandbox({ speed: STANDING_STILL });
    const json = await exported(sandbox, await exportOf(sandbox));
    const other = { name: "note", content: "from staging" };
    for (const type of [undefined, "application/json"]) {
      const form = formOf([other, { name: "data", content: json, ...(type === undefined ? {} : { type }) }]);
      expect((await send(sandbox, path, LABELS[0] ?? "", form)).status).toBe(201);
    }
    for (const label of LABELS) {
      expect([label, (await send(sandbox, path, label, ` \r\n${json}`)).status]).toEqual([label, 201]);
    }
  });

  test("is refused with what is wrong where it is none", async () => {
    const sandbox = await openSandbox({ speed: STANDING_STILL });
    const file = { name: "file", filename: "a.json", content: "{}" };
    const refused: readonly (readonly [string, string])[] = [
      ["no part", `--${BOUNDARY}--\r\n`],
      ["no file", formOf([{ name: "note", content: "nothing" }])],
      ["two files", formOf([file, file])],
      ["many parts", formOf(Array.from({ length: 9 }, (_one, nth) => ({ name: `f${nth}`, content: "x" })))],
      ["no JSON", formOf([{ ...file, content: "{broken" }])],
      ["a field that is no JSON", formOf([{ name: "data", type: "application/json", content: "{broken" }])],
      ["fields that are wrong", formOf([{ ...file, content: '{"format":"agent-export"}' }])],
      ["a list", formOf([{ ...file, content: "[]" }])],
      ["a form that breaks off", formOf([file]).slice(0, -10)],
      ["a name that is special in JavaScript", formOf([{ ...file, name: "__proto__" }])],
      ["blanks", "  \r\n "],
      ["a line of dashes", "--"],
    ];
    for (const label of LABELS) {
      for (const [what, body] of refused) {
        const found = await send(sandbox, path, label, body);
        expect([label, what, found.status]).toEqual([label, what, 422]);
        expect([label, what, Array.isArray(found.body["detail"])]).toEqual([label, what, true]);
      }
    }
  });

  test("is not taken in larger than JSON may be", async () => {
    const sandbox = await openSandbox({ speed: STANDING_STILL });
    const content = `{"pad":"${"x".repeat(11 * 1024 * 1024)}"}`;
    for (const part of [
      { name: "file", filename: "a.json", content },
      { name: "data", content },
    ]) {
      const found = await send(sandbox, path, LABELS[0] ?? "", formOf([part]));
      expect(found.status).toBe(413);
    }
  });
});

test("an import can't reach what all objects inherit from", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const json = `{"format":"agent-export","format_version":1,"agent":{"name":"A","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`;
  const form = formOf([{ name: "file", filename: "a.json", content: json }]);
  const found = await send(sandbox, "/v1/agents/import", "application/json", form);
  expect(found).toMatchObject({ status: 201, body: { agent_name: "A" } });
  expect(found.body).not.toHaveProperty("polluted");
  expect(Object.prototype).not.toHaveProperty("polluted");
});

test.each(LABELS)("a document is taken from a form that is labelled %s", async (label) => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const base = await ask(sandbox, "POST", "/v1/knowledge-bases", { name: "K" });
  const path = `/v1/knowledge-bases/${z.object({ id: z.string() }).parse(base.body).id}/documents`;
  const content = "A line.\r\n".repeat(50_000);
  const form = formOf([{ name: "anything", filename: "notes.txt", content }]);
  const found = await send(sandbox, path, label, form);
  expect(found).toMatchObject({
    status: 201,
    body: { filename: "notes.txt", file_size_bytes: content.length },
  });
  for (const none of ['{"filename":"notes.txt"}', "[]", "  "]) {
    expect([none, (await send(sandbox, path, label, none)).status]).toEqual([none, 422]);
  }
});

test("a body that comes a byte at a time is read as one that comes at once", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const json = await exported(sandbox, `/v1/agents/${PUBLISHED_AGENT}/export`);
  for (const body of [formOf([{ name: "file", filename: "a.json", content: json }]), json]) {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        `${sandbox.url}/v1/agents/import`,
        {
          method: "POST",
          headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on("error", reject);
      sent.setNoDelay(true);
      const bytes = Buffer.from(body);
      const next = (at: number): void => {
        if (at >= 160) {
          sent.end(bytes.subarray(at));
        } else {
          sent.write(bytes.subarray(at, at + 1), () => next(at + 1));
        }
      };
      next(0);
    });
    expect(status).toBe(201);
  }
});

test("what is in a form is sent to nobody without a key, and JSON stays JSON elsewhere", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const form = formOf([{ name: "file", filename: "a.json", content: "{}" }]);
  expect((await ask(sandbox, "POST", "/v1/agents/import", form, "wrong")).status).toBe(401);
  expect((await send(sandbox, "/v1/agents", LABELS[0] ?? "", form)).status).toBe(422);
  const made = await get(agentResponse, sandbox, "POST", "/v1/agents", { name: "Still JSON" });
  expect(made.agent_name).toBe("Still JSON");
});
