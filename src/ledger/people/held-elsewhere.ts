import { sql, type SQL } from "drizzle-orm";

import type { ToldElsewhere } from "../../domain/people/forgetting.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";

/* What is kept of a person outside of the ledger, as far as the ledger knows of it: files, calls and other systems. */

/** Actions of a person: after their calls, and on their ways through sequences. */
const ACTIONS_OF = (phone: string): SQL => sql`n.id in (
  select x.id from contacts c join attempts a on a.contact_id = c.id join follow_ups f on f.attempt_id = a.id
    join actions x on x.follow_up_id = f.id where c.phone = ${phone}
  union all select x.id from enrolments e join actions x on x.enrolment_id = e.id where e.phone = ${phone})`;

/** A recording that was kept: where, below the folder for recordings. */
export interface KeptRecording {
  actionId: string;
  file: string;
  /** The id of that folder. Null: nobody wrote it down. */
  keptIn: string | null;
}

/** The next recordings of a person that are still kept. */
export function listRecordings(
  db: Db,
  phone: string,
  page: { after: string; limit: number },
): Promise<KeptRecording[]> {
  return rows<KeptRecording>(
    db,
    sql`select n.id as "actionId", coalesce(n.external_id, '') as file, n.answer ->> 'kept_in' as "keptIn" from actions n
        where ${ACTIONS_OF(phone)} and n.kind = 'recording' and n.external_id is not null and n.id::text > ${page.after}
        order by n.id::text limit ${page.limit}`,
  );
}

/** Its file is gone. False where that was known. */
export async function noteRecordingGone(tx: Db, actionId: string): Promise<boolean> {
  const noted = await rows(
    tx,
    sql`update actions set external_id = null, answer = null where id = ${actionId}::uuid and external_id is not null
        returning 1 as one`,
  );
  return noted.length > 0;
}

/** The next calls to a person that the platform has a record of, by their attempts. */
export function listCalls(
  db: Db,
  phone: string,
  page: { afterAttempt: number; limit: number },
): Promise<{ callId: string; attemptId: number }[]> {
  return rows<{ callId: string; attemptId: number }>(
    db,
    sql`select coalesce(a.call_id, '') as "callId", a.id as "attemptId" from contacts c join attempts a on a.contact_id = c.id
        where c.phone = ${phone} and a.call_id is not null and a.id > ${page.afterAttempt}
        order by a.id limit ${page.limit}`,
  );
}

/** The next calls from them. */
export function listInboundCalls(
  db: Db,
  phone: string,
  page: { after: string; limit: number },
): Promise<{ callId: string }[]> {
  return rows<{ callId: string }>(
    db,
    sql`select call_id as "callId" from inbound_calls where phone = ${phone} and call_id > ${page.after}
        order by call_id limit ${page.limit}`,
  );
}

/** Hosts that were told of a person, as far as they are no secrets; and how many batches of the platform name them. */
export async function toldOf(db: Db, phone: string): Promise<ToldElsewhere> {
  const hosts = await rows<{ host: string }>(
    db,
    sql`select distinct coalesce(substring(n.spec ->> 'url' from '^[a-z]+://(?:[^/?#@]*@)?([^/?#]+)'),
            case n.kind when 'automation' then 'an automation of the platform' else 'the address in a secret' end) as host
        from actions n where ${ACTIONS_OF(phone)} and n.kind in ('webhook', 'automation') and n.tries > 0 order by host limit 100`,
  );
  const batches = await firstRow<{ n: number }>(
    db,
    sql`select count(distinct b.platform_batch_id)::int as n from contacts c join attempts a on a.contact_id = c.id
          join batches b on b.id = a.batch_id where c.phone = ${phone} and b.platform_batch_id is not null`,
  );
  return { hosts: hosts.map(({ host }) => host), platformBatches: batches?.n ?? 0 };
}

/** How many recordings and calls there are. */
export async function countHeldElsewhere(
  db: Db,
  phone: string,
): Promise<{ recordings: number; calls: number }> {
  const counts = await firstRow<{ recordings: number; calls: number }>(
    db,
    sql`select (select count(*)::int from actions n
                  where ${ACTIONS_OF(phone)} and n.kind = 'recording' and n.external_id is not null) as recordings,
          (select count(*)::int from contacts c join attempts a on a.contact_id = c.id
             where c.phone = ${phone} and a.call_id is not null)
            + (select count(*)::int from inbound_calls i where i.phone = ${phone}) as calls`,
  );
  return counts ?? { recordings: 0, calls: 0 };
}
