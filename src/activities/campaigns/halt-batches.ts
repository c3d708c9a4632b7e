import { inTime } from "../../commands/in-time.ts";
import { MAX_BATCH_SIZE } from "../../domain/campaigns/batch-sizing.ts";
import { phaseOfBatch } from "../../domain/campaigns/platform-batch.ts";
import { countOpenIn, listUnended } from "../../ledger/campaigns/attempts.ts";
import { mayBeDialing, readBatch, readBatches, type Batch } from "../../ledger/campaigns/batches.ts";
import { NotFoundError, PlatformError, type BatchCall } from "../../platform/index.ts";
import { platformIdOf, readItems, readView } from "./batch-reading.ts";
import type { ActivityDeps } from "../deps.ts";
import { ask } from "../ground/asking.ts";

/*
 * Halting what may be dialing, for whoever waits for an answer.
 *
 * 1. Every batch is paused before any is looked at, and looked at before anybody's calls are counted: a pause that waits
 *    for looks at others lets people be dialed meanwhile.
 * 2. Those that began last come first: most of their people are not dialed yet.
 * 3. It asks the platform itself, reads the ledger without a lock and writes nothing: nobody can hold it up.
 *    Workflows take the batches to their end.
 * 4. How long it waits is by the clock that nobody sets (performance.now): one that is moved meanwhile neither keeps a
 *    batch from being paused nor has a pause cancelled that only needs its moment.
 */

/** Batches that are asked at once: a stop is urgent, and the platform's own limits stand before ours. */
const AT_ONCE = 8;

/** How long the halt of one batch waits for a start that is in the air, and for a pause to show. */
const HALT_BOUND_MS = 15_000;

/** Whoever paused a campaign waits no longer than this for the answer, however many batches it has. */
const ANSWER_WITHIN_MS = 30_000;

/** One count over all that was not seen; a ledger that takes longer is not waited for. */
const COUNT_WITHIN_MS = 500;

/** Between two looks at a batch whose start is in the air, and at one that was asked to pause. */
const STARTING_LOOK_MS = 200;
const PAUSING_LOOK_MS = 500;

/** A ledger that can't be read is asked again after this. */
const READ_AGAIN_MS = 200;

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
  /**
   * When the report is due, but for the count of what was not seen by then, which takes half a second more at most. What
   * is not halted goes on being halted. Milliseconds from now.
   */
  withinMs?: number;
}

/** What a batch turned out to do: it takes no new dial any more, it dials nobody, or that could not be seen. */
type BatchHalt = { kind: "still"; callsUp: number } | { kind: "idle" } | { kind: "unseen" };

/**
 * Makes sure now that batches which were asked to stop, or are about to be, start no new call, and counts what is in
 * flight.
 */
export async function haltBatches(
  deps: ActivityDeps,
  batchIds: readonly string[],
  { withinMs = ANSWER_WITHIN_MS }: HaltBounds = {},
): Promise<HaltReport> {
  const seen = new Map<string, BatchHalt>();
  await inTime(haltEach(deps, batchIds, { seen, boundMs: HALT_BOUND_MS }), withinMs);
  const report: HaltReport = { batches: 0, callsUp: 0, uncertain: 0 };
  const unseen: string[] = [];
  for (const batchId of batchIds) {
    const halt = seen.get(batchId) ?? UNSEEN;
    if (halt.kind === "idle") continue;
    report.batches += 1;
    if (halt.kind === "still") report.callsUp += halt.callsUp;
    else unseen.push(batchId);
  }
  report.uncertain = await countOpen(deps, unseen);
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

/** What is to be done next with a batch, in the order in which it is done over all. */
const TURNS = ["pause", "look", "count"] as const;

/** A batch on its way to be halted. */
interface Halting {
  batch: Batch;
  turn: (typeof TURNS)[number];
  /** Not before that. */
  dueMs: number;
  isInHand: boolean;
  /** The platform said yes to a pause. */
  isConfirmed: boolean;
}

interface HaltRun {
  deps: ActivityDeps;
  seen: Map<string, BatchHalt>;
  deadlineMs: number;
  /** From when on a pause that shows no effect is not believed in any more. */
  cancelFromMs: number;
  /** Batches whose workflows were woken up: each once, behind its pause, which their own looks are not to hold up. */
  woken: Set<string>;
}

async function haltEach(
  deps: ActivityDeps,
  batchIds: readonly string[],
  { seen, boundMs }: { seen: Map<string, BatchHalt>; boundMs: number },
): Promise<void> {
  if (batchIds.length === 0) return;
  const begunMs = performance.now();
  const deadlineMs = begunMs + boundMs;
  const run: HaltRun = { deps, seen, deadlineMs, cancelFromMs: deadlineMs - boundMs / 2, woken: new Set() };
  const known = await readAll(run, batchIds);
  if (!known) return;
  const open = new Set<Halting>();
  for (const batch of known.filter(mayBeDialing).toSorted(newestStartFirst))
    open.add({ batch, turn: "pause", dueMs: begunMs, isInHand: false, isConfirmed: false });
  const dialing = new Set([...open].map(({ batch }) => batch.id));
  for (const batchId of batchIds) {
    if (dialing.has(batchId)) continue;
    seen.set(batchId, IDLE);
    deps.wake.batch(batchId);
  }
  const work = async () => {
    while (open.size > 0) {
      const nowMs = performance.now();
      const next = nextOf(open, nowMs);
      if (next === undefined) {
        await pauseFor(untilDue(open, nowMs));
        continue;
      }
      next.isInHand = true;
      if (await takeTurn(run, next)) open.delete(next);
      next.isInHand = false;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, open.size) }, work));
}

/** Until the ledger says, or the time is over: then nothing is known of any. */
async function readAll(
  { deps, deadlineMs }: HaltRun,
  batchIds: readonly string[],
): Promise<Batch[] | undefined> {
  for (;;) {
    try {
      return await readBatches(deps.ledger.urgent.db, batchIds);
    } catch (error) {
      deps.log.warn({ error: String(error) }, "batches that are to be halted can't be read");
      if (performance.now() >= deadlineMs) return undefined;
    }
    await pauseFor(READ_AGAIN_MS);
  }
}

function newestStartFirst(one: Batch, other: Batch): number {
  return (other.startSentAtMs ?? 0) - (one.startSentAtMs ?? 0);
}

/** The first that is due, of those whose turn comes first. */
function nextOf(open: ReadonlySet<Halting>, nowMs: number): Halting | undefined {
  const due = [...open].filter(({ isInHand, dueMs }) => !isInHand && dueMs <= nowMs);
  for (const turn of TURNS) {
    const first = due.find((one) => one.turn === turn);
    if (first) return first;
  }
  return undefined;
}

/** What others have in hand may be due again, or done, any moment. */
function untilDue(open: ReadonlySet<Halting>, nowMs: number): number {
  const waits = [...open].map(({ isInHand, dueMs }) => (isInHand ? STARTING_LOOK_MS : dueMs - nowMs));
  return Math.max(1, Math.min(...waits, STARTING_LOOK_MS));
}

const UNSEEN: BatchHalt = { kind: "unseen" };
const IDLE: BatchHalt = { kind: "idle" };

/**
 * Does what is next with a batch, or once more a little later where the ledger fails meanwhile. Returns whether that was
 * the last. Never throws: others wait for their turn.
 */
async function takeTurn(run: HaltRun, halting: Halting): Promise<boolean> {
  const { deps } = run;
  try {
    switch (halting.turn) {
      case "pause":
        return await pause(run, halting);
      case "look":
        return await lookAfterPause(run, halting);
      case "count":
        return await countUp(run, halting);
    }
  } catch (error) {
    deps.log.error({ batchId: halting.batch.id, error: String(error) }, "a batch could not be seen to pause");
    return isOver(run, halting) || askLater(deps, halting);
  }
}

/** Its time is over: what it does could not be seen. */
function isOver({ seen, deadlineMs }: HaltRun, { batch }: Halting): boolean {
  if (performance.now() < deadlineMs) return false;
  seen.set(batch.id, UNSEEN);
  return true;
}

function askLater(deps: ActivityDeps, halting: Halting): false {
  const waitMs = halting.batch.state === "starting" ? STARTING_LOOK_MS : PAUSING_LOOK_MS;
  halting.turn = "pause";
  halting.dueMs = performance.now() + Math.min(waitMs, deps.pace.lookMs);
  return false;
}

/** One whose start is in the air is looked at until it lands: pausing before would pause nothing. */
async function pause(run: HaltRun, halting: Halting): Promise<boolean> {
  const { deps } = run;
  const id = platformIdOf(halting.batch);
  if (halting.batch.state === "starting") {
    const view = await look(deps, id);
    if (view === undefined || (isSeen(view) && phaseOfBatch(view) === "not_begun")) {
      wakeOnce(run, halting);
      return again(run, halting);
    }
  }
  // One that can't be looked at is asked all the same: a pause that is not needed harms nobody.
  halting.isConfirmed = await ask(deps, "pause", id);
  wakeOnce(run, halting);
  halting.turn = "look";
  return false;
}

function wakeOnce({ deps, woken }: HaltRun, { batch }: Halting): void {
  if (!woken.has(batch.id)) deps.wake.batch(batch.id);
  woken.add(batch.id);
}

/** Cancels where the pause was refused or shows no effect. */
async function lookAfterPause(run: HaltRun, halting: Halting): Promise<boolean> {
  const { deps } = run;
  const id = platformIdOf(halting.batch);
  let view = await look(deps, id);
  const isBelieved = halting.isConfirmed && performance.now() < run.cancelFromMs;
  if (!isStill(view) && !isBelieved) {
    await ask(deps, "cancel", id);
    view = await look(deps, id);
  }
  if (!isStill(view)) return again(run, halting);
  run.seen.set(halting.batch.id, { kind: "still", callsUp: view.active ?? 0 });
  halting.turn = "count";
  return false;
}

/** Has it asked once more a little later, as it stands in the ledger then. */
async function again(run: HaltRun, halting: Halting): Promise<boolean> {
  if (isOver(run, halting)) return true;
  const batch = await readBatch(run.deps.ledger.urgent.db, halting.batch.id);
  if (!batch || !mayBeDialing(batch)) {
    run.seen.set(halting.batch.id, IDLE);
    return true;
  }
  halting.batch = batch;
  return askLater(run.deps, halting);
}

/** What the platform showed; undefined: it says that there is none; `unseen`: it did not say. Neither shows anything. */
type Look = BatchCall | "unseen" | undefined;

function isSeen(look: Look): look is BatchCall {
  return look !== undefined && look !== "unseen";
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

function isStill(look: Look): look is BatchCall {
  if (!isSeen(look)) return false;
  const phase = phaseOfBatch(look);
  return phase === "paused" || phase === "terminal";
}

/** Calls that are up in a batch that starts no new one, by its items; its count is known where those can't be read. */
async function countUp({ deps, seen }: HaltRun, { batch }: Halting): Promise<boolean> {
  try {
    const attempts = await listUnended(deps.ledger.urgent.db, batch.id);
    const items =
      attempts.length === 0 ? [] : await readItems(deps, platformIdOf(batch), attempts, { proof: false });
    const { up } = readView(deps, { items, calls: new Map() }, attempts, NO_ANALYSIS, deps.now());
    seen.set(batch.id, { kind: "still", callsUp: up.length });
  } catch (error) {
    deps.log.warn(
      { batchId: batch.id, error: String(error) },
      "the calls of a paused batch could not be read",
    );
  }
  return true;
}

const NO_ANALYSIS = { analysisRules: [], analysisWaitMs: 0 };

/** Attempts of batches that may still ring. Where the ledger does not say in time, all that batches can carry. */
async function countOpen(deps: ActivityDeps, batchIds: readonly string[]): Promise<number> {
  if (batchIds.length === 0) return 0;
  try {
    const open = await inTime(countOpenIn(deps.ledger.urgent.db, batchIds), COUNT_WITHIN_MS);
    if (open !== undefined) return open;
    deps.log.warn({ batches: batchIds.length }, "the attempts of batches were not counted in time");
  } catch (error) {
    deps.log.warn(
      { batches: batchIds.length, error: String(error) },
      "the attempts of batches could not be counted",
    );
  }
  return batchIds.length * MAX_BATCH_SIZE;
}

function pauseFor(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
