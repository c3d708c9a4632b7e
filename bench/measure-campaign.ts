import { Client } from "@temporalio/client";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

import { readCampaignSpec } from "../src/domain/campaigns/campaign-spec.ts";
import { createCampaign } from "../src/ledger/campaigns/campaign-specs.ts";
import { readCampaign } from "../src/ledger/campaigns/campaigns.ts";
import { startCampaign } from "../src/ledger/campaigns/commands.ts";
import { beginImport, importChunk } from "../src/ledger/campaigns/imports.ts";
import { openPostgresLedger } from "../src/ledger/ground/postgres.ts";
import { readReport, type CampaignReport } from "../src/ledger/campaigns/reports.ts";
import { noteManyContacts } from "../src/ledger/ground/statistics.ts";
import { createSandbox, type Sandbox } from "../src/sandbox/sandbox.ts";
import { connectClients } from "../src/temporal/connection.ts";
import { provideTemporalServer } from "../src/temporal/server/index.ts";
import { phoneNumbers, until } from "../test/support/engine.ts";
import { createDatabase } from "../test/support/postgres.ts";
import { peakResidentMb, startOutdial } from "../test/support/processes.ts";
import { cpuSecondsOf } from "./process-cpu.ts";
import { fillOf, type Fill } from "./fill/fill.ts";
import { ensureCampaign } from "../src/temporal/ensure.ts";
import { completeImport } from "../src/ledger/campaigns/list-imports.ts";
import { lastingPort } from "../test/support/free-ports.ts";

export interface MeasureInput {
  contacts: number;
  concurrency: number;
  speed: number;
  /** Calls of one contact at most. */
  attempts: number;
  /** Without a stream batches are followed by their counts. */
  isBlind: boolean;
  /** Its metrics are served, and asked for every five seconds. */
  isWatched?: boolean;
  /** Each of its spans is sent to a receiver, which counts bytes and reads none. */
  isTraced?: boolean;
  postgresUrl: string;
  cacheDir: string;
}

/** What a campaign cost. Counts are exact; times and memory are of this machine and this run. */
export interface Measure {
  contacts: number;
  attempts: number;
  batches: number;
  seconds: number;
  attemptsPerSecond: number;
  /** Temporal Cloud actions by kind, as the server itself counts them. */
  actions: Record<string, number>;
  /** Heartbeats at speed 1: the followed time times the speed, over the time between two that are delivered. */
  heartbeatsAtSpeed1: number;
  actionsPerContact: number;
  /** Requests to the platform by route. */
  requests: Record<string, number>;
  requestsPerContact: number;
  /** The longest history of any run, in events, and the count at which the server suggests a new run. */
  longestHistory: number;
  workflowRuns: number;
  workerPeakMb: number | undefined;
  /** While the campaign ran. */
  workerCpuSeconds: number;
  /** Of traces, as they came in; 0 where nothing was traced. */
  tracedBytes: number;
  fill: Fill;
  report: CampaignReport;
}

/** Delivered heartbeats are 0.8 of the 10 s timeout apart. */
const HEARTBEAT_EVERY_S = 8;

/** Runs a campaign with a worker process, a real Temporal server, PostgreSQL and a sandbox, and counts. */
export async function measureCampaign(input: MeasureInput): Promise<Measure> {
  const closing: (() => Promise<unknown>)[] = [];
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-measure-"));
  closing.push(async () => fs.rmSync(dataDir, { recursive: true, force: true }));
  try {
    return await measure(input, dataDir, closing);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function measure(
  input: MeasureInput,
  dataDir: string,
  closing: (() => Promise<unknown>)[],
): Promise<Measure> {
  const metricsPort = await lastingPort();
  const scrapePort = await lastingPort();
  const server = await provideTemporalServer({
    searchPath: process.env["PATH"] ?? "",
    cacheDir: input.cacheDir,
    dataDir,
    headless: true,
    metricsPort,
    onProgress: () => {},
  });
  closing.push(() => server.stop());
  const databaseUrl = await createDatabase(input.postgresUrl);
  const ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 4 });
  closing.push(() => ledger.close());
  const sandbox = await createSandbox({ speed: input.speed, seed: 42 });
  closing.push(() => sandbox.close());
  sandbox.setBalance(10_000_000);
  if (input.isBlind) sandbox.faults.add({ kind: "stream_refuse", status: 503 });
  const spans = input.isTraced === true ? await countSpans(closing) : undefined;
  const settings = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: server.address,
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
    OUTDIAL_SPEED: String(input.speed),
    OUTDIAL_DATA_DIR: dataDir,
    OUTDIAL_LOG_LEVEL: "warn",
    ...(input.isWatched === true && { OUTDIAL_METRICS_LISTEN: String(scrapePort) }),
    ...(spans && { OTEL_EXPORTER_OTLP_ENDPOINT: spans.url }),
  };
  const worker = startOutdial(["worker"], settings, { isMeasured: true });
  closing.push(() => worker.end());
  const campaignId = await prepareCampaign(ledger, input);
  const { connection, close } = await connectClients({ address: server.address });
  closing.push(close);
  const client = new Client({ connection });
  const pid = worker.child.pid ?? 0;
  if (input.isWatched === true) closing.push(scrapeEvery(SCRAPE_EVERY_MS, scrapePort));
  const cpuBefore = cpuSecondsOf(pid);
  const startedMs = Date.now();
  await ensureCampaign(client, ledger, campaignId);
  let workerPeakMb: number | undefined;
  await until(
    "the campaign to be over",
    async () => {
      workerPeakMb = peakResidentMb(worker.child.pid ?? 0) ?? workerPeakMb;
      if (worker.child.exitCode !== null)
        throw new Error(`the worker ended: ${worker.stderr().slice(-2_000)}`);
      return (await readCampaign(ledger.db, campaignId))?.endedAtMs;
    },
    60 * 60_000,
  );
  const seconds = (Date.now() - startedMs) / 1_000;
  const workerCpuSeconds = cpuSecondsOf(pid) - cpuBefore;
  const report = await readReport(ledger.db, campaignId);
  if (!report) throw new Error("the campaign has no report");
  const actions = await countActions(metricsPort);
  const heartbeatsAtSpeed1 = Math.round((seconds * input.speed) / HEARTBEAT_EVERY_S);
  const { grpc_RecordActivityTaskHeartbeat: _counted, ...others } = actions;
  const actionTotal = sum(Object.values(others)) + heartbeatsAtSpeed1;
  const requests = Object.fromEntries(
    Object.entries(sandbox.stats().routes).map(([route, { requests: n }]) => [route, n]),
  );
  const histories = await readHistories(client);
  return {
    contacts: report.contacts.total,
    attempts: report.attempts,
    batches: report.batches.total,
    seconds,
    attemptsPerSecond: Math.round(report.attempts / seconds),
    actions,
    heartbeatsAtSpeed1,
    actionsPerContact: actionTotal / report.contacts.total,
    requests,
    requestsPerContact: sum(Object.values(requests)) / report.contacts.total,
    longestHistory: histories.longest,
    workflowRuns: histories.runs,
    workerPeakMb,
    workerCpuSeconds,
    tracedBytes: spans?.bytes() ?? 0,
    fill: fillOfCalls(sandbox.dialLog.calls(), input.concurrency),
    report,
  };
}

/** Three times as often as Prometheus by default. */
const SCRAPE_EVERY_MS = 5_000;

/** Asks for metrics as Prometheus does. @returns what ends that; it throws where nothing was ever served. */
function scrapeEvery(everyMs: number, port: number): () => Promise<void> {
  let served = 0;
  const timer = setInterval(() => {
    fetch(`http://127.0.0.1:${port}/metrics`)
      .then((got) => got.text())
      .then(
        () => {
          served += 1;
        },
        () => {},
      );
  }, everyMs);
  return async () => {
    clearInterval(timer);
    if (served === 0) throw new Error("no metrics were served while they were to be measured");
  };
}

/** A receiver of traces that takes everything, at the cost of reading it off the socket. */
async function countSpans(
  closing: (() => Promise<unknown>)[],
): Promise<{ url: string; bytes: () => number }> {
  let bytes = 0;
  const server = http.createServer((request, response) => {
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on("end", () => response.end());
  });
  const port = await lastingPort();
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return { url: `http://127.0.0.1:${port}`, bytes: () => bytes };
}

/** Until the last contact was dialed for the first time: what comes then waits for the time of its retry. */
function fillOfCalls(calls: ReturnType<Sandbox["dialLog"]["calls"]>, lines: number): Fill {
  const spans = calls.map(({ createdAt, endedAt }) => ({ fromMs: createdAt, toMs: endedAt ?? createdAt }));
  const firsts = calls.flatMap(({ nth, createdAt }) => (nth === 1 ? [createdAt] : []));
  return fillOf(
    spans,
    lines,
    firsts.reduce((last, atMs) => Math.max(last, atMs), 0),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0);

async function prepareCampaign(
  ledger: Awaited<ReturnType<typeof openPostgresLedger>>,
  input: MeasureInput,
): Promise<string> {
  const reading = readCampaignSpec({
    name: "measured",
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    concurrency: input.concurrency,
    window: "always",
    retry: {
      max_attempts: input.attempts,
      delays: { no_answer: "30m", busy: "10m", voicemail: "1h", failed: "5m" },
    },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  // The engine's waits are divided by the speed, and so are the delays of the spec.
  const { spec } = reading;
  const nowMs = Date.now();
  for (const [disposition, delay] of Object.entries({
    no_answer: 1_800,
    busy: 600,
    voicemail: 3_600,
    failed: 300,
  })) {
    spec.retry.delays[disposition as "busy"] = `${Math.max(1, Math.round((delay * 1_000) / input.speed))}ms`;
  }
  const campaign = await ledger.transaction((tx) => createCampaign(tx, { spec, actor: "bench", nowMs }));
  const begun = await beginImport(ledger, {
    campaignId: campaign.id,
    digest: "bench",
    sourceName: "bench.csv",
    settings: {},
    nowMs,
  });
  const phones = phoneNumbers(input.contacts, 0);
  for (let from = 0; from < phones.length; from += 1_000) {
    await importChunk(ledger, {
      campaignId: campaign.id,
      importId: begun.id,
      throughLine: from + 1_001,
      nowMs,
      rows: phones.slice(from, from + 1_000).map((phone, index) => ({
        kind: "contact" as const,
        line: from + index + 2,
        phone,
        region: "US",
        zones: ["America/New_York"],
        strictZones: ["America/New_York"],
        variables: { first_name: `Contact ${from + index}`, plan: "premium" },
      })),
    });
  }
  await completeImport(ledger, { importId: begun.id, nowMs });
  await noteManyContacts(ledger.db, phones.length);
  await startCampaign(ledger, {
    campaignId: campaign.id,
    commandId: randomUUID(),
    actor: "bench",
    reason: undefined,
    nowMs,
    allowPartial: false,
  });
  return campaign.id;
}

/** The server's own count of billable actions, without those of its internal namespace. */
export async function countActions(metricsPort: number): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const actions: Record<string, number> = {};
  for (const [, labels = "", value] of text.matchAll(/^action\{([^}]*)\} (\S+)$/gm)) {
    if (labels.includes('namespace="temporal_system"')) continue;
    const kind = /action_type="([^"]+)"/.exec(labels)?.[1] ?? "other";
    actions[kind] = (actions[kind] ?? 0) + Number(value);
  }
  return actions;
}

/** Waits until every run is listed as ended: lengths are listed with the end. */
async function readHistories(client: Client): Promise<{ longest: number; runs: number }> {
  return until("every workflow to be listed as ended", async () => {
    let longest = 0;
    let runs = 0;
    let running = 0;
    for await (const execution of client.workflow.list({ pageSize: 1_000 })) {
      if (execution.status.name === "RUNNING") running += 1;
      longest = Math.max(longest, execution.historyLength);
      runs += 1;
    }
    return running === 0 && runs > 0 && { longest, runs };
  });
}
