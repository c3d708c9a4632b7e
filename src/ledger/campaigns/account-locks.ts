import { sql, type SQL } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";

/**
 * What all campaigns of an account take in turn: its lines, the calls of its numbers, the money of budgets, and the
 * moments of starts. The campaign's row comes first, then a team that takes transfers, then lines, then callers, then
 * money.
 */
const KEYS = { lines: 0x6f75_746c, starts: 0x6f75_7473, callers: 0x6f75_7463, money: 0x6f75_746d } as const;

/** A process that hangs while all others wait for it loses its transaction after this. */
const HANGS_AT_MOST_MS = 5_000;

/** A transaction that waits longer than that gives its connection back, and comes again. */
const WAITS_AT_MOST_MS = 10_000;

/** Until the end of the transaction nobody else has it. */
export async function lockForAll(tx: Db, what: keyof typeof KEYS): Promise<void> {
  await lockKey(tx, sql`${KEYS[what]}::bigint`);
}

/** The same of those who take transferred calls, for whoever shares them. Two teams of one hash only wait for each other. */
export async function lockTransferTeam(tx: Db, team: string): Promise<void> {
  await lockKey(tx, sql`hashtextextended(${`transfers ${team}`}, 0)`);
}

async function lockKey(tx: Db, key: SQL): Promise<void> {
  await rows(
    tx,
    sql`select set_config('idle_in_transaction_session_timeout', ${String(HANGS_AT_MOST_MS)}, true),
          set_config('lock_timeout', ${String(WAITS_AT_MOST_MS)}, true),
          pg_advisory_xact_lock(${key})::text as locked`,
  );
}
