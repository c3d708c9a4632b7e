import { Client, Connection } from "@temporalio/client";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { randomUUID } from "node:crypto";

import { listUnsettled } from "../../src/ledger/campaigns/batches.ts";
import { connectClients } from "../../src/temporal/connection.ts";
import { hasSearchAttributes, searchAttributesInterceptor } from "../../src/temporal/search-attributes.ts";
import { SEARCH_ATTRIBUTES } from "../../src/temporal/search-attribute-keys.ts";
import { batchWorkflowId, campaignWorkflowId } from "../../src/temporal/workflow-ids.ts";
import { phoneNumbers, startEngine, startTestCampaign, tell, type Engine } from "../support/engine.ts";
import { withLedger } from "../support/ledgers.ts";
import { until } from "../support/until.ts";

/** As the Temporal CLI would: the namespace is of whoever runs the server. */
async function register(connection: Connection, namespace: string): Promise<void> {
  // 2: a keyword.
  const keywords = Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, 2]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: keywords });
  await until("the namespace to know them", () => hasSearchAttributes(connection, namespace));
}

async function takeOut(connection: Connection, namespace: string): Promise<void> {
  const searchAttributes = [...SEARCH_ATTRIBUTES];
  await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes });
  await until("it to be gone", async () => !(await hasSearchAttributes(connection, namespace)));
}

describe("what workflows are found by", () => {
  withLedger((ledger) => {
    const found = async ({ client }: Engine, query: string) => {
      const ids: string[] = [];
      for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
      return ids.toSorted();
    };

    it("is the name and brand of a campaign and its batches, and how the campaign stands", async () => {
      const engine = await startEngine(ledger(), { speed: 50 });
      onTestFinished(() => engine.close());
      const { connection } = engine.client;
      if (!(connection instanceof Connection)) throw new Error("the engine's client has another connection");
      await register(connection, engine.client.options.namespace);
      await engine.startWorkers();
      const phones = phoneNumbers(4, 780_000);
      for (const phone of phones)
        engine.sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 100_000_000 }]);
      const name = "Spring sale 2026";
      const id = await startTestCampaign(engine, phones, { name, concurrency: 3 });
      const [batch] = await until("a batch", async () => {
        const batches = await listUnsettled(ledger().db, id);
        return batches.some(({ state }) => state === "running") && batches;
      });
      const both = [batchWorkflowId(batch?.id ?? ""), campaignWorkflowId(id)].toSorted();
      const byName = `OutdialName = '${name}' AND OutdialBrand = 'default'`;
      // What the web UI lists is written a moment after what it is about.
      await until("both to be listed", async () => {
        const ids = await found(engine, byName);
        return both.every((one) => ids.includes(one));
      });

      const other = await startTestCampaign(engine, phoneNumbers(1, 790_000), {
        starts_at: "2099-01-01T00:00:00Z",
      });
      const inState = (state: string) =>
        until(`it to be listed as ${state}`, async () =>
          (await found(engine, `OutdialState = '${state}'`)).includes(campaignWorkflowId(other)),
        );
      await inState("running");
      await tell(engine, other, "pause");
      await inState("paused");
      expect(await found(engine, "OutdialState = 'running'")).toEqual([campaignWorkflowId(id)]);
      // Whoever takes them out stops what carries them, and nothing of it is lost: it goes on once they are back.
      const { namespace } = engine.client.options;
      await takeOut(connection, namespace);
      await tell(engine, other, "cancel");
      const handle = engine.client.workflow.getHandle(campaignWorkflowId(other));
      await until("its workflow to be refused", async () => {
        const { events } = await handle.fetchHistory();
        return events?.some(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes);
      });
      await register(connection, namespace);
      await inState("cancelled");
      expect((await handle.describe()).status.name).toBe("COMPLETED");
    });
  });

  describe("where the namespace does not know them", () => {
    let connection: Connection;
    let close: () => Promise<void>;
    const namespace = `test-${randomUUID()}`;
    const start = (by: Client) => {
      const workflowId = `found-${randomUUID()}`;
      const workflow = { taskQueue: "nobody", workflowId, memo: { name: "summer", person: "+12***01" } };
      return by.workflow.start("any", { ...workflow, args: [] });
    };
    beforeAll(async () => {
      ({ connection, close } = await connectClients({ address: inject("temporalAddress") }));
      await connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
      });
      await until("the namespace", () =>
        hasSearchAttributes(connection, namespace).then(
          () => true,
          () => false,
        ),
      );
    });
    afterAll(() => close());

    it("is left out where that can't be learned, and no start waits for it more than once in a minute", async () => {
      let nowMs = 0;
      let asked = 0;
      const mute = new Proxy(connection, {
        get(target, name) {
          if (name !== "withDeadline") return Reflect.get(target, name) as unknown;
          asked += 1;
          return () => Promise.reject(new Error("what lists workflows is away"));
        },
      });
      const workflow = [searchAttributesInterceptor(mute, namespace, () => nowMs)];
      const by = new Client({ connection, namespace, interceptors: { workflow } });
      await start(by);
      await start(by);
      expect(asked).toBe(1);
      nowMs += 60_000;
      await start(by);
      expect(asked).toBe(2);
      // Of a clock that was ahead and is set right.
      nowMs -= 3_600_000;
      await start(by);
      expect(asked).toBe(3);
    });

    it("is left out, and asked for again when somebody may have registered it", async () => {
      let nowMs = 0;
      let asked = 0;
      const counting = new Proxy(connection, {
        get(target, name) {
          if (name === "workflowService") asked += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
      const workflow = [searchAttributesInterceptor(counting, namespace, () => nowMs)];
      const by = new Client({ connection, namespace, interceptors: { workflow } });
      const attributes = async () => (await (await start(by)).describe()).typedSearchAttributes;
      const ours = async () => {
        const all = await attributes();
        return all
          .getAll()
          .flatMap(({ key, value }) =>
            SEARCH_ATTRIBUTES.includes(key.name) ? [`${key.name}: ${String(value)}`] : [],
          )
          .toSorted();
      };
      expect(await ours()).toEqual([]);
      expect(await ours()).toEqual([]);
      expect(asked).toBe(1);
      await register(connection, namespace);
      expect(await ours()).toEqual([]);
      nowMs += 5 * 60_000;
      expect(await ours()).toEqual(["OutdialName: summer", "OutdialPerson: +12***01"]);
      expect(asked).toBe(2);
      // One that is taken out again is left out again.
      await takeOut(connection, namespace);
      await until("a start without them", async () => (await ours()).length === 0);
    });
  });
});
