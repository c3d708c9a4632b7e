import multipart from "@fastify/multipart";
import type { Multipart } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { labelByContent } from "./body-label.ts";
import { ApiError, unprocessable } from "./errors.ts";

/** What one form may hold. */
interface FormLimits {
  /** Of a file, in bytes. */
  readonly fileSize: number;
  /** Parts that are no files. */
  readonly fields: number;
  /** Of each of them, in bytes. */
  readonly fieldSize: number;
}

/** One file is what forms are sent for; a second one is told that it is one too many. */
const MOST_FILES = 2;

const TOO_MANY = new Set(["FST_PARTS_LIMIT", "FST_FILES_LIMIT", "FST_FIELDS_LIMIT"]);

/** Lets the routes of a scope take forms, whatever they are labelled as (body-label.ts). */
export async function takeForms(
  scope: Pick<FastifyInstance, "register" | "addHook">,
  limits: FormLimits,
): Promise<void> {
  await scope.register(multipart, { limits: { ...limits, parts: limits.fields + MOST_FILES } });
  scope.addHook("preParsing", async (request) => {
    await labelByContent(request.raw);
  });
}

/**
 * Hands on the parts of a form, one after the other, to its end; nothing where the body is none. Throws what `take`
 * throws, and 422 for what is no form, not all of one, or one with too many parts.
 */
export async function readForm(
  request: FastifyRequest,
  take: (part: Multipart) => Promise<void> | void,
): Promise<void> {
  if (!request.isMultipart()) {
    return;
  }
  try {
    for await (const part of request.parts()) {
      await take(part);
    }
  } catch (error) {
    if (error instanceof ApiError || !(error instanceof Error)) {
      throw error;
    }
    if ("code" in error && TOO_MANY.has(String(error.code))) {
      // The framework says that such a form is too large, whatever its size.
      throw unprocessable(["body"], `The form has too many parts (${error.message})`, "value_error");
    }
    // The parser's own errors have no status.
    throw "statusCode" in error
      ? error
      : unprocessable(["body"], `Not a multipart form: ${error.message}`, "value_error");
  }
}
