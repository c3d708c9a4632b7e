import { listUnended } from "../ledger/attempts.ts";
import { moveBatch, recordProven, recordTerminal, recordVanished, type Batch } from "../ledger/batches.ts";
import { closeIfSettled } from "./batch-settling.ts";
import type { BatchStep } from "./batch-step.ts";
import { giveUp, noteTrouble } from "./batch-troubles.ts";
import { askToDelete } from "./deleting.ts";
import type { ActivityDeps } from "./deps.ts";
import { end } from "./end-of-batch.ts";
import { giveBack } from "./proving.ts";
import { answersOtherwise } from "./unseen-batch.ts";

/*
 * A batch that the platform says it does not have (404). Replicas that lag say so, and gateways that are set up wrongly
 * or start again, of every batch at once.
 *
 * 1. Nobody of it can be proven undialed, except who was proven right before a delete of ours (proving.ts).
 * 2. That the delete was done is believed where another finds nothing either, a quiet time after the first 404, and the
 *    platform answers otherwise. One that finds something, or is refused, says that the batch was there all the time
 *    since: then it may have dialed after the proof.
 * 3. After a bound all of it count as dialed.
 */

/** Settles a batch that the platform does not know any more, once it has said so for long enough. */
export async function settleVanished(deps: ActivityDeps, batch: Batch): Promise<BatchStep> {
  const { ledger, pace } = deps;
  await recordVanished(ledger.db, batch.id, deps.now());
  const detail = "it answers 404";
  const lastsMs = await noteTrouble(deps, batch, { trouble: "vanished", detail });
  const deletion = await lookForDeletion(deps, batch, lastsMs);
  if (deletion !== "deleted" && lastsMs < pace.vanishedMs)
    return { next: "tend", waitMs: deletion === "open" ? pace.quietMs : pace.processingLookMs };
  if (batch.state === "starting") await moveBatch(ledger.db, batch.id, "starting", "draining");
  await recordTerminal(ledger.db, batch.id, deps.now());
  if (deletion === "deleted") await giveBack(deps, batch, batch.proven ?? []);
  const left = await listUnended(ledger.db, batch.id);
  const phones = left.map((attempt) => attempt.phone);
  await giveUp(deps, batch, phones, "its batch vanished from the platform");
  await closeVanished(deps, batch);
  return end(deps, batch);
}

/** Whether a delete of ours is why it is not there, and what was proven before that holds. */
async function lookForDeletion(
  deps: ActivityDeps,
  batch: Batch,
  lastsMs: number,
): Promise<"deleted" | "open" | "unproven"> {
  if (batch.proven === undefined) return "unproven";
  const { kind } = await askToDelete(deps, batch);
  if (kind === "deleted" || kind === "refused") {
    await recordProven(deps.ledger.db, batch.id, undefined);
    return "unproven";
  }
  const isGone = kind === "absent" && lastsMs >= deps.pace.quietMs && (await answersOtherwise(deps));
  return isGone ? "deleted" : "open";
}

async function closeVanished(deps: ActivityDeps, batch: Batch): Promise<void> {
  if (await closeIfSettled(deps, batch)) return;
  throw new Error(`batch ${batch.id} vanished and can't be closed as ${batch.state}`);
}
