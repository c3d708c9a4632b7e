import { Client, Connection } from "@temporalio/client";
import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";

import { rows } from "../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../src/ledger/ground/installation.ts";
import { countOutbox, putOutbox } from "../../src/ledger/ground/outbox.ts";
import { createLostWorkflows } from "../../src/temporal/lost-workflows.ts";
import { createRelayHandlers } from "../../src/temporal/relay-handlers.ts";
import { isAway } from "../../src/temporal/relay-row.ts";
import {
  campaignWorkflowId,
  enrolmentWorkflowId,
  followUpWorkflowId,
} from "../../src/temporal/workflow-ids.ts";
import { enrolled, written } from "../ledger/support/enrolling.ts";
import { answered } from "../ledger/support/follow-up-scenario.ts";
import { running } from "../ledger/support/scenario.ts";
import { startEngine, type Engine } from "../support/engine.ts";
import { withLedger } from "../support/ledgers.ts";
import { phoneNumbers } from "../support/engine.ts";
import { until } from "../support/until.ts";

withLedger((ledger) => {
  const open = async (): Promise<Engine> => {
    const engine = await startEngine(ledger(), { bulkPerSecond: 200 });
    onTestFinished(() => engine.close());
    await engine.startWorkers();
    return engine;
  };
  const statusOf = async (engine: Engine, id: string) => {
    try {
      return (await engine.client.workflow.getHandle(enrolmentWorkflowId(id)).describe()).status.name;
    } catch {
      return "NOT_FOUND";
    }
  };
  const untilAsleep = (engine: Engine, ids: readonly string[]) =>
    until("everybody to be asleep", async () => {
      const waiting = await countOutbox(engine.ledger.db);
      const running = await Promise.all(ids.map((id) => statusOf(engine, id)));
      return waiting.length === 0 && running.every((status) => status === "RUNNING");
    });

  it("brings back workflows that Temporal lost: one that was terminated, and all where its data is gone", async () => {
    const engine = await open();
    const sequence = await written(ledger(), [{ id: "sleep", wait: { for: "30d" } }]);
    const ids: string[] = [];
    for (const phone of phoneNumbers(6, 910_000))
      ids.push(await enrolled(ledger(), sequence.name, { phone, nowMs: Date.now() }));
    engine.deps.outbox.kick();
    await untilAsleep(engine, ids);
    const lost = createLostWorkflows({ client: engine.client, ledger: ledger(), log: engine.deps.log });
    expect(await lost.pass()).toBe(0);

    const [one = ""] = ids;
    await engine.client.workflow.getHandle(enrolmentWorkflowId(one)).terminate("by hand");
    expect(await lost.pass()).toBe(1);
    engine.deps.outbox.kick();
    await untilAsleep(engine, ids);

    for (const id of ids) {
      await engine.client.workflowService.deleteWorkflowExecution({
        namespace: engine.client.options.namespace,
        workflowExecution: { workflowId: enrolmentWorkflowId(id) },
      });
    }
    await until("Temporal to have forgotten them", async () => {
      const statuses = await Promise.all(ids.map((id) => statusOf(engine, id)));
      return statuses.every((status) => status === "NOT_FOUND");
    });
    expect(await lost.pass()).toBe(6);
    // While they wait to be started again, nobody asks after them again.
    expect(await lost.pass()).toBe(0);
    engine.deps.outbox.kick();
    await untilAsleep(engine, ids);
    expect(await lost.pass()).toBe(0);
  });

  it("holds dialing where a workflow has ended and the ledger says that its enrolment or follow-up goes on", async () => {
    const engine = await open();
    const sequence = await written(ledger(), [{ id: "end", exit: { outcome: "over" } }]);
    const [phone = ""] = phoneNumbers(1, 930_000);
    const enrolmentId = await enrolled(ledger(), sequence.name, { phone, nowMs: Date.now() });
    engine.deps.outbox.kick();
    await until("it to be over", async () => (await statusOf(engine, enrolmentId)) === "COMPLETED");
    const followUpId = await answered(ledger(), {});
    engine.deps.outbox.kick();
    const following = engine.client.workflow.getHandle(followUpWorkflowId(followUpId));
    await until("the follow-up to be over", async () => {
      if ((await countOutbox(ledger().db)).length > 0) return false;
      return (await following.describe()).status.name === "COMPLETED";
    });
    await engine.stopWorkers();
    const over = [
      sql`update enrolments set state = 'done', ended_at = now() where state = 'active'`,
      sql`update follow_ups set state = 'done', ended_at = now() where ended_at is null`,
    ];
    for (const statement of over) await rows(ledger().db, statement);
    const openAgain = {
      enrolment: sql`update enrolments set state = 'active', ended_at = null where id = ${enrolmentId}::uuid`,
      "follow-up": sql`update follow_ups set state = 'acting', ended_at = null where id = ${followUpId}::uuid`,
    };
    const inAWhile = () => Date.now() + 120_000;
    const held = async () => (await readInstallation(ledger().db)).recoveryReason;
    for (const [what, statement] of Object.entries(openAgain)) {
      await rows(ledger().db, sql`delete from outbox`);
      await rows(ledger().db, statement);
      const input = { client: engine.client, ledger: ledger(), log: engine.deps.log };
      // It may have ended while the ledger was read.
      expect(await createLostWorkflows(input).pass()).toBe(1);
      expect(await held()).toBeUndefined();
      // What waits to be started again says nothing.
      expect(await createLostWorkflows(input, inAWhile).pass()).toBe(0);
      expect(await held()).toBeUndefined();
      await rows(ledger().db, sql`delete from outbox`);
      expect(await createLostWorkflows(input, inAWhile).pass()).toBe(1);
      expect(await held()).toContain(what);
      await rows(ledger().db, sql`update installation set recovery_reason = null`);
      for (const end of over) await rows(ledger().db, end);
    }
    // Due by the clock that is ahead.
    await rows(ledger().db, sql`delete from outbox`);
  });

  it("starts nothing for an enrolment that is not there, or over", async () => {
    const engine = await open();
    const nobody = "00000000-0000-4000-8000-00000000dead";
    await ledger().transaction((tx) =>
      putOutbox(tx, [{ kind: "enrolment", subject: nobody, dueAtMs: Date.now() }]),
    );
    engine.deps.outbox.kick();
    await until("the row to be worked off", async () => (await countOutbox(ledger().db)).length === 0);
    expect(await statusOf(engine, nobody)).toBe("NOT_FOUND");
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
    });
    // The first starts its workflow, which looks by itself; whoever comes later has to reach it.
    await handlers.campaign(id);
    await expect(handlers.campaign(id)).rejects.toThrow("the connection was cut");
    isCut = false;
    await handlers.campaign(id);
    const { events } = await engine.client.workflow.getHandle(campaignWorkflowId(id)).fetchHistory();
    expect(events?.filter((event) => event.workflowExecutionSignaledEventAttributes)).toHaveLength(1);
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
    });
    const error: unknown = await handlers.enrolment("00000000-0000-4000-8000-00000000dead").then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    expect(isAway(error)).toBe(true);
    expect(isAway(new TypeError("x is not a function"))).toBe(false);
  });
});
