import { sql } from "drizzle-orm";

import { tellCampaigns } from "./blacking-out.ts";
import { boundByWindow } from "./bound-by-window.ts";
import { batchesByCampaign, stopSuppressed, type BatchOfCampaign } from "./batches.ts";
import { lockCampaignIfFree } from "./campaigns.ts";
import { rows, type Ledger } from "../ground/connection.ts";
import { takeLoad, type Loading, type LoadTaken } from "../ground/listed-numbers.ts";
import {
  putSource,
  removeSource,
  type SourceDeclared,
  type SourceWritten,
  type SuppressionSource,
} from "../ground/suppression-sources.ts";

/*
 * What a source of suppressions does to campaigns. A list is in force from the commit that takes it, and so is the age
 * of a source: whoever permits a start reads both in that transaction. What was under way is stopped afterwards: who is
 * newly listed by the next reading of their batch, too (settling.ts), and what dials by a list that is too old by
 * whoever keeps stops, which needs no note of what there is to do: it follows from the batches and the sources.
 */

export interface Renewed {
  taken: LoadTaken;
  /** Running campaigns in the source's scope: told to look again. */
  campaignIds: string[];
  stoppedBatchIds: string[];
}

/** Takes a list that has come in whole, lets go on who waited for it, and stops batches that dial somebody newly on it. */
export async function renew(
  ledger: Ledger,
  input: { loading: Loading; allowShrink: boolean; actor: string; nowMs: number },
): Promise<Renewed> {
  const { loading, nowMs } = input;
  const { taken, campaignIds } = await ledger.transaction(async (tx) => {
    const taken = await takeLoad(tx, loading, input);
    const isTaken = taken.kind === "taken";
    return { taken, campaignIds: isTaken ? await tellCampaigns(tx, taken.source.brand, nowMs) : [] };
  });
  if (taken.kind !== "taken") return { taken, campaignIds, stoppedBatchIds: [] };
  const stoppedBatchIds = await stopListed(ledger, taken.source, nowMs);
  return { taken, campaignIds, stoppedBatchIds };
}

/** Stops batches that dial somebody who is on the list of a source: who was there before is dialed by none. */
async function stopListed(
  ledger: Ledger,
  { id, brand, generation }: SuppressionSource,
  nowMs: number,
): Promise<string[]> {
  const dialing = await rows<BatchOfCampaign>(
    ledger.db,
    sql`select distinct a.campaign_id, a.batch_id from attempts a join campaigns c on c.id = a.campaign_id
          join listed_numbers n on n.phone = a.phone and n.source_id = ${id}
            and n.from_generation <= ${generation} and n.through_generation >= ${generation}
        where a.state = 'open' and (${brand ?? null}::text is null or c.brand = ${brand ?? null}::text)`,
  );
  return stopSuppressed(ledger, batchesByCampaign(dialing), nowMs);
}

interface Binding {
  dialByMarginMs: number;
  nowMs: number;
}

export interface SourcePut {
  source: SuppressionSource;
  before: SuppressionSource | undefined;
  campaignIds: string[];
  stoppedBatchIds: string[];
}

/** @throws CommandRefusedError where there are too many. */
export async function declareSource(
  ledger: Ledger,
  input: SourceDeclared & SourceWritten & Binding,
): Promise<SourcePut> {
  const put = await ledger.transaction(async (tx) => {
    const { source, before } = await putSource(tx, input);
    // A scope that changed concerns the campaigns of both.
    const scope = before && before.brand !== source.brand ? undefined : source.brand;
    return { source, before, campaignIds: await tellCampaigns(tx, scope, input.nowMs) };
  });
  const listed =
    put.before?.brand === put.source.brand ? [] : await stopListed(ledger, put.source, input.nowMs);
  const { stoppedBatchIds } = await bindToLists(ledger, input);
  return { ...put, stoppedBatchIds: [...new Set([...listed, ...stoppedBatchIds])] };
}

/** Undefined where there is none of that name. */
export function dropSource(
  ledger: Ledger,
  input: { name: string; reason: string; actor: string; nowMs: number },
): Promise<{ source: SuppressionSource; campaignIds: string[] } | undefined> {
  return ledger.transaction(async (tx) => {
    const source = await removeSource(tx, input);
    return source && { source, campaignIds: await tellCampaigns(tx, source.brand, input.nowMs) };
  });
}

/**
 * Binds what is under way by the age of the lists in its scope, and by the sources that its campaign requires: batches
 * that might still dial when a list is too old end before that, or stop, and so do those of whose sources one is gone. A campaign that somebody holds is left for the next time.
 *
 * @returns what was asked to stop, and how many campaigns are left.
 */
export async function bindToLists(
  ledger: Ledger,
  { dialByMarginMs, nowMs }: Binding,
): Promise<{ stoppedBatchIds: string[]; left: number }> {
  const unbound = await rows<{ id: string }>(
    ledger.urgent.db,
    sql`select distinct b.campaign_id as id
        from suppression_sources s join campaigns c on s.brand is null or s.brand = c.brand
          join batches b on b.campaign_id = c.id and b.state <> 'settled' and b.stop_reason is null
        where s.removed_at is null and s.max_age_ms is not null
          and coalesce(b.dial_by, 'infinity')
            > coalesce(s.renewed_at + make_interval(secs => (s.max_age_ms - ${dialByMarginMs}::float8) / 1000),
                       '-infinity')
          and exists (select 1 from attempts a where a.batch_id = b.id and a.state = 'open')
        union
        select b.campaign_id
        from batches b join campaigns c on c.id = b.campaign_id
        where b.state <> 'settled' and b.stop_reason is null and c.spec -> 'requires_sources' is not null
          and exists (select 1 from jsonb_array_elements_text(c.spec -> 'requires_sources') as q(name)
            where not exists (select 1 from suppression_sources s
              where s.name = q.name and s.removed_at is null and (s.brand is null or s.brand = c.brand)
                and (s.renewed_at is not null or s.scrub_url is not null)))
          and exists (select 1 from attempts a where a.batch_id = b.id and a.state = 'open')
        order by 1`,
  );
  const stoppedBatchIds: string[] = [];
  let left = 0;
  for (const { id } of unbound) {
    try {
      const stopped = await ledger.urgent.transaction(async (tx) => {
        const campaign = await lockCampaignIfFree(tx, id);
        return campaign && boundByWindow(tx, campaign, { dialByMarginMs, nowMs });
      });
      if (stopped) stoppedBatchIds.push(...stopped);
      else left += 1;
    } catch {
      // One that can't be bound keeps no other from it, and is asked about again.
      left += 1;
    }
  }
  return { stoppedBatchIds, left };
}
