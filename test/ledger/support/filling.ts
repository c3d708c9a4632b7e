import { sql } from "drizzle-orm";

import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { NOW_MS } from "./scenario.ts";

/* Ledgers with so much in them that a plan which reads a table whole shows. */

export const CONTACTS = 200_000;

/** A campaign of many: half of them done after an attempt or two, the others due, in twenty zones; beside them a suppression list. */
export async function fillCampaign(ledger: Ledger, campaignId: string, contacts = CONTACTS): Promise<void> {
  const id = sql`${campaignId}::uuid`;
  const statements = [
    sql`insert into zone_sets (key, zones) select 'Etc/GMT+' || n, array['Etc/GMT+' || n] from generate_series(1, 12) n on conflict do nothing`,
    sql`insert into lanes (campaign_id, zone_set_id, priority) select ${id}, z.id, 0 from zone_sets z on conflict do nothing`,
    sql`insert into contacts (campaign_id, line, phone, lane_id, variables, state, due_at, attempts, last_disposition, outcome, reason, ended_at)
        select ${id}, n, '+49' || (1000000000 + n), l.ids[1 + n % array_length(l.ids, 1)], '{"first_name":"Anna"}',
          case when n % 2 = 0 then 'done' else 'open' end, to_timestamp(${NOW_MS} / 1000.0) - make_interval(secs => n % 90000),
          case when n % 2 = 0 then 1 + n % 3 / 2 else 0 end, case when n % 2 = 0 then 'answered' end,
          case when n % 2 = 0 then 'answered' end, case when n % 2 = 0 then 'reached' end, case when n % 2 = 0 then now() end
        from generate_series(1, ${contacts}::int) n, (select array_agg(id) as ids from lanes where campaign_id = ${id}) l`,
    sql`insert into batches (id, campaign_id, state, agent_id, from_number, policy_version, size, slots, held, planned_at, settled_at)
        select gen_random_uuid(), ${id}, 'settled', 'agent', '+12025550100', 1, 100, 10, 0, now(), now() from generate_series(1, 1500)`,
    sql`insert into attempts (campaign_id, contact_id, attempt_no, phone, batch_id, policy_version, state, disposition, planned_at, started_at, ended_at, settled_at)
        select ${id}, c.id, a.no, c.phone, b.ids[1 + c.id % 1500], 1, 'ended', 'answered', now(), now(), now(), now()
        from contacts c, generate_series(1, c.attempts) a(no), (select array_agg(id) as ids from batches where campaign_id = ${id}) b
        where c.campaign_id = ${id} and c.attempts > 0`,
    sql`insert into suppressions (phone, source, reason, created_at) select '+33' || (1000000000 + n), 'dnc', 'register', now() from generate_series(1, 50000) n`,
    sql`insert into suppression_sources (name, type, generation, numbers, renewed_at, created_at) values ('filled', 'do_not_call', 1, 50000, now(), now())`,
    sql`insert into listed_numbers (phone, source_id, from_generation, through_generation)
        select '+33' || (2000000000 + n), s.id, 1, 1 from generate_series(1, 50000) n, suppression_sources s where s.name = 'filled'`,
    sql`insert into consents (phone, brand, basis, at, source, recorded_at)
        select '+33' || (1000000000 + n), c.brand, 'express', now(), 'list', now() from generate_series(1, 50000) n, campaigns c where c.id = ${id}`,
    sql`insert into refusals (contact_id, reason, policy_version, detail, first_at, last_at)
        select id, 'open_attempt', 1, 'until later', now(), now() from contacts where campaign_id = ${id} and id % 10 = 1`,
    sql`update campaigns set open_count = k.open, done_count = k.done from
          (select count(*) filter (where state = 'open') as open, count(*) filter (where state = 'done') as done from contacts where campaign_id = ${id}) k
        where id = ${id}`,
    sql`analyze`,
  ];
  for (const statement of statements) await rows(ledger.db, statement);
}

export const PEOPLE = 8_000;
/** Rows of the outbox that are not due yet. */
const WAITING = 60_000;

/**
 * Many are in a sequence: some wait for a call, the others for their time, and as many have been through it. Each
 * has heard of events and had an action.
 */
export async function fillSequence(
  ledger: Ledger,
  ids: { sequenceId: string; standingId: string },
  people = PEOPLE,
): Promise<void> {
  const sequence = sql`${ids.sequenceId}::uuid`;
  const standing = sql`${ids.standingId}::uuid`;
  const statements = [
    sql`insert into enrolments (id, sequence_id, version, phone, zone_set_id, source, state, position, step, waits_call, wake_at, created_at, started_at, ended_at)
        select gen_random_uuid(), ${sequence}, 1, '+49' || (1000000000 + n), e.zone_set_id, 'list', case when n % 2 = 0 then 'active' else 'done' end,
          e.position, 'first', e.waits_call, to_timestamp(${NOW_MS} / 1000.0) + make_interval(days => 3), to_timestamp(${NOW_MS} / 1000.0) - make_interval(secs => n), now(), case when n % 2 = 1 then now() end
        from generate_series(1, ${2 * people}::int) n, (select zone_set_id, position, waits_call from enrolments limit 1) e`,
    sql`insert into enrolment_inbox (enrolment_id, kind, name, data, request_key, actor, at)
        select e.id, 'event', 'tick', '{}', 'event ' || n, 'test', now() from enrolments e, generate_series(1, 2) n where e.phone like '+49%'`,
    sql`insert into journeys (enrolment_id, n, at, step, what, detail) select id, 1, now(), 'first', 'call', '{}' from enrolments where phone like '+49%'`,
    sql`insert into contacts (campaign_id, phone, lane_id, variables, state, due_at, placement, enrolment_id, call_no, ended_at)
        select ${standing}, e.phone, (select id from lanes where campaign_id = ${standing} limit 1), '{}', case when e.state = 'active' then 'open' else 'excluded' end,
          to_timestamp(${NOW_MS} / 1000.0) + make_interval(hours => 1), 'enrolment:' || e.id || ':1', e.id, 1, case when e.state = 'done' then now() end
        from enrolments e where e.phone like '+49%0' or e.phone like '+49%3'`,
    sql`insert into actions (id, enrolment_id, owner, n, kind, spec, state, created_at)
        select gen_random_uuid(), id, 'tell', 1, 'webhook', '{}', 'done', now() from enrolments`,
    sql`insert into outbox (kind, subject, due_at, created_at)
        select 'call_hint', 'call ' || n, to_timestamp(${NOW_MS} / 1000.0) + make_interval(secs => n), now() from generate_series(1, ${WAITING}) n`,
    sql`analyze`,
  ];
  for (const statement of statements) await rows(ledger.db, statement);
}
