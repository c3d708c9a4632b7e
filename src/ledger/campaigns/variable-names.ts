import { sql } from "drizzle-orm";

import { firstRow, type Db } from "../ground/connection.ts";

/** Contacts read at once: a statement stays short, which the embedded ledger's other users wait for. */
const PAGE = 5_000;

/** The names of all variables that a campaign's contacts have, sorted. Reads every contact, page by page. */
export async function readVariableNames(db: Db, campaignId: string): Promise<string[]> {
  const names = new Set<string>();
  let afterId = 0;
  for (;;) {
    const page = await firstRow<{ last: number | null; names: string[] | null }>(
      db,
      sql`with page as (select id, variables from contacts
                        where campaign_id = ${campaignId}::uuid and id > ${afterId} order by id limit ${PAGE})
          select (select max(id) from page) as last,
            (select jsonb_agg(distinct k.name) from page, jsonb_object_keys(page.variables) as k(name)) as names`,
    );
    if (page === undefined || page.last === null) return [...names].sort();
    for (const name of page.names ?? []) names.add(name);
    afterId = page.last;
  }
}
