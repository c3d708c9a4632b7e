import fs from "node:fs";

import { readStoredCall } from "../../domain/rules/stored-call.ts";
import type { StoredCall } from "../../domain/rules/rehearsal.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

/** Thousands of calls with their transcripts. */
const LARGEST_BYTES = 256 * 1024 * 1024;

/**
 * Reads calls as the platform shows them: one, a list of them, a page (`items` or `calls`), or NDJSON with one a line.
 *
 * @throws CliError that names the call, or the line, which is none.
 */
export function readCallsFile(file: string): StoredCall[] {
  const { size } = fs.statSync(file);
  if (size > LARGEST_BYTES)
    throw new CliError(
      `${file} is ${size} bytes, and ${LARGEST_BYTES} are taken at most: split it`,
      EXIT.badInput,
    );
  // Editors and shells of Windows put a mark of the encoding before what they save, which is no JSON.
  const text = fs.readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const calls = callsInText(text, file);
  if (calls.length === 0)
    throw new CliError(`${file} holds no call: give calls that are over`, EXIT.badInput);
  return calls;
}

function callsInText(text: string, file: string): StoredCall[] {
  const whole = parsed(text);
  if (whole.ok) return callsIn(whole.value).map((value, index) => read(value, `${file}: call ${index + 1}`));
  const lines = text
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [{ line, n: index + 1 }]));
  return lines.map(({ line, n }) => {
    const one = parsed(line);
    if (!one.ok)
      throw new CliError(
        `${file}:${n}: is no JSON: write one call a line, or a list of calls`,
        EXIT.badInput,
      );
    return read(one.value, `${file}:${n}`);
  });
}

function callsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "object" && value !== null) {
    for (const name of ["items", "calls"] as const) {
      const list: unknown = Reflect.get(value, name);
      if (Array.isArray(list)) return list;
    }
  }
  return [value];
}

function read(value: unknown, where: string): StoredCall {
  const reading = readStoredCall(value);
  if (reading.ok) return reading.definition;
  const told = reading.problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  throw new CliError(
    `${where}: ${told}; calls are wanted as \`outdial platform calls get\` prints them`,
    EXIT.badInput,
  );
}

function parsed(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}
