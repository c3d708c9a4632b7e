import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import { MAX_BATCHES_PER_PLAN, sizeBatches, slotsInOrder } from "../../domain/campaigns/batch-sizing.ts";
import { assignCallerIds, type Called } from "../../domain/campaigns/caller-ids.ts";
import { variantOf, type Variant } from "../../domain/campaigns/variants.ts";
import type { CallRate } from "../../domain/campaigns/call-rate.ts";
import type { Callers } from "./caller-use.ts";
import { bookTallies, linesFreeSinceMs } from "./campaign-tallies.ts";
import { workLeftOf, type Campaign } from "./campaigns.ts";
import { contactsFinished } from "../ground/write-events.ts";
import { rows, type Db } from "../ground/connection.ts";
import { recordRefusals } from "./explanations.ts";
import type { MoneyLeft } from "./money-left.ts";
import type { Cleared } from "./ask-gate.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { tellEnded, type EndedContact } from "../ground/outbox.ts";
import type { PlanningPace } from "../ground/planning-pace.ts";
import { at, atOrNull, json, listOf } from "../ground/sql.ts";
import type { DialingPolicy } from "../../domain/policy/dialing-policy.ts";
import { traceToKeep } from "../../tracing/work.ts";

/** What leasing happens under: the campaign's lock, its policy now, and the planner's pace. */
export interface Leasing {
  tx: Db;
  campaign: Campaign;
  policy: DialingPolicy;
  pace: Pick<PlanningPace, "dialByMarginMs" | "openAttemptWaitMs">;
  rate: CallRate | undefined;
  /** The numbers to call from, and how many calls each may begin; undefined: batches take turns. */
  callers: Callers | undefined;
  /** What is held for each call. */
  money: MoneyLeft;
  nowMs: number;
}

/**
 * Ends contacts that the gate will never let through and puts off those that have to wait.
 *
 * @returns how many of them were open until then.
 */
export async function refuseContacts(
  tx: Db,
  campaign: Campaign,
  input: {
    excluded: readonly { id: number; reason: string }[];
    postponed: readonly { id: number; untilMs: number }[];
    nowMs: number;
  },
): Promise<number> {
  let refused = 0;
  if (input.excluded.length > 0) {
    const gone = await rows<EndedContact>(
      tx,
      sql`with gone as (
          update contacts c set state = 'excluded', held = false, reason = r.reason, ended_at = ${at(input.nowMs)}
          from jsonb_to_recordset(${json(input.excluded)}) as r(id bigint, reason text)
          where c.id = r.id and c.state = 'open' returning c.campaign_id, c.id, c.enrolment_id),
          told as (${contactsFinished(sql`select campaign_id, id from gone`, input.nowMs)})
          select enrolment_id from gone`,
    );
    await bookTallies(tx, campaign, { open: -gone.length, excluded: gone.length });
    await tellEnded(tx, gone, input.nowMs);
    refused += gone.length;
  }
  if (input.postponed.length > 0) {
    const postponed = input.postponed.map(({ id, untilMs }) => ({ id, until: new Date(untilMs) }));
    const later = await rows(
      tx,
      sql`update contacts c set due_at = r.until
          from jsonb_to_recordset(${json(postponed)}) as r(id bigint, until timestamptz)
          where c.id = r.id and c.state = 'open' returning 1 as one`,
    );
    refused += later.length;
  }
  return refused;
}

/** A batch on its way into the ledger. */
interface Draft {
  id: string;
  members: readonly Cleared[];
  slots: number;
  untilMs: number;
  /** Undefined: the batch takes its turn. */
  from: string | undefined;
  /** Undefined in a campaign without. */
  variant: Variant | undefined;
}

/**
 * Makes batches of cleared contacts, those with one end of permission, one variant and one number to be called from together.
 *
 * @returns how many it leased, to how many of the others another campaign was faster, and how many slots it took.
 */
export async function leaseCleared(
  leasing: Leasing,
  cleared: readonly Cleared[],
  due: number,
  freeSlots: number,
): Promise<{ leased: number; beaten: number; slotsTaken: number }> {
  const drafts = draftBatches(leasing, cleared, due, freeSlots);
  if (drafts.length === 0) return { leased: 0, beaten: 0, slotsTaken: 0 };
  await insertDrafts(leasing, drafts);
  const leasedBy = await insertAttempts(leasing, drafts);
  const slotsTaken = await trimBatches(leasing.tx, drafts, leasedBy);
  const leased = [...leasedBy.values()].reduce((sum, ids) => sum + ids.size, 0);
  const { stretchMs, callMicros } = leasing.money;
  const money = { stretchMs, leasedAtMs: leasing.nowMs, heldMicros: leased * callMicros };
  await bookTallies(leasing.tx, leasing.campaign, { open: -leased, leased, money });
  const drafted = drafts.reduce((sum, draft) => sum + draft.members.length, 0);
  return { leased, beaten: drafted - leased, slotsTaken };
}

function draftBatches(
  { campaign, pace, rate, callers, nowMs }: Leasing,
  cleared: readonly Cleared[],
  due: number,
  freeSlots: number,
): Draft[] {
  const groups = groupsOf(campaign, cleared, callers);
  // Each group stands for its share of everyone due, of whom only the first were read.
  const share = Math.max(1, due / Math.max(1, cleared.length));
  const drafts: Draft[] = [];
  const { limit, holdMs } = workLeftOf(campaign);
  const works = groups.map(({ untilMs, members }) => ({
    due: Math.round(members.length * share),
    limit,
    holdMs,
    leadMs: untilMs - pace.dialByMarginMs - nowMs,
    begunAtOnce: rate?.calls,
  }));
  const first = campaign.spec.contact_priority && slotsInOrder(placesOf(groups, cleared), works, freeSlots);
  let slotsLeft = freeSlots;
  // Of those who go first in groups that are still to come.
  let slotsKept = first?.reduce((sum, { slots }) => sum + slots, 0) ?? 0;
  for (const [index, { untilMs, from, variant, members: all }] of groups.entries()) {
    const work = works[index];
    if (work === undefined) continue;
    slotsKept -= first?.[index]?.slots ?? 0;
    const group = all.slice(0, first?.[index]?.contacts);
    const maxBatches = MAX_BATCHES_PER_PLAN - drafts.length;
    const sizes = sizeBatches({ ...work, freeSlots: slotsLeft - slotsKept, maxBatches });
    let next = 0;
    for (const size of sizes) {
      const members = group.slice(next, next + size.contacts);
      if (members.length === 0) break;
      next += members.length;
      const slots = Math.min(size.slots, members.length);
      slotsLeft -= slots;
      drafts.push({ id: randomUUID(), members, slots, untilMs, from, variant });
    }
  }
  return drafts;
}

type Group = Pick<Draft, "untilMs" | "from" | "variant"> & { members: Cleared[] };

/** Those who may share a batch, in the order of the first of each. */
function groupsOf(
  { spec, plannings: turn }: Campaign,
  cleared: readonly Cleared[],
  callers: Callers | undefined,
): Group[] {
  const froms = callers && assignCallerIds(callers.policy, callers.left, cleared.map(calledOf), turn);
  const groups = new Map<string, Group>();
  for (const [index, one] of cleared.entries()) {
    const from = froms?.[index];
    // Somebody for whom no number has a call left stays due.
    if (froms && from === undefined) continue;
    const { untilMs } = one;
    const variant = variantOf(spec, one.contact.phone);
    const key = `${untilMs} ${from ?? ""} ${variant?.name ?? ""}`;
    const group = groups.get(key) ?? { untilMs, from, variant, members: [] };
    group.members.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** In which of the groups each is, in their order; whoever is in none waits for a number to be called from. */
function placesOf(groups: readonly Group[], cleared: readonly Cleared[]): number[] {
  const places = new Map(groups.flatMap(({ members }, index) => members.map((one) => [one, index])));
  return cleared.flatMap((one) => places.get(one) ?? []);
}

function calledOf({ contact }: Cleared): Called {
  return { phone: contact.phone, country: contact.facts.number.country };
}

async function insertDrafts(
  { tx, campaign, policy, pace, money, nowMs }: Leasing,
  drafts: readonly Draft[],
): Promise<void> {
  const fromNumbers = campaign.spec.from_numbers;
  const batches = drafts.map((draft, index) => ({
    id: draft.id,
    from: draft.from ?? fromNumbers[(campaign.plannings + index) % fromNumbers.length],
    agent: draft.variant?.agent_id ?? campaign.spec.agent_id,
    variant: draft.variant?.name,
    size: draft.members.length,
    // Of one that was placed it goes on with their trace; of several it is none's.
    single: draft.members.length === 1 ? draft.members[0]?.contact.id : undefined,
    slots: draft.slots,
    dialBy: Number.isFinite(draft.untilMs)
      ? new Date(draft.untilMs - pace.dialByMarginMs).toISOString()
      : undefined,
  }));
  await rows(
    tx,
    sql`insert into batches (id, campaign_id, state, agent_id, variant, from_number, policy_version, size, slots, held, call_micros, minute_micros, money_stretch,
          dial_by, lines_free_since, planned_at, look_by, trace_parent)
        select r.id, ${campaign.id}::uuid, 'planned', r.agent, r.variant, r."from", ${policy.version},
               r.size, r.slots, r.slots, ${money.callMicros}::bigint, ${money.minuteMicros}::bigint, ${at(money.stretchMs)}, r."dialBy", ${atOrNull(linesFreeSinceMs(campaign))}, ${at(nowMs)}, ${at(nowMs + GRACE_MS)},
               coalesce((select trace_parent from contacts c where c.id = r.single), ${traceToKeep()})
        from jsonb_to_recordset(${json(batches)}) as r(id uuid, agent text, variant text, "from" text, size int, single bigint, slots int, "dialBy" timestamptz)`,
  );
}

/**
 * One statement for all batches, in the order of the numbers: planners that want the same numbers wait for
 * each other in one order and never in a ring. Returns whom it leased, by batch.
 */
async function insertAttempts(leasing: Leasing, drafts: readonly Draft[]): Promise<Map<string, Set<number>>> {
  const { tx, campaign, policy, nowMs } = leasing;
  const wanted = drafts.flatMap((draft) =>
    draft.members.map(({ contact }) => ({
      batch: draft.id,
      id: contact.id,
      phone: contact.phone,
      no: contact.facts.attempts + 1,
    })),
  );
  const inserted = await rows<{ contact_id: number; batch_id: string }>(
    tx,
    sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, agent_version, state, planned_at)
        select ${campaign.id}::uuid, r.id, r.no, r.phone, r.batch, ${policy.version}, g.version, 'open', ${at(nowMs)}
        from jsonb_to_recordset(${json(wanted)}) as r(batch uuid, id bigint, phone text, no smallint)
        join batches b on b.id = r.batch
        left join campaign_agents g on g.campaign_id = b.campaign_id and g.agent_id = b.agent_id
        order by r.phone, r.id
        on conflict do nothing
        returning contact_id, batch_id`,
  );
  const leasedBy = new Map<string, Set<number>>(drafts.map((draft) => [draft.id, new Set()]));
  for (const row of inserted) leasedBy.get(row.batch_id)?.add(row.contact_id);
  const leasedIds = inserted.map((row) => row.contact_id);
  await rows(tx, sql`update contacts set state = 'leased' where id in ${listOf(leasedIds, "bigint")}`);
  // Another campaign's transaction took the number between the facts query and here, or another call is placed to it.
  const beaten = wanted.filter((one) => !leasedBy.get(one.batch)?.has(one.id));
  const untilMs = nowMs + leasing.pace.openAttemptWaitMs;
  await recordRefusals(tx, {
    refusals: beaten.map((one) => ({
      contactId: one.id,
      reason: "open_attempt",
      detail: "another call to the number was planned at the same moment",
    })),
    policyVersion: policy.version,
    nowMs,
  });
  await refuseContacts(tx, campaign, {
    excluded: [],
    postponed: beaten.map(({ id }) => ({ id, untilMs })),
    nowMs,
  });
  return leasedBy;
}

/** Fits batches to whom they really got; one that got nobody goes. Returns the slots that they take. */
async function trimBatches(
  tx: Db,
  drafts: readonly Draft[],
  leasedBy: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<number> {
  let slotsTaken = 0;
  for (const draft of drafts) {
    const size = leasedBy.get(draft.id)?.size ?? 0;
    const slots = Math.min(draft.slots, size);
    slotsTaken += slots;
    if (size === draft.members.length) continue;
    if (size === 0) {
      await rows(tx, sql`delete from batches where id = ${draft.id}::uuid`);
    } else {
      await rows(
        tx,
        sql`update batches set size = ${size}, slots = ${slots}, held = ${slots} where id = ${draft.id}::uuid`,
      );
    }
  }
  return slotsTaken;
}
