import { DrizzleQueryError, SQL, type SQLChunk } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

import { databaseWords, wordsOfState } from "./database-words.ts";
import type { Shape } from "./record.ts";

/** A connection or a transaction: what a ledger function needs to run a statement. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** A way to the ledger's database. */
export interface Lane {
  readonly db: Db;
  /** Runs `work` in one transaction; an error rolls it back whole. Failures to reach the database are told apart. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
}

/** An open ledger, of either kind. Everything in this folder runs the same on both. */
export interface Ledger extends Lane {
  readonly kind: "embedded" | "postgres";
  /**
   * For a stop, which waits for nobody: it does not stand in line behind what this process has under way, and a
   * lock that another holds is waited for `URGENT_LOCK_WAIT_MS` at most. Its transactions are short.
   */
  readonly urgent: Lane;
  /** Whether the disk under it has room for more. What is under way goes on without; nothing new is taken in. */
  hasRoom(): boolean;
  /**
   * Copies its files as they are at one moment into a folder beside them, which whoever asked takes away; everything
   * else waits meanwhile. Undefined: its database has tools of its own for that.
   *
   * @throws LedgerFullError where there is no room for a copy.
   */
  readonly copyAside?: () => Promise<CopiedAside>;
  close(): Promise<void>;
}

/** A copy of an embedded ledger's files. */
export interface CopiedAside {
  folder: string;
  files: number;
  bytes: number;
  /** The moment that it shows. Unix milliseconds. */
  atMs: number;
  /** For how long everything else waited. Milliseconds. */
  heldMs: number;
}

/** Whoever holds a row for longer is not waited for by a stop, which comes again later. */
export const URGENT_LOCK_WAIT_MS = 500;

/**
 * The database cannot be reached, is going down, or could not do what it was asked for a reason of its own: time, memory,
 * its disk. Nothing was committed by the statement that met it.
 */
export class LedgerUnavailableError extends Error {
  override readonly name = "LedgerUnavailableError";
  /** The database's code of it (SQLSTATE), or the system's; empty where there is none. */
  readonly code: string;

  constructor(message: string, { code = "", ...options }: ErrorOptions & { code?: string } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The disk under the ledger is full: nothing more is accepted until there is room. */
export class LedgerFullError extends Error {
  override readonly name = "LedgerFullError";
}

/** Transactions that have ended. Their connection, or the one there is, may be in somebody else's by now. */
const ended = new WeakSet<Db>();

/** Runs the work of a transaction: statements that come after it are refused. For those who open ledgers. */
export async function untilItsEnd<T>(tx: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await work(tx);
  } finally {
    ended.add(tx);
  }
}

/** A statement that nobody waited for came when its transaction had ended: a mistake in the program. */
export class LateStatementError extends Error {
  override readonly name = "LateStatementError";
  constructor() {
    super("a statement came for a transaction that is over: nothing of it was done");
  }
}

/** All rows of a statement, read as the shape that is given, or as the caller states. */
export async function rows<Row>(db: Db, statement: SQL, shape?: Shape<Row>): Promise<Row[]> {
  if (ended.has(db)) throw new LateStatementError();
  const found = await run<Row & object>(db, statement);
  return shape ? found.map((row) => shape.read(row)) : found;
}

async function run<Row>(db: Db, statement: SQL): Promise<Row[]> {
  try {
    const result = (await db.execute(holdsNul(statement) ? withoutNul(statement) : statement)) as {
      rows: Row[];
    };
    return result.rows;
  } catch (error) {
    throw ledgerError(error);
  }
}

/**
 * PostgreSQL's texts hold no NUL. One that comes from outside is U+FFFD in the ledger, as it is in `json`: else
 * whoever sends one, or a platform that does, would have the same statement fail for ever.
 */
function withoutNul(statement: SQL): SQL {
  const plain = (chunk: SQLChunk): SQLChunk => {
    if (typeof chunk === "string") return chunk.replaceAll("\0", "\uFFFD");
    return chunk instanceof SQL ? withoutNul(chunk) : chunk;
  };
  return new SQL(statement.queryChunks.map(plain));
}

function holdsNul(statement: SQL): boolean {
  return statement.queryChunks.some((chunk) =>
    typeof chunk === "string" ? chunk.includes("\0") : chunk instanceof SQL && holdsNul(chunk),
  );
}

export async function firstRow<Row>(db: Db, statement: SQL, shape?: Shape<Row>): Promise<Row | undefined> {
  const [row] = await rows<Row>(db, statement, shape);
  return row;
}

/** SQLSTATE classes and system errors that say "not now" rather than "wrong". */
const UNAVAILABLE = /^(?:08|25006|25P0[34]|40001|40003|40P01|53|55P03|57|58|XX)/;
const UNAVAILABLE_SYSTEM = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);

/** The embedded database is closed, or ended by itself. */
export const EMBEDDED_ENDED = "the embedded database has ended";

/**
 * Of the driver and its pool, which give no code: the connection broke under a statement or between two of a
 * transaction, or none was to be had in time.
 */
const GONE =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Query read timeout|the embedded database has ended/i;

/**
 * The database refuses a statement. Says which, and never with what values: those are people's numbers and what
 * others sent, and errors go to logs, to the attention list and into the histories of workflows.
 */
export class StatementRefusedError extends Error {
  override readonly name = "StatementRefusedError";
  /** The database's code of it (SQLSTATE); empty where there is none. */
  readonly code: string;
  /** The values made no statement: the database was not asked. */
  readonly isUnsent: boolean;

  constructor(refusal: DrizzleQueryError) {
    const code = codeOf(refusal.cause);
    // What is wrong with a value is told with the value; everything else by names of tables and constraints.
    const said = refusal.cause === undefined || code.startsWith("22") ? "a value" : refusal.cause.message;
    super(`the ledger's database refuses a statement (${wordsOfState(code) ?? said}, ${code || "no code"})`);
    this.code = code;
    this.isUnsent = isOfThisProgram(refusal.cause);
    // People are told without it; whoever mends it finds it in logs and in the histories of workflows.
    this.stack = `${this.stack ?? ""}\n    of the statement: ${refusal.query}`;
  }
}

function codeOf(error: unknown): string {
  const code: unknown =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

/** Maps a driver's error to one of ours, or returns it as it is; never with the values of its statement. */
export function ledgerError(thrown: unknown): unknown {
  const ofStatement = thrown instanceof DrizzleQueryError;
  const error = ofStatement ? new StatementRefusedError(thrown) : thrown;
  for (
    let cause: unknown = ofStatement ? thrown.cause : thrown, depth = 0;
    cause instanceof Error && depth < 5;
    cause = cause.cause, depth += 1
  ) {
    const code = codeOf(cause);
    if (code === "53100" || code === "ENOSPC" || /no space left on device/i.test(cause.message)) {
      return new LedgerFullError("the disk under the ledger is full: make room, then try again", {
        cause: error,
      });
    }
    if (UNAVAILABLE.test(code) || UNAVAILABLE_SYSTEM.has(code) || GONE.test(cause.message)) {
      return new LedgerUnavailableError(
        `the ledger does not answer (${databaseWords(cause)}): see that its database runs and can be reached, then try again`,
        { cause: error, code },
      );
    }
  }
  return error;
}

/** SQLSTATE classes by which the database finds a value at fault: it is none, breaks a rule, or is too large. */
const OF_VALUES = /^(?:22|23|54)/;

/**
 * Whether values of a statement alone are to blame, so that it would fail with them for ever, and others would not. What
 * is not known for certain is not: whoever gives a value up for an error that passes loses what was told with it.
 */
export function isOfItsValues(error: unknown): boolean {
  if (error instanceof StatementRefusedError) return error.isUnsent || OF_VALUES.test(error.code);
  return isOfThisProgram(error);
}

/** A time that is none, a text in the place of a number: thrown before there is a statement. */
function isOfThisProgram(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError;
}

/** Whether it is the ledger that did not do its part, now or at all, and not what it was to take that is at fault. */
export function isOfTheLedger(error: unknown): boolean {
  if (error instanceof LedgerUnavailableError || error instanceof LedgerFullError) return true;
  return error instanceof StatementRefusedError && !isOfItsValues(error);
}

/** Somebody else held what a statement needed, and for too long: whoever needs less may get it. */
export function isContention(error: unknown): boolean {
  return error instanceof LedgerUnavailableError && (error.code === "55P03" || error.code === "40P01");
}
