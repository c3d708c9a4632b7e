import { sql, type SQL } from "drizzle-orm";
import { expect } from "vitest";

import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";

/**
 * What holds in every ledger at every instant, each as a query for whatever breaks it. Read from the rows
 * themselves, without the code that writes them.
 */
const BREACHES: readonly (readonly [what: string, breach: SQL])[] = [
  [
    "I3: a campaign's tallies are the counts of its contacts",
    sql`select c.name, c.open_count, c.leased_count, c.done_count, c.excluded_count, k.*
        from campaigns c cross join lateral (
          select count(*) filter (where state = 'open') as open, count(*) filter (where state = 'leased') as leased,
            count(*) filter (where state = 'done') as done, count(*) filter (where state = 'excluded') as excluded
          from contacts where campaign_id = c.id) k
        where (c.open_count, c.leased_count, c.done_count, c.excluded_count) <> (k.open, k.leased, k.done, k.excluded)`,
  ],
  [
    "I3: a campaign's attempts and dispositions are what its rows say",
    sql`select c.name, c.attempt_count, c.dispositions, a.n, d.by
        from campaigns c
        cross join lateral (select count(*) as n from attempts where campaign_id = c.id and state = 'ended') a
        cross join lateral (select coalesce(jsonb_object_agg(o.outcome, o.n), '{}') as by from
          (select outcome, count(*) as n from contacts where campaign_id = c.id and state = 'done' group by 1) o) d
        where c.attempt_count <> a.n or c.dispositions <> d.by`,
  ],
  [
    "I3: accepted rows of lists are contacts, and rows read are accepted, rejected or duplicate",
    sql`select i.id, i.rows_read, i.rows_accepted, i.rows_rejected, i.rows_duplicate, k.n, r.n as rejects
        from imports i
        cross join lateral (select count(*) as n from contacts where import_id = i.id) k
        cross join lateral (select count(*) as n from import_rejects where import_id = i.id) r
        where i.rows_accepted <> k.n or i.rows_read <> i.rows_accepted + i.rows_rejected + i.rows_duplicate
          or r.n <> i.rows_rejected + i.rows_duplicate`,
  ],
  [
    "I1: an attempt number is given once to a contact, unless it was returned",
    sql`select contact_id, attempt_no from attempts where state <> 'returned' group by 1, 2 having count(*) > 1`,
  ],
  [
    "no number has two open attempts",
    sql`select phone from attempts where state = 'open' group by 1 having count(*) > 1`,
  ],
  [
    "a contact is leased exactly while one attempt of it is open or provisional",
    sql`select c.id, c.state, a.n from contacts c cross join lateral
          (select count(*) as n from attempts where contact_id = c.id and state in ('open', 'provisional')) a
        where (c.state = 'leased') <> (a.n = 1) or a.n > 1`,
  ],
  [
    "a contact's attempts are those that ended, numbered from 1 without a gap",
    sql`select c.id, c.attempts, a.* from contacts c cross join lateral
          (select count(*) filter (where state = 'ended') as ended,
             coalesce(max(attempt_no) filter (where state = 'ended'), 0) as last
           from attempts where contact_id = c.id) a
        where c.attempts <> a.ended or a.last <> a.ended`,
  ],
  [
    "who is done has an outcome and a reason, who is excluded a reason, who is open or leased no end",
    sql`select id, state, outcome, reason, ended_at from contacts
        where (state = 'done') <> (outcome is not null) or (state = 'excluded' and reason is null)
          or (state = 'done' and reason is null) or (state in ('done', 'excluded')) <> (ended_at is not null)`,
  ],
  [
    "an attempt has a disposition exactly when it has ended",
    sql`select id, state, disposition from attempts
        where (state = 'ended') <> (disposition is not null) or (state = 'ended' and (ended_at is null or settled_at is null))`,
  ],
  [
    "a batch holds no more slots than it has, and none once it is settled",
    sql`select id, state, held, slots from batches where held > slots or held < 0 or (state = 'settled' and held > 0)`,
  ],
  [
    "what is held and spent of a day's money is the sum over its calls",
    sql`with real as (
          select coalesce(c.parent_id, c.id) as id, b.money_stretch as stretch,
            sum(case when a.state in ('open', 'provisional') then b.call_micros else 0 end)::bigint as held,
            coalesce(sum(a.cost_micros), 0)::bigint as spent,
            (count(*) filter (where a.cost_micros is not null))::int as calls
          from attempts a join batches b on b.id = a.batch_id join campaigns c on c.id = a.campaign_id group by 1, 2)
        select coalesce(r.id, s.campaign_id) as id, r.held as held_by_calls, s.held_micros, r.spent as spent_by_calls, s.spent_micros,
          r.calls as calls_over, s.calls
        from real r full join spending s on s.campaign_id = r.id and s.stretch = r.stretch
        where coalesce(r.held, 0) <> coalesce(s.held_micros, 0) or coalesce(r.spent, 0) <> coalesce(s.spent_micros, 0)
          or coalesce(r.calls, 0) <> coalesce(s.calls, 0)`,
  ],
  [
    "a stretch of spending was leased from at its last lease",
    sql`select s.campaign_id, s.stretch, s.leased_at, max(b.planned_at) from spending s join batches b on b.money_stretch = s.stretch
          join campaigns c on c.id = b.campaign_id and coalesce(c.parent_id, c.id) = s.campaign_id
        group by s.campaign_id, s.stretch, s.leased_at having max(b.planned_at) > s.leased_at`,
  ],
  [
    "an attempt has a cost only when it has ended",
    sql`select id, state, cost_micros from attempts where cost_micros is not null and state <> 'ended'`,
  ],
  [
    "an attempt that may be up is in a batch that is not settled",
    sql`select a.id, b.state from attempts a join batches b on b.id = a.batch_id
        where a.state in ('open', 'provisional') and b.state = 'settled'`,
  ],
  [
    "a batch that was permitted to start has one platform batch, recorded before",
    sql`select id, state, create_no from batches
        where (start_sent_at is not null and platform_batch_id is null) or
              (state in ('starting', 'running') and start_sent_at is null)`,
  ],
  [
    "a campaign that is over has nobody open or leased",
    sql`select id, state, open_count, leased_count from campaigns
        where (ended_at is not null) <> (state in ('completed', 'cancelled'))
          or (ended_at is not null and open_count + leased_count > 0)`,
  ],
  [
    "whoever was withdrawn is not open, is not called again once leased, and is on no batch that goes on",
    sql`select w.phone, c.campaign_id, c.state, c.reason, b.state as batch, b.stop_reason
        from withdrawals w join campaigns k on k.id = w.campaign_id or k.parent_id = w.campaign_id
        join contacts c on c.campaign_id = k.id and c.phone = w.phone
        left join attempts a on a.contact_id = c.id and a.state = 'open' left join batches b on b.id = a.batch_id
        where c.state = 'open' or (c.state = 'leased' and c.reason is null) or (b.id is not null and b.stop_reason is null)`,
  ],
  [
    "every dial cites a policy version that its campaign had",
    sql`select a.id from attempts a left join policy_versions p on p.campaign_id = a.campaign_id and p.version = a.policy_version
        where p.version is null`,
  ],
];

const ALL = sql.join(
  BREACHES.map(
    ([what, breach]) => sql`select ${what}::text as what, to_jsonb(b) as breach from (${breach}) b`,
  ),
  sql` union all `,
);

export async function expectInvariants(ledger: Ledger): Promise<void> {
  expect(await rows(ledger.db, ALL)).toEqual([]);
}
