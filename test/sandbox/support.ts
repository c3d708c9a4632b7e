import { onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";

import { createSandbox } from "../../src/sandbox/sandbox.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { SandboxOptions } from "../../src/sandbox/options.ts";
import {
  batchCreatedResponse,
  batchItemResponse,
  batchStatusResponse,
} from "../../src/sandbox/schemas/batch-calls.ts";
import { callListItem } from "../../src/sandbox/schemas/calls.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import { PATIENCE_MS } from "../support/until.ts";

export const PUBLISHED_AGENT = "11111111-1111-4111-8111-111111111111";
export const DRAFT_AGENT = "22222222-2222-4222-8222-222222222222";
export const CALLER_ID = "+12025550100";

/** A speed at which a simulated second takes a quarter of an hour: what is so now is so for the whole test. */
export const STANDING_STILL = 0.001;

/** A sandbox that is closed when the test ends, with simulated rooms. A simulated minute takes 0.1 s. */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ speed: 600, rooms: "simulated", ...options });
  onTestFinished(async () => {
    await sandbox.close();
  });
  return sandbox;
}

/** Waits until the assertion holds. */
export async function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return await vi.waitFor(assertion, { timeout: PATIENCE_MS, interval: 5 });
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends a request as a client would. `key` null sends none. */
export async function ask(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
  key: string | null = sandbox.apiKey,
): Promise<Answer> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (key !== null) {
    headers["authorization"] = `Bearer ${key}`;
  }
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text,
  };
}

/** Sends a request, and checks status and shape of the answer. */
export async function get<T>(
  schema: z.ZodType<T>,
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await ask(sandbox, method, path, body);
  if (answer.status >= 300) {
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return schema.parse(answer.body);
}

const detailSchema = z.object({ detail: z.unknown() });

/** The status of an answer, and its detail. */
export async function refusal(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; detail: unknown }> {
  const answer = await ask(sandbox, method, path, body);
  return { status: answer.status, detail: detailSchema.parse(answer.body).detail };
}

/** A number of a block that belongs to nobody. */
export function phone(index: number): string {
  return `+1415555${String(index).padStart(4, "0")}`;
}

export function phones(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, index) => phone(from + index));
}

export type Batch = z.output<typeof batchCreatedResponse>;
export type BatchStatus = z.output<typeof batchStatusResponse>;
export type Item = z.output<typeof batchItemResponse>;

export async function createBatch(
  sandbox: Sandbox,
  numbers: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<Batch> {
  return await get(batchCreatedResponse, sandbox, "POST", "/v1/batch-calls", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    contacts: numbers.map((phone_number) => ({ phone_number })),
    retry_attempts: 0,
    ...fields,
  });
}

export async function operate(sandbox: Sandbox, batchId: string, operation: string): Promise<BatchStatus> {
  return await get(batchStatusResponse, sandbox, "POST", `/v1/batch-calls/${batchId}/${operation}`);
}

export async function readBatch(sandbox: Sandbox, batchId: string): Promise<BatchStatus> {
  return await get(batchStatusResponse, sandbox, "GET", `/v1/batch-calls/${batchId}`);
}

/** Ends every call of a batch that is up, once each of so many was answered. */
export async function endCalls(sandbox: Sandbox, batchId: string, count: number): Promise<void> {
  const up = await eventually(async () => {
    const talking = (await readItems(sandbox, batchId)).filter((item) => item.status === "in_progress");
    if (talking.length !== count) {
      throw new Error(`${talking.length} calls are up, not ${count}`);
    }
    return talking;
  });
  for (const { call_id: id } of up) {
    await get(callListItem, sandbox, "POST", `/v1/calls/${id}/end`);
  }
}

export async function readItems(sandbox: Sandbox, batchId: string): Promise<Item[]> {
  const path = `/v1/batch-calls/${batchId}/items?limit=1000`;
  return (await get(envelopeOf(batchItemResponse), sandbox, "GET", path)).items;
}

/** Starts a batch, waits until it is completed, and gives its items. */
export async function runBatch(sandbox: Sandbox, batchId: string): Promise<Item[]> {
  await operate(sandbox, batchId, "start");
  await untilStatus(sandbox, batchId, "completed");
  return await readItems(sandbox, batchId);
}

export async function untilStatus(sandbox: Sandbox, batchId: string, status: string): Promise<BatchStatus> {
  return await eventually(async () => {
    const batch = await readBatch(sandbox, batchId);
    if (batch.status !== status) {
      throw new Error(`batch is ${batch.status}, not ${status}`);
    }
    return batch;
  });
}

/** A client of the stream that keeps what it hears. */
export interface Listener {
  readonly socket: WebSocket;
  readonly texts: string[];
  readonly messages: Record<string, unknown>[];
  readonly closed: Promise<{ code: number }>;
}

const objectSchema = z.record(z.string(), z.unknown());

/** Connects to a batch's stream; rejects with the HTTP status if it is refused. */
export async function listen(
  sandbox: Sandbox,
  batchId: string,
  credential: { header?: string; token?: string } = { header: sandbox.apiKey },
): Promise<Listener> {
  const query = credential.token === undefined ? "" : `?token=${encodeURIComponent(credential.token)}`;
  const headers = credential.header === undefined ? {} : { authorization: `Bearer ${credential.header}` };
  const socket = new WebSocket(`${sandbox.wsUrl}/ws/batch-call/${batchId}${query}`, { headers });
  onTestFinished(() => {
    socket.terminate();
  });
  const listener: Listener = {
    socket,
    texts: [],
    messages: [],
    closed: new Promise((resolve) => {
      socket.on("close", (code) => {
        resolve({ code });
      });
    }),
  };
  socket.on("message", (data: Buffer) => {
    const text = data.toString("utf8");
    listener.texts.push(text);
    if (text.startsWith("{")) {
      listener.messages.push(objectSchema.parse(JSON.parse(text)));
    }
  });
  await new Promise<void>((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
    socket.on("unexpected-response", (_request, response) => {
      reject(new Error(`refused: ${response.statusCode ?? 0}, Date ${response.headers.date ?? "missing"}`));
      response.destroy();
    });
  });
  return listener;
}
