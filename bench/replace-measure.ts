import { sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";

import { firstRow } from "../src/ledger/ground/connection.ts";
import { phoneNumbers, until } from "../test/support/engine.ts";
import { given } from "../test/support/ledgers.ts";
import { makeTwoBuilds } from "../test/support/next-build.ts";
import { startOutdial, type OutdialProcess } from "../test/support/processes.ts";
import { busyPart, type Span } from "./fill/fill.ts";
import { openMeasuredSystem, type MeasuredSystem } from "./measured-system.ts";
import { lastingPort } from "../test/support/free-ports.ts";

export interface ReplaceInput {
  contacts: number;
  lines: number;
  /** Of the platform's times and of Outdial's waits. A minute is one of the clock: at speed 4 it has four of calls. */
  speed: number;
  postgresUrl: string;
  cacheDir: string;
}

/** How full all lines were in the minute that began when something happened. */
export interface Minute {
  what: string;
  fill: number;
  /** Of the emptiest ten seconds of that minute. */
  least: number;
  /** Other work of the machine: how many waited for a processor in the last minute, when this one was over. */
  load: number;
  /** CPU seconds that the machine spent, all of its processors together, in this minute. */
  busyCpuSeconds: number;
}

export interface ReplaceMeasure {
  lines: number;
  speed: number;
  minutes: Minute[];
  dials: number;
  /** Of people who were called more than once: none may be. */
  twice: number;
}

const MINUTE_MS = 60_000;
const SLICE_MS = 10_000;

/** Batches are sized to be through within ten minutes, and their last calls may be long. */
const BATCHES_END_WITHIN_MS = 20 * 60_000;

const AGENT = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };

/** Two workers and two servers, killed, drained and replaced by another build while they dial. */
export async function measureReplace(input: ReplaceInput): Promise<ReplaceMeasure> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-builds-"));
  const system = await openMeasuredSystem({ ...input, sandbox: { speed: input.speed } });
  try {
    return await measure(system, { ...input, builds: path.join(folder, "builds") });
  } finally {
    await system.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  system: MeasuredSystem,
  { contacts, lines, speed, builds }: ReplaceInput & { builds: string },
): Promise<ReplaceMeasure> {
  const { api, sandbox, ledger } = system;
  const { first, next } = await makeTwoBuilds(builds);
  const versioned = { OUTDIAL_WORKER_VERSIONING: "true" };
  const startWorker = async (program: string) => {
    const worker = await system.start("worker", versioned, { program });
    await worker.waitFor(/the worker runs/);
    return worker;
  };
  const ports = [system.settings["OUTDIAL_API_PORT"] ?? "", String(await lastingPort())];
  const startServer = (nth: number, program: string) =>
    system.start("server", { ...versioned, OUTDIAL_API_PORT: given(ports[nth]) }, { program });
  const makeCurrent = async (program: string) => {
    const told = startOutdial(["deploy", "current"], { ...system.settings, ...versioned }, { program });
    const { code } = await told.exited;
    if (code !== 0) throw new Error(`the build is not made current: ${told.stderr()}`);
  };
  const drain = async (process: OutdialProcess) => {
    const code = await process.end();
    if (code !== 0) throw new Error(`a process that drains ended with ${code}: ${process.stderr()}`);
  };

  const servers = [await startServer(0, first), await startServer(1, first)] as const;
  const workers = [await startWorker(first), await startWorker(first)] as const;
  await makeCurrent(first);
  const campaign = await api.campaigns.create(
    { name: "replaced", ...AGENT, concurrency: lines, window: "always", default_region: "US" },
    false,
  );
  const text = `phone\n${phoneNumbers(contacts, 0).join("\n")}\n`;
  await api.campaigns.upload(campaign.id, {
    readable: Readable.from([text]),
    digest: createHash("sha256").update(text).digest("hex"),
    sourceName: "replaced.csv",
  });
  await api.campaigns.start(campaign.id, { allowPartial: false });
  await until("all lines to be busy", () => sandbox.stats().activeCalls >= lines);
  // The batches of the beginning are all alike, and end together: until then the platform dials by itself.
  await untilSettled(ledger, await lastBatch(ledger));

  const minutes: Minute[] = [];
  /** The minute from when it begins; what takes longer is waited for. */
  const minuteOf = async (what: string, happens: () => Promise<unknown>) => {
    const fromMs = Date.now();
    const cpu = busyCpuSeconds();
    const over = happens();
    over.catch(() => {});
    await pause(MINUTE_MS);
    const minute = {
      what,
      ...fillOfMinute(spansOf(system), lines, fromMs),
      load: Number(given(os.loadavg()[0]).toFixed(1)),
      busyCpuSeconds: Math.round(busyCpuSeconds() - cpu),
    };
    console.log(JSON.stringify(minute));
    minutes.push(minute);
    await over;
  };
  await minuteOf("nothing", async () => {});
  let [one, two] = workers;
  const later: OutdialProcess[] = [];
  let lastOfBefore = "";
  await minuteOf("the next build started beside, and made current", async () => {
    later.push(...(await Promise.all([startWorker(next), startWorker(next)])));
    await makeCurrent(next);
    lastOfBefore = await lastBatch(ledger);
  });
  await minuteOf("a worker of the build before drained", () => drain(one));
  await untilSettled(ledger, lastOfBefore);
  await minuteOf("the last worker of the build before drained", () => drain(two));
  [one, two] = [given(later[0]), given(later[1])];
  await minuteOf("a worker killed, and started again", async () => {
    await one.kill();
    one = await startWorker(next);
  });
  await minuteOf("the other worker killed, and started again", async () => {
    await two.kill();
    two = await startWorker(next);
  });
  await minuteOf("a worker drained, and started again", async () => {
    await drain(one);
    one = await startWorker(next);
  });
  await minuteOf("a server killed, and started again", async () => {
    await servers[1].kill();
    await startServer(1, next);
  });
  await minuteOf("a server drained, and replaced by the next build", async () => {
    await drain(servers[0]);
    await startServer(0, next);
  });
  await api.campaigns.cancel(campaign.id, {});
  const dials = sandbox.dialLog.entries();
  return {
    lines,
    speed,
    minutes,
    dials: dials.length,
    twice: dials.length - new Set(dials.map(({ phone }) => phone)).size,
  };
}

/** When the newest batch was planned. */
async function lastBatch({ db }: MeasuredSystem["ledger"]): Promise<string> {
  const found = await firstRow<{ at: string }>(db, sql`select max(planned_at)::text as at from batches`);
  return given(found).at;
}

/** Until no batch up to that moment is under way. */
function untilSettled({ db }: MeasuredSystem["ledger"], at: string): Promise<unknown> {
  return until(
    "batches to end",
    async () => {
      const open = await firstRow<{ n: number }>(
        db,
        sql`select count(*)::int as n from batches where state <> 'settled' and planned_at <= ${at}::timestamptz`,
      );
      return open?.n === 0;
    },
    BATCHES_END_WITHIN_MS,
  );
}

function spansOf({ sandbox }: MeasuredSystem): Span[] {
  return sandbox.dialLog
    .calls()
    .map(({ createdAt, endedAt }) => ({ fromMs: createdAt, toMs: endedAt ?? Date.now() }));
}

function fillOfMinute(spans: readonly Span[], lines: number, fromMs: number): Pick<Minute, "fill" | "least"> {
  const slices = Array.from({ length: MINUTE_MS / SLICE_MS }, (_, nth) => fromMs + nth * SLICE_MS);
  return {
    fill: busyPart(spans, lines, { fromMs, toMs: fromMs + MINUTE_MS }),
    least: Math.min(...slices.map((at) => busyPart(spans, lines, { fromMs: at, toMs: at + SLICE_MS }))),
  };
}

/** Of all processors, since the machine began: neither idle nor waiting for a disk. */
function busyCpuSeconds(): number {
  return os
    .cpus()
    .reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1_000, 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
