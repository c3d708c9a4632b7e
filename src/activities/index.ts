import { Context } from "@temporalio/activity";

import { tendAutomation } from "./automations/tend-automation.ts";
import { createBatch } from "./campaigns/create-batch.ts";
import type { ActivityDeps } from "./deps.ts";
import { advanceEnrolment } from "./sequences/advance.ts";
import { failureOf } from "./failures.ts";
import { requireRightClock } from "./ground/clock-check.ts";
import { isLedgerAway, ledgerWaitMs, untilLedgerAnswers } from "./ground/ledger-away.ts";
import { batchStep, noteStepFailure, noteStepSuccess } from "./ground/failing-steps.ts";
import { followCampaign, type FollowDeps } from "./campaigns/follow/follow-campaign.ts";
import { tendFollowUp } from "./follow-ups/tend-follow-up.ts";
import { performAction } from "./follow-ups/actions/perform-action.ts";
import { tendKeyRotation } from "./keys/tend.ts";
import { planBatch } from "./campaigns/plan-batch.ts";
import { startRecurringRun } from "./schedules/start-recurring-run.ts";
import type { Step } from "../ledger/ground/failing-steps.ts";
import { advanceScheduleRun } from "./schedules/advance-run.ts";
import { decideDueTimesActivity } from "./schedules/decide-due-times.ts";
import { startBatch } from "./campaigns/start-batch.ts";
import { tendBatchOnTime } from "./campaigns/tend-batch.ts";
import { doWork, type WorkIds } from "../tracing/work.ts";

/**
 * An engine activity that lasts longer than this says so every so often. Nearly all are over sooner, and a
 * heartbeat is a billed action.
 */
const ALIVE_EVERY_MS = 4_000;

/** Binds an activity to its ports and maps what it throws, once, to what workflows understand. */
function bound<Deps extends Pick<ActivityDeps, "ledger">, Input, Result>(
  deps: Deps,
  activity: (deps: Deps, input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const context = Context.current();
    const alive = setInterval(() => context.heartbeat(), ALIVE_EVERY_MS);
    try {
      return await activity(deps, input);
    } catch (error) {
      const wait = { signal: context.cancellationSignal, boundMs: ledgerWaitMs(context.info.attempt) };
      const waited = isLedgerAway(error) && (await untilLedgerAnswers(deps.ledger, wait));
      throw failureOf(error, { waited });
    } finally {
      clearInterval(alive);
    }
  };
}

/** What an activity is a step of, and whether it succeeded: one that is to be done again may count its own failures. */
interface Watch<Input, Result> {
  step: (input: Input) => Step;
  isThrough?: (result: Result) => boolean;
  /** It lasts as long as a campaign does: a span of it would end with that. Its requests are counted, and not traced. */
  lasts?: true;
}

/** The ids that lines of the log and spans have of a step. */
function idsOf({ of, id }: Step): WorkIds {
  switch (of) {
    case "campaign":
      return { campaignId: id };
    case "batch":
      return { batchId: id };
    case "follow-up":
      return { followUpId: id };
    case "action":
      return { actionId: id };
    case "enrolment":
      return { enrolmentId: id };
    case "schedule":
      return { scheduleId: id };
    case "schedule run":
      return { scheduleRunId: id };
    case "automation":
      return { automationId: id };
    case "chore":
      return {};
  }
}

/**
 * Does an activity as a piece of work. Its span is called as Temporal's own interceptors call it: what is searched for by
 * a workflow's id is found either way.
 */
function inHand<Result>(
  { tracer }: ActivityDeps,
  { step, lasts }: { step: Step; lasts: true | undefined },
  perform: () => Promise<Result>,
): Promise<Result> {
  const { activityType, attempt, workflowExecution } = Context.current().info;
  return doWork(
    {
      name: `RunActivity:${activityType}`,
      kind: "internal",
      ids: idsOf(step),
      attributes: {
        temporalWorkflowId: workflowExecution?.workflowId,
        temporalRunId: workflowExecution?.runId,
        temporalActivityAttempt: attempt,
      },
      tracer: lasts ? undefined : tracer,
      begins: true,
    },
    perform,
  );
}

/** As `bound`, for what goes on by itself: nobody waits for it, so somebody has to be told where it keeps failing. */
function watched<Deps extends ActivityDeps, Input, Result>(
  deps: Deps,
  activity: (deps: Deps, input: Input) => Promise<Result>,
  { step, isThrough = () => true, lasts }: Watch<Input, Result>,
): (input: Input) => Promise<Result> {
  return bound(deps, (_, input: Input) => inHand(deps, { step: step(input), lasts }, () => perform(input)));

  async function perform(input: Input): Promise<Result> {
    const { info, cancellationSignal } = Context.current();
    // A step may succeed without asking anybody: that says nothing of the platform. Answers to others do.
    const answersBefore = deps.platform.answers();
    try {
      const result = await activity(deps, input);
      if (isThrough(result))
        await noteStepSuccess(deps, step(input), { asked: deps.platform.answers() > answersBefore });
      return result;
    } catch (error) {
      if (!cancellationSignal.aborted) await noteStepFailure(deps, step(input), error, info.attempt);
      throw error;
    }
  }
}

/** What takes steps that are due does so by a clock that is right, or is tried again, elsewhere mostly. */
function byTheClock<Input, Result>(
  activity: (deps: ActivityDeps, input: Input) => Promise<Result>,
): (deps: ActivityDeps, input: Input) => Promise<Result> {
  return async (deps, input) => {
    await requireRightClock(deps);
    return activity(deps, input);
  };
}

/** The activities that plan, dial and settle. They answer quickly; none waits for a call. */
export function createActivities(deps: ActivityDeps) {
  return {
    planBatch: watched(deps, planBatch, {
      step: ({ campaignId }) => ({ of: "campaign", id: campaignId, verb: "plan" }),
    }),
    createBatch: watched(deps, createBatch, {
      step: ({ batchId }) => batchStep(batchId, "create"),
      isThrough: ({ next }) => next !== "create",
    }),
    startBatch: watched(deps, startBatch, {
      step: ({ batchId }) => batchStep(batchId, "start"),
      isThrough: ({ next }) => next !== "start",
    }),
    tendBatch: watched(deps, tendBatchOnTime, { step: ({ batchId }) => batchStep(batchId, "tend") }),
    tendKeyRotation: watched(deps, byTheClock(tendKeyRotation), {
      step: () => ({ of: "chore", id: "rotation of the key", verb: "do" }),
    }),
    advanceEnrolment: watched(deps, byTheClock(advanceEnrolment), {
      step: ({ enrolmentId }) => ({ of: "enrolment", id: enrolmentId, verb: "advance" }),
    }),
    decideDueTimes: watched(deps, byTheClock(decideDueTimesActivity), {
      step: ({ scheduleId }) => ({ of: "schedule", id: scheduleId, verb: "decide" }),
    }),
    advanceScheduleRun: watched(deps, byTheClock(advanceScheduleRun), {
      step: (input) => ({ of: "schedule run", id: input.runId, verb: "advance" }),
    }),
  };
}

/** The activities that last as long as a campaign does: on a task queue of their own, so that they starve nobody. */
export function createFollowActivities(deps: FollowDeps) {
  return {
    followCampaign: watched(deps, followCampaign, {
      step: ({ campaignId }) => ({ of: "campaign", id: campaignId, verb: "follow" }),
      lasts: true,
    }),
  };
}

/** The activities that wait for other systems: on a task queue of their own, because those may be slow. */
export function createActActivities(deps: ActivityDeps) {
  return {
    tendFollowUp: watched(deps, byTheClock(tendFollowUp), {
      step: ({ followUpId }) => ({ of: "follow-up", id: followUpId, verb: "tend" }),
    }),
    performAction: watched(deps, byTheClock(performAction), {
      step: ({ actionId }) => ({ of: "action", id: actionId, verb: "perform" }),
    }),
    startRecurringRun: watched(
      deps,
      byTheClock((deps, input: { scheduleRunId: string }) =>
        startRecurringRun(deps, input, Context.current().cancellationSignal),
      ),
      { step: ({ scheduleRunId }) => ({ of: "schedule run", id: scheduleRunId, verb: "start" }) },
    ),
    tendAutomation: watched(deps, byTheClock(tendAutomation), {
      step: ({ automationId }) => ({ of: "automation", id: automationId, verb: "tend" }),
    }),
  };
}

export type Activities = ReturnType<typeof createActivities>;
export type FollowActivities = ReturnType<typeof createFollowActivities>;
export type ActActivities = ReturnType<typeof createActActivities>;
