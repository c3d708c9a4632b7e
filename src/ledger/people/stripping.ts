import { sql, type SQL } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";
import { at, listOf } from "../ground/sql.ts";

/*
 * Taking the person out of what stays: rows that tallies, reports and proofs count keep their place and what came of
 * them, and nothing of whom they were about.
 *
 * 1. Only what is over is stripped: whoever calls this has made sure of it, or selects nothing else.
 * 2. Instead of a number each contact, and each enrolment, gets a name of its own. It is no number, so that nothing dials
 *    it and no clone takes it, and two of one person can't be told to be of the same.
 * 3. What hangs on a row goes in the same transaction, before the row loses what it is found by.
 */

/** How what stands instead of a number begins. Numbers begin with `+`. */
const FORGOTTEN = "forgotten:";

const inIds = (ids: readonly (number | string)[], type: "bigint" | "uuid"): SQL => listOf(ids, type);

/** What an action's spec is without whom it was about: it is still one of its kind, and is not done again. */
const STRIPPED_SPEC = sql`(n.spec - 'problems' - 'unplanned' - 'unreadable' - 'personKey' - 'key')
  || '{"subject": {}, "forgotten": true}'::jsonb
  || case when n.spec ? 'data' then '{"data": {}}'::jsonb else '{}'::jsonb end
  || case when n.spec ? 'variables' then '{"variables": {}}'::jsonb else '{}'::jsonb end
  || case when n.spec ? 'headers' then '{"headers": {}}'::jsonb else '{}'::jsonb end
  || case when n.spec ? 'phone' then '{"phone": "forgotten"}'::jsonb else '{}'::jsonb end
  || case when n.spec ? 'reason' then '{"reason": "forgotten"}'::jsonb else '{}'::jsonb end
  || case when n.spec ? 'folder' then '{"folder": "forgotten"}'::jsonb else '{}'::jsonb end
  || case when jsonb_typeof(n.spec -> 'url') = 'string'
       then jsonb_build_object('url', regexp_replace(n.spec ->> 'url', '^([a-z]+://)(?:[^/?#@]*@)?([^/?#]*).*$', '\\1\\2'))
       else '{}'::jsonb end`;

interface Stripping {
  nowMs: number;
  /** Why: what waited for people because of an action says so. */
  because: string;
}

/** Actions that are over, of follow-ups or of enrolments; and what the platform said of runs that they began. */
export async function stripActions(tx: Db, whose: SQL, { nowMs, because }: Stripping): Promise<number> {
  await rows(
    tx,
    sql`update automation_executions x set error = null from actions n
        where ${whose} and n.kind = 'automation' and x.execution_id = n.external_id and x.error is not null`,
  );
  await rows(
    tx,
    sql`update attention t set resolved_at = ${at(nowMs)}, resolved_by = 'engine',
          resolution = ${because}, notice_at = ${at(nowMs)}
        from actions n where ${whose} and t.kind in ('action_failed', 'action_unknown') and t.subject = n.id::text
          and t.resolved_at is null`,
  );
  const stripped = await rows(
    tx,
    sql`update actions n set spec = ${STRIPPED_SPEC}, request = null, answer = null, error = null,
          external_id = case when n.kind = 'recording' then null else n.external_id end
        where ${whose} and not n.spec ? 'forgotten' returning 1 as one`,
  );
  return stripped.length;
}

/** What was stripped, by kind. */
export type Stripped = Record<string, number>;

/** Takes people out of contacts that are done or excluded, and out of all that hangs on them. */
export async function stripContacts(tx: Db, ids: readonly number[], how: Stripping): Promise<Stripped> {
  if (ids.length === 0) return {};
  const contacts = inIds(ids, "bigint");
  const ofFollowUps = sql`n.follow_up_id in (select f.id from attempts a join follow_ups f on f.attempt_id = a.id
    where a.contact_id in ${contacts})`;
  const actions = await stripActions(tx, ofFollowUps, how);
  const followUps = await rows(
    tx,
    sql`update follow_ups f set phone = ${FORGOTTEN} || a.contact_id, labels = null from attempts a
        where f.attempt_id = a.id and a.contact_id in ${contacts} returning 1 as one`,
  );
  const refusals = await rows(
    tx,
    sql`update refusals set detail = '' where contact_id in ${contacts} and detail <> '' returning 1 as one`,
  );
  await rows(
    tx,
    sql`update batches b set first_read = b.first_read #- array['undialed', a.phone],
          proven = (select jsonb_agg(p) from jsonb_array_elements(b.proven) p where p ->> 'phone' <> a.phone)
        from attempts a where a.contact_id in ${contacts} and b.id = a.batch_id and b.state = 'settled'
          and (b.first_read is not null or b.proven is not null)`,
  );
  const attempts = await rows(
    tx,
    sql`update attempts set phone = ${FORGOTTEN} || contact_id, error_text = null, kept = null
        where contact_id in ${contacts} returning 1 as one`,
  );
  const stripped = await rows(
    tx,
    sql`update contacts set phone = ${FORGOTTEN} || id, variables = '{}', sealed = null, sealed_with = null,
          region = null, line = null
        where id in ${contacts} returning 1 as one`,
  );
  return {
    contacts: stripped.length,
    attempts: attempts.length,
    refusals: refusals.length,
    follow_ups: followUps.length,
    actions,
  };
}

/** Where an enrolment ended, without what it knew. */
const STRIPPED_PLACE = sql`(position -> 'at') || '{"variables": {}, "events": [], "told": []}'::jsonb
  || jsonb_build_object('last_call', (position #> '{at,last_call}')
       || '{"summary": "", "error": "", "reason": "", "analysis": {}}'::jsonb)
  || case when jsonb_typeof(position #> '{at,ended}') = 'object'
       then jsonb_build_object('ended', (position #> '{at,ended}') || '{"reason": ""}'::jsonb) else '{}'::jsonb end`;

/** The same of enrolments that are over. */
export async function stripEnrolments(tx: Db, ids: readonly string[], how: Stripping): Promise<Stripped> {
  if (ids.length === 0) return {};
  const enrolments = inIds(ids, "uuid");
  const actions = await stripActions(tx, sql`n.enrolment_id in ${enrolments}`, how);
  const inbox = await rows(
    tx,
    sql`delete from enrolment_inbox where enrolment_id in ${enrolments} returning 1 as one`,
  );
  const journeys = await rows(
    tx,
    sql`update journeys set detail = '{}' where enrolment_id in ${enrolments} and detail <> '{}' returning 1 as one`,
  );
  const stripped = await rows(
    tx,
    sql`update enrolments set phone = ${FORGOTTEN} || id, region = null, line = null, key = '', reason = null,
          request_key = null, request_digest = null, sealed = null, sealed_with = null,
          position = jsonb_set(position, '{at}', ${STRIPPED_PLACE})
        where id in ${enrolments} returning 1 as one`,
  );
  return { enrolments: stripped.length, enrolment_inbox: inbox.length, journeys: journeys.length, actions };
}
