import { sql, type SQL } from "drizzle-orm";

import { writingsOf } from "../../domain/ground/number-in-text.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { eitherForm, personMark } from "../ground/person-mark.ts";

/*
 * What the ledger holds of one person, table by table, as its rows stand (domain/people/inventory.ts). Found by the
 * number, or by what stands for it, through an index, but for the list of what waits for people, which is short.
 */

/** A row of a person, and where it stands in its table. */
export interface FoundRecord {
  id: string;
  row: Record<string, unknown>;
}

export interface RecordsQuestion {
  /** E.164. */
  phone: string;
  /** Behind this row; empty: from the first. */
  after: string;
  limit: number;
}

type ReadRecords = (db: Db, question: RecordsQuestion) => Promise<FoundRecord[]>;

/** By their ids as text, which are ASCII: here and in the database they sort alike. */
function pageOf(found: SQL, { after, limit }: RecordsQuestion): SQL {
  return sql`select f.id, f.row from (${found}) f where f.id collate "C" > ${after}
    order by f.id collate "C" limit ${limit}`;
}

const contactsOf = (phone: string) =>
  sql`select c.id::text as id, to_jsonb(c) as row from contacts c where c.phone = ${phone}`;
const attemptsOf = (phone: string) =>
  sql`select a.id::text as id, to_jsonb(a) as row from contacts c join attempts a on a.contact_id = c.id where c.phone = ${phone}`;
const refusalsOf = (phone: string) =>
  sql`select concat_ws(' ', r.contact_id, r.reason, r.policy_version) as id, to_jsonb(r) as row
    from contacts c join refusals r on r.contact_id = c.id where c.phone = ${phone}`;
const withdrawalsOf = (phone: string) =>
  sql`select distinct w.campaign_id::text as id, to_jsonb(w) as row
    from contacts c join campaigns p on p.id = c.campaign_id
      join withdrawals w on w.campaign_id = coalesce(p.parent_id, p.id) and w.phone = c.phone
    where c.phone = ${phone}`;
const rejectsOf = (phone: string) =>
  sql`select r.import_id || ' ' || r.line as id, to_jsonb(r) as row from import_rejects r
    where r.digits in (${sql.join(
      writingsOf(phone).map((digits) => sql`${digits}`),
      sql`, `,
    )})`;
const enrolmentsOf = (phone: string) =>
  sql`select e.id::text as id, to_jsonb(e) as row from enrolments e where e.phone = ${phone}`;
const inboxOf = (phone: string) =>
  sql`select i.id::text as id, to_jsonb(i) as row from enrolments e join enrolment_inbox i on i.enrolment_id = e.id
    where e.phone = ${phone}`;
const journeysOf = (phone: string) =>
  sql`select j.enrolment_id || ' ' || lpad(j.n::text, 10, '0') as id, to_jsonb(j) as row
    from enrolments e join journeys j on j.enrolment_id = e.id where e.phone = ${phone}`;
const followUpsOf = (phone: string) =>
  sql`select f.id::text as id, to_jsonb(f) as row from contacts c join attempts a on a.contact_id = c.id
      join follow_ups f on f.attempt_id = a.id where c.phone = ${phone}`;
// An action has a column that is called n, as a row would be.
const actionsOf = (phone: string) =>
  sql`select x.id::text as id, to_jsonb(x) as row from contacts c join attempts a on a.contact_id = c.id
      join follow_ups f on f.attempt_id = a.id join actions x on x.follow_up_id = f.id where c.phone = ${phone}
    union all
    select x.id::text, to_jsonb(x) from enrolments e join actions x on x.enrolment_id = e.id where e.phone = ${phone}`;
const tagsOf = (phone: string) =>
  sql`select md5(t.brand || ' ' || t.tag) as id, to_jsonb(t) as row
    from brands b join tags t on t.brand = b.id and t.phone = ${phone}`;
const itemsOf = (phone: string) =>
  sql`select md5(concat_ws(' ', i.trigger_id, i.key, i.what)) as id, to_jsonb(i) as row from trigger_items i
    where i.phone = ${phone}`;
const inboundOf = (phone: string) =>
  sql`select md5(i.call_id) as id, to_jsonb(i) as row from inbound_calls i where i.phone = ${phone}`;
const suppressionsOf = (phone: string) =>
  sql`select s.id::text as id, to_jsonb(s) as row from suppressions s where s.phone in ${eitherForm(sql`${phone}`)}`;
const listedOf = (phone: string) =>
  sql`select n.source_id || ' ' || n.from_generation as id, to_jsonb(n) || jsonb_build_object('source', l.name) as row
    from listed_numbers n join suppression_sources l on l.id = n.source_id where n.phone = ${phone}`;
const answersOf = (phone: string) =>
  sql`select md5(concat_ws(' ', n.source_id, n.asked_at)) as id, to_jsonb(n) as row
    from suppression_sources l join scrub_answers n on n.source_id = l.id and n.phone = ${phone}`;
const consentsOf = (phone: string) =>
  sql`select n.id::text as id, to_jsonb(n) as row from consents n where n.phone in ${eitherForm(sql`${phone}`)}`;
const unbookedOf = (phone: string) =>
  sql`select md5(n.platform_batch_id) as id, to_jsonb(n) as row from unbooked_dials n where n.phone = ${phone}`;
const attentionOf = (phone: string) =>
  sql`select a.id::text as id, to_jsonb(a) as row from attention a
    where strpos(concat_ws(' ', a.summary, a.remedy, a.resolution), ${phone.slice(1)}) > 0`;
const auditOf = (phone: string) =>
  sql`select a.id::text as id, to_jsonb(a) as row from audit a where a.detail ->> 'phone' = ${personMark(sql`${phone}`)}`;
const forgettingsOf = (phone: string) =>
  sql`select f.id::text as id, to_jsonb(f) as row from forgettings f where f.person = ${personMark(sql`${phone}`)}`;

/** Every table whose rows are told of a person, in the order in which they are. */
const RECORDS = {
  contacts: (db, asked) => rows<FoundRecord>(db, pageOf(contactsOf(asked.phone), asked)),
  attempts: (db, asked) => rows<FoundRecord>(db, pageOf(attemptsOf(asked.phone), asked)),
  refusals: (db, asked) => rows<FoundRecord>(db, pageOf(refusalsOf(asked.phone), asked)),
  withdrawals: (db, asked) => rows<FoundRecord>(db, pageOf(withdrawalsOf(asked.phone), asked)),
  import_rejects: (db, asked) => rows<FoundRecord>(db, pageOf(rejectsOf(asked.phone), asked)),
  enrolments: (db, asked) => rows<FoundRecord>(db, pageOf(enrolmentsOf(asked.phone), asked)),
  enrolment_inbox: (db, asked) => rows<FoundRecord>(db, pageOf(inboxOf(asked.phone), asked)),
  journeys: (db, asked) => rows<FoundRecord>(db, pageOf(journeysOf(asked.phone), asked)),
  follow_ups: (db, asked) => rows<FoundRecord>(db, pageOf(followUpsOf(asked.phone), asked)),
  actions: (db, asked) => rows<FoundRecord>(db, pageOf(actionsOf(asked.phone), asked)),
  tags: (db, asked) => rows<FoundRecord>(db, pageOf(tagsOf(asked.phone), asked)),
  trigger_items: (db, asked) => rows<FoundRecord>(db, pageOf(itemsOf(asked.phone), asked)),
  inbound_calls: (db, asked) => rows<FoundRecord>(db, pageOf(inboundOf(asked.phone), asked)),
  suppressions: (db, asked) => rows<FoundRecord>(db, pageOf(suppressionsOf(asked.phone), asked)),
  listed_numbers: (db, asked) => rows<FoundRecord>(db, pageOf(listedOf(asked.phone), asked)),
  scrub_answers: (db, asked) => rows<FoundRecord>(db, pageOf(answersOf(asked.phone), asked)),
  consents: (db, asked) => rows<FoundRecord>(db, pageOf(consentsOf(asked.phone), asked)),
  unbooked_dials: (db, asked) => rows<FoundRecord>(db, pageOf(unbookedOf(asked.phone), asked)),
  attention: (db, asked) => rows<FoundRecord>(db, pageOf(attentionOf(asked.phone), asked)),
  audit: (db, asked) => rows<FoundRecord>(db, pageOf(auditOf(asked.phone), asked)),
  forgettings: (db, asked) => rows<FoundRecord>(db, pageOf(forgettingsOf(asked.phone), asked)),
} as const satisfies Readonly<Record<string, ReadRecords>>;

export type RecordTable = keyof typeof RECORDS;

function isRecordTable(name: string): name is RecordTable {
  return Object.hasOwn(RECORDS, name);
}

/** The tables, in order. */
export const RECORD_TABLES: readonly RecordTable[] = Object.keys(RECORDS).filter(isRecordTable);

export interface RecordsPage {
  records: { table: RecordTable; row: Record<string, unknown> }[];
  /** Undefined: there is nothing behind it. */
  next: { table: RecordTable; id: string } | undefined;
}

/** The next rows of a person, over all tables: one statement for each table that the page comes to. */
export async function readRecords(
  db: Db,
  asked: { phone: string; after: { table: string; id: string } | undefined; limit: number },
): Promise<RecordsPage> {
  const begin = Math.max(
    0,
    RECORD_TABLES.findIndex((name) => name === asked.after?.table),
  );
  const records: RecordsPage["records"] = [];
  for (const [index, table] of RECORD_TABLES.slice(begin).entries()) {
    const left = asked.limit - records.length;
    const after = index === 0 ? (asked.after?.id ?? "") : "";
    const found = await RECORDS[table](db, { phone: asked.phone, after, limit: left + 1 });
    records.push(...found.slice(0, left).map(({ row }) => ({ table, row })));
    if (found.length > left) return { records, next: { table, id: found[left - 1]?.id ?? after } };
  }
  return { records, next: undefined };
}

export type RecordCounts = Record<RecordTable, number>;

/** How many rows of each table are about a person. */
export async function countRecords(db: Db, phone: string): Promise<RecordCounts> {
  const counts = await firstRow<RecordCounts>(
    db,
    sql`select (select count(*)::int from (${contactsOf(phone)}) n) as contacts,
          (select count(*)::int from (${attemptsOf(phone)}) n) as attempts,
          (select count(*)::int from (${refusalsOf(phone)}) n) as refusals,
          (select count(*)::int from (${withdrawalsOf(phone)}) n) as withdrawals,
          (select count(*)::int from (${rejectsOf(phone)}) n) as import_rejects,
          (select count(*)::int from (${enrolmentsOf(phone)}) n) as enrolments,
          (select count(*)::int from (${inboxOf(phone)}) n) as enrolment_inbox,
          (select count(*)::int from (${journeysOf(phone)}) n) as journeys,
          (select count(*)::int from (${followUpsOf(phone)}) n) as follow_ups,
          (select count(*)::int from (${actionsOf(phone)}) n) as actions,
          (select count(*)::int from (${tagsOf(phone)}) n) as tags,
          (select count(*)::int from (${itemsOf(phone)}) n) as trigger_items,
          (select count(*)::int from (${inboundOf(phone)}) n) as inbound_calls,
          (select count(*)::int from (${suppressionsOf(phone)}) n) as suppressions,
          (select count(*)::int from (${listedOf(phone)}) n) as listed_numbers,
          (select count(*)::int from (${answersOf(phone)}) n) as scrub_answers,
          (select count(*)::int from (${consentsOf(phone)}) n) as consents,
          (select count(*)::int from (${unbookedOf(phone)}) n) as unbooked_dials,
          (select count(*)::int from (${attentionOf(phone)}) n) as attention,
          (select count(*)::int from (${auditOf(phone)}) n) as audit,
          (select count(*)::int from (${forgettingsOf(phone)}) n) as forgettings`,
  );
  if (!counts) throw new Error("a statement of counts gave no row");
  return counts;
}
