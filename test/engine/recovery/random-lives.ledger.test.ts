import {
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type Client,
} from "@temporalio/client";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { noteStep } from "../../../src/activities/campaigns/batch-step.ts";
import { planBatch } from "../../../src/activities/campaigns/plan-batch.ts";
import { paceAt, type ActivityDeps } from "../../../src/activities/deps.ts";
import { performAction } from "../../../src/activities/follow-ups/actions/perform-action.ts";
import { tendFollowUp } from "../../../src/activities/follow-ups/tend-follow-up.ts";
import { advanceEnrolment } from "../../../src/activities/sequences/advance.ts";
import { rows, type Db, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { GRACE_MS } from "../../../src/ledger/ground/look-by.ts";
import { claimOutbox, OUTBOX_KINDS } from "../../../src/ledger/ground/outbox.ts";
import type { Platform } from "../../../src/platform/index.ts";
import { overdueLooks } from "../../../src/temporal/overdue.ts";
import { createRelayHandlers } from "../../../src/temporal/relay-handlers.ts";
import { workOff } from "../../../src/temporal/relay-row.ts";
import { END, enrolled, written } from "../../ledger/support/enrolling.ts";
import { answered } from "../../ledger/support/follow-up-scenario.ts";
import { freshPhones, plan, running } from "../../ledger/support/scenario.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { sized } from "../../support/long.ts";
import { noFollowUpPorts } from "../../support/ports.ts";
import { seededRandom } from "../../support/random.ts";

/*
 * Random lives: the real ledger, turns, relay and looks at what is overdue, over a Temporal of a few lines that loses
 * what it is told to lose, by a clock that a test sets forward. Processes die at any statement and after any answer,
 * signals and workflows are lost, all of Temporal's data is, and Temporal is away. When that stops, everything that is
 * open moves within its bound, whatever was lost, and comes to the end that it would have come to.
 */

const LIVES = sized({ short: 3, long: 60 });

/** How many times in a row the world may be against one thing: its grace is 1, 2, 4, then 8 minutes. */
const MOST_AGAINST = 3;
const WORST_LATENESS_MS = 15 * GRACE_MS;

const MINUTE_MS = 60_000;

/** Of the clock, once nothing is lost any more. */
const STEP_MS = 2 * MINUTE_MS;

class KilledError extends Error {
  override readonly name = "KilledError";
}

/** A process's way to the ledger, which dies after so many statements. */
function mortal(ledger: Ledger, statements: number): Ledger {
  let left = statements;
  const wrap = (db: Db): Db =>
    new Proxy(db, {
      get(target, name, receiver) {
        if (name !== "execute") return Reflect.get(target, name, receiver) as unknown;
        return (statement: Parameters<Db["execute"]>[0]) => {
          left -= 1;
          return left < 0 ? Promise.reject(new KilledError("kill -9")) : target.execute(statement);
        };
      },
    });
  return {
    ...ledger,
    db: wrap(ledger.db),
    transaction: (work) => ledger.transaction((tx) => work(wrap(tx))),
  };
}

interface Workflow {
  type: string;
  argument: Record<string, string>;
  status: "RUNNING" | "COMPLETED" | "TERMINATED";
  dueMs: number;
  endedAtMs: number | undefined;
}

describeSomeLedger("whatever is lost, what is open goes on within its bound", (ledger) => {
  /** One life: what is open, a Temporal, and the clock. */
  async function openLife(random: () => number) {
    let nowMs = Date.now();
    let isHostile = true;
    let isAway = false;
    const workflows = new Map<string, Workflow>();
    const chance = (share: number) => isHostile && random() < share;
    const now = () => nowMs;

    const start = (type: string, workflowId: string, argument: Record<string, string>) => {
      workflows.set(workflowId, { type, argument, status: "RUNNING", dueMs: nowMs, endedAtMs: undefined });
    };
    const runs = (workflowId: string) => {
      const found = workflows.get(workflowId);
      return found?.status === "RUNNING" ? found : undefined;
    };
    /** Who was told in vain several times is told. */
    const mayBeLost = async (workflowId: string): Promise<boolean> => {
      if (!chance(0.3)) return false;
      const id = workflowId.slice(-36);
      for (const table of ["campaigns", "batches", "enrolments", "follow_ups"]) {
        const [row] = await rows<{ unmoved: number }>(
          ledger().db,
          sql`select unmoved from ${sql.raw(table)} where id = ${id}::uuid`,
        );
        if (row) return row.unmoved < MOST_AGAINST;
      }
      return true;
    };
    const answer = async <T>(work: () => T | Promise<T>): Promise<T> => {
      if (isAway) throw new ServiceError("Temporal is away");
      return work();
    };
    const client = {
      withDeadline: (_atMs: number, ask: () => Promise<unknown>) => ask(),
      workflow: {
        getHandle: (workflowId: string) => ({
          describe: () =>
            answer(() => {
              const found = workflows.get(workflowId);
              if (!found) throw new WorkflowNotFoundError("not found", workflowId, undefined);
              const closeTime = found.endedAtMs === undefined ? undefined : new Date(found.endedAtMs);
              return { status: { name: found.status }, closeTime };
            }),
          signal: () =>
            answer(async () => {
              const found = runs(workflowId);
              if (!found) throw new WorkflowNotFoundError("not found", workflowId, undefined);
              if (!(await mayBeLost(workflowId))) found.dueMs = nowMs;
            }),
        }),
        start: (type: string, { workflowId, args }: { workflowId: string; args: [Record<string, string>] }) =>
          answer(async () => {
            if (runs(workflowId)) throw new WorkflowExecutionAlreadyStartedError("it runs", workflowId, type);
            if (!(await mayBeLost(workflowId))) start(type, workflowId, args[0]);
          }),
        signalWithStart: (
          type: string,
          { workflowId, args }: { workflowId: string; args: [Record<string, string>] },
        ) =>
          answer(async () => {
            if (await mayBeLost(workflowId)) return;
            const found = runs(workflowId);
            if (found) found.dueMs = nowMs;
            else start(type, workflowId, args[0]);
          }),
      },
    } as never as Client;

    const delivered = new Map<string, number>();
    const depsOn = (over: Ledger): ActivityDeps => ({
      ...noFollowUpPorts(),
      ledger: over,
      // Its clock goes as ours does.
      platform: { clock: () => ({ platformMs: 0, localMs: 0, ageMs: 0 }), answers: () => 0 } as Platform,
      wake: { campaign() {}, batch() {} },
      outbound: {
        async request({ headers }) {
          const id = headers["webhook-id"] ?? "";
          delivered.set(id, (delivered.get(id) ?? 0) + 1);
          const status = chance(0.3) ? 500 : 200;
          return { status, headers: {}, body: "", retryAfterMs: undefined };
        },
        close: async () => {},
      },
      pace: paceAt(1),
      log: { info() {}, warn() {}, error() {} },
      now,
    });
    const process = () => depsOn(chance(0.25) ? mortal(ledger(), Math.floor(random() * 12)) : ledger());

    const relay = async () => {
      const deps = process();
      const handlers = createRelayHandlers({
        client,
        ledger: deps.ledger,
        log: deps.log,
        now,
        takeTurn: (enrolmentId) => advanceEnrolment(deps, { enrolmentId }),
        paceStart: async () => {},
        maskPhone: String,
        takeDelivery: async () => {},
        lookAtCall: async () => {},
        keepOnPlatform: async () => {},
      });
      const claim = { kinds: OUTBOX_KINDS, limit: 50, leaseMs: 15_000, nowMs };
      for (const row of await claimOutbox(deps.ledger.db, claim)) {
        const lane = { restMs: 0, restsUntilMs: 0 };
        await workOff(
          { ledger: deps.ledger, handlers, isPlatformAway: () => false, log: deps.log, now },
          lane,
          row,
        );
      }
    };
    const look = async () => {
      const { ledger: over, log } = process();
      await overdueLooks({ client, ledger: over, kick() {}, log, now }).look();
    };

    /** Takes the next step of a workflow, as a worker would. Returns when it is due again; undefined: it is over. */
    const stepOf = async (deps: ActivityDeps, { type, argument }: Workflow): Promise<number | undefined> => {
      const { campaignId = "", batchId = "", enrolmentId = "", followUpId = "" } = argument;
      const performAll = async (actionIds: readonly string[]) => {
        const waits = [];
        for (const actionId of actionIds) waits.push((await performAction(deps, { actionId })).waitMs ?? 0);
        return nowMs + Math.min(...waits);
      };
      switch (type) {
        case "campaignWorkflow": {
          const planned = await planBatch(deps, { campaignId, seenPlannings: 0 });
          return nowMs + (planned?.waitMs ?? MINUTE_MS);
        }
        case "batchWorkflow": {
          const { waitMs } = await noteStep(deps, batchId, { next: "tend", waitMs: 15 * MINUTE_MS });
          return nowMs + waitMs;
        }
        case "sequenceWorkflow": {
          const step = await advanceEnrolment(deps, { enrolmentId, startedAtMs: nowMs });
          return step.next === "act" ? performAll([step.actionId]) : undefined;
        }
        default: {
          const looked = await tendFollowUp(deps, { followUpId, startedAtMs: nowMs });
          if (looked.done) return undefined;
          return looked.actionIds.length > 0 ? performAll(looked.actionIds) : nowMs + looked.waitMs;
        }
      }
    };
    const work = async () => {
      for (const [workflowId, workflow] of workflows) {
        if (workflow.status !== "RUNNING" || workflow.dueMs > nowMs) continue;
        try {
          const dueMs = await stepOf(process(), workflow);
          // Its answer is lost with the process: it is done again.
          if (chance(0.1)) continue;
          if (workflows.get(workflowId) !== workflow) continue;
          if (dueMs === undefined) Object.assign(workflow, { status: "COMPLETED", endedAtMs: nowMs });
          else workflow.dueMs = Math.max(dueMs, nowMs + 1_000);
        } catch (error) {
          if (!(error instanceof KilledError) && !String(error).includes("KilledError")) throw error;
        }
      }
    };
    const harm = () => {
      isAway = chance(0.1);
      if (chance(0.01)) workflows.clear();
      for (const workflow of workflows.values())
        if (workflow.status === "RUNNING" && chance(0.02)) workflow.status = "TERMINATED";
    };
    const killable = async (turn: () => Promise<void>) => {
      try {
        await turn();
      } catch (error) {
        if (!(error instanceof KilledError) && !String(error).includes("KilledError")) throw error;
      }
    };
    return {
      delivered,
      now,
      becalm() {
        isHostile = false;
        isAway = false;
      },
      async step(ms: number) {
        nowMs += ms;
        harm();
        await killable(look);
        await killable(relay);
        await work();
        await killable(relay);
      },
    };
  }

  /** How late what is open is, at the worst, and what. */
  const worstLateness = async (nowMs: number) => {
    const [worst] = await rows<{ what: string; late_ms: number }>(
      ledger().db,
      sql`select what, round(extract(epoch from (to_timestamp(${nowMs / 1_000}) - by)) * 1000)::float8 as late_ms from (
            select 'campaign ' || id as what, next_look_at as by from campaigns where ended_at is null union all
            select 'batch ' || id, look_by from batches where look_by is not null union all
            select 'follow-up ' || id, look_by from follow_ups where look_by is not null union all
            select 'enrolment ' || id, wake_at from enrolments where state = 'active' and wake_at is not null union all
            select 'action ' || id, coalesce(next_try_at, created_at) from actions where state = 'due' union all
            select 'told ' || kind || ' ' || subject, created_at from outbox) as open
          order by by limit 1`,
    );
    return worst ?? { what: "nothing", late_ms: 0 };
  };

  it.each(Array.from({ length: LIVES }, (_, nth) => nth + 1))("life %i", async (nth) => {
    const random = seededRandom(`lives ${nth}`);
    for (const table of ["enrolments", "follow_ups", "batches", "campaigns"])
      await rows(ledger().db, sql`update ${sql.raw(table)} set look_by = null`);
    await rows(ledger().db, sql`update campaigns set ended_at = now() where ended_at is null`);
    await rows(ledger().db, sql`delete from outbox`);
    const life = await openLife(random);

    const campaignIds = [
      await running(ledger(), freshPhones(2), { starts_at: "2099-01-01T00:00:00Z" }, life.now()),
      await running(ledger(), freshPhones(2), { concurrency: 1 }, life.now()),
    ];
    for (const id of campaignIds) await plan(ledger(), id, life.now());
    const { name } = await written(ledger(), [
      { id: "first", wait: { for: "10m" } },
      {
        id: "tell",
        webhook: { url: "https://example.com/hook" },
        on: { done: "second", failed: "second" },
      },
      { id: "second", wait: { for: "2h" } },
      END,
    ]);
    const enrolmentIds: string[] = [];
    const enter = async () => {
      const [phone = ""] = freshPhones(1);
      enrolmentIds.push(await enrolled(ledger(), name, { phone, nowMs: life.now() }));
    };
    for (let n = 0; n < 3; n += 1) await enter();
    const followUpId = await answered(ledger(), {
      actions: [{ webhook: { url: "https://example.com/after" } }, { tag: { tag: "warm" } }],
    });

    // Half an hour in which everything that can be lost is.
    for (let step = 0; step < 60; step += 1) {
      if (random() < 0.1) await enter();
      await life.step(30_000);
    }
    life.becalm();
    for (let calmMs = 0; calmMs < 3.5 * 60 * MINUTE_MS; calmMs += STEP_MS) {
      await life.step(STEP_MS);
      if (calmMs < WORST_LATENESS_MS + MINUTE_MS * 5) continue;
      const { what, late_ms: lateMs } = await worstLateness(life.now());
      expect(lateMs, what).toBeLessThan(GRACE_MS + 2 * STEP_MS);
    }

    const left = await rows(ledger().db, sql`select id, step, unmoved from enrolments where state <> 'done'`);
    expect(left).toEqual([]);
    const [followUp] = await rows<{ state: string }>(
      ledger().db,
      sql`select state from follow_ups where id = ${followUpId}::uuid`,
    );
    expect(followUp?.state).toBe("done");
    // No one of them was begun twice, and nothing that was lost speaks for a restore.
    expect(life.delivered.size).toBe(enrolmentIds.length + 1);
    expect((await readInstallation(ledger().db)).recoveryReason).toBeUndefined();
    const unmoved = await rows(
      ledger().db,
      sql`select id from campaigns where unmoved > 1 union all select id from batches where unmoved > 1`,
    );
    expect(unmoved).toEqual([]);
  });
});
