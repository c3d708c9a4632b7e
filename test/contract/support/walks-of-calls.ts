import { expect } from "vitest";
import type { Call } from "../../../src/platform/index.ts";
import { BATCH_ITEM, BATCH_STATUS, CALL, CALL_LIST_ITEM } from "./fields.ts";
import type { Walks } from "./walk.ts";
import {
  all,
  CALLER_ID,
  DRAFT_AGENT,
  eventually,
  freshPhone,
  given,
  PUBLISHED_AGENT,
  type World,
} from "./world.ts";

/** Places a call that is answered and lasts as long as is said, in simulated time. */
async function callSomebody(world: World, talkMs = 20_000, extra: object = {}): Promise<Call> {
  const to_number = freshPhone();
  world.sandbox.outcomes.force(to_number, [{ outcome: "answered", ring_ms: 2_000, talk_ms: talkMs }]);
  return world.platform.calls.phone({
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number,
    ...extra,
  });
}

/** Waits until a call is over and processed. */
function processed(world: World, callId: string): Promise<Call> {
  return eventually(async () => {
    const call = await world.platform.calls.get(callId);
    expect(call.processing_status).toBe("completed");
    return call;
  });
}

/** Longer than any test: it ends when somebody ends it. */
const ENDLESS_MS = 24 * 3_600_000;

async function newBatch(world: World, people = 2, extra: object = {}) {
  const phones = Array.from({ length: people }, freshPhone);
  const batch = await world.platform.batchCalls.create({
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    contacts: phones.map((phone_number) => ({ phone_number, dynamic_variables: { name: "Ann" } })),
    name: "walk",
    max_concurrent_calls: 2,
    retry_attempts: 0,
    ...extra,
  });
  return { phones, id: batch.batch_call_id, batch };
}

/** A batch whose calls do not end by themselves, running. */
async function runningBatch(world: World, people = 2) {
  const created = await newBatch(world, people, { max_concurrent_calls: 1 });
  for (const phone of created.phones)
    world.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: ENDLESS_MS }]);
  await world.platform.batchCalls.start(created.id);
  await eventually(async () => expect(await statusOf(world, created.id)).toBe("running"));
  await eventually(() =>
    expect(world.sandbox.dialLog.entries().some((dial) => dial.batch_call_id === created.id)).toBe(true),
  );
  return created;
}

const statusOf = async ({ platform }: World, batchId: string) =>
  given((await platform.batchCalls.get(batchId)).status);

/** Contract 4.2. */
export const callWalks: Walks = {
  "POST /v1/calls/phone": async (world) => {
    const dynamic_variables = { first_name: "Ann" };
    const placed = await callSomebody(world, 20_000, { metadata: { order: 7 }, dynamic_variables });
    world.has(placed, CALL);
    expect(placed).toMatchObject({ agent_id: PUBLISHED_AGENT, from_number: CALLER_ID });
    expect(world.sandbox.dialLog.entries().filter((dial) => dial.phone === placed.to_number)).toHaveLength(1);
    const call = await processed(world, placed.call_id);
    expect(call).toMatchObject({ status: "ended", metadata: { order: 7 }, dynamic_variables });
    expect(call.duration_seconds).toBe(20);
    expect(given(call.transcript).length).toBeGreaterThan(0);
    expect(call.call_cost).toBeDefined();
  },
  "POST /v1/calls/web": async (world) => {
    const call = await world.platform.calls.web({ agent_id: PUBLISHED_AGENT, metadata: { page: "/" } });
    world.has(call, CALL);
    for (const field of [call.access_token, call.room_name, call.room_url])
      expect(given(field).length).toBeGreaterThan(0);
    const read = await world.platform.calls.get(call.call_id);
    expect(read).toMatchObject({ call_type: "web", agent_id: PUBLISHED_AGENT });
  },
  "POST /v1/calls/test": async (world) => {
    const call = await world.platform.calls.test({
      agent_id: DRAFT_AGENT,
      temp_config: { temperature: 0, name: "Tried" },
      dynamic_variables: { first_name: "Ann" },
    });
    world.has(call, CALL);
    expect(given(call.access_token).length).toBeGreaterThan(0);
    expect(await world.platform.calls.get(call.call_id)).toMatchObject({ agent_id: DRAFT_AGENT });
    expect((await world.platform.agents.get(DRAFT_AGENT)).agent_name).not.toBe("Tried");
  },
  "GET /v1/calls/{call_id}": async (world) => {
    const placed = await callSomebody(world, 30_000);
    const call = await processed(world, placed.call_id);
    world.has(call, CALL);
    expect(call).toMatchObject({ call_id: placed.call_id, to_number: placed.to_number, status: "ended" });
    expect(call.duration_seconds).toBe(30);
  },
  "GET /v1/calls": async (world) => {
    const { calls, batchCalls } = world.platform;
    const from_date = new Date(Date.now() - 60_000).toISOString();
    const single = await callSomebody(world);
    const { id: batchId, phones } = await newBatch(world, 1);
    world.sandbox.outcomes.force(given(phones[0]), [{ outcome: "answered", talk_ms: 5_000 }]);
    await batchCalls.start(batchId);
    await eventually(async () => expect(await statusOf(world, batchId)).toBe("completed"));
    const idsOf = async (query: object) =>
      (await all(calls.iterate({ limit: 100, from_date, ...query }))).map((call) => call.call_id);
    const [ofBatch] = (await calls.list({ batch_call_id: batchId })).items;
    world.has(ofBatch, CALL_LIST_ITEM);
    expect(ofBatch).toMatchObject({ to_number: phones[0], agent_id: PUBLISHED_AGENT });
    const batchCallId = given(ofBatch).call_id;
    expect(await idsOf({ batch_call_id: batchId })).toEqual([batchCallId]);
    expect(await idsOf({ batch_call_id: "any" })).toContain(batchCallId);
    expect(await idsOf({ batch_call_id: "any" })).not.toContain(single.call_id);
    expect(await idsOf({ batch_call_id: "none" })).toContain(single.call_id);
    await processed(world, single.call_id);
    expect(await idsOf({ status: "ended" })).toEqual(expect.arrayContaining([single.call_id, batchCallId]));
    expect(await idsOf({ agent_id: DRAFT_AGENT })).not.toContain(single.call_id);
    expect(await idsOf({ call_type: "web" })).not.toContain(single.call_id);
    expect(await idsOf({ call_type: "phone" })).toContain(single.call_id);
    expect(await idsOf({ to_date: from_date })).toEqual([]);
  },
  "POST /v1/calls/{call_id}/end": async (world) => {
    const placed = await callSomebody(world, ENDLESS_MS);
    const isUp = async () =>
      expect((await world.platform.calls.get(placed.call_id)).status).toBe("connected");
    await eventually(isUp);
    await world.platform.calls.end(placed.call_id);
    expect((await processed(world, placed.call_id)).status).toBe("ended");
    await expect(world.platform.calls.end(placed.call_id)).rejects.toMatchObject({ code: "conflict" });
  },
  "DELETE /v1/calls/{call_id}": async (world) => {
    const { calls } = world.platform;
    const placed = await callSomebody(world);
    await processed(world, placed.call_id);
    await calls.delete(placed.call_id);
    await expect(calls.get(placed.call_id)).rejects.toMatchObject({ code: "not_found" });
    const left = await all(calls.iterate({ limit: 100 }));
    expect(left.map((call) => call.call_id)).not.toContain(placed.call_id);
  },
  "GET /v1/calls/{call_id}/recording": async (world) => {
    const placed = await callSomebody(world);
    await processed(world, placed.call_id);
    const recording = await world.platform.calls.recording(placed.call_id);
    expect(recording.contentType).toBe("audio/ogg");
    const chunks: Buffer[] = [];
    for await (const chunk of recording.body) chunks.push(Buffer.from(chunk));
    const audio = Buffer.concat(chunks);
    expect(audio.length).toBe(recording.sizeBytes);
    // RFC 3533: what every Ogg page begins with.
    expect(audio.subarray(0, 4).toString("latin1")).toBe("OggS");
  },
};

/** Contract 4.4. */
export const batchCallWalks: Walks = {
  "POST /v1/batch-calls": async (world) => {
    const { id, batch, phones } = await newBatch(world, 3);
    world.has(batch, [...BATCH_STATUS, "agent_id", "from_number", "max_concurrent_calls", "retry_attempts"]);
    expect(batch).toMatchObject({ status: "pending", total: 3 });
    expect(await statusOf(world, id)).toBe("pending");
    const { items } = await world.platform.batchCalls.items(id);
    expect(items.map((item) => item.phone_number)).toEqual(phones);
    expect(world.sandbox.dialLog.entries().some((dial) => dial.batch_call_id === id)).toBe(false);
  },
  "GET /v1/batch-calls/{batch_id}": async (world) => {
    const { id } = await newBatch(world);
    const batch = await world.platform.batchCalls.get(id);
    world.has(batch, BATCH_STATUS);
    expect(batch).toMatchObject({ batch_call_id: id, status: "pending", total: 2, pending: 2, active: 0 });
    world.says(batch, { completed: 0, failed: 0, processed: 0 });
  },
  "GET /v1/batch-calls": async (world) => {
    const { id } = await newBatch(world);
    const batches = await all(world.platform.batchCalls.iterate({ limit: 2 }));
    expect(new Set(batches.map((batch) => batch.batch_call_id)).size).toBe(batches.length);
    const found = batches.find((batch) => batch.batch_call_id === id);
    expect(found).toMatchObject({
      agent_id: PUBLISHED_AGENT,
      from_number: CALLER_ID,
      status: "pending",
      total: 2,
    });
  },
  "GET /v1/batch-calls/active": async (world) => {
    const { batchCalls } = world.platform;
    const idle = await newBatch(world);
    const running = await runningBatch(world);
    const active = (await batchCalls.active()).map((batch) => batch.batch_call_id);
    expect(active).toContain(running.id);
    expect(active).not.toContain(idle.id);
    await batchCalls.cancel(running.id);
    const later = (await batchCalls.active()).map((batch) => batch.batch_call_id);
    expect(later).not.toContain(running.id);
  },
  "GET /v1/batch-calls/{batch_id}/items": async (world) => {
    const { batchCalls } = world.platform;
    const { id, phones } = await newBatch(world, 5);
    for (const [index, phone] of phones.entries())
      world.sandbox.outcomes.force(phone, [index === 0 ? "busy" : { outcome: "answered", talk_ms: 1_000 }]);
    await batchCalls.start(id);
    await eventually(async () => expect(await statusOf(world, id)).toBe("completed"));
    const items = await all(batchCalls.iterateItems(id, { limit: 2 }, { untilEmpty: true }));
    expect(items.map((item) => item.phone_number)).toEqual(phones);
    for (const item of items) world.has(item, BATCH_ITEM);
    expect(items[1]).toMatchObject({ status: "completed", attempt_count: 1 });
    const call = await world.platform.calls.get(given(items[1]?.call_id));
    expect(call.to_number).toBe(phones[1]);
    expect((await batchCalls.items(id, { skip: 4, limit: 1 })).items).toMatchObject([
      { phone_number: phones[4] },
    ]);
    expect((await batchCalls.items(id, { status: "completed" })).items).toHaveLength(4);
  },
  "DELETE /v1/batch-calls/{batch_id}": async (world) => {
    const { batchCalls } = world.platform;
    const { id } = await newBatch(world);
    await batchCalls.delete(id);
    await expect(batchCalls.get(id)).rejects.toMatchObject({ code: "not_found" });
    const left = await all(batchCalls.iterate());
    expect(left.map((batch) => batch.batch_call_id)).not.toContain(id);
  },
  "POST /v1/batch-calls/{batch_id}/start": async (world) => {
    const { batchCalls } = world.platform;
    const { id, phones } = await newBatch(world);
    for (const phone of phones)
      world.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 3_000 }]);
    expect((await batchCalls.start(id)).batch_call_id).toBe(id);
    await eventually(async () => expect(await statusOf(world, id)).toBe("completed"));
    world.says(await batchCalls.get(id), { total: 2, completed: 2, processed: 2, pending: 0 });
    const dialed = world.sandbox.dialLog.entries().filter((dial) => dial.batch_call_id === id);
    expect(dialed.map((dial) => dial.phone).sort()).toEqual([...phones].sort());
  },
  "POST /v1/batch-calls/{batch_id}/pause": async (world) => {
    const { batchCalls } = world.platform;
    const { id } = await runningBatch(world);
    expect((await batchCalls.pause(id)).batch_call_id).toBe(id);
    expect(await statusOf(world, id)).toBe("paused");
    expect(world.sandbox.dialLog.entries().filter((dial) => dial.batch_call_id === id)).toHaveLength(1);
    await batchCalls.cancel(id);
  },
  "POST /v1/batch-calls/{batch_id}/resume": async (world) => {
    const { batchCalls } = world.platform;
    const { id } = await runningBatch(world);
    await batchCalls.pause(id);
    expect((await batchCalls.resume(id)).batch_call_id).toBe(id);
    await eventually(async () => expect(await statusOf(world, id)).toBe("running"));
    await batchCalls.cancel(id);
  },
  "POST /v1/batch-calls/{batch_id}/cancel": async (world) => {
    const { batchCalls } = world.platform;
    const { id } = await runningBatch(world, 3);
    expect((await batchCalls.cancel(id)).batch_call_id).toBe(id);
    const batch = await batchCalls.get(id);
    expect(batch).toMatchObject({ status: "cancelled", pending: 0 });
    expect(world.sandbox.dialLog.entries().filter((dial) => dial.batch_call_id === id)).toHaveLength(1);
  },
};
