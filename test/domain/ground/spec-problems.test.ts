import { expect, it } from "vitest";
import { z } from "zod";

import { problemWords, specProblems } from "../../../src/domain/ground/spec-problems.ts";

const CALLED = { whole: "the body", kind: "this body" };

function problemsOf(schema: z.ZodType, value: unknown): string[] {
  const read = z.safeParse(schema, value, { error: problemWords });
  return read.success
    ? []
    : specProblems(read.error.issues, CALLED).map(({ field, problem }) => `${field} ${problem}`);
}

it.each<[string, z.ZodType, unknown, string]>([
  ["text", z.string(), 1, "must be text"],
  ["what is missing", z.object({ a: z.string() }), {}, "is missing: it has to be given"],
  ["a count that is none", z.coerce.number().int(), "x", "must be a number"],
  ["a broken number", z.int(), 1.5, "must be a whole number"],
  ["a choice", z.enum(["a", "b"]), "c", "must be one of a, b"],
  ["a single choice", z.literal("a"), "c", "must be a"],
  ["a bound", z.number().max(5), 6, "must be 5 or less"],
  ["a number beyond two bounds", z.int().max(5), 1e21, "must be 5 or less"],
  ["a number below two bounds", z.int().min(1), -1e21, "must be 1 or more"],
  ["a bound that is not reached", z.number().gt(5), 5, "must be more than 5"],
  ["an empty text", z.string().min(1), "", "must not be empty"],
  ["a short text", z.string().min(3), "ab", "must have 3 characters or more"],
  ["a long text", z.string().max(1), "ab", "may have 1 characters at most"],
  ["a text of another length", z.string().length(3), "ab", "must have 3 characters exactly"],
  ["a short list", z.array(z.string()).min(1), [], "must have 1 or more"],
  ["a time", z.iso.datetime(), "now", "must be a time with its zone such as 2026-12-01T09:00:00Z"],
  ["an id", z.uuid(), "x", "must be an id of the form 11111111-1111-4111-8111-111111111111"],
  ["an address", z.url(), "x", "must be an address such as https://crm.example.com/hook"],
  ["a form of no name", z.string().regex(/^a$/), "b", "has a form that is not taken here"],
  ["two kinds", z.union([z.string(), z.number()]), true, "must be text or a number"],
  [
    "a form of two, none of which is a kind alone",
    z.union([z.string().regex(/^a$/), z.string().regex(/^b$/)]),
    "c",
    "the body has none of the forms that are taken here",
  ],
  ["a missing choice", z.object({ a: z.enum(["a", "b"]) }), {}, "a must be one of a, b"],
  ["a text in a list's place", z.array(z.string()).max(2), "abc", "the body must be a list"],
  [
    "a key that was chosen",
    z.record(z.string().regex(/^[a-z]+$/, "must be lower-case"), z.number()),
    { A: 1 },
    "A must be lower-case",
  ],
  [
    "the nearer form, of which less is wrong",
    z.union([
      z.strictObject({ a: z.string() }),
      z.strictObject({ b: z.string(), c: z.string() }),
      z.strictObject({ d: z.string().optional() }),
    ]),
    { a: "x", b: "x", c: "x" },
    "a is not a field of this body",
  ],
  [
    "a form that says itself what is wrong",
    z.union([z.string().refine(() => false, "must not be so"), z.string().refine(() => false, "nor so")]),
    "a",
    "the body must not be so",
  ],
  [
    "a field that no form takes",
    z.union([z.number(), z.strictObject({})]),
    { b: 1 },
    "b is not a field of this body",
  ],
  ["two kinds, one of them nothing", z.string().nullable(), 1, "must be text"],
  [
    "a missing one of two kinds",
    z.object({ a: z.union([z.string(), z.int()]) }),
    {},
    "is missing: it has to be given",
  ],
  [
    "forms by their names",
    z.discriminatedUnion("k", [z.object({ k: z.literal("a") })]),
    { k: "b" },
    "must be one of a",
  ],
  ["a multiple", z.number().multipleOf(5), 3, "must be a multiple of 5"],
  [
    "an unknown field",
    z.strictObject({}),
    { b: 1 },
    "b is not a field of this body: remove it, or check its spelling",
  ],
])("%s is refused in words for people", (_name, schema, value, words) => {
  const problems = problemsOf(schema, value);
  expect(problems).toEqual([expect.stringContaining(words)]);
  expect(problems[0], "in none of Zod's own").not.toMatch(/Invalid|expected|received/);
});

it.each<[string, z.ZodType, unknown, string[]]>([
  [
    "beyond their bounds, each its own",
    z.object({ a: z.number().max(5), b: z.number().max(10), c: z.number().min(3), d: z.number().min(1) }),
    { a: 6, b: 11, c: 0, d: 0 },
    ["a must be 5 or less", "b must be 10 or less", "c must be 3 or more", "d must be 1 or more"],
  ],
  [
    "and forms that nobody took both",
    z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]),
    { a: "x", b: "x" },
    ["b is not a field of this body: remove it, or check its spelling"],
  ],
])("fields %s are all told", (_name, schema, value, words) => {
  expect(problemsOf(schema, value)).toEqual(words);
});

it.each<[string, z.ZodType, unknown, string]>([
  [
    "a field",
    z.strictObject({ weekdays: z.string().optional() }),
    { weekday: "x" },
    "weekday is not a field of this body (is weekdays meant?)",
  ],
  [
    "a field of one form of several",
    z.union([z.literal("always"), z.strictObject({ weekdays: z.string().optional() })]),
    { weekday: "x" },
    "(is weekdays meant?)",
  ],
  [
    "a name that is chosen from",
    z.partialRecord(z.enum(["no_answer", "busy"]), z.string()),
    { noanswer: "1h" },
    "noanswer is not a field of this body (is no_answer meant?)",
  ],
  ["a word", z.enum(["answered", "busy"]), "answred", "must be one of answered, busy (is answered meant?)"],
])("names what %s that is misspelt comes near to", (_what, schema, value, problem) => {
  const told = problemsOf(schema, value);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain(problem);
});

it("compares no more than twenty unknown fields with those that there are, and tells all of them", () => {
  const schema = z.strictObject({ weekdays: z.string().optional() });
  const given = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`weekday${index}`, 1]));
  const told = problemsOf(schema, given);
  expect(told).toHaveLength(30);
  expect(told.filter((problem) => problem.includes("(is weekdays meant?)"))).toHaveLength(20);
});

it("names nothing that is as different as another word, each field by itself", () => {
  const schema = z.strictObject({ weekdays: z.string().optional(), on: z.string().optional() });
  expect(problemsOf(schema, { weekdys: 1, colour: 2, id: 3 })).toEqual([
    "weekdys is not a field of this body (is weekdays meant?): remove it, or check its spelling",
    "colour is not a field of this body: remove it, or check its spelling",
    "id is not a field of this body: remove it, or check its spelling",
  ]);
});
