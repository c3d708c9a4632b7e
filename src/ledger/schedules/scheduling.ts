import { sql } from "drizzle-orm";

import { lateAfterMs } from "../../domain/schedules/schedule.ts";
import { admit, isUnderWay, type OverlapPolicy } from "../../domain/schedules/schedule-run.ts";
import { turnsThatCame } from "../../domain/schedules/schedule-turns.ts";
import { createAction } from "../follow-ups/actions.ts";
import { rows, type Db } from "../ground/connection.ts";
import { awaitsRecovery } from "../ground/installation.ts";
import { putOutbox } from "../ground/outbox.ts";
import { endRun, missedBecause, tellMissed } from "./schedule-ends.ts";
import {
  changeRun,
  insertRuns,
  listOpenRuns,
  newRun,
  runKeyOf,
  type NewRun,
  type RunChange,
  type ScheduleRun,
} from "./schedule-runs.ts";
import { automationRun, findTarget } from "./schedule-targets.ts";
import { decidedThrough, isTimedHere, lockSchedule, setDecidedThrough, type Schedule } from "./schedules.ts";

/*
 * What becomes of each due time.
 *
 * 1. Due times are decided in their order, under the schedule's row lock, each once, when their turn has come: whoever
 *    looks late, twice or not at all, who looks next decides all that was left.
 * 2. The catch-up window alone says which of them come too late. Those are `missed`.
 * 3. The overlap policy is applied to the runs that the ledger knows, not to workflows: a workflow that waits for a
 *    worker which is down is no run that is going on, and holds none up.
 * 4. While the ledger waits for its recovery nothing is decided and nothing begins, since it may have been run already
 *    (I1): schedule-recovery.ts.
 */

/** Decided in one transaction. Behind it, the next look goes on. */
const DECIDED_AT_ONCE = 1_000;

export interface Decided {
  /** Runs that were begun, by this or by the end of another one. */
  begun: number;
  missed: number;
  skipped: number;
}

/** A schedule after a turn. */
interface After {
  decided: Decided;
  /** As it is by now; undefined: there is none. */
  schedule: Schedule | undefined;
  /** Through when nothing of it is asked for any more, as long as it stays as it is. Unix milliseconds. */
  throughMs: number;
}

/**
 * Decides every due time whose turn has come and that was not decided yet. Takes the schedule's row lock.
 *
 * @param lateOnly only those that are too late to begin: for whoever could not have a run begin.
 */
export async function takeTurn(
  tx: Db,
  input: { scheduleId: string; lateOnly?: boolean; nowMs: number },
): Promise<After> {
  const { nowMs } = input;
  const schedule = await lockSchedule(tx, input.scheduleId);
  // What comes due while the ledger waits for its recovery is passed over with that one's end.
  if (!schedule || (await awaitsRecovery(tx))) return { decided: NOTHING, schedule, throughMs: nowMs };
  const { definition } = schedule;
  const throughMs = input.lateOnly ? nowMs - lateAfterMs(definition) - 1 : nowMs;
  const decided = isTimedHere(schedule)
    ? await decide(tx, schedule, { throughMs, byMs: nowMs, nowMs })
    : { ...NOTHING, throughMs: nowMs };
  // Whether it is paused by now, as a run that failed at once may have done.
  const after = (definition.pause_on_failure && (await lockSchedule(tx, schedule.id))) || schedule;
  const { missed, skipped } = decided;
  const begun = decided.begun + (await beginWaiting(tx, after, nowMs));
  return { decided: { begun, missed, skipped }, schedule: after, throughMs: decided.throughMs };
}

const NOTHING: Decided = { begun: 0, missed: 0, skipped: 0 };

/**
 * Decides what came due before a schedule is changed, which afterwards asks for other times: what can still begin in
 * time begins, or is `skipped` where that is what the change is about. The schedule's row is locked by the caller.
 */
export async function decideBefore(
  tx: Db,
  schedule: Schedule,
  { skippedBecause, nowMs }: { skippedBecause?: string; nowMs: number },
): Promise<void> {
  if (!isTimedHere(schedule) || (await awaitsRecovery(tx))) return;
  const lateThroughMs = nowMs - lateAfterMs(schedule.definition) - 1;
  await decide(tx, schedule, { throughMs: lateThroughMs, byMs: nowMs, nowMs });
  // However many came too late, those in time are not behind them.
  if (((await decidedThrough(tx, schedule.id)) ?? 0) < lateThroughMs)
    await setDecidedThrough(tx, schedule.id, lateThroughMs);
  // Nobody waits for a turn any more.
  await decide(tx, schedule, { throughMs: nowMs, byMs: Number.POSITIVE_INFINITY, skippedBecause, nowMs });
}

async function decide(
  tx: Db,
  schedule: Schedule,
  input: { throughMs: number; byMs: number; skippedBecause?: string | undefined; nowMs: number },
): Promise<Decided & Pick<After, "throughMs">> {
  const { definition } = schedule;
  const { throughMs, byMs, nowMs } = input;
  const lateMs = lateAfterMs(definition);
  const fromMs = (await decidedThrough(tx, schedule.id)) ?? schedule.updatedAtMs;
  if (throughMs <= fromMs) return { ...NOTHING, throughMs: fromMs };
  const come = turnsThatCame(schedule, { fromMs, throughMs, byMs, limit: DECIDED_AT_ONCE });
  const late = come.dueMs.filter((dueMs) => nowMs > dueMs + lateMs);
  const missed = await insertRuns(
    tx,
    late.map((dueMs) => newRun(schedule, dueMs, "missed", missedBecause(definition))),
    { nowMs },
  );
  if (missed.length > 0) await tellMissed(tx, schedule, nowMs);
  const taken = await takeInOrder(tx, schedule, come.dueMs.slice(late.length), input);
  await setDecidedThrough(tx, schedule.id, come.throughMs);
  return { ...taken, missed: missed.length, throughMs: come.throughMs };
}

async function takeInOrder(
  tx: Db,
  schedule: Schedule,
  due: readonly number[],
  { skippedBecause, nowMs }: { skippedBecause?: string | undefined; nowMs: number },
): Promise<Pick<Decided, "begun" | "skipped">> {
  let begun = 0;
  let skipped = 0;
  let because = skippedBecause;
  for (const dueMs of due) {
    if (because !== undefined) {
      const run = newRun(schedule, dueMs, "skipped", because);
      skipped += (await insertRuns(tx, [run], { nowMs })).length;
      continue;
    }
    const state = await take(tx, schedule, newRun(schedule, dueMs, "waiting"), nowMs);
    if (state === "running") begun += 1;
    if (state === "skipped") skipped += 1;
    if (state === "failed" && schedule.definition.pause_on_failure)
      because = `the run of ${runKeyOf(dueMs)} failed, and paused the schedule`;
  }
  return { begun, skipped };
}

/** Writes down a run that is due, as the overlap policy says. Undefined: it was there. */
export async function take(
  tx: Db,
  schedule: Schedule,
  run: NewRun,
  nowMs: number,
): Promise<string | undefined> {
  const open = await settleEnded(tx, schedule, await listOpenRuns(tx, schedule.id), nowMs);
  const underWay = open.filter(({ state }) => isUnderWay(state));
  const waiting = open.filter(({ state }) => state === "waiting");
  const admission = admit(overlapOf(schedule), { underWay: underWay.length, waiting: waiting.length });
  if (admission.kind === "skip") {
    const blocker = underWay[0] ?? waiting[0];
    const reason = `the run of ${blocker?.runKey ?? "before"} was still ${underWay.length > 0 ? "going" : "waiting"}`;
    const skipped = await insertRuns(tx, [{ ...run, state: "skipped", reason }], { nowMs });
    return skipped.length > 0 ? "skipped" : undefined;
  }
  const [written] = await insertRuns(tx, [{ ...run, state: "waiting" }], { nowMs });
  if (!written) return undefined;
  if (admission.kind === "begin") {
    const begun = await begin(tx, schedule, written, nowMs);
    return begun.state;
  }
  if (admission.dropWaiting) {
    for (const other of waiting)
      await changeRun(tx, other, {
        state: "skipped",
        reason: `the run of ${run.runKey} took its place`,
        endedAtMs: nowMs,
      });
  }
  if (admission.cancelUnderWay) {
    for (const other of underWay.filter(({ state }) => state === "running"))
      await changeRun(tx, other, { state: "cancelling", reason: `the run of ${run.runKey} takes its place` });
    await putOutbox(
      tx,
      underWay.map(({ id }) => ({ kind: "schedule_run", subject: id, dueAtMs: nowMs })),
    );
  }
  return "waiting";
}

function overlapOf({ definition }: Schedule): OverlapPolicy {
  return definition.overlap;
}

/** Runs whose campaigns are over are over, even where nobody has looked at them since. Returns those that are left. */
async function settleEnded(
  tx: Db,
  schedule: Schedule,
  open: readonly ScheduleRun[],
  nowMs: number,
): Promise<ScheduleRun[]> {
  const campaigns = open.flatMap(({ campaignId }) => campaignId ?? []);
  if (campaigns.length === 0) return [...open];
  const left: ScheduleRun[] = [];
  for (const run of open) {
    const end = isUnderWay(run.state) ? await campaignEndOf(tx, run) : undefined;
    if (end) await endRun(tx, schedule, run, { ...end, endedAtMs: nowMs });
    else left.push(run);
  }
  return left;
}

/** How a run's campaign ended; undefined while it goes on. */
export async function campaignEndOf(tx: Db, run: ScheduleRun): Promise<RunChange | undefined> {
  if (run.campaignId === undefined) return undefined;
  const [campaign] = await rows<{ state: string; reason: string | null; ended: boolean }>(
    tx,
    sql`select state, state_reason as reason, ended_at is not null as ended from campaigns where id = ${run.campaignId}::uuid`,
  );
  if (!campaign?.ended) return undefined;
  const result = { ...run.result, campaign_state: campaign.state };
  if (campaign.state === "completed") return { state: "done", result };
  const reason = run.state === "cancelling" ? run.reason : (campaign.reason ?? "its campaign was cancelled");
  return { state: "cancelled", reason, result };
}

/** Has a run begin: what it takes is written down with it. */
async function begin(tx: Db, schedule: Schedule, run: ScheduleRun, nowMs: number): Promise<ScheduleRun> {
  const running = await changeRun(tx, run, { state: "running", startedAtMs: nowMs });
  const { definition } = schedule;
  if (definition.run.campaign === undefined) {
    const target = await findTarget(tx, definition.run);
    if (!target.ok)
      return endRun(tx, schedule, running, { state: "failed", reason: target.problem, endedAtMs: nowMs });
    await createAction(tx, {
      of: { scheduleRunId: run.id },
      owner: schedule.name,
      n: 0,
      spec: automationRun(definition, target, { runId: run.id, dueAtMs: run.dueAtMs }),
      state: "due",
      nowMs,
    });
  }
  await putOutbox(tx, [{ kind: "schedule_run", subject: run.id, dueAtMs: nowMs }]);
  return running;
}

/** Begins those whose turn it is. While a schedule is paused, only what people asked for. Returns how many began. */
export async function beginWaiting(tx: Db, schedule: Schedule, nowMs: number): Promise<number> {
  if (await awaitsRecovery(tx)) return 0;
  let begun = 0;
  let isActive = schedule.state === "active";
  for (;;) {
    const open = await settleEnded(tx, schedule, await listOpenRuns(tx, schedule.id), nowMs);
    const isHeldUp = open.some(({ state }) => isUnderWay(state)) && overlapOf(schedule) !== "allow";
    const next = open.find(({ state, cause }) => state === "waiting" && (isActive || cause !== "schedule"));
    if (!next || isHeldUp) return begun;
    const { state } = await begin(tx, schedule, next, nowMs);
    if (state === "failed" && schedule.definition.pause_on_failure) isActive = false;
    begun += 1;
  }
}
