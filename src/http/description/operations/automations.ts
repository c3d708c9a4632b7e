import { of, OF_PLATFORM } from "./operation.ts";

const does = of("automations");

export const AUTOMATIONS = {
  "PUT /v1/automations": does("putAutomation", "Declares an automation.", [
    "invalid_spec",
    "command_refused",
    ...OF_PLATFORM,
  ]),
  "GET /v1/automations": does("listAutomations", "Lists automations by their names."),
  "POST /v1/automations/import": does("importAutomation", "Declares a workflow that was exported.", [
    "invalid_spec",
    "command_refused",
    ...OF_PLATFORM,
  ]),
  "GET /v1/automations/:name": does("readAutomation", "Shows an automation with its versions.", [
    "unknown_automation",
    ...OF_PLATFORM,
  ]),
  "DELETE /v1/automations/:name": does("removeAutomation", "Takes an automation back.", [
    "unknown_automation",
    "command_refused",
  ]),
  "GET /v1/automations/:name/export": does("exportAutomation", "Hands an automation out as a document.", [
    "unknown_automation",
    "command_refused",
    ...OF_PLATFORM,
  ]),
  "POST /v1/automations/:name/test": does("testAutomation", "Tests an automation on the platform.", [
    "unknown_automation",
    "command_refused",
  ]),
  "POST /v1/automations/:name/deploy": does("deployAutomation", "Deploys an automation.", [
    "unknown_automation",
    "command_refused",
  ]),
  "POST /v1/automations/:name/restore": does("restoreAutomation", "Puts an older version back.", [
    "unknown_automation",
    "command_refused",
  ]),
  "POST /v1/automations/:name/retry": does("retryAutomation", "Tries a change that failed once more.", [
    "unknown_automation",
    "command_refused",
  ]),
  "GET /v1/automations/:name/executions": does(
    "listExecutions",
    "Lists what an automation ran, newest first.",
    ["unknown_automation"],
  ),
  "GET /v1/automations/health": does("readAutomationHealth", "Shows how automations do."),
  "POST /v1/automations/executions/:id/rerun": does("rerunExecution", "Runs a failed execution again.", [
    "unknown_execution",
    "command_refused",
  ]),
};
