import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

import { firstRow, LedgerUnavailableError, ledgerError, type Db } from "./connection.ts";
import { unsafeStatements, type UnsafeStatement } from "./forward-safety.ts";
import {
  LedgerBehindError,
  MIGRATIONS_FOLDER,
  migrationFiles,
  refuseNewerLedger,
  type MigrationStatus,
} from "./migrate.ts";

/** What is to be done would break processes that work on the ledger. */
export class MigrationRefusedError extends Error {
  override readonly name = "MigrationRefusedError";
}

/** Any number: it only has to be the same in every process. "outdial" in ASCII, shortened. */
const MIGRATION_LOCK = 0x6f757464;

/** The version that `nulls not distinct` needs. */
const MINIMUM_VERSION = 150_000;

/**
 * A migration that waits for a lock has everybody wait behind it: for so long at most, and then it lets them go first.
 */
const LOCK_WAIT_MS = 3_000;
const LOCK_TRIES = 10;
const BETWEEN_TRIES_MS = 2_000;

/** PostgreSQL's code of a right that is lacking. */
const NO_RIGHT = "42501";
const LOCK_NOT_GIVEN = "55P03";

export interface MigrationOptions {
  /** Where the files are. */
  folder?: string;
  /** `never`: what is lacking is told, and not made. */
  mode: "auto" | "never";
  /** Whether what the build before would not bear may be made once nobody works on the ledger. */
  isOffline: boolean;
}

export interface Migrated {
  /** Names of the migrations that were made. */
  made: string[];
  /** How the schema is then. */
  status: MigrationStatus;
}

/**
 * Brings the schema of a ledger on PostgreSQL up to date. Several processes may do so at once. A role that may change no
 * table is enough where nothing is lacking. The connection is opened here, and closed.
 *
 * @throws LedgerTooNewError, LedgerBehindError, MigrationRefusedError, or what the server says.
 */
export async function bringUpToDate(client: pg.Client, options: MigrationOptions): Promise<Migrated> {
  const { folder = MIGRATIONS_FOLDER, mode } = options;
  client.on("error", () => {});
  await client.connect();
  try {
    await refuseOldServer(client);
    // What the role or the server bounds by default: whoever waits for another's migration waits for long. And a name of
    // its own, since it is none of those that work on the ledger.
    await client.query(
      "set statement_timeout = 0; set lock_timeout = 0; set application_name = 'outdial-migrating'",
    );
    const db = drizzle(client);
    // Whoever looks while a migration is being made would see the schema of before, and work on that of after.
    await client.query("select pg_advisory_lock_shared($1)", [MIGRATION_LOCK]);
    const found = await refuseNewerLedger(db, folder);
    if (found.pending.length === 0) return { made: [], status: found };
    if (mode === "never") throw behind(found, "OUTDIAL_MIGRATE is never");
    // Two who hold it together would wait for each other for ever.
    await client.query("select pg_advisory_unlock_shared($1)", [MIGRATION_LOCK]);
    // The session's end gives it back.
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const { applied, pending } = await refuseNewerLedger(db, folder);
    // Nobody works on what is not there yet.
    if (applied > 0) {
      await refuseUnsafe(db, { ...options, folder, pending });
      await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`);
    }
    await makeInTurns(client, folder, found);
    return { made: pending, status: await refuseNewerLedger(db, folder) };
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const version = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  if (Number(version.rows[0]?.version) < MINIMUM_VERSION) {
    throw new LedgerUnavailableError(
      "the ledger needs PostgreSQL 15 or later: DATABASE_URL names an older server",
    );
  }
}

/** All of them in one transaction, and again where somebody held what they need. */
async function makeInTurns(client: pg.Client, folder: string, found: MigrationStatus): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await migrate(drizzle(client), { migrationsFolder: folder });
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code === NO_RIGHT) throw behind(found, "the user of DATABASE_URL may not change tables", error);
      if (code !== LOCK_NOT_GIVEN) throw error;
      if (tries === LOCK_TRIES) {
        throw new MigrationRefusedError(
          `the ledger's schema was not changed: others held its tables for longer than ${LOCK_WAIT_MS / 1_000} s, ${LOCK_TRIES} times: run \`outdial migrate\` again when less is under way, such as no import`,
          { cause: error },
        );
      }
      await pause(BETWEEN_TRIES_MS);
    }
  }
}

function codeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if ("code" in cause && typeof cause.code === "string" && cause.code !== "") return cause.code;
  }
  return undefined;
}

function behind(
  { applied, known, pending }: MigrationStatus,
  why: string,
  cause?: unknown,
): LedgerBehindError {
  const of =
    applied === 0
      ? "the database has no ledger yet"
      : `the ledger's schema has ${applied} of ${known} migrations`;
  return new LedgerBehindError(
    `${of} and lacks ${pending.join(", ")}; ${why}: run \`outdial migrate\` of this version with the DATABASE_URL of the user who owns the tables, and start this again`,
    { cause },
  );
}

/** @throws MigrationRefusedError where somebody works on the ledger who would not bear it. */
async function refuseUnsafe(
  db: Db,
  { folder, pending, isOffline }: MigrationOptions & { folder: string; pending: readonly string[] },
): Promise<void> {
  const unsafe = unsafeOf(folder, pending);
  const [first] = unsafe;
  if (first === undefined) return;
  const what = `${first.migration} has a statement that processes of the build before do not bear (${first.statement}: ${first.why})${unsafe.length > 1 ? `, and ${unsafe.length - 1} more` : ""}`;
  const others = await othersAtWork(db);
  if (others > 0) {
    throw new MigrationRefusedError(
      `the ledger's schema was not changed: ${what}, and processes of Outdial work on the ledger (${others} seen): end every worker and server, wait for the minute that one which was killed still counts, and run \`outdial migrate --offline\``,
    );
  }
  if (!isOffline) {
    throw new MigrationRefusedError(
      `the ledger's schema was not changed: ${what}: end every worker and server, and run \`outdial migrate --offline\``,
    );
  }
}

/** Statements of these migrations that are not to be made beside others. */
function unsafeOf(folder: string, names: readonly string[]): (UnsafeStatement & { migration: string })[] {
  return migrationFiles(folder)
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, statements }) =>
      unsafeStatements(statements).map((found) => ({ ...found, migration: name })),
    );
}

/** Connections of Outdial to the database, or processes that said lately that they send requests: whichever are more. */
async function othersAtWork(db: Db): Promise<number> {
  const row = await firstRow<{ connected: number; senders: number }>(
    db,
    sql`select (select count(*)::int from pg_stat_activity
                where datname = current_database() and application_name = 'outdial') as connected,
          (select count(*)::int from senders where expires_at > now()) as senders`,
  );
  return row ? Math.max(row.connected, row.senders) : 0;
}

/**
 * What `outdial migrate` does, or with `isOnlyLook` would do.
 *
 * @throws as bringUpToDate
 */
export async function migratePostgres(
  url: string,
  options: { isOffline: boolean; isOnlyLook: boolean; folder?: string },
): Promise<Migrated & { unsafe: (UnsafeStatement & { migration: string })[] }> {
  const { isOffline, isOnlyLook, folder = MIGRATIONS_FOLDER } = options;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  if (!isOnlyLook) {
    return { ...(await bringUpToDate(client, { folder, mode: "auto", isOffline })), unsafe: [] };
  }
  client.on("error", () => {});
  await client.connect();
  try {
    const status = await refuseNewerLedger(drizzle(client), folder);
    const unsafe = status.applied === 0 ? [] : unsafeOf(folder, status.pending);
    return { made: [], status, unsafe };
  } catch (error) {
    throw ledgerError(error);
  } finally {
    await client.end();
  }
}
