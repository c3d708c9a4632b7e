import { sql, type SQL } from "drizzle-orm";
import { noteNews } from "./campaign-news.ts";

import type { ConsentGiven } from "../../domain/policy/consent.ts";
import { NeverDialedGroups, type NeverDialed } from "../../domain/policy/never-dialed.ts";
import { writeAudit } from "../ground/audit.ts";
import type { NewConsent } from "../ground/consents.ts";
import { firstRow, LedgerFullError, rows, type Db, type Ledger } from "../ground/connection.ts";
import {
  document,
  flag,
  from,
  moment,
  number,
  optional,
  record,
  text,
  type RecordOf,
} from "../ground/record.ts";
import { numberIn } from "../../domain/ground/number-in-text.ts";
import { at, json } from "../ground/sql.ts";

/*
 * Lists of people, whoever they are for. A chunk is one short transaction, and accepted for good once it is
 * committed; whatever cuts a list off, the same file again goes on behind the last line that was taken (I3, I5).
 */

/** A row of a list that could be read. */
export interface ReadContact {
  line: number;
  kind: "contact";
  phone: string;
  region: string | undefined;
  /** Sorted IANA names; none where nothing is known. */
  zones: readonly string[];
  /** The same under `zones: strict`. */
  strictZones: readonly string[];
  /** Countries, and states as `US-FL`, that the person may be in; absent: not known beyond the zones. */
  places?: readonly string[];
  /** The same under `zones: strict`. */
  strictPlaces?: readonly string[];
  variables: Readonly<Record<string, string>>;
  /** What the row says of consent to be called; absent: nothing. */
  consent?: ConsentGiven;
}

export interface ReadReject {
  line: number;
  kind: "rejected";
  code: string;
  reason: string;
  raw: string;
}

export type ReadRow = ReadContact | ReadReject;

/** Whom a list is for. */
export type ListOwner = { campaignId: string } | { sequenceId: string };

/** How far a list was taken. */
const LIST_IMPORT = record({
  id: number,
  /** SHA-256 of its bytes, hexadecimal: what makes a list the same again. */
  digest: text,
  sourceName: text,
  /** How it is read. */
  settings: document<Record<string, unknown>>(),
  throughLine: number,
  rowsRead: number,
  rowsRejected: number,
  /** Rows whose people are there already, or stand in the list before. */
  rowsDuplicate: number,
  rowsAccepted: number,
  /** Who of them can never be dialed under the window that there was when they were taken; largest group first. */
  neverDialed: document<readonly NeverDialed[]>(),
  updatedAtMs: moment,
  completedAtMs: optional(moment),
});

export interface ListImport extends RecordOf<typeof LIST_IMPORT> {}

/** `actor`: who gives it, for the audit; absent: it is part of what somebody else is told of. */
export type ListTaken = Pick<ListImport, "digest" | "sourceName" | "settings"> & { actor?: string };

function columnOf(owner: ListOwner): { column: SQL; id: string } {
  return "campaignId" in owner
    ? { column: sql`campaign_id`, id: owner.campaignId }
    : { column: sql`sequence_id`, id: owner.sequenceId };
}

/** Of a row of `imports`: it is a list of theirs. */
export function isListOf(owner: ListOwner): SQL {
  const { column, id } = columnOf(owner);
  return sql`${column} = ${id}::uuid`;
}

/** Oldest first. */
export function listImports(db: Db, owner: ListOwner): Promise<ListImport[]> {
  return rows(
    db,
    sql`select ${LIST_IMPORT.columns} from imports where ${isListOf(owner)} order by id`,
    LIST_IMPORT,
  );
}

/** The list with these bytes, as far as it was begun. */
export function findImport(db: Db, owner: ListOwner, digest: string): Promise<ListImport | undefined> {
  return firstRow(
    db,
    sql`select ${LIST_IMPORT.columns} from imports where ${isListOf(owner)} and digest = ${digest}`,
    LIST_IMPORT,
  );
}

/** Begins a list, or finds the one that was begun with the same file: a list is never taken twice. */
export async function beginList(
  tx: Db,
  owner: ListOwner,
  { digest, sourceName, settings, actor, nowMs }: ListTaken & { nowMs: number },
): Promise<ListImport> {
  const { column, id } = columnOf(owner);
  const made = await rows(
    tx,
    sql`insert into imports (${column}, digest, source_name, settings, created_at, updated_at)
          values (${id}::uuid, ${digest}, ${sourceName}, ${json(settings)},
                  ${at(nowMs)}, ${at(nowMs)})
          on conflict (${column}, digest) do nothing returning 1 as one`,
  );
  // Its chunks are accepted for good from now on, whether it comes to its end or not.
  if (made.length > 0 && actor !== undefined) {
    const action = "campaignId" in owner ? "campaign.list_begun" : "sequence.list_begun";
    await writeAudit(tx, { nowMs, actor, action, campaignId: id, detail: { list: sourceName, digest } });
  }
  const begun = await findImport(tx, owner, digest);
  if (!begun) throw new Error("the list vanished while it was begun");
  return begun;
}

/** A list whose row is locked: two uploads of it take turns. */
interface LockedImport {
  throughLine: number;
  never: NeverDialedGroups;
}

export async function lockImport(tx: Db, importId: number): Promise<LockedImport> {
  const begun = await firstRow<{ through_line: number; never_dialed: NeverDialed[] }>(
    tx,
    sql`select through_line, never_dialed from imports where id = ${importId} for update`,
  );
  if (!begun) throw new Error(`there is no list ${importId}`);
  return { throughLine: begun.through_line, never: new NeverDialedGroups(begun.never_dialed) };
}

/** What became of the rows of a chunk that were not taken before. */
interface TakenChunk {
  importId: number;
  throughLine: number;
  rowsRead: number;
  rejected: readonly ReadReject[];
  duplicates: readonly ReadReject[];
  accepted: number;
  /** Of all chunks so far. */
  never: NeverDialedGroups;
  nowMs: number;
}

/** What rows say of consent, of those that make a contact and of those whose number is there already. */
export function consentsIn(people: readonly ReadContact[]): NewConsent[] {
  return people.flatMap(({ phone, consent }) => (consent ? [{ ...consent, phone }] : []));
}

/** Books a chunk in the transaction that takes it. */
export async function bookChunk(tx: Db, chunk: TakenChunk): Promise<void> {
  const { importId, rejected, duplicates } = chunk;
  const rejects = [...rejected, ...duplicates];
  if (rejects.length > 0) {
    await rows(
      tx,
      sql`insert into import_rejects (import_id, line, code, reason, raw, digits)
          select ${importId}::bigint, r.line, r.code, r.reason, r.raw, r.digits
          from jsonb_to_recordset(${json(
            rejects.map((reject) => ({ ...reject, digits: numberIn(reject.raw) })),
          )}) as r(line int, code text, reason text, raw text, digits text)
          on conflict do nothing`,
    );
  }
  await rows(
    tx,
    sql`update imports set through_line = greatest(through_line, ${chunk.throughLine}::int), updated_at = ${at(chunk.nowMs)},
          never_dialed = ${json(chunk.never.all())},
          rows_read = rows_read + ${chunk.rowsRead}::int, rows_rejected = rows_rejected + ${rejected.length}::int,
          rows_duplicate = rows_duplicate + ${duplicates.length}::int, rows_accepted = rows_accepted + ${chunk.accepted}::int
        where id = ${importId}`,
  );
}

export async function completeImport(
  ledger: Ledger,
  { importId, actor, nowMs }: { importId: number; actor?: string; nowMs: number },
): Promise<void> {
  await ledger.transaction(async (tx) => {
    const [list] = await rows(
      tx,
      sql`update imports set completed_at = ${at(nowMs)}, updated_at = ${at(nowMs)}
          where id = ${importId} and completed_at is null returning ${COMPLETED.columns}`,
      COMPLETED,
    );
    if (list === undefined) return;
    const { about = "", ofCampaign, brand, name, run, ...detail } = list;
    if (name !== undefined && brand !== undefined && run !== undefined) {
      const { accepted, rejected } = detail;
      const named = { campaignId: about, brand, name, run };
      noteNews(tx, {
        ...named,
        step: "listed",
        detail: { accepted, rejected, ...(actor !== undefined && { actor }) },
      });
    }
    if (actor === undefined) return;
    const action = ofCampaign ? "campaign.list" : "sequence.list";
    await writeAudit(tx, { nowMs, actor, action, campaignId: about, detail });
  });
}

/** What the audit keeps of a list that came in whole. */
const COMPLETED = record({
  about: from("coalesce(campaign_id, sequence_id)::text", optional(text)),
  ofCampaign: from("campaign_id is not null", flag),
  brand: from("(select c.brand from campaigns c where c.id = campaign_id)", optional(text)),
  name: from("(select c.name from campaigns c where c.id = campaign_id)", optional(text)),
  run: from("(select c.run from campaigns c where c.id = campaign_id)", optional(number)),
  list: from("source_name", text),
  digest: text,
  accepted: from("rows_accepted", number),
  rejected: from("rows_rejected", number),
});

/** @throws LedgerFullError where a list is not to fill what is left of the disk. */
export function refuseWithoutRoom(ledger: Ledger): void {
  if (ledger.hasRoom()) return;
  throw new LedgerFullError(
    "the disk under the ledger is almost full: make room, then run the same command again, which goes on behind the last row taken",
  );
}
