import { planBatches, type PlanResult } from "../ledger/planning.ts";
import { clockDisagreement } from "./clock-check.ts";
import type { ActivityDeps } from "./deps.ts";

export interface PlanBatchInput {
  campaignId: string;
  /** The highest ledger sequence that the campaign's workflow saw. */
  seenSeq: number;
}

/** Undefined: the ledger does not have the campaign. */
export type PlanBatchResult = PlanResult | undefined;

/** What calls come to has to be written down: without room for it none is made. */
function lackOfRoom({ ledger }: ActivityDeps): { reason: string; detail: string } | undefined {
  return ledger.hasRoom()
    ? undefined
    : { reason: "disk", detail: "the disk under the ledger is almost full: make room" };
}

/** Safe to retry: batches of a planning whose answer was lost come back first, and nothing is leased twice. */
export async function planBatch(deps: ActivityDeps, input: PlanBatchInput): Promise<PlanBatchResult> {
  const blockedBy = lackOfRoom(deps) ?? (await clockDisagreement(deps));
  if (blockedBy) deps.log.error({ campaignId: input.campaignId }, blockedBy.detail);
  const plan = await planBatches(deps.ledger, { ...input, blockedBy, pace: deps.pace, nowMs: deps.now() });
  if (plan?.tellsOthers) deps.outbox.kick();
  return plan;
}
