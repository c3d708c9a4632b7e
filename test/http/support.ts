import { WorkflowNotFoundError, type Client } from "@temporalio/client";
import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";

import { buildApp } from "../../src/http/app.ts";
import type { HttpDeps } from "../../src/http/deps.ts";
import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { createPlatform, type Platform } from "../../src/platform/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { noFollowUpPorts } from "../support/ports.ts";
import type { InFlight } from "../../src/commands/ports.ts";
import { holdDeclaredProblems } from "./declared-problems.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";
export const DRAFT_AGENT = "22222222-2222-4222-8222-222222222222";
const CALLER_ID = "+12025550100";

/** What the API did to Temporal, and how Temporal is to behave. */
interface FakeTemporal {
  client: Client;
  started: string[];
  away: boolean;
  /** Workflows that were started have come to their end. */
  ended: boolean;
}

/** Only what the API asks of a client. Real servers are in the temporal tests; this one can be made to fail. */
function fakeTemporal(): FakeTemporal {
  const fake: Omit<FakeTemporal, "client"> = {
    started: [],
    away: false,
    ended: false,
  };
  const refuseIfAway = () => {
    if (self.away) throw new Error("14 UNAVAILABLE: no connection");
  };
  const client = {
    withDeadline: (_deadline: number, ask: () => Promise<unknown>) => ask(),
    workflowService: {
      getSystemInfo: async () => {
        refuseIfAway();
        return {};
      },
    },
    workflow: {
      start: async (_type: string, { workflowId }: { workflowId: string }) => {
        refuseIfAway();
        fake.started.push(workflowId);
      },
      getHandle: (workflowId: string) => ({
        describe: async () => {
          refuseIfAway();
          if (fake.started.includes(workflowId))
            return { status: { name: self.ended ? "COMPLETED" : "RUNNING" } };
          throw new WorkflowNotFoundError("not there", workflowId, undefined);
        },
      }),
    },
  };
  const self: FakeTemporal = { ...fake, client: client as unknown as Client };
  return self;
}

export interface TestApi {
  app: FastifyInstance;
  temporal: FakeTemporal;
  woken: string[];
  logged: string[];
  halted: string[][];
  /** What is told of them. */
  inFlight?: InFlight;
  /** One entry for each time that the relay was kicked. */
  kicks: string[];
}

/** Nothing answers here: whoever asks the platform is told so. */
function absentPlatform(): Platform {
  return platformAt("http://127.0.0.1:9", "key");
}

export function platformAt(baseUrl: string, apiKey: string): Platform {
  const platform = createPlatform({ baseUrl, apiKey });
  onTestFinished(() => platform.close());
  return platform;
}

export async function openSandbox({ speed = 1_000 }: { speed?: number | undefined } = {}): Promise<{
  sandbox: Sandbox;
  platform: Platform;
}> {
  const sandbox = await createSandbox({ speed });
  onTestFinished(() => sandbox.close());
  return { sandbox, platform: platformAt(sandbox.url, sandbox.apiKey) };
}

/** An API on this ledger, closed when the test ends. */
export async function openApi(
  ledger: Ledger,
  changes: Partial<
    Pick<
      HttpDeps,
      | "platform"
      | "token"
      | "tls"
      | "keys"
      | "haltBatches"
      | "now"
      | "recover"
      | "sweep"
      | "lookAtBalance"
      | "examine"
      | "secrets"
      | "dataKeys"
      | "refusalOf"
      | "askScrubber"
      | "sendNotice"
      | "sendSigned"
      | "mailProblems"
      | "hookTokens"
      | "deliveriesPerMinute"
      | "sessions"
      | "oidc"
      | "dashboardDir"
      | "monotonicMs"
    >
  > = {},
): Promise<TestApi> {
  const temporal = fakeTemporal();
  const woken: string[] = [];
  const logged: string[] = [];
  const halted: string[][] = [];
  const kicks: string[] = [];
  const note = (fields: object, message: string) => {
    logged.push(
      `${message} ${JSON.stringify(fields, (_key, value: unknown) => (value instanceof Error ? String(value) : value))}`,
    );
  };
  const api: Omit<TestApi, "app"> = { temporal, woken, logged, halted, kicks };
  const app = await buildApp({
    ledger,
    client: temporal.client,
    platform: changes.platform ?? absentPlatform(),
    platformUrl: "https://api.voice.example.com",
    zones: { version: "2026f", releasedOn: "2026-10-29", folder: undefined },
    account: undefined,
    rate: undefined,
    wake: { campaign: (id) => woken.push(`campaign ${id}`), batch: (id) => woken.push(`batch ${id}`) },
    outbox: { kick: () => void kicks.push("kick") },
    secrets: noFollowUpPorts().secrets,
    refusalOf: async () => undefined,
    sendNotice: () => Promise.reject(new Error("this test has no attention routes")),
    sendSigned: async () => ({ ok: true, answer: "it answered 204" }),
    mailProblems: () => [],
    askScrubber: () => Promise.reject(new Error("this test has no scrubbing service")),
    keys: {
      status: () => Promise.reject(new Error("this test has no key")),
      rotate: async () => "this test has no key",
    },
    hookTokens: [],
    deliveriesPerMinute: 6_000,
    examine: async () => [{ name: "Node.js", status: "ok", detail: "22.0.0" }],
    lookAtBalance: async () => ({
      balanceMicros: undefined,
      unknown: "nobody reads it here",
      isNoLimit: false,
      campaignIds: [],
    }),
    sweep: async () => ({ atMs: Date.now(), found: 0, settled: 0, detail: {} }),
    log: { info: note, warn: note, error: note },
    pace: { dialByMarginMs: 60_000, openAttemptWaitMs: 45_000 },
    now: Date.now,
    token: undefined,
    sessions: { idleMs: 8 * 3_600_000, lifeMs: 7 * 86_400_000, publicUrl: undefined },
    dashboardDir: "/nothing-is-built",
    haltBatches: async (batchIds) => {
      halted.push([...batchIds]);
      return api.inFlight ?? { batches: batchIds.length, callsUp: 3, uncertain: 0 };
    },
    recover: async () => ({
      looked: 2,
      settledBatches: 0,
      adoptedBatches: 1,
      adoptedAttempts: 5,
      strangers: 2,
      deleted: 1,
      foreign: [],
      passedOverSchedules: 3,
    }),
    ...changes,
  });
  onTestFinished(() => app.close());
  holdDeclaredProblems(app);
  return Object.assign(api, { app });
}

let names = 0;

/** A spec under a name of its own. */
export function specOf(changes: Record<string, unknown> = {}): Record<string, unknown> {
  names += 1;
  return {
    name: `list ${process.pid} ${names}`,
    agent_id: AGENT,
    from_numbers: [CALLER_ID],
    concurrency: 5,
    window: "always",
    ...changes,
  };
}

export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A list with one contact a line, and what it takes to upload it. */
export function csvOf(phones: readonly string[]): string {
  return `phone,first_name\n${phones.map((phone, index) => `${phone},Contact ${index}\n`).join("")}`;
}

export function phonesFrom(start: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `+1202555${String(start + i).padStart(4, "0")}`);
}

export async function createCampaign(api: TestApi, changes: Record<string, unknown> = {}): Promise<string> {
  const answer = await api.app.inject({
    method: "POST",
    url: "/v1/campaigns",
    payload: { spec: specOf(changes) },
  });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<{ id: string }>().id;
}

export function upload(api: TestApi, ref: string, list: string, changes: Record<string, string> = {}) {
  return api.app.inject({
    method: "POST",
    url: `/v1/campaigns/${encodeURIComponent(ref)}/contacts`,
    query: { digest: sha256(list), source_name: "list.csv", ...changes },
    headers: { "content-type": "text/csv" },
    payload: list,
  });
}
