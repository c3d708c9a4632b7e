import { listUnended } from "../ledger/attempts.ts";
import { moveBatch, readBatch, recordVanished, type Batch } from "../ledger/batches.ts";
import { ConnectionError, RateLimitedError, type PlatformError } from "../platform/index.ts";
import { closeIfSettled } from "./batch-settling.ts";
import { DONE, type BatchStep } from "./batch-step.ts";
import { ask } from "./asking.ts";
import { giveUp, noteTrouble } from "./batch-troubles.ts";
import type { ActivityDeps } from "./deps.ts";
import { answersOtherwise } from "./unseen-batch.ts";

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
  if (known.state === "settled" || known.startSentAtMs === undefined || !isAboutThis(error)) return undefined;
  await stopUnseen(deps, known);
  if (!(await answersOtherwise(deps))) return undefined;
  const detail = error.message;
  const batch = (await readBatch(ledger.db, known.id)) ?? known;
  await recordVanished(ledger.db, batch.id, deps.now());
  await noteTrouble(deps, batch, { trouble: "unreadable", detail });
  const later: BatchStep = { next: "tend", waitMs: pace.refusedLookMs };
  if (deps.now() - (batch.vanishedAtMs ?? deps.now()) < pace.callBoundMs) return later;
  if (batch.state === "starting") await moveBatch(ledger.db, batch.id, "starting", "draining");
  const left = await listUnended(ledger.db, batch.id);
  const phones = left.map((attempt) => attempt.phone);
  await giveUp(deps, batch, phones, `the platform can't tell of it (${detail})`);
  return (await closeIfSettled(deps, batch)) ? DONE : later;
}

/** Limits, and connections that can't be made, are nobody's in particular. */
function isAboutThis(error: PlatformError): boolean {
  return !(error instanceof RateLimitedError || error instanceof ConnectionError);
}

/** A stop needs no look to be asked for: one that is due is not put off until the batch can be read. */
async function stopUnseen(deps: ActivityDeps, batch: Batch): Promise<void> {
  const isDue = batch.dialByMs !== undefined && deps.now() >= batch.dialByMs;
  if (batch.platformBatchId === undefined || (batch.stopReason === undefined && !isDue)) return;
  for (const what of ["pause", "cancel"] as const) await ask(deps, what, batch.platformBatchId);
}
