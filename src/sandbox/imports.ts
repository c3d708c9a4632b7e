import type { Multipart } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { ApiError, unprocessable } from "./errors.ts";
import { readForm, takeForms } from "./forms.ts";

/** What JSON may have: as much in a form as without one. */
const LARGEST_IMPORT_BYTES = 10 * 1024 * 1024;

/** The import may be a field; a few more beside it do no harm, and bound what one request holds in memory. */
const FORM_LIMITS = { fileSize: LARGEST_IMPORT_BYTES, fields: 3, fieldSize: LARGEST_IMPORT_BYTES };

/**
 * Lets the routes of a scope, which take JSON, take it as a file or a field of a form as well. Such a body is put in
 * the place of the form before it is checked: whatever holds of JSON holds of it.
 */
export async function takeImports(
  scope: Pick<FastifyInstance, "register" | "addHook" | "getDefaultJsonParser">,
): Promise<void> {
  const parse = scope.getDefaultJsonParser("remove", "remove");
  await takeForms(scope, FORM_LIMITS);
  scope.addHook("preValidation", async (request) => {
    if (!request.isMultipart()) {
      return;
    }
    const text = await importIn(request);
    request.body = await new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, value) => {
        if (error === null) {
          resolve(value);
        } else {
          reject(unprocessable(["body"], "The file in the form is not JSON", "json_invalid"));
        }
      });
    });
  });
}

/** The text of a form's file; of its first field that may be an object, where it has no file. */
async function importIn(request: FastifyRequest): Promise<string> {
  const files: string[] = [];
  const fields: string[] = [];
  await readForm(request, async (part) => {
    if (part.type !== "file") {
      fields.push(...objectIn(part));
      return;
    }
    if (files.length > 0) {
      throw unprocessable(["body", "file"], "One file at a time", "value_error");
    }
    files.push((await part.toBuffer()).toString("utf8"));
  });
  const text = files[0] ?? fields[0];
  if (text === undefined) {
    throw unprocessable(["body", "file"], "A file with the exported JSON is required", "missing");
  }
  return text;
}

/** The framework has read a field that is labelled as JSON already. */
function objectIn({ value, valueTruncated }: Extract<Multipart, { type: "field" }>): string[] {
  if (valueTruncated) {
    throw new ApiError(413, "Request body too large");
  }
  if (typeof value === "object" && value !== null) {
    return [JSON.stringify(value)];
  }
  return typeof value === "string" && value.trimStart().startsWith("{") ? [value] : [];
}
