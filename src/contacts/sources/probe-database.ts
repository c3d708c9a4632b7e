import pg from "pg";

/** What a database says of itself to whoever the settings let in; or why not, without its address. */
export type DatabaseProbe =
  | { ok: true; version: string; user: string; isSuperuser: boolean }
  | { ok: false; problem: string };

/** A person waits for it. */
const ANSWER_MS = 5_000;

/** Asks a database that recurring campaigns take contacts from whether it lets us in. Reads none of its tables. */
export async function probeDatabase(url: string): Promise<DatabaseProbe> {
  const client = clientOf(url);
  if (!client)
    return {
      ok: false,
      problem: "its address can't be used: look at its percent-encoding, and at the files that it names",
    };
  // Broken between two statements: the next one says so.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; user: string; superuser: string }>(
      `select current_setting('server_version') as version, current_user as "user", current_setting('is_superuser') as superuser`,
    );
    const [row] = rows;
    const isSuperuser = row?.superuser === "on";
    return { ok: true, version: row?.version ?? "", user: row?.user ?? "", isSuperuser };
  } catch (error) {
    if (error instanceof pg.DatabaseError) return { ok: false, problem: error.message };
    const code = error instanceof Error && "code" in error ? String(error.code) : "no answer in time";
    // Without what it says: that may name the address.
    return { ok: false, problem: `it does not answer (${code})` };
  } finally {
    await client.end().catch(() => {});
  }
}

function clientOf(url: string): pg.Client | undefined {
  try {
    return new pg.Client({
      connectionString: url,
      application_name: "outdial",
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
  } catch {
    // What is thrown may repeat the address.
    return undefined;
  }
}
