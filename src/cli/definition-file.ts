import type { SpecProblem } from "../domain/spec-problems.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { readYamlFile } from "./yaml-file.ts";

export type DefinitionReading<Definition> =
  | { ok: true; definition: Definition }
  | { ok: false; problems: readonly SpecProblem[] };

/** What a file is to hold. */
interface Wanted<Definition> {
  /** Its `kind` among declared documents, which it may bear. */
  kind: string;
  largestBytes: number;
  read: (value: unknown) => DefinitionReading<Definition>;
  /** Puts in what stands in files beside it. */
  complete?: (value: unknown) => unknown;
}

/**
 * Reads the one definition of a YAML or JSON file.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readDefinitionFile<Definition>(file: string, wanted: Wanted<Definition>): Definition {
  const { kind, largestBytes, read, complete = (value) => value } = wanted;
  const what = `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
  const { value, lineOf } = readYamlFile(file, { what, largestBytes });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CliError(
      `${file} holds no ${kind}: begin with \`name: ...\`, as the files in examples do`,
      EXIT.badInput,
    );
  }
  const { kind: given = kind, ...fields } = Object.fromEntries(Object.entries(value));
  if (given !== kind) {
    throw new CliError(
      `${file}:${lineOf("kind")}: kind: is ${JSON.stringify(given)}, where ${what} is wanted`,
      EXIT.badInput,
    );
  }
  const reading = read(complete(fields));
  if (reading.ok) return reading.definition;
  const { problems } = reading;
  const lines = problems.map(({ field, problem }) => `  line ${lineOf(field)}: ${field}: ${problem}`);
  throw new CliError(
    `${file} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n${lines.join("\n")}`,
    EXIT.badInput,
  );
}
