import { meetsExpectation, type TestResult } from "../../domain/automations/automation.ts";
import type { Sent } from "../../domain/automations/automation-memory.ts";
import { executionEndOf } from "../../domain/ground/execution-status.ts";
import { momentOf } from "../../platform/index.ts";
import { findExecution, readNewest, searchByKey, type Execution } from "../ground/executions.ts";
import { keptText } from "../ground/records.ts";
import { nextLookMs } from "../ground/tracked-execution.ts";
import { sentWithinMs } from "./creating.ts";
import { withoutSent, withTarget, type Outcome, type StepContext } from "./outcome.ts";
import { afterDoubt } from "./creating.ts";

/*
 * Test runs. Of a build that is not active the platform's own test is asked for, which takes no data (contract 4.5);
 * an active one is executed, with a key in its input by which a run whose answer was lost is found.
 */

/** A run whose end does not show so long after it should have come is not waited for. */
const LATE_MS = 5 * 60_000;

/** How far the platform's clock and ours may be apart. */
const CLOCKS_APART_MS = 10 * 60_000;

export function wayOf({ automation }: StepContext): NonNullable<Sent["way"]> {
  return automation.memory.target?.active === true ? "execute" : "test";
}

function keyOf({ automation }: StepContext, sent: Sent): string {
  return `test:${automation.id}:${sent.atMs}#`;
}

/** Sends the request of a claimed test run. */
export async function runTest(context: StepContext, workflowId: string, sent: Sent): Promise<Outcome> {
  const { deps, automation } = context;
  const { definition } = automation;
  const timeoutMs = sentWithinMs("test", timeoutSecondsOf(context));
  try {
    const ran =
      sent.way === "execute"
        ? await deps.platform.workflows.execute(
            workflowId,
            {
              context_data: { test: true, ...definition.test?.data, try_key: keyOf(context, sent) },
              // It is followed, so that no long answer has to be waited for.
              execution_mode: "async",
            },
            { timeoutMs },
          )
        : await deps.platform.workflows.test(workflowId, { timeoutMs });
    const { status, error, execution_id: executionId } = ran;
    return judged(context, { status: status ?? "", output: ran.output, error, executionId });
  } catch (error) {
    return afterDoubt(error, deps.pace.lookMs);
  }
}

/** Without a word about it the longest that the platform takes. */
function timeoutSecondsOf({ automation }: StepContext): number {
  return automation.definition.timeout_seconds ?? 300;
}

/** Looks at a test run that was begun, or for one that may have been. */
export async function lookAtTest(context: StepContext, workflowId: string, sent: Sent): Promise<Outcome> {
  const { deps, automation } = context;
  const nowMs = deps.now();
  const execution = await find(context, workflowId, sent);
  if (execution) {
    const { execution_id: executionId, status, error_message: error } = execution;
    if (executionEndOf(status) === undefined && nowMs >= sent.certainAtMs + LATE_MS)
      return {
        kind: "failed",
        why: `the test run ${executionId} has no end: it is ${status ?? "of no status"}`,
        remedy: `look on the platform what it waits for; then \`outdial automation retry ${automation.name}\` runs it again`,
        change: withoutSent,
      };
    return judged(context, { status: status ?? "", output: execution.output_data, error, executionId });
  }
  if (sent.executionId !== undefined && nowMs < sent.certainAtMs + LATE_MS)
    return { kind: "pending", waitMs: deps.pace.lookMs };
  if (nowMs < sent.certainAtMs)
    return { kind: "pending", waitMs: Math.min(sent.certainAtMs - nowMs, deps.pace.quietMs) };
  if (automation.definition.repeat === "safe")
    return { kind: "done", found: "the test run did not happen, and is made again", change: withoutSent };
  return {
    kind: "failed",
    why: "the answer to the test run was lost, and it can't be seen whether it ran",
    remedy: `look on the platform what it did; then \`outdial automation retry ${automation.name}\` runs it again`,
    change: withoutSent,
  };
}

async function find(context: StepContext, workflowId: string, sent: Sent): Promise<Execution | undefined> {
  const { platform, pace, now } = context.deps;
  const nowMs = now();
  if (sent.executionId !== undefined)
    return findExecution(platform, workflowId, sent.executionId, { nowMs, maxAgeMs: pace.lookMs / 2 });
  if (sent.way === "execute") {
    const search = await searchByKey(platform, workflowId, keyOf(context, sent), {
      nowMs,
      sinceMs: sent.atMs,
    });
    return search.kind === "found" ? search.execution : undefined;
  }
  // Nobody else runs a build that is not active: the newest run is the one that was asked for, if it is new.
  const { executions } = await readNewest(platform, workflowId, { nowMs, maxAgeMs: 0 });
  const since = sent.atMs - CLOCKS_APART_MS;
  const last = context.automation.memory.lastTest?.executionId;
  const own = executions.filter(
    ({ execution_id: id, started_at: at, trigger_source: source }) =>
      id !== last && (momentOf(at) ?? 0) >= since && (source ?? "manual") === "manual",
  );
  return own.toSorted((a, b) => (momentOf(b.started_at) ?? 0) - (momentOf(a.started_at) ?? 0))[0];
}

/** What a test run comes to, as far as it is over. */
function judged(context: StepContext, result: TestResult): Outcome {
  const { deps, automation } = context;
  const end = executionEndOf(result.status);
  if (end === undefined) {
    const { executionId } = result;
    const nowMs = deps.now();
    const ageMs = nowMs - (automation.memory.sent?.atMs ?? nowMs);
    return {
      kind: "pending",
      waitMs: nextLookMs(deps, ageMs),
      change: (memory) =>
        memory.sent && executionId !== undefined
          ? { ...memory, sent: { ...memory.sent, executionId } }
          : memory,
    };
  }
  const why = problemOf(automation.definition.test?.expect, result, end === "succeeded", deps.now());
  const found = why ?? "the test run came to what is expected";
  const at = new Date(deps.now()).toISOString();
  const { executionId } = result;
  const lastTest = { ok: why === undefined, at, found, ...(executionId !== undefined && { executionId }) };
  if (why === undefined) {
    return {
      kind: "done",
      found,
      change: (memory) => ({
        ...withoutSent(withTarget(memory, { tested: memory.sent?.key })),
        lastTest,
      }),
    };
  }
  return {
    kind: "failed",
    why,
    remedy: "mend what it names, and declare it",
    change: (memory) => ({ ...withoutSent(memory), lastTest }),
  };
}

function problemOf(
  expect: string | undefined,
  result: TestResult,
  isGood: boolean,
  nowMs: number,
): string | undefined {
  const { executionId = "", status, error } = result;
  const words = error === undefined ? "" : `: ${keptText(error, [])}`;
  const run = `the test run ${executionId}`.trimEnd();
  // What a run that failed is expected to be may be a failure.
  if (expect === undefined) return isGood ? undefined : `${run} ended as ${status}${words}`;
  const met = meetsExpectation(expect, result, nowMs);
  if (!met.ok)
    return `${run} ended as ${status}${words}; what is expected can't be said of it: ${met.problem}`;
  return met.value ? undefined : `${run} ended as ${status}${words}, which is not what test.expect says`;
}
