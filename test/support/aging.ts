import { sql } from "drizzle-orm";

import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";

/** Every moment of a batch that a wait or a bound is counted from. */
const MOMENTS = [
  "planned_at",
  "created_at",
  "start_sent_at",
  "start_seen_at",
  "stop_requested_at",
  "terminal_seen_at",
  "vanished_at",
  "first_read_at",
  "trouble_since",
] as const;

/**
 * Lets time pass for the batches of a campaign, and for whoever waits in it, without a clock that disagrees with
 * anybody's: what happened did so earlier.
 */
export async function age(ledger: Ledger, campaignId: string, ms: number): Promise<void> {
  const by = sql`make_interval(secs => ${ms / 1_000}::float8)`;
  await ledger.transaction(async (tx) => {
    await rows(
      tx,
      sql`update batches set ${sql.join(
        MOMENTS.map((moment) => sql`${sql.raw(moment)} = ${sql.raw(moment)} - ${by}`),
        sql`, `,
      )} where campaign_id = ${campaignId}::uuid and state <> 'settled'`,
    );
    await rows(
      tx,
      sql`update contacts set due_at = due_at - ${by} where campaign_id = ${campaignId}::uuid and state = 'open'`,
    );
  });
}
