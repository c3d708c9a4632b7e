import type { SpecOf } from "../../../domain/follow-ups/actions.ts";
import { formatDurationMs } from "../../../domain/time/duration.ts";
import { executionEndOf } from "../../../domain/ground/execution-status.ts";
import { keyOf, type Action } from "../../../ledger/follow-ups/actions.ts";
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PlatformError,
  RateLimitedError,
  UnprocessableError,
} from "../../../platform/index.ts";
import type { ActivityDeps } from "../../deps.ts";
import { searchByKey } from "../../ground/executions.ts";
import { needsPeople, remedyFor } from "../../ground/platform-refusals.ts";
import { keptData, keptText } from "../../ground/records.ts";
import {
  lookAtExecution,
  nextLookMs,
  PATIENCE_MS,
  seenOf,
  startExecution,
  type Seen,
} from "../../ground/tracked-execution.ts";
import { normaliseWord } from "../../../domain/ground/normalise-word.ts";
import type { Step } from "./step.ts";
import { claimTry, type TryOutcome } from "../../../ledger/follow-ups/action-tries.ts";

type AutomationSpec = SpecOf<"automation">;

/*
 * Running an automation of the platform (ground/tracked-execution.ts). A try that a restored ledger may have lost is
 * looked for before it is made. Keys of tries come again with it.
 */

/**
 * One try, or one look at what it began. Undefined where somebody else has it in hands.
 *
 * @param doubtSinceMs since then the try may have been made, in a part of the ledger that was lost
 */
export async function performAutomation(
  deps: ActivityDeps,
  action: Action,
  spec: AutomationSpec,
  doubtSinceMs: number | undefined,
): Promise<Step | undefined> {
  if (action.sentAtMs !== undefined) return look(deps, action, spec, action.sentAtMs);
  if (doubtSinceMs === undefined) return start(deps, action, spec);
  const lost = await findLostTry(deps, action, spec, doubtSinceMs);
  switch (lost.kind) {
    case "none":
      return start(deps, action, spec);
    case "not_readable":
      return { action, outcome: lost.outcome };
    case "found":
      return takeOver(deps, action, spec, lost.seen);
  }
}

type LostTry =
  | { kind: "none" }
  | { kind: "found"; seen: Seen }
  /** The platform does not answer now: nothing is begun before it does. */
  | { kind: "not_readable"; outcome: TryOutcome };

/** The execution of the next try, where it was begun in the part of the ledger that was lost. */
async function findLostTry(
  deps: ActivityDeps,
  action: Action,
  spec: AutomationSpec,
  sinceMs: number,
): Promise<LostTry> {
  const key = tryKeyOf({ ...action, tries: action.tries + 1 });
  const nowMs = deps.now();
  try {
    const search = await searchByKey(deps.platform, spec.workflowId, key, { nowMs, sinceMs });
    return search.kind === "found" ? { kind: "found", seen: seenOf(search.execution) } : { kind: "none" };
  } catch (error) {
    // What the start itself would be answered, it is better told by: a wrong id, a missing right.
    const isPassing =
      error instanceof PlatformError &&
      (error.status === undefined || error.status >= 500 || error.status === 429);
    if (!isPassing) return { kind: "none" };
    const waitMs = Math.max(deps.pace.quietMs, error.retryAfterMs ?? 0);
    return { kind: "not_readable", outcome: { kind: "pending", waitMs, error: error.message } };
  }
}

/** A try that was made before is booked as made, and followed. */
async function takeOver(
  deps: ActivityDeps,
  action: Action,
  spec: AutomationSpec,
  seen: Seen,
): Promise<Step | undefined> {
  const nowMs = deps.now();
  if (!(await claimTry(deps.ledger.db, action, nowMs))) return undefined;
  const claimed = { ...action, tries: action.tries + 1, sentAtMs: nowMs };
  return { action: claimed, outcome: outcomeOf(deps, claimed, spec, seen) };
}

/** In the input of every try, and of no other. */
function tryKeyOf(action: Action): string {
  return `${keyOf(action)}#${action.tries}#`;
}

async function start(deps: ActivityDeps, action: Action, spec: AutomationSpec): Promise<Step | undefined> {
  const nowMs = deps.now();
  if (!(await claimTry(deps.ledger.db, action, nowMs))) return undefined;
  const claimed = { ...action, tries: action.tries + 1, sentAtMs: nowMs };
  const input = {
    ...spec.subject,
    ...spec.data,
    idempotency_key: keyOf(action),
  };
  const key = tryKeyOf(claimed);
  const request = { workflow_id: spec.workflowId, context_data: keptData({ ...input, try_key: key }) };
  try {
    const seen = await startExecution(deps, { workflowId: spec.workflowId, key }, input);
    return { action: claimed, outcome: { request, ...outcomeOf(deps, claimed, spec, seen) } };
  } catch (error) {
    return { action: claimed, outcome: { request, ...outcomeOfError(deps, claimed, error) } };
  }
}

/** What an execution's state amounts to. An unknown word is not the end; the rule's timeout is the bound. */
function outcomeOf(deps: ActivityDeps, action: Action, spec: AutomationSpec, seen: Seen): TryOutcome {
  const end = executionEndOf(seen.status);
  const answer = {
    execution_id: seen.id ?? null,
    status: seen.status ?? null,
    error: seen.error === undefined ? null : keptText(seen.error, []),
    output: keptData(seen.output),
  };
  const external = seen.id === undefined ? {} : { externalId: seen.id };
  if (end === "succeeded") return { kind: "done", answer, ...external };
  if (end !== undefined) {
    const word = normaliseWord(seen.status ?? "");
    const why = seen.error === undefined ? "" : `: ${seen.error}`;
    return { kind: "failed_try", answer, error: `execution ${seen.id ?? ""} ended as ${word}${why}` };
  }
  const ageMs = deps.now() - (action.sentAtMs ?? deps.now());
  if (ageMs < spec.timeoutMs) {
    const waitMs = Math.min(nextLookMs(deps, ageMs), spec.timeoutMs - ageMs);
    return { kind: "pending", answer, waitMs, ...external };
  }
  const error = `execution ${seen.id ?? ""} is ${seen.status ?? "not seen"} after ${formatDurationMs(spec.timeoutMs)}, the rule's timeout`;
  if (spec.repeat === "safe") return { kind: "failed_try", answer, error };
  return { kind: "unknown", answer, error: `${error}; it may still end well, and is not to be repeated` };
}

/** Looks at the execution that the try began, or for it. */
async function look(
  deps: ActivityDeps,
  action: Action,
  spec: AutomationSpec,
  sentAtMs: number,
): Promise<Step> {
  const { externalId: executionId } = action;
  try {
    const found = await lookAtExecution(deps, {
      workflowId: spec.workflowId,
      key: tryKeyOf(action),
      sentAtMs,
      executionId,
      isAnswered: action.error !== undefined,
    });
    if (found.kind === "seen") return { action, outcome: outcomeOf(deps, action, spec, found.seen) };
    if (found.kind === "not_yet")
      return { action, outcome: { kind: "pending", waitMs: found.waitMs, ...sameError(action) } };
    const error = found.isAbsent
      ? "the answer to the start was lost, and no execution of it is to be found"
      : "the answer to the start was lost, and the platform does not show enough to find its execution";
    if (spec.repeat === "safe") return { action, outcome: { kind: "failed_try", error } };
    return {
      action,
      outcome: { kind: "unknown", error: `${error}; the rule says that it must not be repeated` },
    };
  } catch (error) {
    return { action, outcome: laterLook(deps, action, spec, error) };
  }
}

/** The words of a lost answer stay: they tell a start that is known to be over from one that may be under way. */
function sameError(action: Action): { error?: string } {
  return action.error === undefined ? {} : { error: action.error };
}

const LOST = "the answer to the start was lost; its execution is looked for";

/** A look that failed says nothing of the execution: it is looked at later, whatever the rule's timeout. */
function laterLook(deps: ActivityDeps, action: Action, spec: AutomationSpec, error: unknown): TryOutcome {
  if (!(error instanceof PlatformError)) throw error;
  const ageMs = deps.now() - (action.sentAtMs ?? deps.now());
  if (ageMs > spec.timeoutMs + PATIENCE_MS) {
    return { kind: "unknown", error: `what became of the execution can't be seen: ${error.message}` };
  }
  const waitMs = Math.max(deps.pace.lookMs, error.retryAfterMs ?? 0);
  return action.externalId === undefined
    ? { kind: "pending", waitMs, ...sameError(action) }
    : { kind: "pending", waitMs, error: error.message };
}

/** What a start without a good answer may have done, and what follows from that. */
function outcomeOfError(deps: ActivityDeps, action: Action, error: unknown): TryOutcome {
  if (!(error instanceof PlatformError)) throw error;
  const answer = { status: error.status ?? null, error: error.code };
  if (error.effect === "may_have_happened") {
    return { kind: "pending", answer, waitMs: deps.pace.lookMs, error: `${LOST} (${error.message})` };
  }
  if (
    error instanceof NotFoundError ||
    error instanceof InvalidRequestError ||
    error instanceof UnprocessableError
  ) {
    return { kind: "refused", answer, error: `${error.message}: check the rule's automation and its data` };
  }
  const remedy = remedyOf(error);
  if (remedy !== undefined) return { kind: "failed_try", answer, error: `${error.message}: ${remedy}` };
  const isPatient = deps.now() - action.createdAtMs < PATIENCE_MS;
  if (isPatient && (error instanceof RateLimitedError || error.status === undefined)) {
    const waitMs = Math.max(deps.pace.quietMs, error.retryAfterMs ?? 0);
    return { kind: "postponed", answer, waitMs, error: error.message };
  }
  return { kind: "failed_try", answer, error: error.message };
}

function remedyOf(error: PlatformError): string | undefined {
  if (error instanceof ConflictError) return "deploy the automation, or set it active";
  return needsPeople(error) ? remedyFor(error, "workflows:write and workflows:read") : undefined;
}
