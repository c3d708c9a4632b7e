import type { Client } from "@temporalio/client";

import type { ActivityDeps } from "../../activities/deps.ts";
import { noteStepFailure, noteStepSuccess } from "../../activities/ground/failing-steps.ts";
import { findMissedOnPlatform, keepOnPlatform, takeOffPlatform } from "./keep-on-platform.ts";
import type { Step } from "../../ledger/ground/failing-steps.ts";
import {
  isStillDeclared,
  listKept,
  noteKept,
  readSchedule,
  type Schedule,
} from "../../ledger/schedules/schedules.ts";
import { decideDueTimes } from "../../ledger/schedules/scheduling.ts";
import {
  decideLeftOver,
  ensureRuns,
  keepInTemporal,
  removeFromTemporal,
  type TemporalKeeping,
} from "../../temporal/schedules.ts";

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

/** Changed more often than that while it is kept, it is left to the row of the outbox that each change writes. */
const MOST_TURNS = 5;

export function scheduleKeeper(deps: ActivityDeps, client: Client): ScheduleKeeper {
  const keeping: TemporalKeeping = { client, ledger: deps.ledger, log: deps.log, now: deps.now };
  const { db } = deps.ledger;

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
    await noteKept(db, { schedule, installedDigest: null, drift: {}, nowMs: deps.now() });
    return undefined;
  };

  /**
   * Keeps it as it is declared now. Requests take their time, and people change it meanwhile: what was done then may
   * have come after what was done for the change, and is done once more, for what is declared by now.
   */
  const keepAsDeclared = async (scheduleId: string, firstly: "install" | "look") => {
    for (let turn = 1, how = firstly; ; turn += 1, how = "install") {
      const schedule = await readSchedule(db, scheduleId);
      if (!schedule) return undefined;
      const result = await keep(schedule, how);
      if (turn === MOST_TURNS || (await isStillDeclared(db, schedule))) return result;
    }
  };

  const lookAt = async (scheduleId: string) => {
    const schedule = await readSchedule(db, scheduleId);
    if (!schedule || schedule.state === "removed") return;
    if (schedule.definition.engine === "platform") {
      await keepAsDeclared(scheduleId, "look");
      const kept = await readSchedule(db, scheduleId);
      if (kept?.definition.engine === "platform") await findMissedOnPlatform(deps, kept);
      return;
    }
    try {
      await keepAsDeclared(scheduleId, "look");
      // What can still begin in time begins with a worker.
      const kept = await readSchedule(db, scheduleId);
      if (kept?.definition.engine === "temporal") await decideLeftOver(keeping, kept);
    } finally {
      // What can't is told, whether there is a worker and a Temporal or not.
      const input = { scheduleId, lateOnly: true, nowMs: deps.now() };
      const { begun } = await deps.ledger.transaction((tx) => decideDueTimes(tx, input));
      if (begun > 0) deps.outbox.kick();
    }
  };

  /** That one fails is counted; the others are looked at all the same. */
  const alone = async ({ id, name }: { id: string; name: string }, work: () => Promise<unknown>) => {
    const step: Step = { of: "schedule", id, verb: "keep" };
    try {
      await work();
      await noteStepSuccess(deps, step, { asked: false });
    } catch (error) {
      deps.log.warn(
        { schedule: name, error: String(error) },
        "a schedule could not be looked at; the next pass will",
      );
      await noteStepFailure(deps, step, error);
    }
  };

  return {
    keep: (scheduleId) => keepAsDeclared(scheduleId, "install"),
    async pass() {
      // Each is read when its turn comes: what was listed may be seconds old by then.
      for (const one of await listKept(db, "declared")) await alone(one, () => lookAt(one.id));
      for (const one of await listKept(db, "removed"))
        await alone(one, () => keepAsDeclared(one.id, "install"));
      if ((await ensureRuns(keeping)) > 0) deps.outbox.kick();
    },
  };
}
