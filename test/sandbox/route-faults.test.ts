import { expect, test } from "vitest";
import { z } from "zod";

import type { TIME_SHAPES } from "../../src/sandbox/faults.ts";
import { messageResponse } from "../../src/sandbox/schemas/page.ts";
import {
  ask,
  CALLER_ID,
  createBatch,
  eventually,
  get,
  listen,
  openSandbox,
  operate,
  phone,
  phones,
  PUBLISHED_AGENT,
  readBatch,
  refusal,
  untilStatus,
} from "./support.ts";

const START = "POST /v1/batch-calls/:id/start";
const CREATE = "POST /v1/batch-calls";

/** After so long a request takes effect that is late: a busy machine has seen and done something before that. */
const LATE_MS = 1_500;

test("a status is answered so many times, with its body and Retry-After, and nothing happens", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  sandbox.faults.add({ kind: "status", route: START, status: 429, retry_after: "3", times: 2 });
  const first = await ask(sandbox, "POST", `/v1/batch-calls/${id}/start`);
  expect([first.status, first.headers.get("retry-after")]).toEqual([429, "3"]);
  expect(first.headers.get("date")).not.toBeNull();
  expect((await ask(sandbox, "POST", `/v1/batch-calls/${id}/start`)).status).toBe(429);
  expect((await readBatch(sandbox, id)).status).toBe("pending");
  await operate(sandbox, id, "start");
  expect(sandbox.faults.list()).toMatchObject([{ hits: 2, remaining: 0 }]);
  sandbox.faults.add({ kind: "status", route: "GET /v1/agents", status: 500, body: "<html>", times: 1 });
  expect(await ask(sandbox, "GET", "/v1/agents")).toMatchObject({ status: 500, body: "<html>" });
});

test("a request that is refused anyway uses no fault up", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "status", route: "*", status: 503, times: 1 });
  expect((await ask(sandbox, "GET", "/v1/agents", undefined, "wrong")).status).toBe(401);
  expect((await ask(sandbox, "GET", "/v1/agents?limit=0")).status).toBe(422);
  expect((await ask(sandbox, "GET", "/_sandbox/stats")).status).toBe(200);
  expect((await ask(sandbox, "GET", "/v1/agents")).status).toBe(503);
});

test("a connection dropped before the effect leaves nothing behind", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  sandbox.faults.add({ kind: "drop_before", route: START, times: 1 });
  await expect(ask(sandbox, "POST", `/v1/batch-calls/${id}/start`)).rejects.toThrow();
  expect((await readBatch(sandbox, id)).status).toBe("pending");
});

test("a connection dropped after the effect leaves the batch started, and the caller without an answer", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(2));
  sandbox.faults.add({ kind: "drop_after", route: START, times: 1 });
  await expect(ask(sandbox, "POST", `/v1/batch-calls/${id}/start`)).rejects.toThrow();
  await untilStatus(sandbox, id, "completed");
  expect(sandbox.dialLog.length).toBe(2);
});

test("a batch whose creation was never answered is there all the same", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "drop_after", route: CREATE, times: 1 });
  await expect(createBatch(sandbox, phones(2), { name: "orphan" })).rejects.toThrow();
  expect(await ask(sandbox, "GET", "/v1/batch-calls")).toMatchObject({
    body: { total: 1, items: [{ name: "orphan", status: "pending" }] },
  });
});

test("a late start takes effect after the caller gave up", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(2));
  const fault = sandbox.faults.add({ kind: "late", route: START, after_ms: LATE_MS, times: 1 });
  await expect(ask(sandbox, "POST", `/v1/batch-calls/${id}/start`)).rejects.toThrow();
  expect((await readBatch(sandbox, id)).status).toBe("pending");
  await untilStatus(sandbox, id, "completed");
  expect(sandbox.faults.find(fault.fault_id)).toMatchObject({ hits: 1, effects: [{ status: 200 }] });
  expect(sandbox.stats().routes[START]?.requests).toBe(1);
});

test("a late start finds its batch cancelled and does nothing", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(2));
  const fault = sandbox.faults.add({ kind: "late", route: START, after_ms: LATE_MS, status: 504, times: 1 });
  expect((await ask(sandbox, "POST", `/v1/batch-calls/${id}/start`)).status).toBe(504);
  await operate(sandbox, id, "cancel");
  await eventually(() => {
    expect(sandbox.faults.find(fault.fault_id)?.effects).toMatchObject([{ status: 409 }]);
  });
  expect(await readBatch(sandbox, id)).toMatchObject({ status: "cancelled", counts: { cancelled: 2 } });
  expect(sandbox.dialLog.length).toBe(0);
});

test.each(["cancelled", "deleted"])("a hostile platform dials a batch that was %s", async (fate) => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(2));
  sandbox.faults.add({ kind: "late", route: START, after_ms: LATE_MS, regardless: true, times: 1 });
  await expect(ask(sandbox, "POST", `/v1/batch-calls/${id}/start`)).rejects.toThrow();
  if (fate === "cancelled") {
    await operate(sandbox, id, "cancel");
  } else {
    await get(messageResponse, sandbox, "DELETE", `/v1/batch-calls/${id}`);
  }
  await eventually(() => {
    expect(sandbox.dialLog.length).toBe(2);
  });
  expect((await ask(sandbox, "GET", `/v1/batch-calls/${id}`)).status).toBe(fate === "deleted" ? 404 : 200);
});

test("a late creation and a late phone call happen, too", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "late", route: CREATE, after_ms: 20, times: 1 });
  sandbox.faults.add({ kind: "late", route: "POST /v1/calls/phone", after_ms: 20, times: 1 });
  await expect(createBatch(sandbox, phones(1), { name: "late" })).rejects.toThrow();
  const body = { agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, to_number: phone(5) };
  await expect(ask(sandbox, "POST", "/v1/calls/phone", body)).rejects.toThrow();
  await eventually(async () => {
    expect(sandbox.dialLog.of(phone(5))).toHaveLength(1);
    expect(await ask(sandbox, "GET", "/v1/batch-calls")).toMatchObject({
      body: { items: [{ name: "late" }] },
    });
  });
});

test("latency holds a request back, and its effect comes even if the caller gave up meanwhile", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  const fault = sandbox.faults.add({ kind: "latency", route: START, ms: LATE_MS, jitter_ms: 10, times: 1 });
  const startedMs = performance.now();
  const abort = new AbortController();
  const request = fetch(`${sandbox.url}/v1/batch-calls/${id}/start`, {
    method: "POST",
    headers: { authorization: `Bearer ${sandbox.apiKey}` },
    signal: abort.signal,
  });
  const outcome = request.then(
    () => "answered",
    () => "given up",
  );
  await eventually(() => {
    expect(sandbox.faults.find(fault.fault_id)?.hits).toBe(1);
  });
  abort.abort();
  expect(await outcome).toBe("given up");
  await untilStatus(sandbox, id, "completed");
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(LATE_MS);
});

test("a fault on a route that does not exist, or without sense, is refused", async () => {
  const sandbox = await openSandbox();
  expect(() => sandbox.faults.add({ kind: "drop_after", route: "POST /v1/batch-calls/start" })).toThrow(
    "no such route: POST /v1/batch-calls/start",
  );
  expect(() => sandbox.faults.add({ kind: "late", route: CREATE, after_ms: 1, regardless: true })).toThrow(
    "regardless",
  );
  expect(() => sandbox.faults.add({ kind: "vanish", batch_call_id: "nothing" })).toThrow("could vanish");
  expect(sandbox.faults.list()).toEqual([]);
  expect(await refusal(sandbox, "POST", "/_sandbox/faults", { kind: "earthquake" })).toMatchObject({
    status: 422,
  });
  expect(
    await refusal(sandbox, "POST", "/_sandbox/faults", { kind: "drop_after", route: "GET /v1/unicorns" }),
  ).toMatchObject({ status: 422, detail: [{ msg: expect.stringContaining("no such route") }] });
});

test("routes are named without the base path, and with a slash at the end", async () => {
  const sandbox = await openSandbox({ basePath: "/api/eu" });
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  sandbox.faults.add({ kind: "status", route: "GET /v1/batch-calls/:id", status: 502, times: 1 });
  expect((await ask(sandbox, "GET", `/v1/batch-calls/${id}/`)).status).toBe(502);
  await listen(sandbox, id);
  const { routes } = sandbox.stats();
  expect(routes["GET /v1/batch-calls/:id"]).toEqual({ requests: 1, statuses: { 502: 1 } });
  expect(routes["GET /ws/batch-call/:id"]).toEqual({ requests: 1, statuses: { 101: 1 } });
});

const listed = z.object({ items: z.array(z.record(z.string(), z.unknown()).nullable()) });

function rowsOf({ body }: { body: unknown }) {
  return listed.parse(body).items;
}

test("records are garbled by field, by number and by id, or altogether, and only in what is told", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(2));
  const items = `/v1/batch-calls/${id}/items`;
  const route = "GET /v1/batch-calls/:id/items";
  sandbox.faults.add({ kind: "garble", route, fields: { started_at: "99999", odd: { a: [1] } }, times: 1 });
  expect(rowsOf(await ask(sandbox, "GET", items))).toMatchObject([
    { phone_number: phone(0), started_at: "99999", odd: { a: [1] } },
    { phone_number: phone(1), started_at: "99999" },
  ]);
  sandbox.faults.add({ kind: "garble", route, phone: phone(1), row: null });
  sandbox.faults.add({ kind: "garble", route, phone: phone(0), fields: { status: "\u0000" } });
  expect(rowsOf(await ask(sandbox, "GET", items))).toMatchObject([{ status: "\u0000" }, null]);
  const other = await createBatch(sandbox, phones(1));
  sandbox.faults.add({ kind: "garble", route: "GET /v1/batch-calls/:id", id, row: "gone fishing" });
  expect((await ask(sandbox, "GET", `/v1/batch-calls/${id}`)).body).toBe("gone fishing");
  expect((await readBatch(sandbox, other.batch_call_id)).status).toBe("pending");
  // Nothing but those answers was concerned.
  await operate(sandbox, id, "start");
  sandbox.faults.clear();
  await untilStatus(sandbox, id, "completed");
});

test("times are written in other shapes, and are the same times", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  const createdAt = async () => {
    const rows = rowsOf(await ask(sandbox, "GET", "/v1/batch-calls"));
    return rows.find((row) => row?.["batch_call_id"] === id)?.["created_at"];
  };
  const iso = String(await createdAt());
  const epochMs = Date.parse(iso);
  const shown = async (shape: (typeof TIME_SHAPES)[number]) => {
    const fault = sandbox.faults.add({ kind: "time_shape", shape });
    const time: unknown = await createdAt();
    sandbox.faults.remove(fault.fault_id);
    return time;
  };
  expect(await shown("naive")).toBe(iso.slice(0, 19));
  expect(await shown("spaced")).toBe(iso.slice(0, 23).replace("T", " "));
  expect(await shown("microseconds")).toBe(`${iso.slice(0, 23)}000`);
  expect(await shown("epoch_seconds")).toBe(epochMs / 1_000);
  expect(await shown("epoch_milliseconds")).toBe(epochMs);
  const offset = String(await shown("offset"));
  expect(offset).toMatch(/\+05:30$/);
  expect(Date.parse(offset)).toBe(Math.floor(epochMs / 1_000) * 1_000);
});
