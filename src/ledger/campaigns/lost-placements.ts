import { sql } from "drizzle-orm";

import { bookTallies } from "./campaign-tallies.ts";
import { type Campaign } from "./campaigns.ts";
import { rows, type Db } from "../ground/connection.ts";
import { insertPlacement } from "./placements.ts";
import { listOf } from "../ground/sql.ts";

/** A platform batch of ours, and whom it may have dialed. */
export interface FoundBatch {
  batchId: string;
  campaignId: string;
  platformBatchId: string;
  agentId: string;
  fromNumber: string;
  createdAtMs: number;
  /** Every number that it carries: its settling proves who was not dialed. */
  dialed: readonly string[];
  /** Until when it dialed at the latest; undefined: until now. */
  dialedUntilMs?: number | undefined;
}

interface LostCall {
  phone: string;
  region: string | null;
  zones: string[];
  places: string[];
  variables: Record<string, string>;
  enrolmentId: string;
  callNo: number;
}

/**
 * Places the calls of a batch anew that a sequence placed since this ledger was written: each as the next call of
 * the person's enrolment. The enrolment will place that call once more, finds it there, and nobody is dialed twice
 * for it (I1). Attempts that follow carry the enrolment's variables: those of the lost call are lost.
 *
 * Calls whose number waits in the campaign, or was in this batch, are there already; whose person is not under way
 * in the sequence, nobody will place.
 */
export async function placeLostCalls(tx: Db, campaign: Campaign, found: FoundBatch): Promise<void> {
  const { sequenceId } = campaign;
  if (sequenceId === undefined || campaign.endedAtMs !== undefined) return;
  const lost = await rows<LostCall>(
    tx,
    sql`select distinct on (e.phone) e.phone, e.region, z.zones, z.places, coalesce(e.position -> 'at' -> 'variables', '{}') as variables,
            e.id as "enrolmentId", 1 + greatest(coalesce((e.position -> 'at' -> 'counters' ->> 'calls')::int, 0),
              coalesce((select max(p.call_no) from contacts p where p.phone = e.phone and p.enrolment_id = e.id), 0)) as "callNo"
        from enrolments e join zone_sets z on z.id = e.zone_set_id
        where e.sequence_id = ${sequenceId}::uuid and e.state = 'active' and e.phone in ${listOf(found.dialed, "text")}
          and not exists (
            select 1 from contacts k where k.campaign_id = ${campaign.id}::uuid and k.phone = e.phone
              and (k.state in ('open', 'leased') or exists (
                select 1 from attempts m where m.contact_id = k.id and m.batch_id = ${found.batchId}::uuid)))
        order by e.phone, e.created_at, e.id`,
  );
  let open = 0;
  for (const { enrolmentId, callNo, region, ...callee } of lost) {
    const asker = { enrolmentId, callNo };
    const call = { ...callee, region: region ?? undefined, asker, dueAtMs: found.createdAtMs };
    const contactId = await insertPlacement(tx, { ...call, campaignId: campaign.id });
    if (contactId !== undefined) open += 1;
  }
  if (open > 0) await bookTallies(tx, campaign, { open });
}
