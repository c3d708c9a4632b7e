import http from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";

import type { ResponseEvent } from "../../src/platform/index.ts";
import { createInstruments } from "../../src/telemetry/instruments.ts";
import { countAnswer, countRequest, createMeter } from "../../src/telemetry/meter.ts";
import { METRICS } from "../../src/telemetry/metric-table.ts";
import { serveMetrics } from "../../src/telemetry/metrics-server.ts";
import { tellProcess } from "../../src/telemetry/process-gauges.ts";
import { readExposition, sumOf } from "../support/exposition.ts";

const OF_PROM_CLIENT = /^(?:process|nodejs)_/;

async function servedBy(ofLedger: boolean) {
  return readExposition(await createInstruments({ ofLedger }).text());
}

describe("metrics", () => {
  it("are those of the table, which the documents list, and no others", async () => {
    const served = await servedBy(true);
    const ours = [...served.keys()].filter((name) => !OF_PROM_CLIENT.test(name));
    expect(ours.sort()).toEqual(Object.keys(METRICS).sort());
    for (const [name, { help, type }] of Object.entries(METRICS))
      expect(served.get(name)).toMatchObject({ help, type });
  });

  it("of the ledger are not served by a worker, which does not read it", async () => {
    const names = [...(await servedBy(false)).keys()];
    expect(names).toContain("outdial_dials_total");
    for (const [name, { from }] of Object.entries(METRICS))
      expect(names.includes(name), name).toBe(from === "process");
  });

  it("have names and units by convention", () => {
    for (const [name, { type }] of Object.entries(METRICS)) {
      expect(name).toMatch(/^outdial_[a-z]+(?:_[a-z]+)*$/);
      expect(name.endsWith("_total"), name).toBe(type === "counter");
      expect(name, "base units alone").not.toMatch(
        /_(?:ms|millis|milliseconds|minutes|percent|micros)(?:_|$)/,
      );
      if (type === "histogram") expect(name).toMatch(/_seconds$/);
    }
  });

  it("say nothing of what nobody knows: a gauge that was not told is not 0", async () => {
    const families = await servedBy(true);
    expect(sumOf(families, "outdial_lines_busy")).toBeUndefined();
    expect(sumOf(families, "outdial_ledger_up")).toBeUndefined();
    expect(sumOf(families, "outdial_dials_total")).toBe(0);
  });
});

describe("what a process does", () => {
  it("is counted by outcomes, starts and idle lines", async () => {
    const instruments = createInstruments({ ofLedger: false });
    const meter = createMeter(instruments);
    expect(
      sumOf(readExposition(await instruments.text()), "outdial_calls_ended_total", { disposition: "busy" }),
      "what has not happened yet is 0",
    ).toBe(0);
    meter.planned(20);
    meter.started({ result: "begun", calls: 5, idleMs: 3_000 });
    meter.started({ result: "unclear", calls: 3, idleMs: undefined });
    meter.started({ result: "not_begun", calls: 7, idleMs: 9_000 });
    meter.adopted(7);
    meter.returned(2);
    const over = { startedAtMs: 1_000, endedAtMs: 31_000 };
    meter.ended(
      [
        { disposition: "busy", ...over, heldItsLine: true },
        { disposition: "answered", ...over, heldItsLine: false },
        { disposition: "unknown", startedAtMs: undefined, endedAtMs: 31_000, heldItsLine: true },
      ],
      33_000,
    );
    const families = readExposition(await instruments.text());
    const sums = (name: string) => sumOf(families, name);
    expect(sums("outdial_dials_total")).toBe(5 + 3 + 7);
    expect(sums("outdial_dials_returned_total")).toBe(2);
    expect(sums("outdial_batch_starts_total")).toBe(3);
    expect(sums("outdial_call_end_to_dial_seconds_count")).toBe(5);
    expect(sums("outdial_call_end_to_dial_seconds_sum")).toBe(15);
    expect(sums("outdial_calls_ended_total")).toBe(3);
    expect(sums("outdial_call_seconds_total")).toBe(60);
    expect(sums("outdial_call_end_noticed_seconds_count")).toBe(1);
    expect(sums("outdial_call_end_noticed_seconds_sum")).toBe(2);
    expect(sums("outdial_planning_duration_seconds_sum")).toBe(0.02);
  });

  it("what is no number is not counted, and ends nothing that is under way", async () => {
    const instruments = createInstruments({ ofLedger: false });
    const meter = createMeter(instruments);
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    meter.started({ result: "begun", calls: 2, idleMs: Number.NaN });
    expect((await warned).message).toMatch(/not a valid number/);
    const families = readExposition(await instruments.text());
    expect(sumOf(families, "outdial_dials_total")).toBe(2);
    expect(sumOf(families, "outdial_call_end_to_dial_seconds_count")).toBe(0);
  });

  const answered: ResponseEvent = {
    method: "GET",
    route: "/v1/calls/{call_id}",
    attempt: 1,
    status: 200,
    durationMs: 500,
    waitedMs: 200,
    isHeldBack: false,
    requestId: "req-1",
    error: undefined,
  };
  it.each<[string, Partial<ResponseEvent>]>([
    ["ok", {}],
    ["unreadable", { error: "unexpected_response" }],
    ["refused", { status: 404, error: "not_found" }],
    ["rate_limited", { status: 429, error: "rate_limited" }],
    ["failed", { status: 503, error: "unavailable" }],
    ["unanswered", { status: undefined, error: "connection" }],
    ["held_back", { status: undefined, error: "rate_limited", isHeldBack: true, waitedMs: 500 }],
  ])("a request to the platform is %s by what came of it", async (result, changes) => {
    const instruments = createInstruments({ ofLedger: false });
    countRequest(instruments, { ...answered, ...changes });
    const families = readExposition(await instruments.text());
    expect(families.get("outdial_platform_requests_total")?.samples).toEqual([
      {
        name: "outdial_platform_requests_total",
        labels: { method: "GET", route: "/v1/calls/{call_id}", result },
        value: 1,
      },
    ]);
    const took = sumOf(families, "outdial_platform_request_duration_seconds_sum");
    if (result === "held_back") expect(took).toBeUndefined();
    else expect(took).toBeCloseTo(0.3);
    const waited = sumOf(families, "outdial_platform_request_wait_seconds_sum");
    expect(waited).toBe(result === "held_back" ? 0.5 : 0.2);
  });

  it("whoever asks the API for addresses that are none makes one series, not one each", async () => {
    const instruments = createInstruments({ ofLedger: false });
    for (let nth = 0; nth < 100; nth += 1)
      countAnswer(instruments, { method: `M${nth}`, route: undefined, status: 404, tookMs: 1 });
    const families = readExposition(await instruments.text());
    expect(families.get("outdial_http_requests_total")?.samples).toHaveLength(1);
  });

  it("says how it stands now: its limits, its clock, its zone data", async () => {
    const instruments = createInstruments({ ofLedger: false });
    const state = { underWay: 2, waiting: 3, concurrency: 8, perSecond: 4.5, heldForMs: 1_500 };
    const limiter = { state: { ...state, perSecond: 4.5 as number | undefined } };
    const now = Date.UTC(2026, 6, 2);
    const input = {
      version: "0.1.0",
      zones: { version: "2026c", releasedOn: "2026-07-01", folder: undefined },
      limiter,
      platform: { clock: () => ({ platformMs: now + 2_500, localMs: now, ageMs: 0 }) },
      now: () => now,
    };
    tellProcess(instruments, input);
    const families = readExposition(await instruments.text());
    expect(sumOf(families, "outdial_build_info", { version: "0.1.0" })).toBe(1);
    expect(sumOf(families, "outdial_platform_requests_per_second_limit")).toBe(4.5);
    expect(sumOf(families, "outdial_platform_held_seconds")).toBe(1.5);
    expect(sumOf(families, "outdial_clock_skew_seconds", { clock: "platform" })).toBe(2.5);
    expect(sumOf(families, "outdial_zone_data_age_seconds", { version: "2026c" })).toBe(86_400);
    limiter.state = { ...state, perSecond: undefined };
    tellProcess(instruments, input);
    const later = readExposition(await instruments.text());
    expect(
      sumOf(later, "outdial_platform_requests_per_second_limit"),
      "the pace is free again",
    ).toBeUndefined();
  });
});

describe("the port of metrics", () => {
  async function serving(text: () => Promise<string>, port = 0) {
    const server = await serveMetrics({ host: "127.0.0.1", port }, text);
    onTestFinished(() => server.close());
    return server;
  }

  it("serves /metrics to GET, as Prometheus reads it, and nothing else", async () => {
    const { url } = await serving(async () => "# TYPE a gauge\na 1\n");
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const got = await fetch(url);
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await got.text()).toBe("# TYPE a gauge\na 1\n");
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    expect((await fetch(new URL("/", url))).status).toBe(404);
    expect((await fetch(new URL("/v1/system", url))).status).toBe(404);
    expect((await fetch(`${url}?name[]=a`)).status).toBe(200);
  });

  it("makes one answer for all who ask at the same time", async () => {
    let asked = 0;
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = await serving(async () => {
      asked += 1;
      await held;
      return "a 1\n";
    });
    const all = Array.from({ length: 5 }, () => fetch(url).then((got) => got.text()));
    await new Promise<void>((resolve, reject) => {
      http.get(new URL("/", url), (got) => got.resume().once("end", resolve)).once("error", reject);
    });
    release?.();
    expect(await Promise.all(all)).toEqual(Array.from({ length: 5 }, () => "a 1\n"));
    expect(asked).toBe(1);
    await fetch(url);
    expect(asked).toBe(2);
  });

  it("a failure is told as one, and the next asker is served", async () => {
    let fails = true;
    const { url } = await serving(async () => {
      if (fails) throw new Error("nothing to tell");
      return "a 1\n";
    });
    expect((await fetch(url)).status).toBe(500);
    fails = false;
    expect((await fetch(url)).status).toBe(200);
  });

  it("one that is taken is refused with the setting, the address and what to do", async () => {
    const { url } = await serving(async () => "");
    const { port } = new URL(url);
    await expect(serveMetrics({ host: "127.0.0.1", port: Number(port) }, async () => "")).rejects.toThrow(
      new RegExp(
        `OUTDIAL_METRICS_LISTEN is 127\\.0\\.0\\.1:${port}, where nothing can be served \\(another process has that port\\): give each process`,
      ),
    );
  });
});
