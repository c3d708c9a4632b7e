import { type Client } from "@temporalio/client";

import type { HttpDeps } from "./deps.ts";
import { ensureCampaign } from "../temporal/ensure.ts";

/** A start is durable in the ledger before Temporal is asked: not worth a long wait. */
const START_WITHIN_MS = 10_000;

/**
 * Makes sure that a started campaign has its workflow and that it looks.
 *
 * @returns false where Temporal is away: it is told later, since it is overdue then.
 */
export async function beginWorkflow(deps: HttpDeps, campaignId: string): Promise<boolean> {
  try {
    await within(deps.client, START_WITHIN_MS, () => ensureCampaign(deps.client, deps.ledger, campaignId));
    deps.wake.campaign(campaignId);
    return true;
  } catch (error) {
    deps.log.warn({ campaignId, error }, "a started campaign has no workflow yet; it will be given one");
    return false;
  }
}

/** Temporal or a worker took longer than there was time. */
class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/** Runs requests to Temporal that end within a bound, whatever they wait for. */
async function within<T>(client: Client, boundMs: number, ask: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswerError(`Temporal or its worker did not answer within ${boundMs / 1_000} s`));
    }, boundMs);
  });
  try {
    // The deadline ends the requests, which the race only stops waiting for.
    return await Promise.race([client.withDeadline(Date.now() + boundMs, ask), late]);
  } finally {
    clearTimeout(timer);
  }
}
