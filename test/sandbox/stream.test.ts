import http from "node:http";

import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";

import { batchItemResponse, batchStatusResponse } from "../../src/sandbox/schemas/batch-calls.ts";
import {
  createBatch,
  endCalls,
  eventually,
  listen,
  openSandbox,
  operate,
  phones,
  readItems,
  untilStatus,
} from "./support.ts";

const statusMessage = batchStatusResponse.extend({ type: z.literal("status") });
const itemMessage = z.object({
  type: z.literal("item_update"),
  batch_call_id: z.string(),
  status: z.string(),
  item: batchItemResponse,
});

test("the handshake says whose it is, as every answer does", async () => {
  const sandbox = await openSandbox();
  const batch = await createBatch(sandbox, phones(1));
  for (const [id, status] of [
    [batch.batch_call_id, 101],
    ["nothing", 404],
  ] as const) {
    const socket = new WebSocket(`${sandbox.wsUrl}/ws/batch-call/${id}?token=${sandbox.apiKey}`);
    socket.on("error", () => {});
    const answer = await new Promise<http.IncomingMessage>((resolve) => {
      socket.once("upgrade", resolve);
      socket.once("unexpected-response", (_request, response) => resolve(response));
    });
    expect(answer).toMatchObject({ statusCode: status, headers: { "x-powered-by": "outdial-sandbox" } });
    answer.destroy();
    socket.terminate();
  }
});

test("a listener hears the batch from its first state to its end, then the stream is closed", async () => {
  const sandbox = await openSandbox({ stream: { coalesceMs: 0 } });
  const batch = await createBatch(sandbox, phones(8));
  const listener = await listen(sandbox, batch.batch_call_id);
  await operate(sandbox, batch.batch_call_id, "start");
  expect(await listener.closed).toEqual({ code: 1000 });

  const statuses = listener.messages.filter(({ type }) => type === "status");
  expect(statuses.map((message) => statusMessage.parse(message).status)).toEqual([
    "pending",
    "queued",
    "running",
    "completed",
  ]);
  const updates = listener.messages.filter(({ type }) => type === "item_update");
  const course = new Map<string, string[]>();
  for (const { item } of updates.map((message) => itemMessage.parse(message))) {
    course.set(item.item_id, [...(course.get(item.item_id) ?? []), item.status]);
  }
  for (const item of await readItems(sandbox, batch.batch_call_id)) {
    const answered = item.status === "completed" || item.status === "voicemail";
    expect(course.get(item.item_id)).toEqual(
      answered ? ["dialing", "in_progress", item.status] : ["dialing", item.status],
    );
  }
});

test("changes that come close together become one message an item, with the last state", async () => {
  const sandbox = await openSandbox({ stream: { coalesceMs: 1_000 } });
  const batch = await createBatch(sandbox, phones(5));
  const listener = await listen(sandbox, batch.batch_call_id);
  await operate(sandbox, batch.batch_call_id, "start");
  await listener.closed;
  const items = listener.messages.filter(({ type }) => type === "item_update");
  expect(items.map((message) => itemMessage.parse(message).item)).toEqual(
    expect.arrayContaining(await readItems(sandbox, batch.batch_call_id)),
  );
  expect(items).toHaveLength(5);
});

test("the key may come in the header or as token; a wrong one, or no such batch, is an HTTP answer", async () => {
  const sandbox = await openSandbox({ basePath: "/api" });
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  await listen(sandbox, id, { header: sandbox.apiKey });
  await listen(sandbox, id, { token: sandbox.apiKey });
  await expect(listen(sandbox, id, {})).rejects.toThrow("refused: 401");
  await expect(listen(sandbox, id, { header: "wrong" })).rejects.toThrow(/refused: 401, Date .* GMT/);
  await expect(listen(sandbox, id, { token: "wrong" })).rejects.toThrow("refused: 401");
  await expect(listen(sandbox, "11111111-1111-4111-8111-111111111111")).rejects.toThrow("refused: 404");
  await expect(listen({ ...sandbox, wsUrl: sandbox.wsUrl.replace("/api", "") }, id)).rejects.toThrow("404");
});

test("a target that is no path is refused, with a key and without, and the sandbox goes on", async () => {
  const sandbox = await openSandbox();
  for (const target of ["http://[", "//", "http://:0:0"]) {
    const status = await new Promise((resolve, reject) => {
      const headers = {
        connection: "upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      };
      const request = http.get({ port: sandbox.port, path: target, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on("error", reject);
    });
    expect(status).toBe(404);
  }
  await createBatch(sandbox, phones(1));
});

test("a quiet stream has heartbeats, and a listener that left is forgotten", async () => {
  const sandbox = await openSandbox({ stream: { heartbeatMs: 100 } });
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  const listener = await listen(sandbox, id);
  await eventually(() => {
    expect(listener.messages.filter(({ type }) => type === "heartbeat").length).toBeGreaterThanOrEqual(3);
  });
  expect(sandbox.stats().streamReaders).toBe(1);
  listener.socket.terminate();
  await eventually(() => {
    expect(sandbox.stats().streamReaders).toBe(0);
  });
});

test("a listener that does not read is cut off, and the batch goes on", async () => {
  const sandbox = await openSandbox({ stream: { coalesceMs: 0 } });
  const batch = await createBatch(sandbox, phones(40), { max_concurrent_calls: 40 });
  const listener = await listen(sandbox, batch.batch_call_id);
  listener.socket.pause();
  // Four megabytes a message fill every buffer between the two.
  sandbox.faults.add({ kind: "stream_garble", mode: "oversize" });
  await operate(sandbox, batch.batch_call_id, "start");
  await eventually(() => {
    expect(sandbox.stats().streamReaders).toBe(0);
  });
  await untilStatus(sandbox, batch.batch_call_id, "completed");
});

test("a listener of a batch that is over gets its state and is sent away", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const batch = await createBatch(sandbox, phones(2));
  await operate(sandbox, batch.batch_call_id, "start");
  await untilStatus(sandbox, batch.batch_call_id, "completed");
  const late = await listen(sandbox, batch.batch_call_id);
  expect(await late.closed).toEqual({ code: 1000 });
  expect(late.messages).toMatchObject([{ type: "status", status: "completed" }]);
});

test("the stream of a cancelled batch stays open until its last call has ended", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "never_finish" });
  for (const number of phones(3)) {
    sandbox.outcomes.force(number, ["answered"]);
  }
  const batch = await createBatch(sandbox, phones(3), { max_concurrent_calls: 2 });
  const listener = await listen(sandbox, batch.batch_call_id);
  await operate(sandbox, batch.batch_call_id, "start");
  await eventually(() => {
    expect(sandbox.stats().activeCalls).toBe(2);
  });
  await operate(sandbox, batch.batch_call_id, "cancel");
  await eventually(() => {
    expect(listener.messages).toContainEqual(
      expect.objectContaining({ type: "status", status: "cancelled" }),
    );
  });
  expect(listener.socket.readyState).toBe(listener.socket.OPEN);
  await endCalls(sandbox, batch.batch_call_id, 2);
  expect(await listener.closed).toEqual({ code: 1000 });
  const last = statusMessage.parse(listener.messages.findLast(({ type }) => type === "status"));
  expect(last).toMatchObject({ status: "cancelled", active: 0, counts: { completed: 2, cancelled: 1 } });
});
