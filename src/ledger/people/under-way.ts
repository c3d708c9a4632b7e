import { sql } from "drizzle-orm";

import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at } from "../ground/sql.ts";
import { patternOf } from "./number-pattern.ts";

/*
 * What would still call a person, or is about to write something of them: before all of it has come to its end nobody is
 * forgotten, since what comes later would stand there again, and a dial that is in the air could not be booked (I1).
 */

/** Campaigns that still have the person: those whose lists they are on, and those whose callbacks they wait for. */
export function campaignsCalling(db: Db, phone: string): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    db,
    sql`select distinct coalesce(p.parent_id, p.id) as id from contacts c join campaigns p on p.id = c.campaign_id
        where c.phone = ${phone} and c.state in ('open', 'leased') and c.reason is null and p.sequence_id is null order by id`,
  );
}

/** Enrolments that are not over. */
export function enrolmentsOf(db: Db, phone: string): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    db,
    sql`select id from enrolments where phone = ${phone} and state = 'active' order by id`,
  );
}

interface UnderWay {
  calls: number;
  settling: number;
  follow_ups: number;
  actions: number;
  enrolments: number;
  inbound: number;
  deliveries: number;
  unread: number;
  notices: number;
}

const WORDS: Readonly<Record<keyof UnderWay, string>> = {
  calls: "contacts that are still to be called, or may be on the phone",
  settling: "calls whose batch is not settled",
  follow_ups: "follow-ups that are not over",
  actions: "actions that are still to be tried",
  enrolments: "enrolments that have not taken their exit in",
  inbound: "calls of theirs to us that are still processed",
  deliveries: "deliveries about them that are not worked off",
  unread: "deliveries of which nobody has read yet whom they are about",
  notices: "messages that name them and are still to be sent",
};

/**
 * What has to come to its end first, in words; undefined: nothing.
 *
 * @param deliveries what those that wait know the person by, and when the person asked: of what came later nobody waits
 *   until it was read. Absent: they are not asked for
 */
export async function whatWaits(
  db: Db,
  phone: string,
  deliveries?: { mark: number; askedAtMs: number },
): Promise<string | undefined> {
  const found = await firstRow<UnderWay>(
    db,
    sql`select
          (select count(*)::int from contacts c where c.phone = ${phone} and c.state in ('open', 'leased')) as calls,
          (select count(*)::int from contacts c join attempts a on a.contact_id = c.id join batches b on b.id = a.batch_id
             where c.phone = ${phone} and (a.state in ('open', 'provisional') or b.state <> 'settled')) as settling,
          (select count(*)::int from contacts c join attempts a on a.contact_id = c.id join follow_ups f on f.attempt_id = a.id
             where c.phone = ${phone} and f.ended_at is null) as follow_ups,
          (select count(*)::int from contacts c join attempts a on a.contact_id = c.id join follow_ups f on f.attempt_id = a.id
               join actions n on n.follow_up_id = f.id where c.phone = ${phone} and n.state = 'due')
            + (select count(*)::int from enrolments e join actions n on n.enrolment_id = e.id
               where e.phone = ${phone} and n.state = 'due') as actions,
          (select count(*)::int from enrolments e where e.phone = ${phone} and e.state = 'active') as enrolments,
          (select count(*)::int from inbound_calls i where i.phone = ${phone} and i.settled_at is null) as inbound,
          (select count(*)::int from delivery_people d where d.person = ${deliveries?.mark ?? -1}::bigint) as deliveries,
          (select count(*)::int from outbox where kind = 'delivery' and tries = 0 and people is null
             and created_at <= ${at(deliveries?.askedAtMs ?? 0)}) as unread,
          (select count(*)::int from notices where ended_at is null and notice::text ~ ${patternOf(phone)}) as notices`,
  );
  if (!found) return undefined;
  const told = Object.entries(WORDS).flatMap(([name, what]) => {
    const n = found[name as keyof UnderWay];
    return n > 0 ? [`${n} ${what}`] : [];
  });
  return told.length === 0 ? undefined : told.join(", ");
}
