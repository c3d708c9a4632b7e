import { createBatch } from "../../src/activities/campaigns/create-batch.ts";
import { paceAt, type ActivityDeps } from "../../src/activities/deps.ts";
import { planBatch } from "../../src/activities/campaigns/plan-batch.ts";
import { startBatch } from "../../src/activities/campaigns/start-batch.ts";
import { tendBatch } from "../../src/activities/campaigns/tend-batch.ts";
import type { BatchStep } from "../../src/activities/campaigns/batch-step.ts";
import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { createPlatform, type Platform } from "../../src/platform/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { given } from "./ledgers.ts";
import { noFollowUpPorts } from "./ports.ts";
import { PATIENCE_MS } from "./until.ts";

/*
 * The engine's activities, one by one and by hand: real ledger, real sockets to a sandbox, and no Temporal, so
 * that a test decides what happens between two of them.
 */

export interface Stepping {
  readonly sandbox: Sandbox;
  readonly platform: Platform;
  depsOf(ledger: Ledger): ActivityDeps;
  close(): Promise<void>;
}

const SPEED = 100;

/** Longer than anything a test waits for takes. */
const BOUND_MS = PATIENCE_MS;

export async function openStepping(): Promise<Stepping> {
  const sandbox = await createSandbox({ speed: SPEED });
  const platform = createPlatform({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    timeouts: { wholeMs: 5_000, headersMs: 5_000 },
  });
  return {
    sandbox,
    platform,
    depsOf: (ledger) => ({
      ledger,
      platform,
      wake: { campaign() {}, batch() {} },
      ...noFollowUpPorts(),
      pace: { ...paceAt(SPEED), gatherMs: 0 },
      log: { info() {}, warn() {}, error() {} },
      now: Date.now,
    }),
    async close() {
      await platform.close();
      await sandbox.close();
    },
  };
}

/** Plans until a batch is there. Its ids. */
export async function planSome(deps: ActivityDeps, campaignId: string): Promise<string[]> {
  const deadlineMs = Date.now() + BOUND_MS;
  for (;;) {
    const plan = given(await planBatch(deps, { campaignId, seenPlannings: 0 }));
    if (plan.batchIds.length > 0) return plan.batchIds;
    if (Date.now() > deadlineMs) throw new Error(`nothing was planned; the campaign is ${plan.state}`);
    await pass(Math.min(plan.waitMs, 100));
  }
}

/** Plans one batch and takes it to its start. Its id. */
export async function beginOne(deps: ActivityDeps, campaignId: string): Promise<string> {
  const [batchId] = await planSome(deps, campaignId);
  await createBatch(deps, { batchId: given(batchId) });
  await startBatch(deps, { batchId: given(batchId) });
  return given(batchId);
}

/** Takes a batch from where it is to its end, as its workflow would. */
export async function takeToEnd(deps: ActivityDeps, batchId: string): Promise<void> {
  const deadlineMs = Date.now() + BOUND_MS;
  let step: BatchStep = await tendBatch(deps, { batchId });
  while (step.next !== "done") {
    if (Date.now() > deadlineMs)
      throw new Error(`batch ${batchId} came to no end; its next step is ${step.next}`);
    await pass(Math.min(step.waitMs, 50));
    step = await ACTIVITY_OF[step.next](deps, { batchId, lastStep: step.next });
  }
}

const ACTIVITY_OF = { create: createBatch, start: startBatch, tend: tendBatch } as const;

/** The engine's own waits, which the sandbox's clock runs through meanwhile. */
function pass(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
