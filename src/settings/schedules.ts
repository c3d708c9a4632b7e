import path from "node:path";
import { z } from "zod";

import { LEDGER_SETTINGS } from "./ledger.ts";
import { setting, textOf, type Environment, type SettingDoc, type ValuesOf } from "./setting.ts";

export const SCHEDULE_SETTINGS = {
  OUTDIAL_LISTS_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder of the files that recurring campaigns take their contacts from; nothing outside it is read.",
    example: "/var/lib/outdial/lists",
    default: "lists in the data folder",
  }),
} as const;

const DATABASE_PREFIX = "OUTDIAL_DATABASE_";
const DATABASE_EXAMPLE = "postgres://outdial_reader@crm.internal/crm";
const databaseUrl = LEDGER_SETTINGS.DATABASE_URL.schema.unwrap();

export const NAMED_DATABASES: SettingDoc = {
  name: `${DATABASE_PREFIX}<NAME>`,
  meaning:
    "A PostgreSQL database that recurring campaigns take their contacts from: crm-2 is OUTDIAL_DATABASE_CRM_2. A user who may read what the queries need, and no more. (No database can be called connections.)",
  example: DATABASE_EXAMPLE,
  secret: true,
};

/** Where recurring campaigns get their contacts from. */
export interface ListSettings {
  readonly dir: string;
  readonly spoolDir: string;
  /** Addresses by the name as a variable has it. Never printed. */
  readonly databases: Readonly<Record<string, string>>;
}

export function readListSettings(
  values: ValuesOf<typeof SCHEDULE_SETTINGS>,
  dataDir: string,
  databases: ListSettings["databases"],
): ListSettings {
  return {
    dir: path.resolve(values.OUTDIAL_LISTS_DIR ?? path.join(dataDir, "lists")),
    spoolDir: path.join(dataDir, "spool"),
    databases,
  };
}

/** `OUTDIAL_DATABASE_<NAME>` and its `_FILE`, by NAME. */
export function namedDatabases(environment: Environment, problems: string[]): Record<string, string> {
  const databases: Record<string, string> = {};
  const names = Object.keys(environment)
    // One of them is a setting of its own, and was there first.
    .filter((variable) => variable.startsWith(DATABASE_PREFIX) && !Object.hasOwn(LEDGER_SETTINGS, variable))
    .map((variable) => variable.slice(DATABASE_PREFIX.length).replace(/_FILE$/, ""));
  for (const name of new Set(names)) {
    const setting = `${DATABASE_PREFIX}${name}`;
    const text = textOf(environment, setting, { secret: true }, problems);
    if (text === undefined) continue;
    const parsed = databaseUrl.safeParse(text);
    if (parsed.success) databases[name] = parsed.data;
    else
      problems.push(`${setting} must be a postgres:// address; for example ${setting}=${DATABASE_EXAMPLE}`);
  }
  return databases;
}
