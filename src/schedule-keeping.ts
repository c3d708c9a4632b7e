import type { Client } from "@temporalio/client";

import type { ActivityDeps } from "./activities/deps.ts";
import { noteStepFailure, noteStepSuccess } from "./activities/failing-steps.ts";
import {
  findMissedOnPlatform,
  keepOnPlatform,
  takeOffPlatform,
} from "./activities/schedule/keep-on-platform.ts";
import {
  listRemovedSchedules,
  listSchedules,
  noteKept,
  readSchedule,
  type Schedule,
} from "./ledger/schedules.ts";
import type { Step } from "./ledger/failing-steps.ts";
import { decideDueTimes } from "./ledger/scheduling.ts";
import {
  decideLeftOver,
  ensureRuns,
  keepInTemporal,
  removeFromTemporal,
  type TemporalKeeping,
} from "./temporal/schedules.ts";

/*
 * Schedules are kept by Temporal or by the platform's own scheduler; what is declared is the ledger's. Here both are
 * brought in line with it.
 */

export interface ScheduleKeeper {
  /** Brings one schedule to where it is kept, and away from where it is not. */
  keep(scheduleId: string): Promise<{ againAtMs: number } | undefined>;
  /** Looks at all of them: what was changed or lost, and which runs did not happen. */
  pass(): Promise<void>;
}

export function scheduleKeeper(deps: ActivityDeps, client: Client): ScheduleKeeper {
  const keeping: TemporalKeeping = { client, ledger: deps.ledger, log: deps.log, now: deps.now };

  const keep = async (schedule: Schedule, how: "install" | "look") => {
    const { engine } = schedule.definition;
    if (schedule.state === "removed" || engine === "platform") {
      if (how === "install") await removeFromTemporal(client, schedule.id);
    } else {
      const { workflowId } = schedule.drift;
      // The platform kept it before.
      if (workflowId !== undefined) await takeOffPlatform(deps, workflowId);
      await keepInTemporal(keeping, schedule, how);
      return undefined;
    }
    if (engine === "platform") return keepOnPlatform(deps, schedule, how);
    await noteKept(deps.ledger.db, {
      scheduleId: schedule.id,
      installedDigest: null,
      drift: {},
      nowMs: deps.now(),
    });
    return undefined;
  };

  const lookAt = async (schedule: Schedule) => {
    if (schedule.definition.engine === "platform") {
      await keep(schedule, "look");
      await findMissedOnPlatform(deps, schedule);
      return;
    }
    try {
      await keep(schedule, "look");
      // What can still begin in time begins with a worker.
      await decideLeftOver(keeping, schedule);
    } finally {
      // What can't is told, whether there is a worker and a Temporal or not.
      const input = { scheduleId: schedule.id, lateOnly: true, nowMs: deps.now() };
      const { begun } = await deps.ledger.transaction((tx) => decideDueTimes(tx, input));
      if (begun > 0) deps.outbox.kick();
    }
  };

  /** That one fails is counted; the others are looked at all the same. */
  const alone = async (schedule: Schedule, work: () => Promise<unknown>) => {
    const step: Step = { of: "schedule", id: schedule.id, verb: "keep" };
    try {
      await work();
      await noteStepSuccess(deps, step, { asked: false });
    } catch (error) {
      deps.log.warn(
        { schedule: schedule.name, error: String(error) },
        "a schedule could not be looked at; the next pass will",
      );
      await noteStepFailure(deps, step, error);
    }
  };

  return {
    async keep(scheduleId) {
      const schedule = await readSchedule(deps.ledger.db, scheduleId);
      return schedule && keep(schedule, "install");
    },
    async pass() {
      for (const schedule of await listSchedules(deps.ledger.db)) {
        await alone(schedule, () => lookAt(schedule));
      }
      for (const schedule of await listRemovedSchedules(deps.ledger.db)) {
        await alone(schedule, () => keep(schedule, "install"));
      }
      if ((await ensureRuns(keeping)) > 0) deps.outbox.kick();
    },
  };
}
