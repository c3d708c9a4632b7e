import { isRerunOpen, withRerun, type Rerun } from "../../domain/automations/automation-memory.ts";
import { executionEndOf } from "../../domain/ground/execution-status.ts";
import { raiseAttention } from "../../ledger/ground/attention.ts";
import { noteRepeat, readExecution } from "../../ledger/automations/automation-executions.ts";
import { readAutomationById, writeStep, type Automation } from "../../ledger/automations/automations.ts";
import { PlatformError } from "../../platform/index.ts";
import { findExecution, readNewest, type Execution } from "../ground/executions.ts";
import {
  lookAtExecution,
  nextLookMs,
  PATIENCE_MS,
  startExecution,
  type Seen,
} from "../ground/tracked-execution.ts";
import type { ActivityDeps } from "../deps.ts";
import { outcomeOfError } from "./outcome.ts";

/* Running failed executions again with what they were given (ground/tracked-execution.ts). */

/** What one look, or one try, came to. */
type Tried = { rerun: Rerun; waitMs: number };

/** Tends every open rerun of an automation. Returns when to come again, relative. */
export async function tendReruns(deps: ActivityDeps, automation: Automation): Promise<number> {
  let nextMs = Number.POSITIVE_INFINITY;
  for (const { id } of automation.memory.reruns.filter(isRerunOpen)) {
    const now = await readAutomationById(deps.ledger.db, automation.id);
    const rerun = now?.memory.reruns.find((one) => one.id === id);
    if (now && rerun && isRerunOpen(rerun)) nextMs = Math.min(nextMs, await tendOne(deps, now, rerun));
  }
  return Number.isFinite(nextMs) ? Math.ceil(nextMs) : 0;
}

async function tendOne(deps: ActivityDeps, automation: Automation, rerun: Rerun): Promise<number> {
  let tried: Tried;
  try {
    if (rerun.sentAtMs === undefined) return await start(deps, automation, rerun);
    tried = await look(deps, automation, rerun, rerun.sentAtMs);
  } catch (error) {
    // A look that failed says nothing.
    if (!(error instanceof PlatformError)) throw error;
    tried =
      deps.now() - rerun.atMs > PATIENCE_MS
        ? {
            rerun: { ...rerun, state: "unknown", error: `what became of it can't be seen: ${error.message}` },
            waitMs: 0,
          }
        : {
            rerun: { ...rerun, error: error.message },
            waitMs: Math.max(deps.pace.quietMs, error.retryAfterMs ?? 0),
          };
  }
  await keep(deps, automation, rerun, tried.rerun);
  return tried.waitMs;
}

const keyOf = ({ id }: Rerun) => `rerun:${id}#`;

async function start(deps: ActivityDeps, automation: Automation, rerun: Rerun): Promise<number> {
  const { live } = automation.memory;
  if (live?.workflowId === undefined) {
    await keep(deps, automation, rerun, failed(rerun, "the automation is not on the platform any more"));
    return 0;
  }
  const { workflowId } = live;
  let input: Record<string, unknown> | undefined;
  try {
    input = await inputOf(deps, automation, rerun.of);
  } catch (error) {
    return afterRefusal(deps, automation, rerun, error);
  }
  if (!input) {
    const why =
      "the platform does not show what it was given: start it anew with `outdial platform workflows execute`";
    await keep(deps, automation, rerun, failed(rerun, why));
    return 0;
  }
  const { error: _, ...rest } = rerun;
  const claimed: Rerun = { ...rest, state: "running", workflowId, sentAtMs: deps.now() };
  if (!(await keep(deps, automation, rerun, claimed))) return 0;
  try {
    const { id: executionId } = await startExecution(deps, { workflowId, key: keyOf(rerun) }, input);
    if (executionId !== undefined) await keep(deps, automation, claimed, { ...claimed, executionId });
    return deps.pace.lookMs;
  } catch (error) {
    if (error instanceof PlatformError && error.effect === "may_have_happened") return deps.pace.lookMs;
    return afterRefusal(deps, automation, claimed, error);
  }
}

/** Nothing was begun. What people mend is waited for. */
async function afterRefusal(
  deps: ActivityDeps,
  automation: Automation,
  rerun: Rerun,
  error: unknown,
): Promise<number> {
  const outcome = outcomeOfError(error);
  if (outcome.kind === "failed") {
    await keep(deps, automation, rerun, failed(rerun, outcome.why));
    return 0;
  }
  const { sentAtMs: _, ...rest } = rerun;
  const words = outcome.kind === "waiting" ? outcome.error : "";
  if (deps.now() - rerun.atMs > PATIENCE_MS) {
    await keep(deps, automation, rerun, failed(rest, `it could not be begun for a day: ${words}`));
    return 0;
  }
  await keep(deps, automation, rerun, { ...rest, state: "due", error: words });
  return Math.max(deps.pace.quietMs, outcome.kind === "waiting" ? (outcome.atLeastMs ?? 0) : 0);
}

/** What an execution was given. Undefined where the platform does not show it, or the execution is gone. */
async function inputOf(
  deps: ActivityDeps,
  { memory }: Automation,
  executionId: string,
): Promise<Record<string, unknown> | undefined> {
  const kept = await readExecution(deps.ledger.db, executionId);
  const { live, former } = memory;
  const known = [live?.workflowId, ...former.map(({ workflowId }) => workflowId)].filter(
    (id) => id !== undefined,
  );
  for (const workflowId of kept ? [kept.workflowId] : known) {
    const at = { nowMs: deps.now(), maxAgeMs: deps.pace.lookMs };
    const execution = await findExecution(deps.platform, workflowId, executionId, at);
    if (execution) return snapshotOf(execution, (await readNewest(deps.platform, workflowId, at)).executions);
  }
  return undefined;
}

function snapshotOf(execution: Execution, others: readonly Execution[]): Record<string, unknown> | undefined {
  const snapshot: unknown = execution.input_snapshot;
  // It was given nothing where the platform shows what others were given; else it may just not be shown.
  if (snapshot === null) return others.some((other) => isShown(other.input_snapshot)) ? {} : undefined;
  // The platform shows nothing, or only that there was much of it.
  if (typeof snapshot !== "object" || Array.isArray(snapshot)) return undefined;
  return Object.fromEntries(Object.entries(snapshot));
}

function isShown(snapshot: unknown): boolean {
  return typeof snapshot === "object" && snapshot !== null;
}

/** Looks at the execution that its start began, or for it. */
async function look(
  deps: ActivityDeps,
  { definition, memory }: Automation,
  rerun: Rerun,
  sentAtMs: number,
): Promise<Tried> {
  const workflowId = rerun.workflowId ?? memory.live?.workflowId ?? "";
  const found = await lookAtExecution(deps, {
    workflowId,
    key: keyOf(rerun),
    sentAtMs,
    executionId: rerun.executionId,
    isAnswered: false,
  });
  switch (found.kind) {
    case "not_yet":
      return { rerun, waitMs: found.waitMs };
    case "seen":
      return judged(deps, rerun, found.seen);
    case "lost": {
      if (definition.repeat === "safe") {
        const { sentAtMs: _, ...rest } = rerun;
        return { rerun: { ...rest, state: "due" }, waitMs: 0 };
      }
      const error =
        "the answer to its start was lost, and no execution of it is to be found; it must not be repeated";
      return { rerun: { ...rerun, state: "unknown", error }, waitMs: 0 };
    }
  }
}

function judged(deps: ActivityDeps, before: Rerun, seen: Seen): Tried {
  const rerun = seen.id === undefined ? before : { ...before, executionId: seen.id };
  const end = executionEndOf(seen.status);
  const { error: _, ...rest } = rerun;
  if (end === "succeeded") return { rerun: { ...rest, state: "done" }, waitMs: 0 };
  const id = seen.id ?? "";
  if (end !== undefined) {
    const words = seen.error === undefined ? "" : `: ${seen.error}`;
    return { rerun: failed(rerun, `execution ${id} ended as ${seen.status ?? ""}${words}`), waitMs: 0 };
  }
  const nowMs = deps.now();
  const ageMs = nowMs - (rerun.sentAtMs ?? nowMs);
  if (ageMs > PATIENCE_MS) {
    const error = `execution ${id} has no end after a day`;
    return { rerun: { ...rerun, state: "unknown", error }, waitMs: 0 };
  }
  return { rerun: rest, waitMs: nextLookMs(deps, ageMs) };
}

function failed(rerun: Rerun, error: string): Rerun {
  return { ...rerun, state: "failed", error: error.slice(0, 1_000) };
}

/** Writes a rerun where it still stands as it was. False where somebody else went on with it. */
async function keep(deps: ActivityDeps, { id }: Automation, before: Rerun, rerun: Rerun): Promise<boolean> {
  const nowMs = deps.now();
  return deps.ledger.transaction(async (tx) => {
    const written = await writeStep(
      tx,
      id,
      (now) => {
        const known = now.memory.reruns.find((one) => one.id === rerun.id);
        const isAsBefore =
          known?.state === before.state &&
          known.sentAtMs === before.sentAtMs &&
          known.executionId === before.executionId;
        return isAsBefore ? { ...now, memory: withRerun(now.memory, rerun) } : undefined;
      },
      nowMs,
    );
    if (!written) return false;
    const { executionId, workflowId = "", of } = rerun;
    if (executionId !== undefined && before.executionId === undefined)
      await noteRepeat(tx, { executionId, workflowId, repeats: of, nowMs });
    if (rerun.state === "failed" || rerun.state === "unknown") await tell(tx, written, rerun, nowMs);
    return true;
  });
}

async function tell(
  tx: Parameters<typeof raiseAttention>[0],
  { name }: Automation,
  { of, state, error = "" }: Rerun,
  nowMs: number,
): Promise<void> {
  await raiseAttention(tx, {
    kind: "automation_rerun_failed",
    subject: of,
    brand: "default",
    summary: `execution ${of} of automation ${name} was run again: ${error}`.slice(0, 1_000),
    remedy:
      state === "unknown"
        ? `look on the platform whether it ran; if not, \`outdial automation rerun ${of}\``
        : `mend what it names, then \`outdial automation rerun ${of}\``,
    nowMs,
  });
}
