import { sql, type SQL } from "drizzle-orm";

import { requestStop } from "../campaigns/batches.ts";
import { bookTallies } from "../campaigns/campaign-tallies.ts";
import { lockCampaign, type Campaign } from "../campaigns/campaigns.ts";
import { ASSUMED_MINUTE_MICROS } from "../../domain/campaigns/money.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { writeAudit } from "../ground/audit.ts";
import { releaseRecovery } from "../ground/installation.ts";
import { placeLostCalls } from "../campaigns/lost-placements.ts";
import { passOverLostTime } from "./schedule-recovery.ts";
import { at, listOf, ms } from "../ground/sql.ts";
import { noteUnbookedDials } from "../campaigns/unbooked-dials.ts";
import type { FoundBatch } from "../campaigns/lost-placements.ts";

/*
 * Bringing a ledger that is older than reality up to what the platform shows (I1). Nothing here dials; batches
 * that were lost are taken over as dialed, stopped, and settled in the ordinary way.
 */

export type Adoption =
  /** The ledger knew that it was started. */
  | { kind: "known" }
  /** The ledger has it now, `adopted` of its numbers as attempts; `strangers` are no contacts of the campaign. */
  | { kind: "adopted"; adopted: number; strangers: number }
  /** Nothing was written: so many of its numbers belong to contacts who are still to be dialed and could not be booked. */
  | { kind: "blocked"; numbers: number }
  /** The campaign was made after the backup: nothing to book it on. */
  | { kind: "foreign" };

/** Recovery can't be finished: dialing stays held. The message names what is left, and what to do. */
export class RecoveryRefusedError extends Error {
  override readonly name = "RecoveryRefusedError";
}

/** Rolls an adoption back that could not book everybody. */
class BlockedError extends Error {
  override readonly name = "BlockedError";
  readonly numbers: number;
  constructor(numbers: number) {
    super(`${numbers} numbers could not be booked`);
    this.numbers = numbers;
  }
}

/**
 * Takes a batch that the platform began into the ledger, as far as the ledger does not have it, and asks it to
 * stop. Whole or not at all: a batch that is in the ledger is not looked at again. Safe to repeat.
 */
export async function adoptBatch(ledger: Ledger, found: FoundBatch, nowMs: number): Promise<Adoption> {
  try {
    return await ledger.transaction((tx) => adoptIn(tx, found, nowMs));
  } catch (error) {
    if (error instanceof BlockedError) return { kind: "blocked", numbers: error.numbers };
    throw error;
  }
}

async function adoptIn(tx: Db, found: FoundBatch, nowMs: number): Promise<Adoption> {
  const campaign = await lockCampaign(tx, found.campaignId);
  if (!campaign) return { kind: "foreign" };
  const known = await firstRow<{ started: boolean }>(
    tx,
    sql`select start_sent_at is not null as started from batches where id = ${found.batchId}::uuid`,
  );
  if (known?.started) return { kind: "known" };
  // One that the ledger believes was never started gives its attempts back first, to be booked anew.
  if (known) await requestStop(tx, { campaign, batchIds: [found.batchId], reason: "recovery", nowMs });
  const held = await writeAdopted(tx, campaign, found);
  await placeLostCalls(tx, campaign, found);
  const chosen = bookedOn(campaign, found);
  const leased = await rows<{ contact_id: number }>(
    tx,
    sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, planned_at)
        select ${campaign.id}::uuid, c.id, c.attempts + 1, c.phone, ${found.batchId}::uuid, ${campaign.policyVersion},
               'open', ${at(found.createdAtMs)}
        from (${chosen}) c where c.state = 'open'
        order by c.phone
        on conflict do nothing
        returning contact_id`,
  );
  const ids = leased.map((row) => row.contact_id);
  const left = await firstRow<{ undone: number; strangers: string[] | null }>(
    tx,
    sql`select count(*) filter (where c.state in ('open', 'leased') and c.id not in ${listOf(ids, "bigint")})::int as undone,
          array_agg(d.phone order by d.phone) filter (where c.id is null) as strangers
        from ${listOf([...new Set(found.dialed)], "text")} as d(phone)
        left join (${chosen}) c on c.phone = d.phone`,
  );
  if (left && left.undone > 0) throw new BlockedError(left.undone);
  await rows(tx, sql`update contacts set state = 'leased' where id in ${listOf(ids, "bigint")}`);
  const money = {
    stretchMs: held.stretch_ms,
    // Of one that the ledger knew, when it was planned: what was spent on that day stays of it.
    leasedAtMs: held.planned_ms,
    heldMicros: ids.length * held.call_micros,
  };
  await bookTallies(tx, campaign, { open: -ids.length, leased: ids.length, money });
  await requestStop(tx, { campaign, batchIds: [found.batchId], reason: "recovery", nowMs });
  const strangers = left?.strangers ?? [];
  const { platformBatchId, dialedUntilMs } = found;
  const { brand } = campaign;
  await noteUnbookedDials(tx, { platformBatchId, phones: strangers, brand, dialedUntilMs, nowMs });
  return { kind: "adopted", adopted: ids.length, strangers: strangers.length };
}

/**
 * On whom a number is booked. Several calls may be placed to one: it was the one that the ledger had in this batch,
 * else the one that has been due for longest, else one that is under way; where all are over, nobody is booked.
 */
function bookedOn(campaign: Campaign, found: FoundBatch): SQL {
  return sql`select distinct on (k.phone) k.id, k.phone, k.state, k.attempts from contacts k
             where k.campaign_id = ${campaign.id}::uuid and k.phone in ${listOf(found.dialed, "text")}
             order by k.phone,
               exists (select 1 from attempts m where m.contact_id = k.id and m.batch_id = ${found.batchId}::uuid) desc,
               k.state = 'open' desc, k.state = 'leased' desc, k.state = 'open' and k.held, case when k.state = 'open' then k.due_at end, k.id desc`;
}

interface Adopted {
  call_micros: number;
  stretch_ms: number;
  planned_ms: number;
}

/** It is overdue at once: it has no workflow. Its money is a stretch of its own, which is within every day that binds it. */
async function writeAdopted(tx: Db, campaign: Campaign, found: FoundBatch): Promise<Adopted> {
  const slots = Math.min(100, Math.max(1, found.dialed.length));
  const began = at(found.createdAtMs);
  const written = await firstRow<Adopted>(
    tx,
    sql`insert into batches (id, campaign_id, state, agent_id, from_number, policy_version, size, slots, held, minute_micros, money_stretch,
          platform_batch_id, planned_at, created_at, start_sent_at, start_seen_at, look_by)
        values (${found.batchId}::uuid, ${campaign.id}::uuid, 'running', ${found.agentId}, ${found.fromNumber},
                ${campaign.policyVersion}, ${found.dialed.length}, ${slots}, 0, ${ASSUMED_MINUTE_MICROS}, ${began}, ${found.platformBatchId},
                ${began}, ${began}, ${began}, ${began}, ${began})
        on conflict (id) do update set state = 'running', platform_batch_id = excluded.platform_batch_id,
          start_sent_at = excluded.start_sent_at, start_seen_at = excluded.start_seen_at, stop_reason = null,
          stop_requested_at = null, settled_at = null, look_by = excluded.look_by
        returning call_micros, ${ms(sql`money_stretch`)} as stretch_ms,
          ${ms(sql`planned_at`)} as planned_ms`,
  );
  if (!written) throw new Error(`batch ${found.batchId} has no row after it was adopted`);
  return written;
}

/**
 * Asks every batch that is under way to stop: those that were never started give their people back at once, so
 * that whoever was dialed since in another batch can be booked; the others are settled before anything else.
 *
 * @param input.except batches that the platform has begun although the ledger has them as never started.
 * @returns those that were started, oldest first.
 */
export async function stopForRecovery(
  ledger: Ledger,
  input: { except: ReadonlySet<string>; nowMs: number },
): Promise<string[]> {
  const unsettled = await rows<{ id: string; campaign_id: string; started: boolean }>(
    ledger.db,
    sql`select id, campaign_id, start_sent_at is not null as started from batches where state <> 'settled'
        order by coalesce(start_sent_at, planned_at), id`,
  );
  const wanted = unsettled.filter((batch) => !input.except.has(batch.id));
  for (const campaignId of new Set(wanted.map((batch) => batch.campaign_id))) {
    const batchIds = wanted.filter((batch) => batch.campaign_id === campaignId).map((batch) => batch.id);
    await ledger.transaction(async (tx) => {
      const campaign = await lockCampaign(tx, campaignId);
      if (campaign) await requestStop(tx, { campaign, batchIds, reason: "recovery", nowMs: input.nowMs });
    });
  }
  return wanted.filter((batch) => batch.started).map((batch) => batch.id);
}

/**
 * Lets dialing go on, and schedules from now on. `summary` is what was found and booked; it stands in the audit.
 *
 * @returns how many schedules had runs that were passed over, since they may have been made.
 */
export async function finishRecovery(
  ledger: Ledger,
  input: { actor: string; summary: Record<string, unknown>; nowMs: number },
): Promise<{ passedOverSchedules: number }> {
  return ledger.transaction(async (tx) => {
    // Campaigns before all that belongs to schedules: as whoever makes the campaign of a run.
    // A workflow that saw the lost part would find this ledger too old for ever: nothing is planned a thousand times a second.
    await rows(
      tx,
      sql`update campaigns set plannings = greatest(plannings, ${input.nowMs}) where ended_at is null`,
    );
    const passedOverSchedules = await passOverLostTime(tx, input.nowMs);
    await releaseRecovery(tx, input.actor, input.nowMs, { ...input.summary, passedOverSchedules });
    return { passedOverSchedules };
  });
}

/** Writes down that a recovery could not be finished, and why. Dialing stays held. */
export function noteRefusedRecovery(
  db: Db,
  input: { actor: string; detail: Record<string, unknown>; nowMs: number },
): Promise<void> {
  return writeAudit(db, { ...input, action: "recovery.refused" });
}
