import { proxyActivities } from "@temporalio/workflow";

import type { ActActivities, Activities, FollowActivities } from "../activities/index.ts";
import { actQueueBeside, followQueueBeside } from "../temporal/task-queues.ts";

/** Ports come back within minutes or hours: engine activities are tried until they do, a minute apart at most. */
const UNTIL_IT_ANSWERS = {
  initialInterval: "1 second",
  backoffCoefficient: 2,
  maximumInterval: "1 minute",
} as const;

export const engine = proxyActivities<Activities>({
  // A look at a batch makes a dozen requests of 30 seconds at the very most before it gives up.
  startToCloseTimeout: "5 minutes",
  // A worker that dies with one in its hands is noticed within this, not after the whole time. Activities say
  // that they are alive from their fourth second on, so quick ones cost no heartbeat.
  heartbeatTimeout: "10 seconds",
  retry: UNTIL_IT_ANSWERS,
});

/** Followers run on the queue beside the one of their workflow. */
export function followersBeside(engineQueue: string): FollowActivities {
  return proxyActivities<FollowActivities>({
    taskQueue: followQueueBeside(engineQueue),
    startToCloseTimeout: "1 day",
    // A dead follower is replaced this soon; until then nobody is followed (I4: later, not different). Each
    // heartbeat that is delivered, every 0.8 of this, is one billed action (docs/costs.md).
    heartbeatTimeout: "10 seconds",
    retry: UNTIL_IT_ANSWERS,
  });
}

/** What reaches out after a call, or for a step, runs on the queue beside the one of its workflow. */
export function actorsBeside(engineQueue: string): ActActivities {
  return proxyActivities<ActActivities>({
    taskQueue: actQueueBeside(engineQueue),
    // One try or one look: a request is cut off well before this. Tries are counted in the ledger, not here.
    startToCloseTimeout: "2 minutes",
    heartbeatTimeout: "10 seconds",
    retry: UNTIL_IT_ANSWERS,
  });
}

/** What reads whole lists from elsewhere runs on the same queue, and may take its time. */
export function loadersBeside(engineQueue: string): Pick<ActActivities, "startRecurringRun"> {
  return proxyActivities<ActActivities>({
    taskQueue: actQueueBeside(engineQueue),
    // A million contacts are read and checked in minutes; a source that trickles is given up in the end.
    startToCloseTimeout: "1 hour",
    heartbeatTimeout: "10 seconds",
    retry: UNTIL_IT_ANSWERS,
  });
}

/** What brings automations to the platform runs on the same queue, and may wait for a test run or a model. */
export function keepersBeside(engineQueue: string): Pick<ActActivities, "tendAutomation"> {
  return proxyActivities<ActActivities>({
    taskQueue: actQueueBeside(engineQueue),
    // One step: a test run answers after 310 seconds at the latest, and some short requests are beside it.
    startToCloseTimeout: "10 minutes",
    heartbeatTimeout: "10 seconds",
    retry: UNTIL_IT_ANSWERS,
  });
}
