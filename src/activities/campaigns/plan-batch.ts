import { isOver } from "../../domain/campaigns/campaign-state.ts";
import { planBatches, type PlanResult } from "../../ledger/campaigns/planning.ts";
import { clockDisagreement } from "../ground/clock-check.ts";
import { offerLines } from "./offer-lines.ts";
import type { ActivityDeps } from "../deps.ts";

export interface PlanBatchInput {
  campaignId: string;
  /** How often the campaign's workflow saw it planned. */
  seenPlannings: number;
  /** When that workflow was started. Unix milliseconds. */
  startedAtMs?: number;
}

/** Undefined: the ledger does not have the campaign. */
export type PlanBatchResult = PlanResult | undefined;

/** What calls come to has to be written down: without room for it none is made. */
function lackOfRoom({ ledger }: ActivityDeps): { reason: string; detail: string } | undefined {
  return ledger.hasRoom()
    ? undefined
    : { reason: "disk", detail: "the disk under the ledger is almost full: make room" };
}

/**
 * Plannings in a row that lease nobody, in one activity: a list of 100,000 that are all refused is looked through in
 * three of these. Each is a transaction of its own, so that whoever waits for the campaign's lock gets it in between.
 */
const MAX_PLANNINGS = 20;

/**
 * Plans, and goes on at once where everybody that was looked at was refused. Whoever was leased is handed over first.
 *
 * Safe to retry: batches of a planning whose answer was lost come back first, and nothing is leased twice.
 */
export async function planBatch(deps: ActivityDeps, input: PlanBatchInput): Promise<PlanBatchResult> {
  const blockedBy = lackOfRoom(deps) ?? (await clockDisagreement(deps));
  if (blockedBy) deps.log.error({ campaignId: input.campaignId }, blockedBy.detail);
  for (let planning = 1; ; planning += 1) {
    const { ledger, pace, account, rate } = deps;
    const begunMs = performance.now();
    const plan = await planBatches(ledger, { ...input, blockedBy, pace, account, rate, nowMs: deps.now() });
    deps.meter?.planned(performance.now() - begunMs);
    if (plan?.tellsOthers) deps.outbox.kick();
    if (plan?.leavesLines) await offerLines(deps);
    const goesOn =
      plan !== undefined && plan.waitMs === 0 && plan.batchIds.length === 0 && !isOver(plan.state);
    if (!goesOn || planning >= MAX_PLANNINGS) return plan;
  }
}
