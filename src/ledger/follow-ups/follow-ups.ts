import { sql, type SQL } from "drizzle-orm";

import { turnOf, type ActionPlace, type ActionState } from "../../domain/follow-ups/actions.ts";
import { campaignSpecSchema } from "../../domain/campaigns/campaign-spec.ts";
import type { FollowUpFacts } from "../../domain/follow-ups/follow-up-plan.ts";
import { eventsFrom } from "../ground/write-events.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { GRACE_MS, lookedAt } from "../ground/look-by.ts";
import {
  document,
  from,
  moment,
  number,
  optional,
  record,
  text,
  texts,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, json, listOf, ms } from "../ground/sql.ts";

/*
 * Follow-ups: one row for each call that a rule may be for, written with the call's outcome (I5).
 *
 * 1. There is one of an attempt, whatever is told how often.
 * 2. Its rules are those of the policy that was in force when the call ended.
 * 3. It is over when none of its actions can go on by itself. What failed for good leaves it failed, where people
 *    see it; their word opens it again.
 */

export type FollowUpState = "waiting" | "acting" | "done" | "failed";

/** How the waiting for the call's processing ended. */
export type Processing = "processed" | "processing_failed" | "overdue" | "no_call" | "not_needed";

const FOLLOW_UP = record(
  {
    id: text,
    attemptId: number,
    campaignId: text,
    campaignName: from("p.name", text),
    contactId: number,
    phone: text,
    /** All that the contact may be in, as the campaign dials by them. */
    zones: from("coalesce(z.zones, '{}')", texts),
    callId: optional(text),
    disposition: text,
    policyVersion: number,
    state: word<FollowUpState>(),
    processing: optional(word<Processing>()),
    waitUntilMs: moment,
    hintedAtMs: optional(moment),
    looks: number,
    rules: optional(document<string[]>()),
    labels: optional(document<Record<string, string>>()),
    /** Actions that failed for good or may have been done, while others may still be tried. */
    failedActions: from(
      "(select count(*)::int from actions x where x.follow_up_id = f.id and x.state in ('failed', 'unknown'))",
      number,
    ),
    createdAtMs: moment,
    endedAtMs: optional(moment),
    /** The trace that had the call made. */
    traceParent: from(
      "coalesce(c.trace_parent, (select b.trace_parent from attempts a join batches b on b.id = a.batch_id where a.id = f.attempt_id))",
      optional(text),
    ),
  },
  "f",
);

export interface FollowUp extends RecordOf<typeof FOLLOW_UP> {}

const FROM = sql`follow_ups f join campaigns p on p.id = f.campaign_id
  left join contacts c on c.id = f.contact_id left join lanes l on l.id = c.lane_id left join zone_sets z on z.id = l.zone_set_id`;

export function readFollowUp(db: Db, followUpId: string): Promise<FollowUp | undefined> {
  return firstRow(
    db,
    sql`select ${FOLLOW_UP.columns} from ${FROM} where f.id = ${followUpId}::uuid`,
    FOLLOW_UP,
  );
}

/** Takes its row lock: what every change of it and of its actions holds. */
export async function lockFollowUp(tx: Db, followUpId: string): Promise<FollowUpState | undefined> {
  const row = await firstRow<{ state: FollowUpState }>(
    tx,
    sql`select state from follow_ups where id = ${followUpId}::uuid for update`,
  );
  return row?.state;
}

/** Whose call of which campaign it follows, where it has not ended; undefined where it has. */
export function readOpen(
  db: Db,
  followUpId: string,
): Promise<{ name: string; brand: string; phone: string } | undefined> {
  return firstRow(
    db,
    sql`select c.name, c.brand, f.phone from follow_ups f join campaigns c on c.id = f.campaign_id
        where f.id = ${followUpId}::uuid and f.ended_at is null`,
  );
}

interface FactsRow {
  spec: unknown;
  attempt_no: number;
  disposition: string;
  disposition_reason: string | null;
  call_id: string | null;
  started_ms: number | null;
  ended_ms: number | null;
  duration_seconds: number | null;
  phone: string;
  region: string | null;
  zones: string[];
  variables: Record<string, string>;
  campaign_id: string;
  name: string;
  brand: string;
  run: number;
  item_status: string | null;
  error_text: string | null;
}

/** What the rules of a follow-up may speak of, and those rules. */
export async function readFollowUpFacts(db: Db, followUpId: string): Promise<FollowUpFacts | undefined> {
  const row = await firstRow<FactsRow>(
    db,
    sql`select v.spec, a.attempt_no, a.disposition, a.disposition_reason, a.call_id, ${ms(sql`a.started_at`)} as started_ms,
          ${ms(sql`a.ended_at`)} as ended_ms, a.duration_seconds, a.item_status, a.error_text, c.phone, c.region, z.zones, c.variables, p.id as campaign_id,
          p.name, p.brand, p.run
        from follow_ups f
          join attempts a on a.id = f.attempt_id
          join contacts c on c.id = f.contact_id
          join lanes l on l.id = c.lane_id
          join zone_sets z on z.id = l.zone_set_id
          join campaigns p on p.id = f.campaign_id
          join policy_versions v on v.campaign_id = f.campaign_id and v.version = f.policy_version
        where f.id = ${followUpId}::uuid`,
  );
  if (!row) return undefined;
  const iso = (momentMs: number | null) => (momentMs === null ? null : new Date(momentMs).toISOString());
  const { follow_ups: rules = [], sensitive } = campaignSpecSchema.parse(row.spec);
  return {
    rules,
    sensitive,
    attempt: {
      number: row.attempt_no,
      disposition: row.disposition,
      reason: row.disposition_reason,
      call_id: row.call_id,
      started_at: iso(row.started_ms),
      ended_at: iso(row.ended_ms),
      duration_seconds: row.duration_seconds,
    },
    item: { status: row.item_status, error: row.error_text },
    contact: { phone: row.phone, region: row.region },
    zones: row.zones,
    variables: row.variables,
    campaign: { id: row.campaign_id, name: row.name, brand: row.brand, run: row.run },
  };
}

/** Notes that the call was looked at and is not processed yet, and when it is looked at again. */
export async function recordLook(db: Db, followUpId: string, againAtMs: number): Promise<void> {
  await rows(
    db,
    sql`update follow_ups set looks = looks + 1, ${lookedAt(againAtMs + GRACE_MS)}
        where id = ${followUpId}::uuid and state = 'waiting'`,
  );
}

/** The waiting is over: what was found out is written down. False where somebody else did so. */
export async function beginActing(
  tx: Db,
  input: {
    followUpId: string;
    processing: Processing;
    rules: readonly string[];
    labels: Record<string, string>;
  },
): Promise<boolean> {
  const begun = await rows(
    tx,
    sql`update follow_ups set state = 'acting', processing = ${input.processing}, rules = ${json(input.rules)},
          labels = ${json(input.labels)}
        where id = ${input.followUpId}::uuid and state = 'waiting' returning 1 as one`,
  );
  return begun.length > 0;
}

/** Gives the next actions their turn, and ends the follow-up where none is left that goes on by itself. Under its lock. */
export async function advanceFollowUp(tx: Db, followUpId: string, nowMs: number): Promise<FollowUpState> {
  const actions = await rows<
    Omit<ActionPlace, "flow"> & { flow: ActionPlace["flow"] | null; state: ActionState }
  >(
    tx,
    sql`select id, owner, n, state, spec->'flow' as flow from actions where follow_up_id = ${followUpId}::uuid`,
  );
  const { due, state } = turnOf(
    actions.map((action) => ({ ...action, flow: action.flow ?? { inOrder: false, onFailure: "continue" } })),
  );
  if (due.length > 0) {
    await rows(
      tx,
      sql`update actions set state = 'due', next_try_at = ${at(nowMs)} where id in ${listOf(due, "uuid")} and state = 'waiting'`,
    );
  }
  await rows(
    tx,
    sql`with moved as (
          update follow_ups set state = ${state}, ended_at = ${state === "acting" ? sql`null` : sql`coalesce(ended_at, ${at(nowMs)})`},
            look_by = ${state === "acting" ? sql`least(look_by, ${at(nowMs + GRACE_MS)})` : sql`null`}
          where id = ${followUpId}::uuid and (state <> ${state} or (ended_at is null) <> ${state === "acting"})
          returning *)
        ${eventsFrom(
          sql`select 'follow_up.' || state as type, null::text as brand, campaign_id,
                jsonb_build_object('follow_up_id', id, 'phone', phone, 'call_id', call_id) as data
              from moved where state in ('done', 'failed')`,
          nowMs,
        )}`,
  );
  return state;
}

/** Actions of one follow-up that are tried at the same time. */
const MAX_AT_ONCE = 10;

/** The actions that are to be tried now, the longest due first, and in how long the next one is. */
export async function dueActions(
  db: Db,
  followUpId: string,
  nowMs: number,
): Promise<{ actionIds: string[]; waitMs: number | undefined }> {
  const due = await rows<{ id: string; next_ms: number }>(
    db,
    sql`select id, ${ms(sql`coalesce(next_try_at, created_at)`)} as next_ms from actions
        where follow_up_id = ${followUpId}::uuid and state = 'due' order by next_ms, owner, n`,
  );
  const now = due.filter((action) => action.next_ms <= nowMs).slice(0, MAX_AT_ONCE);
  const next = due[now.length];
  return {
    actionIds: now.map(({ id }) => id),
    waitMs: next === undefined ? undefined : Math.max(0, next.next_ms - nowMs),
  };
}

export interface FollowUpFilter {
  state?: FollowUpState;
  /** Only those with an action that failed for good or may have been done, whatever of them still goes on. */
  failed?: boolean;
  campaignId?: string;
  phone?: string;
  /** Only those of calls of this brand. */
  brand?: string;
  /** Go on behind this one: its time and id. */
  after?: { createdAtMs: number; id: string };
  limit: number;
}

/** Follow-ups, the newest first. */
export async function listFollowUps(
  db: Db,
  filter: FollowUpFilter,
): Promise<{ items: FollowUp[]; total: number }> {
  const conditions: SQL[] = [
    ...(filter.state === undefined ? [] : [sql`f.state = ${filter.state}`]),
    // By the index of actions by state: what has failed and was not dealt with is little.
    ...(filter.failed === true
      ? [sql`f.id in (select x.follow_up_id from actions x where x.state in ('failed', 'unknown'))`]
      : []),
    ...(filter.campaignId === undefined ? [] : [sql`f.campaign_id = ${filter.campaignId}::uuid`]),
    ...(filter.phone === undefined ? [] : [sql`f.phone = ${filter.phone}`]),
    ...(filter.brand === undefined
      ? []
      : [sql`f.campaign_id in (select c.id from campaigns c where c.brand = ${filter.brand})`]),
  ];
  const where = sql.join([sql`true`, ...conditions], sql` and `);
  const behind =
    filter.after === undefined
      ? sql`true`
      : sql`(f.created_at, f.id) < (${at(filter.after.createdAtMs)}, ${filter.after.id}::uuid)`;
  const items = await rows(
    db,
    sql`select ${FOLLOW_UP.columns} from ${FROM} where ${where} and ${behind} order by f.created_at desc, f.id desc limit ${filter.limit}`,
    FOLLOW_UP,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from follow_ups f where ${where}`,
  );
  return { items, total: total?.n ?? 0 };
}
