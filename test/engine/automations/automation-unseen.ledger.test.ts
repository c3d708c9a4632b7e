import { sql } from "drizzle-orm";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { watchAutomations } from "../../../src/chores/automations/watch.ts";
import { readBack } from "../../../src/activities/ground/executions.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { removeAutomation, rerunExecution } from "../../../src/ledger/automations/automation-commands.ts";
import {
  healthOf,
  readExecution,
  recordExecutions,
} from "../../../src/ledger/automations/automation-executions.ts";
import { noteLooked } from "../../../src/ledger/automations/automations.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { createPlatform, type Platform, type WorkflowExecution } from "../../../src/platform/index.ts";
import { AGENT, dyingAt, Killed, put, tend, withClock, workflowJson } from "../../support/automation-run.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openStepping, type Stepping } from "../../support/stepping.ts";
import { until } from "../../support/until.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

describe("what automations run", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps & { pass(ms: number): void };
    let names = 0;
    const name = () => `u${names}`;
    const workflows = () => stepping.platform.workflows;
    const kinds = async (subject = name()) => {
      const { items } = await listAttention(ledger().db, { subject, resolved: false, limit: 10 });
      return items.map(({ kind }) => kind);
    };
    const ready = async (fields: Record<string, unknown> = {}) => {
      const automation = await tend(deps, (await put(deps, { name: name(), ...fields })).id);
      expect(automation.error, automation.state).toBeUndefined();
      return { ...automation, workflowId: given(automation.workflowId) };
    };
    const clearFaults = () => {
      for (const { fault_id: id } of stepping.sandbox.faults.list()) stepping.sandbox.faults.remove(id);
    };
    const outcome = (word: "success" | "failed") => {
      clearFaults();
      stepping.sandbox.faults.add({ kind: "execution", outcome: word });
    };
    /** Runs it, and waits until it has failed on the platform. */
    const fail = async (workflowId: string, data: Record<string, unknown> = {}) => {
      outcome("failed");
      const { execution_id: id } = await workflows().execute(workflowId, { context_data: data });
      await until("the execution to fail", async () =>
        (await workflows().executions(workflowId, { limit: 500 })).items.some(
          (one) => one.execution_id === id && one.status === "failed",
        ),
      );
      outcome("success");
      return given(id);
    };
    const watch = async () => {
      deps.pass(MINUTE_MS);
      return watchAutomations(deps);
    };
    const unreadable = () =>
      stepping.sandbox.faults.add({ kind: "status", route: "GET /v1/workflows/:id/executions", status: 403 });

    beforeAll(async () => {
      stepping = await openStepping();
    });
    afterAll(() => stepping.close());
    beforeEach(() => {
      names += 1;
      deps = withClock(stepping.depsOf(ledger()));
      outcome("success");
    });
    afterEach(clearFaults);

    it("is told of although its data says that it is a test", async () => {
      const { workflowId } = await ready();
      await fail(workflowId, { test: true, amount: 7 });
      await watch();
      expect(await kinds()).toEqual(["automation_execution_failed"]);
    });

    it("is told of where it began just before another build took its place", async () => {
      const { workflowId } = await ready();
      await watch();
      await fail(workflowId);
      await put(deps, { name: name(), workflow: workflowJson("next") });
      expect((await ready({ workflow: workflowJson("next") })).workflowId).not.toBe(workflowId);
      await watch();
      expect(await kinds()).toEqual(["automation_execution_failed"]);
    });

    it("is told of although many have no end, which are given up once the platform shows them no more", async () => {
      const { id, workflowId } = await ready();
      const failed = await fail(workflowId);
      const nowMs = deps.now();
      const under = { workflowId, triggerSource: undefined, error: undefined, endedAtMs: undefined };
      const lost = Array.from({ length: 30 }, (_, n) => `lost-${name()}-${n}`);
      await recordExecutions(
        ledger().db,
        [...lost, failed].map((executionId) => ({
          ...under,
          executionId,
          status: "running",
          startedAtMs: executionId === failed ? nowMs : nowMs - 2 * DAY_MS,
        })),
        nowMs,
      );
      deps.pass(30 * MINUTE_MS);
      await noteLooked(ledger().db, id, deps.now());
      await watch();
      expect(await kinds()).toEqual(["automation_execution_failed"]);
      expect(await readExecution(ledger().db, given(lost[0]))).toMatchObject({ status: "gone" });
      expect(await healthOf(ledger().db, [workflowId], 0)).toMatchObject({
        succeeded: 0,
        failed: 1,
        running: 0,
      });
    });

    it("is missed aloud where it can't be read for an hour, until it can", async () => {
      await ready();
      await watch();
      unreadable();
      await watch();
      expect(await kinds()).toEqual([]);
      deps.pass(60 * MINUTE_MS);
      await watch();
      await watch();
      expect(await kinds()).toEqual(["automation_unseen"]);
      clearFaults();
      await watch();
      expect(await kinds()).toEqual([]);
    });

    it("is kept for 90 days, also where its automation was removed", async () => {
      const { id, workflowId } = await ready();
      const failed = await fail(workflowId);
      await watch();
      const input = { name: name(), actor: "test", nowMs: deps.now(), platform: true };
      await ledger().transaction((tx) => removeAutomation(tx, input));
      await tend(deps, id);
      deps.pass(89 * DAY_MS);
      await watch();
      expect(await readExecution(ledger().db, failed)).toBeDefined();
      deps.pass(2 * DAY_MS);
      await watch();
      expect(
        await rows(ledger().db, sql`select 1 from automation_executions where workflow_id = ${workflowId}`),
      ).toEqual([]);
    });

    it("is put before people where it was run again and can't be followed for a day", async () => {
      const { id, workflowId } = await ready();
      const failed = await fail(workflowId);
      await watch();
      await ledger().transaction((tx) =>
        rerunExecution(tx, { automationId: id, executionId: failed, actor: "test", nowMs: deps.now() }),
      );
      const platform = dyingAt(stepping.platform, "execute", "after");
      await expect(tend({ ...deps, platform }, id)).rejects.toThrow(Killed);
      unreadable();
      deps.pass(25 * 60 * MINUTE_MS);
      const { memory } = await tend(deps, id);
      expect(memory.reruns).toMatchObject([{ state: "unknown" }]);
      expect(await kinds(failed)).toEqual(["automation_rerun_failed"]);
    });

    it("is not run again with nothing where the platform does not show what it was given", async () => {
      const { id, workflowId } = await ready();
      const failed = await fail(workflowId, { amount: 7 });
      await watch();
      await ledger().transaction((tx) =>
        rerunExecution(tx, { automationId: id, executionId: failed, actor: "test", nowMs: deps.now() }),
      );
      const discreet: Platform = {
        ...stepping.platform,
        workflows: {
          ...stepping.platform.workflows,
          async executions(...input) {
            const page = await workflows().executions(...input);
            return { ...page, items: page.items.map((one) => ({ ...one, input_snapshot: null })) };
          },
        },
      };
      const { memory } = await tend({ ...deps, platform: discreet }, id);
      expect(memory.reruns).toMatchObject([{ state: "failed" }]);
      expect(memory.reruns[0]?.error).toContain("does not show what it was given");
      expect((await workflows().executions(workflowId)).items).toHaveLength(1);
    });

    it("is a test that is given up, and told of, where the platform never ends it", async () => {
      const { id } = await ready();
      clearFaults();
      stepping.sandbox.faults.add({ kind: "execution", outcome: "stuck" });
      await put(deps, { name: name(), test: {} });
      const stuck = await tend(deps, id);
      expect(stuck).toMatchObject({ state: "failed", step: "test" });
      expect(stuck.error).toContain("has no end");
      expect(await kinds()).toEqual(["automation_failed"]);
    });

    it("is linked once where an earlier link is not shown yet", async () => {
      const { id, workflowId } = await ready();
      await workflows().linkAgent(workflowId, AGENT, {});
      let looks = 0;
      const late: Platform = {
        ...stepping.platform,
        workflows: {
          ...stepping.platform.workflows,
          async agents(...input) {
            looks += 1;
            return looks === 1 ? [] : workflows().agents(...input);
          },
        },
      };
      await put(deps, { name: name(), agents: [{ agent_id: AGENT, when: "answered" }] });
      expect((await tend({ ...deps, platform: late }, id)).state).toBe("ready");
      expect(await workflows().agents(workflowId)).toMatchObject([
        { agent_id: AGENT, trigger_condition_description: "answered" },
      ]);
    });
  });
});

describe("reading back from the newest execution", () => {
  const FIRST_MS = Date.UTC(2026, 0, 1);
  /** A platform that has so many executions, begun a second apart, the oldest or the newest first. */
  const platformWith = async (count: number, order: "oldest" | "newest") => {
    const all = Array.from({ length: count }, (_, n) => ({
      execution_id: `e${n}`,
      status: "success",
      started_at: new Date(FIRST_MS + n * 1_000).toISOString(),
    }));
    if (order === "newest") all.reverse();
    let asked = 0;
    const server = http.createServer((request, response) => {
      asked += 1;
      const { searchParams } = new URL(request.url ?? "/", "http://localhost");
      const skip = Number(searchParams.get("skip") ?? 0);
      const items = all.slice(skip, skip + Number(searchParams.get("limit") ?? 50));
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ items, total: count }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const platform = createPlatform({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" });
    onTestFinished(async () => {
      await platform.close();
      server.closeAllConnections();
      server.close();
    });
    return { platform, requests: () => asked };
  };
  const since =
    (ms: number) =>
    ({ started_at: at }: WorkflowExecution) =>
      Date.parse(at ?? "") >= ms;

  it.each(["oldest", "newest"] as const)("finds the last 1,200 of 12,000, the %s first", async (order) => {
    const { platform, requests } = await platformWith(12_000, order);
    const { executions, isWhole } = await readBack(platform, "w", since(FIRST_MS + 10_800_000));
    expect(isWhole).toBe(true);
    expect(executions).toHaveLength(1_200);
    expect(requests()).toBeLessThanOrEqual(4);
  });

  it("says so where there are more than it reads, and has the newest of them", async () => {
    const { platform } = await platformWith(12_000, "oldest");
    const { executions, isWhole } = await readBack(platform, "w", () => true);
    expect(isWhole).toBe(false);
    expect(executions).toHaveLength(10_000);
    expect(executions.some((one) => one.execution_id === "e11999")).toBe(true);
  });
});
