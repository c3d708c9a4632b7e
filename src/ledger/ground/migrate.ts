import { readMigrationFiles } from "drizzle-orm/migrator";
import { sql } from "drizzle-orm";
import { fileURLToPath } from "node:url";

import { firstRow, type Db } from "./connection.ts";

/** Beside this file in the sources and in the build. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL("../migrations", import.meta.url));

/** The ledger has migrations that this version of Outdial does not know: an older program must not write to it. */
export class LedgerTooNewError extends Error {
  override readonly name = "LedgerTooNewError";
}

export interface MigrationStatus {
  applied: number;
  known: number;
}

/** How far the ledger's schema is, without changing it. */
export async function migrationStatus(db: Db): Promise<MigrationStatus> {
  const known = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).length;
  const table = await firstRow<{ present: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`,
  );
  if (!table?.present) return { applied: 0, known };
  const count = await firstRow<{ applied: number }>(
    db,
    sql`select count(*)::int as applied from drizzle.__drizzle_migrations`,
  );
  return { applied: count?.applied ?? 0, known };
}

export async function refuseNewerLedger(db: Db): Promise<void> {
  const { applied, known } = await migrationStatus(db);
  if (applied > known) {
    throw new LedgerTooNewError(
      `the ledger's schema has ${applied} migrations and this version of Outdial knows ${known}: run the version that wrote it, or a newer one`,
    );
  }
}
