import type { StopReason } from "../../domain/campaigns/batch-state.ts";
import { isBeforeDialing } from "../../domain/campaigns/batch-trouble.ts";
import { countsDials, phaseOfBatch, showsPickedUp } from "../../domain/campaigns/platform-batch.ts";
import { holdsAnyDial } from "../../ledger/campaigns/attempts.ts";
import { resolveStalledWhereRunning } from "../../ledger/campaigns/campaign-stalls.ts";
import { type Batch } from "../../ledger/campaigns/batches.ts";
import type { BatchCall } from "../../platform/index.ts";
import { settleFromItems } from "./batch-settling.ts";
import { endTrouble, noteTrouble } from "./batch-troubles.ts";
import type { ActivityDeps } from "../deps.ts";
import { recordNotSeen } from "../../ledger/campaigns/batch-steps.ts";

/*
 * A start that was accepted and not acted on. "Accepted" is the platform's word; the bound is counted from it:
 *
 * 1. `pending`, or whatever else is not begun, contradicts the answer: the batch is in doubt as one whose start was not
 *    answered, and for as long (`startDoubtMs`).
 * 2. `queued` is what the contract promises ("queues for pickup"), and a word that nobody knows may mean the same. It
 *    may wait for as long as a batch may take to be dialed through (`pickupMs`), and people hear of it.
 * 3. `running` without a call for as long is no progress.
 * Each is stopped then; its people come back in another batch, once it is proven that none of them was dialed.
 */

/** What is seen of a batch's beginning. */
export interface Beginning {
  /** Somebody of it was dialed, as far as that could be seen. */
  isDialed: boolean;
  /** Why it is to be stopped, where nobody of it was for too long. */
  stop: StopReason | undefined;
}

const NOTHING_SEEN: Beginning = { isDialed: false, stop: undefined };
const DIALED: Beginning = { isDialed: true, stop: undefined };

/**
 * Looks whether anybody of a batch that was accepted is dialed, once that should be so. The trouble of coming to its
 * start is over then, though that start was not answered.
 */
export async function lookForBeginning(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchCall,
): Promise<Beginning> {
  const beginning = await seek(deps, batch, view);
  const { trouble } = batch;
  if (beginning.isDialed && trouble !== undefined && isBeforeDialing(trouble)) {
    await endTrouble(deps, batch.id);
    await resolveStalledWhereRunning(deps.ledger.db, batch.campaignId, deps.now());
  }
  return beginning;
}

async function seek(deps: ActivityDeps, batch: Batch, view: BatchCall): Promise<Beginning> {
  if (countsDials(view)) return DIALED;
  const phase = phaseOfBatch(view);
  if (batch.state !== "running" || batch.stopReason !== undefined) return NOTHING_SEEN;
  if (phase === "terminal" || phase === "paused") return NOTHING_SEEN;
  const { pace } = deps;
  const sinceMs = deps.now() - (batch.startSentAtMs ?? deps.now());
  if (sinceMs < pace.startDoubtMs) return NOTHING_SEEN;
  // Counts may be left out, or lag: the items say more.
  if (await isAnybodyDialed(deps, batch)) return DIALED;
  const isPickedUp = showsPickedUp({ ...view, startedAt: view.started_at });
  if (!isPickedUp) await recordNotSeen(deps.ledger.db, batch.id);
  await noteTrouble(deps, batch, { trouble: "not_begun", detail: `it shows as ${view.status ?? "nothing"}` });
  const boundMs = phase === "not_begun" ? pace.startDoubtMs : pace.pickupMs;
  if (sinceMs < boundMs) return NOTHING_SEEN;
  return { isDialed: false, stop: isPickedUp ? "no_progress" : "start_not_seen" };
}

async function isAnybodyDialed(deps: ActivityDeps, batch: Batch): Promise<boolean> {
  if (await holdsAnyDial(deps.ledger.db, batch.id)) return true;
  await settleFromItems(deps, batch, { proof: false });
  return holdsAnyDial(deps.ledger.db, batch.id);
}
