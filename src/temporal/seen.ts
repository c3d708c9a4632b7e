import { WorkflowNotFoundError, type Client } from "@temporalio/client";

/** A server that hangs must not hold up whoever asks. */
const DEADLINE_MS = 10_000;

/**
 * Whether a workflow is under way. `awake`: it has something to do, for which it waits for a worker at the most.
 * `asleep`: it waits for its timer, or to be woken.
 */
export async function seenAt(client: Client, workflowId: string): Promise<"gone" | "awake" | "asleep"> {
  try {
    const { status, raw } = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflow.getHandle(workflowId).describe(),
    );
    if (status.name !== "RUNNING") return "gone";
    const isAwake = Boolean(raw.pendingWorkflowTask) || (raw.pendingActivities ?? []).length > 0;
    return isAwake ? "awake" : "asleep";
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return "gone";
    throw error;
  }
}
