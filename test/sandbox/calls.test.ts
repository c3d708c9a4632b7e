import { expect, test } from "vitest";
import type { z } from "zod";

import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { balanceCheckResponse, balanceResponse } from "../../src/sandbox/schemas/billing.ts";
import { callListItem, callResponse } from "../../src/sandbox/schemas/calls.ts";
import { envelopeOf, messageResponse } from "../../src/sandbox/schemas/page.ts";
import {
  CALLER_ID,
  createBatch,
  DRAFT_AGENT,
  eventually,
  get,
  openSandbox,
  phone,
  phones,
  PUBLISHED_AGENT,
  refusal,
  runBatch,
  STANDING_STILL,
} from "./support.ts";

type Call = z.output<typeof callResponse>;

async function placeCall(sandbox: Sandbox, to: string, fields: Record<string, unknown> = {}): Promise<Call> {
  return await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: to,
    ...fields,
  });
}

async function readCall(sandbox: Sandbox, id: string): Promise<Call> {
  return await get(callResponse, sandbox, "GET", `/v1/calls/${id}`);
}

async function listCalls(sandbox: Sandbox, query: string): Promise<string[]> {
  const path = `/v1/calls?limit=1000&${query}`;
  const page = await get(envelopeOf(callListItem), sandbox, "GET", path);
  expect(page.total).toBe(page.items.length);
  return page.items.map((call) => call.to_number ?? "");
}

async function processed(sandbox: Sandbox, id: string): Promise<Call> {
  return await eventually(async () => {
    const call = await readCall(sandbox, id);
    expect(call.processing_status).toBe("completed");
    return call;
  });
}

test("a single call dials at once, rings, connects, ends, and is processed after a while", async () => {
  const sandbox = await openSandbox({ speed: 100 });
  sandbox.outcomes.force(phone(1), [
    { outcome: "answered", ring_ms: 5_000, talk_ms: 20_000, callback_requested: true },
  ]);
  const call = await placeCall(sandbox, phone(1), {
    metadata: { lead: 7 },
    dynamic_variables: { first_name: "Ada" },
  });
  expect(sandbox.dialLog.of(phone(1))).toMatchObject([
    { seq: 1, source: "phone", call_id: call.call_id, batch_call_id: null, item_id: null, nth: 1 },
  ]);
  // A simulated second is 10 ms: on a busy machine it may ring by the time that it is looked at.
  expect(["waiting", "ringing"]).toContain(call.status);
  expect(call).toMatchObject({ call_type: "outbound", duration_seconds: null });
  const seen: string[] = [];
  await eventually(async () => {
    const { status, processing_status } = await readCall(sandbox, call.call_id);
    seen.push(`${status} ${processing_status}`);
    expect(processing_status).toBe("completed");
  });
  const course = [
    "waiting pending",
    "ringing pending",
    "connected pending",
    "ended pending",
    "ended processing",
    "ended completed",
  ];
  const steps = seen.map((step) => course.indexOf(step));
  expect(steps).toEqual(steps.toSorted((one, other) => one - other));
  expect(steps).not.toContain(-1);
  const done = await readCall(sandbox, call.call_id);
  expect(done).toMatchObject({
    duration_seconds: 20,
    metadata: { lead: 7 },
    dynamic_variables: { first_name: "Ada" },
    call_analysis: { voicemail_detected: false, opted_out: false, callback_requested: true },
    call_cost: { total_usd: 0.03 },
    recording_url: `${sandbox.url}/v1/calls/${call.call_id}/recording`,
  });
  expect(JSON.stringify(done.transcript)).toContain("call me back");
  expect(await readCall(sandbox, call.call_id)).toEqual(done);
});

test("what was said stays null until processing is done", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const call = await placeCall(sandbox, phone(1));
  expect(await readCall(sandbox, call.call_id)).toMatchObject({
    processing_status: "pending",
    transcript: null,
    call_analysis: null,
    call_summary: null,
    call_cost: null,
    recording_url: null,
  });
});

test("a voicemail is an answered call whose analysis says so; an unanswered call has failed without talk", async () => {
  const sandbox = await openSandbox({ speed: 2_000 });
  sandbox.outcomes.force(phone(1), ["voicemail"]);
  sandbox.outcomes.force(phone(2), ["no_answer"]);
  const voicemail = await processed(sandbox, (await placeCall(sandbox, phone(1))).call_id);
  expect(voicemail).toMatchObject({ status: "ended", call_analysis: { voicemail_detected: true } });
  expect(voicemail.duration_seconds).toBeGreaterThanOrEqual(20);
  const nobody = await processed(sandbox, (await placeCall(sandbox, phone(2))).call_id);
  expect(nobody).toMatchObject({
    status: "failed",
    duration_seconds: 0,
    transcript: [],
    recording_url: null,
    call_analysis: { disconnection_reason: "dial_no_answer" },
    call_cost: { total_usd: 0 },
  });
});

test("two sandboxes with one seed tell the same of a call, word for word", async () => {
  const told = async () => {
    const sandbox = await openSandbox({ seed: 4, speed: 5_000 });
    sandbox.outcomes.force(phone(8), ["answered"]);
    await placeCall(sandbox, phone(9));
    const call = await processed(sandbox, (await placeCall(sandbox, phone(8))).call_id);
    const { transcript, call_summary, call_sentiment, latency_metrics, call_id } = call;
    return { transcript, call_summary, call_sentiment, latency_metrics, call_id };
  };
  expect(await told()).toEqual(await told());
});

test("a call that is up can be ended, once, and its item ends with it", async () => {
  const sandbox = await openSandbox();
  sandbox.faults.add({ kind: "never_finish" });
  sandbox.outcomes.force(phone(0), ["answered"]);
  const batch = await createBatch(sandbox, phones(1));
  const running = runBatch(sandbox, batch.batch_call_id);
  const path = await eventually(async () => {
    const page = await get(envelopeOf(callListItem), sandbox, "GET", "/v1/calls?status=connected");
    expect(page.items).toHaveLength(1);
    return `/v1/calls/${page.items[0]?.call_id ?? ""}`;
  });
  expect((await refusal(sandbox, "DELETE", path)).status).toBe(409);
  expect((await get(callListItem, sandbox, "POST", `${path}/end`)).status).toBe("ended");
  expect(await refusal(sandbox, "POST", `${path}/end`)).toEqual({
    status: 409,
    detail: "Call is not active",
  });
  expect(await running).toMatchObject([{ status: "completed" }]);
});

test("a call ended while it rings has failed", async () => {
  const sandbox = await openSandbox({ speed: STANDING_STILL });
  const call = await placeCall(sandbox, phone(0));
  const ended = await get(callListItem, sandbox, "POST", `/v1/calls/${call.call_id}/end`);
  expect(ended).toMatchObject({ status: "failed", duration_seconds: 0 });
  expect(sandbox.stats().activeCalls).toBe(0);
});

test("a deleted call is gone from every list, and stays in the dial log", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  const batch = await createBatch(sandbox, phones(2));
  const items = await runBatch(sandbox, batch.batch_call_id);
  const path = `/v1/calls/${items[0]?.call_id ?? ""}`;
  await get(messageResponse, sandbox, "DELETE", path);
  expect((await refusal(sandbox, "GET", path)).status).toBe(404);
  expect(await listCalls(sandbox, `batch_call_id=${batch.batch_call_id}`)).toEqual([phone(1)]);
  expect(await listCalls(sandbox, "batch_call_id=any")).toEqual([phone(1)]);
  expect(sandbox.dialLog.length).toBe(2);
});

test("the list of calls is filtered by batch, agent, status, type and date", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  sandbox.outcomes.force(phone(0), ["answered"]);
  sandbox.outcomes.force(phone(1), ["busy"]);
  sandbox.outcomes.force(phone(2), ["voicemail"]);
  const batch = await createBatch(sandbox, phones(2));
  await runBatch(sandbox, batch.batch_call_id);
  const single = await processed(sandbox, (await placeCall(sandbox, phone(2))).call_id);
  const linked = await placeCall(sandbox, phone(1), { batch_call_id: batch.batch_call_id });
  await processed(sandbox, linked.call_id);

  const inBatch = [phone(0), phone(1), phone(1)];
  expect(await listCalls(sandbox, "")).toEqual([phone(0), phone(1), phone(2), phone(1)]);
  expect(await listCalls(sandbox, `batch_call_id=${batch.batch_call_id}`)).toEqual(inBatch);
  expect(await listCalls(sandbox, "batch_call_id=any")).toEqual(inBatch);
  expect(await listCalls(sandbox, "batch_call_id=none")).toEqual([phone(2)]);
  expect(await listCalls(sandbox, "batch_call_id=99999999-9999-4999-8999-999999999999")).toEqual([]);
  expect(await listCalls(sandbox, "status=failed")).toEqual([phone(1), phone(1)]);
  expect(await listCalls(sandbox, "status=ended")).toEqual([phone(0), phone(2)]);
  expect(await listCalls(sandbox, "status=completed")).toEqual([phone(0), phone(2)]);
  expect(await listCalls(sandbox, "status=unheard-of")).toEqual([]);
  expect(await listCalls(sandbox, `agent_id=${PUBLISHED_AGENT}&call_type=phone`)).toHaveLength(4);
  expect(await listCalls(sandbox, `agent_id=${DRAFT_AGENT}`)).toEqual([]);
  expect(await listCalls(sandbox, "call_type=web")).toEqual([]);
  const start = encodeURIComponent(single.created_at);
  expect(await listCalls(sandbox, `from_date=${start}&batch_call_id=none`)).toEqual([phone(2)]);
  expect(await listCalls(sandbox, `to_date=${start}&batch_call_id=none`)).toEqual([phone(2)]);
  expect(await listCalls(sandbox, "from_date=2100-01-01")).toEqual([]);
  expect(await listCalls(sandbox, "to_date=2020-01-01T00:00:00")).toEqual([]);

  const refused = async (query: string) => (await refusal(sandbox, "GET", `/v1/calls?${query}`)).status;
  expect([await refused("batch_call_id=some"), await refused("from_date=yesterday")]).toEqual([422, 422]);
});

test("reading the list of calls page by page while calls come in loses none and repeats none", async () => {
  const sandbox = await openSandbox();
  const batch = await createBatch(sandbox, phones(80), { max_concurrent_calls: 10 });
  const running = runBatch(sandbox, batch.batch_call_id);
  const seen: string[] = [];
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  for (;;) {
    const wasOver = isOver;
    const page = await get(envelopeOf(callListItem), sandbox, "GET", `/v1/calls?limit=7&skip=${seen.length}`);
    seen.push(...page.items.map((call) => call.call_id));
    if (page.items.length === 0 && wasOver) {
      break;
    }
  }
  await running;
  expect(seen).toEqual(sandbox.dialLog.entries().map((dial) => dial.call_id));
});

test("a phone call needs a published agent, an own number, a batch that exists, and credits", async () => {
  const sandbox = await openSandbox();
  const body = { agent_id: PUBLISHED_AGENT, from_number: CALLER_ID, to_number: phone(0) };
  const status = async (change: Record<string, unknown>) =>
    (await refusal(sandbox, "POST", "/v1/calls/phone", { ...body, ...change })).status;
  expect(await status({ agent_id: DRAFT_AGENT })).toBe(422);
  expect(await status({ agent_id: "nobody" })).toBe(404);
  expect(await status({ from_number: phone(9) })).toBe(422);
  expect(await status({ to_number: "hello" })).toBe(422);
  expect(await status({ batch_call_id: "nothing" })).toBe(404);
  expect(await status({ dynamic_variables: { count: 1 } })).toBe(422);
  sandbox.setBalance(0);
  expect(await status({})).toBe(402);
  expect(sandbox.dialLog.length).toBe(0);
});

test("the balance goes down by what the calls cost", async () => {
  const sandbox = await openSandbox({ speed: 5_000 });
  sandbox.setBalance(10);
  const before = await get(balanceResponse, sandbox, "GET", "/v1/billing/balance");
  expect(before).toMatchObject({ current_balance: 10, organization_id: sandbox.seeds.organizationId });
  sandbox.outcomes.force(phone(0), [{ outcome: "answered", talk_ms: 100_000 }]);
  const batch = await createBatch(sandbox, phones(1));
  await runBatch(sandbox, batch.batch_call_id);
  const after = await get(balanceResponse, sandbox, "GET", "/v1/billing/balance");
  expect(after).toMatchObject({ current_balance: 9.85, total_credits_used: 0.15, total_credits_added: 10 });
  const path = "/v1/billing/balance/check";
  expect(await get(balanceCheckResponse, sandbox, "GET", `${path}?amount=9.85`)).toMatchObject({
    sufficient: true,
    shortfall: 0,
  });
  expect(await get(balanceCheckResponse, sandbox, "GET", `${path}?amount=10.85`)).toMatchObject({
    sufficient: false,
    required: 10.85,
    shortfall: expect.closeTo(1, 6),
  });
  expect((await refusal(sandbox, "GET", `${path}?amount=lots`)).status).toBe(422);
});
