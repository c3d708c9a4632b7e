import { z } from "zod";

import { nearMiss } from "./near-miss.ts";

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
  null: "null",
  never: "left out",
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  datetime: "must be a time with its zone such as 2026-12-01T09:00:00Z",
  date: "must be a day such as 2026-12-01",
  uuid: "must be an id of the form 11111111-1111-4111-8111-111111111111",
  url: "must be an address such as https://crm.example.com/hook",
  e164: "must be a phone number with + and its country code such as +12025550143",
};

/** What is wrong with a value, for whoever wrote it, where its schema says nothing of its own. */
export function problemWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_union"))
    return MISSING;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeWords(issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}${nearValue(issue)}`;
    case "too_small":
    case "too_big":
      return sizeWords(issue);
    case "invalid_format":
      return FORMAT_WORDS[issue.format] ?? "has a form that is not taken here";
    case "invalid_union":
      return unionWords(issue);
    case "invalid_key":
      return "has a name that is not taken here";
    case "invalid_element":
      return "holds something that is not taken here";
    case "not_multiple_of":
      return `must be a multiple of ${String(issue.divisor)}`;
    // A line for each of them, of which its problem is made below.
    case "unrecognized_keys":
      return unknownFieldWords(issue.keys, namesIn(issue.inst));
    // Told in the schema's own words.
    case "custom":
      return undefined;
  }
}

/** Of so many unknown fields it is said which may be meant: each is compared with every field, letter by letter. */
const MOST_NEAR = 20;

function unknownFieldWords(keys: readonly string[], names: readonly string[]): string {
  return keys.map((key, nth) => (nth < MOST_NEAR ? nearMiss(key, names) : "")).join("\n");
}

function nearValue({ input, values }: RawIssue<"invalid_value">): string {
  return typeof input === "string" ? nearMiss(input, values.map(String)) : "";
}

/** The fields that a group may have. */
function namesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum)
    return schema.keyType.options.map(String);
  return [];
}

const MISSING = "is missing: it has to be given";

function typeWords(expected: string): string {
  return TYPE_WORDS[expected] ?? expected;
}

type RawIssue<Code> = Extract<z.core.$ZodRawIssue, { code: Code }>;

function sizeWords(issue: RawIssue<"too_small"> | RawIssue<"too_big">): string {
  const isLeast = issue.code === "too_small";
  const bound = isLeast ? issue.minimum : issue.maximum;
  const isText = issue.origin === "string";
  if (!isText && issue.origin !== "array") {
    if (issue.inclusive === false) return `must be ${isLeast ? "more" : "less"} than ${String(bound)}`;
    return `must be ${String(bound)} or ${isLeast ? "more" : "less"}`;
  }
  const counted = `${String(bound)}${isText ? " characters" : ""}`;
  if (issue.exact === true) return `must have ${counted} exactly`;
  if (!isLeast) return `may have ${counted} at most`;
  return isText && bound === 1 ? "must not be empty" : `must have ${counted} or more`;
}

/** By what each of the forms wants, where that is one word for each. */
function unionWords({ errors, options }: RawIssue<"invalid_union">): string {
  if (Array.isArray(options) && errors.length === 0)
    return `must be one of ${options.map(String).join(", ")}`;
  const wanted = errors.map(([first, ...others]) =>
    others.length === 0 && first?.code === "invalid_type" && first.path.length === 0
      ? typeWords(first.expected)
      : undefined,
  );
  if (wanted.length === 0 || wanted.includes(undefined)) return "has none of the forms that are taken here";
  return `must be ${[...new Set(wanted)].join(" or ")}`;
}

/** A text in a list's place is not also a list that is too long; beyond two bounds of a field the nearer one is told. */
function telling(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const ofWrongType = new Set(
    issues.filter(({ code }) => code === "invalid_type").map(({ path }) => fieldName(path)),
  );
  return issues.filter((issue) => {
    const isTold = issue.code === "invalid_type" || !ofWrongType.has(fieldName(issue.path));
    return isTold && !issues.some((other) => isNearer(other, issue));
  });
}

/** Whole numbers have a bound of their own, far beyond what their field says. */
function isNearer(other: z.core.$ZodIssue, issue: z.core.$ZodIssue): boolean {
  if (fieldName(other.path) !== fieldName(issue.path)) return false;
  if (other.code === "too_big" && issue.code === "too_big") return other.maximum < issue.maximum;
  return other.code === "too_small" && issue.code === "too_small" && other.minimum > issue.minimum;
}

function problemsOf(issue: z.core.$ZodIssue, called: Called): SpecProblem[] {
  const field = fieldName(issue.path);
  if (issue.code === "unrecognized_keys") {
    const near = issue.message.split("\n");
    return issue.keys.map((key, index) => ({
      field: field === "" ? key : `${field}.${key}`,
      problem: `is not a field of ${called.kindAt?.(issue.path) ?? called.kind}${near[index] ?? ""}: remove it, or check its spelling`,
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
