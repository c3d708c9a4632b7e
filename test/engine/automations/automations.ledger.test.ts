import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { lookForDrift } from "../../../src/chores/automations/drift.ts";
import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import {
  askAutomation,
  removeAutomation,
  retryAutomation,
} from "../../../src/ledger/automations/automation-commands.ts";
import { readAutomation, type Automation } from "../../../src/ledger/automations/automations.ts";
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

const SECRETS = { "slackApi.accessToken": { secret: "slack" } };

describe("automations on their way to the platform", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps & { pass(ms: number): void };
    let values: Record<string, string>;
    let names = 0;
    const fresh = () => `a${(names += 1)}`;
    const workflows = () => stepping.platform.workflows;
    const command = (name: string) => ({ name, actor: "test", nowMs: deps.now() });
    const attentionOf = async (subject: string) => {
      const { items } = await listAttention(ledger().db, { subject, resolved: false, limit: 10 });
      return items.map(({ kind, summary, remedy }) => `${kind}: ${summary} | ${remedy}`);
    };
    const linked = async (workflowId: string | undefined) =>
      (await workflows().agents(workflowId ?? "")).map(({ agent_id: id }) => id);
    const notes = ({ memory }: Automation) => memory.steps.map(({ step }) => step);
    const fail = (workflowId?: string) =>
      stepping.sandbox.faults.add({ kind: "execution", outcome: "failed", workflow_id: workflowId });

    beforeAll(async () => {
      stepping = await openStepping();
    });
    afterAll(() => stepping.close());
    const open = () => {
      values = { slack: "xoxb-1" };
      deps = withClock({
        ...stepping.depsOf(ledger()),
        secrets: { read: (name) => [given(values[name])] },
      });
    };
    beforeAll(open);
    afterEach(() => {
      for (const { fault_id: id } of stepping.sandbox.faults.list()) stepping.sandbox.faults.remove(id);
      open();
    });

    const FULL = (name: string) => ({
      name,
      description: "keeps the CRM up to date",
      workflow: workflowJson("first", "slackApi"),
      secrets: SECRETS,
      test: { expect: 'result.status == "success"' },
      agents: [{ agent_id: AGENT, when: "the call was answered", priority: 2 }],
      repeat: "safe",
    });
    /** No execution fails by chance. */
    const well = () => stepping.sandbox.faults.add({ kind: "execution", outcome: "success" });

    it("are made, given their secrets, checked, tested, deployed and linked, in this order", async () => {
      well();
      const name = fresh();
      const automation = await tend(deps, (await put(deps, FULL(name))).id);
      expect(automation.state).toBe("ready");
      expect(notes(automation)).toEqual([
        "create",
        "secrets",
        "check",
        "test",
        "deploy",
        "promote",
        "links",
        "links",
      ]);
      const [one, ...others] = await onPlatform(stepping.platform, name);
      expect(others).toEqual([]);
      expect(one).toMatchObject({ is_active: true, workflow_id: automation.workflowId, timeout_seconds: 5 });
      expect(one?.description).toBe(`keeps the CRM up to date\n\noutdial:${automation.id}#1`);
      expect(await linked(automation.workflowId)).toEqual([AGENT]);
      expect(JSON.stringify(automation)).not.toContain("xoxb");
      expect((await put(deps, FULL(name))).memory.turn).toBe(automation.memory.turn);
    });

    it("are told what they need and nobody gives before anything is deployed, and go on when it is given", async () => {
      well();
      const name = fresh();
      const { id } = await put(deps, { ...FULL(name), secrets: {} });
      const stuck = await tend(deps, id);
      expect(stuck).toMatchObject({ state: "failed", step: "check", workflowId: undefined });
      expect(await attentionOf(name)).toEqual([expect.stringContaining("it needs slackApi.accessToken")]);
      expect((await onPlatform(stepping.platform, name))[0]?.status).toBe("draft");
      await put(deps, FULL(name));
      const { memory } = await tend(deps, id);
      expect(memory.builds).toBe(1);
      expect(await attentionOf(name)).toEqual([]);
    });

    it("stay out of service where the first test run fails, and are gone on with where they stopped", async () => {
      const name = fresh();
      fail();
      const { id } = await put(deps, { ...FULL(name), test: { data: { call_id: "c" } } });
      const stuck = await tend(deps, id);
      expect(stuck).toMatchObject({ state: "failed", step: "test" });
      expect((await onPlatform(stepping.platform, name)).map((one) => one.is_active)).toEqual([false]);
      expect(await attentionOf(name)).toEqual([
        expect.stringMatching(/ended as failed.*outdial automation retry/),
      ]);
      afterFault();
      await ledger().transaction((tx) => retryAutomation(tx, command(name)));
      const ready = await tend(deps, id);
      expect(ready).toMatchObject({ state: "ready", memory: { builds: 1, lastTest: { ok: true } } });
    });

    const afterFault = () => {
      for (const { fault_id: id } of stepping.sandbox.faults.list()) stepping.sandbox.faults.remove(id);
      well();
    };

    it("are replaced by a tested build where what they do is changed, and stay as they are where that one fails", async () => {
      const name = fresh();
      well();
      const { id } = await put(deps, FULL(name));
      const before = await tend(deps, id);
      afterFault();
      for (const { fault_id: fault } of stepping.sandbox.faults.list()) stepping.sandbox.faults.remove(fault);
      fail();
      const changed = {
        ...FULL(name),
        workflow: workflowJson("second", "slackApi"),
        agents: [{ agent_id: OTHER_AGENT }],
      };
      await put(deps, changed);
      const failed = await tend(deps, id);
      expect(failed).toMatchObject({ state: "failed", step: "test", workflowId: before.workflowId });
      expect(failed.error).toContain("what was live before is live");
      expect((await onPlatform(stepping.platform, name)).map((one) => one.workflow_id)).toEqual([
        before.workflowId,
      ]);
      expect(await linked(before.workflowId)).toEqual([AGENT]);
      afterFault();
      await ledger().transaction((tx) => retryAutomation(tx, command(name)));
      const after = await tend(deps, id);
      expect(after.state).toBe("ready");
      expect(after.workflowId).not.toBe(before.workflowId);
      expect(await linked(after.workflowId)).toEqual([OTHER_AGENT]);
      const shown = await onPlatform(stepping.platform, name);
      expect(shown.map((one) => [one.workflow_id === after.workflowId, one.is_active])).toEqual([
        [false, false],
        [true, true],
      ]);
    });

    it("get the version back that was live where a refinement fails, and keep what it made where it does not", async () => {
      const name = fresh();
      well();
      const generated = { name, generate: "post a summary", test: {}, repeat: "safe" };
      const { id } = await put(deps, generated);
      const before = await tend(deps, id);
      expect(notes(before)).toContain("generate");
      const json = (await workflows().get(given(before.workflowId))).workflow_json;
      for (const { fault_id: fault } of stepping.sandbox.faults.list()) stepping.sandbox.faults.remove(fault);
      fail();
      await put(deps, { ...generated, refine: ["shorter"] });
      const failed = await tend(deps, id);
      expect(failed).toMatchObject({ state: "failed", workflowId: before.workflowId });
      const now = await workflows().get(given(before.workflowId));
      expect(now.workflow_json).toEqual(json);
      expect(now).toMatchObject({ is_active: true, name });
      afterFault();
      await ledger().transaction((tx) => retryAutomation(tx, command(name)));
      const after = await tend(deps, id);
      expect(after).toMatchObject({ state: "ready", workflowId: before.workflowId });
      expect((await workflows().get(given(before.workflowId))).workflow_json).not.toEqual(json);
      // A version of before, by its number, until something else is declared.
      await ledger().transaction((tx) =>
        askAutomation(tx, { ...command(name), kind: "restore", version: 1 }),
      );
      expect((await tend(deps, id)).state).toBe("ready");
      expect((await workflows().get(given(before.workflowId))).workflow_json).toEqual(json);
    });

    it("never repeat a test run that may have been made, unless that is declared to be safe", async () => {
      const name = fresh();
      well();
      const { id } = await put(deps, { ...FULL(name), repeat: "never" });
      expect(await die(id, "test", "before")).toBe(true);
      const stuck = await tend(deps, id);
      expect(stuck).toMatchObject({ state: "failed", step: "test" });
      expect(stuck.error).toContain("can't be seen whether it ran");
      await ledger().transaction((tx) => retryAutomation(tx, command(name)));
      const { workflowId } = await tend(deps, id);
      expect((await workflows().executions(given(workflowId))).items).toHaveLength(1);
    });

    /** Takes steps until the process dies. False where it does not. */
    const die = async (id: string, which: number | string, when: "before" | "after") => {
      try {
        await tend({ ...deps, platform: dyingAt(stepping.platform, which, when) }, id);
        return false;
      } catch (error) {
        if (error instanceof Killed) return true;
        throw error;
      }
    };

    interface Way {
      name: string;
      /** What was there before. */
      first?: (name: string) => Record<string, unknown>;
      begin: (name: string) => Promise<Automation>;
      check: (automation: Automation, name: string) => Promise<void>;
    }

    const WAYS: Way[] = [
      {
        name: "the first way of one",
        begin: (name) => put(deps, FULL(name)),
        async check(automation, name) {
          expect(automation.state).toBe("ready");
          expect(await onPlatform(stepping.platform, name)).toHaveLength(1);
          expect(await linked(automation.workflowId)).toEqual([AGENT]);
        },
      },
      {
        name: "the replacement of one",
        first: FULL,
        begin: (name) =>
          put(deps, {
            ...FULL(name),
            workflow: workflowJson("next", "slackApi"),
            agents: [{ agent_id: OTHER_AGENT }],
          }),
        async check(automation, name) {
          expect(automation.state).toBe("ready");
          const shown = await onPlatform(stepping.platform, name);
          expect(shown.map((one) => one.is_active)).toEqual([false, true]);
          expect(await linked(automation.workflowId)).toEqual([OTHER_AGENT]);
        },
      },
      {
        name: "one that is generated and refined",
        begin: (name) =>
          put(deps, { name, generate: "post a summary", refine: ["shorter", "in French"], repeat: "safe" }),
        async check(automation, name) {
          expect(automation.state).toBe("ready");
          const [one, ...others] = await onPlatform(stepping.platform, name);
          expect(others).toEqual([]);
          expect(one?.name).toBe(name);
          // Refined twice, and not three times.
          expect((await workflows().get(given(automation.workflowId))).generation_history).toHaveLength(3);
        },
      },
      {
        name: "the removal of one",
        first: FULL,
        begin: (name) =>
          ledger().transaction((tx) => removeAutomation(tx, { ...command(name), platform: true })),
        async check(automation, name) {
          expect(automation.state).toBe("removed");
          expect(await onPlatform(stepping.platform, name)).toEqual([]);
        },
      },
    ];

    it.each(WAYS)(
      "come to the same end wherever the process dies: $name",
      async ({ first, begin, check }) => {
        well();
        for (let n = 1, isOver = false; !isOver; n += 1) {
          for (const when of ["before", "after"] as const) {
            const name = `${fresh()}-`;
            if (first) await tend(deps, (await put(deps, first(name))).id);
            const { id } = await begin(name);
            const wasKilled = await die(id, n, when);
            await check(await tend(deps, id), name);
            if (!wasKilled) isOver = true;
          }
        }
      },
    );

    it("notice a secret that has another value, by a digest, and give it to the platform", async () => {
      const name = fresh();
      well();
      values["own"] = "xoxb-1";
      const own = { "slackApi.accessToken": { secret: "own" } };
      const { id } = await put(deps, { ...FULL(name), secrets: own });
      await tend(deps, id);
      values["own"] = "xoxb-2";
      expect(await lookForDrift(deps)).toBe(1);
      const after = await tend(deps, id);
      expect(notes(after)).toEqual(["secrets", "check", "deploy", "test", "promote"]);
      expect(await lookForDrift(deps)).toBe(0);
      expect(await readAutomation(ledger().db, name)).toMatchObject({ state: "ready" });
    });
  });
});
