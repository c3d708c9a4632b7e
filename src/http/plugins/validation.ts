import type { FastifySchemaCompiler } from "fastify";
import { z } from "zod";

import { problemWords, specProblems } from "../../domain/ground/spec-problems.ts";
import { Problem } from "../problem.ts";

/** The parts of a request as people call them. */
const PART_WORDS: Readonly<Record<string, string>> = {
  querystring: "query",
  params: "address",
  body: "body",
  headers: "header",
};

/**
 * Reads a part of a request by its schema, and refuses it (422) with every problem in the words that definitions are
 * refused in.
 */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const reading = z.safeParse(schema, data, { error: problemWords });
    if (reading.success) return { value: reading.data };
    const part = PART_WORDS[httpPart ?? ""] ?? "request";
    const called = { whole: `the ${part}`, kind: `this request's ${part}` };
    const problems = specProblems(reading.error.issues, called);
    const told = problems.map(({ field, problem }) => `${field} ${problem}`).join("; ");
    return {
      error: new Problem({
        status: 422,
        code: "invalid_request",
        detail: `the ${part} is not as it must be: ${told}`,
        errors: problems.map(({ field, problem }) => ({ field, message: problem })),
      }),
    };
  };
