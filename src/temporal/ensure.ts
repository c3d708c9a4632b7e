import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from "@temporalio/client";

import type { Ledger } from "../ledger/ground/connection.ts";
import { campaignWorkflowId, batchWorkflowId } from "./workflow-ids.ts";
import { readCampaign } from "../ledger/campaigns/campaigns.ts";
import { readBatch } from "../ledger/campaigns/batches.ts";
import { readInstallation } from "../ledger/ground/installation.ts";
import { faceOf, faceOfBatch, type Face } from "./faces.ts";
import { taskQueuesOf } from "./task-queues.ts";

/*
 * Whatever is under way in the ledger has its workflow. One that is missing is started from the ledger; one that has ended
 * well while the ledger says otherwise is told of, and what that means is its asker's to say.
 */

/** `ended`: its workflow came to its end, which the ledger does not know of. */
export type Found = "running" | "started" | "ended" | "over";

/** Makes sure that a campaign which is under way has its workflow. */
export function ensureCampaign(client: Client, ledger: Ledger, campaignId: string): Promise<Found> {
  return ensure(client, ledger, {
    type: "campaignWorkflow",
    workflowId: campaignWorkflowId(campaignId),
    input: { campaignId, seenPlannings: 0 },
    read: async () => {
      const campaign = await readCampaign(ledger.db, campaignId);
      return { isOver: campaign?.endedAtMs !== undefined, face: faceOf("Campaign", campaign ?? {}) };
    },
  });
}

/** The same for a batch. */
export function ensureBatch(client: Client, ledger: Ledger, batchId: string): Promise<Found> {
  return ensure(client, ledger, {
    type: "batchWorkflow",
    workflowId: batchWorkflowId(batchId),
    input: { batchId },
    read: async () => {
      const batch = await readBatch(ledger.db, batchId);
      const campaign = batch && (await readCampaign(ledger.db, batch.campaignId));
      return { isOver: batch?.state === "settled", face: faceOfBatch(campaign ?? {}) };
    },
  });
}

interface Wanted {
  type: "campaignWorkflow" | "batchWorkflow";
  workflowId: string;
  input: object;
  /** Asked again after Temporal was: it may have come to its end meanwhile. */
  read: () => Promise<{ isOver: boolean; face: Face }>;
}

async function ensure(client: Client, ledger: Ledger, wanted: Wanted): Promise<Found> {
  const execution = await describe(client, wanted.workflowId);
  if (execution?.status.name === "RUNNING") return "running";
  const { isOver, face } = await wanted.read();
  if (isOver) return "over";
  const installation = await readInstallation(ledger.db);
  if (execution?.status.name === "COMPLETED") {
    const { recoveredAtMs } = installation;
    const endedMs = execution.closeTime?.getTime() ?? Date.now();
    if (recoveredAtMs === undefined || endedMs > recoveredAtMs) return "ended";
  }
  try {
    await client.workflow.start(wanted.type, {
      workflowId: wanted.workflowId,
      taskQueue: taskQueuesOf(installation.installationId).engine,
      args: [wanted.input],
      ...face,
    });
    return "started";
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return "running";
    throw error;
  }
}

async function describe(client: Client, workflowId: string) {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}
