import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from "@temporalio/client";
import { optionalTsToMs } from "@temporalio/common/lib/time.js";

import { readBatch } from "../ledger/campaigns/batches.ts";
import { readCampaign } from "../ledger/campaigns/campaigns.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import { readInstallation, reportRestored, type Installation } from "../ledger/ground/installation.ts";
import { faceOf, faceOfBatch, type Face } from "./faces.ts";
import { taskQueuesOf } from "./task-queues.ts";
import { batchWorkflowId, campaignWorkflowId } from "./workflow-ids.ts";

/*
 * Whatever dials has its workflow, which is started from the ledger where Temporal does not have it: it takes up where
 * the ledger says that it stands.
 *
 * A workflow of a campaign or a batch ends well only when the ledger says that this is over. One that has ended while
 * the ledger says otherwise tells that the ledger is older than it: it was restored, and nothing dials until `outdial
 * recover` (I1). So none of these is started without having been looked at.
 */

/** `started`: for the first time, as far as anybody knows. `lost`: it had one, which Temporal does not know. */
export type Found = "running" | "started" | "lost" | "restored" | "over";

/** Makes sure that a campaign which is under way has its workflow. */
export function ensureCampaign(client: Client, ledger: Ledger, campaignId: string): Promise<Found> {
  return ensure(client, ledger, {
    what: `campaign ${campaignId}`,
    type: "campaignWorkflow",
    workflowId: campaignWorkflowId(campaignId),
    input: { campaignId, seenPlannings: 0 },
    read: async () => {
      const campaign = await readCampaign(ledger.db, campaignId);
      return {
        isOver: campaign?.endedAtMs !== undefined,
        isBegun: campaign?.nextLookAtMs !== undefined,
        face: faceOf("Campaign", campaign ?? {}),
      };
    },
  });
}

/** The same for a batch. */
export function ensureBatch(client: Client, ledger: Ledger, batchId: string): Promise<Found> {
  return ensure(client, ledger, {
    what: `batch ${batchId}`,
    type: "batchWorkflow",
    workflowId: batchWorkflowId(batchId),
    input: { batchId },
    read: async () => {
      const batch = await readBatch(ledger.db, batchId);
      const campaign = batch && (await readCampaign(ledger.db, batch.campaignId));
      return {
        isOver: batch?.state === "settled",
        isBegun: batch?.createdAtMs !== undefined,
        face: faceOfBatch(campaign ?? {}),
      };
    },
  });
}

interface Wanted {
  what: string;
  type: "campaignWorkflow" | "batchWorkflow";
  workflowId: string;
  input: object;
  /** Asked again after Temporal was: it may have come to its end meanwhile. */
  read: () => Promise<{ isOver: boolean; isBegun: boolean; face: Face }>;
}

async function ensure(client: Client, ledger: Ledger, wanted: Wanted): Promise<Found> {
  const { what, workflowId } = wanted;
  const seenIn = await readInstallation(ledger.db);
  const execution = await describeWorkflow(client, workflowId);
  if (execution?.status === "RUNNING") return "running";
  const { isOver, isBegun, face } = await wanted.read();
  if (isOver) return "over";
  if (execution && (await tellsOfRestore(client, ledger, { what, workflowId, execution, seenIn })))
    return "restored";
  try {
    await client.workflow.start(wanted.type, {
      workflowId,
      taskQueue: taskQueuesOf(seenIn.installationId).engine,
      args: [wanted.input],
      ...face,
    });
    return execution === undefined && isBegun ? "lost" : "started";
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return "running";
    throw error;
  }
}

/**
 * When its last run learned last what the ledger says. It may have ended any time later: what an activity has answered
 * waits in Temporal until a worker is there, and workers may be down while a ledger is restored and recovered.
 */
async function lastLearnedAt(client: Client, workflowId: string): Promise<number | undefined> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const last = events?.findLast((event) => event.activityTaskCompletedEventAttributes);
  return optionalTsToMs(last?.eventTime);
}

/** How a workflow's last run stands. */
export interface Execution {
  /** Of Temporal, in capitals. */
  status: string;
  endedAtMs: number | undefined;
}

/** Undefined: Temporal does not know of it. */
export async function describeWorkflow(client: Client, workflowId: string): Promise<Execution | undefined> {
  try {
    const { status, closeTime } = await client.workflow.getHandle(workflowId).describe();
    return { status: status.name, endedAtMs: closeTime?.getTime() };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

/**
 * Holds all dialing where a workflow has ended well of something that the ledger says to be under way. A recovery has
 * booked what was dialed before it: what was known before it says nothing any more.
 *
 * @param seen.seenIn the installation as it was before the workflow was looked at
 */
export async function tellsOfRestore(
  client: Client,
  ledger: Ledger,
  seen: { what: string; workflowId: string; execution: Execution; seenIn: Installation },
): Promise<boolean> {
  const { status, endedAtMs = Date.now() } = seen.execution;
  if (status !== "COMPLETED") return false;
  const { recoveredAtMs } = seen.seenIn;
  if (recoveredAtMs !== undefined) {
    if (endedAtMs <= recoveredAtMs) return false;
    const learnedAtMs = await lastLearnedAt(client, seen.workflowId);
    if (learnedAtMs !== undefined && learnedAtMs <= recoveredAtMs) return false;
  }
  const reason = `the workflow of ${seen.what} has ended, and the ledger says that it is under way: it was restored`;
  await reportRestored(ledger.db, { reason, seenIn: seen.seenIn, nowMs: Date.now() });
  return true;
}
