import { sql } from "drizzle-orm";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";

import { firstRow, type Ledger } from "../src/ledger/ground/connection.ts";
import { signDelivery } from "../src/outbound/sign.ts";
import { phoneNumbers, until } from "../test/support/engine.ts";
import { peakResidentMb } from "../test/support/processes.ts";
import {
  BENCH_SECRET,
  between,
  each,
  openMeasuredSystem,
  type MeasuredSystem,
  type Spent,
} from "./measured-system.ts";

export interface SequencesInput {
  enrolments: number;
  triggers: number;
  /** How long it is watched asleep. */
  idleSeconds: number;
  postgresUrl: string;
  cacheDir: string;
}

interface PerEnrolment {
  actions: number;
  requests: number;
  statements: number;
  transactions: number;
  ledgerBytes: number;
  temporalBytes: number;
}

/** What it costs to put people to sleep, to have them sleep, and to call somebody who came through a trigger. */
export interface SequencesMeasure {
  enrolments: number;
  /** Until the list was in the ledger, and its upload answered. */
  acceptedSeconds: number;
  acceptedPerSecond: number;
  /** From there until everybody slept. */
  asleepSeconds: number;
  asleepPerSecond: number;
  perEnrolment: PerEnrolment;
  spentOnEnrolling: Spent;
  /** Workflows that run meanwhile, by Temporal's count. */
  workflows: number;
  /** Milliseconds of CPU, by process. */
  cpuMsPerEnrolment: Record<string, number>;
  /** All of them together, in this many seconds. */
  idleSeconds: number;
  asleep: Spent;
  /** The worker ended and begun anew, in as many seconds. */
  restarted: Spent;
  workerPeakMb: number | undefined;
  /** From a trigger's request to the start request to the platform, one at a time, with everybody else asleep. */
  latencyMs: { n: number; median: number; p95: number; longest: number };
}

const START = "POST /v1/batch-calls/:id/start";

/** The engine at its real pace; only calls are short. */
const SANDBOX_SPEED = 60;

const DIALING = {
  agent_id: "11111111-1111-4111-8111-111111111111",
  from_numbers: ["+12025550100"],
  window: "always",
  default_region: "US",
};

export async function measureSequences(input: SequencesInput): Promise<SequencesMeasure> {
  const system = await openMeasuredSystem({ ...input, speed: 1, sandbox: { speed: SANDBOX_SPEED } });
  try {
    await system.start("server");
    let worker = await system.start("worker");
    await putDefinitions(system);
    const { ledger, client } = system;
    await untilHandedOn(ledger);

    const begun = await system.spent();
    const storedBefore = await system.stored();
    const acceptedSeconds = await enrollList(system, input.enrolments);
    const asleepSeconds = await timed(() => untilAsleep(ledger, input.enrolments));
    const enrolled = between(begun, await system.spent());
    const stored = await system.stored();
    const { count: workflows } = await client.workflow.count(
      `WorkflowType = 'sequenceWorkflow' AND ExecutionStatus = 'Running'`,
    );

    const asleep = await spentIn(system, input.idleSeconds, async () => {});
    const restarted = await spentIn(system, input.idleSeconds, async () => {
      await worker.end();
      worker = await system.start("worker");
    });
    return {
      enrolments: input.enrolments,
      acceptedSeconds,
      acceptedPerSecond: each(input.enrolments, acceptedSeconds),
      asleepSeconds,
      asleepPerSecond: each(input.enrolments, asleepSeconds),
      perEnrolment: {
        actions: each(enrolled.actionTotal, input.enrolments),
        requests: each(enrolled.requestTotal, input.enrolments),
        statements: each(enrolled.statements, input.enrolments),
        transactions: each(enrolled.transactions, input.enrolments),
        ledgerBytes: each(stored.ledger - storedBefore.ledger, input.enrolments),
        temporalBytes: each(stored.temporal - storedBefore.temporal, input.enrolments),
      },
      spentOnEnrolling: enrolled,
      workflows,
      cpuMsPerEnrolment: Object.fromEntries(
        Object.entries(enrolled.cpuSeconds).map(([of, seconds]) => [
          of,
          each(1_000 * seconds, input.enrolments),
        ]),
      ),
      idleSeconds: input.idleSeconds,
      asleep,
      restarted,
      workerPeakMb: peakResidentMb(worker.child.pid ?? 0),
      latencyMs: await measureLatency(system, input.triggers),
    };
  } finally {
    await system.close();
  }
}

async function putDefinitions({ api }: MeasuredSystem): Promise<void> {
  await api.sequences.put({
    name: "sleepers",
    ...DIALING,
    steps: [
      { id: "sleep", wait: { for: "30d" } },
      { id: "end", exit: { outcome: "slept" } },
    ],
  });
  await api.sequences.put({
    name: "called at once",
    ...DIALING,
    concurrency: 50,
    retry: { max_attempts: 1 },
    steps: [{ id: "call", call: {} }],
  });
  await api.triggers.put({
    name: "now",
    auth: { scheme: "standard_webhooks", secret: "crm" },
    enroll: { sequence: "called at once", phone: "payload.phone" },
  });
}

async function enrollList({ api }: MeasuredSystem, enrolments: number): Promise<number> {
  const lines = phoneNumbers(enrolments).map((phone, index) => `${phone},Person ${index}`);
  const text = `phone,first_name\n${lines.join("\n")}\n`;
  return timed(() =>
    api.sequences.enrollList("sleepers", "default", {
      readable: Readable.from([text]),
      digest: createHash("sha256").update(text).digest("hex"),
      sourceName: "sleepers.csv",
      map: {},
      defaultRegion: "US",
      keyColumn: undefined,
    }),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = Date.now();
  await work();
  return (Date.now() - startedMs) / 1_000;
}

async function untilHandedOn(ledger: Ledger): Promise<void> {
  await until("the outbox to be empty", async () => {
    const left = await firstRow<{ n: number }>(ledger.db, sql`select count(*)::int as n from outbox`);
    return left?.n === 0;
  });
}

/** Longer than ten thousand take on a machine that does ten other things. */
const ASLEEP_BOUND_MS = 60 * 60_000;

async function untilAsleep(ledger: Ledger, enrolments: number): Promise<void> {
  await until(
    "everybody to sleep",
    async () => {
      const found = await firstRow<{ asleep: number; left: number }>(
        ledger.db,
        sql`select (select count(*) from enrolments where turn > 0 and wake_at is not null)::int as asleep,
                   (select count(*) from outbox)::int as left`,
      );
      return found !== undefined && found.asleep >= enrolments && found.left === 0;
    },
    ASLEEP_BOUND_MS,
  );
}

/** What is spent in a span of time in which something is done at its beginning. */
async function spentIn(system: MeasuredSystem, seconds: number, act: () => Promise<void>): Promise<Spent> {
  const before = await system.spent();
  const endMs = Date.now() + seconds * 1_000;
  await act();
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, endMs - Date.now()));
  });
  return between(before, await system.spent());
}

async function measureLatency(
  system: MeasuredSystem,
  triggers: number,
): Promise<SequencesMeasure["latencyMs"]> {
  const starts = () => system.sandbox.stats().routes[START]?.requests ?? 0;
  const tookMs: number[] = [];
  for (const [index, phone] of phoneNumbers(triggers, 500_000).entries()) {
    const before = starts();
    const startedMs = performance.now();
    await trigger(system, `now ${index}`, { phone });
    await untilSeen(() => starts() > before);
    tookMs.push(Math.round(performance.now() - startedMs));
  }
  const sorted = [...tookMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { n: sorted.length, median: at(0.5), p95: at(0.95), longest: at(1) };
}

/** Looks closely enough to tell milliseconds. */
async function untilSeen(seen: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + 60_000;
  while (!seen()) {
    if (Date.now() > deadlineMs) throw new Error("no start request came within a minute");
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}

async function trigger({ url }: MeasuredSystem, id: string, payload: object): Promise<void> {
  const body = JSON.stringify(payload);
  const response = await fetch(`${url}/v1/triggers/now`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...signDelivery({ name: "crm", values: [BENCH_SECRET] }, { id, timestampMs: Date.now(), body }),
    },
    body,
  });
  if (response.status !== 202) throw new Error(`the trigger answered ${response.status}`);
  await response.body?.cancel();
}
