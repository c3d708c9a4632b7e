import { DECLARED_KINDS, type DeclaredKind, guessKind } from "../domain/declared/documents.ts";
import type { SpecProblem } from "../domain/ground/spec-problems.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { problemLines, readYamlFile } from "./yaml-file.ts";

export type DefinitionReading<Definition> =
  | { ok: true; definition: Definition }
  | { ok: false; problems: readonly SpecProblem[] };

/** What a file is to hold. */
interface Wanted<Definition> {
  /** Its `kind` among declared documents, which it may bear. */
  kind: DeclaredKind;
  largestBytes: number;
  read: (value: unknown) => DefinitionReading<Definition>;
  /** Puts in what stands in files beside it; what can't be read is a problem of the field that names it. */
  complete?: (value: unknown, say: (field: string, problem: string) => void) => unknown;
}

/**
 * Reads the one definition of a YAML or JSON file.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readDefinitionFile<Definition>(file: string, wanted: Wanted<Definition>): Definition {
  const { kind, largestBytes, read, complete = (value) => value } = wanted;
  const what = withArticle(kind);
  const { value, lineOf } = readYamlFile(file, { what, largestBytes });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new CliError(
      `${file} holds no ${kind}: begin with \`name: ...\`, as the files in examples do`,
      EXIT.badInput,
    );
  }
  const { kind: given, ...fields } = Object.fromEntries(Object.entries(value));
  const held = kindOf(value);
  if (held !== undefined && held !== kind)
    throw otherKindError(file, { held, wanted: `${what} is wanted here`, bearsKind: given !== undefined });
  if (given !== undefined && given !== kind) {
    throw new CliError(
      `${file}:${lineOf("kind")}: kind: is ${JSON.stringify(given)}, where ${what} is wanted`,
      EXIT.badInput,
    );
  }
  const beside: SpecProblem[] = [];
  const reading = read(complete(fields, (field, problem) => beside.push({ field, problem })));
  if (reading.ok && beside.length === 0) return reading.definition;
  const problems = [...beside, ...(reading.ok ? [] : reading.problems)];
  const lines = problemLines(problems, lineOf);
  throw new CliError(
    `${file} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}:\n${lines.join("\n")}`,
    EXIT.badInput,
  );
}

/** What a definition says that it is, or clearly is. Undefined where neither is known here. */
export function kindOf(value: unknown): DeclaredKind | undefined {
  if (typeof value !== "object" || value === null || !("kind" in value)) return guessKind(value);
  return DECLARED_KINDS.find((one) => one === value.kind);
}

/** The command that takes a file of a kind. */
const TAKEN_BY: Readonly<Record<DeclaredKind, string>> = {
  "attention-route": "attention route put",
  "event-webhook": "webhook put",
  automation: "automation put",
  campaign: "campaign create",
  schedule: "schedule put",
  sequence: "sequence put",
  // Lists of the other kind, of numbers alone, go to `suppress import`.
  "suppression-list": "apply -f",
  "suppression-source": "apply -f",
  trigger: "trigger put",
};

/** A file holds something else than a command takes: says what it is, and what takes it. */
export function otherKindError(
  file: string,
  { held, wanted, bearsKind }: { held: DeclaredKind; wanted: string; bearsKind: boolean },
): CliError {
  const isApplied = held === "suppression-list" || held === "suppression-source";
  const first = isApplied && !bearsKind ? `write \`kind: ${held}\` into it, then ` : "";
  return new CliError(
    `${file} holds ${withArticle(held)}, and ${wanted}: ${first}give it to \`outdial ${TAKEN_BY[held]} ${file}\``,
    EXIT.badInput,
  );
}

function withArticle(kind: DeclaredKind): string {
  return `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
}
