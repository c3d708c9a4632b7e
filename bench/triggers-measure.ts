import { sql } from "drizzle-orm";
import fs from "node:fs";
import { Pool } from "undici";

import { firstRow } from "../src/ledger/ground/connection.ts";
import { signDelivery } from "../src/outbound/sign.ts";
import { phoneNumbers, until } from "../test/support/engine.ts";
import { BENCH_SECRET, each, openMeasuredSystem, type MeasuredSystem } from "./measured-system.ts";

export interface TriggersInput {
  /** Sent a second, evenly, whatever the answers; 0: as many as are answered. */
  rate: number;
  seconds: number;
  /** Connections of the sender. */
  connections: number;
  postgresUrl: string;
  cacheDir: string;
}

/** What it takes to acknowledge deliveries as durable, and to work them off. */
export interface TriggersMeasure {
  sent: number;
  /** Answered with 202. */
  acknowledged: number;
  acknowledgedPerSecond: number;
  /** From when it was to be sent until its answer. */
  latencyMs: { median: number; p99: number; longest: number };
  /** Until the last one was worked off, from the first. */
  workedOffPerSecond: number;
  perDelivery: { serverCpuMs: number; statements: number; transactions: number };
}

const BOUND_MS = 30 * 60_000;

export async function measureTriggers({
  rate,
  seconds,
  connections,
  ...input
}: TriggersInput): Promise<TriggersMeasure> {
  const system = await openMeasuredSystem({ speed: 1, sandbox: { speed: 1 }, ...input });
  system.settings["OUTDIAL_DELIVERIES_PER_MINUTE"] = "1000000";
  const pool = new Pool(system.url, { connections, pipelining: 1 });
  try {
    const server = await system.start("server");
    await system.api.sequences.put({
      name: "leads",
      agent_id: "11111111-1111-4111-8111-111111111111",
      from_numbers: ["+12025550100"],
      steps: [{ id: "end", exit: { outcome: "over" } }],
    });
    await system.api.triggers.put({
      name: "told",
      auth: { scheme: "standard_webhooks", secret: "crm" },
      event: { name: "paid", sequence: "leads", phone: "payload.phone" },
    });
    const cpuMs = () => cpuMsOf(server.child.pid ?? 0);
    const spentBefore = { ...(await system.spent()), cpuMs: cpuMs() };
    const beganMs = Date.now();
    const answers = await sendAll(pool, { rate, seconds, connections });
    const answeredMs = Date.now() - beganMs;
    await until("all to be worked off", () => isWorkedOff(system), BOUND_MS);
    const workedOffMs = Date.now() - beganMs;
    const spent = await system.spent();
    const sorted = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    const at = (share: number) =>
      Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 10) / 10;
    const sent = answers.length;
    const acknowledged = answers.filter(({ status }) => status === 202).length;
    return {
      sent,
      acknowledged,
      acknowledgedPerSecond: each(acknowledged * 1_000, answeredMs),
      latencyMs: { median: at(0.5), p99: at(0.99), longest: at(1) },
      workedOffPerSecond: each(acknowledged * 1_000, workedOffMs),
      perDelivery: {
        serverCpuMs: each(cpuMs() - spentBefore.cpuMs, sent),
        statements: each(spent.statements - spentBefore.statements, sent),
        transactions: each(spent.transactions - spentBefore.transactions, sent),
      },
    };
  } finally {
    await pool.destroy();
    await system.close();
  }
}

async function isWorkedOff({ ledger }: MeasuredSystem): Promise<boolean> {
  const left = await firstRow<{ n: number }>(
    ledger.db,
    sql`select count(*)::int as n from outbox where kind = 'delivery'`,
  );
  return left?.n === 0;
}

interface Answer {
  status: number;
  tookMs: number;
}

/** Evenly, whether or not those before were answered; or each connection one after the other. */
async function sendAll(
  pool: Pool,
  { rate, seconds, connections }: Pick<TriggersInput, "rate" | "seconds" | "connections">,
): Promise<Answer[]> {
  const phones = phoneNumbers(10_000);
  const answers: Answer[] = [];
  let nth = 0;
  const send = async (dueMs: number) => {
    nth += 1;
    const body = JSON.stringify({ phone: phones[nth % phones.length], nth });
    const signed = signDelivery(
      { name: "crm", values: [BENCH_SECRET] },
      { id: `msg ${nth}`, timestampMs: Date.now(), body },
    );
    const response = await pool.request({
      method: "POST",
      path: "/v1/triggers/told",
      headers: { "content-type": "application/json", ...signed },
      body,
    });
    await response.body.dump();
    answers.push({ status: response.statusCode, tookMs: performance.now() - dueMs });
  };
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1_000;
  if (rate === 0) {
    const one = async () => {
      while (performance.now() < endMs) await send(performance.now());
    };
    await Promise.all(Array.from({ length: connections }, one));
    return answers;
  }
  const underWay: Promise<void>[] = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    const dueMs = beganMs + (n * 1_000) / rate;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    underWay.push(send(dueMs));
  }
  await Promise.all(underWay);
  return answers;
}

/** Of Linux: what the kernel counted for a process so far, in its clock ticks of a hundredth of a second. */
function cpuMsOf(pid: number): number {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
