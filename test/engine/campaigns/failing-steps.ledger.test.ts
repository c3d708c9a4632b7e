import { randomUUID } from "node:crypto";
import { WorkflowNotFoundError, type Client } from "@temporalio/client";
import { MockActivityEnvironment } from "@temporalio/testing";
import type { ApplicationFailure } from "@temporalio/common";
import { DefaultLogger } from "@temporalio/worker";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { ActivityDeps } from "../../../src/activities/deps.ts";
import { endOfCreateTrouble } from "../../../src/activities/campaigns/batch-troubles.ts";
import { createActivities } from "../../../src/activities/index.ts";
import type { PlanBatchInput, PlanBatchResult } from "../../../src/activities/campaigns/plan-batch.ts";
import { listAttention } from "../../../src/ledger/ground/attention.ts";
import { readBatch } from "../../../src/ledger/campaigns/batches.ts";
import { ledgerError, rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { lookBeforeDialing, overdueLooks } from "../../../src/temporal/overdue.ts";
import { createRelayHandlers } from "../../../src/temporal/relay-handlers.ts";
import { answered } from "../../ledger/support/follow-up-scenario.ts";
import { batchOf, contactsOf, running } from "../../ledger/support/scenario.ts";
import { phoneNumbers } from "../../support/phone-numbers.ts";
import { until } from "../../support/until.ts";
import { given, withLedger } from "../../support/ledgers.ts";
import { openStepping, planSome, type Stepping } from "../../support/stepping.ts";

const SPEC = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };
const CREATE = "POST /v1/batch-calls";

/** A ledger whose server can't be reached, until it is back. */
function ledgerAway(ledger: Ledger) {
  const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  let looks = 0;
  const lookedAt = new Proxy(ledger.urgent.db, {
    get(target, name, receiver) {
      if (name !== "execute" || away.isBack) return Reflect.get(target, name, receiver) as unknown;
      looks += 1;
      return () => Promise.reject(refused());
    },
  });
  const away = {
    isBack: false,
    ledger: {
      ...ledger,
      urgent: { ...ledger.urgent, db: lookedAt },
      transaction: () => Promise.reject(ledgerError(refused())),
    } satisfies Ledger,
  };
  return { away, looks: () => looks };
}

describe("what goes on by itself and fails", () => {
  withLedger((ledger) => {
    let stepping: Stepping;
    let deps: ActivityDeps;
    let aheadMs = 0;
    /** Where the clock stands still: how long the machine takes is no part of it then. */
    let stillMs: number | undefined;
    let from = 600_000;
    const people = (count: number) => phoneNumbers(count, (from += 1_000));
    const told = async () => {
      const { items } = await listAttention(ledger().db, {
        kind: "step_failing",
        resolved: false,
        limit: 50,
      });
      return items;
    };
    /** A try as Temporal makes it. */
    const attempt = (nth: number) =>
      new MockActivityEnvironment({ attempt: nth }, { logger: new DefaultLogger("ERROR") });
    beforeAll(async () => {
      stepping = await openStepping();
    });
    beforeEach(() => {
      aheadMs = 0;
      stillMs = undefined;
      // What is counted is counted by process: each test is one of its own.
      deps = { ...stepping.depsOf({ ...ledger() }), now: () => (stillMs ?? Date.now()) + aheadMs };
    });
    afterEach(async () => {
      stepping.sandbox.faults.clear();
      await rows(ledger().db, sql`delete from attention`);
    });
    afterAll(() => stepping.close());

    it("planning: people hear why nobody is called, other campaigns go on, and it goes on once that is mended", async () => {
      const phones = people(3);
      const poisoned = await running(ledger(), phones, { ...SPEC, brand: "acme" }, Date.now());
      const sound = await running(ledger(), people(3), SPEC, Date.now());
      const { planBatch } = createActivities(deps);
      const plan = (campaignId: string, nth: number): Promise<PlanBatchResult> =>
        attempt(nth).run<[PlanBatchInput], PlanBatchResult, typeof planBatch>(planBatch, {
          campaignId,
          seenPlannings: 0,
        });
      await rows(
        ledger().db,
        sql.raw(`create function refuse_lease() returns trigger language plpgsql as $$
          begin
            if new.phone = '${phones[1]}' then raise exception 'a poisoned contact'; end if;
            return new;
          end $$`),
      );
      await rows(
        ledger().db,
        sql`create trigger refuse_lease before insert on attempts for each row execute function refuse_lease()`,
      );
      for (let nth = 1; nth <= 5; nth += 1) {
        expect(await told()).toEqual([]);
        await expect(plan(poisoned, nth)).rejects.toThrow("a poisoned contact");
      }
      const [entry] = await told();
      expect(entry).toMatchObject({ subject: `campaign ${poisoned} plan`, brand: "acme" });
      expect(entry?.summary).toContain("a poisoned contact");
      expect(entry?.remedy).toContain("nobody new is called");
      expect((await plan(sound, 1))?.batchIds).toHaveLength(1);
      await rows(ledger().db, sql`drop trigger refuse_lease on attempts`);
      expect((await plan(poisoned, 6))?.batchIds).toHaveLength(1);
      expect(await told()).toEqual([]);
      expect((await contactsOf(ledger(), poisoned)).map(({ state }) => state)).toEqual([
        "leased",
        "leased",
        "leased",
      ]);
    });

    it("any of them, where the ledger is away: it waits until that is back, and is tried again at once then", async () => {
      const campaignId = randomUUID();
      const { away, looks } = ledgerAway(ledger());
      const { planBatch } = createActivities({ ...deps, ledger: away.ledger });
      let isOver = false;
      const trying = attempt(9)
        .run<[PlanBatchInput], PlanBatchResult, typeof planBatch>(planBatch, { campaignId, seenPlannings: 0 })
        .catch((error: unknown) => error)
        .finally(() => (isOver = true));
      await until("it to be looked for again and again", () => looks() > 3);
      expect(isOver).toBe(false);
      away.isBack = true;
      const failure = (await trying) as ApplicationFailure;
      expect(failure.type).toBe("LedgerUnavailable");
      expect(failure.nextRetryDelay).toBeLessThan(2_000);
    });

    it("any of them, where the ledger is away, and nobody waits for the step any more", async () => {
      const campaignId = randomUUID();
      const { away, looks } = ledgerAway(ledger());
      const { planBatch } = createActivities({ ...deps, ledger: away.ledger });
      const environment = attempt(9);
      const trying = environment
        .run<[PlanBatchInput], PlanBatchResult, typeof planBatch>(planBatch, { campaignId, seenPlannings: 0 })
        .catch((error: unknown) => error);
      await until("it to be looked for", () => looks() > 0);
      environment.cancel();
      expect(await trying).toMatchObject({ type: "LedgerUnavailable" });
    });

    it("any of them, where the ledger answers and one of its statements does not: tries come apart as others do", async () => {
      const { away } = ledgerAway(ledger());
      away.isBack = true;
      const { planBatch } = createActivities({ ...deps, ledger: away.ledger });
      const input = { campaignId: randomUUID(), seenPlannings: 0 };
      const trying = attempt(9).run<[PlanBatchInput], PlanBatchResult, typeof planBatch>(planBatch, input);
      const failure = await trying.catch((error: unknown) => error);
      expect(failure).toMatchObject({ type: "LedgerUnavailable" });
      expect(failure).toHaveProperty("nextRetryDelay", undefined);
    });

    it("creating: a platform that answers none is one entry, and goes when it answers", async () => {
      const { createBatch } = createActivities(deps);
      const batchIds: string[] = [];
      for (let n = 0; n < 3; n += 1)
        batchIds.push(...(await planSome(deps, await running(ledger(), people(2), SPEC, Date.now()))));
      stepping.sandbox.faults.add({ kind: "status", route: CREATE, status: 503 });
      stillMs = Date.now();
      for (let nth = 1; nth <= 6; nth += 1) {
        for (const batchId of batchIds)
          expect(await attempt(1).run(createBatch, { batchId })).toMatchObject({ next: "create" });
        if (nth < 6) expect(await told()).toEqual([]);
        aheadMs += deps.pace.batchLookMs / 5;
      }
      const isAway = [{ subject: "platform", summary: expect.stringContaining("503") }];
      expect(await told()).toMatchObject(isAway);
      stillMs = undefined;
      const [first = "", over = ""] = batchIds;
      // Steps that succeed without an answer say nothing of the platform.
      const answers = deps.platform.answers();
      stepping.sandbox.faults.add({ kind: "status", route: "*", status: 503 });
      await rows(ledger().db, sql`update batches set state = 'settled', held = 0 where id = ${over}::uuid`);
      const { startBatch, tendBatch } = createActivities(deps);
      await attempt(1).run(createBatch, { batchId: over });
      await attempt(1).run(startBatch, { batchId: over });
      await attempt(1).run(tendBatch, { batchId: over });
      expect(deps.platform.answers()).toBe(answers);
      expect(await told()).toMatchObject(isAway);
      stepping.sandbox.faults.clear();
      expect(await attempt(1).run(createBatch, { batchId: first })).toMatchObject({ next: "start" });
      expect(await told()).toEqual([]);
    });

    it("creating: a batch that is created again wakes those whose tries have come to be far apart, once a minute", async () => {
      const ids: string[] = [];
      for (let n = 0; n < 3; n += 1)
        ids.push(...(await planSome(deps, await running(ledger(), people(2), SPEC, Date.now()))));
      const [ends = "", near = "", far = ""] = ids;
      const tried = (id: string, times: number) =>
        rows(
          ledger().db,
          sql`update batches set create_no = ${times}, trouble = 'not_created', trouble_since = now() where id = ${id}::uuid`,
        );
      await tried(ends, 61);
      await tried(near, 59);
      await tried(far, 60);
      const woken: string[] = [];
      const waking = { ...deps, wake: { ...deps.wake, batch: (id: string) => void woken.push(id) } };
      await endOfCreateTrouble(waking, ends);
      expect(woken).toEqual([far]);
      expect((await readBatch(ledger().db, ends))?.trouble).toBeUndefined();
      await endOfCreateTrouble(waking, near);
      expect(woken).toEqual([far]);
      // Nobody looks at them in the tests that follow.
      await rows(ledger().db, sql`update campaigns set look_by = null where look_by is not null`);
    });

    it("looking at what is overdue: one workflow that can't be asked after keeps no other from being started", async () => {
      const ids = [
        await running(ledger(), people(1), SPEC, Date.now()),
        await running(ledger(), people(1), SPEC, Date.now()),
        await running(ledger(), people(1), SPEC, Date.now()),
      ];
      const [, broken = ""] = ids;
      const started: string[] = [];
      let isBroken = true;
      // A server that is there, and knows one workflow less well than the others.
      const client = {
        withDeadline: (_deadline: number, ask: () => Promise<unknown>) => ask(),
        workflow: {
          getHandle: (workflowId: string) => ({
            describe: () =>
              isBroken && workflowId.endsWith(broken)
                ? Promise.reject(new TypeError("a memo that can't be decoded"))
                : Promise.reject(new WorkflowNotFoundError("not found", workflowId, undefined)),
          }),
          start: (_type: string, { workflowId }: { workflowId: string }) =>
            Promise.resolve(void started.push(workflowId)),
        },
      } as never as Client;
      const handlers = createRelayHandlers({
        client,
        ledger: deps.ledger,
        log: deps.log,
        now: deps.now,
        maskPhone: String,
        takeTurn: () => Promise.resolve({ next: "done" }),
        paceStart: async () => {},
        takeDelivery: async () => {},
        lookAtCall: async () => {},
        keepOnPlatform: async () => {},
      });
      // Nothing moves them: each time that they are overdue anew they are looked at.
      const look = (nth: number) =>
        lookBeforeDialing({ ...deps, now: () => Date.now() + nth * 2 * 3_600_000 }, handlers);
      for (let nth = 1; nth <= 5; nth += 1) await look(nth);
      for (const id of ids)
        expect(started.filter((workflowId) => workflowId === `campaign-${id}`)).toHaveLength(
          id === broken ? 0 : 5,
        );
      expect(await told()).toMatchObject([
        {
          subject: `campaign ${broken} hand on`,
          summary: expect.stringContaining("a memo that can't be decoded"),
        },
      ]);
      isBroken = false;
      await look(6);
      expect(started).toContain(`campaign-${broken}`);
      expect(await told()).toEqual([]);
    });

    it("looking at overdue follow-ups: one whose workflow can't be asked after is told all the same, and so are the others", async () => {
      const rules = { actions: [{ tag: { tag: "warm" } }] };
      const ids = [await answered(ledger(), rules), await answered(ledger(), rules)];
      const [broken = ""] = ids;
      const client = {
        withDeadline: (_deadline: number, ask: () => Promise<unknown>) => ask(),
        workflow: {
          getHandle: (workflowId: string) => ({
            describe: () =>
              Promise.reject(
                workflowId.endsWith(broken)
                  ? new TypeError("a memo that can't be decoded")
                  : new WorkflowNotFoundError("not found", workflowId, undefined),
              ),
          }),
        },
      } as never as Client;
      await rows(ledger().db, sql`delete from outbox`);
      const overdue = sql.join(
        ids.map((id) => sql`${id}::uuid`),
        sql`, `,
      );
      await rows(ledger().db, sql`update follow_ups set look_by = now() where id in (${overdue})`);
      await overdueLooks({ ...deps, client, kick: () => {} }).look();
      const waiting = await rows<{ subject: string }>(
        ledger().db,
        sql`select subject from outbox where kind = 'follow_up_due'`,
      );
      expect(waiting.map(({ subject }) => subject).toSorted()).toEqual(ids.toSorted());
      await rows(ledger().db, sql`update follow_ups set look_by = null where id in (${overdue})`);
      await rows(ledger().db, sql`delete from outbox`);
    });

    it("tending a batch whose record makes no sense: its people are settled by their items all the same", async () => {
      const phones = people(3);
      for (const phone of phones) stepping.sandbox.outcomes.force(phone, ["answered"]);
      const campaignId = await running(ledger(), phones, SPEC, Date.now());
      const [batchId = ""] = await planSome(deps, campaignId);
      const { createBatch, startBatch, tendBatch } = createActivities(deps);
      await attempt(1).run(createBatch, { batchId });
      await attempt(1).run(startBatch, { batchId });
      const id = given((await batchOf(ledger(), batchId)).platformBatchId);
      stepping.sandbox.faults.add({ kind: "garble", route: "GET /v1/batch-calls/:id", id, row: ["nothing"] });
      await until("the batch to be settled", async () => {
        await attempt(1)
          .run(tendBatch, { batchId })
          .catch((error: unknown) =>
            expect(error).toMatchObject({ message: expect.stringContaining("not as documented") }),
          );
        return (await readBatch(ledger().db, batchId))?.state === "settled";
      });
      expect((await contactsOf(ledger(), campaignId)).map(({ outcome }) => outcome)).toEqual([
        "answered",
        "answered",
        "answered",
      ]);
      expect(await told()).toEqual([]);
    });
  });
});
