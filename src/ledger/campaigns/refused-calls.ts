import { sql } from "drizzle-orm";

import { raiseAttention } from "../ground/attention.ts";
import { rows, type Db } from "../ground/connection.ts";
import { at, json } from "../ground/sql.ts";
import type { Campaign } from "./campaigns.ts";

/** A call that the platform refused to make, and that is proven not to have been made. */
export interface RefusedCall {
  contactId: number;
  phone: string;
  why: string;
}

/** The first refusal is waited for so long, each further one in a row twice as long. Seconds. */
const FIRST_WAIT_S = 60;

/** What the platform refuses for want of credit is not mended in seconds; nor is anybody to be forgotten. */
const LONGEST_WAIT_S = 3_600;

/**
 * Notes of attempts that were just given back that the platform refused them: why, on the attempt (I7); that it happened
 * once more, on the contact, which is due again later each time; and for people. The caller holds the campaign's lock.
 */
export async function noteRefusals(
  tx: Db,
  input: {
    campaign: Pick<Campaign, "id" | "brand" | "name">;
    batchId: string;
    refusals: readonly RefusedCall[];
    nowMs: number;
  },
): Promise<void> {
  const { campaign, batchId, refusals, nowMs } = input;
  const [first] = refusals;
  if (first === undefined) return;
  const records = sql`jsonb_to_recordset(${json(refusals)}) as r("contactId" bigint, phone text, why text)`;
  await rows(
    tx,
    sql`update attempts a set error_text = left(r.why, 500), disposition_reason = left('refused by the platform: ' || r.why, 300)
        from ${records}
        where a.batch_id = ${batchId}::uuid and a.phone = r.phone and a.state = 'returned'`,
  );
  await rows(
    tx,
    sql`update contacts c set refusals = least(c.refusals + 1, 100),
          due_at = greatest(c.due_at, ${at(nowMs)}
            + make_interval(secs => least(${LONGEST_WAIT_S}, ${FIRST_WAIT_S} * power(2, least(c.refusals, 12)))))
        from ${records}
        where c.id = r."contactId" and c.state = 'open'`,
  );
  const people = refusals.length === 1 ? "a call" : `${refusals.length} calls`;
  await raiseAttention(tx, {
    kind: "calls_refused",
    subject: campaign.id,
    brand: campaign.brand,
    summary: `the platform refused ${people} of campaign ${campaign.name}, which count as no attempts: ${first.why.slice(0, 300)}`,
    remedy:
      "mend what it says (credits, limits, caller IDs), then resolve this; those contacts are tried again by themselves, later each time, and from the sixth time in a row on a refusal counts as an attempt",
    nowMs,
  });
}
