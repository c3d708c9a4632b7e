import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";

/** What a ledger holds, as far as a backup says it: by this a restored one is known to be the one that was backed up. */
export interface LedgerFacts {
  /** Undefined before its first use. */
  installationId: string | undefined;
  /** Whether its calls are simulated; undefined before its first use. */
  simulated: boolean | undefined;
  /** When each migration that its schema has was written. Unix milliseconds. */
  migrations: number[];
  /** Rows by table, of those that tell people something. */
  counts: Record<CountedTable, number>;
}

type CountedTable = "campaigns" | "contacts" | "attempts" | "suppressions" | "enrolments" | "follow_ups";

export async function readLedgerFacts(db: Db): Promise<LedgerFacts> {
  const installation = await firstRow<{ id: string; simulated: boolean | null }>(
    db,
    sql`select installation_id as id, simulated from installation`,
  );
  const migrations = await rows<{ written_ms: number }>(
    db,
    sql`select created_at::float8 as written_ms from drizzle.__drizzle_migrations order by created_at`,
  );
  const counts = await firstRow<Record<CountedTable, number>>(
    db,
    sql`select (select count(*) from campaigns)::float8 as campaigns, (select count(*) from contacts)::float8 as contacts,
          (select count(*) from attempts)::float8 as attempts, (select count(*) from suppressions)::float8 as suppressions,
          (select count(*) from enrolments)::float8 as enrolments, (select count(*) from follow_ups)::float8 as follow_ups`,
  );
  if (!counts) throw new Error("a ledger did not count its rows");
  return {
    installationId: installation?.id,
    simulated: installation?.simulated ?? undefined,
    migrations: migrations.map(({ written_ms: writtenMs }) => writtenMs),
    counts,
  };
}

/**
 * Reads every row of every table, by no index, with what is stored apart of it: a file that is damaged is found.
 *
 * @throws StatementRefusedError, LedgerUnavailableError with what the database says of it.
 */
export async function readWhole(db: Db): Promise<void> {
  await rows(
    db,
    sql.raw(`do $$
      declare one text;
      begin
        for one in select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
                   where c.relkind = 'r' and n.nspname in ('public', 'drizzle') loop
          execute format('select sum(length(t::text)) from %s t', one);
        end loop;
      end $$`),
  );
}
