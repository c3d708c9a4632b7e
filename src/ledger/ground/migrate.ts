import { readMigrationFiles } from "drizzle-orm/migrator";
import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { firstRow, rows, type Db } from "./connection.ts";

/** Beside this file in the sources and in the build. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL("../migrations", import.meta.url));

/** The ledger has migrations that this version of Outdial does not bear: it must not write to it. */
export class LedgerTooNewError extends Error {
  override readonly name = "LedgerTooNewError";
}

/** The ledger lacks migrations that this version needs, and this process may not make them. */
export class LedgerBehindError extends Error {
  override readonly name = "LedgerBehindError";
}

export interface MigrationStatus {
  applied: number;
  known: number;
  /** Of those applied: how many this version does not know. */
  unknown: number;
  /**
   * Whether this version may work on the ledger, once what is pending is made. It bears migrations that it does not
   * know where all came after its own, and none of them said that builds before it must not go on (ledger_schema).
   */
  isBorne: boolean;
  /** Names of those that this version knows and the ledger lacks, in their order. */
  pending: string[];
}

/** A migration as its file has it. */
export interface MigrationFile {
  name: string;
  /** By which the migrator tells it apart. Unix milliseconds. */
  writtenMs: number;
  statements: readonly string[];
}

export function migrationFiles(folder = MIGRATIONS_FOLDER): MigrationFile[] {
  const journal = JSON.parse(fs.readFileSync(path.join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string }[];
  };
  const files = readMigrationFiles({ migrationsFolder: folder });
  return journal.entries.flatMap(({ tag }, at) => {
    const file = files[at];
    return file ? [{ name: tag, writtenMs: file.folderMillis, statements: file.sql }] : [];
  });
}

/** How far the ledger's schema is, without changing it. */
export async function migrationStatus(db: Db, folder = MIGRATIONS_FOLDER): Promise<MigrationStatus> {
  const files = migrationFiles(folder);
  const known = new Set(files.map(({ writtenMs }) => writtenMs));
  const tables = await firstRow<{ journal: boolean; schema: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as journal,
          to_regclass('ledger_schema') is not null as schema`,
  );
  const applied = tables?.journal ? await appliedMigrations(db) : [];
  const oldestBuildMs = tables?.schema ? await oldestBuild(db) : undefined;
  const newestMs = Math.max(0, ...known);
  const unknown = applied.filter((writtenMs) => !known.has(writtenMs));
  const pending = files.filter(({ writtenMs }) => !applied.includes(writtenMs));
  return {
    applied: applied.length,
    known: known.size,
    unknown: unknown.length,
    isBorne:
      unknown.length === 0 ||
      (pending.length === 0 &&
        unknown.every((writtenMs) => writtenMs > newestMs) &&
        oldestBuildMs !== undefined &&
        oldestBuildMs <= newestMs),
    pending: pending.map(({ name }) => name),
  };
}

async function appliedMigrations(db: Db): Promise<number[]> {
  const applied = await rows<{ written_ms: number }>(
    db,
    sql`select created_at::float8 as written_ms from drizzle.__drizzle_migrations`,
  );
  return applied.map(({ written_ms: writtenMs }) => writtenMs);
}

async function oldestBuild(db: Db): Promise<number | undefined> {
  const row = await firstRow<{ oldest_build: number }>(
    db,
    sql`select oldest_build::float8 as oldest_build from ledger_schema`,
  );
  return row?.oldest_build;
}

/** Counts alone would take a ledger of the versions before the baseline, which had migrations of their own. */
export async function refuseNewerLedger(db: Db, folder?: string): Promise<MigrationStatus> {
  const status = await migrationStatus(db, folder);
  const { applied, unknown, isBorne } = status;
  if (!isBorne) {
    throw new LedgerTooNewError(
      `this version of Outdial does not know ${unknown} of the ${applied} migrations that the ledger's schema has, and they say that it must not go on with them: run the version that wrote it, or a newer one; a ledger from before the release of 0.1.0 is read by no later version`,
    );
  }
  return status;
}
