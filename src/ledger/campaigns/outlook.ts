import { sql } from "drizzle-orm";

import { DAYS_AHEAD, HOURS_AHEAD, type ContactGroup } from "../../domain/campaigns/outlook.ts";
import type { LaneOfPeople } from "../../domain/campaigns/rehearsal/people.ts";
import { rows, type Db } from "../ground/connection.ts";

/** Contacts read at once: a statement stays some hundredths of a second, which the embedded ledger's other users wait for. */
const CONTACTS_AT_ONCE = 20_000;

interface GroupRow extends Omit<ContactGroup, "lane"> {
  lane: number | null;
  lastState: string;
  lastCame: string;
  lastId: number;
}

/**
 * Where a campaign's contacts stand, in groups of those who stand alike. Reads the row of each, by the index of its
 * lists, so many at once: for an answer that many share, not for a loop. Whoever is called meanwhile may be counted
 * where they were and where they are, or in neither place.
 *
 * @param breathe between two statements
 */
export async function readContactGroups(
  db: Db,
  { campaignId, nowMs, atOnce = CONTACTS_AT_ONCE }: { campaignId: string; nowMs: number; atOnce?: number },
  breathe: () => Promise<void> = async () => {},
): Promise<ContactGroup[]> {
  const lanes = await readLanes(db, campaignId);
  const groups = new Map<string, ContactGroup>();
  let after = { state: "", came: "", id: 0 };
  for (;;) {
    const page = await readPage(db, { campaignId, nowMs, atOnce, after });
    for (const { lane, lastState, lastCame, lastId, ...row } of page) {
      after = { state: lastState, came: lastCame, id: lastId };
      const key = `${row.state} ${row.came} ${row.attempts} ${row.last} ${lane} ${row.dueHours}`;
      const known = groups.get(key);
      if (known) known.contacts += row.contacts;
      else groups.set(key, { ...row, lane: lane === null ? undefined : lanes.get(lane) });
    }
    // A page that is not full is the last one.
    if (page.reduce((sum, { contacts }) => sum + contacts, 0) < atOnce) return [...groups.values()];
    await breathe();
  }
}

interface PageQuestion {
  campaignId: string;
  nowMs: number;
  atOnce: number;
  after: { state: string; came: string; id: number };
}

async function readPage(db: Db, { campaignId, nowMs, atOnce, after }: PageQuestion): Promise<GroupRow[]> {
  return rows<GroupRow>(
    db,
    sql`with page as materialized (
          select id, state, coalesce(outcome, reason, '') as came, attempts, last_disposition, lane_id, due_at
          from contacts
          where campaign_id = ${campaignId}::uuid
            and (state, coalesce(outcome, reason, ''), id) > (${after.state}::text, ${after.came}::text, ${after.id}::bigint)
          order by state, coalesce(outcome, reason, ''), id limit ${atOnce}
        ), grouped as (
          select p.state, p.came, p.attempts, o.last, o.lane, o.due_hours, count(*)::int as contacts
          from page p cross join lateral (
            select case when p.state in ('open', 'leased') then p.lane_id end as lane,
                   case when p.state in ('open', 'leased') then p.last_disposition end as last,
                   case when p.state = 'leased' then -1 when p.state = 'open' then
                     (extract(epoch from p.due_at)::float8 * 1000 - ${nowMs}::float8) / 3600000 end as hours) h
          cross join lateral (
            select h.lane, h.last, (case
              when h.hours is null then null
              when h.hours <= 0 then -1
              when h.hours < ${HOURS_AHEAD} then floor(h.hours)
              else least(floor(h.hours / 24), ${DAYS_AHEAD}) * 24 end)::int as due_hours) o
          group by 1, 2, 3, 4, 5, 6
        )
        select g.state, g.came, g.attempts, g.last, g.lane, g.due_hours as "dueHours", g.contacts,
               e.state as "lastState", e.came as "lastCame", e.id::float8 as "lastId"
        from grouped g cross join (select state, came, id from page order by state desc, came desc, id desc limit 1) e`,
  );
}

async function readLanes(db: Db, campaignId: string): Promise<Map<number, LaneOfPeople>> {
  const found = await rows<LaneOfPeople & { id: number }>(
    db,
    sql`select l.id, l.priority, z.zones, z.places
        from lanes l join zone_sets z on z.id = l.zone_set_id where l.campaign_id = ${campaignId}::uuid`,
  );
  return new Map(found.map(({ id, ...lane }) => [id, lane]));
}
