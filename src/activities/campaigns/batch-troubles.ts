import { isBeforeDialing, troubleInWords, type BatchTrouble } from "../../domain/campaigns/batch-trouble.ts";
import {
  clearTrouble,
  listUncreated,
  recordTrouble,
  tellGivenUp,
  tellTrouble,
} from "../../ledger/campaigns/batch-troubles.ts";
import type { Batch } from "../../ledger/campaigns/batches.ts";
import { settleUnknown } from "./batch-settling.ts";
import { settleByTheirCalls } from "./settle-by-call.ts";
import type { ActivityDeps } from "../deps.ts";

/**
 * Notes what the platform does not do for a batch, and tells people once that lasts.
 *
 * @param trouble.detail what the platform says, or shows
 * @param tellAfterMs sooner where phones may ring meanwhile
 * @returns for how long it lasts. Milliseconds.
 */
export async function noteTrouble(
  deps: ActivityDeps,
  batch: Batch,
  { trouble, detail }: { trouble: BatchTrouble; detail: string },
  tellAfterMs: number = isBeforeDialing(trouble) ? deps.pace.stallMs : deps.pace.troubleMs,
): Promise<number> {
  const nowMs = deps.now();
  const lastsMs = nowMs - (await recordTrouble(deps.ledger.db, batch.id, trouble, nowMs));
  if (lastsMs >= tellAfterMs) {
    const what = `a batch ${troubleInWords(trouble)}`;
    deps.log.warn({ batchId: batch.id, campaignId: batch.campaignId, lastsMs, detail }, what);
    await tellTrouble(deps.ledger.db, batch, { trouble, detail, nowMs });
  }
  return lastsMs;
}

/** Tries of a create that come a minute apart at most; after an hour they are less frequent. */
export const PATIENT_AFTER_TRIES = 60;

/** Those that are woken make a try each: it counts like others, of which there are as many a minute. */
const WAKE_EVERY_MS = 60_000;

const wokenAt = new WeakMap<ActivityDeps["ledger"], number>();

/** The platform creates batches again: those whose tries have come to be far apart have waited long enough. */
export async function endOfCreateTrouble(deps: ActivityDeps, batchId: string): Promise<void> {
  await endTrouble(deps, batchId);
  const at = performance.now();
  if (at - (wokenAt.get(deps.ledger) ?? Number.NEGATIVE_INFINITY) < WAKE_EVERY_MS) return;
  wokenAt.set(deps.ledger, at);
  const waiting = await listUncreated(deps.ledger.db, { triesAtLeast: PATIENT_AFTER_TRIES });
  for (const id of waiting) deps.wake.batch(id);
}

/** The platform does for the batch what it was asked for. */
export function endTrouble(deps: ActivityDeps, batchId: string): Promise<void> {
  return clearTrouble(deps.ledger, batchId, deps.now());
}

/**
 * Lets go of those of whom the platform can't, or won't, tell: they count as dialed (I1), their slots are free (I6), and
 * people are told. Whose call tells of itself how it ended came to that; whose call can't be asked about now is asked at
 * the next look.
 */
export async function giveUp(
  deps: ActivityDeps,
  batch: Batch,
  phones: readonly string[],
  why: string,
): Promise<void> {
  if (phones.length === 0) return;
  const told = await settleByTheirCalls(deps, batch, phones);
  const left = phones.filter((phone) => !told.has(phone));
  if (left.length === 0) return;
  await settleUnknown(deps, batch, left, why);
  await tellGivenUp(deps.ledger.db, batch, { why, people: left.length, nowMs: deps.now() });
}
