import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";

/** A call of a campaign that has ended, with what the ledger holds of it and of whom it was to. */
export interface LedgerCall {
  contactId: number;
  callId: string;
  attempt: number;
  disposition: string | null;
  itemStatus: string | null;
  errorText: string | null;
  phone: string;
  region: string | null;
  zones: string[];
  variables: Record<string, string>;
}

/**
 * Calls of the next contacts of a campaign that were called, in the order of its list: as many contacts as are said,
 * each with all of its calls.
 *
 * @param input.after the last contact of the page before; 0: none.
 */
export function listEndedCalls(
  db: Db,
  input: { campaignId: string; after: number; contacts: number },
): Promise<LedgerCall[]> {
  const { campaignId, after, contacts } = input;
  return rows(
    db,
    sql`select c.id as "contactId", a.call_id as "callId", a.attempt_no as attempt, a.disposition,
          a.item_status as "itemStatus", a.error_text as "errorText", c.phone, c.region, z.zones, c.variables
        from (select * from contacts k where k.campaign_id = ${campaignId}::uuid and k.id > ${after}
                and exists (select 1 from attempts t
                  where t.contact_id = k.id and t.state = 'ended' and t.call_id is not null)
              order by k.id limit ${contacts}) c
        join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
        join attempts a on a.contact_id = c.id and a.state = 'ended' and a.call_id is not null
        order by c.id, a.attempt_no`,
  );
}
