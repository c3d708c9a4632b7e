import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";

import { nameTokensInForce, type TokensInForce } from "../ground/api-tokens.ts";
import { firstRow } from "../ground/connection.ts";
import { refuseNewerLedger } from "../ground/migrate.ts";
import { unopenedError } from "../ground/postgres.ts";
import { readLedgerFacts, type LedgerFacts } from "./backup-facts.ts";

/** A moment of a ledger on PostgreSQL, for as long as it is held. */
export interface Snapshot {
  /** By which another session sees the same moment. */
  id: string;
  /** Unix milliseconds. */
  atMs: number;
  facts: LedgerFacts;
}

/**
 * Holds a moment of a ledger on PostgreSQL: others go on, and what is read under it is as it was then.
 *
 * @throws LedgerUnavailableError, or what `work` throws.
 */
export async function atSnapshot<T>(
  databaseUrl: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await connected(databaseUrl);
  try {
    // Whatever bounds a session or a role has: a dump of a large ledger takes as long as it takes.
    await client.query("set statement_timeout = 0; set idle_in_transaction_session_timeout = 0");
    await client.query("begin isolation level repeatable read read only");
    const db = drizzle(client);
    await refuseNewerLedger(db);
    const held = await firstRow<{ id: string; at_ms: number }>(
      db,
      sql`select pg_export_snapshot() as id, (extract(epoch from clock_timestamp()) * 1000)::float8 as at_ms`,
    );
    if (!held) throw new Error("PostgreSQL gave no snapshot");
    const { id, at_ms: atMs } = held;
    return await work({ id, atMs, facts: await readLedgerFacts(db) });
  } finally {
    await client.end().catch(() => {});
  }
}

/** What is in a database to which a ledger would be restored. */
export async function whatIsIn(databaseUrl: string): Promise<"nothing" | "a ledger" | "other tables"> {
  const client = await connected(databaseUrl);
  try {
    const found = await firstRow<{ ledger: boolean; other: boolean }>(
      drizzle(client),
      sql`select to_regclass('public.installation') is not null or to_regnamespace('drizzle') is not null as ledger,
            exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
                    where c.relkind in ('r', 'p') and n.nspname = 'public') as other`,
    );
    if (found?.ledger) return "a ledger";
    return found?.other ? "other tables" : "nothing";
  } finally {
    await client.end().catch(() => {});
  }
}

/** What a restored ledger holds, and which tokens it would take. */
export async function restoredFacts(
  databaseUrl: string,
  nowMs: number,
): Promise<{ facts: LedgerFacts; tokens: TokensInForce }> {
  const client = await connected(databaseUrl);
  try {
    const db = drizzle(client);
    return { facts: await readLedgerFacts(db), tokens: await nameTokensInForce(db, nowMs) };
  } finally {
    await client.end().catch(() => {});
  }
}

async function connected(connectionString: string): Promise<pg.Client> {
  try {
    const client = new pg.Client({
      connectionString,
      application_name: "outdial backup",
      connectionTimeoutMillis: 10_000,
    });
    // Broken between two statements: the next one says so.
    client.on("error", () => {});
    await client.connect();
    return client;
  } catch (error) {
    throw unopenedError(error);
  }
}

/**
 * Holds all dialing of a ledger that is being restored, as the last statements of the transaction that restores it: no
 * process ever sees it without. Sessions and links of then are gone with it, as `requireRecovery` has it. As text, since
 * PostgreSQL's own program carries them out.
 */
export function holdText(reason: string, nowMs: number): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const detail = JSON.stringify({ reason });
  return [
    // What a dump sets for its own statements.
    "set standard_conforming_strings = on;",
    "insert into public.installation default values on conflict do nothing;",
    `update public.installation set recovery_reason = ${quoted(reason)} where recovery_reason is null;`,
    "delete from public.sessions;",
    "delete from public.sign_in_codes;",
    "insert into public.audit (at, actor, action, detail)",
    `values (${quoted(new Date(nowMs).toISOString())}, 'engine', 'recovery.required', ${quoted(detail)});`,
    "",
  ].join("\n");
}
