import { condition, continueAsNew, workflowInfo } from "@temporalio/workflow";

import type { FollowUpLook } from "../activities/follow-ups/tend-follow-up.ts";
import { actorsBeside } from "./proxies.ts";
import { takeTurns } from "./turns.ts";

type Actors = ReturnType<typeof actorsBeside>;

export interface FollowUpWorkflowInput {
  followUpId: string;
}

/**
 * What follows one call: wait until it is processed, then act. What is to be done, and when it is tried again,
 * stands in the ledger; this is the clock between the tries. A person's word that comes with its end is looked at, too.
 */
export function followUpWorkflow({ followUpId }: FollowUpWorkflowInput): Promise<string | undefined> {
  const actors = actorsBeside(workflowInfo().taskQueue);
  return takeTurns({
    look: async (isWoken) => {
      const startedAtMs = workflowInfo().startTime.getTime();
      let look = await actors.tendFollowUp({ followUpId, startedAtMs });
      if (look.actionIds.length > 0) look = await tryThem(actors, look, isWoken);
      if (look.done) return { over: "unless_woken" };
      return { waitMs: look.waitMs, waitsFor: look.waitsFor };
    },
    failure: "a follow-up could not be moved on",
    ids: { followUpId },
    goOn: () => continueAsNew<typeof followUpWorkflow>({ followUpId }),
  });
}

/**
 * Tries actions, ten at the most at the same time, each when it says, until one of them is over, something else is
 * due or somebody wakes it up: then it has to be looked at again. Says whether that was the end of the follow-up.
 */
async function tryThem(
  actors: Actors,
  { actionIds, waitMs: untilOthersMs }: FollowUpLook,
  isWoken: () => boolean,
): Promise<FollowUpLook> {
  const lookAtMs = Date.now() + untilOthersMs;
  const dueAtMs = new Map(actionIds.map((actionId) => [actionId, Date.now()]));
  for (;;) {
    const due = [...dueAtMs].flatMap(([actionId, atMs]) => (atMs <= Date.now() ? [actionId] : []));
    const tried = await Promise.all(due.map((actionId) => actors.performAction({ actionId })));
    if (tried.some(({ isLast }) => isLast)) return { done: true, actionIds: [], waitMs: 0 };
    if (tried.some(({ waitMs }) => waitMs === undefined)) break;
    for (const [index, actionId] of due.entries()) {
      dueAtMs.set(actionId, Date.now() + (tried[index]?.waitMs ?? 0));
    }
    const nextAtMs = Math.min(lookAtMs, ...dueAtMs.values());
    if (nextAtMs > Date.now())
      await condition(isWoken, nextAtMs - Date.now(), { summary: "the next try of an action" });
    if (isWoken() || Date.now() >= lookAtMs || workflowInfo().continueAsNewSuggested) break;
  }
  return { done: false, actionIds: [], waitMs: 0 };
}
