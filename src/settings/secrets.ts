import path from "node:path";
import { z } from "zod";

import { readSecretBrands, type SecretBrands } from "../domain/ground/secrets.ts";
import { setting, type Environment, type SettingDoc, type ValuesOf } from "./setting.ts";

export const SECRET_SETTINGS = {
  OUTDIAL_SECRETS_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning:
      "Folder of the secrets that triggers, sequences, follow-ups, scrubbing services and attention routes name: a file each, named as the secret, one value a line, newest first. Read again when used.",
    example: "/run/secrets/outdial",
  }),
  OUTDIAL_BRANDS_OF_SECRETS: setting({
    schema: z
      .string()
      .transform((text, context): SecretBrands => {
        const brands = readSecretBrands(text);
        if (typeof brands !== "string") return brands;
        context.addIssue({ code: "custom", message: brands });
        return z.NEVER;
      })
      .optional(),
    meaning:
      "Which brands a secret is for: its name, =, and a brand; several times for several. Campaigns, sequences, schedules and triggers of other brands do not get it. `-` in place of a brand is none: only what acts for every brand has it, such as attention routes and automations. `*` in place of a name are all secrets that are not named.",
    example: "hubspot=acme, crm=acme, crm=globex, pager=-",
    default: "every secret is for every brand",
  }),
} as const;

const SECRET_PREFIX = "OUTDIAL_SECRET_";

export const NAMED_SECRETS: SettingDoc = {
  name: `${SECRET_PREFIX}<NAME>`,
  meaning:
    "A secret that triggers, sequences, follow-ups, scrubbing services and attention routes name: crm-2 is OUTDIAL_SECRET_CRM_2. Several values, newest first, one a line, while it is being changed. Goes before a file in OUTDIAL_SECRETS_DIR.",
  example: "the secret as the other side showed it",
  secret: true,
};

/** Where the secrets are that definitions name; by the name as a variable has it. Never printed. */
export interface SecretSettings {
  readonly dir: string | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** Which brands each is for. */
  readonly brands: SecretBrands;
}

export function readSecretSettings(
  values: ValuesOf<typeof SECRET_SETTINGS>,
  environment: Environment,
): SecretSettings {
  const { OUTDIAL_SECRETS_DIR: dir, OUTDIAL_BRANDS_OF_SECRETS: brands = new Map() } = values;
  return { dir: dir && path.resolve(dir), brands, ...namedSecrets(environment) };
}

/**
 * `OUTDIAL_SECRET_<NAME>` and its `_FILE`, by NAME. A name that itself ends in `_FILE` can't be given by a variable
 * that way: it is read as the other's file.
 */
function namedSecrets(environment: Environment): Omit<SecretSettings, "dir" | "brands"> {
  const variables: Record<string, string> = {};
  const files: Record<string, string> = {};
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(SECRET_PREFIX) || value === undefined || value === "") continue;
    const name = variable.slice(SECRET_PREFIX.length);
    if (name.endsWith("_FILE")) files[name.slice(0, -"_FILE".length)] = value;
    else variables[name] = value;
  }
  return { variables, files };
}
