import { requestStop, lockBatch, readBatch } from "../../ledger/campaigns/batches.ts";
import { pruneCallHints } from "../../ledger/campaigns/call-hints.ts";
import { cutoffsAt } from "../../domain/ground/retention.ts";
import { readRetention } from "../../ledger/ground/retention.ts";
import { pruneDeliveries } from "../../ledger/triggers/deliveries.ts";
import { dropOverFailures, type Step } from "../../ledger/ground/failing-steps.ts";
import { pruneRequestKeys } from "../../ledger/ground/request-keys.ts";
import { putOutbox } from "../../ledger/ground/outbox.ts";
import { readInstallation } from "../../ledger/ground/installation.ts";
import {
  countLateOutbox,
  listLateDeliveries,
  listSilentBatches,
} from "../../ledger/campaigns/missing-ends.ts";
import { pruneScheduleRuns } from "../../ledger/schedules/schedule-runs-kept.ts";
import { closeUnusedStanding } from "../../ledger/sequences/sequence-commands.ts";
import { takeOffMoved } from "../../ledger/ground/unmoved.ts";
import { forgetOldSweeps, recordSweep, type SweepReport } from "../../ledger/ground/sweeps.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { requireRightClock, WrongClockError } from "../../activities/ground/clock-check.ts";
import { CommandRefusedError } from "../../ledger/ground/command-refused.ts";
import { batchStep, noteStepFailure, noteStepSuccess } from "../../activities/ground/failing-steps.ts";
import { tendBatch } from "../../activities/campaigns/tend-batch.ts";
import { alone } from "./alone.ts";
import { settleCallsWithoutEnd } from "./calls-without-end.ts";
import { A_PASS, lateBefore } from "./late.ts";
import { deleteLateOrphans } from "./orphans.ts";
import { openTally, type Tally } from "./tally.ts";

/*
 * The sweeper: finds what should have come to its end by what the platform says, and has not. Whatever is open has its
 * own clock, and needs no sweeper to go on (ledger/ground/look-by.ts): this ends calls that are up for longer than any
 * call is, and deletes what was never started.
 */

/** A look at a batch is several requests. */
const BATCHES_A_PASS = 50;

/** A pass that somebody asks for. @throws CommandRefusedError where this machine's clock is wrong: live calls would be taken for endless, and hung up */
export async function sweepOnTime(deps: ActivityDeps): Promise<SweepReport> {
  try {
    await requireRightClock(deps);
  } catch (error) {
    if (!(error instanceof WrongClockError)) throw error;
    throw new CommandRefusedError(
      `nothing is swept, because ${error.message}. Run it again once they are right`,
    );
  }
  return sweep(deps);
}

/**
 * One pass now. Its report is kept, and is what was found and what became of it. A part that fails is logged, and
 * the others go on.
 *
 * Safe to repeat, and to run beside everything else.
 */
export async function sweep(deps: ActivityDeps): Promise<SweepReport> {
  const tally = openTally();
  const { recoveryReason } = await readInstallation(deps.ledger.db);
  // A ledger that may be older than reality is recovery's, not ours.
  const parts = recoveryReason === undefined ? [...DIALED, ...ACCEPTED] : ACCEPTED;
  for (const [name, look] of parts) {
    const step: Step = { of: "chore", id: `sweeping: ${name}`, verb: "do" };
    try {
      await look(deps, tally);
      await noteStepSuccess(deps, step, { asked: false });
    } catch (error) {
      deps.log.warn({ error: String(error) }, `the sweeper could not look at ${name}; the next pass will`);
      await noteStepFailure(deps, step, error);
    }
  }
  const report = tally.report(deps.now());
  await recordSweep(deps.ledger.db, report);
  if (report.found > 0) deps.log.warn({ ...report.detail }, "the sweeper found what had no end");
  return report;
}

type Part = readonly [name: string, look: (deps: ActivityDeps, tally: Tally) => Promise<void>];

const DIALED: readonly Part[] = [
  ["calls", settleCallsWithoutEnd],
  ["batches", tendSilentBatches],
  ["orphans", deleteLateOrphans],
];

const ACCEPTED: readonly Part[] = [
  ["deliveries", takeUpDeliveries],
  ["the outbox", countOutbox],
  ["what is old", forget],
];

/**
 * Looks at batches of which nothing was heard for as long as a call may take. One that is seen to dial and comes
 * no further is stopped: whoever of it was not dialed goes back to be dialed in another batch.
 */
async function tendSilentBatches(deps: ActivityDeps, tally: Tally): Promise<void> {
  const { ledger, pace } = deps;
  const silent = await listSilentBatches(ledger.db, {
    beforeMs: deps.now() - pace.callBoundMs,
    limit: BATCHES_A_PASS,
  });
  for (const batchId of silent) {
    if (tally.looked.has(batchId)) continue;
    tally.found("batches");
    const tend = () => alone(deps, batchStep(batchId, "tend"), () => tendBatch(deps, { batchId }));
    await tend();
    const batch = await readBatch(ledger.db, batchId);
    if (batch?.state === "running" && batch.stopReason === undefined && isStuck(deps, batch.startSentAtMs)) {
      await stopStuck(deps, batchId);
      await tend();
    }
    const left = await readBatch(ledger.db, batchId);
    if (left === undefined || left.state === "settled") tally.settled("batches");
    else tally.woken("batches");
    deps.wake.batch(batchId);
  }
}

function isStuck(deps: ActivityDeps, startSentAtMs: number | undefined): boolean {
  return startSentAtMs !== undefined && deps.now() - startSentAtMs > 2 * deps.pace.callBoundMs;
}

async function stopStuck(deps: ActivityDeps, batchId: string): Promise<void> {
  deps.log.warn({ batchId }, "a batch that comes no further is stopped");
  await deps.ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, batchId);
    if (!locked) return;
    const { campaign } = locked;
    await requestStop(tx, { campaign, batchIds: [batchId], reason: "no_progress", nowMs: deps.now() });
  });
}

async function takeUpDeliveries(deps: ActivityDeps, tally: Tally): Promise<void> {
  const nowMs = deps.now();
  const late = await listLateDeliveries(deps.ledger.db, { beforeMs: lateBefore(deps), nowMs, limit: A_PASS });
  await putOutbox(
    deps.ledger.db,
    late.map((subject) => ({ kind: "delivery", subject, dueAtMs: nowMs })),
  );
  tally.found("deliveries", late.length);
  tally.woken("deliveries", late.length);
}

/** The relay tries them by itself; people see how many there are. */
async function countOutbox(deps: ActivityDeps, tally: Tally): Promise<void> {
  tally.found("outbox", await countLateOutbox(deps.ledger.db, lateBefore(deps)));
  deps.outbox.kick();
}

async function forget({ ledger, now }: ActivityDeps): Promise<void> {
  await dropOverFailures(ledger, now());
  await takeOffMoved(ledger.db, now());
  await closeUnusedStanding(ledger, now());
  const { deliveries: bodiesBeforeMs } = cutoffsAt(await readRetention(ledger.db), now());
  await pruneDeliveries(ledger, now(), bodiesBeforeMs);
  await pruneCallHints(ledger, now());
  await pruneRequestKeys(ledger, now());
  await pruneScheduleRuns(ledger, now());
  await forgetOldSweeps(ledger.db);
}
