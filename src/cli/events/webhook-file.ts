import { readEventWebhook, type EventWebhookDefinition } from "../../domain/events/webhook.ts";
import { readDefinitionFile } from "../definition-file.ts";

/** A webhook is written by a person: more than this is another file. */
const LARGEST_BYTES = 64 * 1024;

/**
 * Reads a webhook of events from a YAML or JSON file, with or without its `kind`.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readWebhookFile(file: string): EventWebhookDefinition {
  return readDefinitionFile(file, {
    kind: "event-webhook",
    largestBytes: LARGEST_BYTES,
    read: readEventWebhook,
  });
}
