import type { Client } from "@temporalio/client";
import { NativeConnection, Runtime, Worker } from "@temporalio/worker";
import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { inject } from "vitest";

import {
  paceAt,
  type ActivityDeps,
  type Log,
  type Pace,
  type SecretStore,
} from "../../src/activities/deps.ts";
import { createLineWatch } from "../../src/activities/campaigns/follow/line-watch.ts";
import { createSocketBudget } from "../../src/activities/campaigns/follow/socket-budget.ts";
import { createActActivities, createActivities, createFollowActivities } from "../../src/activities/index.ts";
import { relayOf } from "../../src/chores/chores.ts";
import type { AccountLines } from "../../src/domain/campaigns/account-lines.ts";
import type { CallRate } from "../../src/domain/campaigns/call-rate.ts";
import { readCampaignSpec, type CampaignSpecInput } from "../../src/domain/campaigns/campaign-spec.ts";
import { UnknownSecretError } from "../../src/domain/ground/secrets.ts";
import { createCampaign } from "../../src/ledger/campaigns/campaign-specs.ts";
import { readCampaign, type Campaign } from "../../src/ledger/campaigns/campaigns.ts";
import { startCampaign } from "../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { beginImport, importChunk } from "../../src/ledger/campaigns/imports.ts";
import { createOutbound } from "../../src/outbound/client.ts";
import type { Outbound } from "../../src/outbound/outbound.ts";
import { createPlatform, type Platform, type ResponseEvent } from "../../src/platform/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { clientOf, connectClients } from "../../src/temporal/connection.ts";
import type { SandboxOptions } from "../../src/sandbox/options.ts";
import type { Relay } from "../../src/temporal/relay.ts";
import { createWaker } from "../../src/temporal/wake.ts";
import { startOverdueLooks } from "../../src/temporal/overdue.ts";
import { bindToPlatform, readInstallation } from "../../src/ledger/ground/installation.ts";
import { taskQueuesOf } from "../../src/temporal/task-queues.ts";
import { given } from "./ledgers.ts";
import { noFollowUpPorts } from "./ports.ts";
import { PATIENCE_MS, until } from "./until.ts";
import { amendCampaign, tellCampaign } from "../../src/commands/campaigns.ts";
import type { CommandPorts } from "../../src/commands/ports.ts";
import { clockWatch } from "../../src/activities/ground/failing-steps.ts";
import { haltBatches } from "../../src/activities/campaigns/halt-batches.ts";
import type { CampaignSpec } from "../../src/domain/campaigns/campaign-spec.ts";
import { ensureCampaign } from "../../src/temporal/ensure.ts";
import { completeImport } from "../../src/ledger/campaigns/list-imports.ts";

export { phoneNumbers } from "./phone-numbers.ts";
export { until } from "./until.ts";

/** A whole engine in this process: real Temporal, real ledger, real sockets to a sandbox. */
export interface Engine {
  readonly client: Client;
  readonly deps: ActivityDeps;
  readonly ledger: Ledger;
  readonly sandbox: Sandbox;
  readonly logged: { level: string; message: string; fields: object }[];
  /** Requests to the platform by route. */
  readonly requests: Map<string, number>;
  /** And the relay, and looks at what is overdue. */
  startWorkers(): Promise<void>;
  /** Stops polling, cancels followers and ends the relay, as a SIGTERM would. */
  stopWorkers(): Promise<void>;
  close(): Promise<void>;
}

export interface EngineOptions {
  sandbox?: SandboxOptions;
  speed?: number;
  pace?: Partial<Pace>;
  /** Lines that campaigns share. */
  account?: AccountLines;
  /** Calls that may begin in any stretch of time. */
  rate?: CallRate;
  /** Another server than the one that the project shares. */
  temporalAddress?: string;
  /** By name; newest first. */
  secrets?: Readonly<Record<string, readonly string[]>>;
  /** Where follow-ups keep recordings; absent: none are kept. */
  recordingsDir?: string;
  /** Where recurring campaigns get their contacts from; absent: from nowhere. */
  lists?: ActivityDeps["lists"];
  outbound?: Outbound;
  /** How many of a list are enrolled a second. */
  bulkPerSecond?: number;
}

let runtimeInstalled = false;

/** Where somebody is alone on a server that others are on. */
export async function registerNamespace(address: string, namespace: string): Promise<void> {
  const { connection, close } = await connectClients({ address });
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: (24 * 60 * 60) as never },
  });
  await close();
}

export async function startEngine(ledger: Ledger, options: EngineOptions = {}): Promise<Engine> {
  if (!runtimeInstalled) {
    const quiet = () => {};
    Runtime.install({
      shutdownSignals: [],
      logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
    });
    runtimeInstalled = true;
  }
  const speed = options.speed ?? 100;
  const sandbox = await createSandbox({ speed, ...options.sandbox });
  await bindToPlatform(ledger.db, true);
  const requests = new Map<string, number>();
  const platform: Platform = createPlatform({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    timeouts: { wholeMs: 5_000, headersMs: 5_000 },
    hooks: {
      onResponse: ({ method, route }: ResponseEvent) => {
        requests.set(`${method} ${route}`, (requests.get(`${method} ${route}`) ?? 0) + 1);
      },
    },
  });
  const address = options.temporalAddress ?? inject("temporalAddress");
  const namespace = `test-${randomUUID()}`;
  await registerNamespace(address, namespace);
  const { connection, close: closeConnection } = await connectClients({ address });
  const client = clientOf(connection, namespace);
  const logged: Engine["logged"] = [];
  const logAt = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, message, fields });
  const log: Log = { info: logAt("info"), warn: logAt("warn"), error: logAt("error") };
  const waker = createWaker(client, () => {});
  // Receivers of tests listen on this machine.
  const outbound = options.outbound ?? createOutbound({ allow: ["127.0.0.1", "localhost"] });
  let relay: Relay | undefined;
  const deps: ActivityDeps = {
    ledger,
    platform,
    wake: waker,
    ...noFollowUpPorts(),
    outbox: { kick: () => relay?.kick() },
    outbound,
    ...(options.secrets && { secrets: secretsOf(options.secrets) }),
    ...(options.lists && { lists: options.lists }),
    ...(options.recordingsDir !== undefined && { recordingsDir: options.recordingsDir }),
    pace: { ...paceAt(speed), ...options.pace },
    account: options.account,
    rate: options.rate,
    log,
    now: Date.now,
  };
  const native = await NativeConnection.connect({ address });
  let running: { workers: Worker[]; ended: Promise<unknown> } | undefined;
  let overdue: { stop(): Promise<void> } | undefined;
  const stopWorkers = async () => {
    await overdue?.stop();
    overdue = undefined;
    await relay?.stop();
    relay = undefined;
    for (const worker of running?.workers ?? []) worker.shutdown();
    await running?.ended;
    running = undefined;
  };
  return {
    client,
    deps,
    get ledger() {
      return deps.ledger;
    },
    sandbox,
    logged,
    requests,
    async startWorkers() {
      const queues = taskQueuesOf((await readInstallation(deps.ledger.db)).installationId);
      const workers = [
        await Worker.create({
          connection: native,
          namespace,
          taskQueue: queues.engine,
          workflowBundle: { codePath: inject("workflowBundlePath") },
          activities: createActivities(deps),
        }),
        await Worker.create({
          connection: native,
          namespace,
          taskQueue: queues.follow,
          activities: createFollowActivities({
            ...deps,
            sockets: createSocketBudget(50),
            lines: createLineWatch(deps),
          }),
        }),
        await Worker.create({
          connection: native,
          namespace,
          taskQueue: queues.act,
          activities: createActActivities(deps),
        }),
      ];
      relay = relayOf(deps, client, options.bulkPerSecond);
      const { ledger, log, now, outbox } = deps;
      overdue = startOverdueLooks({
        client,
        ledger,
        isClockRight: clockWatch(deps),
        log,
        now,
        kick: () => outbox.kick(),
      });
      const ended = Promise.all(workers.map((worker) => worker.run()));
      // Whoever stops them hears of it; until then it is no unhandled rejection.
      ended.catch(() => {});
      running = { workers, ended };
    },
    stopWorkers,
    async close() {
      await stopWorkers();
      await waker.flush();
      await outbound.close();
      await platform.close();
      await native.close();
      await closeConnection();
      await sandbox.close();
    },
  };
}

function secretsOf(secrets: Readonly<Record<string, readonly string[]>>): SecretStore {
  return {
    read(name) {
      const values = secrets[name];
      if (!values) throw new UnknownSecretError(name, `no secret is called ${name}`);
      return values;
    },
  };
}

/** Whatever is open should have moved by now: as if so much time had gone by. Returns how much there is. */
export async function makeOverdue({ ledger }: Pick<Engine, "ledger">): Promise<number> {
  let count = 0;
  for (const table of OPEN_TABLES) {
    const made = await rows(
      ledger.db,
      sql`update ${sql.raw(table)} set look_by = least(look_by, now()) where look_by is not null returning 1 as one`,
    );
    count += made.length;
  }
  return count;
}

const OPEN_TABLES = [
  "campaigns",
  "batches",
  "key_rotations",
  "automations",
  "schedules",
  "schedule_runs",
  "enrolments",
  "follow_ups",
];

/** Tells a campaign something, as people do. */
export function tell(
  engine: Pick<Engine, "deps">,
  campaignId: string,
  command: "pause" | "resume" | "cancel",
  commandId: string = randomUUID(),
): ReturnType<typeof tellCampaign> {
  return tellCampaign(portsOf(engine), command, { campaignId, commandId, actor: "test", reason: "lunch" });
}

/** Changes a campaign's spec, as people do. */
export function amend(
  engine: Pick<Engine, "deps">,
  campaignId: string,
  spec: CampaignSpec,
): ReturnType<typeof amendCampaign> {
  const given = { campaignId, commandId: randomUUID(), actor: "test", reason: "lunch", spec };
  return amendCampaign(portsOf(engine), given);
}

function portsOf({ deps }: Pick<Engine, "deps">): CommandPorts {
  return { ...deps, haltBatches: (ids, bounds) => haltBatches(deps, ids, bounds) };
}

let names = 0;

/** What a campaign is started with: an engine in this process, or one in others. */
export type Starter = Pick<Engine, "ledger" | "client">;

/** Writes a campaign with its contacts down and starts it. */
export async function startTestCampaign(
  engine: Starter,
  phones: readonly string[],
  changes: Partial<CampaignSpecInput> = {},
): Promise<string> {
  names += 1;
  const reading = readCampaignSpec({
    name: `test ${names}`,
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    concurrency: 20,
    window: "always",
    least_gap: "0s",
    retry: { max_attempts: 3, delays: { no_answer: "0s", busy: "0s", failed: "0s", voicemail: "0s" } },
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { ledger } = engine;
  const nowMs = Date.now();
  const campaign = await ledger.transaction((tx) =>
    createCampaign(tx, { spec: reading.spec, actor: "test", nowMs }),
  );
  await appendContacts(engine, campaign.id, phones, "first");
  await startCampaign(ledger, {
    campaignId: campaign.id,
    commandId: randomUUID(),
    actor: "test",
    reason: undefined,
    nowMs,
    allowPartial: false,
  });
  await ensureCampaign(engine.client, ledger, campaign.id);
  return campaign.id;
}

export async function appendContacts(
  engine: Starter,
  campaignId: string,
  phones: readonly string[],
  digest: string,
): Promise<void> {
  const { ledger } = engine;
  const nowMs = Date.now();
  const begun = await beginImport(ledger, {
    campaignId,
    digest,
    sourceName: `${digest}.csv`,
    settings: {},
    nowMs,
  });
  for (let from = 0; from < phones.length; from += 1_000) {
    const chunk = phones.slice(from, from + 1_000);
    await importChunk(ledger, {
      campaignId,
      importId: begun.id,
      throughLine: from + chunk.length + 1,
      nowMs,
      rows: chunk.map((phone, index) => ({
        kind: "contact" as const,
        line: from + index + 2,
        phone,
        region: "US",
        zones: ["America/New_York"],
        strictZones: ["America/New_York"],
        variables: { name: `contact ${from + index}` },
      })),
    });
  }
  await completeImport(ledger, { importId: begun.id, nowMs });
}

export function untilOver(engine: Engine, campaignId: string, boundMs = PATIENCE_MS): Promise<Campaign> {
  return until(
    `campaign ${campaignId} to be over`,
    async () => {
      const campaign = given(await readCampaign(engine.ledger.db, campaignId));
      return campaign.endedAtMs === undefined ? undefined : campaign;
    },
    boundMs,
    () => whatIsThere(engine, campaignId),
  );
}

/** The rows of a campaign that does not end, and the latest of its audit. */
async function whatIsThere({ ledger: { db } }: Engine, id: string): Promise<string> {
  const of = sql`campaign_id = ${id}::uuid`;
  const shown = {
    now: [new Date().toISOString()],
    installation: await rows(db, sql`select recovery_reason, recovered_at, stopped_reason from installation`),
    campaign: await rows(db, sql`select * from campaigns where id = ${id}::uuid`),
    batches: await rows(db, sql`select * from batches where ${of} and state <> 'settled' limit 10`),
    attempts: await rows(
      db,
      sql`select state, batch_id, count(*)::int as n from attempts where ${of} group by 1, 2 limit 20`,
    ),
    contacts: await rows(
      db,
      sql`select state, min(due_at) as due, count(*)::int as n from contacts where ${of} group by 1`,
    ),
    attention: await rows(
      db,
      sql`select kind, subject, summary from attention where resolved_at is null limit 10`,
    ),
    audit: await rows(db, sql`select * from audit where ${of} order by at desc limit 10`),
  };
  return Object.entries(shown)
    .map(([what, found]) => [what, ...found.map((row) => `  ${JSON.stringify(row)}`)].join("\n"))
    .join("\n");
}
