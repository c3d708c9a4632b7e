import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";

import { firstRow, type Db } from "./connection.ts";
import { readInstallation, type Installation } from "./installation.ts";
import { migrationStatus, type MigrationStatus } from "./migrate.ts";
import { unopenedError } from "./postgres.ts";
import { ms } from "./sql.ts";

/** A ledger as it is found, without changing its schema. */
export interface Inspection {
  serverVersion: string;
  migrations: MigrationStatus;
  /** Undefined where the schema is not that of this version. */
  installation: Installation | undefined;
  /** Whether its user may make the tables that a start would make. */
  mayMigrate: boolean;
  /** The ledger's clock minus ours, as seen in the middle of the question. Milliseconds. */
  clockDifferenceMs: number;
}

export async function inspectLedger(db: Db): Promise<Inspection> {
  const askedMs = Date.now();
  const row = await firstRow<{ version: string; now_ms: number; may_create: boolean }>(
    db,
    sql`select current_setting('server_version') as version, ${ms(sql`clock_timestamp()`)} as now_ms,
          has_database_privilege(current_database(), 'create')
            and has_schema_privilege(current_schema(), 'create') as may_create`,
  );
  const middleMs = (askedMs + Date.now()) / 2;
  const migrations = await migrationStatus(db);
  return {
    serverVersion: row?.version ?? "unknown",
    migrations,
    mayMigrate: row?.may_create === true,
    installation:
      migrations.pending.length === 0 && migrations.isBorne ? await readInstallation(db) : undefined,
    clockDifferenceMs: (row?.now_ms ?? middleMs) - middleMs,
  };
}

/** A look at a server takes one question or fails. */
const CONNECT_WITHIN_MS = 10_000;

/** @throws LedgerUnavailableError where the server does not answer. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_WITHIN_MS });
    // Broken between two statements: the next one says so.
    client.on("error", () => {});
    await client.connect();
    return await inspectLedger(drizzle(client));
  } catch (error) {
    throw unopenedError(error);
  } finally {
    await client?.end();
  }
}
