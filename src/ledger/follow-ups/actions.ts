import { sql, type SQL } from "drizzle-orm";

import {
  actionSpecSchema,
  type ActionKind,
  type ActionSpec,
  type ActionState,
} from "../../domain/follow-ups/actions.ts";
import { traceToKeep } from "../../tracing/work.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { document, moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import { at, json } from "../ground/sql.ts";

/*
 * Actions: what is done after a call or by a step, one row each. What came of every try stands in action-tries.ts. The
 * row of the follow-up is locked before those of its actions.
 */

const ACTION = record({
  id: text,
  followUpId: optional(text),
  enrolmentId: optional(text),
  scheduleRunId: optional(text),
  /** The rule or the step, and its place in it. */
  owner: text,
  n: number,
  kind: word<ActionKind>(),
  spec: document((spec) => actionSpecSchema.parse(spec)),
  state: word<ActionState>(),
  tries: number,
  nextTryAtMs: optional(moment),
  sentAtMs: optional(moment),
  externalId: optional(text),
  request: optional(document<Record<string, unknown>>()),
  answer: optional(document<Record<string, unknown>>()),
  error: optional(text),
  /** When a person wanted it done last, whatever it had come to. */
  insistedAtMs: optional(moment),
  createdAtMs: moment,
  endedAtMs: optional(moment),
  /** The trace that it was written in. */
  traceParent: optional(text),
});

export interface Action extends RecordOf<typeof ACTION> {}

/** What makes it the same thing again, wherever it goes. */
export function keyOf(action: Pick<Action, "id" | "spec">): string {
  return action.spec.key ?? action.id;
}

export type ActionOwner = { followUpId: string } | { enrolmentId: string } | { scheduleRunId: string };

export interface NewAction {
  owner: string;
  n: number;
  spec: ActionSpec;
  state: "due" | "waiting";
}

/** Writes one action down. Returns its id. */
export async function createAction(
  tx: Db,
  input: NewAction & { of: ActionOwner; nowMs: number },
): Promise<string> {
  const [id] = await createActions(tx, { of: input.of, actions: [input], nowMs: input.nowMs });
  if (id === undefined) throw new Error("an action was written, and is not there");
  return id;
}

/**
 * Writes actions down, in one statement. Returns their ids, in the same order.
 *
 * An id is derived from what the action follows, so that one that a ledger lost and makes anew, after a restore, has
 * the key that receivers know it by (I5).
 */
export async function createActions(
  tx: Db,
  input: { of: ActionOwner; actions: readonly NewAction[]; nowMs: number },
): Promise<string[]> {
  if (input.actions.length === 0) return [];
  const written = input.actions.map((action) => ({
    owner: action.owner,
    n: action.n,
    kind: action.spec.kind,
    spec: action.spec,
    state: action.state,
  }));
  const followUpId = "followUpId" in input.of ? input.of.followUpId : null;
  const enrolmentId = "enrolmentId" in input.of ? input.of.enrolmentId : null;
  const scheduleRunId = "scheduleRunId" in input.of ? input.of.scheduleRunId : null;
  const made = await rows<{ id: string; owner: string; n: number }>(
    tx,
    sql`with cause as (select ${causeOf(input.of)} as name),
          named as (
            select r.*, ${uuidOf(sql`cause.name || E'\n' || r.owner || E'\n' || r.n`)} as id
            from jsonb_to_recordset(${json(written)}) as r(owner text, n smallint, kind text, spec jsonb, state text), cause)
        insert into actions (id, follow_up_id, enrolment_id, schedule_run_id, owner, n, kind, spec, state, next_try_at, created_at, trace_parent)
        select case when exists (select 1 from actions a where a.id = r.id) then gen_random_uuid() else r.id end,
               ${followUpId}::uuid, ${enrolmentId}::uuid, ${scheduleRunId}::uuid, r.owner, r.n, r.kind, r.spec, r.state,
               case when r.state = 'due' then ${at(input.nowMs)} end, ${at(input.nowMs)}, ${traceToKeep()}
        from named r
        returning id, owner, n`,
  );
  return input.actions.map(({ owner, n }) => {
    const id = made.find((one) => one.owner === owner && one.n === n)?.id;
    if (id === undefined) throw new Error("an action was written, and is not there");
    return id;
  });
}

/**
 * What actions follow, in words that a restored ledger comes to again: the platform's id of the call, which is the
 * call's for ever; without one, whose call it was, and which. An enrolment and a run are known by their own ids.
 */
function causeOf(of: ActionOwner): SQL {
  if ("enrolmentId" in of) return sql`${`enrolment ${of.enrolmentId}`}::text`;
  if ("scheduleRunId" in of) return sql`${`run ${of.scheduleRunId}`}::text`;
  return sql`(select concat_ws(' ', (select installation_id from installation),
                coalesce('call ' || a.call_id,
                  'contact ' || concat_ws(' ', a.campaign_id, coalesce(c.placement, a.phone), a.attempt_no)))
              from follow_ups f join attempts a on a.id = f.attempt_id join contacts c on c.id = a.contact_id
              where f.id = ${of.followUpId}::uuid)`;
}

/** A UUID of version 8 (RFC 9562) out of a SHA-256: 120 bits of it, and the fixed ones. */
function uuidOf(name: SQL): SQL {
  const hex = sql`left(encode(sha256(convert_to(${name}, 'UTF8')), 'hex'), 32)`;
  return sql`overlay(overlay(${hex} placing '8' from 13 for 1) placing 'a' from 17 for 1)::uuid`;
}

export function readAction(db: Db, actionId: string): Promise<Action | undefined> {
  return firstRow(db, sql`select ${ACTION.columns} from actions where id = ${actionId}::uuid`, ACTION);
}

/** Takes its row lock; that of its follow-up is taken before. */
export function lockAction(tx: Db, actionId: string): Promise<Action | undefined> {
  return firstRow(
    tx,
    sql`select ${ACTION.columns} from actions where id = ${actionId}::uuid for update`,
    ACTION,
  );
}

/** In the order of their rules' names and places. */
export function listActionsOf(db: Db, of: ActionOwner): Promise<Action[]> {
  const condition =
    "followUpId" in of
      ? sql`follow_up_id = ${of.followUpId}::uuid`
      : "enrolmentId" in of
        ? sql`enrolment_id = ${of.enrolmentId}::uuid`
        : sql`schedule_run_id = ${of.scheduleRunId}::uuid`;
  return rows(
    db,
    sql`select ${ACTION.columns} from actions where ${condition} order by created_at, owner, n`,
    ACTION,
  );
}
