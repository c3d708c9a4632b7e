import { readScheduleDefinition, type ScheduleDefinition } from "../../domain/schedules/schedule.ts";
import { readDefinitionFile } from "../definition-file.ts";

/** A schedule is written by a person: more than this is another file. */
const LARGEST_BYTES = 256 * 1024;

/**
 * Reads a schedule from a YAML or JSON file, with or without its `kind`.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readScheduleFile(file: string): ScheduleDefinition {
  return readDefinitionFile(file, {
    kind: "schedule",
    largestBytes: LARGEST_BYTES,
    read: readScheduleDefinition,
  });
}
