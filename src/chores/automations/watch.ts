import { executionEndOf, GONE } from "../../domain/ground/execution-status.ts";
import { withinReason } from "../../domain/time/reported-times.ts";
import {
  listOpenExecutions,
  pruneExecutions,
  recordExecutions,
  type SeenExecution,
} from "../../ledger/automations/automation-executions.ts";
import {
  listAutomations,
  lockAutomation,
  noteLooked,
  noteWalked,
  readAutomationById,
  workflowIdsOf,
  type Automation,
} from "../../ledger/automations/automations.ts";
import { takePass } from "../../ledger/ground/passes.ts";
import { momentOf } from "../../platform/index.ts";
import { findAll, readBack, readNewest, type Execution } from "../../activities/ground/executions.ts";
import { keptText } from "../../activities/ground/records.ts";
import type { ActivityDeps } from "../../activities/deps.ts";
import { tellFailed, tellLong, tellRate, tellSeen, tellUnseen } from "./alerts.ts";
import { normaliseWord } from "../../domain/ground/normalise-word.ts";

/*
 * Watching: what automations ran is written down, and people are told of what failed, of what lasts too long, of too
 * little that succeeds, and where nothing can be seen. Each execution is told of once: its end is written in the
 * transaction that tells.
 */

/** Executions may show late, and the platform's clock may be behind ours. */
const OVERLAP_MS = 10 * 60_000;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What goes on and is not among the newest is looked for in the whole list this often, all of it in one walk. */
const WALK_EVERY_MS = 15 * MINUTE_MS;

/** The platform ends an execution after five minutes (contract 4.5): one that is not in its list after a day is gone. */
const GONE_AFTER_MS = DAY_MS;

/** A build that was replaced may have begun something just before; afterwards it runs no more. */
const FORMER_MS = 60 * MINUTE_MS;

/** A word of the platform, shown in lists. */
const LONGEST_WORD = 100;

/** What happened before is for the platform's own records. */
const KEPT_MS = 90 * DAY_MS;
const PRUNE_EVERY_MS = 60 * MINUTE_MS;

/**
 * Looks what every automation ran since the last look. One request each, mostly.
 *
 * Safe to repeat, and to be done by two: an end is written, and told, by one.
 */
export async function watchAutomations(deps: ActivityDeps): Promise<{ ended: number }> {
  let ended = 0;
  // What was listed may be minutes old when its turn comes, behind a platform that is slow.
  const readNow = async (id: string) => {
    const automation = await readAutomationById(deps.ledger.db, id);
    return automation?.state === "removed" ? undefined : automation;
  };
  for (const { id, name } of await listAutomations(deps.ledger.db)) {
    try {
      const automation = await readNow(id);
      if (automation) ended += await watchOne(deps, automation);
    } catch (error) {
      deps.log.warn(
        { automation: name, error: String(error) },
        "the executions of an automation could not be read; the next pass will",
      );
      const automation = await readNow(id);
      if (!automation) continue;
      const { lookedAtMs: lookedMs } = automation;
      await tellUnseen(deps.ledger.db, automation, { lookedMs, error, nowMs: deps.now() });
    }
  }
  await prune(deps);
  return { ended };
}

async function watchOne(deps: ActivityDeps, automation: Automation): Promise<number> {
  const workflowIds = workflowIdsOf(automation);
  const workflowId = automation.memory.live?.workflowId;
  if (workflowId === undefined) return 0;
  const nowMs = deps.now();
  const { address } = deps.platform;
  const running = nowMs - automation.updatedAtMs < FORMER_MS ? workflowIds : [workflowId];
  const fresh: Execution[] = [];
  for (const id of running)
    fresh.push(...(await readSince(deps, id, { nowMs, sinceMs: automation.lookedAtMs - OVERLAP_MS })));
  const old = await lookAtOpen(deps, automation, new Set(fresh.map(({ execution_id: id }) => id)));
  const seen = [
    ...fresh
      .filter((execution) => !isTest(execution))
      .flatMap((execution) => seenOf(execution, workflowId, nowMs)),
    ...old,
  ];
  return deps.ledger.transaction(async (tx) => {
    // Of two who watch at once, the second sees what the first has written.
    const locked = await lockAutomation(tx, automation.id);
    if (!locked || locked.state === "removed") return 0;
    const { lookedAtMs: lookedMs } = locked;
    const ended = await recordExecutions(tx, seen, nowMs);
    await tellFailed(tx, locked, workflowIds, ended, { address, nowMs });
    await tellLong(tx, locked, workflowIds, { address, lookedMs, nowMs });
    await tellRate(tx, locked, workflowIds, ended.length > 0, nowMs);
    await tellSeen(tx, locked, lookedMs, nowMs);
    await noteLooked(tx, automation.id, nowMs);
    return ended.length;
  });
}

async function prune({ ledger, now }: ActivityDeps): Promise<void> {
  const nowMs = now();
  const pass = { name: "automation executions", everyMs: PRUNE_EVERY_MS, nowMs };
  if (await takePass(ledger.db, pass)) await pruneExecutions(ledger.db, nowMs - KEPT_MS);
}

async function readSince(
  { platform, pace, log }: ActivityDeps,
  workflowId: string,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): Promise<readonly Execution[]> {
  const isNew = (execution: Execution) => !((momentOf(execution.started_at) ?? nowMs) < sinceMs);
  const newest = await readNewest(platform, workflowId, { nowMs, maxAgeMs: pace.lookMs });
  if (newest.isWhole || !newest.executions.every(isNew)) return newest.executions.filter(isNew);
  const { executions, isWhole } = await readBack(platform, workflowId, isNew);
  if (!isWhole)
    log.warn(
      { workflowId },
      "more executions began since the last look than can be read: the oldest are not watched",
    );
  return executions;
}

/**
 * How those stand that were under way and are not among what is new. Most are among the newest; the others are looked
 * for in the whole list, and are gone where they are not in it either.
 */
async function lookAtOpen(
  { platform, ledger, pace, now }: ActivityDeps,
  automation: Automation,
  seen: ReadonlySet<string>,
): Promise<SeenExecution[]> {
  const nowMs = now();
  const workflowIds = workflowIdsOf(automation);
  const mayWalk = nowMs - (automation.walkedAtMs ?? 0) >= WALK_EVERY_MS;
  const listed = await listOpenExecutions(ledger.db, workflowIds);
  const found: SeenExecution[] = [];
  for (const workflowId of workflowIds) {
    const open = new Map(
      listed
        .filter((one) => one.workflowId === workflowId && !seen.has(one.executionId))
        .map((one) => [one.executionId, one]),
    );
    const take = (execution: Execution) => {
      if (open.delete(execution.execution_id)) found.push(...seenOf(execution, workflowId, nowMs));
    };
    if (open.size === 0) continue;
    const newest = await readNewest(platform, workflowId, { nowMs, maxAgeMs: pace.lookMs });
    newest.executions.forEach(take);
    let { isWhole } = newest;
    if (open.size > 0 && !isWhole) {
      if (!mayWalk) continue;
      const all = await findAll(platform, workflowId, new Set(open.keys()));
      all.executions.forEach(take);
      ({ isWhole } = all);
      await noteWalked(ledger.db, automation.id, nowMs);
    }
    if (!isWhole) continue;
    for (const one of open.values())
      if (nowMs - one.startedAtMs > GONE_AFTER_MS) found.push({ ...one, status: GONE, endedAtMs: nowMs });
  }
  return found;
}

/**
 * Test runs have an end of their own, in the automation's steps: those that carry our key, and the platform's own, of
 * which nothing but that is known. Whatever else says `test` is somebody's data.
 */
function isTest(execution: Execution): boolean {
  const input: unknown = execution.input_snapshot;
  if (typeof input !== "object" || input === null) return false;
  const given = new Map<string, unknown>(Object.entries(input));
  const key = given.get("try_key");
  if (typeof key === "string") return key.startsWith("test:");
  return given.size === 1 && given.get("test") === true;
}

function seenOf(execution: Execution, readFrom: string, nowMs: number): SeenExecution[] {
  const { execution_id: executionId, status, completed_at: completedAt } = execution;
  const workflowId = execution.workflow_id ?? readFrom;
  const startedAtMs = Math.min(nowMs, momentOf(execution.started_at) ?? nowMs);
  const endedMs = withinReason(momentOf(completedAt) ?? nowMs, startedAtMs, nowMs);
  const isOver = executionEndOf(status) !== undefined;
  return [
    {
      executionId,
      workflowId,
      status: normaliseWord(status ?? "unknown"),
      triggerSource: execution.trigger_source?.slice(0, LONGEST_WORD),
      error: execution.error_message === undefined ? undefined : keptText(execution.error_message, []),
      startedAtMs,
      endedAtMs: isOver ? endedMs : undefined,
    },
  ];
}
