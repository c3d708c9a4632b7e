import type { z } from "zod";

/** One problem of a spec, named the way its author finds it. */
export interface SpecProblem {
  field: string;
  problem: string;
}

/** How problems speak of what was read: as a whole, and as a kind. */
export interface Called {
  whole: string;
  kind: string;
  /** The kind of what stands at a path within it, where that has a name of its own. */
  kindAt?: (path: readonly PropertyKey[]) => string | undefined;
}

/** Every problem of a value that a schema refused; the schema is read with `problemWords`. */
export function specProblems(issues: readonly z.core.$ZodIssue[], called: Called): SpecProblem[] {
  return telling(issues).flatMap((issue) => problemsOf(issue, called));
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of fields",
  record: "a group of fields",
};

/** What is wrong with a value, for whoever wrote it, where its schema says nothing of its own. */
export function problemWords(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue;
  if (code === "invalid_type")
    return input === undefined
      ? "is missing: it has to be given"
      : `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
  if (code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  if (code === "too_small") {
    if (issue.origin === "array") return `must have ${String(issue.minimum)} or more`;
    return issue.origin === "string" ? "must not be empty" : `must be ${String(issue.minimum)} or more`;
  }
  if (code !== "too_big") return undefined;
  if (issue.origin === "array") return `may have ${String(issue.maximum)} at most`;
  return issue.origin === "string"
    ? `may have ${String(issue.maximum)} characters at most`
    : `must be ${String(issue.maximum)} or less`;
}

/** A text in a list's place is not also a list that is too long. */
function telling(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const ofWrongType = new Set(
    issues.filter(({ code }) => code === "invalid_type").map(({ path }) => fieldName(path)),
  );
  return issues.filter(({ code, path }) => code === "invalid_type" || !ofWrongType.has(fieldName(path)));
}

function problemsOf(issue: z.core.$ZodIssue, called: Called): SpecProblem[] {
  const field = fieldName(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: field === "" ? key : `${field}.${key}`,
      problem: `is not a field of ${called.kindAt?.(issue.path) ?? called.kind}: remove it, or check its spelling`,
    }));
  }
  // What a key has to be, of a group whose keys people choose.
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => ({ field, problem: message }));
  if (issue.code === "invalid_union") {
    // The form that is nearest to what was written.
    const [inner] = issue.errors
      .filter((errors) =>
        errors.some(
          (error) => error.path.length > 0 || error.code === "unrecognized_keys" || error.code === "custom",
        ),
      )
      .toSorted((a, b) => weightOf(a) - weightOf(b));
    if (inner)
      return telling(inner).flatMap((error) =>
        problemsOf({ ...error, path: [...issue.path, ...error.path] }, called),
      );
  }
  return [{ field: field === "" ? called.whole : field, problem: issue.message }];
}

/** How far from a form of a union something is. */
function weightOf(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

/** A path as people write it: `steps[3].on.answered`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}
