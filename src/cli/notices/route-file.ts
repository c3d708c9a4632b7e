import { readRoute, type RouteDefinition } from "../../domain/notices/route.ts";
import { readDefinitionFile } from "../definition-file.ts";

/** A route is written by a person: more than this is another file. */
const LARGEST_BYTES = 64 * 1024;

/**
 * Reads an attention route from a YAML or JSON file, with or without its `kind`.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readRouteFile(file: string): RouteDefinition {
  return readDefinitionFile(file, { kind: "attention-route", largestBytes: LARGEST_BYTES, read: readRoute });
}
