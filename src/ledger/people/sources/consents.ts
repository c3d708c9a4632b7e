import { sql } from "drizzle-orm";

import { eitherForm } from "../../ground/person-mark.ts";
import { rows, type Db } from "../../ground/connection.ts";
import { ms } from "../../ground/sql.ts";
import {
  isOfBrand,
  isoOf,
  isoOrNull,
  momentOf,
  pageOf,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

interface ConsentRow extends EntryRow {
  brand: string;
  basis: string | null;
  givenMs: number;
  expiresMs: number | null;
  proof: string | null;
  door: string;
}

/** What was said about calls to the number, when it came in: before that nobody could go by it. */
export async function readConsents(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<ConsentRow>(
    db,
    pageOf(
      sql`select 'consent:' || lpad(k.id::text, 12, '0') as id, ${momentOf(sql`k.recorded_at`)}, k.brand, k.basis,
            ${ms(sql`k.at`)} as "givenMs", ${ms(sql`k.expires_at`)} as "expiresMs", k.proof, k.source as door
          from consents k where k.phone in ${eitherForm(sql`${question.phone}`)} and ${isOfBrand(sql`k.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => (row.basis === null ? withdrawn(row) : given(row, row.basis)));
}

function given({ id, atMs, brand, givenMs, expiresMs, proof, door }: ConsentRow, basis: string): FoundEntry {
  const ends = expiresMs === null ? "" : ` until ${isoOf(expiresMs)}`;
  return {
    id,
    atMs,
    kind: "consented",
    brand,
    zones: [],
    what: `consent of ${isoOf(givenMs)} to be called by the brand ${brand}${ends} was recorded: ${basis} (${door})`,
    facts: { basis, given_at: isoOf(givenMs), expires_at: isoOrNull(expiresMs), proof, through: door },
  };
}

function withdrawn({ id, atMs, brand, givenMs, proof, door }: ConsentRow): FoundEntry {
  return {
    id,
    atMs,
    kind: "consent_withdrawn",
    brand,
    zones: [],
    what: `consent to be called by the brand ${brand} was withdrawn: ${proof ?? "nobody said why"} (${door})`,
    facts: { withdrawn_at: isoOf(givenMs), reason: proof, through: door },
  };
}
