import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";

import { haltBatches } from "../../../src/activities/campaigns/halt-batches.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { tendBatch } from "../../../src/activities/campaigns/tend-batch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readInstallation, stopEverything } from "../../../src/ledger/ground/installation.ts";
import { openPostgresLedger } from "../../../src/ledger/ground/postgres.ts";
import { createStopKeeper } from "../../../src/chores/campaigns/stop-keeping.ts";
import { openApi, type TestApi } from "../../http/support.ts";
import { openPhones, running, tell } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { given } from "../../support/ledgers.ts";
import { createDatabase, LEDGER_TEMPLATE } from "../../support/postgres.ts";
import { startTcpProxy } from "../../support/tcp-proxy.ts";
import { beginOne, openStepping, planSome, type Stepping } from "../../support/stepping.ts";
import { until } from "../../support/until.ts";

/*
 * Stopping everything while others hold what a stop would like to have: rows of campaigns, all connections of the
 * process, the platform's time. Temporal is away throughout, and no worker runs.
 */

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };

const CONNECTIONS = 4;

/** The promise of `stop-all`, whatever is stuck. */
const ANSWERS_WITHIN_MS = 5_000;

const STOP = { actor: "test", reason: "wrong list", nowMs: Date.now() };

/** Another session, which takes locks and keeps them until it is told. */
interface Holder {
  lock(statement: string): Promise<void>;
  letGo(): Promise<void>;
}

describe.skipIf(inject("postgresUrl") === undefined)("stop-all on PostgreSQL", () => {
  let url: string;
  let ledger: Ledger;
  let stepping: Stepping;
  let deps: ActivityDeps;
  let api: TestApi;
  const holders: pg.Client[] = [];
  let from = 400_000;

  beforeAll(async () => {
    stepping = await openStepping();
  });
  // A stop is of everything: each test has its own.
  beforeEach(async () => {
    url = await createDatabase(given(inject("postgresUrl")), { template: LEDGER_TEMPLATE });
    ledger = await openPostgresLedger({ url, maxConnections: CONNECTIONS });
    deps = stepping.depsOf(ledger);
  });
  afterEach(async () => {
    stepping.sandbox.faults.clear();
    for (const client of holders.splice(0)) await client.end();
    await ledger.close();
  });
  afterAll(() => stepping.close());

  const openHere = async () => {
    api = await openApi(ledger, {
      platform: stepping.platform,
      haltBatches: (batchIds, bounds) => haltBatches(deps, batchIds, bounds),
    });
    api.temporal.away = true;
    return api;
  };
  const holder = async (): Promise<Holder> => {
    const client = new pg.Client({ connectionString: url });
    holders.push(client);
    await client.connect();
    await client.query("begin");
    return {
      lock: async (statement) => void (await client.query(statement)),
      letGo: async () => void (await client.query("rollback")),
    };
  };
  const lockCampaignRow = async (campaignId: string) => {
    const held = await holder();
    await held.lock(`select 1 from campaigns where id = '${campaignId}' for update`);
    return held;
  };
  const people = (count: number) => {
    const phones = phoneNumbers(count, (from += 1_000));
    for (const phone of phones)
      stepping.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 10_000_000 }]);
    return phones;
  };
  /** A campaign whose batch is dialing: one call up, others to come. */
  const dialing = async () => {
    const campaignId = await running(ledger, people(4), { ...SPEC, concurrency: 1 }, Date.now());
    const batchId = await beginOne(deps, campaignId);
    await until("the batch to be seen to run", async () => {
      await tendBatch(deps, { batchId, lastStep: "tend" });
      return (await readBatch(ledger.db, batchId))?.state === "running";
    });
    return { campaignId, batchId };
  };
  /** A campaign whose batch waits for its start. */
  const created = async () => {
    const campaignId = await running(ledger, people(4), { ...SPEC, concurrency: 1 }, Date.now());
    const batchId = given((await planSome(deps, campaignId))[0]);
    await createBatch(deps, { batchId });
    return { campaignId, batchId };
  };
  const platformStatus = async (batchId: string) => {
    const batch = given(await readBatch(ledger.db, batchId));
    return (await stepping.platform.batchCalls.get(given(batch.platformBatchId))).status;
  };
  const stopAll = () =>
    api.app.inject({ method: "POST", url: "/v1/stop-all", payload: { reason: "wrong list" } });
  /** Its answer, held to what it promises. */
  const stopAllInTime = async () => {
    const beganMs = performance.now();
    const answer = await stopAll();
    expect(performance.now() - beganMs).toBeLessThan(ANSWERS_WITHIN_MS);
    return answer;
  };
  /** Batches that are under way like this one, each with one call up, of which the platform knows nothing. */
  const likeIt = async (batchId: string, count: number) => {
    await rows(
      ledger.db,
      sql`insert into batches select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(),
            'platform_batch_id', 'none-' || n, 'size', 1, 'start_sent_at', b.start_sent_at - n * interval '1 second'))).*
          from batches b, generate_series(1, ${count}::int) n where b.id = ${batchId}::uuid`,
    );
    await rows(
      ledger.db,
      sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, planned_at)
          select b.campaign_id, (select min(a.contact_id) from attempts a where a.batch_id = ${batchId}::uuid),
            row_number() over () + 100, '+1202' || lpad((5000000 + row_number() over ())::text, 7, '0'), b.id, 1, 'open', now()
          from batches b where b.platform_batch_id like 'none-%'`,
    );
  };
  const goOn = () => api.app.inject({ method: "POST", url: "/v1/go-on", payload: { reason: "corrected" } });
  const starts = () => stepping.sandbox.dialLog.length;
  const openOf = async (batchId: string) => (await openPhones(ledger, batchId)).length;
  /** Statements of this database that wait for somebody's lock. */
  const waitingForLocks = async () => {
    const found = await rows<{ n: number }>(
      ledger.urgent.db,
      sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return given(found[0]).n;
  };

  it("stops every campaign while the rows of half of them are held, and permits no start in any", async () => {
    await openHere();
    const free = [await dialing(), await dialing()];
    const held = [await dialing(), await dialing()];
    const waiting = await created();
    const locks = [];
    for (const { campaignId } of [...held, waiting]) locks.push(await lockCampaignRow(campaignId));

    const answer = await stopAllInTime();

    expect(answer.statusCode, answer.body).toBe(200);
    const body = answer.json<{ in_flight: object; waiting: { campaign_id: string }[] }>();
    expect(body).toMatchObject({ stopped: true, in_flight: { batches: 4, calls_up: 4, uncertain: 0 } });
    expect(new Set(body.waiting.map((one) => one.campaign_id))).toEqual(
      new Set([...held, waiting].map(({ campaignId }) => campaignId)),
    );
    for (const { batchId } of [...free, ...held]) expect(await platformStatus(batchId)).toBe("paused");
    for (const { batchId } of free)
      expect((await readBatch(ledger.db, batchId))?.stopReason).toBe("stop_all");
    const dialed = starts();
    // Its start was on its way to the row when the stop came.
    const starting = startBatch(deps, { batchId: waiting.batchId });
    for (const lock of locks) await lock.letGo();
    expect(await starting).toMatchObject({ next: "tend" });
    expect(await readBatch(ledger.db, waiting.batchId)).toMatchObject({
      stopReason: "stop_all",
      startSentAtMs: undefined,
    });
    expect(starts()).toBe(dialed);
    expect((await goOn()).json()).toMatchObject({ was_stopped: true });
  });

  it("answers in time with half of the rows held, hundreds of batches unseen, attempts locked and the platform silent", async () => {
    await openHere();
    const free = await dialing();
    const held = await dialing();
    const waiting = [await created(), await created()];
    await likeIt(free.batchId, 300);
    for (const route of ["pause", "cancel"])
      stepping.sandbox.faults.add({
        kind: "latency",
        route: `POST /v1/batch-calls/:id/${route}`,
        ms: 30_000,
      });
    const locks = [
      await lockCampaignRow(held.campaignId),
      await lockCampaignRow(given(waiting[0]).campaignId),
      await holder(),
    ];
    await locks[2]?.lock("lock table attempts in access exclusive mode");
    const dialed = starts();

    const answer = await stopAllInTime();

    expect(answer.statusCode, answer.body).toBe(200);
    const body = answer.json<{ in_flight: { batches: number; uncertain: number } }>();
    expect(body).toMatchObject({ stopped: true, in_flight: { batches: 302, calls_up: 0 } });
    // Whom it can't count it takes for as many as there may be.
    expect(body.in_flight.uncertain).toBeGreaterThanOrEqual(302);
    for (const lock of locks) await lock.letGo();
    for (const { batchId } of waiting) {
      expect(await startBatch(deps, { batchId })).toMatchObject({ next: "tend" });
      expect((await readBatch(ledger.db, batchId))?.startSentAtMs).toBeUndefined();
    }
    expect(starts()).toBe(dialed);
    // With its attempts to be read it says exactly whom it could not see.
    const again = (await stopAllInTime()).json<{ in_flight: { uncertain: number } }>();
    expect(again.in_flight.uncertain).toBe(300 + (await openOf(free.batchId)) + (await openOf(held.batchId)));
  });

  it("says in time that it could not be written down where the ledger says nothing", async () => {
    const proxy = await startTcpProxy(url);
    const silent = await openPostgresLedger({ url: proxy.through(url), maxConnections: CONNECTIONS });
    try {
      api = await openApi(silent, { platform: stepping.platform });
      await rows(silent.urgent.db, sql`select 1`);
      await proxy.cut("silent");
      const answer = await stopAllInTime();
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ code: "ledger_unavailable" });
    } finally {
      await proxy.mend();
      await silent.close();
      await proxy.close();
    }
  });

  it("does not stand in line behind a process whose connections all wait for rows that somebody holds", async () => {
    await openHere();
    const { campaignId, batchId } = await dialing();
    const lock = await lockCampaignRow(campaignId);
    const pausing = Array.from({ length: CONNECTIONS }, () => tell(ledger, "pause", campaignId));
    await until("all connections to wait", async () => (await waitingForLocks()) === CONNECTIONS);
    const answer = await stopAll();
    expect(answer.json()).toMatchObject({ stopped: true, in_flight: { batches: 1, uncertain: 0 } });
    expect(await waitingForLocks()).toBe(CONNECTIONS);
    await lock.letGo();
    expect(await platformStatus(batchId)).toBe("paused");
    await Promise.all(pausing);
  });

  it("refuses the start that was being permitted while it was written down", async () => {
    await openHere();
    const { batchId } = await created();
    // Past the reading of the stop, short of the commit.
    const lock = await holder();
    await lock.lock(`select 1 from batches where id = '${batchId}' for update`);
    const starting = startBatch(deps, { batchId });
    await until("the permission to wait for its row", async () => (await waitingForLocks()) === 1);
    expect((await stopAll()).statusCode).toBe(200);
    const dialed = starts();
    await lock.letGo();
    expect(await starting).toMatchObject({ next: "start" });
    expect(await readBatch(ledger.db, batchId)).toMatchObject({ state: "created", startSentAtMs: undefined });
    expect(await startBatch(deps, { batchId })).toMatchObject({ next: "tend" });
    expect(await readBatch(ledger.db, batchId)).toMatchObject({ stopReason: "stop_all" });
    expect(starts()).toBe(dialed);
  });

  it("is read by the tending of a batch, which pauses it before it waits for its campaign's row", async () => {
    const { campaignId, batchId } = await dialing();
    await ledger.transaction((tx) => stopEverything(tx, STOP));
    const lock = await lockCampaignRow(campaignId);
    const tending = tendBatch(deps, { batchId, lastStep: "tend" });
    await until("it to be paused", async () => (await platformStatus(batchId)) === "paused");
    await lock.letGo();
    await tending;
    expect(await readBatch(ledger.db, batchId)).toMatchObject({ state: "draining", stopReason: "stop_all" });
  });

  it("pauses a batch whose start was answered to a worker that is dead", async () => {
    await openHere();
    const { batchId } = await created();
    stepping.sandbox.faults.add({ kind: "drop_after", route: "POST /v1/batch-calls/:id/start", times: 1 });
    await startBatch(deps, { batchId });
    expect((await readBatch(ledger.db, batchId))?.state).toBe("starting");
    await until("it to dial", async () => (await platformStatus(batchId)) === "running");
    expect((await stopAll()).json()).toMatchObject({ in_flight: { batches: 1, uncertain: 0 } });
    expect(await platformStatus(batchId)).toBe("paused");
  });

  it("answers while the platform does not, tells what it could not see, and goes on until it has", async () => {
    await openHere();
    const one = await dialing();
    const other = await dialing();
    for (const route of ["pause", "cancel"])
      stepping.sandbox.faults.add({
        kind: "latency",
        route: `POST /v1/batch-calls/:id/${route}`,
        ms: 30_000,
      });

    const body = (await stopAllInTime()).json<{ in_flight: { batches: number; uncertain: number } }>();

    expect(body).toMatchObject({ stopped: true, waiting: [], in_flight: { batches: 2, calls_up: 0 } });
    // Whoever is open in both: it could not be seen of any that no call to them begins.
    expect(body.in_flight.uncertain).toBe((await openOf(one.batchId)) + (await openOf(other.batchId)));
    for (const { batchId } of [one, other]) expect(await platformStatus(batchId)).toBe("running");
    const keeper = createStopKeeper(deps);
    stepping.sandbox.faults.clear();
    expect(await keeper.pass()).toBe(0);
    for (const { batchId } of [one, other])
      expect(["paused", "cancelled"]).toContain(await platformStatus(batchId));
  });

  it("is carried out on campaigns that somebody held once they are free, by any process, until it is lifted", async () => {
    await openHere();
    const held = await dialing();
    const later = await created();
    const locks = [await lockCampaignRow(held.campaignId), await lockCampaignRow(later.campaignId)];
    expect((await stopAll()).json<{ waiting: object[] }>().waiting).toHaveLength(2);
    const keeper = createStopKeeper({ ...deps });
    expect(await keeper.pass()).toBe(2);
    await locks[0]?.letGo();
    expect(await keeper.pass()).toBe(1);
    expect(await readBatch(ledger.db, held.batchId)).toMatchObject({ stopReason: "stop_all" });
    // Another process leaves it to the one that has it in hand.
    expect(await createStopKeeper(deps).pass()).toBe(0);
    await goOn();
    await locks[1]?.letGo();
    expect(await keeper.pass()).toBe(0);
    expect(await readBatch(ledger.db, later.batchId)).toMatchObject({
      state: "created",
      stopReason: undefined,
    });
    expect(await startBatch(deps, { batchId: later.batchId })).toMatchObject({ next: "tend" });
    expect((await readBatch(ledger.db, later.batchId))?.startSentAtMs).toBeDefined();
  });

  it("is written down while a planning that met a restored ledger waits for something else", async () => {
    await openHere();
    const campaignId = await running(ledger, people(2), SPEC, Date.now());
    const lock = await holder();
    await lock.lock("lock table holds in exclusive mode");
    const planning = planBatch(deps, { campaignId, seenPlannings: 1_000_000 });
    await until("planning to wait", async () => (await waitingForLocks()) === 1);
    expect((await stopAll()).statusCode).toBe(200);
    await lock.letGo();
    await planning;
    expect(await readInstallation(ledger.db)).toMatchObject({
      stopped: { reason: "wrong list" },
      recoveryReason: expect.stringContaining("older"),
    });
  });

  it("has its sibling in a suppression: a campaign that somebody holds keeps no other from being stopped", async () => {
    await openHere();
    const held = await dialing();
    const free = await dialing();
    const entries = await Promise.all(
      [held, free].map(async ({ batchId }) => {
        const phone = given((await openPhones(ledger, batchId)).at(-1));
        return { phone, reason: "asked" };
      }),
    );
    const lock = await lockCampaignRow(held.campaignId);
    const answer = await api.app.inject({
      method: "POST",
      url: "/v1/suppressions",
      payload: { entries },
    });
    expect(answer.json(), answer.body).toMatchObject({
      added: 2,
      stopped_batches: 2,
      in_flight: { batches: 2, uncertain: 0 },
    });
    for (const { batchId } of [held, free]) expect(await platformStatus(batchId)).toBe("paused");
    expect((await readBatch(ledger.db, free.batchId))?.stopReason).toBe("suppression");
    await lock.letGo();
    // The next look at it, whoever takes it, finds what was not written down.
    await tendBatch(deps, { batchId: held.batchId, lastStep: "tend" });
    expect((await readBatch(ledger.db, held.batchId))?.stopReason).toBeDefined();
  });
});
