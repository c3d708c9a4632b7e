import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { haltBatches } from "../../../src/activities/campaigns/halt-batches.ts";
import {
  listUnsettled,
  requestStopOfAll,
  stopBatchesDialing,
} from "../../../src/ledger/campaigns/batches.ts";
import { lockCampaign, readCampaign } from "../../../src/ledger/campaigns/campaigns.ts";
import { rows } from "../../../src/ledger/ground/connection.ts";
import { goOn, stopEverything } from "../../../src/ledger/ground/installation.ts";
import { readReport } from "../../../src/ledger/campaigns/reports.ts";
import { addSuppressions } from "../../../src/ledger/ground/suppressions.ts";
import { campaignWorkflowId } from "../../../src/temporal/workflow-ids.ts";
import { progressQuery } from "../../../src/workflows/messages.ts";
import { expectAccounted } from "../../support/accounts.ts";
import {
  phoneNumbers,
  startEngine,
  startTestCampaign,
  until,
  untilOver,
  type Engine,
  tell,
  amend,
} from "../../support/engine.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { CommandRefusedError } from "../../../src/ledger/ground/command-refused.ts";

describe("stopping", () => {
  withLedger((ledger) => {
    let engine: Engine;
    let from = 100_000;
    const people = (count: number) => phoneNumbers(count, (from += 5_000));
    beforeAll(async () => {
      // A minute before the end of permission, divided by the speed, is less than a busy machine needs to stop a batch.
      engine = await startEngine(ledger(), { speed: 100, pace: { dialByMarginMs: 4_000 } });
      await engine.startWorkers();
    });
    afterEach(() => engine.sandbox.faults.clear());
    afterAll(() => engine.close());

    const handle = (id: string) => engine.client.workflow.getHandle(campaignWorkflowId(id));
    const callsUp = () => until("calls to be up", () => engine.sandbox.stats().activeCalls > 3);
    const dialsOf = (phones: ReadonlySet<string>) =>
      engine.sandbox.dialLog.entries().filter((dial) => phones.has(dial.phone));

    it("a pause while starts are in the air answers with what is in flight, and nobody else is dialed", async () => {
      engine.sandbox.faults.add({ kind: "latency", route: "POST /v1/batch-calls/:id/start", ms: 700 });
      const phones = people(60);
      const id = await startTestCampaign(engine, phones, { concurrency: 30 });
      await until("a start in the air", async () =>
        (await listUnsettled(ledger().db, id)).some((batch) => batch.state === "starting"),
      );
      const paused = await tell(engine, id, "pause");
      const { callsUp: up, uncertain } = paused.inFlight;
      const ours = new Set(phones);
      const dialedBefore = dialsOf(ours).length;
      engine.sandbox.faults.clear();
      await until(
        "the batches to be settled",
        async () => (await listUnsettled(ledger().db, id)).length === 0,
      );
      expect(dialsOf(ours).length - dialedBefore).toBeLessThanOrEqual(uncertain);
      expect(up + uncertain).toBeLessThanOrEqual(30);
      await until("the workflow to know", async () => {
        const progress = await handle(id).query(progressQuery);
        return progress?.state === "paused" && progress.heldSlots === 0;
      });
      await tell(engine, id, "resume");
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
    });

    /** Asks again with twice the time where a busy machine had too little done by the campaign's end. */
    const withEnd = async (
      withinMs: number,
      isTried: (endsAtMs: number, withinMs: number) => Promise<boolean>,
    ) => {
      for (let tries = 1; !(await isTried(Date.now() + withinMs, withinMs)); tries += 1) {
        if (tries === 4) throw new Error(`the machine did too little in ${withinMs} ms`);
        withinMs *= 2;
      }
    };

    it("nobody is dialed after the campaign's end, and those who were left are excluded for that reason", () =>
      withEnd(15_000, async (endsAtMs, withinMs) => {
        // More than any machine dials by then.
        const phones = people(withinMs / 37.5);
        const id = await startTestCampaign(engine, phones, {
          concurrency: 3,
          ends_at: new Date(endsAtMs).toISOString(),
        });
        const campaign = await untilOver(engine, id);
        expect(campaign.state).toBe("completed");
        await expectAccounted(engine, id);
        const dialed = dialsOf(new Set(phones)).map((dial) => Date.parse(dial.at));
        if (dialed.length === 0) return false;
        expect(Math.max(...dialed)).toBeLessThan(endsAtMs);
        expect(given(await readReport(ledger().db, id)).excludedReasons["after_end"]).toBeGreaterThan(100);
        return true;
      }));

    it("a batch that is still dialing at its dial_by is stopped there", () =>
      withEnd(20_000, async (endsAtMs, withinMs) => {
        const phones = people(withinMs / 40);
        const id = await startTestCampaign(engine, phones, {
          concurrency: 4,
          ends_at: new Date(endsAtMs).toISOString(),
        });
        // Calls are short, so that a batch has many for each line; and then they last, and few of them fit in.
        const ended = async () => given(await readCampaign(ledger().db, id)).tallies.attempts;
        const isLate = () => Date.now() > endsAtMs - withinMs / 2;
        const isKnown = await until("what calls last to be known", async () => {
          if (isLate()) return "too late";
          return (await ended()) > 8 && "known";
        });
        if (isKnown === "known") engine.sandbox.faults.add({ kind: "finish_late", ms: 5_000 });
        await untilOver(engine, id).finally(() => engine.sandbox.faults.clear());
        await expectAccounted(engine, id);
        const dialed = dialsOf(new Set(phones)).map((dial) => Date.parse(dial.at));
        expect(Math.max(...dialed, 0)).toBeLessThan(endsAtMs);
        if (isKnown !== "known") return false;
        const stopped = await rows<{ stop_reason: string }>(
          ledger().db,
          sql`select stop_reason from batches where campaign_id = ${id}::uuid and stop_reason is not null`,
        );
        expect(stopped.map((batch) => batch.stop_reason)).toContain("window");
        return true;
      }));

    it("a number that is suppressed while its batch dials is not dialed any more, the others are", async () => {
      const phones = people(120);
      const id = await startTestCampaign(engine, phones, {
        concurrency: 5,
        retry: { max_attempts: 1, delays: {} },
      });
      await callsUp();
      const dialed = new Set(dialsOf(new Set(phones)).map((dial) => dial.phone));
      const phone = given(phones.findLast((one) => !dialed.has(one)));
      await ledger().transaction((tx) =>
        addSuppressions(tx, {
          entries: [{ phone, brand: undefined, source: "test", reason: "asked" }],
          actor: "test",
          nowMs: Date.now(),
        }),
      );
      for (const batchId of await stopBatchesDialing(ledger(), {
        phones: [phone],
        brand: undefined,
        nowMs: Date.now(),
      })) {
        engine.deps.wake.batch(batchId);
      }
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
      expect(dialsOf(new Set([phone]))).toEqual([]);
      expect(given(await readReport(ledger().db, id)).excludedReasons).toEqual({ suppressed: 1 });
    });

    it("a lower concurrency holds from the amendment on", async () => {
      const phones = people(300);
      const id = await startTestCampaign(engine, phones, { concurrency: 40 });
      await until("many calls to be up", () => engine.sandbox.stats().activeCalls > 20);
      const { spec } = given(await readCampaign(ledger().db, id));
      const amended = await amend(engine, id, { ...spec, concurrency: 4 });
      expect(amended).toMatchObject({
        policyVersion: 2,
        differences: [{ field: "concurrency", before: "40", after: "4" }],
      });
      await until("the held slots to fall", async () => {
        const held = (await listUnsettled(ledger().db, id)).reduce((sum, batch) => sum + batch.held, 0);
        return held <= 4;
      });
      let most = 0;
      await until("some more dials", () => {
        most = Math.max(most, engine.sandbox.stats().activeCalls);
        return engine.sandbox.dialLog.entries().filter((dial) => phones.includes(dial.phone)).length > 120;
      });
      expect(most).toBeLessThanOrEqual(4);
      await amend(engine, id, { ...spec, concurrency: 60 });
      expect((await untilOver(engine, id)).state).toBe("completed");
      await expectAccounted(engine, id);
    });

    it("an amendment that would make it another campaign is refused at once, and the campaign goes on as it was", async () => {
      const id = await startTestCampaign(engine, people(20), { concurrency: 10 });
      const { spec } = given(await readCampaign(ledger().db, id));
      const refusal: unknown = await amend(engine, id, { ...spec, agent_id: randomUUID() }).catch(
        (error: unknown) => error,
      );
      expect(refusal).toBeInstanceOf(CommandRefusedError);
      expect(refusal).toMatchObject({ message: expect.stringContaining("can't be amended in agent_id") });
      expect(await untilOver(engine, id)).toMatchObject({ state: "completed", policyVersion: 1 });
      await expectAccounted(engine, id);
    });

    it("stop-all stops every campaign until somebody says why they go on", async () => {
      const one = await startTestCampaign(engine, people(80), { concurrency: 10 });
      const two = await startTestCampaign(engine, people(80), { concurrency: 10 });
      await callsUp();
      const nowMs = Date.now();
      await ledger().transaction((tx) => stopEverything(tx, { actor: "test", reason: "complaint", nowMs }));
      const batchIds: string[] = [];
      for (const id of [one, two]) {
        await ledger().transaction(async (tx) => {
          const campaign = given(await lockCampaign(tx, id));
          batchIds.push(...(await requestStopOfAll(tx, { campaign, reason: "stop_all", nowMs })));
        });
      }
      const report = await haltBatches(engine.deps, batchIds);
      expect(report).toMatchObject({ uncertain: 0 });
      const dialsAtStop = engine.sandbox.dialLog.length;
      await until("all batches to be settled", async () => {
        const left = await Promise.all([one, two].map((id) => listUnsettled(ledger().db, id)));
        return left.flat().length === 0;
      });
      expect(engine.sandbox.dialLog.length).toBe(dialsAtStop);
      await ledger().transaction((tx) =>
        goOn(tx, { actor: "test", reason: "it was a false alarm", nowMs: Date.now() }),
      );
      for (const id of [one, two]) engine.deps.wake.campaign(id);
      for (const id of [one, two]) {
        expect((await untilOver(engine, id)).state).toBe("completed");
        await expectAccounted(engine, id);
      }
    });
  });
});
