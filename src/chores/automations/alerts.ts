import { parseDurationMs } from "../../domain/time/duration.ts";
import { executionEndOf } from "../../domain/ground/execution-status.ts";
import type { AttentionKind } from "../../domain/ground/attention.ts";
import { listAttention, raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import {
  hasOpenFailures,
  healthOf,
  listOpenExecutions,
  type KeptExecution,
} from "../../ledger/automations/automation-executions.ts";
import type { Automation } from "../../ledger/automations/automations.ts";
import type { Db } from "../../ledger/ground/connection.ts";

/*
 * What people are told of the executions of automations, within the transaction that writes down how they stand.
 */

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The platform may be away for a while; people are told when an automation was not seen for so long. */
const UNSEEN_MS = HOUR_MS;

/** How far back a failure counts that nobody ran again. */
const FAILURES_MS = 7 * DAY_MS;

/** A rate of fewer says nothing. */
const FEWEST_FOR_RATE = 5;

/** For the rate. */
const RATE_MS = DAY_MS;

function isFailure({ status }: KeptExecution): boolean {
  const end = executionEndOf(status);
  return end === "failed" || end === "timed_out";
}

/** Where a person finds an execution on the platform at that address. */
function linkTo(address: string, { executionId, workflowId }: KeptExecution): string {
  return `${executionId} (${address}/v1/workflows/${workflowId}/executions)`;
}

export interface Look {
  /** The platform's. */
  address: string;
  nowMs: number;
}

/** Tells once of each execution that failed; takes it back when all of a week were run again with success. */
export async function tellFailed(
  tx: Db,
  { definition, name }: Automation,
  workflowIds: readonly string[],
  ended: readonly KeptExecution[],
  { address, nowMs }: Look,
): Promise<void> {
  const kind = "automation_execution_failed";
  // Of those that were run again the rerun is told.
  const failed = ended.filter((one) => isFailure(one) && one.repeats === undefined);
  const [last] = failed.toSorted((a, b) => b.startedAtMs - a.startedAtMs);
  if (last && definition.alerts.failed) {
    const { status, error, executionId } = last;
    const words = error === undefined ? "" : `: ${error}`;
    const many = failed.length === 1 ? "an execution" : `${failed.length} executions`;
    await raiseAttention(tx, {
      kind,
      subject: name,
      brand: "default",
      summary:
        `${many} of automation ${name} failed, last ${linkTo(address, last)} as ${status}${words}`.slice(
          0,
          1_000,
        ),
      remedy: `mend what it names, then \`outdial automation rerun ${executionId}\`; all of them: \`outdial automation executions ${name} --failed\``,
      nowMs,
    });
  } else if (!(await hasOpenFailures(tx, workflowIds, nowMs - FAILURES_MS)))
    await resolve(tx, kind, name, "what failed was run again with success", nowMs);
}

/** Tells once of each execution that takes too long; takes it back when none does. */
export async function tellLong(
  tx: Db,
  { definition, name }: Automation,
  workflowIds: readonly string[],
  { address, lookedMs, nowMs }: Look & { lookedMs: number },
): Promise<void> {
  const kind = "automation_execution_long";
  const { longer_than: longer } = definition.alerts;
  if (longer === undefined) return resolve(tx, kind, name, "nobody wants to be told any more", nowMs);
  const longMs = parseDurationMs(longer) ?? Number.POSITIVE_INFINITY;
  const open = await listOpenExecutions(tx, workflowIds);
  const long = open.filter(({ startedAtMs }) => nowMs - startedAtMs > longMs);
  const [newest] = long.toSorted((a, b) => b.startedAtMs - a.startedAtMs);
  if (!newest) return resolve(tx, kind, name, "they came to an end", nowMs);
  // Once for each: when it grew too long since the last look.
  if (newest.startedAtMs + longMs <= lookedMs) return undefined;
  return raiseAttention(tx, {
    kind,
    subject: name,
    brand: "default",
    summary: `execution ${linkTo(address, newest)} of automation ${name} takes longer than ${longer}${long.length > 1 ? `, as ${long.length - 1} others do` : ""}`,
    remedy: `look on the platform what it waits for; the platform can't end it`,
    nowMs,
  });
}

/** Tells when too few succeed within a day; takes it back when enough do. */
export async function tellRate(
  tx: Db,
  { definition, name }: Automation,
  workflowIds: readonly string[],
  hasNew: boolean,
  nowMs: number,
): Promise<void> {
  const kind = "automation_success_rate";
  const { success_rate_below: bound } = definition.alerts;
  if (bound === undefined) return resolve(tx, kind, name, "nobody wants to be told any more", nowMs);
  const { succeeded, failed } = await healthOf(tx, workflowIds, nowMs - RATE_MS);
  const ended = succeeded + failed;
  if (ended < FEWEST_FOR_RATE) return undefined;
  const rate = succeeded / ended;
  if (rate >= bound) return resolve(tx, kind, name, "enough of them succeed", nowMs);
  if (!hasNew || (await isStanding(tx, kind, name))) return undefined;
  return raiseAttention(tx, {
    kind,
    subject: name,
    brand: "default",
    summary: `${succeeded} of the ${ended} executions of automation ${name} within a day succeeded, which is below ${bound}`,
    remedy: `see what they failed of: \`outdial automation executions ${name} --failed\``,
    nowMs,
  });
}

/** Tells that what an automation runs was not seen for long: what fails meanwhile, nobody is told of. */
export async function tellUnseen(
  tx: Db,
  { name }: Automation,
  { lookedMs, error, nowMs }: { lookedMs: number; error: unknown; nowMs: number },
): Promise<void> {
  const kind = "automation_unseen";
  if (nowMs - lookedMs <= UNSEEN_MS || (await isStanding(tx, kind, name))) return;
  const since = new Date(lookedMs).toISOString();
  await raiseAttention(tx, {
    kind,
    subject: name,
    brand: "default",
    summary: `what automation ${name} runs can't be seen since ${since}: ${String(error)}`.slice(0, 1_000),
    remedy: "see whether the platform answers, and whether the key may read workflows: `outdial doctor`",
    nowMs,
  });
}

/** What was told of is over: it is seen again. */
export async function tellSeen(tx: Db, { name }: Automation, lookedMs: number, nowMs: number): Promise<void> {
  if (nowMs - lookedMs > UNSEEN_MS)
    await resolve(tx, "automation_unseen", name, "its executions are seen again", nowMs);
}

async function isStanding(tx: Db, kind: AttentionKind, subject: string): Promise<boolean> {
  const { total } = await listAttention(tx, { kind, subject, resolved: false, limit: 1 });
  return total > 0;
}

async function resolve(
  tx: Db,
  kind: AttentionKind,
  subject: string,
  resolution: string,
  nowMs: number,
): Promise<void> {
  await resolveAttention(tx, { kind, subject, by: "engine", resolution, nowMs });
}
