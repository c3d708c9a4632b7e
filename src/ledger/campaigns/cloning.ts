import { sql } from "drizzle-orm";

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { whyLeftOut, type LeftOut, type Whom } from "../../domain/campaigns/cloned-people.ts";
import type { ContactState } from "../../domain/campaigns/contact-state.ts";
import { NeverDialedGroups } from "../../domain/policy/never-dialed.ts";
import { writeAudit } from "../ground/audit.ts";
import { contactsFinished } from "../ground/write-events.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { digestOf } from "../ground/digest.ts";
import { document, number, record, text, type RecordOf } from "../ground/record.ts";
import { at, json, listOf } from "../ground/sql.ts";
import { suppressedAmong } from "../ground/suppressions.ts";
import { bookTallies } from "./campaign-tallies.ts";
import { createCampaign } from "./campaign-specs.ts";
import { type Campaign } from "./campaigns.ts";
import { beginImportIn, duplicateReject, lockForAppend } from "./imports.ts";
import { bookChunk, completeImport, lockImport, refuseWithoutRoom } from "./list-imports.ts";

/*
 * A campaign made from another one, with people of it.
 *
 * 1. Campaign, list and whom it takes are written in one transaction; the people follow a thousand a transaction, each
 *    accepted for good. The list is complete when all were looked at, and a campaign does not start on one that is not.
 * 2. Whatever cuts it off, the same request goes on behind the last one that was looked at; two of them take turns.
 * 3. A person keeps number, country, variables, zones, places and priority: what the list said of them, which can't be
 *    found again from the number. Attempts, outcomes and withdrawals stay where they are.
 * 4. Suppressed people come in as excluded, as from any list. Everything else is asked when they are dialed.
 */

const CLONE = record({
  campaignId: text,
  sourceId: text,
  importId: number,
  whom: document<Whom>(),
  lastId: number,
  throughId: number,
  leftOut: document<Partial<Record<LeftOut, number>>>(),
  stillOpen: number,
});

export interface Clone extends RecordOf<typeof CLONE> {}

/** Where a campaign's people come from, if it is a clone with people. */
export function findClone(db: Db, campaignId: string): Promise<Clone | undefined> {
  return firstRow(
    db,
    sql`select ${CLONE.columns} from clones where campaign_id = ${campaignId}::uuid`,
    CLONE,
  );
}

/** What makes a clone's list the same again. */
export function cloneDigest(sourceId: string, whom: Whom): string {
  return digestOf({ clone: sourceId, people: whom.people, tag: whom.tag ?? null });
}

/** People of one transaction: as a list's. */
const AT_ONCE = 1_000;

/** Rows of an index that one statement reads: it takes milliseconds. */
const A_PAGE = 10_000;

/**
 * Rows of the table that one statement looks through. A campaign's people stand together where they came in one list;
 * where others' stand between them, these are passed over so many at a time.
 */
const PASSED_AT_ONCE = 50_000;

interface IdRange {
  firstId: number;
  lastId: number;
}

/** The ids between which all of a campaign's people are; undefined where it has none. */
async function rangeOf(db: Db, campaignId: string): Promise<IdRange | undefined> {
  let range: IdRange | undefined;
  for (let behind = ""; ;) {
    const page = await firstRow<{
      n: number;
      first: number | null;
      last: number | null;
      phone: string | null;
    }>(
      db,
      sql`select count(*)::int as n, min(id) as first, max(id) as last, max(phone) as phone
          from (select id, phone from contacts
                where campaign_id = ${campaignId}::uuid and placement is null and phone > ${behind}
                order by phone limit ${A_PAGE}) p`,
    );
    if (!page || page.first === null || page.last === null || page.phone === null) return range;
    range = {
      firstId: Math.min(range?.firstId ?? page.first, page.first),
      lastId: Math.max(range?.lastId ?? page.last, page.last),
    };
    if (page.n < A_PAGE) return range;
    behind = page.phone;
  }
}

export interface CloneInput {
  source: Campaign;
  /** Of the clone. */
  spec: CampaignSpec;
  /** Undefined: nobody. */
  whom: Whom | undefined;
  actor: string;
  nowMs: number;
}

/**
 * Writes a clone down, without its people yet, and in the audit of both campaigns.
 *
 * @param accepts refuses what `createCampaign` made, such as a run of a name that exists: nothing is written then
 * @throws CampaignNotOverError where the newest run of its name is not over; LedgerFullError.
 */
export async function beginClone(
  ledger: Ledger,
  { source, spec, whom, actor, nowMs }: CloneInput,
  accepts: (created: Campaign) => void,
): Promise<Campaign> {
  refuseWithoutRoom(ledger);
  const range = whom && (await rangeOf(ledger.db, source.id));
  return ledger.transaction(async (tx) => {
    const campaign = await createCampaign(tx, { spec, actor, nowMs });
    accepts(campaign);
    if (whom) {
      const { id: importId } = await beginImportIn(tx, {
        campaignId: campaign.id,
        digest: cloneDigest(source.id, whom),
        sourceName: `campaign ${source.name} (run ${source.run})`,
        settings: { clone_of: source.id, people: whom.people, tag: whom.tag ?? null },
        nowMs,
      });
      const { firstId = 1, lastId = 0 } = range ?? {};
      await rows(
        tx,
        sql`insert into clones (campaign_id, source_id, import_id, whom, last_id, through_id)
            values (${campaign.id}::uuid, ${source.id}::uuid, ${importId}, ${json(whom)}, ${firstId - 1}, ${lastId})`,
      );
    }
    const people = whom?.people ?? "none";
    const detail = { people, ...(whom?.tag !== undefined && { tag: whom.tag }) };
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "campaign.clone",
      campaignId: campaign.id,
      detail: { ...detail, from: source.id, name: source.name, run: source.run },
    });
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "campaign.cloned",
      campaignId: source.id,
      detail: { ...detail, to: campaign.id, name: campaign.name, run: campaign.run },
    });
    return campaign;
  });
}

/**
 * Takes the people of a clone, from where it was cut off. Safe to repeat, and beside another one that takes them.
 *
 * @throws AppendRefusedError where the clone is over meanwhile; LedgerFullError. What was taken stays taken.
 */
export async function takeClonedPeople(ledger: Ledger, campaignId: string, now: () => number): Promise<void> {
  for (let reach = AT_ONCE; ;) {
    refuseWithoutRoom(ledger);
    const step = await ledger.transaction((tx) => takeChunk(tx, { campaignId, reach, nowMs: now() }));
    if (step.importId !== undefined) {
      await completeImport(ledger, { importId: step.importId, nowMs: now() });
      return;
    }
    // Where others' people stand between, it looks further each time.
    reach = step.isFull ? AT_ONCE : Math.min(PASSED_AT_ONCE, reach * 2);
  }
}

/** @returns `importId` once all were looked at; `isFull` where as many were found as one transaction takes. */
async function takeChunk(
  tx: Db,
  { campaignId, reach, nowMs }: { campaignId: string; reach: number; nowMs: number },
): Promise<{ importId: number | undefined; isFull: boolean }> {
  const campaign = await lockForAppend(tx, campaignId);
  const clone = await findClone(tx, campaignId);
  if (!clone) throw new Error(`campaign ${campaignId} is no clone with people`);
  const { importId, lastId, throughId } = clone;
  if (lastId >= throughId) return { importId, isFull: false };
  const { throughLine } = await lockImport(tx, importId);
  const untilId = Math.min(throughId, lastId + reach);
  const people = await peopleBetween(tx, clone, campaign.brand, { lastId, untilId });
  const taken = people.filter((person) => person.leftOut === undefined);
  const suppressed = await suppressedAmong(tx, {
    phones: taken.map(({ phone }) => phone),
    brand: campaign.brand,
    nowMs,
  });
  const chosen = taken.map(({ id, phone }, index) => ({
    id,
    phone,
    line: throughLine + index + 1,
    suppressed: suppressed.has(phone),
  }));
  const copied = await copyPeople(tx, { campaignId, importId, people: chosen, nowMs });
  const lines = new Set(copied.map(({ line }) => line));
  const missing = chosen.filter(({ line }) => !lines.has(line));
  const forgotten = await forgottenAmong(
    tx,
    missing.map(({ id }) => id),
  );
  const excluded = copied.filter(({ state }) => state === "excluded").length;
  await bookChunk(tx, {
    importId,
    throughLine: throughLine + taken.length,
    rowsRead: taken.length - forgotten.size,
    rejected: [],
    // A list that was added to the clone meanwhile had them.
    duplicates: missing.filter(({ id }) => !forgotten.has(id)).map(duplicateReject),
    accepted: copied.length,
    never: new NeverDialedGroups([]),
    nowMs,
  });
  await bookTallies(tx, campaign, { open: copied.length - excluded, excluded });
  const isFull = people.length === AT_ONCE;
  const looked = people.map((one) =>
    forgotten.has(one.id) ? { ...one, leftOut: "forgotten" as const } : one,
  );
  await noteLooked(tx, clone, looked, isFull ? (people.at(-1)?.id ?? untilId) : untilId);
  return { importId: undefined, isFull };
}

interface Person {
  id: number;
  phone: string;
  isOpen: boolean;
  leftOut: LeftOut | undefined;
}

/** The next people of the source, in the order in which it took them. */
async function peopleBetween(
  tx: Db,
  { sourceId, whom }: Clone,
  brand: string,
  { lastId, untilId }: { lastId: number; untilId: number },
): Promise<Person[]> {
  const found = await rows<{
    id: number;
    phone: string;
    state: ContactState;
    outcome: string | null;
    reason: string | null;
    forgotten: boolean;
    withdrawn: boolean;
    tagged: boolean;
    over: boolean;
  }>(
    tx,
    sql`select c.id, c.phone, c.state, c.outcome, c.reason, left(c.phone, 1) <> '+' or c.cleared_at is not null as forgotten,
          exists (select 1 from withdrawals w where w.campaign_id = c.campaign_id and w.phone = c.phone) as withdrawn,
          exists (select 1 from tags t where t.brand = ${brand} and t.phone = c.phone and t.tag = ${whom.tag ?? null}) as tagged,
          p.ended_at is not null as over
        from contacts c join campaigns p on p.id = c.campaign_id
        where c.id > ${lastId} and c.id <= ${untilId} and c.campaign_id = ${sourceId}::uuid and c.placement is null
        order by c.id limit ${AT_ONCE}`,
  );
  return found.map(
    ({ id, phone, forgotten: isForgotten, withdrawn: isWithdrawn, tagged: isTagged, over, ...person }) => ({
      id,
      phone,
      isOpen: !over && (person.state === "open" || person.state === "leased"),
      leftOut: whyLeftOut(whom, { ...person, isForgotten, isWithdrawn, isTagged }),
    }),
  );
}

/** Those who were forgotten, or went by their age, between being looked at and being taken. */
async function forgottenAmong(tx: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const found = await rows<{ id: number }>(
    tx,
    sql`select c.id from contacts c where c.id in ${listOf(ids, "bigint")} and (c.cleared_at is not null or c.phone not like '+%')`,
  );
  return new Set(found.map(({ id }) => id));
}

async function copyPeople(
  tx: Db,
  input: {
    campaignId: string;
    importId: number;
    people: readonly { id: number; line: number; suppressed: boolean }[];
    nowMs: number;
  },
): Promise<{ line: number | null; state: string }[]> {
  const { campaignId, importId, people, nowMs } = input;
  if (people.length === 0) return [];
  await rows(
    tx,
    sql`insert into lanes (campaign_id, zone_set_id, priority)
        select distinct ${campaignId}::uuid, l.zone_set_id, l.priority
        from contacts c join lanes l on l.id = c.lane_id
        where c.id in ${listOf(
          people.map(({ id }) => id),
          "bigint",
        )} and not exists (select 1 from lanes own
          where own.campaign_id = ${campaignId}::uuid and own.zone_set_id = l.zone_set_id and own.priority = l.priority)
        on conflict do nothing`,
  );
  return rows<{ line: number | null; state: string }>(
    tx,
    sql`with inserted as (
        insert into contacts (campaign_id, import_id, line, phone, region, lane_id, variables, sealed, sealed_with, state, due_at, reason, ended_at)
        select ${campaignId}::uuid, ${importId}::bigint, r.line, c.phone, c.region, own.id, c.variables, c.sealed, c.sealed_with,
          case when r.suppressed then 'excluded' else 'open' end, ${at(nowMs)},
          case when r.suppressed then 'suppressed' end, case when r.suppressed then ${at(nowMs)} end
        from jsonb_to_recordset(${json(people)}) as r(id bigint, line int, suppressed boolean)
          join contacts c on c.id = r.id and c.cleared_at is null and c.phone like '+%' join lanes l on l.id = c.lane_id
          join lanes own on own.campaign_id = ${campaignId}::uuid and own.zone_set_id = l.zone_set_id
            and own.priority = l.priority
        order by r.line
        on conflict (campaign_id, phone) where placement is null do nothing
        returning campaign_id, id, line, state),
        told as (${contactsFinished(sql`select campaign_id, id from inserted where state = 'excluded'`, nowMs)})
        select line, state from inserted`,
  );
}

/** Writes down how far the source was looked through, and who was left out. */
async function noteLooked(
  tx: Db,
  { campaignId, leftOut: before, stillOpen }: Clone,
  people: readonly Person[],
  lastId: number,
): Promise<void> {
  const counts = { ...before };
  let open = stillOpen;
  for (const { leftOut, isOpen } of people) {
    if (leftOut !== undefined) counts[leftOut] = (counts[leftOut] ?? 0) + 1;
    else if (isOpen) open += 1;
  }
  await rows(
    tx,
    sql`update clones set last_id = ${lastId}, left_out = ${json(counts)}, still_open = ${open}::int
        where campaign_id = ${campaignId}::uuid`,
  );
}
