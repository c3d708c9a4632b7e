import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, inject, it } from "vitest";

import { createTraces } from "../src/telemetry/traces.ts";
import { doWork } from "../src/tracing/work.ts";
import { traceTries } from "../src/tracing/requests.ts";
import { given } from "../test/support/ledgers.ts";
import { until } from "../test/support/until.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { measureCampaign } from "./measure-campaign.ts";

/** Settings come from `npm run bench -- telemetry --contacts N --concurrency N --speed N --turns N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

interface Turn {
  cpuMsAnAttempt: number;
  attemptsASecond: number;
}

/**
 * What tracing takes by itself: activities with a request each, which is what a worker's spans are, begun, ended, written
 * and sent. CPU of this process, the receiver's reading included.
 */
async function tracingAlone(activities: number): Promise<{ cpuUsASpan: number; spans: number }> {
  const receiver = http.createServer((request, response) => {
    request.resume();
    request.on("end", () => response.end());
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, "127.0.0.1", resolve);
  });
  const sent = { spans: 0 };
  const traces = createTraces(
    {
      url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`,
      protocol: "http/protobuf",
      headers: {},
      timeoutMs: 10_000,
      isCompressed: false,
      serviceName: "outdial",
      resource: {},
      sampler: "parentbased_always_on",
      ratio: 1,
    },
    { version: "0", count: (_result, spans) => (sent.spans += spans), log: { info() {}, warn() {} } },
  );
  const tell = traceTries("http://127.0.0.1:8080");
  const before = process.cpuUsage();
  const spans = 2 * activities;
  for (let nth = 0; nth < activities; nth += 1) {
    const work = {
      name: "RunActivity:tendBatch",
      kind: "internal",
      tracer: traces.tracer,
      begins: true,
    } as const;
    await doWork(work, async () =>
      tell({
        method: "GET",
        route: "/v1/batch-calls/{batch_id}/items",
        attempt: 1,
        status: 200,
        durationMs: 12,
        waitedMs: 0,
        isHeldBack: false,
        error: undefined,
      }),
    );
    // Within what waits to be sent, and not as one task of the loop.
    if (nth % 100 === 0) await until("spans to be sent", () => sent.spans >= 2 * nth - 2_000);
  }
  await traces.close();
  const { user, system } = process.cpuUsage(before);
  await new Promise((resolve) => {
    receiver.closeAllConnections();
    receiver.close(resolve);
  });
  return { cpuUsASpan: (user + system) / spans, spans: sent.spans };
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? given(sorted[middle])
    : (given(sorted[middle - 1]) + given(sorted[middle])) / 2;
}

it("telemetry", async () => {
  const alone = await tracingAlone(20_000);
  console.log(`\n${JSON.stringify({ tracingAlone: alone })}`);
  expect(alone.spans).toBe(40_000);
  if (settings["contacts"] === 0) return;
  const off: Turn[] = [];
  const on: Turn[] = [];
  // Off, on, on, off, and so on: what the machine does beside it, and how it warms up, falls on both.
  const turns = settings["turns"] ?? 8;
  for (let nth = 0; nth < turns; nth += 1) {
    const isOn = nth % 4 === 1 || nth % 4 === 2;
    const measure = await measureCampaign({
      contacts: settings["contacts"] ?? 3_000,
      concurrency: settings["concurrency"] ?? 300,
      speed: settings["speed"] ?? 100,
      attempts: 3,
      isBlind: false,
      isWatched: isOn,
      isTraced: isOn,
      postgresUrl: given(inject("postgresUrl")),
      cacheDir: cacheDir(),
    });
    if (isOn !== measure.tracedBytes > 0) throw new Error("spans came where none should, or none did");
    const { attempts, workerCpuSeconds, seconds, tracedBytes } = measure;
    const turn = {
      cpuMsAnAttempt: (1_000 * workerCpuSeconds) / attempts,
      attemptsASecond: attempts / seconds,
    };
    console.log(JSON.stringify({ isOn, ...turn, attempts, seconds, tracedBytes }));
    (isOn ? on : off).push(turn);
  }
  const medianOf = (all: readonly Turn[]) => ({
    cpuMsAnAttempt: median(all.map((turn) => turn.cpuMsAnAttempt)),
    attemptsASecond: median(all.map((turn) => turn.attemptsASecond)),
  });
  const [without, having] = [medianOf(off), medianOf(on)];
  console.log(
    JSON.stringify({
      off: without,
      on: having,
      cpuRatio: having.cpuMsAnAttempt / without.cpuMsAnAttempt,
      throughputRatio: having.attemptsASecond / without.attemptsASecond,
    }),
  );
});
