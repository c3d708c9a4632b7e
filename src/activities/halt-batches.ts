import { phaseOfBatch } from "../domain/platform-batch.ts";
import { listUnended } from "../ledger/attempts.ts";
import { readBatch, type Batch } from "../ledger/batches.ts";
import { NotFoundError } from "../platform/index.ts";
import { platformIdOf } from "./batch-reading.ts";
import { settleFromItems } from "./batch-settling.ts";
import type { ActivityDeps } from "./deps.ts";
import { ask } from "./stop-on-platform.ts";

/** Batches halted at once: a stop is urgent, and the platform's own limits stand before ours. */
const AT_ONCE = 8;

/** How long a halt waits for a start that is in the air, and for a pause to show. */
const HALT_BOUND_MS = 15_000;

export interface HaltReport {
  /** Batches that may have been dialing. */
  batches: number;
  /** Calls that are up; they end by themselves. */
  callsUp: number;
  /**
   * Attempts of batches of which it could not be seen that they take no new dial. They may still ring; no
   * others will.
   */
  uncertain: number;
}

type BatchHalt = { callsUp: number; uncertain: number } | undefined;

/**
 * Makes sure now that batches which were asked to stop start no new call, and counts what is in flight. Their
 * workflows take them to their end; this is for whoever waits for an answer.
 */
export async function haltBatches(deps: ActivityDeps, batchIds: readonly string[]): Promise<HaltReport> {
  const report: HaltReport = { batches: 0, callsUp: 0, uncertain: 0 };
  const queue = [...batchIds];
  const work = async () => {
    for (let batchId = queue.shift(); batchId !== undefined; batchId = queue.shift()) {
      const halt = await haltBatch(deps, batchId);
      if (!halt) continue;
      report.batches += 1;
      report.callsUp += halt.callsUp;
      report.uncertain += halt.uncertain;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return report;
}

async function haltBatch(deps: ActivityDeps, batchId: string): Promise<BatchHalt> {
  const deadlineMs = deps.now() + HALT_BOUND_MS;
  const batch = await waitForStart(deps, batchId, deadlineMs);
  deps.wake.batch(batchId);
  if (!batch || batch.startSentAtMs === undefined || batch.state === "settled") return undefined;
  if (batch.state !== "starting") {
    try {
      if (await seePaused(deps, batch, deadlineMs)) {
        const { reading } = await settleFromItems(deps, batch, { proof: false });
        return { callsUp: reading.up.length, uncertain: 0 };
      }
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      deps.log.error({ batchId, error: String(error) }, "a batch could not be seen to pause");
    }
  }
  const open = await listUnended(deps.ledger.db, batchId);
  return { callsUp: 0, uncertain: open.filter((attempt) => attempt.state === "open").length };
}

/** A start request that is in the air is waited for: pausing before it lands would pause nothing. */
async function waitForStart(
  deps: ActivityDeps,
  batchId: string,
  deadlineMs: number,
): Promise<Batch | undefined> {
  for (;;) {
    const batch = await readBatch(deps.ledger.db, batchId);
    if (batch?.state !== "starting" || deps.now() >= deadlineMs) return batch;
    await pauseFor(Math.min(200, deps.pace.lookMs));
  }
}

/** Pauses, and cancels where a pause is refused or shows no effect, until the batch is seen to start no call. */
async function seePaused(deps: ActivityDeps, batch: Batch, deadlineMs: number): Promise<boolean> {
  const id = platformIdOf(batch);
  const cancelFromMs = (deps.now() + deadlineMs) / 2;
  const isStill = async () => {
    const phase = phaseOfBatch(await deps.platform.batchCalls.get(id));
    return phase === "paused" || phase === "terminal";
  };
  for (;;) {
    const confirmed = await ask(deps, "pause", id);
    if (await isStill()) return true;
    if (!confirmed || deps.now() >= cancelFromMs) {
      await ask(deps, "cancel", id);
      if (await isStill()) return true;
    }
    if (deps.now() >= deadlineMs) return false;
    await pauseFor(Math.min(500, deps.pace.lookMs));
  }
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
