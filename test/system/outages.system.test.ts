import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";

import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { provideTemporalServer, type TemporalServer } from "../../src/temporal/server/index.ts";
import { phoneNumbers, until } from "../support/engine.ts";
import { PATIENCE_MS } from "../support/until.ts";
import { given } from "../support/ledgers.ts";
import { sized } from "../support/long.ts";
import { createDatabase } from "../support/postgres.ts";
import type { OutdialProcess } from "../support/processes.ts";
import { seededRandom } from "../support/random.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { cacheDir } from "../support/setup-temporal.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import {
  apiAt,
  endedEnrolments,
  expectDeliveredOnce,
  expectEveryDialOnce,
  expectTakenOnce,
  failAFifth,
  journeyDefinition,
  journeySettings,
  triggerDefinition,
  untilAtRest,
} from "./support/journeys.ts";
import { createHooks, FOREIGN_CALL, type Hooks } from "./support/hooks.ts";
import { createSender, CRM_SECRET, type Answer, type Sender } from "./support/sender.ts";
import { closedPort, openStage, type Stage } from "./support/stage.ts";

/** How long each of them is away: short by default; OUTDIAL_OUTAGE_SECONDS=60 is what happens in data centres. */
const OUTAGE_MS = Number(process.env["OUTDIAL_OUTAGE_SECONDS"] ?? sized({ short: 3, long: 8 })) * 1_000;

/** Between two deliveries; longer outages get fewer a second, so that the number of people stays small. */
const SEND_EVERY_MS = Math.max(150, OUTAGE_MS / 40);

/** People who wait to be called; beyond it senders hold back between outages, so that a slow machine is not buried. */
const WAITING_AT_MOST = 15;

/** On a quiet machine it takes a tenth of this. */
const REST_BOUND_MS = 2 * PATIENCE_MS;

/** What goes wrong, and how it is mended. */
interface Outage {
  what: "ledger" | "temporal" | "platform";
  how: string;
  begin(): Promise<void>;
  end(): Promise<void>;
}

interface Span {
  what: Outage["what"];
  how: string;
  fromMs: number;
  toMs: number;
}

describe.skipIf(inject("postgresUrl") === undefined)("with one thing after the other away", () => {
  let stage: Stage;
  let ledger: Ledger;
  let receiver: Receiver;
  let proxy: TcpProxy;
  let temporal: TemporalServer;
  let temporalDir: string;
  let databaseUrl: string;
  const provide = () =>
    provideTemporalServer({
      searchPath: process.env["PATH"] ?? "",
      cacheDir: cacheDir(),
      dataDir: temporalDir,
      headless: true,
      onProgress: () => {},
    });
  beforeEach(async () => {
    stage = await openStage();
    receiver = await startReceiver();
    temporalDir = path.join(stage.folder, "temporal");
    fs.mkdirSync(temporalDir);
    temporal = await provide();
    databaseUrl = await createDatabase(given(inject("postgresUrl")));
    ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 2 });
    proxy = await startTcpProxy(databaseUrl);
  });
  afterEach(async () => {
    await temporal.stop();
    await stage.close();
    await receiver.close();
    await ledger.close();
    await proxy.close();
  });

  const outagesOf = (random: () => number): Outage[] => {
    const cut = random() < 0.5 ? "refused" : "silent";
    const fault =
      random() < 0.5
        ? ({ kind: "drop_before", route: "*" } as const)
        : ({ kind: "status", route: "*", status: 503 } as const);
    let faultId = "";
    return shuffled(random, [
      { what: "ledger", how: cut, begin: () => proxy.cut(cut), end: () => proxy.mend() },
      {
        what: "temporal",
        how: "killed",
        begin: () => temporal.kill(),
        end: async () => {
          const { address } = temporal;
          temporal = await provide();
          expect(temporal.address).toBe(address);
        },
      },
      {
        what: "platform",
        how: fault.kind,
        begin: async () => {
          faultId = stage.sandbox.faults.add(fault).fault_id;
        },
        end: async () => {
          stage.sandbox.faults.remove(faultId);
        },
      },
    ]);
  };

  it("senders are told the truth, and everything that was taken is acted on once in the end", async () => {
    const random = seededRandom("outages");
    const outages = outagesOf(random);
    failAFifth(receiver, random);
    const port = await closedPort();
    const settings = journeySettings(stage, proxy.through(databaseUrl), {
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: "default",
      OUTDIAL_SECRET_CRM: CRM_SECRET,
      OUTDIAL_API_PORT: String(port),
    });
    const server = stage.start(["server"], { ...settings, OUTDIAL_LOG_LEVEL: "info" });
    await server.waitFor(/"apiUrl":/);
    const worker = stage.start(["worker"], { ...settings, OUTDIAL_LOG_LEVEL: "info" });
    await worker.waitFor(/the worker runs/);
    const { api, url } = apiAt(port);
    await api.sequences.put(journeyDefinition("signed up", receiver.url));
    await api.triggers.put(triggerDefinition("signups", "signed up"));

    const sender = createSender(`${url}/v1/triggers/signups`, random);
    const hooks = createHooks(stage, url, random);
    const traffic = startTraffic(stage, sender, hooks);
    // What begins while something is away says so and ends; these have begun.
    await until("the first call", () => stage.sandbox.dialLog.length > 0);
    const spans: Span[] = [];
    for (const outage of outages) {
      await moreTaken(sender, server);
      traffic.outage(true);
      await outage.begin();
      const fromMs = Date.now();
      await new Promise((resolve) => {
        setTimeout(resolve, OUTAGE_MS);
      });
      spans.push({ what: outage.what, how: outage.how, fromMs, toMs: Date.now() });
      await outage.end();
      traffic.outage(false);
      await moreTaken(sender, server);
    }
    const phones = await traffic.stop();
    for (const span of spans) expectHonest(span, [...sender.answers, ...hooks.answers]);

    await untilAtRest(ledger, [worker, server], REST_BOUND_MS);
    expect(sender.taken.size).toBe(phones.length);
    await expectTakenOnce(ledger, sender, "signups");
    const ended = await endedEnrolments(ledger, "signed up");
    expect(ended.map(({ phone }) => phone).sort()).toEqual(phones);
    expect(new Set(ended.map(({ outcome }) => outcome))).toEqual(new Set(["through"]));
    await expectDeliveredOnce(ledger, receiver);
    await expectEveryDialOnce(stage, ledger);
    await expectHintsKept(ledger, hooks);
    await api.close();
    for (const one of [worker, server]) expect(await one.end(), one.stderr()).toBe(0);
  });
});

/** Waits until so many more were taken. */
async function moreTaken(sender: Sender, server: OutdialProcess): Promise<void> {
  const from = sender.taken.size + 5;
  try {
    await until("senders to be served", () => sender.taken.size >= from);
  } catch (error) {
    const last = JSON.stringify(sender.answers.slice(-5));
    throw new Error(`${String(error)}: ${last}\n${server.stdout().slice(-3_000)}${server.stderr()}`, {
      cause: error,
    });
  }
}

interface Traffic {
  /** One begins, or ends. */
  outage(begins: boolean): void;
  /** Resolves with everybody's number once all of them were taken. */
  stop(): Promise<string[]>;
}

/** One delivery after the other until it is stopped; each is sent until it is taken. */
function startTraffic(stage: Stage, sender: Sender, hooks: Hooks): Traffic {
  const phones: string[] = [];
  const underWay: Promise<void>[] = [];
  let isUnderWay = false;
  const timer = setInterval(() => {
    const waiting = phones.length - stage.sandbox.dialLog.counts().numbers;
    if (!isUnderWay && waiting >= WAITING_AT_MOST) return;
    const [phone = ""] = phoneNumbers(1, 850_000 + phones.length);
    phones.push(phone);
    underWay.push(sender.deliver(`signup ${phones.length}`, { phone, signup: String(phones.length) }));
    underWay.push(hooks.sendOne());
  }, SEND_EVERY_MS);
  return {
    outage(begins) {
      isUnderWay = begins;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      return phones.sort();
    },
  };
}

/** What was answered while something was away, from its first moment to its last. */
function expectHonest(span: Span, answers: readonly Answer[]): void {
  const during = answers.filter(({ startedMs, endedMs }) => startedMs > span.fromMs && endedMs < span.toMs);
  const statuses = new Set(during.map(({ status }) => status));
  if (span.what === "ledger") {
    // Nothing can be stored: whoever is answered is told to come back, and when.
    const untrue = during.filter(({ status, retryAfter }) =>
      status === 0 ? span.how === "refused" : status !== 503 || retryAfter === undefined,
    );
    expect(untrue, `while the ledger was away (${span.how})`).toEqual([]);
    if (span.how === "refused") expect(statuses).toEqual(new Set([503]));
  } else {
    expect(statuses, `while ${span.what} was away (${span.how})`).toContain(202);
    // 200: what was sent again, since its answer had come too late.
    expect([...statuses].filter((status) => status !== 202 && status !== 200)).toEqual([]);
  }
}

/** Each event that was acknowledged is kept; those of our calls found theirs. */
async function expectHintsKept(ledger: Ledger, hooks: Hooks): Promise<void> {
  let unfound: unknown[] = [];
  const kept = await until(
    "the events of our calls to find them",
    async () => {
      const hints = await rows<{ call_id: string; state: string; looks: number; due_at: string | null }>(
        ledger.db,
        sql`select h.call_id, h.state, h.looks, o.due_at::text from call_hints h
          left join outbox o on o.kind = 'call_hint' and o.subject = h.call_id`,
      );
      unfound = hints.filter(({ call_id, state }) => call_id !== FOREIGN_CALL && state !== "ours");
      return unfound.length === 0 && hints;
    },
    REST_BOUND_MS,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(unfound)}`, { cause: error });
  });
  const ids = new Set(kept.map(({ call_id }) => call_id));
  expect([...hooks.taken].filter((id) => !ids.has(id))).toEqual([]);
  expect(hooks.taken.size).toBeGreaterThan(2);
}

function shuffled<T>(random: () => number, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
