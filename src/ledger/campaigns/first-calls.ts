import { sql } from "drizzle-orm";

import type { Disposition } from "../../domain/policy/disposition.ts";
import { rows, type Db } from "../ground/connection.ts";
import { ms } from "../ground/sql.ts";

/** One of a campaign's first calls, as somebody needs it who listens to them. */
export interface FirstCall {
  phone: string;
  zones: string[];
  callId: string | null;
  /** Null: it is not over, or what it came to is not known yet. */
  disposition: Disposition | null;
  dispositionReason: string | null;
  startedAtMs: number | null;
  endedAtMs: number | null;
  durationSeconds: number | null;
}

/** The calls that a campaign made first, in the order in which they were planned. */
export function listFirstCalls(db: Db, campaignId: string, limit: number): Promise<FirstCall[]> {
  return rows<FirstCall>(
    db,
    sql`select a.phone, z.zones, a.call_id as "callId", a.disposition, a.disposition_reason as "dispositionReason",
          ${ms(sql`a.started_at`)} as "startedAtMs", ${ms(sql`a.ended_at`)} as "endedAtMs",
          a.duration_seconds as "durationSeconds"
        from (select m.id from batches m where m.campaign_id = ${campaignId}::uuid
              and exists (select 1 from attempts x where x.batch_id = m.id and x.state <> 'returned')
              order by m.planned_at, m.id limit ${limit}) b
        join attempts a on a.batch_id = b.id
        join contacts c on c.id = a.contact_id
        join lanes l on l.id = c.lane_id
        join zone_sets z on z.id = l.zone_set_id
        where a.state <> 'returned' order by a.planned_at, a.id limit ${limit}`,
  );
}
