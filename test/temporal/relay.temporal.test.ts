import { Client, Connection } from "@temporalio/client";
import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";

import { rows } from "../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../src/ledger/ground/installation.ts";
import { countOutbox, putOutbox } from "../../src/ledger/ground/outbox.ts";
import { relayOf } from "../../src/chores/chores.ts";
import { readEnrolment } from "../../src/ledger/sequences/enrolments.ts";
import { overdueLooks } from "../../src/temporal/overdue.ts";
import { createRelayHandlers } from "../../src/temporal/relay-handlers.ts";
import { isAway } from "../../src/temporal/relay-row.ts";
import {
  batchWorkflowId,
  campaignWorkflowId,
  enrolmentWorkflowId,
  followUpWorkflowId,
} from "../../src/temporal/workflow-ids.ts";
import { END, enrolled, written } from "../ledger/support/enrolling.ts";
import { running } from "../ledger/support/scenario.ts";
import { startEngine, startTestCampaign, untilOver, type Engine } from "../support/engine.ts";
import { given, withLedger } from "../support/ledgers.ts";
import { phoneNumbers } from "../support/engine.ts";
import { until } from "../support/until.ts";

withLedger((ledger) => {
  const open = async (): Promise<Engine> => {
    const engine = await startEngine(ledger(), { bulkPerSecond: 200 });
    onTestFinished(() => engine.close());
    await engine.startWorkers();
    return engine;
  };
  const statusOf = async (engine: Engine, workflowId: string) => {
    try {
      return (await engine.client.workflow.getHandle(workflowId).describe()).status.name;
    } catch {
      return "NOT_FOUND";
    }
  };
  const untilRunning = (engine: Engine, workflowIds: readonly string[]) =>
    until("workflows to run", async () => {
      const statuses = await Promise.all(workflowIds.map((id) => statusOf(engine, id)));
      return statuses.every((status) => status === "RUNNING");
    });
  const untilHandedOn = () =>
    until("the outbox to be empty", async () => (await countOutbox(ledger().db)).length === 0);
  /** Nothing in them is due: they wait for their windows. */
  const waiting = (from: number) =>
    running(ledger(), phoneNumbers(1, from), { starts_at: "2099-01-01T00:00:00Z" }, Date.now());
  const overdueNow = (id: string) =>
    rows(ledger().db, sql`update campaigns set look_by = now() where id = ${id}::uuid`);

  it("brings back workflows that Temporal lost: one that was terminated, and all where its data is gone", async () => {
    const engine = await open();
    const ids = [await waiting(910_000), await waiting(910_010), await waiting(910_020)];
    const workflowIds = ids.map(campaignWorkflowId);
    for (const id of ids) await overdueNow(id);
    await untilRunning(engine, workflowIds);

    const [one = "", two = ""] = ids;
    await engine.client.workflow.getHandle(campaignWorkflowId(one)).terminate("by hand");
    await until(
      "the termination",
      async () => (await statusOf(engine, campaignWorkflowId(one))) !== "RUNNING",
    );
    await overdueNow(one);
    await untilRunning(engine, workflowIds);
    await until("all to have planned", async () => {
      const found = await rows(
        ledger().db,
        sql`select 1 as one from campaigns where next_look_at is null and ended_at is null`,
      );
      return found.length === 0;
    });

    for (const workflowId of workflowIds) {
      await engine.client.workflowService.deleteWorkflowExecution({
        namespace: engine.client.options.namespace,
        workflowExecution: { workflowId },
      });
    }
    await until("Temporal to have forgotten them", async () => {
      const statuses = await Promise.all(workflowIds.map((id) => statusOf(engine, id)));
      return statuses.every((status) => status === "NOT_FOUND");
    });
    // Nobody would look at the others for minutes: the first that is missed speaks for all.
    await overdueNow(two);
    await untilRunning(engine, workflowIds);
  });

  it("holds dialing where a workflow has ended and the ledger says that its campaign, batch or follow-up goes on", async () => {
    const engine = await open();
    const campaignId = await startTestCampaign(engine, phoneNumbers(1, 930_000), {
      follow_ups: [{ id: "tag", actions: [{ tag: { tag: "called" } }] }],
    });
    await untilOver(engine, campaignId);
    const [batch] = await rows<{ id: string }>(
      ledger().db,
      sql`select id from batches where campaign_id = ${campaignId}::uuid and state = 'settled'`,
    );
    const [followUp] = await until("the follow-up to be over", async () => {
      const found = await rows<{ id: string }>(
        ledger().db,
        sql`select id from follow_ups where campaign_id = ${campaignId}::uuid and ended_at is not null`,
      );
      return found.length > 0 && found;
    });
    const batchId = given(batch).id;
    const followUpId = given(followUp).id;
    for (const id of [
      campaignWorkflowId(campaignId),
      batchWorkflowId(batchId),
      followUpWorkflowId(followUpId),
    ])
      await until("its workflow to have ended", async () => (await statusOf(engine, id)) === "COMPLETED");
    await untilHandedOn();
    await engine.stopWorkers();
    const { client, deps } = engine;
    const relay = relayOf(deps, client);
    onTestFinished(() => relay.stop());
    const looks = (inMs: number) =>
      overdueLooks({
        client,
        ledger: ledger(),
        log: deps.log,
        kick: () => relay.kick(),
        now: () => Date.now() + inMs,
      }).look();
    const held = async () => (await readInstallation(ledger().db)).recoveryReason;
    const goneOn = [
      ["campaign", campaignId, sql`campaigns`, sql`state = 'running', ended_at = null`],
      ["batch", batchId, sql`batches`, sql`state = 'running', settled_at = null`],
      ["follow-up", followUpId, sql`follow_ups`, sql`state = 'acting', ended_at = null`],
    ] as const;
    for (const [what, id, table, change] of goneOn) {
      const overdue = sql`update ${table} set ${change}, look_by = now() where id = ${id}::uuid`;
      const before = sql`update ${table} set look_by = null, ended_at = now() where id = ${id}::uuid`;
      if (what === "follow-up") {
        // It may have ended while it was looked at; and what waits to be told says nothing.
        await rows(ledger().db, overdue);
        await ledger().transaction((tx) =>
          putOutbox(tx, [{ kind: "follow_up", subject: id, dueAtMs: Date.now() + 3_600_000 }]),
        );
        await looks(120_000);
        expect(await held()).toBeUndefined();
        await rows(ledger().db, sql`delete from outbox`);
      }
      await rows(ledger().db, overdue);
      // The ledger rounds its clock to the millisecond, up as well.
      await looks(what === "follow-up" ? 120_000 : 1_000);
      expect(await until("it to be noticed", held)).toContain(`${what} ${id}`);
      await rows(ledger().db, sql`delete from outbox`);
      await rows(ledger().db, sql`update installation set recovery_reason = null`);
      if (what !== "batch") await rows(ledger().db, before);
      else await rows(ledger().db, sql`update batches set state = 'settled', look_by = null`);
    }
  });

  it("leaves people who sleep to the ledger, wakes them when their time comes, and has workflows try what is to be tried", async () => {
    const engine = await open();
    const sequence = await written(ledger(), [
      { id: "sleep", wait: { for: "3s" } },
      { id: "tag", webhook: { url: "https://192.0.2.1/hook" }, on: { failed: "end", done: "end" } },
      END,
    ]);
    const [phone = ""] = phoneNumbers(1, 940_000);
    const id = await enrolled(ledger(), sequence.name, { phone, nowMs: Date.now() });
    engine.deps.outbox.kick();
    const enrolment = () => readEnrolment(ledger().db, id);
    await until("it to sleep", async () => (await enrolment())?.wakeAtMs !== undefined);
    expect(await statusOf(engine, enrolmentWorkflowId(id))).toBe("NOT_FOUND");
    await untilRunning(engine, [enrolmentWorkflowId(id)]);
    expect((await enrolment())?.step).toBe("tag");
  });

  it("starts nothing for an enrolment that is not there, or over", async () => {
    const engine = await open();
    const nobody = "00000000-0000-4000-8000-00000000dead";
    await ledger().transaction((tx) =>
      putOutbox(tx, [{ kind: "enrolment", subject: nobody, dueAtMs: Date.now() }]),
    );
    engine.deps.outbox.kick();
    await until("the row to be worked off", async () => (await countOutbox(ledger().db)).length === 0);
    expect(await statusOf(engine, enrolmentWorkflowId(nobody))).toBe("NOT_FOUND");
    expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
  });

  it("keeps a campaign's wake-up that did not reach its workflow", async () => {
    const engine = await startEngine(ledger());
    onTestFinished(() => engine.close());
    const id = await running(ledger(), phoneNumbers(1, 920_000), {}, Date.now());
    let isCut = true;
    const { connection, options } = engine.client;
    const client = new Client({
      connection,
      namespace: options.namespace,
      interceptors: {
        workflow: [
          {
            signal(input, next) {
              if (isCut) return Promise.reject(new Error("the connection was cut"));
              return next(input);
            },
          },
        ],
      },
    });
    const handlers = createRelayHandlers({
      client,
      ledger: ledger(),
      maskPhone: (phone) => phone,
      takeDelivery: async () => {},
      lookAtCall: async () => {},
      keepOnPlatform: async () => {},
      takeTurn: () => Promise.resolve({ next: "done" }),
      paceStart: async () => {},
      log: engine.deps.log,
      now: Date.now,
    });
    // The first starts its workflow, which looks by itself; whoever comes later has to reach it.
    await handlers.campaign(id);
    await expect(handlers.campaign(id)).rejects.toThrow("the connection was cut");
    isCut = false;
    await handlers.campaign(id);
    const { events } = await engine.client.workflow.getHandle(campaignWorkflowId(id)).fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionSignaledEventAttributes)).toHaveLength(1);
  });

  it("takes the turns of people in sequences although Temporal is away, and asks it for none of them in vain", async () => {
    const connection = Connection.lazy({ address: "127.0.0.1:9", interceptors: [] });
    onTestFinished(() => connection.close());
    let nowMs = Date.now();
    const turns: string[] = [];
    const sequence = await written(ledger(), [
      { id: "tag", webhook: { url: "https://192.0.2.1/hook" } },
      END,
    ]);
    const ids: string[] = [];
    for (const phone of phoneNumbers(3, 960_000))
      ids.push(await enrolled(ledger(), sequence.name, { phone, nowMs }));
    let asked = 0;
    const client = new Client({ connection });
    const handlers = createRelayHandlers({
      client: new Proxy(client, {
        get(target, name) {
          if (name === "withDeadline") asked += 1;
          const value: unknown = Reflect.get(target, name);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
      ledger: ledger(),
      maskPhone: (phone) => phone,
      takeDelivery: async () => {},
      lookAtCall: async () => {},
      keepOnPlatform: async () => {},
      takeTurn: async (id) => {
        turns.push(id);
        return { next: "act", actionId: "any", isAwaited: true };
      },
      paceStart: async () => {},
      log: { info() {}, warn() {}, error() {} },
      now: () => nowMs,
    });
    const again = [];
    for (const id of ids) again.push(await handlers.enrolment(id));
    expect(turns).toEqual(ids);
    expect(asked).toBe(1);
    // Thousands don't come back at once: each costs a turn.
    expect(again).toEqual([0, 100, 200].map((apartMs) => ({ againAtMs: nowMs + 5_000 + apartMs })));
    for (let put = 3; put < 600; put += 1) await handlers.enrolment(ids[0] ?? "");
    expect(await handlers.enrolment(ids[0] ?? "")).toEqual({ againAtMs: nowMs + 5_000 });
    expect(asked).toBe(1);
    nowMs += 5_000;
    await handlers.enrolment(ids[0] ?? "");
    expect(asked).toBe(2);
    // A clock that was an hour ahead, and is set right, keeps nobody waiting until it is there again.
    nowMs -= 3_600_000;
    await handlers.enrolment(ids[0] ?? "");
    expect(asked).toBe(3);
  });

  it("tells a Temporal that is away from a row that is wrong", async () => {
    const connection = Connection.lazy({ address: "127.0.0.1:9", interceptors: [] });
    onTestFinished(() => connection.close());
    const handlers = createRelayHandlers({
      client: new Client({ connection }),
      ledger: ledger(),
      maskPhone: (phone) => phone,
      takeDelivery: async () => {},
      lookAtCall: async () => {},
      keepOnPlatform: async () => {},
      takeTurn: () => Promise.resolve({ next: "done" }),
      paceStart: async () => {},
      log: { info() {}, warn() {}, error() {} },
      now: Date.now,
    });
    const id = await running(ledger(), phoneNumbers(1, 950_000), {}, Date.now());
    const error: unknown = await handlers.campaign(id).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    expect(isAway(error)).toBe(true);
    expect(isAway(new TypeError("x is not a function"))).toBe(false);
  });
});
