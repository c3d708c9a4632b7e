import { sql, type SQL } from "drizzle-orm";

import { rows, type Db } from "./connection.ts";
import { takePass } from "./passes.ts";
import { at, atOrNull, listOf } from "./sql.ts";

/*
 * Liveness. What is open says in its own row by when it is looked at, at the latest: `look_by`.
 *
 * 1. Each turn says it anew, in a transaction that it makes anyway: when it wants to be looked at next, and a grace for
 *    whoever has that timer. What is told of something is to have moved it within a grace.
 * 2. So whatever is open has a `look_by`, or stands in the outbox, but for what waits for a person alone. What is over
 *    has none.
 * 3. What is overdue has lost a signal, its workflow, or all of Temporal, or was to sleep until now. It is told again,
 *    whichever it is, and its grace doubles until it moves: `unmoved` counts how often it was told in vain.
 *
 * So what nobody has to look at costs nothing, and what is overdue is found by an index that holds it first.
 */

/** What has a life of its own, those that make others move first. */
export const OPEN_KINDS = [
  "campaign",
  "batch",
  "key_rotation",
  "automation",
  "schedule",
  "schedule_run",
  "enrolment",
  "follow_up",
] as const;

export type OpenKind = (typeof OPEN_KINDS)[number];

const TABLES: Record<OpenKind, SQL> = {
  campaign: sql`campaigns`,
  batch: sql`batches`,
  key_rotation: sql`key_rotations`,
  automation: sql`automations`,
  schedule: sql`schedules`,
  schedule_run: sql`schedule_runs`,
  follow_up: sql`follow_ups`,
  enrolment: sql`enrolments`,
};

/** What a look may be late by before it counts as lost: a busy server and a worker that is replaced take less. */
export const GRACE_MS = 60_000;

/** After six doublings: about an hour. */
const MOST_DOUBLINGS = 6;

/** What the outbox holds is told as soon as it can be: until then nobody looks at it for anything else. */
const IN_OUTBOX_MS = 10 * 60_000;

/** For an update that a turn makes anyway. @param atMs undefined: it is over, or waits for a person. */
export function lookedAt(atMs: number | undefined): SQL {
  return sql`look_by = ${atOrNull(atMs)}, unmoved = 0`;
}

/**
 * Says when something is looked at next, where its turn writes nothing else about it: one statement, which mostly
 * writes nothing either. What is over stays so.
 */
export async function noteLook(
  db: Db,
  kind: OpenKind,
  id: string,
  { nowMs, waitMs }: { nowMs: number; waitMs: number },
): Promise<void> {
  const byMs = nowMs + waitMs + GRACE_MS;
  await rows(
    db,
    sql`update ${TABLES[kind]} set ${lookedAt(byMs)}
        where id = ${id}::uuid and look_by is not null
          and (unmoved > 0 or look_by not between ${at(byMs - GRACE_MS / 2)} and ${at(byMs + GRACE_MS / 2)})`,
  );
}

/** Has these looked at by then, unless they are sooner. The caller holds their locks, or it is one. */
export async function lookSoon(tx: Db, kind: OpenKind, ids: readonly string[], byMs: number): Promise<void> {
  await rows(
    tx,
    sql`update ${TABLES[kind]} set look_by = ${at(byMs)}
        where id in ${listOf(ids, "uuid")} and look_by > ${at(byMs)}`,
  );
}

/**
 * Has one that is told of something looked at by then, should it not hear that. One that was told in vain before keeps
 * its grace, which doubles; whoever holds it at the moment is moving it.
 */
export async function expectMove(db: Db, kind: OpenKind, id: string, byMs: number): Promise<void> {
  await rows(
    db,
    sql`update ${TABLES[kind]} set look_by = ${at(byMs)} where id in (
          select id from ${TABLES[kind]} where id = ${id}::uuid and look_by > ${at(byMs)} and unmoved = 0
          for update skip locked)`,
  );
}

/** As `lookSoon`, of whichever of them nobody holds at the moment: whoever does is moving it. */
export async function lookNow(db: Db, kind: OpenKind, ids: readonly string[], nowMs: number): Promise<void> {
  await bringForward(db, kind, sql`id in ${listOf(ids, "uuid")}`, nowMs);
}

/** However many are open, none is held up by more. */
const A_WAVE = 10_000;

/** A Temporal that lost its data is noticed by each workflow that it lost: all are looked at once for that. */
const LOST_ONCE_MS = 10 * 60_000;

/** Has everything looked at now that is not asleep for longer than a turn takes: Temporal has lost a workflow, or all. */
export async function lookAtAllOnce(db: Db, nowMs: number): Promise<void> {
  if (!(await takePass(db, { name: "temporal lost its data", everyMs: LOST_ONCE_MS, nowMs }))) return;
  for (const kind of OPEN_KINDS) {
    const awake = kind === "enrolment" ? sql`look_by < ${at(nowMs + ASLEEP_FROM_MS)}` : sql`true`;
    await bringForward(db, kind, awake, nowMs);
  }
}

/** Enrolments sleep without a workflow; those that have one say that they are looked at sooner than this. */
const ASLEEP_FROM_MS = 15 * 60_000;

async function bringForward(db: Db, kind: OpenKind, which: SQL, nowMs: number): Promise<void> {
  await rows(
    db,
    sql`update ${TABLES[kind]} set look_by = ${at(nowMs)} where id in (
          select id from ${TABLES[kind]} where ${which} and look_by > ${at(nowMs)}
          order by look_by limit ${A_WAVE} for update skip locked)`,
  );
}

/** Which kinds have something overdue: a probe of an index each. */
export async function overdueKinds(db: Db, nowMs: number): Promise<OpenKind[]> {
  const now = at(nowMs);
  const found = await rows<{ kind: OpenKind }>(
    db,
    sql`select 'campaign' as kind where exists (select 1 from campaigns where look_by <= ${now}) union all
        select 'batch' where exists (select 1 from batches where look_by <= ${now}) union all
        select 'key_rotation' where exists (select 1 from key_rotations where look_by <= ${now}) union all
        select 'automation' where exists (select 1 from automations where look_by <= ${now}) union all
        select 'schedule' where exists (select 1 from schedules where look_by <= ${now}) union all
        select 'schedule_run' where exists (select 1 from schedule_runs where look_by <= ${now}) union all
        select 'enrolment' where exists (select 1 from enrolments where look_by <= ${now}) union all
        select 'follow_up' where exists (select 1 from follow_ups where look_by <= ${now})`,
  );
  const due = new Set(found.map(({ kind }) => kind));
  return OPEN_KINDS.filter((kind) => due.has(kind));
}

export interface Overdue {
  id: string;
  /** How often it was told in vain, this time included. */
  unmoved: number;
  /** It stands there, be it in somebody's hands. */
  isInOutbox: boolean;
  /**
   * It waits there, so that it will be told after this. What is in somebody's hands may have been done already, before
   * its time had come.
   */
  isToldYet: boolean;
}

/**
 * Takes what has been overdue for longest. Whoever takes it tells it: a process that dies before that is made up for
 * by the grace.
 */
export async function takeOverdue(
  db: Db,
  kind: OpenKind,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<Overdue[]> {
  return rows<Overdue>(
    db,
    sql`with due as (
          select id from ${TABLES[kind]} where look_by <= ${at(nowMs)}
          order by look_by limit ${limit} for update skip locked
        ), seen as (
          select d.id, o.tries, coalesce(o.waits, false) as waits from due d left join lateral (
            select max(tries) as tries, bool_or(due_at <= ${at(nowMs)} or tries > 0) as waits
            from outbox where kind in ${listOf(TOLD_BY[kind], "text")} and subject = d.id::text) o on true
        )
        update ${TABLES[kind]} t set
            unmoved = least(t.unmoved + case when s.tries = 0 then 0 else 1 end, 1000),
            look_by = ${at(nowMs)} + case when s.waits then make_interval(secs => ${IN_OUTBOX_MS / 1_000}::int)
              else make_interval(secs => ${GRACE_MS / 1_000}::int * power(2, least(t.unmoved, ${MOST_DOUBLINGS}))) end
        from seen s where t.id = s.id
        returning t.id, t.unmoved, s.tries is not null as "isInOutbox", s.waits as "isToldYet"`,
  );
}

/** The outbox's kinds that are about them. */
const TOLD_BY: Record<OpenKind, readonly string[]> = {
  campaign: ["campaign"],
  batch: ["batch"],
  key_rotation: ["key_rotation"],
  automation: ["automation"],
  schedule: ["schedule"],
  schedule_run: ["schedule_run"],
  follow_up: ["follow_up", "follow_up_due"],
  enrolment: ["enrolment", "enrolment_due", "enrolment_bulk"],
};

/** Which of these have moved since they were told in vain, or are over. */
export async function movedOf(db: Db, kind: OpenKind, ids: readonly string[]): Promise<string[]> {
  const still = await rows<{ id: string }>(
    db,
    sql`select id from ${TABLES[kind]} where id in ${listOf(ids, "uuid")} and look_by is not null and unmoved > 0`,
  );
  const unmoved = new Set(still.map(({ id }) => id));
  return ids.filter((id) => !unmoved.has(id));
}
