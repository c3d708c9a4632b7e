import { expect, test } from "vitest";
import { z } from "zod";

import { ask, createBatch, get, openSandbox, phone, phones, refusal, runBatch } from "./support.ts";

const dialLogPage = z.object({
  total: z.int(),
  entries: z.array(
    z.object({
      seq: z.int(),
      at: z.iso.datetime(),
      phone: z.string(),
      from_number: z.string(),
      batch_call_id: z.string().nullable(),
      item_id: z.string().nullable(),
      call_id: z.string(),
      source: z.enum(["batch", "phone"]),
      nth: z.int(),
    }),
  ),
});

test("the dial log is read from where one left off, and names item and call of each dial", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const batch = await createBatch(sandbox, phones(5));
  const items = await runBatch(sandbox, batch.batch_call_id);
  const first = await get(dialLogPage, sandbox, "GET", "/_sandbox/dial-log?limit=3");
  expect(first.entries.map((entry) => entry.seq)).toEqual([1, 2, 3]);
  const rest = await get(dialLogPage, sandbox, "GET", "/_sandbox/dial-log?after=3");
  expect(rest.total).toBe(5);
  const dials = [...first.entries, ...rest.entries];
  expect(dials).toEqual(sandbox.dialLog.entries());
  expect(dials.map((dial) => [dial.item_id, dial.call_id, dial.phone])).toEqual(
    items.map((item) => [item.item_id, item.call_id, item.phone_number]),
  );
  expect(dials.every((dial) => dial.batch_call_id === batch.batch_call_id && dial.nth === 1)).toBe(true);
  expect((await ask(sandbox, "GET", "/_sandbox/dial-log/counts")).body).toEqual({
    dials: 5,
    by_source: { batch: 5, phone: 0 },
    numbers: 5,
    most_dials_of_a_number: 1,
  });
});

test("outcomes are forced over HTTP, and given back", async () => {
  const sandbox = await openSandbox({ speed: 10_000 });
  const force = {
    phone_number: phone(0),
    outcomes: ["busy", { outcome: "failed", error: "SIP 403 Forbidden" }],
  };
  expect((await ask(sandbox, "POST", "/_sandbox/outcomes", force)).status).toBe(200);
  const batch = await createBatch(sandbox, [phone(0)], { retry_attempts: 1 });
  expect(await runBatch(sandbox, batch.batch_call_id)).toMatchObject([
    { status: "failed", attempt_count: 2, error_message: "SIP 403 Forbidden" },
  ]);
  expect((await ask(sandbox, "DELETE", "/_sandbox/outcomes")).status).toBe(200);
  const seeded = await openSandbox({ speed: 10_000 });
  const plain = await createBatch(seeded, [phone(0), phone(0), phone(0)], { max_concurrent_calls: 1 });
  const third = (await runBatch(seeded, plain.batch_call_id))[2];
  const again = await createBatch(sandbox, [phone(0)]);
  expect((await runBatch(sandbox, again.batch_call_id))[0]?.status).toBe(third?.status);
  const wrong = { phone_number: phone(0), outcomes: ["abducted"] };
  expect((await refusal(sandbox, "POST", "/_sandbox/outcomes", wrong)).status).toBe(422);
});

test("faults are added, seen, and removed over HTTP", async () => {
  const sandbox = await openSandbox();
  const fault = { kind: "status", route: "GET /v1/agents", status: 503, times: 5 };
  const added = await ask(sandbox, "POST", "/_sandbox/faults", fault);
  expect(added).toMatchObject({ status: 201, body: { fault_id: "fault-1", fault, remaining: 5 } });
  expect((await ask(sandbox, "GET", "/v1/agents")).status).toBe(503);
  expect((await ask(sandbox, "GET", "/_sandbox/faults/fault-1")).body).toMatchObject({
    hits: 1,
    remaining: 4,
  });
  expect((await ask(sandbox, "DELETE", "/_sandbox/faults/fault-1")).status).toBe(200);
  expect((await ask(sandbox, "DELETE", "/_sandbox/faults/fault-1")).status).toBe(404);
  expect((await ask(sandbox, "GET", "/v1/agents")).status).toBe(200);
  await ask(sandbox, "POST", "/_sandbox/faults", { kind: "stream_silence" });
  expect((await ask(sandbox, "DELETE", "/_sandbox/faults")).status).toBe(200);
  expect((await ask(sandbox, "GET", "/_sandbox/faults")).body).toEqual({ items: [] });
});

test("statistics count requests by route and status, without those of the control side", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  await ask(sandbox, "GET", "/v1/agents");
  await ask(sandbox, "GET", "/v1/agents", undefined, "wrong");
  await ask(sandbox, "GET", "/v1/agents/nobody");
  await ask(sandbox, "PUT", "/_sandbox/balance", { usd: 3 });
  expect((await ask(sandbox, "GET", "/_sandbox/stats")).body).toEqual({
    requests: 3,
    routes: {
      "GET /v1/agents": { requests: 2, statuses: { 200: 1, 401: 1 } },
      "GET /v1/agents/:id": { requests: 1, statuses: { 404: 1 } },
    },
    dials: 0,
    active_calls: 0,
    peak_active_calls: 0,
    stream_readers: 0,
  });
  expect((await ask(sandbox, "GET", "/v1/billing/balance")).body).toMatchObject({ current_balance: 3 });
});
