import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";

import {
  ledgerError,
  LedgerFullError,
  LedgerUnavailableError,
  StatementRefusedError,
  untilItsEnd,
  URGENT_LOCK_WAIT_MS,
  type Lane,
  type Ledger,
} from "./connection.ts";
import { beginEraElsewhere } from "./eras.ts";
import { databaseWords } from "./database-words.ts";
import { LedgerBehindError, LedgerTooNewError } from "./migrate.ts";
import { bringUpToDate, MigrationRefusedError } from "./postgres-migration.ts";

/** bigint columns hold ids and counts far below 2^53. */
const INT8_OID = 20;
pg.types.setTypeParser(INT8_OID, Number);

export interface PostgresOptions {
  url: string;
  /** Connections of this process, at most. */
  maxConnections: number;
  /** How long to wait for a connection. Milliseconds. */
  connectTimeoutMs?: number;
  /** How long a statement may take, and wait for a lock meanwhile. Milliseconds. */
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  /** How long to wait for the answer to a statement; absent: somewhat longer than it may take. Milliseconds. */
  answerTimeoutMs?: number;
  /** What is done about migrations that the schema lacks; absent: they are made. `never`: that is somebody else's. */
  migrate?: "auto" | "never";
  onError?: (error: Error) => void;
}

/** A statement that runs longer is stuck; imports and plans are cut into far shorter ones. */
const STATEMENT_TIMEOUT_MS = 60_000;

/** Whoever holds a lock for longer is stuck, and whoever waits for it tries again later. */
const LOCK_TIMEOUT_MS = 30_000;

/** By then the server has said something, or the network between has gone silent. */
const ANSWER_MARGIN_MS = 5_000;

/**
 * A stop has connections of its own: all others may be waiting for locks. One for what it writes, one for what it
 * reads meanwhile.
 */
const URGENT_CONNECTIONS = 2;

/** What a stop asks is answered in milliseconds, or it is told that it was not: people wait for it. */
const URGENT_ANSWER_MS = 2_000;

/** Networks forget connections on which nothing is said, some within minutes. */
const KEEP_ALIVE_MS = 30_000;

/**
 * A name in the address goes before ours, by which a migration counts who works on the ledger. The pool waits for it,
 * which its types do not say. Who can't be named works all the same.
 */
const NAMING = {
  onConnect: async (client: pg.ClientBase): Promise<void> => {
    await client.query("set application_name = 'outdial'").catch(() => {});
  },
};

/**
 * Opens a ledger on PostgreSQL 15 or later and brings its schema up to date; several processes may do so at
 * once. A role that may change no table is enough where the schema lacks nothing.
 *
 * @throws LedgerUnavailableError where the server does not answer, LedgerTooNewError where a newer version
 * wrote to it, LedgerBehindError where migrations are lacking that may not be made from here, MigrationRefusedError
 * where processes work on it that would not bear them.
 */
export async function openPostgresLedger(options: PostgresOptions): Promise<Ledger> {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const connecting = {
    connectionString: options.url,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    application_name: "outdial",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  try {
    // Files that the address names are read as soon as there is a client. It has none of the pool's timeouts, since
    // another process's migration may take long.
    await bringUpToDate(new pg.Client(connecting), { mode: options.migrate ?? "auto", isOffline: true });
  } catch (error) {
    throw unopenedError(error);
  }
  const pool = new pg.Pool({
    ...connecting,
    ...NAMING,
    max: options.maxConnections,
    statement_timeout: statementTimeoutMs,
    query_timeout: options.answerTimeoutMs ?? statementTimeoutMs + ANSWER_MARGIN_MS,
    lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 60_000,
  });
  const urgentPool = new pg.Pool({
    ...connecting,
    ...NAMING,
    max: URGENT_CONNECTIONS,
    connectionTimeoutMillis: Math.min(connecting.connectionTimeoutMillis, URGENT_ANSWER_MS),
    // Kept, since a server that is full of connections would refuse one just when it is needed.
    idleTimeoutMillis: 0,
    statement_timeout: URGENT_ANSWER_MS,
    query_timeout: URGENT_ANSWER_MS + 500,
    lock_timeout: URGENT_LOCK_WAIT_MS,
    idle_in_transaction_session_timeout: 60_000,
  });
  const ledger: Ledger = {
    kind: "postgres",
    ...laneOver(pool, options.onError),
    urgent: laneOver(urgentPool, options.onError),
    // The server says it itself, and survives it.
    hasRoom: () => true,
    async close() {
      await Promise.all([pool.end(), urgentPool.end()]);
    },
  };
  try {
    await ledger.transaction((tx) => beginEraElsewhere(tx));
  } catch (error) {
    await ledger.close();
    throw unopenedError(error);
  }
  return ledger;
}

function laneOver(pool: pg.Pool, onError: PostgresOptions["onError"]): Lane {
  // An idle connection that the server closes is replaced by the pool; without a listener it would end us.
  pool.on("error", (error) => onError?.(error));
  // Nor may one that is in use, and breaks between two statements of a transaction: the next statement says so.
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    db: drizzle(pool),
    async transaction(work) {
      try {
        // Taken here and not by drizzle, which keeps a connection for ever that breaks at its `begin`.
        const client = await pool.connect();
        try {
          return await drizzle(client).transaction((tx) => untilItsEnd(tx, work));
        } finally {
          // One whose transaction may still be open, since its end was not answered, is no good to anybody.
          client.release(client.getTransactionStatus() !== "I");
        }
      } catch (error) {
        throw ledgerError(error);
      }
    },
  };
}

/** Errors that say already what is wrong and what to do. */
const SAID = [
  LedgerUnavailableError,
  LedgerFullError,
  LedgerTooNewError,
  LedgerBehindError,
  MigrationRefusedError,
  StatementRefusedError,
] as const;

/** Why a ledger could not be opened, with what to do. The address is not told: a password may stand in it. */
export function unopenedError(error: unknown): unknown {
  if (SAID.some((ours) => error instanceof ours)) return error;
  const known = ledgerError(error);
  if (known instanceof LedgerFullError || known instanceof StatementRefusedError) return known;
  // Of our own making, and nothing that the server or the way there is to blame for.
  if (!(error instanceof Error) || error instanceof TypeError) return error;
  return new LedgerUnavailableError(
    `the ledger's PostgreSQL does not let us in (${databaseWords(error)}): check DATABASE_URL, and that the server runs and lets this machine in`,
    { cause: error },
  );
}
