import { Option } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { SCHEDULE_RUN_STATES } from "../../domain/schedules/schedule-run.ts";
import type { ScheduleRunWire } from "../../http/wire/schedules.ts";
import type { Voice } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { instant, jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { provenMoment } from "../view/local-times.ts";
import { listing } from "../view/report.ts";
import { countText, numberText } from "../view/words.ts";
import { zonesOf } from "./list.ts";

interface RunsOptions {
  state?: string;
  limit: number;
  after?: string;
  json?: true;
}

export function registerScheduleRuns(schedule: CliCommand): void {
  registerRuns(schedule);
  registerRun(schedule);
  registerBackfill(schedule);
}

function registerRuns(schedule: CliCommand): void {
  schedule
    .command("runs")
    .description(
      "Lists the runs of a schedule, newest first: those that were made, and those that were not, and why.",
    )
    .argument("<name>", "the schedule")
    .addOption(new Option("--state <state>", "only those in this state").choices(SCHEDULE_RUN_STATES))
    .option("--limit <n>", "so many at most", wholeNumber(1, 200), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: RunsOptions) => {
      const { state, limit, after } = options;
      const { page, zones } = await withRunningSystem(config, async (api) => ({
        page: await api.schedules.runs(name, { state, limit, after }),
        zones: zonesOf(await api.schedules.get(name)),
      }));
      tellRuns(voice, page.items, zones);
      if (page.next_after !== null)
        voice.tell([`${numberText(page.total)} in all; more: --after ${page.next_after}`]);
      voice.json(page);
    });
}

function registerRun(schedule: CliCommand): void {
  schedule
    .command("run")
    .grave()
    .description("Runs a schedule now, whether it is paused or not.")
    .argument("<name>", "the schedule")
    .option("--command-id <id>", "names this command: the same id again is the same run")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: { commandId?: string; json?: true }) => {
      const run = await withRunningSystem(config, (api) => api.schedules.run(name, options.commandId));
      voice.tell([`run ${run.id} is ${run.state}${run.reason === null ? "" : `: ${run.reason}`}`]);
      voice.json(run);
      return run.state === "failed" ? EXIT.failed : EXIT.ok;
    });
}

function registerBackfill(schedule: CliCommand): void {
  schedule
    .command("backfill")
    .grave()
    .description("Makes up for due times of the past that were not run, one after the other.")
    .argument("<name>", "the schedule")
    .requiredOption("--from <time>", "the first due time, such as 2026-12-01T09:00:00Z", instant)
    .requiredOption("--to <time>", "the last due time, the same way", instant)
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: { from: string; to: string; json?: true }) => {
      const { from, to } = options;
      const filled = await withRunningSystem(config, (api) => api.schedules.backfill(name, { from, to }));
      const already = filled.already === 0 ? "" : `; ${numberText(filled.already)} were run already`;
      voice.tell([`${countText(filled.runs.length, "run")} to be made${already}`]);
      voice.json(filled);
    });
}

function tellRuns(voice: Voice, runs: readonly ScheduleRunWire[], zones: readonly string[]): void {
  const rows = runs.map((run) => runRow(run, zones));
  voice.present(listing("no runs", ["due", "state", "cause", "what came of it"], rows, voice.colours));
}

/** Pure. */
export function runRow(run: ScheduleRunWire, zones: readonly string[]): string[] {
  const came = [run.reason ?? run.campaign_id ?? run.execution_id ?? "", neverText(run)];
  return [
    provenMoment(run.due_at, zones),
    run.state,
    run.cause,
    came.filter((text) => text !== "").join("; "),
  ];
}

function neverText({ result }: ScheduleRunWire): string {
  const never = result?.never_dialed;
  if (!never) return "";
  return `${numberText(never.contacts)} of ${countText(never.of, "contact")} can never be called`;
}
