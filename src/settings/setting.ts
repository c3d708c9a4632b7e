import fs from "node:fs";
import { z } from "zod";

import { reasonWords } from "../domain/ground/reason-words.ts";

/** One setting, as the documentation shows it. */
export interface SettingDoc {
  name: string;
  meaning: string;
  example: string;
  default?: string;
  secret?: boolean;
}

export interface Setting<Schema extends z.ZodType> {
  schema: Schema;
  meaning: string;
  example: string;
  default?: string;
  /** May be given as a file, too, and is never shown. */
  secret?: boolean;
}

export function setting<Schema extends z.ZodType>(definition: Setting<Schema>): Setting<Schema> {
  return definition;
}

/** What the settings of a table come to. */
export type ValuesOf<Table extends Readonly<Record<string, Setting<z.ZodType>>>> = {
  [Name in keyof Table]: z.output<Table[Name]["schema"]>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is given for a setting; of a secret `NAME`, what the file has that `NAME_FILE` names. Empty means absent. */
export function textOf(
  environment: Environment,
  name: string,
  definition: { secret?: boolean },
  problems: string[],
): string | undefined {
  const text = environment[name];
  if (text !== undefined && text !== "") return text;
  const file = definition.secret ? environment[`${name}_FILE`] : undefined;
  if (file === undefined || file === "") return undefined;
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch (error) {
    problems.push(`${name}_FILE names a file that can't be read (${file}: ${reasonWords(error)})`);
    return undefined;
  }
}

/** An address whose every part may be shown: it stands in messages and logs. */
export const shownUrl = (protocol: RegExp, error: string) =>
  z
    .url({ protocol, error })
    .refine((text) => !hasCredentials(text), {
      message:
        "must not hold a user name or password: they are not sent, and the address is shown in messages",
    })
    .refine((text) => !/[?#]/.test(text), {
      message: "must not hold a query or a fragment: leave out what begins with ? or #",
    });

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== "" || password !== "";
}

export const httpUrl = shownUrl(/^https?$/, "must be an http or https address");
export const number = z.coerce.number({ error: "must be a number" });

export function listed(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
