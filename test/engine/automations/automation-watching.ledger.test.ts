import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { lookForDrift } from "../../../src/chores/automations/drift.ts";
import { watchAutomations } from "../../../src/chores/automations/watch.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import {
  removeAutomation,
  rerunExecution,
  retryAutomation,
} from "../../../src/ledger/automations/automation-commands.ts";
import { healthOf, listExecutions } from "../../../src/ledger/automations/automation-executions.ts";
import {
  readAutomation,
  workflowIdsOf,
  type Automation,
} from "../../../src/ledger/automations/automations.ts";
import {
  AGENT,
  dyingAt,
  Killed,
  onPlatform,
  OTHER_AGENT,
  put,
  tend,
  withClock,
  workflowJson,
} from "../../support/automation-run.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openStepping, type Stepping } from "../../support/stepping.ts";
import { until } from "../../support/until.ts";

describe("automations on the platform", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps & { pass(ms: number): void };
    let names = 0;
    const name = () => `w${names}`;
    const workflows = () => stepping.platform.workflows;
    const command = () => ({ name: name(), actor: "test", nowMs: deps.now() });
    const now = async () => given(await readAutomation(ledger().db, name()));
    const attentionOf = async (subject = name()) => {
      const { items } = await listAttention(ledger().db, { subject, resolved: false, limit: 10 });
      return items.map(({ kind, times }) => `${kind} ${times}`);
    };
    const ready = async (fields: Record<string, unknown> = {}) => {
      const automation = await tend(deps, (await put(deps, { name: name(), ...fields })).id);
      expect(automation.state).toBe("ready");
      return { ...automation, workflowId: given(automation.workflowId) };
    };
    const clearFaults = () => {
      for (const { fault_id: id } of stepping.sandbox.faults.list()) stepping.sandbox.faults.remove(id);
    };
    const outcome = (word: "success" | "failed" | "stuck" | "timeout") => {
      clearFaults();
      stepping.sandbox.faults.add({ kind: "execution", outcome: word });
    };
    /** Runs it, and waits until it has ended on the platform. */
    const run = async (workflowId: string, data: Record<string, unknown> = {}) => {
      const { execution_id: id } = await workflows().execute(workflowId, {
        context_data: data,
        execution_mode: "async",
      });
      return given(id);
    };
    const ended = (workflowId: string, id: string) =>
      until("the execution to end", async () => {
        const { items } = await workflows().executions(workflowId, { limit: 500 });
        return items.some((one) => one.execution_id === id && one.status !== "running");
      });
    /** Watches once, past what an earlier reading still shows. */
    const watch = async () => {
      deps.pass(60_000);
      return watchAutomations(deps);
    };
    const drop = async (automation: Automation) => {
      await ledger().transaction((tx) => removeAutomation(tx, { ...command(), platform: true }));
      await tend(deps, automation.id);
    };

    beforeAll(async () => {
      stepping = await openStepping();
    });
    afterAll(() => stepping.close());
    beforeEach(() => {
      names += 1;
      deps = withClock(stepping.depsOf(ledger()));
      outcome("success");
    });
    afterEach(async () => {
      clearFaults();
      const left = await readAutomation(ledger().db, name());
      if (left && left.state !== "removing") await drop(left);
    });

    it("are not taken for changed by hand when they are declared anew while a pass looks at others", async () => {
      await ready();
      const other = `${name()}-behind`;
      const behind = await tend(deps, (await put(deps, { name: other, timeout_seconds: 5 })).id);
      const { platform } = deps;
      const warned: string[] = [];
      let isFirst = true;
      const watching: ActivityDeps = {
        ...deps,
        log: { ...deps.log, warn: (_fields, message) => void warned.push(message) },
        platform: {
          ...platform,
          workflows: {
            ...platform.workflows,
            get: async (workflowId, options) => {
              if (isFirst) {
                isFirst = false;
                await put(deps, { name: other, timeout_seconds: 7 });
                await tend(deps, behind.id);
              }
              return platform.workflows.get(workflowId, options);
            },
          },
        },
      };
      expect(await lookForDrift(watching)).toBe(0);
      expect(warned).toEqual([]);
      const after = given(await readAutomation(ledger().db, other));
      expect(after).toMatchObject({ state: "ready", definition: { timeout_seconds: 7 } });
      expect(after.memory.drift).toBeUndefined();
      await ledger().transaction((tx) => removeAutomation(tx, { ...command(), name: other, platform: true }));
      await tend(deps, behind.id);
    });

    it("are brought back when somebody changed them by hand: status, settings, links and what they do", async () => {
      const declared = { description: "ours", agents: [{ agent_id: AGENT, when: "answered" }] };
      const { id, workflowId } = await ready(declared);
      expect(await lookForDrift(deps)).toBe(0);
      const before = await workflows().get(workflowId);
      await workflows().update(workflowId, { is_active: false, timeout_seconds: 99 });
      await workflows().unlinkAgent(workflowId, AGENT);
      await workflows().linkAgent(workflowId, OTHER_AGENT, {});
      await workflows().refine(workflowId, "do something else");
      expect(await lookForDrift(deps)).toBe(1);
      const after = await tend(deps, id);
      expect(after).toMatchObject({ state: "ready", workflowId });
      expect(after.memory.drift?.found).toMatch(/what it does was changed.*99 s.*not active.*link to agent/);
      expect(after.memory.drift?.repairedAt).toBeDefined();
      const shown = await workflows().get(workflowId);
      expect(shown).toMatchObject({
        is_active: true,
        timeout_seconds: 5,
        workflow_json: before.workflow_json,
      });
      expect(await workflows().agents(workflowId)).toMatchObject([
        { agent_id: AGENT, trigger_condition_description: "answered" },
      ]);
      expect(await lookForDrift(deps)).toBe(0);
    });

    it("are made again when somebody deleted them, though not at the first word of that", async () => {
      const { id, workflowId } = await ready();
      await workflows().delete(workflowId);
      expect(await lookForDrift(deps)).toBe(0);
      expect((await now()).state).toBe("ready");
      deps.pass(deps.pace.vanishedMs);
      expect(await lookForDrift(deps)).toBe(1);
      const after = await tend(deps, id);
      expect(after.state).toBe("ready");
      expect((await onPlatform(stepping.platform, name())).map((one) => one.workflow_id)).toEqual([
        after.workflowId,
      ]);
    });

    it("are only reported where that is declared, once, and brought back on a person's word", async () => {
      const { id, workflowId } = await ready({ drift: "report" });
      await workflows().update(workflowId, { is_active: false });
      expect([await lookForDrift(deps), await lookForDrift(deps)]).toEqual([0, 0]);
      expect(await attentionOf()).toEqual(["automation_drift 1"]);
      expect((await workflows().get(workflowId)).is_active).toBe(false);
      await ledger().transaction((tx) => retryAutomation(tx, command()));
      await tend(deps, id);
      expect((await workflows().get(workflowId)).is_active).toBe(true);
      expect(await attentionOf()).toEqual([]);
    });

    it("are left to people when they are changed again and again", async () => {
      const { id, workflowId } = await ready();
      for (let n = 0; n < 5; n += 1) {
        await workflows().update(workflowId, { is_active: false });
        expect(await lookForDrift(deps)).toBe(1);
        await tend(deps, id);
      }
      await workflows().update(workflowId, { is_active: false });
      expect(await lookForDrift(deps)).toBe(0);
      expect(await attentionOf()).toEqual(["automation_drift 1"]);
    });

    it("tell of each failed run once, and of none any more when all were run again with success", async () => {
      const { id, workflowId } = await ready();
      outcome("failed");
      const first = await run(workflowId, { call_id: "c1", amount: 7 });
      await ended(workflowId, first);
      await watch();
      await watch();
      expect(await attentionOf()).toEqual(["automation_execution_failed 1"]);
      const { items } = await listAttention(ledger().db, { subject: name(), resolved: false, limit: 1 });
      expect(items[0]?.summary).toContain(
        `${first} (${deps.platform.address}/v1/workflows/${workflowId}/executions)`,
      );
      expect(items[0]?.remedy).toContain(`outdial automation rerun ${first}`);
      outcome("success");
      const rerun = { automationId: id, executionId: first, actor: "test", nowMs: deps.now() };
      await ledger().transaction((tx) => rerunExecution(tx, rerun));
      const { memory } = await tend(deps, id);
      expect(memory.reruns).toMatchObject([{ of: first, state: "done" }]);
      const again = given(memory.reruns[0]?.executionId);
      const executions = (await workflows().executions(workflowId, { limit: 500 })).items;
      expect(executions.find((one) => one.execution_id === again)).toMatchObject({
        input_snapshot: { call_id: "c1", amount: 7 },
      });
      await watch();
      expect(await attentionOf()).toEqual([]);
      const kept = await listExecutions(ledger().db, {
        workflowIds: [workflowId],
        failed: false,
        limit: 10,
      });
      expect(kept.items.map(({ executionId, repeats }) => [executionId, repeats])).toEqual([
        [again, first],
        [first, undefined],
      ]);
      await expect(ledger().transaction((tx) => rerunExecution(tx, rerun))).rejects.toThrow(/was run again/);
    });

    it("run a failed execution again on the build that replaced the one which failed", async () => {
      const { id, workflowId } = await ready();
      outcome("failed");
      const first = await run(workflowId, { call_id: "c2" });
      await ended(workflowId, first);
      await watch();
      outcome("success");
      await put(deps, { name: name(), workflow: workflowJson("fixed") });
      const fixed = await tend(deps, id);
      expect(workflowIdsOf(fixed)).toEqual([fixed.workflowId, workflowId]);
      await ledger().transaction((tx) =>
        rerunExecution(tx, { automationId: id, executionId: first, actor: "test", nowMs: deps.now() }),
      );
      const { memory } = await tend(deps, id);
      expect(memory.reruns).toMatchObject([{ state: "done", workflowId: fixed.workflowId }]);
    });

    it.each([
      ["before", "never", "unknown", 1],
      ["before", "safe", "done", 2],
      ["after", "never", "done", 2],
      ["after", "safe", "done", 2],
    ] as const)(
      "look for a rerun whose process died %s it was sent, and repeat it only where that is safe: %s",
      async (when, repeat, state, executions) => {
        const { id, workflowId } = await ready({ repeat });
        outcome("failed");
        const first = await run(workflowId);
        await ended(workflowId, first);
        await watch();
        outcome("success");
        await ledger().transaction((tx) =>
          rerunExecution(tx, { automationId: id, executionId: first, actor: "test", nowMs: deps.now() }),
        );
        const platform = dyingAt(stepping.platform, "execute", when);
        await expect(tend({ ...deps, platform }, id)).rejects.toThrow(Killed);
        const { memory } = await tend(deps, id);
        expect(memory.reruns).toMatchObject([{ state }]);
        expect((await workflows().executions(workflowId)).items).toHaveLength(executions);
        expect(await attentionOf(first)).toEqual(state === "unknown" ? ["automation_rerun_failed 1"] : []);
      },
    );

    it("tell once of a run that lasts too long, and take it back when none does", async () => {
      const { workflowId } = await ready({ alerts: { longer_than: "5m" } });
      outcome("stuck");
      await run(workflowId);
      await watch();
      expect(await attentionOf()).toEqual([]);
      deps.pass(5 * 60_000);
      await watch();
      await watch();
      expect(await attentionOf()).toEqual(["automation_execution_long 1"]);
      expect((await healthOf(ledger().db, [workflowId], 0)).running).toBe(1);
    });

    it("tell of too few that succeed, and of single failures only where that is wanted", async () => {
      const { workflowId } = await ready({ alerts: { failed: false, success_rate_below: 0.9 } });
      const some = async (word: "success" | "failed" | "timeout", count: number) => {
        outcome(word);
        const ids = await Promise.all(Array.from({ length: count }, () => run(workflowId)));
        for (const id of ids) await ended(workflowId, id);
        await watch();
      };
      await some("success", 4);
      expect(await attentionOf()).toEqual([]);
      await some("timeout", 1);
      expect(await attentionOf()).toEqual(["automation_success_rate 1"]);
      await some("failed", 1);
      expect(await attentionOf()).toEqual(["automation_success_rate 1"]);
      await some("success", 20);
      expect(await attentionOf()).toEqual([]);
      expect(await healthOf(ledger().db, [workflowId], 0)).toMatchObject({ succeeded: 24, failed: 2 });
    });

    it("stay on the platform where they are only taken out of our hands", async () => {
      const { id, workflowId } = await ready();
      await ledger().transaction((tx) => removeAutomation(tx, { ...command(), platform: false }));
      expect(await tend(deps, id)).toMatchObject({ state: "removed", workflowId: undefined });
      expect((await workflows().get(workflowId)).is_active).toBe(true);
      // Declared again it is made anew: what stayed is nobody's.
      const again = await ready();
      expect(again.workflowId).not.toBe(workflowId);
    });
  });
});
