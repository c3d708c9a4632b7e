import { Context } from "@temporalio/activity";

import {
  cancelCampaignActivity,
  amendCampaignActivity,
  pauseCampaignActivity,
  resumeCampaignActivity,
} from "./campaign-commands.ts";
import { tendAutomation } from "./automation/tend-automation.ts";
import { createBatch } from "./create-batch.ts";
import type { ActivityDeps } from "./deps.ts";
import { advanceEnrolment } from "./enrolment/advance.ts";
import { failureOf } from "./failures.ts";
import { followCampaign, type FollowDeps } from "./follow/follow-campaign.ts";
import { tendFollowUp } from "./follow-up/tend-follow-up.ts";
import { performAction } from "./action/perform-action.ts";
import { tendKeyRotation } from "./key-rotation/tend.ts";
import { planBatch } from "./plan-batch.ts";
import { startRecurringRun } from "./recurring/start-recurring-run.ts";
import { advanceScheduleRun } from "./schedule/advance-run.ts";
import { decideDueTimesActivity } from "./schedule/decide-due-times.ts";
import { startBatch } from "./start-batch.ts";
import { tendBatch } from "./tend-batch.ts";

/**
 * An engine activity that lasts longer than this says so every so often. Nearly all are over sooner, and a
 * heartbeat is a billed action.
 */
const ALIVE_EVERY_MS = 4_000;

/** Binds an activity to its ports and maps what it throws, once, to what workflows understand. */
function bound<Deps, Input, Result>(
  deps: Deps,
  activity: (deps: Deps, input: Input) => Promise<Result>,
): (input: Input) => Promise<Result> {
  return async (input) => {
    const context = Context.current();
    const alive = setInterval(() => context.heartbeat(), ALIVE_EVERY_MS);
    try {
      return await activity(deps, input);
    } catch (error) {
      throw failureOf(error);
    } finally {
      clearInterval(alive);
    }
  };
}

/** The activities that plan, dial and settle. They answer quickly; none waits for a call. */
export function createActivities(deps: ActivityDeps) {
  return {
    planBatch: bound(deps, planBatch),
    createBatch: bound(deps, createBatch),
    startBatch: bound(deps, startBatch),
    tendBatch: bound(deps, tendBatch),
    tendKeyRotation: bound(deps, tendKeyRotation),
    pauseCampaign: bound(deps, pauseCampaignActivity),
    resumeCampaign: bound(deps, resumeCampaignActivity),
    cancelCampaign: bound(deps, cancelCampaignActivity),
    amendCampaign: bound(deps, amendCampaignActivity),
    advanceEnrolment: bound(deps, advanceEnrolment),
    decideDueTimes: bound(deps, decideDueTimesActivity),
    advanceScheduleRun: bound(deps, advanceScheduleRun),
  };
}

/** The activities that last as long as a campaign does: on a task queue of their own, so that they starve nobody. */
export function createFollowActivities(deps: FollowDeps) {
  return { followCampaign: bound(deps, followCampaign) };
}

/** The activities that wait for other systems: on a task queue of their own, because those may be slow. */
export function createActActivities(deps: ActivityDeps) {
  return {
    tendFollowUp: bound(deps, tendFollowUp),
    performAction: bound(deps, performAction),
    startRecurringRun: bound(deps, (deps: ActivityDeps, input: { scheduleRunId: string }) =>
      startRecurringRun(deps, input, Context.current().cancellationSignal),
    ),
    tendAutomation: bound(deps, tendAutomation),
  };
}

export type Activities = ReturnType<typeof createActivities>;
export type FollowActivities = ReturnType<typeof createFollowActivities>;
export type ActActivities = ReturnType<typeof createActActivities>;
