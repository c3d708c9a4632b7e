import { sql } from "drizzle-orm";

import { rows, type Db } from "../ground/connection.ts";

/* Calls to and from a person, by the ids that the platform has its records of them under. */

export interface CallOfPerson {
  callId: string;
  direction: "outbound" | "inbound";
}

const callsOf = (phone: string) =>
  sql`select a.call_id, 'outbound' as direction from contacts c join attempts a on a.contact_id = c.id
      where c.phone = ${phone} and a.call_id is not null
      union select i.call_id, 'inbound' from inbound_calls i where i.phone = ${phone}`;

/** The next ones by their ids. @param page.after the last one of the page before; empty: from the first */
export function listCallsOfPerson(
  db: Db,
  phone: string,
  page: { after: string; limit: number },
): Promise<CallOfPerson[]> {
  return rows<CallOfPerson>(
    db,
    sql`select coalesce(k.call_id, '') as "callId", k.direction from (${callsOf(phone)}) k
        where k.call_id collate "C" > ${page.after} order by k.call_id collate "C" limit ${page.limit}`,
  );
}

/** Whether that is a call to or from them. */
export async function isCallOfPerson(db: Db, phone: string, callId: string): Promise<boolean> {
  const found = await rows(
    db,
    sql`select 1 as one from (${callsOf(phone)}) k where k.call_id = ${callId} limit 1`,
  );
  return found.length > 0;
}
