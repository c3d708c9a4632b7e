import type { ActivityDeps } from "../deps.ts";
import { findExecution, searchByKey, type Execution } from "./executions.ts";

/*
 * Running an automation of the platform, and following what that began. Its start has no idempotency key
 * (contract 4.5), so:
 *
 * 1. Each try carries a key of its own in its input, and is claimed before it is sent.
 * 2. A start whose answer is lost is looked for by that key; found, it is followed as if it had been answered.
 * 3. Not found after a quiet time, it is lost: whoever claimed it sends another only where that does no harm.
 */

/** For the answer to a start, which does not wait for the end. */
const START_WITHIN_MS = 30_000;

/** What is the platform's or people's to mend is waited for so long, beside an execution's own time. */
export const PATIENCE_MS = 24 * 60 * 60_000;

/** An execution that takes long is looked at this rarely. */
const SLOWEST_LOOK_MS = 60_000;

/** A start that was claimed. */
export interface TrackedExecution {
  workflowId: string;
  /** In its input, and in no other. */
  key: string;
  sentAtMs: number;
  /** Absent until the platform has said it, or it was found. */
  executionId: string | undefined;
  /** The request of its start is known to be over, whatever it came to. */
  isAnswered: boolean;
}

/** An execution as it was last seen; all of it undefined where it was not. */
export interface Seen {
  id: string | undefined;
  status: string | undefined;
  error: string | undefined;
  output: unknown;
}

export type TrackedLook =
  | { kind: "seen"; seen: Seen }
  /** It may still show. */
  | { kind: "not_yet"; waitMs: number }
  /** The answer to its start was lost, and nothing of it shows; `isAbsent`: the platform shows all that there is. */
  | { kind: "lost"; isAbsent: boolean };

/**
 * Sends the start of a claimed try.
 *
 * @throws PlatformError, whose effect says whether it has to be looked for.
 */
export async function startExecution(
  { platform }: ActivityDeps,
  { workflowId, key }: Pick<TrackedExecution, "workflowId" | "key">,
  input: Readonly<Record<string, unknown>>,
): Promise<Seen> {
  const executed = await platform.workflows.execute(
    workflowId,
    // It is followed, so that no answer has to be waited for that may get lost.
    { context_data: { ...input, try_key: key }, execution_mode: "async" },
    { timeoutMs: START_WITHIN_MS },
  );
  const { execution_id: id, status, error } = executed;
  return { id, status, error, output: executed.output };
}

/**
 * Looks at what a start began, or for it.
 *
 * @throws PlatformError: a look that failed says nothing.
 */
export async function lookAtExecution(
  { platform, pace, now }: ActivityDeps,
  { workflowId, key, sentAtMs, executionId, isAnswered }: TrackedExecution,
): Promise<TrackedLook> {
  const nowMs = now();
  if (executionId !== undefined) {
    const at = { nowMs, maxAgeMs: pace.lookMs / 2 };
    const execution = await findExecution(platform, workflowId, executionId, at);
    const unseen = { id: executionId, status: undefined, error: undefined, output: undefined };
    return { kind: "seen", seen: execution ? seenOf(execution) : unseen };
  }
  const search = await searchByKey(platform, workflowId, key, { nowMs, sinceMs: sentAtMs });
  if (search.kind === "found") return { kind: "seen", seen: seenOf(search.execution) };
  // The request itself may be under way for so long, and what it began may show late.
  const certainAtMs = sentAtMs + (isAnswered ? 0 : START_WITHIN_MS) + pace.startDoubtMs;
  if (nowMs < certainAtMs) return { kind: "not_yet", waitMs: Math.min(certainAtMs - nowMs, pace.quietMs) };
  return { kind: "lost", isAbsent: search.kind === "absent" };
}

export function seenOf(execution: Execution): Seen {
  const { execution_id: id, status, error_message: error } = execution;
  return { id, status, error, output: execution.output_data };
}

/** When to look again at one that has been going on for so long. */
export function nextLookMs({ pace }: ActivityDeps, ageMs: number): number {
  return Math.min(Math.max(pace.lookMs, ageMs / 4), SLOWEST_LOOK_MS);
}
