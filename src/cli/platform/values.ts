import fs from "node:fs";

import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Field } from "./fields.ts";
import { secretIn } from "./secrets.ts";

/** What commander hands over for an option: its texts in order; `true` where an optional value was left out. */
export type GivenValue = readonly (string | true)[];

/**
 * The value of a field from the texts on the command line. Whether it keeps the rules is for the client to say;
 * here only what can't be read at all is refused.
 *
 * @throws CliError with the option and what would be right.
 */
export function readValue(field: Field, given: GivenValue): unknown {
  const { flag, kind, isNullable } = field;
  const last = given.at(-1) ?? "";
  if (last === "null" && isNullable) return null;
  switch (kind) {
    case "text":
      return once(field, given);
    case "number":
      return numberOf(flag, once(field, given));
    case "flag":
      return flagValue(flag, once(field, given));
    case "texts":
      return textsOf(flag, given.map(String));
    case "map":
      return mapOf(flag, given.map(String));
    case "json":
      return jsonOf(flag, once(field, given));
    case "secret":
    case "secrets":
      throw new TypeError(`${flag} names files`);
  }
}

function once({ flag }: Field, given: GivenValue): string {
  if (given.length > 1) throw refused(flag, "is given twice: give it once");
  const [value = ""] = given;
  return value === true ? "true" : value;
}

function numberOf(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw refused(flag, `must be a number, and is ${JSON.stringify(text)}`);
}

function flagValue(flag: string, text: string): boolean {
  if (text === "true" || text === "yes") return true;
  if (text === "false" || text === "no") return false;
  throw refused(flag, `must be true or false, and is ${JSON.stringify(text)}`);
}

function textsOf(flag: string, given: readonly string[]): unknown {
  const [first = ""] = given;
  if (given.length === 1 && (first.startsWith("[") || first.startsWith("@"))) return jsonOf(flag, first);
  return given.flatMap((text) => text.split(",").map((part) => part.trim())).filter((part) => part !== "");
}

function mapOf(flag: string, given: readonly string[]): unknown {
  const [first = ""] = given;
  if (given.length === 1 && (first.startsWith("{") || first.startsWith("@"))) {
    return jsonOf(flag, first);
  }
  return withoutSecrets(flag, Object.fromEntries(given.map((pair) => splitPair(flag, pair))));
}

/** `name=value`, split at the first equals sign. */
export function splitPair(flag: string, pair: string): [name: string, value: string] {
  const at = pair.indexOf("=");
  if (at < 1) throw refused(flag, `must be of the form name=value, and is ${JSON.stringify(pair)}`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}

/**
 * JSON of an argument or, with `@`, of a file, which may hold secrets. A bare word is a text where JSON would allow
 * one.
 */
function jsonOf(flag: string, text: string): unknown {
  return text.startsWith("@")
    ? jsonOfFile(flag, text.slice(1))
    : withoutSecrets(flag, jsonOfText(flag, text));
}

function jsonOfFile(flag: string, file: string): unknown {
  const json = fs.readFileSync(file, "utf8");
  try {
    return JSON.parse(json);
  } catch {
    // The parser's own words quote what it read, which may be a secret.
    throw refused(flag, `names ${file}, which is not JSON`);
  }
}

function jsonOfText(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (/^[\w .-]+$/.test(text)) return text;
    throw refused(
      flag,
      `is not JSON: write it as '{"name": "value"}', or name a file that holds it, as @file`,
    );
  }
}

function withoutSecrets(flag: string, value: unknown): unknown {
  const secret = secretIn(value);
  if (secret === undefined) return value;
  throw refused(
    flag,
    `holds a secret (${secret}): give it in a file, with @file or --body, or on standard input`,
  );
}

function refused(flag: string, problem: string): CliError {
  return new CliError(`${flag} ${problem}`, EXIT.badInput);
}
