import { isActionOver } from "../../../domain/follow-ups/actions.ts";
import { readAction, type Action } from "../../../ledger/follow-ups/actions.ts";
import { noteWork } from "../../../tracing/work.ts";
import type { ActivityDeps } from "../../deps.ts";
import { performAutomation } from "./automation.ts";
import { performInLedger, performSuppression } from "./in-ledger.ts";
import { keepRecording } from "./recording.ts";
import type { PerformedAction, Step } from "./step.ts";
import { deliverWebhook } from "./webhook.ts";
import { putOff, readRecoveryStanding, settleTry } from "../../../ledger/follow-ups/action-tries.ts";

/** A recovery takes minutes, and thousands of actions may wait for it: one look each in so long. */
const HELD_LOOK_MS = 5 * 60_000;

/** Somebody else has the action in hands; when to see what became of that. */
const BUSY_LOOK_MS = 1_000;

/**
 * Makes one try of an action, or looks at what an earlier one began. Called before its time it only says when that
 * is. What is tried again, how often and when stands in the action's row: this is the only owner of its retries.
 *
 * Safe to retry: whatever may have been sent is noted before it is sent, and looked for before it is sent again.
 * Webhooks whose answer was lost are delivered again under the same id.
 */
export async function performAction(
  deps: ActivityDeps,
  { actionId }: { actionId: string },
): Promise<PerformedAction> {
  const action = await readAction(deps.ledger.db, actionId);
  if (!action) return { state: "skipped", waitMs: undefined };
  noteWork({ followUpId: action.followUpId, enrolmentId: action.enrolmentId }, action.traceParent);
  if (isActionOver(action.state) || action.state === "waiting")
    return { state: action.state, waitMs: undefined };
  const waitMs = (action.nextTryAtMs ?? 0) - deps.now();
  if (waitMs > 0) return { state: action.state, waitMs };
  const { heldBy, doubtSinceMs } = reachesOut(action)
    ? await readRecoveryStanding(deps.ledger.db, actionId)
    : NOT_CONCERNED;
  if (heldBy !== undefined) {
    const reason = `held until \`outdial recover\` is through, since it may have been done already: ${heldBy}`;
    await putOff(deps.ledger.db, action, { untilMs: deps.now() + HELD_LOOK_MS, reason });
    return { state: "due", waitMs: HELD_LOOK_MS };
  }
  return (await takeStep(deps, action, doubtSinceMs)) ?? { state: "due", waitMs: BUSY_LOOK_MS };
}

const NOT_CONCERNED = { heldBy: undefined, doubtSinceMs: undefined };

/**
 * Whether its next step tells somebody else, has somebody called or enrolled. Looking at an automation that was begun
 * does not; what suppresses, tags or keeps a file does no harm twice.
 */
function reachesOut({ spec, externalId, sentAtMs }: Action): boolean {
  if (spec.unplanned !== undefined) return false;
  switch (spec.kind) {
    case "automation":
      return externalId === undefined && sentAtMs === undefined;
    case "webhook":
    case "callback":
    case "enroll":
      return true;
    case "suppress":
    case "tag":
    case "recording":
      return false;
  }
}

/** Undefined where somebody else has the action in hands. */
async function takeStep(
  deps: ActivityDeps,
  action: Action,
  doubtSinceMs: number | undefined,
): Promise<PerformedAction | undefined> {
  const { spec } = action;
  if (spec.unplanned !== undefined)
    return settle(deps, { action, outcome: { kind: "refused", error: spec.unplanned } });
  switch (spec.kind) {
    case "automation":
      return settle(deps, await performAutomation(deps, action, spec, doubtSinceMs));
    case "webhook":
      return settle(deps, await deliverWebhook(deps, action, spec));
    case "recording":
      return settle(deps, await keepRecording(deps, action, spec));
    case "suppress":
      return settle(deps, await performSuppression(deps, action, spec));
    case "callback":
    case "enroll":
    case "tag":
      return performInLedger(deps, action, spec, doubtSinceMs);
  }
}

async function settle(deps: ActivityDeps, step: Step | undefined): Promise<PerformedAction | undefined> {
  if (!step) return undefined;
  return deps.ledger.transaction((tx) => settleTry(tx, step.action, step.outcome, deps.now()));
}
