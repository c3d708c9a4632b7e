import { sql } from "drizzle-orm";

import { firstRow, type Db } from "../ground/connection.ts";

/** Contacts with one attempt or more that counts as dialed; attempts beyond these are retries. Reads every contact. */
export async function countDialedContacts(db: Db, campaignId: string): Promise<number> {
  const row = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from contacts where campaign_id = ${campaignId}::uuid and attempts > 0`,
  );
  return row?.n ?? 0;
}
