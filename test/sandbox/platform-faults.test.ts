import { expect, test } from "vitest";
import { z } from "zod";

import { batchItemResponse } from "../../src/sandbox/schemas/batch-calls.ts";
import { envelopeOf } from "../../src/sandbox/schemas/page.ts";
import {
  ask,
  createBatch,
  eventually,
  get,
  listen,
  openSandbox,
  operate,
  phone,
  phones,
  readBatch,
  readItems,
  refusal,
  runBatch,
  untilStatus,
} from "./support.ts";

const itemUpdate = z.object({ type: z.literal("item_update"), item: batchItemResponse });

test("streams that exist and streams that come are closed, with a code or abruptly", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  const open = await listen(sandbox, id);
  sandbox.faults.add({ kind: "stream_close", code: 4001, times: 2 });
  expect(await open.closed).toEqual({ code: 4001 });
  const next = await listen(sandbox, id);
  expect(await next.closed).toEqual({ code: 4001 });
  expect(next.messages).toEqual([]);
  sandbox.faults.add({ kind: "stream_close", after_messages: 1, abrupt: true, times: 1 });
  const third = await listen(sandbox, id);
  await operate(sandbox, id, "start");
  expect(await third.closed).toEqual({ code: 1006 });
  expect(third.messages).toHaveLength(1);
  const fourth = await listen(sandbox, id);
  expect(await fourth.closed).toEqual({ code: 1000 });
});

test("stream connections are refused as often as asked", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  sandbox.faults.add({ kind: "stream_refuse", status: 503, times: 1 });
  await expect(listen(sandbox, id)).rejects.toThrow("refused: 503");
  await listen(sandbox, id);
});

test("a garbled stream says nonsense of the kind asked for", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(2));
  const firstText = async (mode: "not_json" | "oversize" | "wrong_ids" | "false_status") => {
    sandbox.faults.add({ kind: "stream_garble", mode, times: 1 });
    const listener = await listen(sandbox, id);
    await eventually(() => {
      expect(listener.texts).toHaveLength(1);
    });
    return listener.texts[0] ?? "";
  };
  expect(() => JSON.parse("not json")).toThrow();
  const nonsense = await firstText("not_json");
  expect(() => {
    JSON.parse(nonsense);
  }).toThrow();
  expect((await firstText("oversize")).length).toBeGreaterThan(4_000_000);
  const strange = await firstText("wrong_ids");
  expect(strange).toContain('"type":"status"');
  expect(strange).not.toContain(id);
  expect(JSON.parse(await firstText("false_status"))).toMatchObject({ status: "completed", pending: 0 });
});

test("a silent stream says nothing while the batch goes on", async () => {
  const sandbox = await openSandbox({ stream: { heartbeatMs: 5 } });
  sandbox.faults.add({ kind: "never_finish" });
  const fault = sandbox.faults.add({ kind: "stream_silence" });
  const { batch_call_id: id } = await createBatch(sandbox, phones(3));
  const listener = await listen(sandbox, id);
  await operate(sandbox, id, "start");
  await untilStatus(sandbox, id, "running");
  expect(listener.texts).toEqual([]);
  sandbox.faults.remove(fault.fault_id);
  await eventually(() => {
    expect(listener.texts.length).toBeGreaterThan(0);
  });
});

test("pickup is delayed, and a batch paused meanwhile is not picked up", async () => {
  const sandbox = await openSandbox();
  // Long enough for a busy machine to pause one of them meanwhile.
  const delayMs = 2_000;
  sandbox.faults.add({ kind: "pickup_delay", ms: delayMs, times: 2 });
  const { batch_call_id: id } = await createBatch(sandbox, phones(2));
  const { batch_call_id: paused } = await createBatch(sandbox, phones(2, 10));
  const startedMs = performance.now();
  await operate(sandbox, paused, "start");
  await operate(sandbox, id, "start");
  await operate(sandbox, paused, "pause");
  await untilStatus(sandbox, id, "completed");
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(delayMs);
  expect((await readBatch(sandbox, paused)).status).toBe("paused");
  expect(sandbox.dialLog.length).toBe(2);
});

test("calls finish late, or never, as often or for whom it was asked", async () => {
  const sandbox = await openSandbox({ speed: 10_000, stream: { coalesceMs: 0 } });
  // The third call would end long before the first one.
  sandbox.outcomes.force(phone(0), [{ outcome: "answered", ring_ms: 1_000, talk_ms: 1_000_000 }]);
  sandbox.outcomes.force(phone(2), [{ outcome: "answered", ring_ms: 1_000, talk_ms: 1_000 }]);
  sandbox.faults.add({ kind: "never_finish", phone: phone(1) });
  sandbox.faults.add({ kind: "finish_late", ms: 600, phone: phone(2), times: 1 });
  const { batch_call_id: id } = await createBatch(sandbox, phones(3));
  const listener = await listen(sandbox, id);
  await operate(sandbox, id, "start");
  const completed = () =>
    listener.messages
      .map((message) => itemUpdate.safeParse(message).data?.item)
      .flatMap((item) => (item?.status === "completed" ? item.phone_number : []));
  await eventually(() => {
    expect(completed()).toHaveLength(2);
  });
  expect(completed()).toEqual([phone(0), phone(2)]);
  expect((await readItems(sandbox, id))[1]).toMatchObject({ completed_at: null });
  expect(await ask(sandbox, "GET", "/_sandbox/active-calls")).toMatchObject({
    body: { total: 1, items: [{ to_number: phone(1) }] },
  });
});

test("item statuses appear under words never seen before, in listing, counts and filter", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  sandbox.outcomes.force(phone(0), ["no_answer"]);
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  sandbox.faults.add({ kind: "item_words", words: { no_answer: "unreached" } });
  expect(await runBatch(sandbox, id)).toMatchObject([{ status: "unreached" }]);
  expect((await readBatch(sandbox, id)).counts).toEqual({ unreached: 1 });
  const path = `/v1/batch-calls/${id}/items?status=unreached`;
  expect((await get(envelopeOf(batchItemResponse), sandbox, "GET", path)).total).toBe(1);
});

test("the items listing gives smaller pages than asked for, and loses nobody", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(10));
  sandbox.faults.add({ kind: "items_page_cap", rows: 4 });
  const seen: string[] = [];
  for (;;) {
    const path = `/v1/batch-calls/${id}/items?limit=1000&skip=${seen.length}`;
    const page = await get(envelopeOf(batchItemResponse), sandbox, "GET", path);
    expect(page).toMatchObject({ total: 10, limit: 1_000 });
    if (page.items.length === 0) {
      break;
    }
    seen.push(...page.items.map((item) => item.phone_number));
  }
  expect(seen).toEqual(phones(10));
});

test("the Date header is skewed on every answer", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "date_skew", ms: -3_600_000 });
  for (const path of ["/v1/agents", "/nowhere"]) {
    const { headers } = await ask(sandbox, "GET", path);
    expect(Date.parse(headers.get("date") ?? "") - Date.now()).toBeLessThan(-3_590_000);
  }
});

test("a batch that vanishes is 404 everywhere while its contacts are dialed", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(4));
  const listener = await listen(sandbox, id);
  await operate(sandbox, id, "start");
  sandbox.faults.add({ kind: "vanish", batch_call_id: id });
  await listener.closed;
  expect((await refusal(sandbox, "GET", `/v1/batch-calls/${id}`)).status).toBe(404);
  expect((await refusal(sandbox, "GET", `/v1/batch-calls/${id}/items`)).status).toBe(404);
  expect((await refusal(sandbox, "POST", `/v1/batch-calls/${id}/cancel`)).status).toBe(404);
  expect(await ask(sandbox, "GET", "/v1/batch-calls")).toMatchObject({ body: { total: 0 } });
  expect(await ask(sandbox, "GET", "/v1/batch-calls/active")).toMatchObject({ body: [] });
  await expect(listen(sandbox, id)).rejects.toThrow("refused: 404");
  await eventually(() => {
    expect(sandbox.dialLog.length).toBe(4);
  });
});

test.each(["create", "start"] as const)("the next batch vanishes on its %s", async (event) => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "vanish_on", event, times: 1 });
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  if (event === "start") {
    await operate(sandbox, id, "start");
  }
  expect((await refusal(sandbox, "GET", `/v1/batch-calls/${id}`)).status).toBe(404);
  const other = await createBatch(sandbox, phones(1, 5));
  await runBatch(sandbox, other.batch_call_id);
  expect(sandbox.dialLog.length).toBe(event === "start" ? 2 : 1);
});

test.each(["pending", "queued", "running"] as const)(
  "a start is accepted and never acted on, and the batch stays as it is shown: %s",
  async (shown) => {
    const sandbox = await openSandbox();
    sandbox.faults.add({ kind: "never_picked_up", shown_as: shown, times: 1 });
    const { batch_call_id: id } = await createBatch(sandbox, phones(2));
    expect((await operate(sandbox, id, "start")).status).toBe(shown);
    const { batch_call_id: other } = await createBatch(sandbox, phones(1, 5));
    await runBatch(sandbox, other);
    expect((await readBatch(sandbox, id)).status).toBe(shown);
    expect(sandbox.dialLog.length).toBe(1);
    expect((await operate(sandbox, id, "cancel")).status).toBe("cancelled");
  },
);

test("a batch is known nowhere until a while after it was created", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "visible_late", ms: 300, times: 1 });
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  expect((await refusal(sandbox, "POST", `/v1/batch-calls/${id}/start`)).status).toBe(404);
  expect(await ask(sandbox, "GET", "/v1/batch-calls")).toMatchObject({ body: { total: 0 } });
  await eventually(async () => {
    expect((await readBatch(sandbox, id)).status).toBe("pending");
  });
  await runBatch(sandbox, id);
  expect(sandbox.dialLog.length).toBe(1);
});

test("a page of items lies of one number, or of all, as often as asked", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const { batch_call_id: id } = await createBatch(sandbox, phones(3));
  const items = await runBatch(sandbox, id);
  sandbox.faults.add({ kind: "items_missing", phone: phone(1), times: 1 });
  expect((await readItems(sandbox, id)).map((item) => item.phone_number)).toEqual([phone(0), phone(2)]);
  sandbox.faults.add({ kind: "items_forgotten", times: 1 });
  expect(await readItems(sandbox, id)).toMatchObject(
    items.map(() => ({ status: "pending", attempt_count: 0, call_id: null, started_at: null })),
  );
  expect(await readItems(sandbox, id)).toEqual(items);
});

test("one record is answered with a status, and the others are not", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  const { batch_call_id: other } = await createBatch(sandbox, phones(1, 5));
  sandbox.faults.add({ kind: "status", route: "GET /v1/batch-calls/:id", status: 500, id });
  expect((await refusal(sandbox, "GET", `/v1/batch-calls/${id}`)).status).toBe(500);
  expect((await readBatch(sandbox, other)).status).toBe("pending");
});
