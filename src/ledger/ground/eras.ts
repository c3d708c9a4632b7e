import { sql } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";

/*
 * Events are in the order of the transactions that wrote them, as the database numbers those. Where it numbers anew, what
 * comes would stand before what was: so each event is of an era, and eras come one after the other.
 */

/**
 * What is written from here on is of a new era. Whoever wrote events and is not through is waited for, and whoever
 * comes meanwhile waits: what is of an era that is over is committed, and is told without another look.
 */
export async function beginEra(tx: Db): Promise<void> {
  await rows(tx, sql`lock table events in share row exclusive mode`);
  await rows(tx, sql`update installation set event_era = event_era + 1`);
}

/**
 * Begins one where the ledger came into another database, as by a dump of it, which counts from less: what it holds would
 * not be told before that has caught up, and what is written now would stand before it.
 */
export async function beginEraElsewhere(tx: Db): Promise<void> {
  const ahead = await rows(
    tx,
    sql`select 1 as one from installation i where exists (
          select 1 from events where era = i.event_era and tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`,
  );
  if (ahead.length > 0) await beginEra(tx);
}
