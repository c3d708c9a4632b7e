import { sql, type SQL } from "drizzle-orm";

import { eventsFrom } from "../ground/write-events.ts";
import { rows, type Db } from "../ground/connection.ts";
import { presentAction, presentCall, type Enrolment } from "./enrolments.ts";
import { putOutbox } from "../ground/outbox.ts";
import { withdrawPlacement } from "../campaigns/placement-changes.ts";
import { at, json } from "../ground/sql.ts";

/** How an enrolment ends that does not come to its end by itself. */
export interface EnrolmentEnding {
  outcome: string;
  reason: string;
}

/** As a part of a statement that has moved enrolments, as `moved`: those of them that are over are told. */
export function enrolmentsFinished(nowMs: number): SQL {
  return eventsFrom(
    sql`select 'enrolment.finished' as type, s.brand, null::uuid as campaign_id,
          jsonb_build_object('enrolment_id', e.id, 'sequence', s.name, 'phone', e.phone, 'key', e.key,
            'outcome', e.outcome, 'reason', e.reason) as data
        from moved e join sequences s on s.id = e.sequence_id where e.state = 'done'`,
    nowMs,
  );
}

/**
 * Takes people out of a sequence who are locked by this transaction: what they wait for is withdrawn, and their
 * workflows are told.
 */
export async function endEnrolments(
  tx: Db,
  enrolments: readonly Enrolment[],
  ending: EnrolmentEnding,
  nowMs: number,
): Promise<void> {
  if (enrolments.length === 0) return;
  const ids = enrolments.map(({ id }) => id);
  await rows(
    tx,
    sql`with moved as (
          update enrolments set state = 'done', outcome = ${ending.outcome}, reason = ${ending.reason}, parked = false,
            wake_at = null, look_by = null, turn = turn + 1, ended_at = ${at(nowMs)}
          where id in (select value::uuid from jsonb_array_elements_text(${json(ids)}) as t(value)) returning *)
        ${enrolmentsFinished(nowMs)}`,
  );
  await rows(
    tx,
    sql`insert into journeys (enrolment_id, n, at, step, what, detail)
        select r.id, r.n, ${at(nowMs)}, r.step, 'exit', ${json(ending)}
        from jsonb_to_recordset(${json(
          enrolments.map(({ id, position, step }) => ({ id, n: position.entries + 1, step })),
        )}) as r(id uuid, n int, step text)`,
  );
  await withdraw(tx, enrolments, ending.reason, nowMs);
  await putOutbox(
    tx,
    ids.map((subject) => ({ kind: "enrolment", subject, dueAtMs: nowMs })),
  );
}

/** Their calls and actions, campaign by campaign in the order of their ids, as everybody locks them. */
async function withdraw(
  tx: Db,
  enrolments: readonly Enrolment[],
  reason: string,
  nowMs: number,
): Promise<void> {
  const placements = enrolments.flatMap((enrolment) => presentCall(enrolment) ?? []);
  const ordered = await rows<{ placement: string }>(
    tx,
    sql`select c.placement from contacts c
        where c.placement in (select value from jsonb_array_elements_text(${json(placements)}) as t(value))
        order by c.campaign_id, c.placement`,
  );
  for (const { placement } of ordered) await withdrawPlacement(tx, { placement, reason, nowMs });
  for (const enrolment of enrolments) {
    const actionId = presentAction(enrolment);
    if (actionId !== undefined) await dropAction(tx, actionId, reason, nowMs);
  }
}

/**
 * An action that nobody waits for any more is not tried again. What a try of it sent already may still take effect,
 * and is heard by nobody.
 */
export async function dropAction(tx: Db, actionId: string, reason: string, nowMs: number): Promise<void> {
  await rows(
    tx,
    sql`update actions set state = 'skipped', error = ${`not waited for any more: ${reason}`}, next_try_at = null, ended_at = ${at(nowMs)}
        where id = ${actionId}::uuid and state in ('waiting', 'due')`,
  );
}
