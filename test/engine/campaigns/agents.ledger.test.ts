import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { createBatch } from "../../../src/activities/campaigns/create-batch.ts";
import { lookAtAgent } from "../../../src/activities/campaigns/look-at-agent.ts";
import { startBatch } from "../../../src/activities/campaigns/start-batch.ts";
import { watchAgents } from "../../../src/chores/campaigns/watch-agents.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { explainContact } from "../../../src/ledger/campaigns/explanations.ts";
import { placeCallback } from "../../../src/ledger/campaigns/placements.ts";
import { TimeoutError, type Platform } from "../../../src/platform/index.ts";
import { callbackAsker } from "../../ledger/support/placing.ts";
import { contact, running, tell } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { beginOne, openStepping, planSome, takeToEnd, type Stepping } from "../../support/stepping.ts";

describe("an agent that is published anew while a campaign calls with it", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let gets = 0;
    beforeAll(async () => {
      stepping = await openStepping();
      const { agents } = stepping.platform;
      const counting: Platform = {
        ...stepping.platform,
        agents: {
          ...agents,
          get: (id, options) => {
            gets += 1;
            return agents.get(id, options);
          },
        },
      };
      deps = { ...stepping.depsOf(ledger()), platform: counting };
    });
    afterAll(() => stepping.close());

    /** A published agent of its own, in its first version. */
    async function freshAgent(): Promise<string> {
      const { agent_id: id } = await stepping.platform.agents.create({
        agent_name: "Sales",
        greeting_message: "Hello, I am an AI assistant calling from Harbour Dental.",
        system_prompt: "Whoever asks not to be called again is taken off the list.",
      });
      await stepping.platform.agents.publish(id);
      return id;
    }

    async function republish(id: string): Promise<void> {
      await stepping.platform.agents.update(id, { greeting_message: "Hi!", version_description: "shorter" });
      await stepping.platform.agents.publish(id);
    }

    const SPEC = { from_numbers: ["+12025550100"], concurrency: 2, retry: { max_attempts: 1 } };
    let taken = 710_000;
    function people(count: number) {
      taken += count;
      return phoneNumbers(count, taken).map((phone, index) => contact(phone, index + 2));
    }

    const attemptsOf = async (id: string, phone: string) =>
      given(await explainContact(ledger().db, id, phone)).attempts;

    it("pauses it with both versions, calls under way keep theirs, and goes on with the new one when resumed", async () => {
      const agentId = await freshAgent();
      const list = people(4);
      const spec = { ...SPEC, agent_id: agentId, on_agent_change: "pause" as const };
      const id = await running(ledger(), list, spec, Date.now());
      const batchId = await beginOne(deps, id);
      const first = (await attemptsAll(id, list)).find((one) => one.batchId === batchId);
      expect(first).toMatchObject({ agentVersion: 1, agentChangedTo: null });

      await republish(agentId);
      await watchAgents(deps);
      const paused = given(await readCampaign(ledger().db, id));
      expect(paused.state).toBe("paused");
      expect(paused.stateReason).toMatch(/was version 1 and is version 2 now \(saved at .* "shorter"\)/);
      expect(given(await readBatch(ledger().db, batchId)).stopReason).toBe("pause");
      await takeToEnd(deps, batchId);
      for (const one of await attemptsAll(id, list))
        if (one.state !== "returned") expect(one).toMatchObject({ agentVersion: 1, agentChangedTo: 2 });

      await tell(ledger(), "resume", id, { nowMs: Date.now() });
      const [next = ""] = await planSome(deps, id);
      await createBatch(deps, { batchId: next });
      await startBatch(deps, { batchId: next });
      const second = (await attemptsAll(id, list)).filter((one) => one.batchId === next);
      expect(second.length).toBeGreaterThan(0);
      for (const one of second) expect(one).toMatchObject({ agentVersion: 2, agentChangedTo: null });
      await takeToEnd(deps, next);
    });

    async function attemptsAll(id: string, list: ReturnType<typeof people>) {
      return (await Promise.all(list.map(({ phone }) => attemptsOf(id, phone)))).flat();
    }

    it("is asked about once, however many batches and campaigns call with it", async () => {
      const agentId = await freshAgent();
      const spec = { ...SPEC, agent_id: agentId, concurrency: 4 };
      const ids = await Promise.all([0, 1].map(() => running(ledger(), people(3), spec, Date.now())));
      gets = 0;
      const batches = (await Promise.all(ids.map((id) => planSome(deps, id)))).flat();
      await Promise.all(batches.map((batchId) => createBatch(deps, { batchId })));
      expect(gets).toBe(1);
      await watchAgents(deps);
      const asked = gets;
      await watchAgents(deps);
      // One more for each agent that anybody here calls with.
      expect(gets - asked).toBe(asked - 1);
      for (const id of ids) await tell(ledger(), "cancel", id, { nowMs: Date.now() });
      for (const batchId of batches) await takeToEnd(deps, batchId);
    });

    it("is known before a batch is created to whoever calls with it, whoever looked last", async () => {
      const agentId = await freshAgent();
      const spec = { ...SPEC, agent_id: agentId, on_agent_change: "pause" as const };
      const pausing = await running(ledger(), people(1), spec, Date.now());
      const [batchId = ""] = await planSome(deps, pausing);
      await watchAgents(deps);
      await republish(agentId);
      // Somebody else's look: the campaign itself has not been told.
      await lookAtAgent(deps, agentId);
      gets = 0;
      await createBatch(deps, { batchId });
      expect(gets).toBe(0);
      expect(await readBatch(ledger().db, batchId)).toMatchObject({ stopReason: "pause", createNo: 0 });
      expect(given(await readCampaign(ledger().db, pausing)).state).toBe("paused");
      await takeToEnd(deps, batchId);
      await tell(ledger(), "cancel", pausing, { nowMs: Date.now() });
    });

    it("pauses a campaign for the sake of a batch of its callbacks", async () => {
      const agentId = await freshAgent();
      const spec = { ...SPEC, agent_id: agentId, on_agent_change: "pause" as const };
      const id = await running(ledger(), people(1), spec, Date.now());
      const [other = ""] = await planSome(deps, id);
      const [asked] = people(1);
      const placed = await ledger().transaction((tx) =>
        placeCallback(tx, {
          campaignId: id,
          asker: callbackAsker(Date.now()),
          phone: given(asked).phone,
          region: "US",
          zones: ["America/New_York"],
          variables: {},
          dueAtMs: Date.now(),
          most: 3,
          actor: "test",
          nowMs: Date.now(),
        }),
      );
      if (placed.kind !== "placed") throw new Error(placed.kind);
      const [batchId = ""] = await planSome(deps, placed.campaignId);
      await watchAgents(deps);
      await republish(agentId);
      await lookAtAgent(deps, agentId);
      await createBatch(deps, { batchId });
      expect(await readBatch(ledger().db, batchId)).toMatchObject({ stopReason: "pause", createNo: 0 });
      expect(given(await readCampaign(ledger().db, id)).state).toBe("paused");
      expect(await readCampaign(ledger().db, placed.campaignId)).toMatchObject({ pausedBy: "parent" });
      for (const one of [other, batchId]) await takeToEnd(deps, one);
      await tell(ledger(), "cancel", id, { nowMs: Date.now() });
    });

    it("that was deleted is waited for: no batch is created with it", async () => {
      const agentId = await freshAgent();
      const id = await running(ledger(), people(2), { ...SPEC, agent_id: agentId }, Date.now());
      const [batchId = ""] = await planSome(deps, id);
      await stepping.platform.agents.delete(agentId);
      await createBatch(deps, { batchId });
      expect(await readBatch(ledger().db, batchId)).toMatchObject({ stopReason: "policy", createNo: 0 });
      const waiting = given(await readCampaign(ledger().db, id));
      expect(waiting).toMatchObject({
        state: "running",
        agentProblem: `the platform has no agent ${agentId} any more`,
      });
      await takeToEnd(deps, batchId);
      await tell(ledger(), "cancel", id, { nowMs: Date.now() });
    });

    it("keeps nobody from being called where the platform does not tell", async () => {
      const agentId = await freshAgent();
      const list = people(1);
      const id = await running(ledger(), list, { ...SPEC, agent_id: agentId }, Date.now());
      const { agents } = stepping.platform;
      const silent: ActivityDeps = {
        ...deps,
        platform: {
          ...deps.platform,
          agents: {
            ...agents,
            get: () => agents.get(agentId, { timeoutMs: 50 }),
          },
        },
      };
      stepping.sandbox.faults.add({ kind: "latency", route: "GET /v1/agents/:id", ms: 60_000 });
      await expect(silent.platform.agents.get(agentId)).rejects.toThrow(TimeoutError);
      const batchId = await beginOne(silent, id);
      const [attempt] = await attemptsOf(id, given(list[0]).phone);
      expect(attempt).toMatchObject({ batchId, agentVersion: null });
      stepping.sandbox.faults.clear();
      await takeToEnd(deps, batchId);
    });
  });
});
