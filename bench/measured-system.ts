import { Client } from "@temporalio/client";
import { sql } from "drizzle-orm";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { openApi, type Api } from "../src/cli/api/client.ts";
import { firstRow, type Ledger } from "../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../src/ledger/ground/postgres.ts";
import { createPlatform, type Platform } from "../src/platform/index.ts";
import type { SandboxOptions } from "../src/sandbox/options.ts";
import { createSandbox, type Sandbox } from "../src/sandbox/sandbox.ts";
import { connectClients } from "../src/temporal/connection.ts";
import { provideTemporalServer, type TemporalServer } from "../src/temporal/server/index.ts";
import { createDatabase } from "../test/support/postgres.ts";
import { startOutdial, type OutdialProcess, type StartOptions } from "../test/support/processes.ts";
import { startTcpProxy } from "../test/support/tcp-proxy.ts";
import { countActions } from "./measure-campaign.ts";
import { cpuSecondsOf, cpuSecondsOfTree, findProcess, parentOf, type CpuSeconds } from "./process-cpu.ts";
import { createQueryCount } from "./query-count.ts";
import { lastingPort } from "../test/support/free-ports.ts";

/*
 * A whole system that can be counted: processes from the build, PostgreSQL behind a proxy that counts statements,
 * a Temporal server with its data in a file that counts its actions, and a sandbox that counts requests.
 */

interface SystemInput {
  /** Of the engine: its waits are divided by it. */
  speed: number;
  sandbox: SandboxOptions;
  postgresUrl: string;
  cacheDir: string;
}

/** What was spent so far. */
export interface Spent {
  /** Temporal's billed actions by kind, as the server counts them. */
  actions: Record<string, number>;
  actionTotal: number;
  /** Requests to the platform by route. */
  requests: Record<string, number>;
  requestTotal: number;
  /** Statements sent to the ledger, without those that begin and end transactions. */
  statements: number;
  transactions: number;
  /** By process: `server`, `worker`, `temporal`, `postgres`. Where the machine is shared, that says more than time does. */
  cpuSeconds: CpuSeconds;
}

export interface MeasuredSystem {
  readonly sandbox: Sandbox;
  /** Past the proxy: what is asked of it is not counted. */
  readonly ledger: Ledger;
  readonly client: Client;
  readonly temporal: Pick<TemporalServer, "address" | "kill">;
  /** Starts the Temporal server, which was killed, on the same data at the same address. */
  restartTemporal(): Promise<void>;
  readonly api: Api;
  readonly url: string;
  /** Of the ledger's database, past the proxy. */
  readonly databaseUrl: string;
  /** A client of this process's own: its requests count as the engine's do. */
  readonly platform: Platform;
  /** Settings of all processes. */
  readonly settings: Record<string, string>;
  /** @param changes of the settings, for this process alone */
  start(
    command: "server" | "worker",
    changes?: Record<string, string>,
    options?: StartOptions,
  ): Promise<OutdialProcess>;
  spent(): Promise<Spent>;
  /** Bytes on disk. */
  stored(): Promise<{ ledger: number; temporal: number }>;
  close(): Promise<void>;
}

/** Of the benchmarks' webhooks and triggers. */
export const BENCH_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export async function openMeasuredSystem(input: SystemInput): Promise<MeasuredSystem> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closing.splice(0).reverse()) await one();
  };
  try {
    return { ...(await assemble(input, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(
  input: SystemInput,
  closing: (() => Promise<unknown>)[],
): Promise<Omit<MeasuredSystem, "close">> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-measured-"));
  closing.push(async () => fs.rmSync(folder, { recursive: true, force: true }));
  const metricsPort = await lastingPort();
  const provideTemporal = () =>
    provideTemporalServer({
      searchPath: process.env["PATH"] ?? "",
      cacheDir: input.cacheDir,
      dataDir: folder,
      headless: true,
      metricsPort,
      onProgress: () => {},
    });
  let temporal = await provideTemporal();
  closing.push(() => temporal.stop());
  const databaseUrl = await createDatabase(input.postgresUrl);
  const counted = createQueryCount();
  const proxy = await startTcpProxy(databaseUrl, counted.onSent);
  closing.push(() => proxy.close());
  const ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 4 });
  closing.push(() => ledger.close());
  const sandbox = await createSandbox({ seed: 42, ...input.sandbox });
  closing.push(() => sandbox.close());
  sandbox.setBalance(10_000_000);
  const platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
  closing.push(() => platform.close());
  const { connection, close } = await connectClients({ address: temporal.address });
  closing.push(close);
  const port = await lastingPort();
  const settings = {
    DATABASE_URL: proxy.through(databaseUrl),
    TEMPORAL_ADDRESS: temporal.address,
    PLATFORM_BASE_URL: sandbox.url,
    PLATFORM_API_KEY: sandbox.apiKey,
    OUTDIAL_SPEED: String(input.speed),
    OUTDIAL_DATA_DIR: folder,
    OUTDIAL_API_PORT: String(port),
    OUTDIAL_SECRET_CRM: BENCH_SECRET,
    OUTDIAL_OUTBOUND_ALLOW: "127.0.0.1",
    OUTDIAL_LOG_LEVEL: "info",
  };
  const ours: { command: string; pid: number }[] = [];
  const backend = await firstRow<{ pid: number }>(ledger.db, sql`select pg_backend_pid() as pid`);
  const postmaster = parentOf(backend?.pid ?? 0);
  const url = `http://127.0.0.1:${port}`;
  const api = openApi({ url, token: undefined });
  closing.push(() => api.close());
  return {
    sandbox,
    ledger,
    client: new Client({ connection }),
    temporal: { address: temporal.address, kill: () => temporal.kill() },
    async restartTemporal() {
      const { address } = temporal;
      temporal = await provideTemporal();
      if (temporal.address !== address) throw new Error(`Temporal is at ${temporal.address} now`);
    },
    api,
    url,
    databaseUrl,
    platform,
    settings,
    async start(command, changes = {}, options = {}) {
      const started = startOutdial([command], { ...settings, ...changes }, { isMeasured: true, ...options });
      ours.push({ command, pid: started.child.pid ?? 0 });
      closing.push(async () => (started.child.exitCode === null ? started.end() : undefined));
      if (command === "server") await started.waitFor(/"apiUrl":/);
      return started;
    },
    async spent() {
      const actions = await countActions(metricsPort);
      const requests = Object.fromEntries(
        Object.entries(sandbox.stats().routes).map(([route, { requests: n }]) => [route, n]),
      );
      return {
        actions,
        actionTotal: sum(Object.values(actions)),
        requests,
        requestTotal: sum(Object.values(requests)),
        ...counted.read(),
        cpuSeconds: {
          ...Object.fromEntries(
            ["server", "worker"].map((command) => [
              command,
              sum(ours.filter((one) => one.command === command).map(({ pid }) => cpuSecondsOf(pid))),
            ]),
          ),
          temporal: cpuSecondsOf(findProcess(path.join(folder, "temporal.db")) ?? 0),
          postgres: cpuSecondsOfTree(postmaster),
        },
      };
    },
    async stored() {
      const size = await firstRow<{ bytes: number }>(
        ledger.db,
        sql`select pg_database_size(current_database()) as bytes`,
      );
      const files = fs.readdirSync(folder).filter((name) => name.startsWith("temporal.db"));
      return {
        ledger: size?.bytes ?? 0,
        temporal: sum(files.map((name) => fs.statSync(path.join(folder, name)).size)),
      };
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);

/** What was spent between two moments. */
export function between(from: Spent, to: Spent): Spent {
  const less = (a: Record<string, number>, b: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(b)
        .map(([key, n]) => [key, n - (a[key] ?? 0)] as const)
        .filter(([, n]) => n !== 0),
    );
  return {
    actions: less(from.actions, to.actions),
    actionTotal: to.actionTotal - from.actionTotal,
    requests: less(from.requests, to.requests),
    requestTotal: to.requestTotal - from.requestTotal,
    cpuSeconds: less(from.cpuSeconds, to.cpuSeconds),
    statements: to.statements - from.statements,
    transactions: to.transactions - from.transactions,
  };
}

/** For people: three digits are enough of a number a piece. */
export function each(total: number, pieces: number): number {
  return Number((total / pieces).toPrecision(3));
}
