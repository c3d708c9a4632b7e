import { normaliseWord } from "./normalise-word.ts";

/*
 * What the words mean that the platform has for its executions. The contract shows none; published clients show
 * running, success, failed, timeout and skipped.
 */

export type ExecutionEnd = "succeeded" | "failed" | "timed_out" | "skipped";

const ENDS: Readonly<Record<ExecutionEnd, readonly string[]>> = {
  succeeded: ["success", "succeeded", "successful", "completed", "complete", "done", "finished"],
  failed: ["failed", "failure", "error", "errored", "crashed", "cancelled", "canceled", "aborted"],
  timed_out: ["timeout", "timed_out"],
  skipped: ["skipped"],
};

/** What an execution came to; undefined while it goes on. An unknown word is not the end. */
export function executionEndOf(status: string | undefined): ExecutionEnd | undefined {
  const word = normaliseWord(status ?? "");
  for (const end of ["succeeded", "failed", "timed_out", "skipped"] as const) {
    if (ENDS[end].includes(word)) return end;
  }
  return undefined;
}

/** The words of executions that did not do what they were to, for statements. */
export const FAILED_WORDS: readonly string[] = [...ENDS.failed, ...ENDS.timed_out];

/** The words of executions that did what they were to, for statements. */
export const SUCCEEDED_WORDS: readonly string[] = ENDS.succeeded;

/** Ours, for one that the platform shows no more: nobody can tell how it ended. */
export const GONE = "gone";
