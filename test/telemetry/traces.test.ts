import { describe, expect, it, onTestFinished } from "vitest";

import type { SpanResult } from "../../src/telemetry/span-queue.ts";
import type { TraceOptions } from "../../src/telemetry/trace-options.ts";
import { createTraces } from "../../src/telemetry/traces.ts";
import { traced, traceTries } from "../../src/tracing/requests.ts";
import { writeTraceParent } from "../../src/tracing/trace-parent.ts";
import { doWork, Work } from "../../src/tracing/work.ts";
import { startOtlpReceiver, type OtlpReceiver } from "../support/otlp-receiver.ts";
import { until } from "../support/until.ts";

/* Spans against a real receiver on loopback, in good moods and bad ones. */

const OPTIONS: Omit<TraceOptions, "url"> = {
  protocol: "http/json",
  headers: { "x-key": "of the receiver" },
  timeoutMs: 300,
  isCompressed: false,
  serviceName: "outdial-test",
  resource: { "deployment.environment.name": "test" },
  sampler: "parentbased_always_on",
  ratio: 1,
};

const CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

async function open(changes: Partial<TraceOptions> = {}) {
  const receiver = await startOtlpReceiver();
  onTestFinished(() => receiver.close());
  const counts: Partial<Record<SpanResult, number>> = {};
  const logged: string[] = [];
  const log = (_fields: object, message: string) => void logged.push(message);
  const traces = createTraces(
    { ...OPTIONS, url: `${receiver.url}/v1/traces`, ...changes },
    {
      version: "1.2.3",
      count: (result, spans) => {
        counts[result] = (counts[result] ?? 0) + spans;
      },
      log: { info: log, warn: log },
    },
  );
  onTestFinished(() => traces.close());
  return { receiver, traces, counts, logged };
}

function workOf(
  { tracer }: Awaited<ReturnType<typeof open>>["traces"],
  traceParent?: string,
  isTraceParentSent = false,
): Work {
  return new Work({
    isTraceParentSent,
    name: "GET /v1/campaigns/:ref",
    kind: "server",
    tracer,
    traceParent,
    begins: true,
    ids: { campaignId: "c", attemptId: 7 },
  });
}

const told = (counts: object) => until("spans to be counted", () => Object.keys(counts).length > 0);

describe("spans", () => {
  it("arrive with whose they are, in the trace of whoever asked, and with what was asked of others", async () => {
    const { receiver, traces, counts } = await open();
    const work = workOf(traces, CALLER);
    await work.run(async () => {
      traceTries("https://api.voice.example.com:8443/prefix")({
        method: "GET",
        route: "/v1/batch-calls/{batch_id}/items",
        attempt: 2,
        status: 503,
        durationMs: 40,
        waitedMs: 15,
        isHeldBack: false,
        error: "unavailable",
      });
      const ask = traced(async ({ url }: { method: string; url: string; isAddressSecret?: boolean }) => {
        if (url.includes("lost")) throw new TypeError("no way to +12025550123");
        return { status: 204 };
      });
      await ask({ method: "POST", url: "https://crm.example.com/hooks/+12025550123?token=hush-hush" });
      await ask({ method: "POST", url: "https://hidden.example.com/hook", isAddressSecret: true });
      await expect(ask({ method: "POST", url: "https://crm.example.com/lost" })).rejects.toThrow(TypeError);
    });
    work.end();
    await traces.close();
    expect(counts).toEqual({ sent: 5 });
    const [tried, hook, secret, lost, own] = receiver.spans;
    expect(own).toMatchObject({
      name: "GET /v1/campaigns/:ref",
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      parentSpanId: "00f067aa0ba902b7",
      attributes: { "outdial.campaign.id": "c", "outdial.attempt.id": 7 },
      resource: {
        "service.name": "outdial-test",
        "service.version": "1.2.3",
        "deployment.environment.name": "test",
      },
      isError: false,
    });
    expect(tried).toMatchObject({
      name: "GET /v1/batch-calls/{batch_id}/items",
      parentSpanId: own?.spanId,
      attributes: {
        "url.template": "/v1/batch-calls/{batch_id}/items",
        "server.address": "api.voice.example.com",
        "server.port": 8443,
        "http.response.status_code": 503,
        "http.request.resend_count": 1,
        "error.type": "unavailable",
      },
      isError: true,
    });
    expect((tried?.endMs ?? 0) - (tried?.startMs ?? 0)).toBe(40);
    expect(hook).toMatchObject({ name: "POST", attributes: { "server.address": "crm.example.com" } });
    expect(secret).toMatchObject({ name: "POST", attributes: { "http.response.status_code": 204 } });
    expect(secret?.attributes).not.toHaveProperty("server.address");
    expect(lost).toMatchObject({ attributes: { "error.type": "TypeError" }, isError: true });
    expect(receiver.bodies.join("\n")).not.toMatch(/2025550123|hush|hooks|token|hidden/);
    expect(receiver.headers[0]).toMatchObject({ "x-key": "of the receiver" });
  });

  it("are written in protobuf and compressed where that is wanted", async () => {
    const { receiver, traces, counts } = await open({ protocol: "http/protobuf", isCompressed: true });
    receiver.mood = "garbage";
    workOf(traces).end();
    await traces.close();
    // An answer of 200 that can't be read has taken them all.
    expect(counts).toEqual({ sent: 1 });
    expect(receiver.headers[0]).toMatchObject({
      "content-type": "application/x-protobuf",
      "content-encoding": "gzip",
    });
    expect(receiver.bodies[0]).toContain("outdial-test");
  });

  it.each([
    ["always_off", undefined, 0],
    ["parentbased_always_off", CALLER, 1],
    ["parentbased_always_on", CALLER.replace(/01$/, "00"), 0],
    ["parentbased_traceidratio", undefined, 0],
    ["always_on", CALLER.replace(/01$/, "00"), 1],
  ] as const)("sampler %s with %s records %i", async (sampler, traceParent, recorded) => {
    const { receiver, traces } = await open({ sampler, ratio: 0 });
    const work = workOf(traces, traceParent);
    // Who records nothing hands on all the same that nothing is recorded.
    expect(work.traceParent?.isSampled).toBe(recorded === 1);
    work.end();
    await traces.close();
    expect(receiver.spans).toHaveLength(recorded);
  });
});

/** A ratio by the trace's id records each whose id is nothing but its last digit, and none that is full. */
const CHOSEN = CALLER.replace("4bf92f3577b34da6a3ce929d0e0e4736", `${"0".repeat(31)}1`);

describe("whoever sends a trace has it kept, and no say in whether it is recorded", () => {
  it.each([
    ["parentbased_always_off", 1, CALLER, 0],
    ["parentbased_always_on", 1, CALLER.replace(/01$/, "00"), 3],
    ["parentbased_traceidratio", 0, CALLER, 0],
    ["parentbased_traceidratio", 1e-9, CHOSEN, 0],
    ["parentbased_traceidratio", 1, CALLER.replace(/01$/, "00"), 3],
  ] as const)("sampler %s of %d with %s records %i", async (sampler, ratio, traceParent, recorded) => {
    const { receiver, traces } = await open({ sampler, ratio });
    const work = workOf(traces, traceParent, true);
    // What follows is all recorded or none of it, here and in another process.
    await work.run(() =>
      doWork({ name: "step", kind: "internal", tracer: traces.tracer, begins: true }, async () => {}),
    );
    const kept = work.traceParent ? writeTraceParent(work.traceParent) : undefined;
    work.end();
    workOf(traces, kept).end();
    await traces.close();
    expect(kept?.slice(3, 35)).toBe(traceParent.slice(3, 35));
    expect(receiver.spans).toHaveLength(recorded);
    for (const { traceId } of receiver.spans) expect(traceId).toBe(traceParent.slice(3, 35));
  });
});

describe("a receiver that fails keeps nobody waiting, and each span that is lost is counted", () => {
  const give = (traces: Awaited<ReturnType<typeof open>>["traces"], spans: number) => {
    const startedMs = performance.now();
    for (let nth = 0; nth < spans; nth += 1) workOf(traces).end();
    return performance.now() - startedMs;
  };

  it.each(["hang", "cut", "busy"] as const)("where it would %s", async (mood) => {
    const { receiver, traces, counts, logged } = await open();
    receiver.mood = mood;
    // More than wait at most: the loop is held for as long as writing them down takes, and for nothing else.
    give(traces, 6_000);
    expect(counts.no_room).toBeGreaterThan(1_000);
    const closedMs = performance.now();
    await traces.close();
    expect(performance.now() - closedMs).toBeLessThan(5_000);
    expect(counts.sent).toBeUndefined();
    expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(6_000);
    expect(logged).toEqual(["spans of traces are lost; nothing else is"]);
  });

  it("where it refuses them; and once it takes them again, the log says so", async () => {
    const { receiver, traces, counts, logged } = await open();
    receiver.mood = "refuse";
    give(traces, 3);
    await told(counts);
    expect(counts).toEqual({ refused: 3 });
    receiver.mood = "take";
    give(traces, 2);
    await until("them to be sent", () => counts.sent === 2);
    expect(logged).toEqual(["spans of traces are lost; nothing else is", "spans of traces are taken again"]);
  });

  it("where it takes a request and rejects one of its spans", async () => {
    const { receiver, traces, counts } = await open();
    receiver.mood = "reject_one";
    give(traces, 3);
    await traces.close();
    expect(counts).toEqual({ sent: 2, refused: 1 });
  });

  it("where nobody is there at all, and where it comes back while a piece is tried again", async () => {
    const gone: OtlpReceiver = await startOtlpReceiver();
    await gone.close();
    const { traces, counts } = await open({ url: `${gone.url}/v1/traces` });
    give(traces, 2);
    await traces.close();
    expect(Object.values(counts).reduce((sum, n) => sum + n, 0)).toBe(2);
    expect(counts.sent).toBeUndefined();

    const back = await open();
    back.receiver.mood = "busy";
    give(back.traces, 2);
    await until("it to be asked", () => back.receiver.bodies.length > 0);
    back.receiver.mood = "take";
    await told(back.counts);
    expect(back.counts).toEqual({ sent: 2 });
    expect(back.logged).toEqual([]);
  });

  it("and what ends behind the end of the process is counted, too", async () => {
    const { traces, counts } = await open();
    await traces.close();
    await doWork({ name: "late", kind: "server", tracer: traces.tracer, begins: true }, async () => {});
    expect(counts).toEqual({ cut_off: 1 });
  });
});
