import { isActionOver } from "../../domain/follow-ups/actions.ts";
import { parseDurationMs } from "../../domain/time/duration.ts";
import { beginsByMs } from "../../domain/schedules/schedule.ts";
import { isUnderWay } from "../../domain/schedules/schedule-run.ts";
import { listActionsOf, type Action } from "../../ledger/follow-ups/actions.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import { awaitsRecovery } from "../../ledger/ground/installation.ts";
import { noteLook } from "../../ledger/ground/look-by.ts";
import { endRun, missedBecause, tellLong, type RunEnd } from "../../ledger/schedules/schedule-ends.ts";
import { readScheduleRun, type ScheduleRun } from "../../ledger/schedules/schedule-runs.ts";
import { dropUntried } from "../../ledger/schedules/schedule-targets.ts";
import { lockSchedule, type Schedule } from "../../ledger/schedules/schedules.ts";
import { beginWaiting, campaignEndOf } from "../../ledger/schedules/scheduling.ts";
import { tellCampaign } from "../../commands/campaigns.ts";
import { haltBatches } from "../campaigns/halt-batches.ts";
import type { ActivityDeps } from "../deps.ts";
import { CommandRefusedError } from "../../ledger/ground/command-refused.ts";
import { readCampaign } from "../../ledger/campaigns/campaigns.ts";

/** What a run's workflow does next. */
export type ScheduleRunStep =
  | { next: "done" }
  /** Its campaign is to be made. */
  | { next: "start" }
  | { next: "act"; actionId: string }
  | { next: "wait"; waitMs: number };

/** A campaign that lasts for days is looked at this rarely; whoever waits for its end looks by himself. */
const SLOWEST_LOOKS = 5;

/** A try of its action, and the wait for the next one. A list that takes longer is asked after meanwhile, which does no harm. */
const TRIES_MS = 15 * 60_000;

/** A recovery takes minutes; what was begun before it may have been made already, and waits for its end. */
const HELD_LOOK_MS = 5 * 60_000;

/**
 * Looks how far a run is, writes its end down, and has the next one begin that waited for it.
 *
 * Safe to retry: it reads where everything stands, and a campaign is cancelled once.
 *
 * @param input `refused`: why its campaign could not be made
 */
export async function advanceScheduleRun(
  deps: ActivityDeps,
  input: { runId: string; refused?: string | undefined },
): Promise<ScheduleRunStep> {
  const run = await readScheduleRun(deps.ledger.db, input.runId);
  if (!run || !isUnderWay(run.state)) return { next: "done" };
  if (run.state === "cancelling") await cancelCampaignOf(deps, run);
  const { step, begun } = await deps.ledger.transaction(async (tx) => {
    const schedule = await lockSchedule(tx, run.scheduleId);
    const now = schedule && (await readScheduleRun(tx, input.runId));
    if (!now || !isUnderWay(now.state)) return { step: { next: "done" } as const, begun: 0 };
    const nowMs = deps.now();
    const isHeld = await awaitsRecovery(tx);
    const end =
      (await endOf(tx, now, input.refused)) ??
      (isHeld ? undefined : await lateEndOf(tx, schedule, now, nowMs));
    if (!end) {
      const step = held(await goOn(deps, tx, schedule, now), isHeld);
      const waitMs = step.next === "wait" ? step.waitMs : TRIES_MS;
      await noteLook(tx, "schedule_run", now.id, { nowMs, waitMs });
      return { step, begun: 0 };
    }
    await endRun(tx, schedule, now, { ...end, endedAtMs: nowMs });
    // Whether it is paused by now, as the end of this one may have done.
    const after = await lockSchedule(tx, run.scheduleId);
    return { step: { next: "done" } as const, begun: after ? await beginWaiting(tx, after, nowMs) : 0 };
  });
  if (begun > 0) deps.outbox.kick();
  return step;
}

/** No campaign is made, and no list taken, that may have been called already. Actions say for themselves that they wait. */
function held(step: ScheduleRunStep, isHeld: boolean): ScheduleRunStep {
  return isHeld && step.next === "start" ? { next: "wait", waitMs: HELD_LOOK_MS } : step;
}

/** Calls that are up end by themselves; the campaign is over when they have. It is told once: that is durable. */
async function cancelCampaignOf(deps: ActivityDeps, run: ScheduleRun): Promise<void> {
  const { campaignId } = run;
  if (campaignId === undefined) return;
  const campaign = await readCampaign(deps.ledger.db, campaignId);
  if (campaign?.state === "draining") return;
  const ports = { ...deps, haltBatches: (ids: readonly string[]) => haltBatches(deps, ids) };
  try {
    await tellCampaign(ports, "cancel", {
      campaignId,
      commandId: `schedule-run ${run.id}`,
      actor: "engine",
      reason: run.reason,
    });
  } catch (error) {
    // It is over already.
    if (!(error instanceof CommandRefusedError)) throw error;
  }
}

async function endOf(tx: Db, run: ScheduleRun, refused: string | undefined): Promise<RunEnd | undefined> {
  if (run.campaignId !== undefined) {
    const end = await campaignEndOf(tx, run);
    // One that somebody else brought to its end well is not refused any more.
    return end?.state === "cancelled" && refused !== undefined
      ? { ...end, state: "failed", reason: refused }
      : end;
  }
  const action = await newestActionOf(tx, run);
  if (action) return isActionOver(action.state) ? endOfAction(run, action) : undefined;
  if (run.state === "cancelling") return { state: "cancelled", reason: run.reason };
  return refused === undefined ? undefined : { state: "failed", reason: refused };
}

/** One that came too late stays on record, beside the one that makes up for it. */
async function newestActionOf(tx: Db, run: ScheduleRun): Promise<Action | undefined> {
  return (await listActionsOf(tx, { scheduleRunId: run.id })).at(-1);
}

/** Whether a run is one that was due by itself, and should be under way for longer than is in time. */
export function isLate({ definition }: Schedule, run: ScheduleRun, nowMs: number): boolean {
  return run.cause === "schedule" && nowMs > beginsByMs(definition, run.startedAtMs ?? nowMs);
}

/** A run that nobody took up in time is not made; its campaign is a matter of whoever makes it. */
async function lateEndOf(
  tx: Db,
  schedule: Schedule,
  run: ScheduleRun,
  nowMs: number,
): Promise<RunEnd | undefined> {
  if (!isLate(schedule, run, nowMs) || !(await dropUntried(tx, run.id, nowMs))) return undefined;
  return { state: "missed", reason: missedBecause(schedule.definition) };
}

const FAILED_AS = {
  failed: "failed",
  unknown: "its fate is not known",
  skipped: "was skipped",
} as const;

function endOfAction(run: ScheduleRun, action: Action): RunEnd {
  const { state, answer, tries, externalId } = action;
  const executionOf: unknown = answer?.["execution_id"];
  const executionId = externalId ?? (typeof executionOf === "string" ? executionOf : undefined);
  const result = { ...run.result, action: action.id, tries, answer: answer ?? null };
  if (state === "failed" || state === "unknown" || state === "skipped")
    return {
      state: "failed",
      reason: action.error ?? `the automation ${FAILED_AS[state]}`,
      mayHaveRun: state === "unknown",
      executionId,
      result,
    };
  return { state: "done", executionId, result };
}

async function goOn(
  deps: ActivityDeps,
  tx: Db,
  schedule: Schedule,
  run: ScheduleRun,
): Promise<ScheduleRunStep> {
  const nowMs = deps.now();
  const ageMs = nowMs - (run.startedAtMs ?? nowMs);
  const longMs = parseDurationMs(schedule.definition.longer_than ?? "") ?? Number.POSITIVE_INFINITY;
  if (ageMs > longMs) await tellLong(tx, schedule, run, nowMs);
  const action = await newestActionOf(tx, run);
  if (action) return { next: "act", actionId: action.id };
  if (run.campaignId === undefined || (await readCampaign(tx, run.campaignId))?.state === "scheduled")
    return { next: "start" };
  const { lookMs, busyLookMs } = deps.pace;
  const slowestMs = run.state === "cancelling" ? busyLookMs / 4 : SLOWEST_LOOKS * busyLookMs;
  const lookInMs = Math.min(Math.max(lookMs, ageMs / 4), slowestMs);
  const toLongMs = longMs > ageMs ? longMs - ageMs + 1 : Number.POSITIVE_INFINITY;
  return { next: "wait", waitMs: Math.ceil(Math.min(lookInMs, toLongMs)) };
}
