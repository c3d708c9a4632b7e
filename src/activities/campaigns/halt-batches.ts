import { MAX_BATCH_SIZE } from "../../domain/campaigns/batch-sizing.ts";
import { phaseOfBatch } from "../../domain/campaigns/platform-batch.ts";
import { listUnended } from "../../ledger/campaigns/attempts.ts";
import { readBatch, type Batch } from "../../ledger/campaigns/batches.ts";
import { NotFoundError, PlatformError, type BatchCall } from "../../platform/index.ts";
import { platformIdOf, readItems, readView } from "./batch-reading.ts";
import type { ActivityDeps } from "../deps.ts";
import { ask } from "../ground/asking.ts";

/** Batches halted at once: a stop is urgent, and the platform's own limits stand before ours. */
const AT_ONCE = 8;

/** How long the halt of one batch waits for a start that is in the air, and for a pause to show. */
const HALT_BOUND_MS = 15_000;

/** Whoever paused a campaign waits no longer than this for the answer, however many batches it has. */
const ANSWER_WITHIN_MS = 30_000;

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

export interface HaltBounds {
  /** When the report is due; what is not halted by then goes on being halted. Milliseconds from now. */
  withinMs?: number;
}

/** What a batch turned out to do: it takes no new dial any more, it dials nobody, or that could not be seen. */
type BatchHalt = { kind: "still"; callsUp: number } | { kind: "idle" } | { kind: "unseen" };

/**
 * Makes sure now that batches which were asked to stop, or are about to be, start no new call, and counts what is in
 * flight. It asks the platform itself, reads the ledger without a lock, and writes nothing: nobody can hold it up.
 * Workflows take the batches to their end; this is for whoever waits for an answer.
 */
export async function haltBatches(
  deps: ActivityDeps,
  batchIds: readonly string[],
  { withinMs = ANSWER_WITHIN_MS }: HaltBounds = {},
): Promise<HaltReport> {
  const seen = new Map<string, BatchHalt>();
  await atMost(withinMs, haltEach(deps, batchIds, { seen, boundMs: HALT_BOUND_MS }));
  const report: HaltReport = { batches: 0, callsUp: 0, uncertain: 0 };
  for (const batchId of batchIds) {
    const halt = seen.get(batchId) ?? UNSEEN;
    if (halt.kind === "idle") continue;
    report.batches += 1;
    if (halt.kind === "still") report.callsUp += halt.callsUp;
    else report.uncertain += await countOpen(deps, batchId);
  }
  return report;
}

/**
 * Does the same to batches and waits for each, `boundMs` at most.
 *
 * @returns those that are seen to take no new dial, or dial nobody.
 */
export async function haltUnseen(
  deps: ActivityDeps,
  batchIds: readonly string[],
  boundMs = HALT_BOUND_MS,
): Promise<string[]> {
  const seen = new Map<string, BatchHalt>();
  await haltEach(deps, batchIds, { seen, boundMs });
  return [...seen].flatMap(([batchId, { kind }]) => (kind === "unseen" ? [] : [batchId]));
}

async function haltEach(
  deps: ActivityDeps,
  batchIds: readonly string[],
  { seen, boundMs }: { seen: Map<string, BatchHalt>; boundMs: number },
): Promise<void> {
  const queue = [...batchIds];
  const work = async () => {
    for (let batchId = queue.shift(); batchId !== undefined; batchId = queue.shift()) {
      seen.set(batchId, await haltBatch(deps, batchId, boundMs));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const UNSEEN: BatchHalt = { kind: "unseen" };

async function haltBatch(deps: ActivityDeps, batchId: string, boundMs: number): Promise<BatchHalt> {
  deps.wake.batch(batchId);
  try {
    return await haltWithin(deps, batchId, deps.now() + boundMs);
  } catch (error) {
    deps.log.error({ batchId, error: String(error) }, "a batch could not be seen to pause");
    return UNSEEN;
  }
}

/**
 * Pauses, and cancels where a pause is refused or shows no effect, until the batch is seen to start no call. One
 * whose start is in the air is looked at until it lands: pausing before would pause nothing.
 */
async function haltWithin(deps: ActivityDeps, batchId: string, deadlineMs: number): Promise<BatchHalt> {
  const cancelFromMs = (deps.now() + deadlineMs) / 2;
  for (;;) {
    const batch = await readBatch(deps.ledger.urgent.db, batchId);
    if (!batch || batch.startSentAtMs === undefined || batch.state === "settled") return { kind: "idle" };
    const view = await halt(deps, batch, cancelFromMs);
    if (isSeen(view) && isStill(view)) return { kind: "still", callsUp: await countUp(deps, batch, view) };
    if (deps.now() >= deadlineMs) return UNSEEN;
    await pauseFor(Math.min(batch.state === "starting" ? 200 : 500, deps.pace.lookMs));
  }
}

/** What the platform showed; undefined: it says that there is none; `unseen`: it did not say. Neither shows anything. */
type Look = BatchCall | "unseen" | undefined;

function isSeen(look: Look): look is BatchCall {
  return look !== undefined && look !== "unseen";
}

/**
 * One try. One that can't be looked at is asked all the same: a pause that is not needed harms nobody.
 *
 * @returns what the batch looked like after it.
 */
async function halt(deps: ActivityDeps, batch: Batch, cancelFromMs: number): Promise<Look> {
  const id = platformIdOf(batch);
  if (batch.state === "starting") {
    const view = await look(deps, id);
    if (view === undefined || (isSeen(view) && phaseOfBatch(view) === "not_begun")) return view;
  }
  const confirmed = await ask(deps, "pause", id);
  const view = await look(deps, id);
  if (isSeen(view) && isStill(view)) return view;
  if (confirmed && deps.now() < cancelFromMs) return view;
  await ask(deps, "cancel", id);
  return look(deps, id);
}

async function look(deps: ActivityDeps, platformBatchId: string): Promise<Look> {
  try {
    return await deps.platform.batchCalls.get(platformBatchId);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (!(error instanceof PlatformError)) throw error;
    deps.log.warn(
      { platformBatchId, error: error.message },
      "a batch that is to be halted can't be looked at",
    );
    return "unseen";
  }
}

function isStill(view: BatchCall): boolean {
  const phase = phaseOfBatch(view);
  return phase === "paused" || phase === "terminal";
}

/** Calls that are up in a batch that starts no new one: by its items, or by its count where those can't be read. */
async function countUp(deps: ActivityDeps, batch: Batch, view: BatchCall): Promise<number> {
  try {
    const attempts = await listUnended(deps.ledger.urgent.db, batch.id);
    if (attempts.length === 0) return 0;
    const items = await readItems(deps, platformIdOf(batch), attempts, { proof: false });
    return readView(deps, { items, calls: new Map() }, attempts, NO_ANALYSIS, deps.now()).up.length;
  } catch (error) {
    deps.log.warn(
      { batchId: batch.id, error: String(error) },
      "the calls of a paused batch could not be read",
    );
    return view.active ?? 0;
  }
}

const NO_ANALYSIS = { analysisRules: [], analysisWaitMs: 0 };

/** Attempts of a batch that may still ring. Where the ledger does not answer either, all that a batch can carry. */
async function countOpen(deps: ActivityDeps, batchId: string): Promise<number> {
  try {
    const open = await listUnended(deps.ledger.urgent.db, batchId);
    return open.filter((attempt) => attempt.state === "open").length;
  } catch (error) {
    deps.log.warn({ batchId, error: String(error) }, "the attempts of a batch could not be counted");
    return MAX_BATCH_SIZE;
  }
}

/** Waits for work, but not longer than that: it goes on by itself then. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
