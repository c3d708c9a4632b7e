import { sql } from "drizzle-orm";

import type { BatchState } from "../../domain/campaigns/batch-state.ts";
import type { BatchTrouble } from "../../domain/campaigns/batch-trouble.ts";
import type { CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { moneyDayAt, earliestStretchMs } from "../../domain/campaigns/money-day.ts";
import type { AttentionKind } from "../../domain/ground/attention.ts";
import type { ScheduleRunState } from "../../domain/schedules/schedule-run.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { OPEN_KINDS, type OpenKind } from "../ground/look-by.ts";
import { OUTBOX_KINDS, type OutboxKind } from "../ground/outbox.ts";
import { at, listOf, ms } from "../ground/sql.ts";

/*
 * How the ledger stands, for metrics. Eight statements, however much there is:
 *
 * 1. None reads contacts or attempts: campaigns carry their tallies. What grows with campaigns is bounded by those that
 *    are not over, what grows with lists and calls is counted by indexes, up to MOST_COUNTED: in an index's order, since
 *    whoever wants any so many rows may be given them by a look through the whole table.
 * 2. Each is on its own: they see moments that are milliseconds apart, and hold nothing for each other.
 */

/** Who counts further learns nothing more: it is many. */
const MOST_COUNTED = 10_000;

/** A campaign that is not over, with what its callbacks hold; or all call steps of a sequence. */
export interface CampaignStanding {
  brand: string;
  /** Of a campaign or of a sequence; null: of all that are beyond the bound. */
  name: string | null;
  ofSequence: boolean;
  run: number | null;
  open: number;
  leased: number;
  done: number;
  excluded: number;
  attempts: number;
  /** Lines of those that run; 0 of others. */
  limit: number;
  busy: number;
}

/**
 * Campaigns that are not over, those with the most lines first; the rest, beyond `most`, in one row without a name.
 */
export function readCampaigns(db: Db, most: number): Promise<CampaignStanding[]> {
  return rows<CampaignStanding>(
    db,
    sql`with held as (
          select campaign_id, sum(held) as held from batches where state <> 'settled' group by campaign_id
        ), one as (
          select c.brand, coalesce(s.name, p.name, c.name) as name, c.sequence_id is not null as of_sequence,
            case when c.sequence_id is null then coalesce(p.run, c.run) end as run, c.parent_id is null as is_own,
            c.open_count, c.leased_count, c.done_count, c.excluded_count, c.attempt_count,
            case when c.state = 'running' and c.parent_id is null then least(c.concurrency, coalesce(c.share, c.concurrency)) else 0 end as lines,
            coalesce(h.held, 0) as held
          from campaigns c left join campaigns p on p.id = c.parent_id left join sequences s on s.id = c.sequence_id
            left join held h on h.campaign_id = c.id
          where c.ended_at is null
        ), named as (
          select brand, name, of_sequence, run, sum(open_count) filter (where is_own) as open, sum(leased_count) filter (where is_own) as leased,
            sum(done_count) filter (where is_own) as done, sum(excluded_count) filter (where is_own) as excluded,
            sum(attempt_count) filter (where is_own) as attempts, sum(lines) as lines, sum(held) as held
          from one group by brand, name, of_sequence, run
        ), ranked as (
          select *, row_number() over (order by held desc, lines desc, name, brand, run) > ${most} as is_beyond from named
        )
        select case when is_beyond then 'other' else brand end as brand, case when not is_beyond then name end as name,
          of_sequence and not is_beyond as "ofSequence", case when not is_beyond then run end as run,
          coalesce(sum(open), 0)::float8 as open, coalesce(sum(leased), 0)::float8 as leased, coalesce(sum(done), 0)::float8 as done,
          coalesce(sum(excluded), 0)::float8 as excluded, coalesce(sum(attempts), 0)::float8 as attempts,
          coalesce(sum(lines), 0)::float8 as "limit", coalesce(sum(held), 0)::float8 as busy
        from ranked group by 1, 2, 3, 4`,
  );
}

export interface LinesInAll {
  /** What running campaigns may have together; of those that calls are placed into one by one what they have. */
  limit: number;
  busy: number;
  /** The same of those that have people waiting for a line. */
  wantedLimit: number;
  wantedBusy: number;
  /** What calls hold that are up, and what running campaigns could use now beside that. */
  wanted: number;
}

/**
 * Planning says who waits for a line. Where it is so late nobody plans, as without a worker: then whoever has not been
 * called may be waiting. Plannings that are looked for are seconds late at most.
 */
const LATE_PLANNING_MS = 15_000;

/** People who wait for money, and not for a line, want none. */
async function readLines(db: Db, nowMs: number): Promise<LinesInAll> {
  const late = at(nowMs - LATE_PLANNING_MS);
  const lines = await firstRow<LinesInAll>(
    db,
    sql`with held as (
          select campaign_id, sum(held) as held from batches where state <> 'settled' group by campaign_id
        )
        select coalesce(sum(case when c.standing then h.held else least(c.concurrency, coalesce(c.share, c.concurrency)) end)
            filter (where c.state = 'running'), 0)::float8 as "limit",
          coalesce(sum(h.held), 0)::float8 as busy,
          coalesce(sum(least(c.concurrency, coalesce(c.share, c.concurrency))) filter (where c.starved and c.state = 'running'), 0)::float8 as "wantedLimit",
          coalesce(sum(h.held) filter (where c.starved and c.state = 'running'), 0)::float8 as "wantedBusy",
          coalesce(sum(case
            when c.state = 'running' and c.short_of is null and (c.starved or coalesce(c.next_look_at, c.started_at, c.created_at) <= ${late})
              then greatest(coalesce(h.held, 0), least(c.concurrency, coalesce(c.share, c.concurrency), coalesce(h.held, 0) + c.open_count))
            else coalesce(h.held, 0) end), 0)::float8 as wanted
        from campaigns c left join held h on h.campaign_id = c.id where c.ended_at is null`,
  );
  return lines ?? { limit: 0, busy: 0, wantedLimit: 0, wantedBusy: 0, wanted: 0 };
}

interface Counted {
  n: number;
}

export interface Waiting {
  kind: OutboxKind;
  n: number;
  /** When the first of them came due; null: none has. Unix milliseconds. */
  dueSinceMs: number | null;
}

/** An index probe for each kind, and as many of its entries as there are, up to the bound. */
function readOutbox(db: Db, nowMs: number): Promise<Waiting[]> {
  return rows<Waiting>(
    db,
    sql`select k.kind, c.n, ${ms(sql`d.due_at`)} as "dueSinceMs"
        from ${listOf(OUTBOX_KINDS, "text")} as k(kind)
        cross join lateral (
          select count(*)::int as n from (select 1 from outbox o where o.kind = k.kind order by o.due_at, o.id limit ${MOST_COUNTED}) as a) c
        left join lateral (
          select o.due_at from outbox o where o.kind = k.kind and o.due_at <= ${at(nowMs)} order by o.due_at limit 1) d on true`,
  );
}

/** What is not a list of kinds. */
export interface Depths {
  inOrder: number;
  aside: number;
  /** When the first delivery that waits in order was accepted; null: none waits. Unix milliseconds. */
  acceptedMs: number | null;
  followUps: number;
  followUpSinceMs: number | null;
  /** When the latest of the active schedules should have been decided; null: none is behind. */
  scheduleDueMs: number | null;
}

async function readDepths(db: Db, nowMs: number): Promise<Depths> {
  const depths = await firstRow<Depths>(
    db,
    sql`select
          (select count(*)::int from (select 1 from outbox where kind = 'delivery' and tries = 0 order by id limit ${MOST_COUNTED}) as a) as "inOrder",
          (select count(*)::int from (select 1 from outbox where kind = 'delivery' and tries > 0 order by due_at limit ${MOST_COUNTED}) as a) as aside,
          (select ${ms(sql`created_at`)} from outbox where kind = 'delivery' and tries = 0 order by id limit 1) as "acceptedMs",
          (select count(*)::int from (select 1 from follow_ups where ended_at is null order by created_at limit ${MOST_COUNTED}) as a) as "followUps",
          (select ${ms(sql`created_at`)} from follow_ups where ended_at is null order by created_at limit 1) as "followUpSinceMs",
          (select ${ms(sql`min(next_look_at)`)} from schedules where state = 'active' and next_look_at <= ${at(nowMs)}) as "scheduleDueMs"`,
  );
  if (!depths) throw new Error("a statement without a table gave no row");
  return depths;
}

function readOverdue(db: Db, nowMs: number): Promise<({ kind: OpenKind } & Counted)[]> {
  const now = at(nowMs);
  const most = MOST_COUNTED;
  return rows<{ kind: OpenKind } & Counted>(
    db,
    sql`select 'campaign' as kind, count(*)::int as n from (select 1 from campaigns where look_by <= ${now} limit ${most}) as a union all
        select 'batch', count(*)::int from (select 1 from batches where look_by <= ${now} limit ${most}) as a union all
        select 'key_rotation', count(*)::int from (select 1 from key_rotations where look_by <= ${now} limit ${most}) as a union all
        select 'automation', count(*)::int from (select 1 from automations where look_by <= ${now} limit ${most}) as a union all
        select 'schedule', count(*)::int from (select 1 from schedules where look_by <= ${now} limit ${most}) as a union all
        select 'schedule_run', count(*)::int from (select 1 from schedule_runs where look_by <= ${now} limit ${most}) as a union all
        select 'enrolment', count(*)::int from (select 1 from enrolments where look_by <= ${now} limit ${most}) as a union all
        select 'follow_up', count(*)::int from (select 1 from follow_ups where look_by <= ${now} limit ${most}) as a`,
  );
}

/** What is listed by a word of its own. */
export type Listed =
  | { list: "campaign"; word: CampaignState; n: number }
  | { list: "batch"; word: BatchState; n: number }
  | { list: "trouble"; word: BatchTrouble; n: number }
  | { list: "attention"; word: AttentionKind; n: number }
  | { list: "schedule_run"; word: ScheduleRunState; n: number };

function readListed(db: Db): Promise<Listed[]> {
  return rows<Listed>(
    db,
    sql`select 'campaign' as list, state as word, count(*)::int as n from campaigns where ended_at is null and not standing group by state union all
        select 'batch', state, count(*)::int from batches where state <> 'settled' group by state union all
        select 'trouble', trouble, count(*)::int from batches where state <> 'settled' and trouble is not null group by trouble union all
        select 'attention', kind, count(*)::int from (
          select kind from attention where resolved_at is null limit ${MOST_COUNTED}) as a group by kind union all
        select 'schedule_run', state, count(*)::int from (
          select state from schedule_runs where ended_at is null limit ${MOST_COUNTED}) as a group by state`,
  );
}

export interface MoneyOfBrand {
  brand: string;
  heldMicros: number;
  spentMicros: number;
}

/** What brands hold, and spent on this day of UTC: of a day's rows, one or a few a campaign. */
function readMoney(db: Db, nowMs: number): Promise<MoneyOfBrand[]> {
  const today = moneyDayAt(nowMs);
  return rows<MoneyOfBrand>(
    db,
    sql`with held as (select brand, sum(held_micros) as micros from spending where held_micros <> 0 group by brand)
        select b.id as brand, coalesce(h.micros, 0)::float8 as "heldMicros", coalesce(t.micros, 0)::float8 as "spentMicros"
        from brands b left join held h on h.brand = b.id
        cross join lateral (
          select sum(s.spent_micros) as micros from spending s
          where s.brand = b.id and s.stretch >= ${at(earliestStretchMs(today))} and s.leased_at >= ${at(today.beginsAtMs)}) t
        order by b.id`,
  );
}

export interface SwitchesSeen {
  /** The clock of the ledger's machine. Unix milliseconds. */
  clockMs: number;
  isStopped: boolean;
  isRecovering: boolean;
  hasNoCredit: boolean;
  balanceMicros: number | null;
  balanceAtMs: number | null;
}

function readSwitchesSeen(db: Db): Promise<SwitchesSeen | undefined> {
  return firstRow<SwitchesSeen>(
    db,
    sql`select ${ms(sql`clock_timestamp()`)} as "clockMs", stopped_at is not null as "isStopped",
          recovery_reason is not null as "isRecovering", no_credit_at is not null as "hasNoCredit",
          balance_micros::float8 as "balanceMicros", ${ms(sql`balance_at`)} as "balanceAtMs"
        from installation`,
  );
}

export interface StandingOfLedger {
  campaigns: readonly CampaignStanding[];
  lines: LinesInAll;
  outbox: readonly Waiting[];
  depths: Depths;
  overdue: ReadonlyMap<OpenKind, number>;
  listed: readonly Listed[];
  money: readonly MoneyOfBrand[];
  /** Undefined: nothing was ever written into it. */
  switches: SwitchesSeen | undefined;
  /** By how much the clock of the ledger's machine is ahead. */
  clockAheadMs: number | undefined;
}

/** @param input.campaigns how many of them are told apart */
export async function readStanding(
  db: Db,
  input: { campaigns: number; now: () => number },
): Promise<StandingOfLedger> {
  const nowMs = input.now();
  const switches = await readSwitchesSeen(db);
  const tookMs = input.now() - nowMs;
  const overdue = await readOverdue(db, nowMs);
  return {
    switches,
    clockAheadMs: switches && switches.clockMs - nowMs - tookMs / 2,
    campaigns: await readCampaigns(db, input.campaigns),
    lines: await readLines(db, nowMs),
    outbox: await readOutbox(db, nowMs),
    depths: await readDepths(db, nowMs),
    overdue: new Map(OPEN_KINDS.map((kind) => [kind, overdue.find((one) => one.kind === kind)?.n ?? 0])),
    listed: await readListed(db),
    money: await readMoney(db, nowMs),
  };
}
