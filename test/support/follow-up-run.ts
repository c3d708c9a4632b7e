import { sql } from "drizzle-orm";

import { rows } from "../../src/ledger/ground/connection.ts";
import type { Platform } from "../../src/platform/index.ts";
import type { Engine, Starter } from "./engine.ts";
import { phoneNumbers, startTestCampaign } from "./engine.ts";
import type { Receiver } from "./receiver.ts";
import { until } from "./until.ts";

/** How much of what follows calls goes wrong. Shares, 0 to 1. */
export interface Trouble {
  /** Executions of the automation that fail. */
  executions: number;
  /** Starts of it that are carried out, and whose answer is cut off. */
  lostAnswers: number;
  /** Deliveries that are answered with an error, or not at all. */
  deliveries: number;
  /** Numbers whose deliveries the receiver never takes. */
  beyondRepair: readonly string[];
}

/** The engine that is to do it, in this process or in others. */
export type FollowUpEngine = Starter & Pick<Engine, "sandbox"> & { readonly deps: { platform: Platform } };

export interface FollowUpRun {
  campaignId: string;
  workflowId: string;
  tookMs: number;
}

const EXECUTE = "POST /v1/workflows/:id/execute";

/**
 * Calls so many people, all of whom answer, and has an automation run and a webhook delivered after each call, with
 * trouble on both. Returns when every follow-up has come to its end.
 */
export async function runFollowUps(
  engine: FollowUpEngine,
  receiver: Receiver,
  options: { calls: number; trouble: Trouble; random: () => number; boundMs: number },
): Promise<FollowUpRun> {
  const { calls, trouble, random } = options;
  const { platform } = engine.deps;
  const { workflow_id: workflowId } = await platform.workflows.create({
    name: "tell the CRM",
    trigger_type: "webhook",
    workflow_json: { nodes: [] },
  });
  await platform.workflows.deploy(workflowId);
  engine.sandbox.faults.add({ kind: "execution", outcome: "failed", share: trouble.executions });
  engine.sandbox.faults.add({ kind: "drop_after", route: EXECUTE, share: trouble.lostAnswers });
  receiver.answer = ({ body }) => {
    if (trouble.beyondRepair.some((phone) => body.includes(phone))) return { status: 410 };
    if (random() >= trouble.deliveries) return { status: 200 };
    return { status: random() < 0.7 ? 500 : 0 };
  };
  const startedMs = Date.now();
  const campaignId = await startTestCampaign(engine, phoneNumbers(calls), {
    concurrency: Math.min(calls, 100),
    follow_ups: [
      {
        id: "tell",
        mode: "parallel",
        actions: [
          {
            automation: {
              workflow_id: workflowId,
              data: { phone: "contact.phone" },
              retry: { max_tries: 10, delays: ["1s"] },
            },
          },
          { webhook: { url: receiver.url, secret: "crm", retry: { max_tries: 20, delays: ["1s"] } } },
        ],
      },
    ],
  });
  await until(
    `${calls} follow-ups to come to their end`,
    async () => {
      const [count] = await rows<{ n: number }>(
        engine.ledger.db,
        sql`select count(*)::int as n from follow_ups where campaign_id = ${campaignId}::uuid and ended_at is not null`,
      );
      return count?.n === calls;
    },
    options.boundMs,
  );
  return { campaignId, workflowId, tookMs: Date.now() - startedMs };
}

/** How often each key was taken: deliveries that were answered well, and executions that ended well. */
export async function whatArrived(
  engine: Pick<FollowUpEngine, "deps">,
  receiver: Receiver,
  { workflowId }: FollowUpRun,
): Promise<{ delivered: Map<string, number>; executed: Map<string, number>; tryKeys: string[] }> {
  const delivered = new Map<string, number>();
  for (const { status, headers } of receiver.received) {
    if (status === 200) count(delivered, String(headers["webhook-id"]));
  }
  const executed = new Map<string, number>();
  const tryKeys: string[] = [];
  for await (const execution of engine.deps.platform.workflows.iterateExecutions(workflowId, {
    limit: 1_000,
  })) {
    const input = execution["input_snapshot"] as { idempotency_key: string; try_key: string };
    tryKeys.push(input.try_key);
    if (execution.status === "success") count(executed, input.idempotency_key);
  }
  return { delivered, executed, tryKeys };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
