import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  WorkflowNotFoundError,
  type Client,
  type ScheduleDescription,
} from "@temporalio/client";

import type { Log } from "../activities/deps.ts";
import { dueTimesOf, jitterMsOf } from "../domain/schedules/schedule.ts";
import { occurrences } from "../domain/schedules/schedule-times.ts";
import { raiseAttention, resolveAttention } from "../ledger/ground/attention.ts";
import { writeAudit } from "../ledger/ground/audit.ts";
import type { Ledger } from "../ledger/ground/connection.ts";
import { readInstallation } from "../ledger/ground/installation.ts";
import { putOutbox } from "../ledger/ground/outbox.ts";
import { sampleRunsUnderWay } from "../ledger/schedules/schedule-runs.ts";
import {
  decidedThrough,
  isStillDeclared,
  noteKept,
  type Schedule,
  type ScheduleDrift,
} from "../ledger/schedules/schedules.ts";
import {
  differencesFrom,
  digestOfDescription,
  temporalScheduleOf,
  type TemporalSchedule,
} from "./schedule-spec.ts";
import { ScheduleClientWithClocks } from "./schedule-clocks.ts";
import { taskQueuesOf } from "./task-queues.ts";
import { scheduleDueWorkflowId, scheduleRunWorkflowId, temporalScheduleId } from "./workflow-ids.ts";

/*
 * Schedules of which Temporal keeps the time. What Temporal has is brought in line with the ledger, and looked at now
 * and then: somebody may have changed it there, and a Temporal that lost its data has none.
 */

export interface TemporalKeeping {
  client: Client;
  ledger: Ledger;
  log: Log;
  /** Unix milliseconds. */
  now: () => number;
}

/** For a request; the outbox and the next pass repeat better than the client. */
const DEADLINE_MS = 10_000;

/** What was begun has its workflow within this. */
const BEGUN_LATELY_MS = 60_000;

/** In one pass: each is a request to Temporal, no billed action. */
const MOST_RUNS_ASKED_AFTER = 100;

/** A due time that nobody has decided for so long was not told of by Temporal. */
const UNDECIDED_MS = 10_000;

/**
 * Brings a schedule to Temporal, or looks whether it is there as it should be.
 *
 * Safe to repeat, and to be done by two: what is as it should be is left alone. Where it is declared otherwise
 * meanwhile, nothing more is done or told: the caller looks whether that is so, and comes again.
 *
 * @param how `install`: it is to be as declared from now on. `look`: what somebody changed by hand is repaired, or
 *   reported, as the schedule says.
 */
export async function keepInTemporal(
  keeping: TemporalKeeping,
  schedule: Schedule,
  how: "install" | "look",
): Promise<void> {
  const { client, ledger } = keeping;
  const nowMs = keeping.now();
  const { installationId } = await readInstallation(ledger.db);
  const wanted = temporalScheduleOf(schedule, { taskQueue: taskQueuesOf(installationId).engine, nowMs });
  const description = await describe(client, schedule.id);
  if (description && digestOfDescription(description) === wanted.digest) {
    // What was repaired stays told until it is declared anew.
    const drift = how === "look" && schedule.drift.repairedAt !== undefined ? schedule.drift : {};
    return note(keeping, schedule, { installedDigest: wanted.digest, drift });
  }
  // What is there may be of a later declaration: then it is nobody's doing.
  if (!(await isStillDeclared(ledger.db, schedule))) return;
  const isByHand = how === "look" && schedule.installedDigest === wanted.digest;
  const words = description ? differencesFrom(wanted, description) : "it is not there";
  const drift: ScheduleDrift = isByHand ? { found: words, foundAt: new Date(nowMs).toISOString() } : {};
  if (isByHand && schedule.definition.drift === "report") {
    await report(keeping, schedule, words);
    const foundAt = schedule.drift.foundAt ?? drift.foundAt;
    return note(keeping, schedule, {
      installedDigest: wanted.digest,
      drift: { ...drift, ...(foundAt !== undefined && { foundAt }) },
    });
  }
  await install(client, schedule, wanted, description !== undefined);
  if (!(await isStillDeclared(ledger.db, schedule))) return;
  if (isByHand) await tellRepaired(keeping, schedule, words);
  await note(keeping, schedule, {
    installedDigest: wanted.digest,
    drift: isByHand ? { ...drift, repairedAt: new Date(nowMs).toISOString() } : {},
  });
}

/** Takes a schedule away from Temporal. One that is not there is no error. */
export async function removeFromTemporal(client: Client, scheduleId: string): Promise<void> {
  try {
    await within(client, () => client.schedule.getHandle(temporalScheduleId(scheduleId)).delete());
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

async function install(
  client: Client,
  schedule: Schedule,
  wanted: TemporalSchedule,
  isThere: boolean,
): Promise<void> {
  const options = {
    spec: wanted.spec,
    action: { type: "startWorkflow" as const, ...wanted.action },
    policies: { overlap: wanted.overlap, catchupWindow: wanted.catchupWindowMs, pauseOnFailure: false },
    state: { paused: wanted.paused, note: `schedule ${schedule.name} of Outdial: change it there` },
  };
  const scheduleId = temporalScheduleId(schedule.id);
  const schedules = new ScheduleClientWithClocks(client, wanted.clocks);
  if (!isThere) {
    try {
      await within(client, () => schedules.create({ scheduleId, ...options }));
      return;
    } catch (error) {
      // Somebody else brought it there meanwhile, perhaps from what was declared before.
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
  await within(client, () => schedules.getHandle(scheduleId).update(() => options));
}

async function describe(client: Client, scheduleId: string): Promise<ScheduleDescription | undefined> {
  try {
    return await within(client, () => client.schedule.getHandle(temporalScheduleId(scheduleId)).describe());
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}

function within<T>(client: Client, ask: () => Promise<T>): Promise<T> {
  return client.withDeadline(Date.now() + DEADLINE_MS, ask);
}

async function note(
  { ledger, now }: TemporalKeeping,
  schedule: Schedule,
  kept: { installedDigest: string; drift: ScheduleDrift },
): Promise<void> {
  const nowMs = now();
  await ledger.transaction(async (tx) => {
    if (!(await noteKept(tx, { schedule, ...kept, nowMs }))) return;
    if (kept.drift.found !== undefined && kept.drift.repairedAt === undefined) return;
    await resolveAttention(tx, {
      kind: "schedule_drift",
      subject: schedule.name,
      by: "engine",
      resolution: "it is kept as declared",
      nowMs,
    });
  });
}

async function tellRepaired(
  { ledger, log, now }: TemporalKeeping,
  schedule: Schedule,
  words: string,
): Promise<void> {
  log.warn(
    { schedule: schedule.name, found: words },
    "a schedule was changed in Temporal, and is as declared again",
  );
  await writeAudit(ledger.db, {
    nowMs: now(),
    actor: "engine",
    action: "schedule.repair",
    detail: { schedule: schedule.name, where: "temporal", found: words },
  });
}

async function report({ ledger, now }: TemporalKeeping, schedule: Schedule, words: string): Promise<void> {
  await raiseAttention(ledger.db, {
    kind: "schedule_drift",
    subject: schedule.name,
    brand: "default",
    summary: `schedule ${schedule.name} is not kept as it is declared in Temporal: ${words}`,
    remedy: `declare it as you want it, or \`outdial schedule repair ${schedule.name}\``,
    nowMs: now(),
  });
}

/**
 * Has a worker decide what is due where Temporal did not: its schedule was gone, or had another time. What is too
 * late for that is no matter of this, nor is anything while the ledger waits for its recovery.
 *
 * @returns whether there was something.
 */
export async function decideLeftOver(keeping: TemporalKeeping, schedule: Schedule): Promise<boolean> {
  const { client, ledger } = keeping;
  if (schedule.state !== "active") return false;
  const { definition } = schedule;
  const fromMs = (await decidedThrough(ledger.db, schedule.id)) ?? schedule.updatedAtMs;
  const throughMs = keeping.now() - jitterMsOf(definition) - UNDECIDED_MS;
  if (throughMs <= fromMs || occurrences(dueTimesOf(definition), fromMs, throughMs, 1).length === 0)
    return false;
  const { installationId, recoveryReason } = await readInstallation(ledger.db);
  if (recoveryReason !== undefined) return false;
  await within(client, () =>
    client.workflow.start("scheduleDueWorkflow", {
      // One of them is enough, however long a worker is away.
      workflowId: `${scheduleDueWorkflowId(schedule.id)}-left-over`,
      taskQueue: taskQueuesOf(installationId).engine,
      args: [{ scheduleId: schedule.id }],
      workflowIdConflictPolicy: "USE_EXISTING",
    }),
  );
  return true;
}

/** Runs that are under way and whose workflows Temporal does not have are handed to the relay. Returns how many. */
export async function ensureRuns({ client, ledger, log, now }: TemporalKeeping): Promise<number> {
  const lost: string[] = [];
  for (const run of await sampleRunsUnderWay(ledger.db, MOST_RUNS_ASKED_AFTER)) {
    // The relay may have it in its hands.
    if (now() - (run.startedAtMs ?? 0) < BEGUN_LATELY_MS) continue;
    if (!(await isRunning(client, scheduleRunWorkflowId(run.id)))) lost.push(run.id);
  }
  if (lost.length === 0) return 0;
  log.warn(
    { runs: lost.length },
    "runs of schedules that Temporal did not have were started from the ledger",
  );
  const nowMs = now();
  await ledger.transaction((tx) =>
    putOutbox(
      tx,
      lost.map((subject) => ({ kind: "schedule_run", subject, dueAtMs: nowMs })),
    ),
  );
  return lost.length;
}

async function isRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await within(client, () => client.workflow.getHandle(workflowId).describe());
    return status.name === "RUNNING";
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
