import { of } from "./operation.ts";

const does = of("schedules");

export const SCHEDULES = {
  "PUT /v1/schedules": does("putSchedule", "Declares a schedule, or changes it.", [
    "invalid_spec",
    "command_refused",
  ]),
  "GET /v1/schedules": does("listSchedules", "Lists schedules by their names."),
  "GET /v1/schedules/:name": does("readSchedule", "Shows a schedule.", ["unknown_schedule"]),
  "DELETE /v1/schedules/:name": does("removeSchedule", "Takes a schedule back.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "GET /v1/schedules/:name/next": does("readNextRuns", "Says when a schedule's next runs are due.", [
    "unknown_schedule",
  ]),
  "POST /v1/schedules/:name/pause": does("pauseSchedule", "Pauses a schedule.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "POST /v1/schedules/:name/resume": does("resumeSchedule", "Lets a paused schedule go on.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "POST /v1/schedules/:name/repair": does("repairSchedule", "Puts a schedule back where its clock runs.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "GET /v1/schedules/:name/runs": does("listRuns", "Lists a schedule's runs, newest first.", [
    "unknown_schedule",
  ]),
  "POST /v1/schedules/:name/run": does("runSchedule", "Makes a run now.", [
    "unknown_schedule",
    "command_refused",
  ]),
  "POST /v1/schedules/:name/backfill": does(
    "backfillSchedule",
    "Makes runs of the past that did not happen.",
    ["unknown_schedule", "command_refused"],
  ),
};
