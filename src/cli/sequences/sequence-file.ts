import { readSequence, type SequenceDefinition } from "../../domain/sequences/definition.ts";
import { readDefinitionFile } from "../definition-file.ts";

/** A sequence is written by a person: more than this is another file. */
const LARGEST_BYTES = 256 * 1024;

/**
 * Reads a sequence from a YAML or JSON file, with or without its `kind`.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readSequenceFile(file: string): SequenceDefinition {
  return readDefinitionFile(file, { kind: "sequence", largestBytes: LARGEST_BYTES, read: readSequence });
}
