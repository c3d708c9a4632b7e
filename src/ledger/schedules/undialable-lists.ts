import { isUnderWay } from "../../domain/schedules/schedule-run.ts";
import { whyNever } from "../../domain/policy/never-dialed.ts";
import type { ListImport } from "../campaigns/list-imports.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import type { Db } from "../ground/connection.ts";
import { changeRun, readScheduleRun, runKeyOf, type ScheduleRun } from "./schedule-runs.ts";
import { lockSchedule, type Schedule } from "./schedules.ts";

/*
 * Nobody looks at the list of a run that a schedule makes: who on it can never be called is written down with the
 * run, and where that is everybody, people are told. An empty campaign completes, as one without a list does.
 */

const KIND = "schedule_list_undialable";

/**
 * Writes down how many of a run's list can never be dialed under its campaign's window, once.
 *
 * @param list whose rows are all taken
 * @returns how many they are, where that was not written down before
 */
export async function noteUndialable(
  tx: Db,
  input: { run: ScheduleRun; campaignId: string; list: ListImport; nowMs: number },
): Promise<number> {
  const { list, nowMs } = input;
  const schedule = await lockSchedule(tx, input.run.scheduleId);
  const run = schedule && (await readScheduleRun(tx, input.run.id));
  if (!schedule || !run || !isUnderWay(run.state)) return 0;
  const contacts = list.neverDialed.reduce((sum, group) => sum + group.contacts, 0);
  const of = list.rowsAccepted;
  if (contacts < of) {
    const resolution = "a later list has people who can be called";
    await resolveAttention(tx, { kind: KIND, subject: schedule.name, by: "engine", resolution, nowMs });
  }
  if (contacts === 0 || run.result?.["never_dialed"] !== undefined) return 0;
  const result = { ...run.result, never_dialed: { contacts, of } };
  await changeRun(tx, run, { state: run.state, reason: run.reason, result });
  if (contacts === of) await tell(tx, schedule, run, input);
  return contacts;
}

async function tell(
  tx: Db,
  schedule: Schedule,
  run: ScheduleRun,
  { campaignId, list, nowMs }: { campaignId: string; list: ListImport; nowMs: number },
): Promise<void> {
  const [largest] = list.neverDialed;
  const { why, remedy } = whyNever(largest ?? { reason: "no_common_window", zones: [] }, nowMs);
  const which = `the run of schedule ${schedule.name} that was due at ${runKeyOf(run.dueAtMs)}`;
  const who = list.rowsAccepted === 1 ? "the one contact" : `none of the ${list.rowsAccepted} contacts`;
  await raiseAttention(tx, {
    kind: KIND,
    subject: schedule.name,
    brand: "default",
    summary:
      `${which} calls nobody: ${who} of its list ${list.sourceName} ${list.rowsAccepted === 1 ? "can never" : "can ever"} be called: ${why}`.slice(
        0,
        1_000,
      ),
    remedy: `${remedy}; \`outdial campaign status ${campaignId}\` has all groups`,
    nowMs,
  });
}
