import { of } from "./operation.ts";

const does = of("triggers");

export const TRIGGERS = {
  "PUT /v1/triggers": does("putTrigger", "Declares a trigger, or its next version.", [
    "invalid_trigger",
    "command_refused",
  ]),
  "GET /v1/triggers": does("listTriggers", "Lists triggers by their names."),
  "GET /v1/triggers/:name": does("readTrigger", "Shows one trigger.", ["unknown_trigger"]),
  "POST /v1/triggers/:name/try": does(
    "tryTrigger",
    "Says what a trigger would make of a body; nothing is done.",
    ["unknown_trigger", "invalid_trigger"],
  ),
  "POST /v1/triggers/:name": does("deliver", "Takes what another system tells.", [
    "invalid_request",
    "unauthorized",
    "trigger_disabled",
    "idempotency_key_reused",
    "too_large",
    "unsupported_media_type",
    "busy",
    "ledger_full",
    "ledger_unavailable",
  ]),
  "POST /v1/triggers/:name/enable": does("enableTrigger", "Lets a trigger take deliveries.", [
    "unknown_trigger",
  ]),
  "POST /v1/triggers/:name/disable": does("disableTrigger", "Keeps a trigger from taking any.", [
    "unknown_trigger",
  ]),
  "GET /v1/triggers/:name/deliveries": does(
    "listDeliveries",
    "Lists what came through a trigger, newest first.",
    ["unknown_trigger"],
  ),
  "GET /v1/deliveries/:id": does("readDelivery", "Shows one delivery as it came.", ["unknown_delivery"]),
  "POST /v1/deliveries/:id/retry": does("retryDelivery", "Does once more what a delivery asks for.", [
    "unknown_delivery",
    "command_refused",
  ]),
  "POST /v1/deliveries/:id/skip": does("skipDelivery", "Leaves a delivery that failed undone for good.", [
    "unknown_delivery",
    "command_refused",
  ]),
  "POST /v1/triggers/:name/retry": does("retryDeliveries", "Retries all deliveries that failed.", [
    "unknown_trigger",
  ]),
  "POST /v1/hooks/platform/:token": does("takeCallHint", "Takes what the platform tells of calls.", [
    "not_found",
    "too_large",
    "busy",
    "ledger_full",
    "ledger_unavailable",
  ]),
};
