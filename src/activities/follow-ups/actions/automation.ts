import type { SpecOf } from "../../../domain/follow-ups/actions.ts";
import { formatDurationMs } from "../../../domain/time/duration.ts";
import { executionEndOf } from "../../../domain/ground/execution-status.ts";
import { claimTry, keyOf, type Action, type TryOutcome } from "../../../ledger/follow-ups/actions.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PaymentRequiredError,
  PlatformError,
  RateLimitedError,
  UnauthorizedError,
  UnprocessableError,
} from "../../../platform/index.ts";
import type { ActivityDeps } from "../../deps.ts";
import { findExecution, searchByKey, type Execution } from "../../ground/executions.ts";
import { keptData, keptText } from "../../ground/records.ts";
import { normaliseWord } from "../../../domain/ground/normalise-word.ts";
import type { Step } from "./step.ts";

type AutomationSpec = SpecOf<"automation">;

/*
 * Running an automation of the platform. Its start has no idempotency key (contract 4.5), so:
 *
 * 1. Each try carries a key of its own in its input, and is claimed before it is sent.
 * 2. A start whose answer is lost is looked for by that key; found, it is followed as if it had been answered.
 * 3. Not found after a quiet time, it is sent again only where the rule says that this does no harm.
 * 4. A try that a restored ledger may have lost is looked for before it is made. Keys of tries come again with it.
 */

/** For the answer to a start, which does not wait for the end. */
const START_WITHIN_MS = 30_000;

/** Failures that are not the automation's are waited out so long without counting as tries. */
const PATIENCE_MS = 24 * 60 * 60_000;

/** An execution that takes long is looked at this rarely. */
const SLOWEST_LOOK_MS = 60_000;

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
  if (action.externalId !== undefined) return follow(deps, action, spec, action.externalId);
  if (action.sentAtMs !== undefined) return lookFor(deps, action, spec, action.sentAtMs);
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
    try_key: tryKeyOf(claimed),
  };
  const request = { workflow_id: spec.workflowId, context_data: keptData(input) };
  try {
    const executed = await deps.platform.workflows.execute(
      spec.workflowId,
      // It is followed, so that no answer has to be waited for that may get lost.
      { context_data: input, execution_mode: "async" },
      { timeoutMs: START_WITHIN_MS },
    );
    const outcome = outcomeOf(deps, claimed, spec, {
      id: executed.execution_id,
      status: executed.status,
      error: executed.error,
      output: executed["output"],
    });
    return { action: claimed, outcome: { request, ...outcome } };
  } catch (error) {
    return { action: claimed, outcome: { request, ...outcomeOfError(deps, claimed, error) } };
  }
}

interface Seen {
  id: string | undefined;
  status: string | undefined;
  error: string | undefined;
  output: unknown;
}

function seenOf(execution: Execution): Seen {
  return {
    id: execution.execution_id,
    status: execution.status,
    error: execution.error_message,
    output: execution["output_data"],
  };
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
    const waitMs = Math.min(Math.max(deps.pace.lookMs, ageMs / 4), SLOWEST_LOOK_MS, spec.timeoutMs - ageMs);
    return { kind: "pending", answer, waitMs, ...external };
  }
  const error = `execution ${seen.id ?? ""} is ${seen.status ?? "not seen"} after ${formatDurationMs(spec.timeoutMs)}, the rule's timeout`;
  if (spec.repeat === "safe") return { kind: "failed_try", answer, error };
  return { kind: "unknown", answer, error: `${error}; it may still end well, and is not to be repeated` };
}

/** Looks at the execution that the try began. */
async function follow(
  deps: ActivityDeps,
  action: Action,
  spec: AutomationSpec,
  executionId: string,
): Promise<Step> {
  try {
    const execution = await findExecution(deps.platform, spec.workflowId, executionId, {
      nowMs: deps.now(),
      maxAgeMs: deps.pace.lookMs / 2,
    });
    const seen = execution ? seenOf(execution) : { id: executionId, ...UNSEEN };
    return { action, outcome: outcomeOf(deps, action, spec, seen) };
  } catch (error) {
    return { action, outcome: laterLook(deps, action, spec, error, executionId) };
  }
}

const UNSEEN = { status: undefined, error: undefined, output: undefined };

/** Looks for the execution of a start whose answer is not known. */
async function lookFor(
  deps: ActivityDeps,
  action: Action,
  spec: AutomationSpec,
  sentAtMs: number,
): Promise<Step> {
  const nowMs = deps.now();
  try {
    const search = await searchByKey(deps.platform, spec.workflowId, tryKeyOf(action), {
      nowMs,
      sinceMs: sentAtMs,
    });
    if (search.kind === "found")
      return { action, outcome: outcomeOf(deps, action, spec, seenOf(search.execution)) };
    // The request itself may be under way for so long, and what it began may show late.
    const certainAtMs =
      sentAtMs + (action.error === undefined ? START_WITHIN_MS : 0) + deps.pace.startDoubtMs;
    if (nowMs < certainAtMs) {
      const waitMs = Math.min(certainAtMs - nowMs, deps.pace.quietMs);
      return { action, outcome: { kind: "pending", waitMs, ...sameError(action) } };
    }
    const error =
      search.kind === "absent"
        ? "the answer to the start was lost, and no execution of it is to be found"
        : "the answer to the start was lost, and the platform does not show enough to find its execution";
    if (spec.repeat === "safe") return { action, outcome: { kind: "failed_try", error } };
    return {
      action,
      outcome: { kind: "unknown", error: `${error}; the rule says that it must not be repeated` },
    };
  } catch (error) {
    return { action, outcome: laterLook(deps, action, spec, error, undefined) };
  }
}

/** The words of a lost answer stay: they tell a start that is known to be over from one that may be under way. */
function sameError(action: Action): { error?: string } {
  return action.error === undefined ? {} : { error: action.error };
}

const LOST = "the answer to the start was lost; its execution is looked for";

/** A look that failed says nothing of the execution: it is looked at later, whatever the rule's timeout. */
function laterLook(
  deps: ActivityDeps,
  action: Action,
  spec: AutomationSpec,
  error: unknown,
  executionId: string | undefined,
): TryOutcome {
  if (!(error instanceof PlatformError)) throw error;
  const ageMs = deps.now() - (action.sentAtMs ?? deps.now());
  if (ageMs > spec.timeoutMs + PATIENCE_MS) {
    return { kind: "unknown", error: `what became of the execution can't be seen: ${error.message}` };
  }
  const waitMs = Math.max(deps.pace.lookMs, error.retryAfterMs ?? 0);
  return executionId === undefined
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
  const remedy = remedyFor(error);
  if (remedy !== undefined) return { kind: "failed_try", answer, error: `${error.message}: ${remedy}` };
  const isPatient = deps.now() - action.createdAtMs < PATIENCE_MS;
  if (isPatient && (error instanceof RateLimitedError || error.status === undefined)) {
    const waitMs = Math.max(deps.pace.quietMs, error.retryAfterMs ?? 0);
    return { kind: "postponed", answer, waitMs, error: error.message };
  }
  return { kind: "failed_try", answer, error: error.message };
}

function remedyFor(error: PlatformError): string | undefined {
  if (error instanceof ConflictError) return "deploy the automation, or set it active";
  if (error instanceof UnauthorizedError)
    return "set PLATFORM_API_KEY, or the file that PLATFORM_API_KEY_FILE names, to a valid key";
  if (error instanceof ForbiddenError) return "give the key workflows:write and workflows:read";
  if (error instanceof PaymentRequiredError) return "add credit";
  return undefined;
}
