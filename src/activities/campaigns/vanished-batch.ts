import { type Batch } from "../../ledger/campaigns/batches.ts";
import { DONE, type BatchStep } from "./batch-step.ts";
import { noteTrouble } from "./batch-troubles.ts";
import { askToDelete } from "./deleting.ts";
import type { ActivityDeps } from "../deps.ts";
import { giveBackUndialed } from "./proving.ts";
import { answersOtherwise, letGo, stopUnseen, stopWhereDue, waitUntilDue } from "./unseen-batch.ts";
import { recordProven, recordVanished } from "../../ledger/campaigns/batch-steps.ts";

/*
 * A batch that the platform says it does not have (404). Replicas that lag say so, and gateways that are set up wrongly
 * or start again, of every batch at once.
 *
 * 1. Nobody of it can be proven undialed, except who was proven right before a delete of ours (proving.ts).
 * 2. That the delete was done is believed where another finds nothing either, a quiet time after the first 404, and the
 *    platform answers otherwise. One that finds something, or is refused, says that the batch was there all the time
 *    since: then it may have dialed after the proof.
 * 3. After a bound in which every look said so all of it count as dialed. Whatever else a look meets begins that anew.
 */

/** Settles a batch that the platform does not know any more, once it has said so for long enough. */
export async function settleVanished(deps: ActivityDeps, batch: Batch): Promise<BatchStep> {
  const { ledger, pace } = deps;
  await stopWhereDue(deps, batch);
  await recordVanished(ledger.db, batch.id, deps.now());
  const lastsMs = await noteTrouble(deps, batch, { trouble: "vanished", detail: "it answers 404" });
  const unseenMs = deps.now() - (batch.vanishedAtMs ?? deps.now());
  const deletion = await lookForDeletion(deps, batch, lastsMs);
  if (deletion === "deleted") await giveBackUndialed(deps, batch, batch.proven ?? []);
  else {
    if (lastsMs >= pace.vanishedMs / 2 && batch.stopReason === undefined)
      await stopUnseen(deps, batch, "no_progress");
    const waitMs = deletion === "open" ? pace.quietMs : pace.processingLookMs;
    // Where it is shown to be there in between, and then not told of, each 404 is the first.
    if (lastsMs < pace.vanishedMs && unseenMs < pace.callBoundMs)
      return { next: "tend", waitMs: waitUntilDue(deps, batch, waitMs) };
  }
  const isClosed = await letGo(deps, batch, "its batch vanished from the platform");
  return isClosed ? DONE : { next: "tend", waitMs: pace.processingLookMs };
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
