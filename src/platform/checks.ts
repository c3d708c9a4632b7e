import type { z } from "zod";
import { problemWords } from "../domain/ground/spec-problems.ts";
import { type EndpointName, endpoints } from "./endpoints.ts";
import { type FieldError, InvalidRequestError } from "./errors.ts";

/**
 * Checks a request against its rules: written strictly, and checked before anything leaves. Throws
 * `InvalidRequestError` (effect `did_not_happen`), whose `fieldErrors` name each field that breaks a rule;
 * values are not repeated.
 */
export function check<Output>(name: EndpointName, rules: z.ZodType<Output>, input: unknown): Output {
  const checked = rules.safeParse(input, { error: problemWords });
  if (checked.success) return checked.data;
  throw invalidRequest(name, checked.error.issues.flatMap(fieldErrorsOf));
}

/** The error of a request that was not sent. */
export function invalidRequest(
  name: EndpointName,
  fieldErrors: readonly FieldError[],
  cause?: unknown,
): InvalidRequestError {
  return new InvalidRequestError({
    endpoint: endpoints[name],
    problem: "invalid request",
    effect: "did_not_happen",
    fieldErrors,
    cause,
  });
}

function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: [...issue.path, key].join("."),
      message: "is not a known field",
    }));
  }
  return [{ field: issue.path.join(".") || "request", message: issue.message }];
}
