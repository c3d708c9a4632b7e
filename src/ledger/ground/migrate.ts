import { readMigrationFiles } from "drizzle-orm/migrator";
import { sql } from "drizzle-orm";
import { fileURLToPath } from "node:url";

import { firstRow, rows, type Db } from "./connection.ts";

/** Beside this file in the sources and in the build. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL("../migrations", import.meta.url));

/** The ledger has migrations that this version of Outdial does not know: an older program must not write to it. */
export class LedgerTooNewError extends Error {
  override readonly name = "LedgerTooNewError";
}

export interface MigrationStatus {
  applied: number;
  known: number;
  /** Of those applied: how many this version does not know. */
  unknown: number;
}

/** How far the ledger's schema is, without changing it. */
export async function migrationStatus(db: Db): Promise<MigrationStatus> {
  // The moment at which a migration was written tells it apart: the migrator goes by it, too.
  const known = new Set(
    readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((migration) => migration.folderMillis),
  );
  const table = await firstRow<{ present: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`,
  );
  if (!table?.present) return { applied: 0, known: known.size, unknown: 0 };
  const applied = await rows<{ written_ms: number }>(
    db,
    sql`select created_at::float8 as written_ms from drizzle.__drizzle_migrations`,
  );
  return {
    applied: applied.length,
    known: known.size,
    unknown: applied.filter((migration) => !known.has(migration.written_ms)).length,
  };
}

/** Counts alone would take a ledger of the versions before the baseline, which had migrations of their own. */
export async function refuseNewerLedger(db: Db): Promise<void> {
  const { applied, unknown } = await migrationStatus(db);
  if (unknown > 0) {
    throw new LedgerTooNewError(
      `this version of Outdial does not know ${unknown} of the ${applied} migrations that the ledger's schema has: run the version that wrote it, or a newer one; a ledger from before the release of 0.1.0 is read by no later version`,
    );
  }
}
