import { z } from "zod";

import { secretNameSchema } from "../ground/secrets.ts";

/*
 * Where a recurring campaign gets its contacts from, fresh for each run. Secrets stand in it by name.
 */

/** As of an uploaded list: `phone`, `time_zone` and `region` name columns with these roles; other keys rename one. */
const mapSchema = z.record(z.string().min(1).max(100), z.string().min(1).max(200));

const formatSchema = z.enum(["csv", "ndjson"]);

/** What may be set of a database: it is the name of a setting, too. */
const databaseNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    "must be the name of a database such as crm or crm-2: lower-case letters, digits, - and _, 63 at most",
  );

const fileSchema = z.strictObject({
  /** Within the folder of lists. */
  file: z.string().min(1).max(1_000),
  /** Absent: by the file's name, then by its first character. */
  format: formatSchema.optional(),
  map: mapSchema.optional(),
});

const ADDRESS_WORDS =
  "must be an address that begins with https:// or http://, or { secret: <name> } where that is one";

const urlSchema = z.strictObject({
  /** Or the name of a secret that is the address: whoever knows a shared link may read what is behind it. */
  url: z.union(
    [
      z.url({ protocol: /^https?$/, error: ADDRESS_WORDS }).max(4_000),
      z.strictObject({ secret: secretNameSchema }),
    ],
    { error: ADDRESS_WORDS },
  ),
  /** Header names with the secrets that hold their values. */
  headers: z.record(z.string().min(1).max(100), z.strictObject({ secret: secretNameSchema })).optional(),
  format: formatSchema.optional(),
  map: mapSchema.optional(),
});

const querySchema = z.strictObject({
  /** One of the databases that the settings name. */
  database: databaseNameSchema,
  query: z.string().min(1).max(20_000),
  /** The column that holds the number, where its name does not say so. */
  phone: z.string().min(1).max(100).optional(),
});

export const contactSourceSchema = z.union([fileSchema, urlSchema, querySchema], {
  error: "must be { file: ... }, { url: ... } or { database: ..., query: ... }",
});

export type ContactSource = z.output<typeof contactSourceSchema>;
export type FileSource = z.output<typeof fileSchema>;
export type UrlSource = z.output<typeof urlSchema>;
export type QuerySource = z.output<typeof querySchema>;
