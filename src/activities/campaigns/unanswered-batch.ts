import { readBatch, type Batch } from "../../ledger/campaigns/batches.ts";
import { ConnectionError, RateLimitedError, type PlatformError } from "../../platform/index.ts";
import { DONE, type BatchStep } from "./batch-step.ts";
import { noteTrouble } from "./batch-troubles.ts";
import type { ActivityDeps } from "../deps.ts";
import { answersOtherwise, letGo, stopUnseen, stopWhereDue, waitUntilDue } from "./unseen-batch.ts";
import { recordVanished } from "../../ledger/campaigns/batch-steps.ts";

/**
 * What is done about a batch of which the platform can't tell, though it answers otherwise. While the platform as a
 * whole is away everybody waits for it, however long that takes; one batch that it chokes on would hold its slots and
 * its people for ever (I6). After the time that any call may take they count as dialed (I1), and people are told.
 *
 * @returns undefined where the platform answers nothing else either, or the batch has nothing to tell of.
 */
export async function settleUnanswered(
  deps: ActivityDeps,
  known: Batch,
  error: PlatformError,
): Promise<BatchStep | undefined> {
  const { ledger, pace } = deps;
  if (known.state === "settled" || known.startSentAtMs === undefined) return undefined;
  await stopWhereDue(deps, known);
  if (!isAboutThis(error)) return undefined;
  if (!(await answersOtherwise(deps))) {
    // Nothing is told of anybody: that is no time in which this one could not be told of.
    await recordVanished(ledger.db, known.id, undefined);
    return undefined;
  }
  const detail = error.message;
  await recordVanished(ledger.db, known.id, deps.now());
  await noteTrouble(deps, known, { trouble: "unreadable", detail });
  const batch = (await readBatch(ledger.db, known.id)) ?? known;
  const lastsMs = deps.now() - (batch.vanishedAtMs ?? deps.now());
  if (lastsMs >= pace.callBoundMs / 2 && batch.stopReason === undefined)
    await stopUnseen(deps, batch, "no_progress");
  const later: BatchStep = { next: "tend", waitMs: waitUntilDue(deps, batch, untilLookMs(deps, batch)) };
  if (lastsMs < pace.callBoundMs) return later;
  return (await letGo(deps, batch, `the platform can't tell of it (${detail})`)) ? DONE : later;
}

/** A stop that has just come due is asked for again while the margin before the window's end lasts. */
function untilLookMs({ pace, now }: ActivityDeps, { stopRequestedAtMs }: Batch): number {
  const isStopping = stopRequestedAtMs !== undefined && now() - stopRequestedAtMs < pace.dialByMarginMs;
  return isStopping ? pace.processingLookMs : pace.refusedLookMs;
}

/** Limits, and connections that can't be made, are nobody's in particular. */
function isAboutThis(error: PlatformError): boolean {
  return !(error instanceof RateLimitedError || error instanceof ConnectionError);
}
