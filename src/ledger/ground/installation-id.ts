import pg from "pg";

import { databaseWords } from "./database-words.ts";

/*
 * Which ledger a database is, for commands: one question on a connection of its own. Nothing is made, and nothing
 * but the driver is loaded, since short commands ask it, too.
 */

/** `none`: nobody keeps a ledger there. `id` is undefined where one was made and never used. */
export type FoundInstallation =
  | { kind: "found"; id: string | undefined }
  | { kind: "none" }
  | { kind: "unreadable"; why: string };

const UNDEFINED_TABLE = "42P01";

/** @param withinMs for the connection, and again for the answer */
export async function findInstallation(databaseUrl: string, withinMs: number): Promise<FoundInstallation> {
  let client: pg.Client | undefined;
  try {
    // Files that the address names are read as soon as there is a client.
    client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: withinMs,
      query_timeout: withinMs,
      application_name: "outdial",
    });
    // Broken between two statements: the next one says so.
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query<{ id: string }>("select installation_id as id from installation");
    return { kind: "found", id: rows[0]?.id };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === UNDEFINED_TABLE ? { kind: "none" } : { kind: "unreadable", why: databaseWords(error) };
  } finally {
    // The end of a connection that does not answer is waited for by nobody.
    client?.end().catch(() => {});
  }
}

/** A database as it may be shown: without its user and password. */
export function databaseName(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${host || (searchParams.get("host") ?? "")}${pathname}`;
}
