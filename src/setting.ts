import type { z } from "zod";

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
