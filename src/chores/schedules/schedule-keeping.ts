import type { ActivityDeps } from "../../activities/deps.ts";
import { noteStepFailure, noteStepSuccess } from "../../activities/ground/failing-steps.ts";
import { findMissedOnPlatform, keepOnPlatform, takeOffPlatform } from "./keep-on-platform.ts";
import type { Step } from "../../ledger/ground/failing-steps.ts";
import { superviseLooks } from "../../ledger/schedules/schedule-looks.ts";
import { findTarget } from "../../ledger/schedules/schedule-targets.ts";
import {
  isStillDeclared,
  listKept,
  noteKept,
  readSchedule,
  type Schedule,
} from "../../ledger/schedules/schedules.ts";

/*
 * The platform's own scheduler is brought in line with what the ledger declares. Schedules on Temporal are workflows
 * that ask the ledger, so that nothing is to be brought in line there: it is only seen to that they look in time.
 */

export interface ScheduleKeeper {
  /** Brings one schedule to the platform's scheduler, or takes it off, as it is declared. */
  keep(scheduleId: string): Promise<{ againAtMs: number } | undefined>;
  /** Looks at all of them: what was changed or lost, and which runs did not happen. */
  pass(): Promise<void>;
}

/** Changed more often than that while it is kept, it is left to the row of the outbox that each change writes. */
const MOST_TURNS = 5;

export function scheduleKeeper(deps: ActivityDeps): ScheduleKeeper {
  const { db } = deps.ledger;

  /** @param before as it was when it was kept a moment ago: what was done for that may have come last. */
  const keep = async (schedule: Schedule, how: "install" | "look", before: Schedule | undefined) => {
    if (schedule.definition.engine === "platform") return keepOnPlatform(deps, schedule, how);
    const workflowId = schedule.drift.workflowId ?? (before && (await keptBy(before)));
    if (workflowId === undefined) return undefined;
    // The platform kept it before.
    await takeOffPlatform(deps, workflowId);
    await noteKept(db, { schedule, installedDigest: null, drift: {}, nowMs: deps.now() });
    return undefined;
  };

  /** The automation of the platform that a schedule runs by, where the platform keeps its time. */
  const keptBy = async ({ definition }: Schedule): Promise<string | undefined> => {
    if (definition.engine !== "platform") return undefined;
    const target = await findTarget(db, definition.run);
    return target.ok ? target.workflowId : undefined;
  };

  /**
   * Keeps it as it is declared now. Requests take their time, and people change it meanwhile: what was done then may
   * have come after what was done for the change, and is done once more, for what is declared by now.
   */
  const keepAsDeclared = async (scheduleId: string, firstly: "install" | "look") => {
    let before: Schedule | undefined;
    for (let turn = 1, how = firstly; ; turn += 1, how = "install") {
      const schedule = await readSchedule(db, scheduleId);
      if (!schedule) return undefined;
      const result = await keep(schedule, how, before);
      if (turn === MOST_TURNS || (await isStillDeclared(db, schedule))) return result;
      before = schedule;
    }
  };

  const seeThatItLooks = async ({ id }: Schedule) => {
    const input = { scheduleId: id, nowMs: deps.now() };
    if ((await deps.ledger.transaction((tx) => superviseLooks(tx, input))) > 0) deps.outbox.kick();
  };

  const lookAt = async (scheduleId: string) => {
    const schedule = await readSchedule(db, scheduleId);
    if (!schedule || schedule.state === "removed") return;
    if (schedule.definition.engine === "temporal") return seeThatItLooks(schedule);
    await keepAsDeclared(scheduleId, "look");
    const kept = await readSchedule(db, scheduleId);
    if (kept?.definition.engine === "platform") await findMissedOnPlatform(deps, kept);
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
    },
  };
}
