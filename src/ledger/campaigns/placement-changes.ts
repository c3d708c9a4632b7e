import { sql } from "drizzle-orm";

import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import type { ContactState } from "../../domain/campaigns/contact-state.ts";
import type { Disposition } from "../../domain/policy/disposition.ts";
import { afterAttempt } from "../../domain/policy/retry.ts";
import { requestStop } from "./batches.ts";
import { lockCampaign, type Campaign } from "./campaigns.ts";
import { calledBefore, openingsAheadOf } from "./held-attempts.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { refuseContacts } from "./leasing.ts";
import { at, ms } from "../ground/sql.ts";
import { wakeLater } from "./wake-ups.ts";

/*
 * Taking a call back that was placed, or keeping it from being made for a while. What is under way can't be taken
 * back (I1): what stands on the contact decides what follows once the attempt is over. `reason`: why it was taken back,
 * and no other attempt follows. `held`: another attempt that would follow waits until it is released. Neither:
 * whatever the policy says.
 */

interface Placed {
  campaign: Campaign;
  id: number;
  state: ContactState;
}

/** The placement under its campaign's lock. */
async function lockPlacement(tx: Db, placement: string): Promise<Placed | undefined> {
  const known = await firstRow<{ campaign_id: string }>(
    tx,
    sql`select campaign_id from contacts where placement = ${placement}`,
  );
  const campaign = known && (await lockCampaign(tx, known.campaign_id));
  if (!campaign) return undefined;
  const contact = await firstRow<{ id: number; state: ContactState }>(
    tx,
    sql`select id, state from contacts where placement = ${placement}`,
  );
  return contact && { campaign, ...contact };
}

/**
 * Takes back a call that was placed. `in_flight`: it may be ringing; no other attempt follows it, and it is over
 * with that attempt's outcome, or with this reason where it turns out that nobody was dialed. `over`: it was done
 * or excluded before.
 */
export async function withdrawPlacement(
  tx: Db,
  input: { placement: string; reason: string; nowMs: number },
): Promise<"withdrawn" | "in_flight" | "over" | "unknown"> {
  const placed = await lockPlacement(tx, input.placement);
  if (!placed) return "unknown";
  const { campaign, id, state } = placed;
  if (state === "done" || state === "excluded") return "over";
  if (state === "leased" && !(await takeBack(tx, placed, input.nowMs))) {
    await rows(
      tx,
      sql`update contacts set reason = ${input.reason}, held = false where id = ${id} and state = 'leased'`,
    );
    return "in_flight";
  }
  await refuseContacts(tx, campaign, {
    excluded: [{ id, reason: input.reason }],
    postponed: [],
    nowMs: input.nowMs,
  });
  return "withdrawn";
}

/**
 * Keeps a call that was placed from being made until it is released. `in_flight`: it may be ringing; another
 * attempt that would follow it waits for the release.
 */
export async function holdPlacement(
  tx: Db,
  input: { placement: string; nowMs: number },
): Promise<"held" | "in_flight" | "over" | "unknown"> {
  const placed = await lockPlacement(tx, input.placement);
  if (!placed) return "unknown";
  const { id, state } = placed;
  if (state === "done" || state === "excluded") return "over";
  if (state === "leased" && !(await takeBack(tx, placed, input.nowMs))) {
    await rows(tx, sql`update contacts set held = true where id = ${id} and reason is null`);
    return "in_flight";
  }
  await rows(tx, sql`update contacts set held = true where id = ${id} and state = 'open'`);
  return "held";
}

/**
 * Lets a call that was held be made, from `dueAtMs` on. An attempt that follows another keeps its distance from it.
 *
 * @returns the campaign, to be woken up after the commit; undefined where the call was not held.
 */
export async function releasePlacement(
  tx: Db,
  input: { placement: string; dueAtMs: number; nowMs: number },
): Promise<string | undefined> {
  const placed = await lockPlacement(tx, input.placement);
  if (!placed) return undefined;
  const { campaign, id } = placed;
  const dueAtMs = Math.max(input.dueAtMs, input.nowMs, await retryAtMs(tx, placed, input.nowMs));
  const released = await firstRow<{ state: ContactState }>(
    tx,
    sql`update contacts set held = false, due_at = case when state = 'open' then ${at(dueAtMs)} else due_at end
        where id = ${id} and held returning state`,
  );
  if (released?.state !== "open") return undefined;
  await wakeLater(tx, [campaign.id], input.nowMs);
  return campaign.id;
}

/** When the policy has it called again after its last attempt; 0 where there was none. */
async function retryAtMs(tx: Db, { campaign, id }: Placed, nowMs: number): Promise<number> {
  const last = await firstRow<{
    disposition: Disposition;
    ended_ms: number;
    no: number;
    same: number;
    zones: string[];
    places: string[];
    called_ms: number[] | null;
  }>(
    tx,
    sql`select a.disposition, ${ms(sql`a.ended_at`)} as ended_ms, a.attempt_no as no,
          (select count(*)::int from attempts e
             where e.contact_id = a.contact_id and e.state = 'ended' and e.disposition = a.disposition) as same,
          z.zones, z.places, ${calledBefore(sql`a.contact_id`)} as called_ms
        from attempts a join contacts c on c.id = a.contact_id join lanes l on l.id = c.lane_id
          join zone_sets z on z.id = l.zone_set_id
        where a.contact_id = ${id} and a.state = 'ended' order by a.attempt_no desc limit 1`,
  );
  if (!last) return 0;
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const next = afterAttempt(
    {
      disposition: last.disposition,
      endedAtMs: last.ended_ms,
      attempts: last.no,
      sameDisposition: last.same,
      where: last,
      calledMs: last.called_ms ?? [],
    },
    policy,
    await openingsAheadOf(tx, { policy, brand: campaign.brand, nowMs }),
  );
  return next.kind === "retry" ? next.dueAtMs : 0;
}

/** Stops its batch where that was never started, so that it is open again. The others in it get another batch. */
async function takeBack(tx: Db, { campaign, id }: Placed, nowMs: number): Promise<boolean> {
  const batch = await firstRow<{ id: string }>(
    tx,
    sql`select b.id from attempts a join batches b on b.id = a.batch_id
        where a.contact_id = ${id} and a.state = 'open' and b.start_sent_at is null`,
  );
  if (!batch) return false;
  await requestStop(tx, { campaign, batchIds: [batch.id], reason: "policy", nowMs });
  await wakeLater(tx, [campaign.id], nowMs);
  return true;
}
