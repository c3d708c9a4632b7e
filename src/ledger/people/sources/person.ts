import { sql } from "drizzle-orm";

import { rows, type Db } from "../../ground/connection.ts";
import { ms } from "../../ground/sql.ts";
import {
  isOfBrand,
  isoOrNull,
  momentOf,
  pageOf,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/* What is of the number itself, whatever campaign: suppressions, the person's own calls. */

interface SuppressionRow extends EntryRow {
  brand: string | null;
  source: string;
  reason: string;
  addedBy: string | null;
  expiresMs: number | null;
  removedMs: number | null;
  removedBy: string | null;
  removedReason: string | null;
}

/** Suppressions, when they were added: until when they bind. */
export async function readSuppressed(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<SuppressionRow>(
    db,
    pageOf(
      sql`select 'suppressed:' || s.id as id, ${ms(sql`s.created_at`)} as "atMs",
            coalesce(${ms(sql`least(s.expires_at, s.removed_at)`)}, 9e15) as "reachMs", s.brand, s.source, s.reason,
            s.added_by as "addedBy", ${ms(sql`s.expires_at`)} as "expiresMs", ${ms(sql`s.removed_at`)} as "removedMs",
            s.removed_by as "removedBy", s.removed_reason as "removedReason"
          from suppressions s where s.phone = ${question.phone} and ${isOfBrand(sql`s.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    untilMs: row.removedMs ?? row.expiresMs,
    kind: "suppressed",
    brand: row.brand ?? undefined,
    zones: [],
    what: `must not be called ${scopeText(row.brand)}: ${row.reason} (${row.source})`,
    facts: {
      scope: row.brand ?? "every brand",
      source: row.source,
      reason: row.reason,
      by: row.addedBy,
      expires_at: isoOrNull(row.expiresMs),
      removed_at: isoOrNull(row.removedMs),
    },
  }));
}

/** Suppressions, when they were taken back. */
export async function readUnsuppressed(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<SuppressionRow>(
    db,
    pageOf(
      sql`select 'unsuppressed:' || s.id as id, ${momentOf(sql`s.removed_at`)}, s.brand, s.source, s.reason,
            s.added_by as "addedBy", ${ms(sql`s.expires_at`)} as "expiresMs", ${ms(sql`s.removed_at`)} as "removedMs",
            s.removed_by as "removedBy", s.removed_reason as "removedReason"
          from suppressions s
          where s.phone = ${question.phone} and s.removed_at is not null and ${isOfBrand(sql`s.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "unsuppressed",
    brand: row.brand ?? undefined,
    zones: [],
    what: `the suppression ${scopeText(row.brand)} ended: ${row.removedReason ?? "nobody said why"}`,
    facts: { scope: row.brand ?? "every brand", reason: row.removedReason, by: row.removedBy },
  }));
}

function scopeText(brand: string | null): string {
  return brand === null ? "by any brand" : `by the brand ${brand}`;
}

interface InboundRow extends EntryRow {
  callId: string;
  toNumber: string | null;
  endedMs: number | null;
  settledMs: number | null;
  optedOut: boolean;
}

/** The person's own calls to us. They are of no brand: numbers of ours are not written down as one's. */
export async function readCalledUs(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<InboundRow>(
    db,
    pageOf(
      sql`select 'called-us:' || md5(i.call_id) as id, ${momentOf(sql`i.at`)}, i.call_id as "callId",
            i.to_number as "toNumber", ${ms(sql`i.ended_at`)} as "endedMs", ${ms(sql`i.settled_at`)} as "settledMs",
            i.opted_out as "optedOut"
          from inbound_calls i where i.phone = ${question.phone}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "called_us",
    brand: undefined,
    zones: [],
    what: `called us${row.toNumber === null ? "" : ` on ${row.toNumber}`}${row.optedOut ? ", and opted out" : ""}`,
    facts: {
      call_id: row.callId,
      to_number: row.toNumber,
      ended_at: isoOrNull(row.endedMs),
      settled_at: isoOrNull(row.settledMs),
      opted_out: row.optedOut,
    },
  }));
}
