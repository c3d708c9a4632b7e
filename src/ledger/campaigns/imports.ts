import { sql } from "drizzle-orm";

import { objectionTo } from "../../domain/campaigns/campaign-state.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import { createNeverMemo, NeverDialedGroups, type NeverDialed } from "../../domain/policy/never-dialed.ts";
import { bookTallies, lockCampaign, type Campaign } from "./campaigns.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import {
  LIST_IMPORT_COLUMNS,
  listImportOf,
  refuseWithoutRoom,
  type ListImport,
  type ListImportRow,
} from "./list-imports.ts";
import { at, json, listOf } from "../ground/sql.ts";
import { inForce } from "../ground/suppressions.ts";

/** A row of a contact list that could be read. */
export interface ReadContact {
  line: number;
  kind: "contact";
  phone: string;
  region: string | undefined;
  /** Sorted IANA names; none where nothing is known. */
  zones: readonly string[];
  /** The same under `zones: strict`. */
  strictZones: readonly string[];
  variables: Readonly<Record<string, string>>;
}

export interface ReadReject {
  line: number;
  kind: "rejected";
  code: string;
  reason: string;
  raw: string;
}

export type ReadRow = ReadContact | ReadReject;

export interface Import extends ListImport {
  campaignId: string;
}

interface ImportRow extends ListImportRow {
  campaign_id: string;
}

const COLUMNS = sql`${LIST_IMPORT_COLUMNS}, campaign_id`;

function importOf(row: ImportRow): Import {
  return { ...listImportOf(row), campaignId: row.campaign_id };
}

/** The campaign takes no contacts in its present state. Nothing of the row or chunk was accepted. */
export class AppendRefusedError extends Error {
  override readonly name = "AppendRefusedError";
}

export async function listImports(db: Db, campaignId: string): Promise<Import[]> {
  const found = await rows<ImportRow>(
    db,
    sql`select ${COLUMNS} from imports where campaign_id = ${campaignId}::uuid order by id`,
  );
  return found.map(importOf);
}

/**
 * Begins the import of a list, or finds the one that was begun with the same file: a list is never taken twice,
 * and one that was cut off goes on after the last line that was accepted.
 *
 * @throws AppendRefusedError where the campaign is ending or over.
 */
export async function beginImport(
  ledger: Ledger,
  input: {
    campaignId: string;
    digest: string;
    sourceName: string;
    settings: Record<string, unknown>;
    nowMs: number;
  },
): Promise<Import> {
  refuseWithoutRoom(ledger);
  return ledger.transaction((tx) => beginImportIn(tx, input));
}

/** The same within a transaction, such as the one that makes the campaign. */
export async function beginImportIn(tx: Db, input: Parameters<typeof beginImport>[1]): Promise<Import> {
  await lockForAppend(tx, input.campaignId);
  await rows(
    tx,
    sql`insert into imports (campaign_id, digest, source_name, settings, created_at, updated_at)
          values (${input.campaignId}::uuid, ${input.digest}, ${input.sourceName}, ${json(input.settings)},
                  ${at(input.nowMs)}, ${at(input.nowMs)})
          on conflict (campaign_id, digest) do nothing`,
  );
  const row = await firstRow<ImportRow>(
    tx,
    sql`select ${COLUMNS} from imports where campaign_id = ${input.campaignId}::uuid and digest = ${input.digest}`,
  );
  if (!row) throw new Error("the import vanished while it was begun");
  return importOf(row);
}

async function lockForAppend(tx: Db, campaignId: string): Promise<Campaign> {
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
    nowMs: number;
  },
): Promise<void> {
  refuseWithoutRoom(ledger);
  await ledger.transaction(async (tx) => {
    const campaign = await lockForAppend(tx, input.campaignId);
    const begun = await firstRow<{ through_line: number; never_dialed: NeverDialed[] }>(
      tx,
      sql`select through_line, never_dialed from imports where id = ${input.importId} for update`,
    );
    if (!begun) throw new Error(`there is no import ${input.importId}`);
    const fresh = input.rows.filter((row) => row.line > begun.through_line);
    const contacts = fresh.filter((row) => row.kind === "contact");
    const { window } = policyOf(campaign.spec, campaign.policyVersion);
    const neverOf = createNeverMemo(window, input.nowMs);
    const accepted = await insertContacts(tx, {
      campaign,
      importId: input.importId,
      contacts,
      neverOf,
      nowMs: input.nowMs,
    });
    const never = new NeverDialedGroups(begun.never_dialed);
    for (const contact of contacts) {
      if (!accepted.neverDialed.has(contact.line)) continue;
      const zones = zonesUnder(campaign, contact);
      never.add(neverOf(zones) ?? "no_common_window", contact.region, zones);
    }
    const rejected = fresh.filter((row) => row.kind === "rejected");
    const duplicates = contacts.filter((contact) => !accepted.lines.has(contact.line)).map(duplicateReject);
    await insertRejects(tx, input.importId, [...rejected, ...duplicates]);
    await rows(
      tx,
      sql`update imports set through_line = greatest(through_line, ${input.throughLine}::int), updated_at = ${at(input.nowMs)},
            never_dialed = ${json(never.all())},
            rows_read = rows_read + ${fresh.length}::int, rows_rejected = rows_rejected + ${rejected.length}::int,
            rows_duplicate = rows_duplicate + ${duplicates.length}::int, rows_accepted = rows_accepted + ${accepted.lines.size}::int
          where id = ${input.importId}`,
    );
    await bookTallies(tx, campaign, {
      open: accepted.lines.size - accepted.excluded,
      excluded: accepted.excluded,
    });
  });
}

export async function completeImport(
  ledger: Ledger,
  input: { campaignId: string; importId: number; nowMs: number },
): Promise<void> {
  await rows(
    ledger.db,
    sql`update imports set completed_at = coalesce(completed_at, ${at(input.nowMs)}), updated_at = ${at(input.nowMs)} where id = ${input.importId}`,
  );
}

function duplicateReject(contact: ReadContact): ReadReject {
  return {
    line: contact.line,
    kind: "rejected",
    code: "duplicate",
    reason: `the number ${contact.phone} is in this campaign already; the first row counts`,
    raw: contact.phone,
  };
}

/** Decided here, by the spec under the lock: no door can forget it, and no campaign is amended in it. */
function zonesUnder({ spec }: Campaign, { zones, strictZones }: ReadContact): readonly string[] {
  return spec.zones === "strict" ? strictZones : zones;
}

async function insertContacts(
  tx: Db,
  input: {
    campaign: Campaign;
    importId: number;
    contacts: readonly ReadContact[];
    neverOf: ReturnType<typeof createNeverMemo>;
    nowMs: number;
  },
): Promise<{ lines: ReadonlySet<number>; excluded: number; neverDialed: ReadonlySet<number> }> {
  const { campaign, importId, contacts, neverOf, nowMs } = input;
  if (contacts.length === 0) return { lines: new Set(), excluded: 0, neverDialed: new Set() };
  const keyOf = (contact: ReadContact): string => zonesUnder(campaign, contact).join(",");
  const laneByZones = await laneIds(tx, campaign.id, new Set(contacts.map(keyOf)));
  const suppressed = await suppressedPhones(tx, campaign.brand, contacts, nowMs);
  const inserted = await rows<{ line: number; state: string; reason: string | null }>(
    tx,
    sql`insert into contacts (campaign_id, import_id, line, phone, region, lane_id, variables, state, due_at, reason, ended_at)
        select ${campaign.id}::uuid, ${importId}::bigint, r.line, r.phone, r.region, r.lane, r.variables,
          case when r.reason is null then 'open' else 'excluded' end, ${at(nowMs)}, r.reason,
          case when r.reason is null then null else ${at(nowMs)} end
        from jsonb_to_recordset(${json(
          contacts.map((contact) => ({
            line: contact.line,
            phone: contact.phone,
            region: contact.region,
            lane: laneByZones.get(keyOf(contact)),
            variables: contact.variables,
            reason: suppressed.has(contact.phone) ? "suppressed" : neverOf(zonesUnder(campaign, contact)),
          })),
        )}) as r(line int, phone text, region text, lane int, variables jsonb, reason text)
        order by r.line
        on conflict (campaign_id, phone) where placement is null do nothing
        returning line, state, reason`,
  );
  return {
    lines: new Set(inserted.map((row) => row.line)),
    excluded: inserted.filter((row) => row.state === "excluded").length,
    neverDialed: new Set(
      inserted.flatMap(({ line, reason }) => (reason === null || reason === "suppressed" ? [] : [line])),
    ),
  };
}

function zonesOf(key: string): string[] {
  return key === "" ? [] : key.split(",");
}

async function suppressedPhones(
  tx: Db,
  brand: string,
  contacts: readonly ReadContact[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const found = await rows<{ phone: string }>(
    tx,
    sql`select phone from suppressions
        where phone in ${listOf(
          contacts.map((contact) => contact.phone),
          "text",
        )} and ${inForce(sql`${brand}`, nowMs)}`,
  );
  return new Set(found.map((row) => row.phone));
}

/** The lanes of zone sets, made where they are missing. Keys are sorted zones joined by commas. */
async function laneIds(tx: Db, campaignId: string, keys: ReadonlySet<string>): Promise<Map<string, number>> {
  const sets = json([...keys].sort().map((key) => ({ key, zones: zonesOf(key) })));
  await rows(
    tx,
    sql`insert into zone_sets (key, zones)
        select r.key, array(select jsonb_array_elements_text(r.zones))
        from jsonb_to_recordset(${sets}) as r(key text, zones jsonb)
        where not exists (select 1 from zone_sets z where z.key = r.key)
        order by r.key
        on conflict (key) do nothing`,
  );
  await rows(
    tx,
    sql`insert into lanes (campaign_id, zone_set_id, priority)
        select ${campaignId}::uuid, z.id, 0
        from jsonb_to_recordset(${sets}) as r(key text) join zone_sets z on z.key = r.key
        where not exists (select 1 from lanes l where l.campaign_id = ${campaignId}::uuid and l.zone_set_id = z.id and l.priority = 0)
        on conflict do nothing`,
  );
  const found = await rows<{ id: number; key: string }>(
    tx,
    sql`select l.id, z.key from jsonb_to_recordset(${sets}) as r(key text) join zone_sets z on z.key = r.key
        join lanes l on l.campaign_id = ${campaignId}::uuid and l.zone_set_id = z.id and l.priority = 0`,
  );
  return new Map(found.map((row) => [row.key, row.id]));
}

async function insertRejects(tx: Db, importId: number, rejects: readonly ReadReject[]): Promise<void> {
  if (rejects.length === 0) return;
  await rows(
    tx,
    sql`insert into import_rejects (import_id, line, code, reason, raw)
        select ${importId}::bigint, r.line, r.code, r.reason, r.raw
        from jsonb_to_recordset(${json(rejects)}) as r(line int, code text, reason text, raw text)
        on conflict do nothing`,
  );
}
