import { Webhook } from "standardwebhooks";
import { describe, expect, expectTypeOf, it, onTestFinished, test } from "vitest";

import {
  type BatchEvent,
  type BatchStream,
  type BatchStreamRequest,
  createPlatform,
  type Hint,
  isBatchEnded,
  isCallEnded,
  readWebhook,
  TimeoutError,
  WebhookError,
} from "../../src/platform/index.ts";
import { follow } from "../../src/platform/stream/events.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { BATCH, clientOf, failureOf, json, startPlatform } from "./fake-platform.ts";

const QUICK = { everyMs: 1 };

describe("waiting for a call or a batch", () => {
  it("ends when it has ended, through failures that pass", async () => {
    const answers: [number, object][] = [
      [200, { id: "c", status: "ringing" }],
      [503, {}],
      [429, {}],
      [200, { id: "c", status: "Connected" }],
      [200, { id: "c", status: "ended", processing_status: "processing" }],
      [200, { id: "c", status: "ended", processing_status: "completed" }],
    ];
    const server = await startPlatform((_, response, nth) =>
      json(response, ...(answers[nth - 1] ?? [500, {}])),
    );
    const { calls } = clientOf(server);
    expect(await calls.waitUntilEnded("c", QUICK)).toMatchObject({ processing_status: "processing" });
    expect(server.seen).toHaveLength(5);
    expect(await calls.waitUntilProcessed("c", QUICK)).toMatchObject({ processing_status: "completed" });
  });

  it("goes on after a look that timed out", async () => {
    const server = await startPlatform((_, response, nth) => {
      // The first look is never answered.
      if (nth > 1) json(response, 200, { id: "c", status: "ended" });
    });
    const { calls } = clientOf(server);
    const ended = await calls.waitUntilEnded("c", { ...QUICK, timeoutMs: 200 });
    expect([ended.status, server.seen.length]).toEqual(["ended", 2]);
  });

  it("gives up in time, says that it goes on, and does not end it", async () => {
    const server = await startPlatform((_, response) =>
      json(response, 200, { id: BATCH, status: "running" }),
    );
    const late = await failureOf(
      clientOf(server).batchCalls.waitUntilEnded(BATCH, { ...QUICK, withinMs: 40 }),
    );
    expect(late).toBeInstanceOf(TimeoutError);
    expect(late.message).toContain("has not ended within 40 ms; it goes on");
    expect(late.effect).toBe("none");
    expect(server.seen.every(({ method }) => method === "GET")).toBe(true);
  });

  it("ends at once with what will not pass, and with an abort", async () => {
    const server = await startPlatform(({ path }, response) =>
      json(response, path.endsWith("gone") ? 404 : 200, { id: "c", status: "ringing" }),
    );
    const { calls } = clientOf(server);
    expect(await failureOf(calls.waitUntilEnded("gone", QUICK))).toMatchObject({ status: 404 });
    expect(server.seen).toHaveLength(1);
    const abort = new AbortController();
    const waiting = failureOf(calls.waitUntilEnded("c", { everyMs: 60_000, signal: abort.signal }));
    await expect.poll(() => server.seen).toHaveLength(2);
    abort.abort();
    expect(await waiting).toMatchObject({ code: "aborted" });
    expect(await failureOf(calls.waitUntilEnded("c", { everyMs: 0 }))).toMatchObject({
      code: "invalid_request",
    });
  });

  test.each([
    ["ended", true],
    ["COMPLETED", true],
    ["failed", true],
    ["connected", false],
    ["waiting", false],
    ["something new", false],
  ])("a call that is %s: over %s", async (status, isOver) => {
    const server = await startPlatform((_, response) => json(response, 200, { id: "c", status }));
    expect(isCallEnded(await clientOf(server).calls.get("c"))).toBe(isOver);
  });

  it("knows a batch that is over by the words that are seen", () => {
    const ended = ["completed", "cancelled", "canceled", "failed"].map((status) => isBatchEnded({ status }));
    const others = ["pending", "queued", "running", "paused", undefined].map((status) =>
      isBatchEnded({ status }),
    );
    expect([ended, others]).toEqual([Array(4).fill(true), Array(5).fill(false)]);
  });
});

describe("following a batch", () => {
  it("shows its frames as they come, and ends when the batch has", async () => {
    const sandbox = await createSandbox({ seed: 4, speed: 500, stream: { coalesceMs: 0 } });
    onTestFinished(() => sandbox.close());
    const platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
    onTestFinished(() => platform.close());
    const batch = await platform.batchCalls.create({
      agent_id: sandbox.seeds.agents.find(({ published }) => published)?.id ?? "",
      from_number: sandbox.seeds.numbers[0] ?? "",
      contacts: ["+12125550144", "+12125550145"].map((phone_number) => ({ phone_number })),
    });
    const seen: BatchEvent[] = [];
    for await (const event of platform.batchCalls.events(batch.batch_call_id)) {
      seen.push(event);
      if (event.kind === "state" && event.change.state === "open") {
        await platform.batchCalls.start(batch.batch_call_id);
      }
    }
    expect(seen.at(-1)).toMatchObject({ kind: "batch", batch: { status: "completed", processed: 2 } });
    const frames = seen.flatMap((event) => (event.kind === "frame" ? [event] : []));
    expect(frames.length).toBeGreaterThan(2);
    expect(new Set(frames.flatMap(({ hint }) => [...hint.items.keys()])).size).toBe(2);
    await expect.poll(() => sandbox.stats().streamReaders).toBe(0);
    expectTypeOf(platform.batchCalls.events("b")).toEqualTypeOf<
      AsyncGenerator<BatchEvent, void, undefined>
    >();
  });

  it("refuses a time between looks that is none", async () => {
    const platform = createPlatform({ baseUrl: "http://127.0.0.1:9", apiKey: "sk-1" });
    onTestFinished(() => platform.close());
    for (const lookEveryMs of [Number.NaN, 0, -1, 2 ** 31])
      expect(await failureOf(platform.batchCalls.events("b", { lookEveryMs }).next())).toMatchObject({
        code: "invalid_request",
        fieldErrors: [{ field: "lookEveryMs" }],
      });
  });

  it("counts what its reader is too slow for, and closes the stream where the reader stops", async () => {
    const hint: Hint = { items: new Map(), receivedAtMs: 0 };
    let closed = 0;
    const open = ({ onFrame }: BatchStreamRequest): BatchStream => {
      for (let n = 0; n < 1_500; n += 1) onFrame?.({ n }, hint);
      const counters = { frames: 1_500, malformed: 0, hints: 0, reconnects: 0 };
      const close = async () => void (closed += 1);
      return { state: "open", counters, closed: new Promise(() => {}), close };
    };
    const look = async () => expect.unreachable();
    const seen: BatchEvent[] = [];
    for await (const event of follow(BATCH, { open, look }, {})) {
      seen.push(event);
      if (event.kind === "missed") break;
    }
    expect(seen.length).toBe(1_001);
    expect(seen.at(-1)).toEqual({ kind: "missed", frames: 500 });
    expect(closed).toBe(1);
  });
});

describe("a webhook", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const nowMs = Date.UTC(2026, 10, 26, 9);
  const body = JSON.stringify({
    event: "call_ended",
    call_id: "c1",
    call: { id: "c1", status: "ended" },
    more: 1,
  });
  const signed = (text: string, atMs = nowMs, by = secret) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(atMs / 1_000),
    "webhook-signature": new Webhook(by).sign("msg_1", new Date(atMs), text),
  });
  const problemOf = (read: () => unknown): unknown => {
    try {
      read();
      return undefined;
    } catch (error) {
      return error instanceof WebhookError ? error.problem : error;
    }
  };

  it("is refused where any age would do", () => {
    for (const toleranceSeconds of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(() => readWebhook(body, signed(body), { secret, nowMs, toleranceSeconds })).toThrow(
        /^toleranceSeconds must be a number of seconds from 0/,
      );
    const exact = { secret, nowMs, toleranceSeconds: 0 };
    expect(readWebhook(body, signed(body), exact)).toMatchObject({ deliveryId: "msg_1" });
  });

  it("is read where its signature fits, from any kind of headers", () => {
    const options = { secret, nowMs };
    const event = readWebhook(body, signed(body), options);
    expect(event).toMatchObject({
      event: "call_ended",
      call_id: "c1",
      deliveryId: "msg_1",
      call: { call_id: "c1" },
    });
    expect(readWebhook(Buffer.from(body), new Headers(signed(body)), options)).toEqual(event);
    // One of several signatures, and one of several secrets, while a secret is rotated.
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const both = { ...signed(body), "webhook-signature": `v1,AAAA ${signed(body)["webhook-signature"]}` };
    expect(readWebhook(body, both, { secret: [other, secret], nowMs })).toEqual(event);
  });

  test.each<[string, unknown, () => unknown]>([
    ["without a signature", "unsigned", () => readWebhook(body, {}, { secret, nowMs })],
    ["changed by a byte", "wrong_signature", () => readWebhook(`${body} `, signed(body), { secret, nowMs })],
    [
      "signed by another secret",
      "wrong_signature",
      () => readWebhook(body, signed(body, nowMs, Buffer.alloc(32, 9).toString("base64")), { secret, nowMs }),
    ],
    [
      "from long ago",
      "wrong_time",
      () => readWebhook(body, signed(body), { secret, nowMs: nowMs + 301_000 }),
    ],
    [
      "from the future",
      "wrong_time",
      () => readWebhook(body, signed(body), { secret, nowMs: nowMs - 301_000 }),
    ],
    ["that is no JSON", "unreadable", () => readWebhook("{", signed("{"), { secret, nowMs })],
    ["about no call", "unreadable", () => readWebhook("{}", signed("{}"), { secret, nowMs })],
  ])("%s is refused", (_, problem, read) => {
    expect(problemOf(read)).toBe(problem);
  });

  it("needs a secret that is one: an empty one would fit everybody", () => {
    for (const bad of ["", "whsec_", "short", "not base64 at all, whatever it is!!"]) {
      expect(() => readWebhook(body, signed(body), { secret: bad, nowMs })).toThrow(TypeError);
    }
    expect(() => readWebhook(body, signed(body), { secret: [], nowMs })).toThrow(WebhookError);
  });

  it("of the sandbox is one", async () => {
    const received: { body: string; headers: Record<string, string | string[] | undefined> }[] = [];
    const receiver = await startPlatform((request, response) => {
      received.push(request);
      json(response, 200, {});
    });
    const sandbox = await createSandbox({ speed: 2_000, rooms: "simulated", webhooks: { secret } });
    onTestFinished(() => sandbox.close());
    const platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
    onTestFinished(() => platform.close());
    const agent = await platform.agents.create({ agent_name: "A", webhook_url: `${receiver.origin}/hook` });
    const call = await platform.calls.test({ agent_id: agent.agent_id });
    await expect.poll(() => received).not.toEqual([]);
    const [first] = received;
    const event = readWebhook(first?.body ?? "", first?.headers ?? {}, { secret });
    expect(event).toMatchObject({ event: "call_started", call_id: call.call_id });
  });
});
