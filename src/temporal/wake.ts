import type { Client } from "@temporalio/client";
import { WorkflowNotFoundError } from "@temporalio/client";

import type { Wake } from "../activities/deps.ts";
import { batchWorkflowId, campaignWorkflowId } from "./workflow-ids.ts";

/** Signals are billed, and a history takes 10,000: what happens within this time is one wake-up. */
const AT_MOST_EVERY_MS = 1_000;

/** More workflows than any process wakes up within a second; beyond it, the oldest entry is forgotten. */
const REMEMBERED = 10_000;

/** A Temporal that is away is not waited for at the end. */
const FLUSH_BOUND_MS = 3_000;

export interface Waker extends Wake {
  /** Resolves when the wake-ups under way were delivered or given up, within some seconds. */
  flush(): Promise<void>;
}

/**
 * Wakes workflows up by a signal without payload: the first at once, those that follow within a second as one.
 * A workflow that is over, or a Temporal that is away, is no error: everybody looks by themselves, later.
 */
export function createWaker(client: Client, onError: (error: unknown, workflowId: string) => void): Waker {
  /** By the clock of the process: this machine's may be set back meanwhile. */
  const lastMs = new Map<string, number>();
  const pending = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  const send = (workflowId: string): void => {
    pending.delete(workflowId);
    lastMs.delete(workflowId);
    lastMs.set(workflowId, performance.now());
    for (const [oldest] of lastMs) {
      if (lastMs.size <= REMEMBERED) break;
      lastMs.delete(oldest);
    }
    const sent = client.workflow
      .getHandle(workflowId)
      .signal("wake")
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) onError(error, workflowId);
      })
      .finally(() => underWay.delete(sent));
    underWay.add(sent);
  };

  const wake = (workflowId: string): void => {
    if (pending.has(workflowId)) return;
    const waitMs =
      (lastMs.get(workflowId) ?? Number.NEGATIVE_INFINITY) + AT_MOST_EVERY_MS - performance.now();
    if (waitMs <= 0) send(workflowId);
    else
      pending.set(
        workflowId,
        setTimeout(() => send(workflowId), waitMs),
      );
  };

  return {
    campaign: (campaignId) => wake(campaignWorkflowId(campaignId)),
    batch: (batchId) => wake(batchWorkflowId(batchId)),
    async flush() {
      for (const [workflowId, timer] of pending) {
        clearTimeout(timer);
        send(workflowId);
      }
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FLUSH_BOUND_MS);
      });
      await Promise.race([Promise.all(underWay), late]);
      clearTimeout(timer);
    },
  };
}
