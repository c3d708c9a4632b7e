import {
  missingRuns,
  platformDrift,
  platformTimesOf,
  type PlatformScheduleSeen,
} from "../../domain/schedules/platform-schedule.ts";
import { raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import { writeAudit } from "../../ledger/ground/audit.ts";
import { recordMissed } from "../../ledger/schedules/schedule-ends.ts";
import { findTarget } from "../../ledger/schedules/schedule-targets.ts";
import {
  decidedThrough,
  isStillDeclared,
  noteKept,
  type Schedule,
  type ScheduleDrift,
} from "../../ledger/schedules/schedules.ts";
import { ConflictError, momentOf, NotFoundError, type ScheduleStatus } from "../../platform/index.ts";
import { readNewest, type Execution } from "../../activities/ground/executions.ts";
import type { ActivityDeps } from "../../activities/deps.ts";

/*
 * Schedules of which the platform's own scheduler keeps the time (contract 3.4, 4.5).
 */

/** An automation that is still being brought to the platform is there within minutes. */
const NOT_THERE_LOOK_MS = 30_000;

/** How old a reading of executions may be that is shared with other looks. */
const READING_AGE_MS = 30_000;

/**
 * Brings a schedule to the platform, or looks whether it is there as declared.
 *
 * Safe to repeat, and to be done by two: what is as it should be is left alone, so that the phase of an interval stays.
 * Where it is declared otherwise meanwhile, nothing more is done or told: the caller looks whether that is so, and
 * comes again.
 *
 * @param how `install`: it is to be as declared from now on. `look`: what somebody changed by hand is repaired, or
 *   reported, as the schedule says.
 * @returns when to come again where its automation is not there yet.
 */
export async function keepOnPlatform(
  deps: ActivityDeps,
  schedule: Schedule,
  how: "install" | "look",
): Promise<{ againAtMs: number } | undefined> {
  const { definition } = schedule;
  const target = await findTarget(deps.ledger.db, definition.run);
  const before = schedule.drift.workflowId;
  if (before !== undefined && (!target.ok || target.workflowId !== before))
    await takeOffPlatform(deps, before);
  if (schedule.state !== "active") {
    if (target.ok && (await look(deps, target.workflowId))?.isScheduled !== false)
      await takeOffPlatform(deps, target.workflowId);
    await note(deps, schedule, schedule.state === "removed" ? null : schedule.digest, {});
    return undefined;
  }
  if (!target.ok) {
    await tell(
      deps,
      schedule,
      target.problem,
      `bring its automation to the platform; it is looked for again`,
    );
    await note(deps, schedule, null, { found: target.problem });
    return how === "install" ? { againAtMs: deps.now() + NOT_THERE_LOOK_MS } : undefined;
  }
  const { workflowId } = target;
  const declared = platformTimesOf(definition);
  const words = platformDrift(declared, await look(deps, workflowId));
  // What is there may be of a later declaration: then it is nobody's doing.
  if (!(await isStillDeclared(deps.ledger.db, schedule))) return undefined;
  if (words === undefined) {
    const { repairedAt, found, foundAt } = schedule.drift;
    const repaired = how === "look" && repairedAt !== undefined ? { repairedAt, found, foundAt } : {};
    await note(deps, schedule, schedule.digest, { workflowId, ...defined(repaired) });
    return undefined;
  }
  const isByHand = how === "look" && schedule.installedDigest === schedule.digest;
  const nowIso = new Date(deps.now()).toISOString();
  if (isByHand && definition.drift === "report") {
    await tell(
      deps,
      schedule,
      words,
      `declare it as you want it, or \`outdial schedule repair ${schedule.name}\``,
    );
    const foundAt = schedule.drift.foundAt ?? nowIso;
    await note(deps, schedule, schedule.digest, { workflowId, found: words, foundAt });
    return undefined;
  }
  if (!(await install(deps, schedule, workflowId))) return undefined;
  if (!(await isStillDeclared(deps.ledger.db, schedule))) return undefined;
  if (isByHand) await tellRepaired(deps, schedule, words);
  const repaired = isByHand ? { found: words, foundAt: nowIso, repairedAt: nowIso } : {};
  await note(deps, schedule, schedule.digest, { workflowId, ...repaired });
  return undefined;
}

function defined(drift: { [Key in keyof ScheduleDrift]?: ScheduleDrift[Key] | undefined }): ScheduleDrift {
  return Object.fromEntries(Object.entries(drift).filter(([, value]) => value !== undefined));
}

/** An automation that has no schedule any more, or is gone itself, is no error. */
export async function takeOffPlatform(deps: ActivityDeps, workflowId: string): Promise<void> {
  try {
    await deps.platform.workflows.deleteSchedule(workflowId);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}

async function look(deps: ActivityDeps, workflowId: string): Promise<PlatformScheduleSeen | undefined> {
  try {
    return seenOf(await deps.platform.workflows.schedule(workflowId));
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function seenOf(status: ScheduleStatus): PlatformScheduleSeen {
  // What it runs by, where the platform says so; else what it was configured with.
  return {
    isScheduled: status.is_scheduled,
    settings: { ...status.trigger_config, ...definedOf(status.job_details) },
  };
}

function definedOf(details: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details ?? {}).filter(([, value]) => value !== undefined));
}

/** False where the automation can't be scheduled: that is told to people, and asking again would not help. */
async function install(deps: ActivityDeps, schedule: Schedule, workflowId: string): Promise<boolean> {
  try {
    await deps.platform.workflows.setSchedule(workflowId, platformTimesOf(schedule.definition));
    return true;
  } catch (error) {
    if (!(error instanceof ConflictError) && !(error instanceof NotFoundError)) throw error;
    const remedy =
      "declare its automation with trigger_type schedule, and see that it is deployed; or let engine be temporal";
    await tell(deps, schedule, `the platform refused it: ${error.message}`, remedy);
    await note(deps, schedule, null, { workflowId, found: error.message });
    return false;
  }
}

async function tell(deps: ActivityDeps, schedule: Schedule, words: string, remedy: string): Promise<void> {
  await raiseAttention(deps.ledger.db, {
    kind: "schedule_drift",
    subject: schedule.name,
    brand: "default",
    summary: `schedule ${schedule.name} is not kept as it is declared on the platform: ${words}`,
    remedy,
    nowMs: deps.now(),
  });
}

async function tellRepaired(deps: ActivityDeps, schedule: Schedule, words: string): Promise<void> {
  deps.log.warn(
    { schedule: schedule.name, found: words },
    "a schedule was changed on the platform, and is as declared again",
  );
  await writeAudit(deps.ledger.db, {
    nowMs: deps.now(),
    actor: "engine",
    action: "schedule.repair",
    detail: { schedule: schedule.name, where: "platform", found: words },
  });
}

async function note(
  deps: ActivityDeps,
  schedule: Schedule,
  installedDigest: string | null,
  drift: ScheduleDrift,
): Promise<void> {
  const nowMs = deps.now();
  await deps.ledger.transaction(async (tx) => {
    if (!(await noteKept(tx, { schedule, installedDigest, drift, nowMs }))) return;
    if (drift.found !== undefined && drift.repairedAt === undefined) return;
    await resolveAttention(tx, {
      kind: "schedule_drift",
      subject: schedule.name,
      by: "engine",
      resolution: "it is kept as declared",
      nowMs,
    });
  });
}

const BY_SCHEDULER = "scheduler";

/**
 * Compares what the platform's scheduler ran with what was due. Runs that did not happen are written down and told.
 *
 * Safe to repeat: a due time is written down once.
 *
 * @returns how many were found.
 */
export async function findMissedOnPlatform(deps: ActivityDeps, schedule: Schedule): Promise<number> {
  const { workflowId } = schedule.drift;
  if (schedule.state !== "active" || workflowId === undefined) return 0;
  const nowMs = deps.now();
  const fromMs = (await decidedThrough(deps.ledger.db, schedule.id)) ?? schedule.updatedAtMs;
  const { executions, isWhole } = await readNewest(deps.platform, workflowId, {
    nowMs,
    maxAgeMs: READING_AGE_MS,
  });
  const startsOf = (some: readonly Execution[]) =>
    some.map((execution) => momentOf(execution.started_at)).filter((startMs) => startMs !== undefined);
  const allMs = startsOf(executions);
  const seenSinceMs = isWhole ? fromMs : Math.min(nowMs, ...allMs);
  // A platform that does not say what set an execution off is given the benefit of the doubt.
  const ofScheduler = executions.filter(
    ({ trigger_source: source }) => (source ?? BY_SCHEDULER) === BY_SCHEDULER,
  );
  const startedMs = startsOf(ofScheduler).sort((a, b) => a - b);
  const missing = missingRuns(schedule.definition, startedMs, { fromMs, seenSinceMs, nowMs });
  if (missing.throughMs <= fromMs) return 0;
  return deps.ledger.transaction((tx) => recordMissed(tx, schedule, { ...missing, nowMs }));
}
