import { readTriggerDefinition, type TriggerDefinition } from "../../domain/triggers/trigger.ts";
import { readDefinitionFile } from "../definition-file.ts";

/** A trigger is written by a person: more than this is another file. */
const LARGEST_BYTES = 256 * 1024;

/**
 * Reads a trigger from a YAML or JSON file, with or without its `kind`.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readTriggerFile(file: string): TriggerDefinition {
  return readDefinitionFile(file, {
    kind: "trigger",
    largestBytes: LARGEST_BYTES,
    read: readTriggerDefinition,
  });
}
