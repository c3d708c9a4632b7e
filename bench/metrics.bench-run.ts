import { expect, inject, it } from "vitest";

import { given } from "../test/support/ledgers.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { createInstruments } from "../src/telemetry/instruments.ts";
import { countRequest, createMeter } from "../src/telemetry/meter.ts";
import { measureCampaign } from "./measure-campaign.ts";

/** Settings come from `npm run bench -- metrics --contacts N --concurrency N --speed N`. */
const settings = JSON.parse(process.env["OUTDIAL_BENCH"] ?? "{}") as Record<string, number>;

/** The same campaign in turn without and with metrics: other work of the machine falls on both. */
const TURNS = [false, true, true, false];

/** What counting takes by itself, of as many calls, each with a request of its own, which is more than it has. */
async function countingAlone(calls: number): Promise<{ cpuUsAnAttempt: number; cpuMsAnAnswer: number }> {
  const instruments = createInstruments({ ofLedger: false });
  const meter = createMeter(instruments);
  const cpuMsSince = (before: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) {
    const startedAtMs = call * 10;
    meter.started({ result: "begun", calls: 1, idleMs: call % 5_000 });
    countRequest(instruments, {
      method: "GET",
      route: "/v1/batch-calls/{batch_id}/items",
      attempt: 1,
      status: 200,
      durationMs: call % 300,
      waitedMs: 0,
      isHeldBack: false,
      requestId: undefined,
      error: undefined,
    });
    const endedAtMs = startedAtMs + 30_000;
    meter.ended([{ disposition: "answered", startedAtMs, endedAtMs, heldItsLine: true }], endedAtMs + 500);
  }
  const countedMs = cpuMsSince(before);
  const beforeAnswers = process.cpuUsage();
  for (let answer = 0; answer < ANSWERS; answer += 1) await instruments.text();
  return { cpuUsAnAttempt: (1_000 * countedMs) / calls, cpuMsAnAnswer: cpuMsSince(beforeAnswers) / ANSWERS };
}

const ANSWERS = 100;

it("metrics", async () => {
  console.log(`\n${JSON.stringify({ countingAlone: await countingAlone(100_000) })}`);
  if (settings["contacts"] === 0) return;
  const found = {
    without: { cpu: 0, attempts: 0, seconds: 0 },
    watched: { cpu: 0, attempts: 0, seconds: 0 },
  };
  for (const isWatched of TURNS) {
    const measure = await measureCampaign({
      contacts: settings["contacts"] ?? 4_000,
      concurrency: settings["concurrency"] ?? 400,
      speed: settings["speed"] ?? 100,
      attempts: 3,
      isBlind: false,
      isWatched,
      postgresUrl: given(inject("postgresUrl")),
      cacheDir: cacheDir(),
    });
    const sum = found[isWatched ? "watched" : "without"];
    sum.cpu += measure.workerCpuSeconds;
    sum.attempts += measure.report.attempts;
    sum.seconds += measure.seconds;
  }
  const cpuMsOf = ({ cpu, attempts }: typeof found.watched) => (1_000 * cpu) / attempts;
  const result = {
    ...found,
    cpuMsAnAttempt: { without: cpuMsOf(found.without), watched: cpuMsOf(found.watched) },
    cpuRatio: cpuMsOf(found.watched) / cpuMsOf(found.without),
    secondsRatio: found.watched.seconds / found.without.seconds,
  };
  console.log(`\n${JSON.stringify(result)}`);
  expect(found.watched.attempts).toBeGreaterThan(0);
});
