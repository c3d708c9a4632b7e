import { expect, test } from "vitest";
import { z } from "zod";

import { batchItemResponse, batchListItem } from "../../src/sandbox/schemas/batch-calls.ts";
import { agentResponse } from "../../src/sandbox/schemas/agents.ts";
import { envelopeOf, messageResponse } from "../../src/sandbox/schemas/page.ts";
import {
  ask,
  CALLER_ID,
  createBatch,
  DRAFT_AGENT,
  endCalls,
  eventually,
  get,
  openSandbox,
  operate,
  phone,
  phones,
  PUBLISHED_AGENT,
  readBatch,
  readItems,
  refusal,
  runBatch,
  untilStatus,
} from "./support.ts";

test("creating a batch dials nobody; starting it dials every contact and ends it", async () => {
  const sandbox = await openSandbox();
  const numbers = phones(12);
  const batch = await createBatch(sandbox, numbers, { name: "spring", max_concurrent_calls: 4 });
  expect(batch).toMatchObject({
    name: "spring",
    status: "pending",
    total: 12,
    pending: 12,
    started_at: null,
  });
  expect(sandbox.dialLog.length).toBe(0);

  const started = await operate(sandbox, batch.batch_call_id, "start");
  expect(started.status).toBe("queued");
  const ended = await untilStatus(sandbox, batch.batch_call_id, "completed");
  expect(ended).toMatchObject({ pending: 0, active: 0, processed: 12, progress_percent: 100 });
  expect(ended.completed + ended.failed).toBe(12);

  const items = await readItems(sandbox, batch.batch_call_id);
  expect(items.map((item) => item.phone_number)).toEqual(numbers);
  expect(items.every((item) => item.attempt_count === 1 && item.call_id !== null)).toBe(true);
  expect(items.every((item) => item.completed_at !== null)).toBe(true);
  expect(sandbox.dialLog.entries().map((dial) => dial.phone)).toEqual(numbers);
});

test("no more calls are up at once than the batch allows", async () => {
  const sandbox = await openSandbox();
  const batch = await createBatch(sandbox, phones(60), { max_concurrent_calls: 7 });
  await runBatch(sandbox, batch.batch_call_id);
  expect(sandbox.peakActiveOf(batch.batch_call_id)).toBe(7);
  expect(sandbox.stats().peakActiveCalls).toBe(7);
});

test("the same seed gives the same outcomes, whatever the batches, their order and the speed", async () => {
  const numbers = phones(40);
  const outcomesOf = async (speed: number, sizes: number[], order: readonly string[]) => {
    const sandbox = await openSandbox({ seed: 99, speed });
    const found = new Map<string, string>();
    let from = 0;
    for (const size of sizes) {
      const batch = await createBatch(sandbox, order.slice(from, from + size), { max_concurrent_calls: 20 });
      from += size;
      for (const item of await runBatch(sandbox, batch.batch_call_id)) {
        found.set(item.phone_number, `${item.status} ${item.error_message ?? ""}`);
      }
    }
    return Object.fromEntries(found);
  };
  const once = await outcomesOf(2_000, [40], numbers);
  const again = await outcomesOf(5_000, [10, 25, 5], numbers.toReversed());
  expect(again).toEqual(once);
});

test("a client that leaves retry_attempts out finds its contacts dialed twice in the dial log", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  sandbox.outcomes.force(phone(0), ["no_answer"]);
  sandbox.outcomes.force(phone(1), ["voicemail"]);
  const batch = await createBatch(sandbox, phones(2), { retry_attempts: undefined });
  expect(batch.retry_attempts).toBe(1);
  const items = await runBatch(sandbox, batch.batch_call_id);
  expect(items.map((item) => [item.status, item.attempt_count])).toEqual([
    ["no_answer", 2],
    ["voicemail", 1],
  ]);
  expect(sandbox.dialLog.of(phone(0)).map((dial) => dial.nth)).toEqual([1, 2]);
});

test("with retries an item goes on until it is reached or its attempts are used up", async () => {
  const sandbox = await openSandbox({ speed: 10_000 });
  sandbox.outcomes.force(phone(0), ["busy", "failed", "answered"]);
  sandbox.outcomes.force(phone(1), ["busy"]);
  const batch = await createBatch(sandbox, phones(2), { retry_attempts: 5 });
  const [reached, never] = await runBatch(sandbox, batch.batch_call_id);
  expect(reached).toMatchObject({ status: "completed", attempt_count: 3, error_message: null });
  expect(never).toMatchObject({ status: "busy", attempt_count: 6 });
});

test("a number listed twice is dialed twice", async () => {
  const sandbox = await openSandbox();
  const batch = await createBatch(sandbox, [phone(3), phone(3)]);
  const items = await runBatch(sandbox, batch.batch_call_id);
  expect(new Set(items.map((item) => item.item_id)).size).toBe(2);
  expect(sandbox.dialLog.of(phone(3))).toHaveLength(2);
});

test("pause starts no new call and lets active ones finish; resume dials the rest", async () => {
  const sandbox = await openSandbox();
  // The first five calls end when they are told to.
  const endless = sandbox.faults.add({ kind: "never_finish", times: 5 });
  for (const number of phones(5)) {
    sandbox.outcomes.force(number, ["answered"]);
  }
  const batch = await createBatch(sandbox, phones(30), { max_concurrent_calls: 5 });
  await operate(sandbox, batch.batch_call_id, "start");
  await eventually(() => {
    expect(sandbox.faults.find(endless.fault_id)).toMatchObject({ hits: 5 });
  });
  const paused = await operate(sandbox, batch.batch_call_id, "pause");
  const dialed = sandbox.dialLog.length;
  expect(dialed).toBe(5);
  expect(paused).toMatchObject({ status: "paused", pending: 25, active: 5 });
  await endCalls(sandbox, batch.batch_call_id, 5);
  expect((await readBatch(sandbox, batch.batch_call_id)).active).toBe(0);
  // Another batch from start to end, as a measure of time in which the paused one might have dialed.
  const other = await createBatch(sandbox, phones(3, 100));
  await runBatch(sandbox, other.batch_call_id);
  expect(sandbox.dialLog.length).toBe(dialed + 3);

  expect((await operate(sandbox, batch.batch_call_id, "resume")).status).toBe("queued");
  await untilStatus(sandbox, batch.batch_call_id, "completed");
  expect(sandbox.dialLog.counts()).toMatchObject({ dials: 33, most_dials_of_a_number: 1 });
});

test("cancel leaves pending contacts undialed, and active calls run to their end", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "never_finish" });
  for (const number of phones(20)) {
    sandbox.outcomes.force(number, ["answered"]);
  }
  const batch = await createBatch(sandbox, phones(20), { max_concurrent_calls: 4 });
  await operate(sandbox, batch.batch_call_id, "start");
  await eventually(() => {
    expect(sandbox.stats().activeCalls).toBe(4);
  });
  const cancelled = await operate(sandbox, batch.batch_call_id, "cancel");
  expect(cancelled.status).toBe("cancelled");
  expect(cancelled.active).toBe(4);
  await endCalls(sandbox, batch.batch_call_id, 4);
  expect((await readBatch(sandbox, batch.batch_call_id)).active).toBe(0);
  const items = await readItems(sandbox, batch.batch_call_id);
  const words = items.map((item) => item.status);
  expect(words.filter((word) => word === "cancelled")).toHaveLength(16);
  expect(words.filter((word) => word === "completed")).toHaveLength(4);
  expect(items.filter((item) => item.status === "cancelled").every((item) => item.call_id === null)).toBe(
    true,
  );
  expect(sandbox.dialLog.length).toBe(4);
});

test("an operation that does not fit the status is 409 and changes nothing", async () => {
  const sandbox = await openSandbox();
  const { batch_call_id: id } = await createBatch(sandbox, phones(1));
  const refused = async (operation: string) =>
    (await refusal(sandbox, "POST", `/v1/batch-calls/${id}/${operation}`)).status;
  expect([await refused("pause"), await refused("resume")]).toEqual([409, 409]);
  expect((await readBatch(sandbox, id)).status).toBe("pending");
  sandbox.faults.add({ kind: "never_finish" });
  await operate(sandbox, id, "start");
  expect(await refused("start")).toBe(409);
  await untilStatus(sandbox, id, "running");
  expect([await refused("start"), await refused("resume")]).toEqual([409, 409]);
  const running = await refusal(sandbox, "DELETE", `/v1/batch-calls/${id}`);
  expect(running).toEqual({ status: 409, detail: "Cannot delete a batch call that is running" });
  await operate(sandbox, id, "cancel");
  expect([await refused("start"), await refused("pause"), await refused("cancel")]).toEqual([409, 409, 409]);
  await get(messageResponse, sandbox, "DELETE", `/v1/batch-calls/${id}`);
  expect((await refusal(sandbox, "GET", `/v1/batch-calls/${id}`)).status).toBe(404);
  expect((await refusal(sandbox, "GET", `/v1/batch-calls/${id}/items`)).status).toBe(404);
});

test("lists show batches in the order of their creation, and `active` those that are queued or running", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "never_finish" });
  const batches = [];
  for (const name of ["one", "two", "three"]) {
    batches.push(await createBatch(sandbox, phones(2), { name }));
  }
  const path = "/v1/batch-calls?skip=1&limit=1";
  const page = await get(envelopeOf(batchListItem), sandbox, "GET", path);
  expect(page).toMatchObject({ total: 3, skip: 1, limit: 1 });
  expect(page.items).toMatchObject([{ name: "two", total_count: 2, max_concurrent: 5, retry_attempts: 0 }]);
  await operate(sandbox, batches[1]?.batch_call_id ?? "", "start");
  const active = await get(z.array(batchListItem), sandbox, "GET", "/v1/batch-calls/active");
  expect(active.map((batch) => batch.name)).toEqual(["two"]);
});

test("items come in pages, by status if asked", async () => {
  const sandbox = await openSandbox();
  const batch = await createBatch(sandbox, phones(250));
  const path = `/v1/batch-calls/${batch.batch_call_id}/items`;
  const page = await get(envelopeOf(batchItemResponse), sandbox, "GET", path);
  expect([page.items.length, page.total, page.limit]).toEqual([100, 250, 100]);
  const last = await get(envelopeOf(batchItemResponse), sandbox, "GET", `${path}?skip=200`);
  expect(last.items).toHaveLength(50);
  expect(last.items[0]?.phone_number).toBe(phone(200));
  const pending = await get(envelopeOf(batchItemResponse), sandbox, "GET", `${path}?status=pending&limit=7`);
  expect([pending.items.length, pending.total]).toEqual([7, 250]);
  const busy = await get(envelopeOf(batchItemResponse), sandbox, "GET", `${path}?status=busy`);
  expect(busy.total).toBe(0);
});

test("the terse words say only completed or failed, and why in the error text", async () => {
  const sandbox = await openSandbox({ itemWords: "terse" });
  const outcomes = ["answered", "voicemail", "no_answer", "busy", "failed", "unreachable"] as const;
  outcomes.forEach((outcome, index) => {
    sandbox.outcomes.force(phone(index), [outcome]);
  });
  const batch = await createBatch(sandbox, phones(6));
  const items = await runBatch(sandbox, batch.batch_call_id);
  expect(items.map((item) => item.status)).toEqual([
    "completed",
    "completed",
    "failed",
    "failed",
    "failed",
    "failed",
  ]);
  expect(items.map((item) => /^SIP \d{3} /.test(item.error_message ?? ""))).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
  expect((await readBatch(sandbox, batch.batch_call_id)).counts).toEqual({ completed: 2, failed: 4 });
});

test("a batch needs a published agent and a number of its own", async () => {
  const sandbox = await openSandbox();
  const body = { agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, contacts: [{ phone_number: phone(0) }] };
  const refused = async (change: Record<string, unknown>) =>
    await refusal(sandbox, "POST", "/v1/batch-calls", { ...body, ...change });
  expect(await refused({ agent_id: DRAFT_AGENT })).toMatchObject({
    status: 422,
    detail: [{ loc: ["body", "agent_id"], msg: "Agent must be published to place calls" }],
  });
  expect(await refused({ agent_id: "nobody" })).toEqual({ status: 404, detail: "Agent not found" });
  expect(await refused({ from_number: "+12025550199" })).toMatchObject({
    status: 422,
    detail: [{ loc: ["body", "from_number"] }],
  });
});

test.each([
  [{ contacts: [] }, ["body", "contacts"]],
  [{ contacts: undefined }, ["body", "contacts"]],
  [
    { contacts: [{ phone_number: "12" }, { phone_number: "nonsense" }] },
    ["body", "contacts", 1, "phone_number"],
  ],
  [
    { contacts: [{ phone_number: "+14155550000", dynamic_variables: { age: 5 } }] },
    ["body", "contacts", 0, "dynamic_variables", "age"],
  ],
  [
    { contacts: Array.from({ length: 1_001 }, () => ({ phone_number: "+14155550000" })) },
    ["body", "contacts"],
  ],
  [{ max_concurrent_calls: 0 }, ["body", "max_concurrent_calls"]],
  [{ max_concurrent_calls: 101 }, ["body", "max_concurrent_calls"]],
  [{ max_concurrent_calls: 1.5 }, ["body", "max_concurrent_calls"]],
  [{ retry_attempts: 6 }, ["body", "retry_attempts"]],
  [{ retry_attempts: -1 }, ["body", "retry_attempts"]],
  [{ agent_id: 5 }, ["body", "agent_id"]],
])("a batch with a wrong field is refused with its place (%#)", async (change, loc) => {
  const sandbox = await openSandbox();
  const body = { agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, contacts: [{ phone_number: phone(0) }] };
  const refused = await refusal(sandbox, "POST", "/v1/batch-calls", { ...body, ...change });
  expect(refused).toMatchObject({ status: 422, detail: [{ loc }] });
});

test("without credits no batch starts, and one that uses them up is paused", async () => {
  const sandbox = await openSandbox({ speed: 2_000 });
  for (const number of phones(40)) {
    sandbox.outcomes.force(number, [{ outcome: "answered", talk_ms: 60_000 }]);
  }
  const batch = await createBatch(sandbox, phones(40), { max_concurrent_calls: 2 });
  sandbox.setBalance(0);
  const refused = await refusal(sandbox, "POST", `/v1/batch-calls/${batch.batch_call_id}/start`);
  expect(refused).toMatchObject({ status: 402 });
  expect((await readBatch(sandbox, batch.batch_call_id)).status).toBe("pending");

  // A call costs 0.09 dollars.
  sandbox.setBalance(0.5);
  await operate(sandbox, batch.batch_call_id, "start");
  const paused = await untilStatus(sandbox, batch.batch_call_id, "paused");
  expect(paused.pending).toBeGreaterThan(30);
  expect((await ask(sandbox, "POST", `/v1/batch-calls/${batch.batch_call_id}/resume`)).status).toBe(402);
  sandbox.setBalance(100);
  await operate(sandbox, batch.batch_call_id, "resume");
  await untilStatus(sandbox, batch.batch_call_id, "completed");
  expect(sandbox.dialLog.counts()).toMatchObject({ dials: 40, most_dials_of_a_number: 1 });
});

test("a batch whose agent is deleted before pickup fails without a dial", async () => {
  const sandbox = await openSandbox();
  const batch = await createBatch(sandbox, phones(3));
  // Long enough for a busy machine to delete the agent meanwhile.
  sandbox.faults.add({ kind: "pickup_delay", ms: 2_000 });
  await operate(sandbox, batch.batch_call_id, "start");
  await get(messageResponse, sandbox, "DELETE", `/v1/agents/${PUBLISHED_AGENT}`);
  expect(await get(envelopeOf(agentResponse), sandbox, "GET", "/v1/agents")).toMatchObject({ total: 1 });
  const failed = await untilStatus(sandbox, batch.batch_call_id, "failed");
  expect(failed.counts).toEqual({ cancelled: 3 });
  expect(sandbox.dialLog.length).toBe(0);
});
