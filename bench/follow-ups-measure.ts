import { sql } from "drizzle-orm";

import { rows } from "../src/ledger/ground/connection.ts";
import { phoneNumbers } from "../test/support/engine.ts";
import { runFollowUps, whatArrived } from "../test/support/follow-up-run.ts";
import { peakResidentMb } from "../test/support/processes.ts";
import { seededRandom } from "../test/support/random.ts";
import { startReceiver } from "../test/support/receiver.ts";
import { between, each, openMeasuredSystem, type Spent } from "./measured-system.ts";

export interface FollowUpsInput {
  calls: number;
  speed: number;
  postgresUrl: string;
  cacheDir: string;
}

/** What the follow-ups of one campaign cost, its calls included, and what arrived of them. */
export interface FollowUpsMeasure {
  calls: number;
  seconds: number;
  callsPerSecond: number;
  /** Follow-ups and actions by state. */
  followUps: Record<string, number>;
  actions: Record<string, number>;
  /** Tries that were made, by kind of action. */
  tries: Record<string, number>;
  /** Entries on the list that people see. */
  attention: number;
  beyondRepair: number;
  /** Webhook ids that were taken; those taken more than once (their receivers' ids show it). */
  delivered: number;
  deliveredTwice: number;
  /** Idempotency keys of executions that ended well; those that did so more than once. */
  executed: number;
  executedTwice: number;
  spent: Spent;
  perCall: { actions: number; requests: number; statements: number; transactions: number };
  workerPeakMb: number | undefined;
}

/** A fifth of what is tried fails, and a few receivers are gone for good. */
const SHARE = 0.2;
const GONE = 20;

/** Calls so many, all of whom answer, with an automation and a webhook after each call, and counts. */
export async function measureFollowUps(input: FollowUpsInput): Promise<FollowUpsMeasure> {
  const system = await openMeasuredSystem({
    ...input,
    sandbox: {
      speed: input.speed,
      simulator: {
        unreachableShare: 0,
        weights: { answered: 1, voicemail: 0, no_answer: 0, busy: 0, failed: 0 },
      },
    },
  });
  const receiver = await startReceiver();
  try {
    const worker = await system.start("worker");
    const { ledger, client, sandbox, platform } = system;
    const engine = { ledger, client, sandbox, deps: { platform } };
    const beyondRepair = phoneNumbers(Math.min(GONE, input.calls), 7);
    const before = await system.spent();
    const run = await runFollowUps(engine, receiver, {
      calls: input.calls,
      trouble: { executions: SHARE, lostAnswers: SHARE / 10, deliveries: SHARE, beyondRepair },
      random: seededRandom("follow-ups"),
      boundMs: 90 * 60_000,
    });
    const spent = between(before, await system.spent());
    const { delivered, executed } = await whatArrived(engine, receiver, run);
    const counted = async (statement: ReturnType<typeof sql>) =>
      Object.fromEntries(
        (await rows<{ name: string; n: number }>(ledger.db, statement)).map(({ name, n }) => [name, n]),
      );
    const seconds = run.tookMs / 1_000;
    const twice = (counts: Map<string, number>) => [...counts.values()].filter((n) => n > 1).length;
    const attention = await counted(
      sql`select kind as name, count(*)::int as n from attention where resolved_at is null group by 1`,
    );
    return {
      calls: input.calls,
      seconds,
      callsPerSecond: each(input.calls, seconds),
      followUps: await counted(sql`select state as name, count(*)::int as n from follow_ups group by 1`),
      actions: await counted(
        sql`select kind || ' ' || state as name, count(*)::int as n from actions group by 1`,
      ),
      tries: await counted(sql`select kind as name, sum(tries)::int as n from actions group by 1`),
      attention: Object.values(attention).reduce((all, n) => all + n, 0),
      beyondRepair: beyondRepair.length,
      delivered: delivered.size,
      deliveredTwice: twice(delivered),
      executed: executed.size,
      executedTwice: twice(executed),
      spent,
      perCall: {
        actions: each(spent.actionTotal, input.calls),
        requests: each(spent.requestTotal, input.calls),
        statements: each(spent.statements, input.calls),
        transactions: each(spent.transactions, input.calls),
      },
      workerPeakMb: peakResidentMb(worker.child.pid ?? 0),
    };
  } finally {
    await receiver.close();
    await system.close();
  }
}
