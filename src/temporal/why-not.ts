import type { Client } from "@temporalio/client";

import { taskQueuesOf } from "./task-queues.ts";
import { temporalWords } from "./words.ts";

/** Whoever waits for the cause has a list to write. */
const ASK_MS = 3_000;

/** A worker asks for work again at the latest after a minute, whether there was any or not. */
const ASKS_WITHIN_MS = 65_000;

/** Workflow tasks, in Temporal's own numbers. */
const WORKFLOW_QUEUE = 1;

/** Why workflows of an installation do not go on, as far as Temporal tells: in words, for people. */
export async function whyNothingMoves(
  { client, now }: { client: Client; now: () => number },
  installationId: string,
): Promise<string> {
  const { engine } = taskQueuesOf(installationId);
  try {
    const { pollers } = await client.withDeadline(Date.now() + ASK_MS, () =>
      client.workflowService.describeTaskQueue({
        namespace: client.options.namespace,
        taskQueue: { name: engine },
        taskQueueType: WORKFLOW_QUEUE,
      }),
    );
    const askedAtMs = (pollers ?? []).map(({ lastAccessTime: at }) => Number(at?.seconds ?? 0) * 1_000);
    const last = Math.max(0, ...askedAtMs);
    if (last === 0)
      return "no worker runs that would plan it: start one (`outdial worker`, or `outdial run`)";
    if (last < now() - ASKS_WITHIN_MS)
      return `no worker has asked for work since ${new Date(last).toISOString()}: see whether one runs (\`outdial worker\`)`;
    return "workers run, and its workflow does not go on: what the log of the workers says of it, and Temporal's web UI, tell more";
  } catch (error) {
    return `Temporal does not answer (${temporalWords(error)})`;
  }
}
