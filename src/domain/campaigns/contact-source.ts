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

const urlSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(4_000),
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
