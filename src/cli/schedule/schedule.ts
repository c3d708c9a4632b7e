import type { Command } from "commander";

import type { CliContext } from "../context.ts";
import { registerScheduleControls } from "./control.ts";
import { registerScheduleLists } from "./list.ts";
import { registerSchedulePut } from "./put.ts";
import { registerScheduleRuns } from "./runs.ts";

export function registerScheduleCommands(program: Command, context: CliContext): void {
  const schedule = program
    .command("schedule")
    .description("Automations and campaigns that are run again and again: when, and what came of it.");
  registerSchedulePut(schedule, context);
  registerScheduleLists(schedule, context);
  registerScheduleRuns(schedule, context);
  registerScheduleControls(schedule, context);
}
