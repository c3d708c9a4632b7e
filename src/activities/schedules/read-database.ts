import pg from "pg";

import type { QuerySource } from "../../domain/campaigns/contact-source.ts";
import { SourceAwayError, SourceRefusedError } from "./source-errors.ts";

/** Rows that are fetched at once: with a document of 100 kB in each, some 20 MB are held. */
const ROWS = 200;

/** One statement: the first fetch waits for the whole of a query that sorts. */
const STATEMENT_MS = 5 * 60_000;

/** Of the whole reading, as of a list from an address. */
const WHOLE_MS = 30 * 60_000;

const CONNECT_MS = 10_000;

/** As much as an import takes. */
const MAX_BYTES = 2 * 1024 ** 3;

const BOOL_OID = 16;

/**
 * Hands the rows of a query on as NDJSON, an object a row: what is NULL is left out, everything else is text as
 * PostgreSQL writes it, so that no date moves by a time zone.
 *
 * One connection, closed at the end; one transaction, read only; one statement, read through a cursor.
 *
 * @param databases addresses by name, as the settings give them
 * @throws SourceRefusedError, SourceAwayError with what the database said; never with its address.
 */
export async function readQuery(
  source: QuerySource,
  databases: Readonly<Record<string, string>>,
  put: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const key = source.database.toUpperCase().replaceAll("-", "_");
  const url = databases[key];
  if (url === undefined)
    throw new SourceRefusedError(
      `there is no database ${source.database}: set OUTDIAL_DATABASE_${key} (or OUTDIAL_DATABASE_${key}_FILE) for the worker`,
    );
  const client = clientOf(source, url);
  // One that breaks between two statements; the next statement says so.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("begin transaction isolation level repeatable read, read only");
    await client.query(`set local statement_timeout = ${STATEMENT_MS}`);
    await client.query(`set local idle_in_transaction_session_timeout = ${STATEMENT_MS}`);
    // Prepared, which takes one statement only: nothing can stand behind the query that ends the transaction.
    const text = source.query.trim().replace(/;$/, "");
    await client.query({ name: "outdial_list", text: `declare outdial_list no scroll cursor for ${text}` });
    await fetchAll(client, source, put);
    await client.query("commit");
  } catch (error) {
    throw sourceError(source, error);
  } finally {
    // A connection that is stuck closes by itself when the process does.
    await client.end().catch(() => {});
  }
}

function clientOf(source: QuerySource, url: string): pg.Client {
  try {
    return new pg.Client({
      connectionString: url,
      application_name: "outdial",
      connectionTimeoutMillis: CONNECT_MS,
      // A server that is gone without a word: beyond what it may take itself.
      query_timeout: STATEMENT_MS + 30_000,
      keepAlive: true,
      types: { getTypeParser: (oid: number) => (oid === BOOL_OID ? wordOf : (text: unknown) => text) },
    });
  } catch {
    // What is thrown may repeat the address.
    throw new SourceRefusedError(
      `the address of the database ${source.database} can't be used: look at its percent-encoding, and at the files that it names`,
    );
  }
}

async function fetchAll(
  client: pg.Client,
  source: QuerySource,
  put: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const endsAtMs = performance.now() + WHOLE_MS;
  let bytes = 0;
  for (;;) {
    const found = await client.query<(string | null)[]>({
      text: `fetch ${ROWS} from outdial_list`,
      rowMode: "array",
    });
    const columns = columnsOf(
      source,
      found.fields.map(({ name }) => name),
    );
    const lines = found.rows.map((row) => `${JSON.stringify(objectOf(columns, row))}\n`);
    const piece = Buffer.from(lines.join(""));
    bytes += piece.length;
    if (bytes > MAX_BYTES)
      throw new SourceRefusedError(
        `the query on ${source.database} gives more than ${MAX_BYTES} bytes: narrow it`,
      );
    if (piece.length > 0) await put(piece);
    if (found.rows.length < ROWS) return;
    if (performance.now() > endsAtMs)
      throw new SourceAwayError(`the query on ${source.database} was not through within 30 minutes`);
  }
}

function columnsOf(source: QuerySource, names: readonly string[]): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  const have = `the query on ${source.database} gives the columns ${names.slice(0, 20).join(", ")}`;
  if (twice !== undefined)
    throw new SourceRefusedError(`${have}, of which ${twice} comes twice: rename one with "as"`);
  if (source.phone !== undefined && !names.includes(source.phone))
    throw new SourceRefusedError(`${have}, and no ${source.phone}: name the column that holds the number`);
  return names;
}

function objectOf(columns: readonly string[], row: readonly (string | null)[]): Record<string, string> {
  const pairs = columns.map((name, index) => [name, row[index]] as const);
  return Object.fromEntries(
    pairs.filter((pair): pair is readonly [string, string] => typeof pair[1] === "string"),
  );
}

function wordOf(text: string): string {
  return text === "t" ? "true" : "false";
}

/** Of SQLSTATE: a connection that failed, no room for one, a server that is going down, a transaction that lost. */
const PASSING = /^(?:08|53|57P|40|55P03|57014)/;

function sourceError(source: QuerySource, error: unknown): unknown {
  if (error instanceof SourceRefusedError || error instanceof SourceAwayError) return error;
  if (!(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (error instanceof pg.DatabaseError && !PASSING.test(code))
    return new SourceRefusedError(
      `the database ${source.database} refused the query (${code}): ${error.message}`,
    );
  // Without the message where it is not the server's: it may name the address.
  const why = error instanceof pg.DatabaseError ? error.message : code || "no answer in time";
  return new SourceAwayError(`the database ${source.database} gives no rows now (${why})`);
}
