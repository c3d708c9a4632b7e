import { sql } from "drizzle-orm";

import { PLACEMENT_PRIORITY } from "../../domain/campaigns/list-order.ts";
import type { AccountLines } from "../../domain/campaigns/account-lines.ts";
import type { CallRate } from "../../domain/campaigns/call-rate.ts";
import type { TransferPace } from "../../domain/campaigns/transfer-pacing.ts";
import type { RampUp } from "../../domain/campaigns/ramp-up.ts";
import type { WindowOf } from "../../domain/policy/calling-window.ts";
import { waitText, type GateDecision } from "../../domain/policy/gate-question.ts";
import type { WaitReason } from "../../domain/policy/gate-reasons.ts";
import { decideZones } from "../../domain/policy/policy-gate.ts";
import { endsFirst, type ZoneEnd } from "../../domain/policy/zone-rules.ts";
import type { Bound } from "./breaking.ts";
import type { SourceInScope } from "../../domain/policy/suppression-source.ts";
import { bookTallies } from "./campaign-tallies.ts";
import { type Campaign } from "./campaigns.ts";
import { createBreather } from "../ground/breather.ts";
import { contactsFinished } from "../ground/write-events.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import type { DialingSwitches } from "../ground/installation.ts";
import type { Hold, Refusal } from "./explanations.ts";
import { tellEnded, type EndedContact } from "../ground/outbox.ts";
import type { PlanningPace } from "../ground/planning-pace.ts";
import { at, json, listOf, ms } from "../ground/sql.ts";
import type { DialingPolicy } from "../../domain/policy/dialing-policy.ts";

/** What one planning knows, and what it gathers on its way. */
export interface Planning {
  tx: Db;
  campaign: Campaign;
  policy: DialingPolicy;
  windowOf: WindowOf;
  lists: readonly SourceInScope[];
  pace: PlanningPace;
  nowMs: number;
  holds: Hold[];
  refusals: Refusal[];
  /** How many it has leased. */
  leased: number;
  /** Moments at which something changes by itself. */
  looksMs: number[];
  /** How many contacts of lanes that never open it may still exclude: bounds its transaction. */
  excludable: number;
  /** The account's lines, where campaigns share them. */
  account: AccountLines | undefined;
  /** How many calls may begin in any stretch of time, and how many of its own wait for their turn. */
  rate: CallRate | undefined;
  turns: { waiting: number; room: number };
  /** How many slots it may hold now, and how these grow. */
  limit: number;
  ramp: RampUp;
  /** How many those who take transferred calls leave it; undefined: they bound nothing. */
  paced: TransferPace | undefined;
  /** How many calls it may lease at all: while it probes, or before somebody has approved of its first ones. */
  bound: Bound;
  /** Whether anything holds all dialing, and what is known of its money. */
  switches: DialingSwitches;
}

/** The contacts of a campaign that share their zones, the places that they may be in, and their priority. */
export interface Lane {
  id: number;
  zoneSetId: number;
  priority: number;
  zones: string[];
  places: string[];
  /** When the first of its open contacts is due that is not held; undefined where all are. Unix milliseconds. */
  firstDueMs: number | undefined;
}

/** One that may be dialed, and has somebody who is due. */
export interface OpenLane extends Lane {
  firstDueMs: number;
}

/** Whether its calls were placed one by one: they wait for no others, and for no batch that is worth its while. */
export function isUrgent(lane: Lane): boolean {
  return lane.priority >= PLACEMENT_PRIORITY;
}

/** Whoever was called already, and whoever was not: two parts of a lane, and of its index. */
const PARTS = sql`(values (false), (true)) as part(is_first)`;

/** Lanes that have open contacts, each with its earliest due one: two probes of the index per lane. */
export async function readLanes(tx: Db, campaignId: string): Promise<Lane[]> {
  const found = await rows<Omit<Lane, "firstDueMs"> & { first_due_ms: number | null }>(
    tx,
    sql`select l.id, l.zone_set_id as "zoneSetId", l.priority, z.zones, z.places,
          ${ms(sql`min(d.due_at) filter (where not d.held)`)} as first_due_ms
        from lanes l join zone_sets z on z.id = l.zone_set_id cross join ${PARTS}
        cross join lateral (select c.held, c.due_at from contacts c
                            where c.lane_id = l.id and c.state = 'open' and (c.attempts = 0) = part.is_first
                            order by c.held, c.due_at, c.id limit 1) d
        where l.campaign_id = ${campaignId}::uuid group by l.id, z.id`,
  );
  return found.map(({ first_due_ms: first, ...lane }) => ({ ...lane, firstDueMs: first ?? undefined }));
}

/** Asks the gate for whole lanes: explains those that are closed, ends those that never open, returns the rest. */
export async function openLanes(planning: Planning, lanes: readonly Lane[]): Promise<OpenLane[]> {
  const { policy, windowOf, lists: ages, nowMs, holds, looksMs } = planning;
  const open: OpenLane[] = [];
  // Of thousands of lanes, the hours of each are worked out the first time.
  const breathe = createBreather();
  for (const lane of lanes) {
    await breathe();
    const { firstDueMs } = lane;
    const decision = decideZones({ facts: lane, policy, nowMs, windowOf, lists: ages });
    switch (decision.kind) {
      case "dial":
        if (firstDueMs === undefined) break;
        if (firstDueMs > nowMs) looksMs.push(firstDueMs);
        else if (decision.untilMs - nowMs >= leadMs(planning)) open.push({ ...lane, firstDueMs });
        else {
          looksMs.push(decision.untilMs);
          const reason = endsFirst({ facts: lane, policy, nowMs, windowOf, lists: ages });
          holds.push({
            zoneSetId: reason === "window" ? lane.zoneSetId : undefined,
            reason,
            detail: TOO_SOON[reason],
          });
        }
        break;
      case "wait":
        if (firstDueMs === undefined) break;
        looksMs.push(Math.max(decision.untilMs, firstDueMs));
        if (firstDueMs <= nowMs) {
          holds.push({
            zoneSetId: OF_ZONES.has(decision.reason) ? lane.zoneSetId : undefined,
            reason: decision.reason,
            detail: waitText(decision),
          });
        }
        break;
      case "never":
        await excludeLane(planning, lane, decision);
        break;
    }
  }
  return open;
}

/** Holds that are of one set of zones; others are of the whole campaign. */
const OF_ZONES: ReadonlySet<WaitReason> = new Set(["window", "day_off"]);

/** Why nobody is dialed any more before a time ends in which all may be. */
const TOO_SOON: Readonly<Record<ZoneEnd, string>> = {
  window: "closes too soon for a call to begin",
  transfer_closed: "those who take transferred calls go too soon for a call to begin",
  stale_list: "a list is too old too soon for a call to begin",
  after_end: "the campaign ends too soon for a call to begin",
};

/** What is left of a window must hold the margin of a stop and a first call. */
function leadMs({ pace }: Planning): number {
  return pace.dialByMarginMs + pace.minLeadMs;
}

/** Ends a lane that never opens, as far as this planning still may: the next one goes on with it, at once. */
async function excludeLane(
  planning: Planning,
  lane: Lane,
  decision: Extract<GateDecision, { kind: "never" }>,
): Promise<void> {
  const { tx, campaign, nowMs } = planning;
  const gone = await rows<EndedContact>(
    tx,
    sql`with gone as (
        update contacts set state = 'excluded', held = false, reason = ${decision.reason}, ended_at = ${at(nowMs)}
        where id in (select id from contacts where lane_id = ${lane.id} and state = 'open' limit ${planning.excludable})
        returning campaign_id, id, enrolment_id),
        told as (${contactsFinished(sql`select campaign_id, id from gone`, nowMs)})
        select enrolment_id from gone`,
  );
  planning.excludable -= gone.length;
  await bookTallies(tx, campaign, { open: -gone.length, excluded: gone.length });
  await tellEnded(tx, gone, nowMs);
  // Some were excluded, in this lane or before it: a planning of which nothing is left has moved somebody.
  if (planning.excludable === 0) planning.looksMs.push(nowMs);
}

/** So many times the contacts that are wanted are read at first, over all lanes: most lists are mixed. */
const SPARE = 4;

/** Fewer of a lane than this are not worth a statement less. */
const LEAST_OF_LANE = 8;

/** Where those read of a lane were too few, so many times as many are read of it. */
const DEEPER = 8;

/**
 * Due contacts of the open lanes: by priority, retries before first calls, then by how long they have been due. First
 * calls may be the newest first: those that have been due for the shortest time.
 *
 * A campaign under rules of states has a thousand lanes, and all that are wanted may be in one of them, or a few in each.
 * So few are read of each at first; a lane whose last one that was read is among the wanted may have more of them, and
 * is read deeper, until none is. What comes of it is the same as if all had been read: four statements at most.
 */
export async function dueContacts(
  tx: Db,
  lanes: readonly Lane[],
  asked: { limit: number; newestFirst: boolean; nowMs: number },
): Promise<number[]> {
  const { limit } = asked;
  const share = Math.ceil((limit * SPARE) / Math.max(1, lanes.length));
  const least = Math.min(limit, Math.max(LEAST_OF_LANE, share));
  const depths = new Map(lanes.map(({ id }) => [id, least]));
  for (;;) {
    const found = await firstOfLanes(tx, depths, asked);
    const ends = found.filter(({ lane, nth }) => nth === depths.get(lane) && nth < limit);
    if (ends.length === 0) return found.map(({ id }) => id);
    for (const { lane, nth } of ends) depths.set(lane, Math.min(limit, nth * DEEPER));
  }
}

interface DueContact {
  id: number;
  lane: number;
  /** Of those due in its part of the lane. */
  nth: number;
}

/** The first of all lanes together, of as many in each part of a lane as its depth says. */
function firstOfLanes(
  tx: Db,
  depths: ReadonlyMap<number, number>,
  { limit, newestFirst, nowMs }: { limit: number; newestFirst: boolean; nowMs: number },
): Promise<DueContact[]> {
  const wanted = json([...depths].map(([id, depth]) => ({ id, depth })));
  return rows(
    tx,
    newestFirst
      ? // Of either part one half does nothing. A constant in place of `part` would be no condition of the index.
        sql`select c.id, l.id as lane, c.nth
            from jsonb_to_recordset(${wanted}) as w(id int, depth int) join lanes l on l.id = w.id
            cross join ${PARTS} cross join lateral (
              (select c.id, c.due_at, (row_number() over (order by c.due_at, c.id))::int as nth from contacts c
               where c.lane_id = l.id and c.state = 'open' and (c.attempts = 0) = part.is_first and not c.held
                 and c.due_at <= ${at(nowMs)} and not part.is_first
               order by c.due_at, c.id limit w.depth)
              union all
              (select c.id, c.due_at, (row_number() over (order by c.due_at desc, c.id desc))::int as nth from contacts c
               where c.lane_id = l.id and c.state = 'open' and (c.attempts = 0) = part.is_first and not c.held
                 and c.due_at <= ${at(nowMs)} and part.is_first
               order by c.due_at desc, c.id desc limit w.depth)) c
            order by l.priority desc, part.is_first, case when part.is_first then null else c.due_at end,
              case when part.is_first then c.due_at end desc, case when part.is_first then -c.id else c.id end limit ${limit}`
      : sql`select c.id, l.id as lane, c.nth
            from jsonb_to_recordset(${wanted}) as w(id int, depth int) join lanes l on l.id = w.id
            cross join ${PARTS} cross join lateral (
              select c.id, c.due_at, (row_number() over (order by c.due_at, c.id))::int as nth from contacts c
              where c.lane_id = l.id and c.state = 'open' and (c.attempts = 0) = part.is_first and not c.held
                and c.due_at <= ${at(nowMs)}
              order by c.due_at, c.id limit w.depth) c
            order by l.priority desc, part.is_first, c.due_at, c.id limit ${limit}`,
  );
}

/** How many contacts of the open lanes are due: so many at most. */
export async function countDue(
  tx: Db,
  lanes: readonly Lane[],
  limit: number,
  nowMs: number,
): Promise<number> {
  if (limit <= 0) return 0;
  const found = await firstRow<{ n: number }>(
    tx,
    sql`select count(*)::int as n from (
          select 1 from lanes l cross join ${PARTS} cross join lateral (
            select 1 from contacts c
            where c.lane_id = l.id and c.state = 'open' and (c.attempts = 0) = part.is_first and not c.held
              and c.due_at <= ${at(nowMs)} limit ${limit}) c
          where l.id in ${listOf(
            lanes.map((lane) => lane.id),
            "int",
          )} limit ${limit}) due`,
  );
  return found?.n ?? 0;
}
