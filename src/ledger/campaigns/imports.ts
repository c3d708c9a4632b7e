import { sql } from "drizzle-orm";

import { objectionTo } from "../../domain/campaigns/campaign-state.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import { priorityOf } from "../../domain/campaigns/list-order.ts";
import { whereUnder } from "../../domain/campaigns/whereabouts.ts";
import { createNeverMemo } from "../../domain/policy/never-dialed.ts";
import { bookTallies } from "./campaign-tallies.ts";
import { lockCampaign, type Campaign } from "./campaigns.ts";
import { sealedIn, withheldIn, type SealedContact } from "./sealed-lists.ts";
import { NoDataKeyError, type DataKeys } from "../ground/data-keys.ts";
import { contactsFinished } from "../ground/write-events.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import {
  beginList,
  bookChunk,
  consentsIn,
  lockImport,
  refuseWithoutRoom,
  type ListImport,
  type ListTaken,
  type ReadContact,
  type ReadReject,
  type ReadRow,
} from "./list-imports.ts";
import { recordConsents } from "../ground/consents.ts";
import { at, json } from "../ground/sql.ts";
import { suppressedAmong } from "../ground/suppressions.ts";
import { setsOfKeys, zoneKeyOf } from "../ground/zone-sets.ts";

/** The campaign takes no contacts in its present state. Nothing of the row or chunk was accepted. */
export class AppendRefusedError extends Error {
  override readonly name = "AppendRefusedError";
}

/**
 * Begins the import of a list, or finds the one that was begun with the same file: a list is never taken twice,
 * and one that was cut off goes on after the last line that was accepted.
 *
 * @throws AppendRefusedError where the campaign is ending or over, or has sensitive columns and there is no key for them.
 */
export async function beginImport(
  ledger: Ledger,
  input: ListTaken & { campaignId: string; nowMs: number; dataKeys?: DataKeys },
): Promise<ListImport> {
  refuseWithoutRoom(ledger);
  const { dataKeys, ...list } = input;
  return ledger.transaction(async (tx) => {
    const { spec } = await lockForAppend(tx, list.campaignId);
    // Before the first row of it: nothing of such a list is to be taken without a key.
    if (spec.sensitive && dataKeys?.currentId === undefined)
      throw new AppendRefusedError(new NoDataKeyError().message);
    return beginImportIn(tx, list);
  });
}

/** The same within a transaction, such as the one that makes the campaign. */
export async function beginImportIn(
  tx: Db,
  { campaignId, ...list }: ListTaken & { campaignId: string; nowMs: number },
): Promise<ListImport> {
  await lockForAppend(tx, campaignId);
  return beginList(tx, { campaignId }, list);
}

/** Locks a campaign that takes people. @throws AppendRefusedError where it does not. */
export async function lockForAppend(tx: Db, campaignId: string): Promise<Campaign> {
  const campaign = await lockCampaign(tx, campaignId);
  if (!campaign) throw new AppendRefusedError(`there is no campaign ${campaignId}`);
  const objection = objectionTo("append", campaign.state);
  if (objection !== undefined) throw new AppendRefusedError(objection);
  if (campaign.standing)
    throw new AppendRefusedError("calls are placed into a standing campaign one by one: it takes no list");
  return campaign;
}

/**
 * Takes one chunk of a list into the ledger, in one short transaction. Once it returns, the chunk is accepted:
 * a kill loses nothing of it, and giving it again changes nothing.
 *
 * @throws AppendRefusedError where the campaign is ending or over; nothing of the chunk was accepted.
 */
export async function importChunk(
  ledger: Ledger,
  input: {
    campaignId: string;
    importId: number;
    rows: readonly ReadRow[];
    throughLine: number;
    /** Absent: there are none, and a campaign with sensitive columns takes no list. */
    dataKeys?: DataKeys;
    nowMs: number;
  },
): Promise<void> {
  refuseWithoutRoom(ledger);
  await ledger.transaction(async (tx) => {
    const campaign = await lockForAppend(tx, input.campaignId);
    const { throughLine, never } = await lockImport(tx, input.importId);
    const { sensitive = [] } = campaign.spec;
    const fresh = withheldIn(
      input.rows.filter((row) => row.line > throughLine),
      sensitive,
    );
    const contacts = await sealedIn(
      fresh.filter((row) => row.kind === "contact"),
      sensitive,
      input.dataKeys,
    ).catch((error: unknown) => {
      throw error instanceof NoDataKeyError ? new AppendRefusedError(error.message) : error;
    });
    const { window, transfers } = policyOf(campaign.spec, campaign.policyVersion);
    const neverOf = createNeverMemo(window, input.nowMs, transfers);
    const accepted = await insertContacts(tx, {
      campaign,
      importId: input.importId,
      contacts,
      neverOf,
      nowMs: input.nowMs,
    });
    await recordConsents(tx, {
      brand: campaign.brand,
      consents: consentsIn(contacts),
      source: "list",
      nowMs: input.nowMs,
    });
    for (const contact of contacts) {
      if (!accepted.neverDialed.has(contact.line)) continue;
      const { zones, places } = whereUnder(campaign.spec, contact);
      never.add(neverOf(zones, places) ?? "no_common_window", contact.region, zones);
    }
    await bookChunk(tx, {
      importId: input.importId,
      throughLine: input.throughLine,
      rowsRead: fresh.length,
      rejected: fresh.filter((row) => row.kind === "rejected"),
      duplicates: contacts.filter((contact) => !accepted.lines.has(contact.line)).map(duplicateReject),
      accepted: accepted.lines.size,
      never,
      nowMs: input.nowMs,
    });
    await bookTallies(tx, campaign, {
      open: accepted.lines.size - accepted.excluded,
      excluded: accepted.excluded,
    });
  });
}

export function duplicateReject(contact: Pick<ReadContact, "line" | "phone">): ReadReject {
  return {
    line: contact.line,
    kind: "rejected",
    code: "duplicate",
    reason: `the number ${contact.phone} is in this campaign already; the first row counts`,
    raw: contact.phone,
  };
}

async function insertContacts(
  tx: Db,
  input: {
    campaign: Campaign;
    importId: number;
    contacts: readonly SealedContact[];
    neverOf: ReturnType<typeof createNeverMemo>;
    nowMs: number;
  },
): Promise<{ lines: ReadonlySet<number>; excluded: number; neverDialed: ReadonlySet<number> }> {
  const { campaign, importId, contacts, neverOf, nowMs } = input;
  if (contacts.length === 0) return { lines: new Set(), excluded: 0, neverDialed: new Set() };
  const { contact_priority: priority } = campaign.spec;
  const placed = contacts.map((contact) => {
    // Decided here, by the spec under the lock: no door can forget it, and no campaign is amended in `zones`.
    const { zones, places } = whereUnder(campaign.spec, contact);
    return {
      lane: { key: zoneKeyOf(zones, places), priority: priorityOf(priority, contact.variables) },
      never: neverOf(zones, places),
    };
  });
  const laneByPlace = await laneIds(
    tx,
    campaign.id,
    placed.map(({ lane }) => lane),
  );
  const phones = contacts.map(({ phone }) => phone);
  const suppressed = await suppressedAmong(tx, { phones, brand: campaign.brand, nowMs });
  const inserted = await rows<{ line: number; state: string; reason: string | null }>(
    tx,
    sql`with inserted as (
        insert into contacts (campaign_id, import_id, line, phone, region, lane_id, variables, sealed, sealed_with, state, due_at, reason, ended_at)
        select ${campaign.id}::uuid, ${importId}::bigint, r.line, r.phone, r.region, r.lane, r.variables, r.sealed, r.sealed_with,
          case when why.reason is null then 'open' else 'excluded' end, ${at(nowMs)}, why.reason,
          case when why.reason is null then null else ${at(nowMs)} end
        from jsonb_to_recordset(${json(
          contacts.map((contact, index) => ({
            line: contact.line,
            phone: contact.phone,
            region: contact.region,
            lane: laneByPlace[index],
            variables: contact.variables,
            ...(contact.sealed && { sealed: contact.sealed.values, sealed_with: contact.sealed.with }),
            reason: suppressed.has(contact.phone) ? "suppressed" : placed[index]?.never,
          })),
        )}) as r(line int, phone text, region text, lane int, variables jsonb, sealed jsonb, sealed_with text, reason text)
        -- Whoever was taken out while another contact of the campaign had the number stays out of it.
        cross join lateral (select coalesce(r.reason, (
          select 'withdrawn' from withdrawals w where w.campaign_id = ${campaign.id}::uuid and w.phone = r.phone)) as reason) why
        order by r.line
        on conflict (campaign_id, phone) where placement is null do nothing
        returning campaign_id, id, line, state, reason),
        told as (${contactsFinished(sql`select campaign_id, id from inserted where state = 'excluded'`, nowMs)})
        select line, state, reason from inserted`,
  );
  return {
    lines: new Set(inserted.map((row) => row.line)),
    excluded: inserted.filter((row) => row.state === "excluded").length,
    neverDialed: new Set(
      inserted.flatMap(({ line, reason }) =>
        reason === null || reason === "suppressed" || reason === "withdrawn" ? [] : [line],
      ),
    ),
  };
}

/** What makes a lane: the key of a set of zones and places, and a priority. */
interface LanePlace {
  key: string;
  priority: number;
}

/** The lanes of places, made where they are missing, in the order of the places. */
async function laneIds(
  tx: Db,
  campaignId: string,
  places: readonly LanePlace[],
): Promise<(number | undefined)[]> {
  const nameOf = ({ key, priority }: LanePlace): string => `${priority} ${key}`;
  const byName = new Map(places.map((place) => [nameOf(place), place]));
  const wanted = [...byName].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place);
  const sets = json(setsOfKeys(wanted.map(({ key }) => key)));
  const lanes = json(wanted);
  await rows(
    tx,
    sql`insert into zone_sets (key, zones, places)
        select r.key, array(select jsonb_array_elements_text(r.zones)), array(select jsonb_array_elements_text(r.places))
        from jsonb_to_recordset(${sets}) as r(key text, zones jsonb, places jsonb)
        where not exists (select 1 from zone_sets z where z.key = r.key)
        order by r.key
        on conflict (key) do nothing`,
  );
  await rows(
    tx,
    sql`insert into lanes (campaign_id, zone_set_id, priority)
        select ${campaignId}::uuid, z.id, r.priority
        from jsonb_to_recordset(${lanes}) as r(key text, priority smallint) join zone_sets z on z.key = r.key
        where not exists (select 1 from lanes l
          where l.campaign_id = ${campaignId}::uuid and l.zone_set_id = z.id and l.priority = r.priority)
        on conflict do nothing`,
  );
  const found = await rows<{ id: number; key: string; priority: number }>(
    tx,
    sql`select l.id, z.key, l.priority from jsonb_to_recordset(${lanes}) as r(key text, priority smallint)
          join zone_sets z on z.key = r.key
          join lanes l on l.campaign_id = ${campaignId}::uuid and l.zone_set_id = z.id and l.priority = r.priority`,
  );
  const idByName = new Map(found.map(({ id, ...place }) => [nameOf(place), id]));
  return places.map((place) => idByName.get(nameOf(place)));
}
