import { of, OF_PLATFORM } from "./operation.ts";

const does = of("system");

export const SYSTEM = {
  "GET /healthz": does("checkAlive", "Says that the process is alive."),
  "GET /readyz": does("checkReady", "Says whether the ledger and Temporal answer.", [
    "temporal_unavailable",
    "ledger_unavailable",
  ]),
  "GET /v1/system": does("readSystem", "Shows how the system is, and what waits."),
  "GET /v1/installation": does("readInstallation", "Shows which installation answers."),
  "GET /v1/doctor": does(
    "examine",
    "Says what is missing or misconfigured in this installation, and how to mend it.",
  ),
  "POST /v1/sweep": does("sweep", "Looks for what has no end, and settles it."),
  "POST /v1/recover": does("recoverLedger", "Brings a ledger that was restored level with the platform.", [
    "command_refused",
    ...OF_PLATFORM,
  ]),
  "POST /v1/stop-all": does("stopAll", "Stops all dialing at once."),
  "POST /v1/go-on": does("goOn", "Lets dialing go on after everything was stopped."),
  "POST /v1/ledger/copies": does("copyLedger", "Copies an embedded ledger, for a backup.", [
    "not_embedded",
    "request_under_way",
  ]),
  "GET /v1/keys/status": does("readKeyStatus", "Shows which key of the platform is in use.", [
    ...OF_PLATFORM,
  ]),
  "POST /v1/keys/rotate": does("rotateKey", "Puts a new key of the platform in the old one's place.", [
    "rotation_refused",
    ...OF_PLATFORM,
  ]),
  "GET /v1/keys/rotations": does("listKeyRotations", "Lists rotations of the key, newest first."),
  "GET /v1/events": does("listEvents", "Lists what happened, in order, page by page for ever.", [
    "events_gone",
    "unknown_campaign",
  ]),
  "GET /v1/events/stream": does("followEvents", "Tells what happens as it happens.", [
    "events_gone",
    "unknown_campaign",
    "too_many_streams",
  ]),
  "GET /v1/events/webhooks": does("listEventWebhooks", "Lists who is sent what happens."),
  "GET /v1/events/webhooks/:name": does(
    "readEventWebhook",
    "Shows a webhook of events, how it does, and what it lacks.",
    ["unknown_webhook"],
  ),
  "PUT /v1/events/webhooks": does(
    "putEventWebhook",
    "Declares a webhook that is sent what happens, or changes it.",
    ["invalid_webhook", "command_refused"],
  ),
  "DELETE /v1/events/webhooks/:name": does("removeEventWebhook", "Takes a webhook of events back.", [
    "unknown_webhook",
  ]),
  "POST /v1/events/webhooks/:name/enable": does(
    "enableEventWebhook",
    "Has a webhook that was disabled go on where it stopped.",
    ["unknown_webhook"],
  ),
  "POST /v1/events/webhooks/:name/test": does(
    "testEventWebhook",
    "Sends a test to a webhook of events now.",
    ["unknown_webhook"],
  ),
};
