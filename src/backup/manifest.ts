import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

import type { LedgerFacts } from "../ledger/recovery/backup-facts.ts";

/*
 * What a backup says of itself, in `backup.json`. It is written last: a folder without it is a backup that did not come
 * to its end.
 */

const FILE = "backup.json";

/** Of another number nothing is known. */
const FORMAT = 1;

const fileSchema = z.strictObject({
  /** Within the backup, with `/` between its parts. */
  path: z.string(),
  bytes: z.int(),
  /** Hexadecimal. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  /** Of Outdial, which made it. */
  version: z.string(),
  /** The moment that it shows. */
  at: z.iso.datetime(),
  kind: z.enum(["embedded", "postgres"]),
  installation_id: z.string().nullable(),
  simulated: z.boolean().nullable(),
  migrations: z.array(z.number()),
  counts: z.record(z.string(), z.number()),
  /** The ledger's; recordings are known by their sizes alone. */
  files: z.array(fileSchema).min(1),
  recordings: z.object({ files: z.int(), bytes: z.int() }).nullable(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type BackedUpFile = z.infer<typeof fileSchema>;

/** There is no backup there, or none that can be used. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

export async function writeManifest(folder: string, said: Omit<Manifest, "format">): Promise<Manifest> {
  const manifest: Manifest = { format: FORMAT, ...said };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const half = path.join(folder, `${FILE}.new`);
  await fs.promises.writeFile(half, text, { mode: 0o600, flush: true });
  await fs.promises.rename(half, path.join(folder, FILE));
  return manifest;
}

/** @throws BackupError */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await fs.promises.readFile(path.join(folder, FILE), "utf8");
  } catch (error) {
    if (!fs.existsSync(folder)) throw new BackupError(`there is no folder ${folder}`, { cause: error });
    throw new BackupError(
      `${folder} is no backup that came to its end: it has no ${FILE} that can be read. Name a folder that \`outdial backup\` said is complete`,
      { cause: error },
    );
  }
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (error) {
    throw new BackupError(`${path.join(folder, FILE)} is damaged: it is no JSON`, { cause: error });
  }
  const format = z.object({ format: z.number() }).safeParse(said);
  if (format.success && format.data.format > FORMAT) {
    throw new BackupError(
      `the backup in ${folder} was made by a newer version of Outdial: restore it with that one, or a newer one`,
    );
  }
  const read = manifestSchema.safeParse(said);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw new BackupError(
    `${path.join(folder, FILE)} is damaged: ${first?.path.join(".") ?? ""} ${first?.message ?? ""}`,
    { cause: read.error },
  );
}

/** @throws BackupError where a restored ledger holds something else than its backup says. */
export function refuseOtherCounts(manifest: Manifest, { counts }: LedgerFacts): void {
  const other = Object.entries(counts)
    .filter(([table, count]) => table in manifest.counts && manifest.counts[table] !== count)
    .map(([table, count]) => `${count} ${table} and not ${manifest.counts[table] ?? 0}`);
  if (other.length === 0) return;
  throw new BackupError(
    `what was restored is not what was backed up: it has ${other.join(", ")}. Restore another backup`,
  );
}
