import {
  ApplicationFailure,
  condition,
  continueAsNew,
  isCancellation,
  log,
  ParentClosePolicy,
  setCurrentDetails,
  setHandler,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from "@temporalio/workflow";
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";

import { isOver, type CampaignState } from "../domain/campaigns/campaign-state.ts";
import type { PlanResult } from "../ledger/campaigns/planning.ts";
import { batchWorkflowId } from "../temporal/workflow-ids.ts";
import { SEARCHABLE, searchAttributeOfState, searchAttributesOf } from "../temporal/search-attribute-keys.ts";
import { batchSummary } from "../temporal/summaries.ts";
import { batchWorkflow } from "./batch.ts";
import { progressQuery, wakeSignal } from "./messages.ts";
import { engine, followersBeside } from "./proxies.ts";

export interface CampaignWorkflowInput {
  campaignId: string;
  /** How often earlier runs saw it planned: a ledger that has it planned less often was restored. */
  seenPlannings: number;
}

export interface CampaignWorkflowResult {
  state: CampaignState;
}

/** After a failure that retrying does not mend, which a person may. */
const AFTER_FAILURE_MS = 10_000;

/**
 * A campaign's lifecycle and clock: plan, start what was planned, wait for a wake-up or for the time that
 * planning gave. Everything about contacts and slots is the ledger's; nothing of it is held here.
 */
export async function campaignWorkflow(input: CampaignWorkflowInput): Promise<CampaignWorkflowResult> {
  const { campaignId } = input;
  const followers = followersBeside(workflowInfo().taskQueue);
  let { seenPlannings } = input;
  let woken = false;
  let following = false;
  let plan: PlanResult | undefined;
  const isSearchable = workflowInfo().memo?.[SEARCHABLE] === true;
  let foundAs: CampaignState | undefined;
  const handed = new Set<string>();

  setHandler(wakeSignal, () => {
    woken = true;
  });
  setHandler(progressQuery, () => plan);

  /** One follower while batches are under way; it ends by itself when none is. */
  const keepFollowed = async () => {
    following = true;
    try {
      await followers.followCampaign({ campaignId });
    } catch (error) {
      if (isCancellation(error)) return;
      log.warn("the follower failed and will be started again", { campaignId, error });
    } finally {
      following = false;
    }
    woken = true;
  };

  for (;;) {
    woken = false;
    try {
      const startedAtMs = workflowInfo().startTime.getTime();
      plan = await engine.planBatch({ campaignId, seenPlannings, startedAtMs });
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.error("planning failed", { campaignId, error });
      await condition(() => woken, AFTER_FAILURE_MS);
      continue;
    }
    // It does not end well: that would say that the ledger knows it to be over.
    if (!plan) throw ApplicationFailure.nonRetryable(`the ledger does not have campaign ${campaignId}`);
    if (isSearchable && plan.state !== foundAs) {
      foundAs = plan.state;
      upsertSearchAttributes([searchAttributeOfState(foundAs)]);
    }
    if (isOver(plan.state)) return { state: plan.state };
    seenPlannings = Math.max(seenPlannings, plan.plannings);
    await handOver(plan, handed);
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof campaignWorkflow>({ campaignId, seenPlannings });
    if (plan.liveBatches > 0 && !following) void keepFollowed();
    const stands = standOf(plan);
    setCurrentDetails(
      `${stands}; plans again at ${new Date(Date.now() + plan.waitMs).toISOString()} at the latest`,
    );
    await condition(() => woken, plan.waitMs, { summary: stands });
  }
}

/**
 * Starts the workflows of planned batches, which outlive this one, and waits until each start is confirmed: a
 * child that is only initiated when a run ends is never started.
 */
async function handOver({ batchIds, plannedAtMs }: PlanResult, handed: Set<string>): Promise<void> {
  const { memo = {} } = workflowInfo();
  const { name } = memo;
  for (const batchId of handed) if (!batchIds.includes(batchId)) handed.delete(batchId);
  const fresh = batchIds.filter((batchId) => !handed.has(batchId));
  await Promise.all(
    fresh.map(async (batchId) => {
      try {
        await startChild(batchWorkflow, {
          workflowId: batchWorkflowId(batchId),
          args: [{ batchId, plannedAtMs }],
          staticSummary: batchSummary(typeof name === "string" ? name : undefined),
          memo,
          ...(memo[SEARCHABLE] === true && { typedSearchAttributes: searchAttributesOf(memo) }),
          parentClosePolicy: ParentClosePolicy.ABANDON,
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
      handed.add(batchId);
    }),
  );
}

/** How it stands, for people who look into Temporal. */
function standOf({ state, liveBatches, heldSlots, tallies }: PlanResult): string {
  return `${state}: ${tallies.open} to call, ${tallies.done} done, ${liveBatches} batches under way on ${heldSlots} lines`;
}
