import { phaseOfBatch } from "../../domain/campaigns/platform-batch.ts";
import { listUnended } from "../../ledger/campaigns/attempts.ts";
import type { Batch } from "../../ledger/campaigns/batches.ts";
import type { BatchCall } from "../../platform/index.ts";
import { ask } from "../ground/asking.ts";
import { lookAt, platformIdOf } from "./batch-reading.ts";
import { closeIfSettled, releaseIdleSlots, settleFromItems } from "./batch-settling.ts";
import { DONE, type BatchStep } from "./batch-step.ts";
import { endTrouble, giveUp, noteTrouble } from "./batch-troubles.ts";
import type { ActivityDeps } from "../deps.ts";
import { settleTerminal } from "./end-of-batch.ts";
import { settleVanished } from "./vanished-batch.ts";

/** A pause that the platform took shows within so many looks; then its calls are not waited for any more. */
const PAUSE_LOOKS = 3;

/** Pause, cancel, and what each leads to: more turns than that in one look means that nothing works now. */
const MAX_TURNS = 3;

/**
 * Takes a batch that may be dialing to its end: pause, let active calls end, cancel, and look until the effect
 * is seen. One operation for every reason to stop. Nothing here resumes or starts.
 */
export async function stopOnPlatform(deps: ActivityDeps, batch: Batch, first: BatchCall): Promise<BatchStep> {
  let view: BatchCall | undefined = first;
  const stoppingMs = deps.now() - (batch.stopRequestedAtMs ?? deps.now());
  const overdue = stoppingMs >= deps.pace.callBoundMs;
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const phase = phaseOfBatch(view);
    if (phase === "terminal") return settleTerminal(deps, batch, view);
    if (phase === "paused" || phase === "not_begun") {
      const up = await callsUp(deps, batch, view, phase);
      if (up > 0 && !overdue) {
        // It starts no new call, which is what was asked for.
        if (batch.trouble === "not_stopped") await endTrouble(deps, batch.id);
        return (await closeIfSettled(deps, batch)) ? DONE : later(deps);
      }
      await ask(deps, "cancel", platformIdOf(batch));
    } else {
      const confirmed = await ask(deps, "pause", platformIdOf(batch));
      if (!confirmed || isIgnored(deps, stoppingMs) || phase === "unrecognised") {
        // Refused may mean that it is paused already, with calls up.
        view = await lookAt(deps, batch);
        if (view && phaseOfBatch(view) === phase) await ask(deps, "cancel", platformIdOf(batch));
      }
    }
    view = await lookAt(deps, batch);
    if (view === undefined) return settleVanished(deps, batch);
    if (phaseOfBatch(view) === phase && phase !== "paused") break;
  }
  const phase = view && phaseOfBatch(view);
  // It dials nobody and is not to be cancelled: then it has to be deleted.
  const isStill = phase === "not_begun" || (phase === "paused" && isIgnored(deps, stoppingMs));
  if (view && isStill) return settleTerminal(deps, batch, view);
  if (overdue) {
    // Whoever is left ends as unknown here: nothing has to be proven.
    await settleFromItems(deps, batch, { proof: false });
    const left = await listUnended(deps.ledger.db, batch.id);
    const phones = left.map((attempt) => attempt.phone);
    await giveUp(deps, batch, phones, "the platform did not stop it in time");
    if (await closeIfSettled(deps, batch)) return DONE;
  } else {
    // It may be calling people on: that is told at once where a stop should have shown.
    const shown = `it shows as ${view?.status ?? "nothing"}`;
    await noteTrouble(deps, batch, { trouble: "not_stopped", detail: shown }, deps.pace.dialByMarginMs);
  }
  return later(deps);
}

function isIgnored({ pace }: ActivityDeps, stoppingMs: number): boolean {
  return stoppingMs >= PAUSE_LOOKS * pace.lookMs;
}

function later(deps: ActivityDeps): BatchStep {
  return { next: "tend", waitMs: deps.pace.lookMs };
}

/** Calls that are still up in a batch that starts no new one. Settles the others on the way. */
async function callsUp(
  deps: ActivityDeps,
  batch: Batch,
  view: BatchCall,
  phase: "paused" | "not_begun",
): Promise<number> {
  // A count that can't be read (NaN) tells nothing: the items do.
  const active = view.active || 0;
  if (phase === "not_begun") return active;
  const { reading } = await settleFromItems(deps, batch, { proof: false });
  await releaseIdleSlots(deps, batch, reading, active);
  return Math.max(reading.up.length, active);
}
