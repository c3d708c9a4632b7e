import { sql } from "drizzle-orm";

import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import { createWindowMemo } from "../../domain/policy/calling-window.ts";
import { decideZones } from "../../domain/policy/policy-gate.ts";
import { windowInForce } from "../ground/blackouts.ts";
import { rows, type Db } from "../ground/connection.ts";
import { json } from "../ground/sql.ts";
import { readSourcesInScope } from "../ground/suppression-sources.ts";
import { requestStop } from "./batches.ts";
import type { Campaign } from "./campaigns.ts";

/**
 * Holds the batches of a locked campaign to its window and its lists as they are now: sooner ends of permission move `dial_by` forward;
 * those that have passed stop their batches.
 *
 * @returns the batches that were asked to stop.
 */
export async function boundByWindow(
  tx: Db,
  campaign: Campaign,
  input: { nowMs: number; dialByMarginMs: number },
): Promise<string[]> {
  const { nowMs } = input;
  const { untilMs, late } = await windowLimits(tx, campaign, input);
  const bounds = [...untilMs]
    .filter(([, limitMs]) => Number.isFinite(limitMs))
    .map(([id, limitMs]) => ({ id, until: new Date(limitMs) }));
  if (bounds.length === 0) return [];
  await rows(
    tx,
    sql`update batches b set dial_by = r.until from jsonb_to_recordset(${json(bounds)}) as r(id uuid, until timestamptz)
        where b.id = r.id and (b.dial_by is null or b.dial_by > r.until)`,
  );
  await requestStop(tx, { campaign, batchIds: late, reason: "window", nowMs });
  return late;
}

/** Until when the batches of a campaign may dial by its window, and those for which that is over. Changes nothing. */
export async function windowLimits(
  db: Db,
  campaign: Campaign,
  { nowMs, dialByMarginMs }: { nowMs: number; dialByMarginMs: number },
): Promise<{ untilMs: ReadonlyMap<string, number>; late: string[] }> {
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const window = await windowInForce(db, { window: policy.window, brand: campaign.brand, nowMs });
  const windowOf = createWindowMemo(window);
  const lists = await readSourcesInScope(db, campaign.brand);
  const zonesByBatch = await rows<{ batch_id: string; zones: string[]; places: string[] }>(
    db,
    sql`select distinct a.batch_id, z.key, z.zones, z.places
        from attempts a join contacts c on c.id = a.contact_id join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id
        where a.state = 'open' and a.batch_id in (select id from batches where campaign_id = ${campaign.id}::uuid and state <> 'settled')`,
  );
  const untilMs = new Map<string, number>();
  for (const { batch_id, zones, places } of zonesByBatch) {
    const decision = decideZones({ facts: { zones, places }, policy, nowMs, windowOf, lists });
    const limitMs = decision.kind === "dial" ? decision.untilMs - dialByMarginMs : nowMs;
    untilMs.set(batch_id, Math.min(untilMs.get(batch_id) ?? Number.POSITIVE_INFINITY, limitMs));
  }
  const late = [...untilMs].filter(([, limitMs]) => limitMs <= nowMs).map(([batchId]) => batchId);
  return { untilMs, late };
}
