import { sql } from "drizzle-orm";

import { CommandRefusedError } from "../ground/command-refused.ts";
import { NeverDialedGroups, type NeverDialed } from "../../domain/policy/never-dialed.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { enrollPeople, zonesUnder, type PersonOutcome } from "./enrolling.ts";
import type { ReadContact, ReadReject } from "../campaigns/imports.ts";
import {
  LIST_IMPORT_COLUMNS,
  listImportOf,
  refuseWithoutRoom,
  type ListImport,
  type ListImportRow,
} from "../campaigns/list-imports.ts";
import { putOutbox } from "../ground/outbox.ts";
import { findSequence, readDefinition, readSequenceById, type Sequence } from "./sequences.ts";
import { at, json } from "../ground/sql.ts";

/*
 * Lists of people for a sequence. A chunk is one short transaction, and accepted for good once it is committed;
 * whatever cuts a list off, the same file again goes on behind the last line that was taken (I3, I5).
 */

export interface EnrolmentImport extends ListImport {
  sequenceId: string;
}

interface ImportRow extends ListImportRow {
  sequence_id: string;
}

const COLUMNS = sql`${LIST_IMPORT_COLUMNS}, sequence_id`;

function importOf(row: ImportRow): EnrolmentImport {
  return { ...listImportOf(row), sequenceId: row.sequence_id };
}

/** Oldest first. */
export async function listEnrolmentImports(db: Db, sequenceId: string): Promise<EnrolmentImport[]> {
  const found = await rows<ImportRow>(
    db,
    sql`select ${COLUMNS} from imports where sequence_id = ${sequenceId}::uuid order by id`,
  );
  return found.map(importOf);
}

export async function findEnrolmentImport(
  db: Db,
  sequenceId: string,
  digest: string,
): Promise<EnrolmentImport | undefined> {
  const row = await firstRow<ImportRow>(
    db,
    sql`select ${COLUMNS} from imports where sequence_id = ${sequenceId}::uuid and digest = ${digest}`,
  );
  return row && importOf(row);
}

/**
 * Begins a list, or finds the one that was begun with the same file.
 *
 * @throws CommandRefusedError where the sequence takes nobody any more.
 */
export async function beginEnrolmentImport(
  ledger: Ledger,
  input: {
    sequenceId: string;
    digest: string;
    sourceName: string;
    settings: Record<string, unknown>;
    nowMs: number;
  },
): Promise<EnrolmentImport> {
  refuseWithoutRoom(ledger);
  return ledger.transaction(async (tx) => {
    refuseClosed(await readSequenceById(tx, input.sequenceId));
    await rows(
      tx,
      sql`insert into imports (sequence_id, digest, source_name, settings, created_at, updated_at)
          values (${input.sequenceId}::uuid, ${input.digest}, ${input.sourceName}, ${json(input.settings)},
                  ${at(input.nowMs)}, ${at(input.nowMs)})
          on conflict (sequence_id, digest) do nothing`,
    );
    const begun = await findEnrolmentImport(tx, input.sequenceId, input.digest);
    if (!begun) throw new Error("the list vanished while it was begun");
    return begun;
  });
}

function refuseClosed(sequence: Sequence | undefined): void {
  if (sequence && sequence.state !== "closed") return;
  throw new CommandRefusedError(
    sequence
      ? `sequence "${sequence.name}" is closed: it takes nobody any more; \`resume\` opens it again`
      : "there is no such sequence any more",
  );
}

/** A row of a list, with the key that a column may give it. */
export type EnrolmentRead = (ReadContact & { key?: string | undefined }) | ReadReject;

/**
 * Takes one chunk of a list. Its workflows are started by the relay, at its own pace and behind everything else.
 * Giving a chunk again changes nothing.
 *
 * @throws CommandRefusedError where the sequence takes nobody any more; nothing of the chunk was accepted.
 */
export async function enrollChunk(
  ledger: Ledger,
  input: {
    importId: number;
    sequence: Sequence;
    rows: readonly EnrolmentRead[];
    throughLine: number;
    nowMs: number;
  },
): Promise<void> {
  refuseWithoutRoom(ledger);
  const { nowMs, importId } = input;
  await ledger.transaction(async (tx) => {
    // Two uploads of one list take turns; nobody who holds anything else waits for this row.
    const begun = await firstRow<{ through_line: number; never_dialed: NeverDialed[] }>(
      tx,
      sql`select through_line, never_dialed from imports where id = ${importId} for update`,
    );
    if (!begun) throw new Error(`there is no list ${importId}`);
    const sequence = await findSequence(tx, input.sequence.brand, input.sequence.name);
    if (!sequence) throw new CommandRefusedError("there is no such sequence any more");
    const definition = await readDefinition(tx, sequence.id, sequence.version);
    const fresh = input.rows.filter((row) => row.line > begun.through_line);
    const people = fresh.filter((row) => row.kind === "contact");
    const outcomes = await enrollPeople(tx, {
      sequence,
      definition,
      people,
      source: "list",
      importId,
      nowMs,
    });
    const unread = fresh.filter((row) => row.kind === "rejected");
    const { enrolled, refused, duplicates } = sorted(people, outcomes);
    const never = new NeverDialedGroups(begun.never_dialed);
    outcomes.forEach((outcome, index) => {
      const person = people[index];
      if (!person || outcome.kind !== "refused") return;
      const { reason } = outcome;
      if (reason === "no_time_zone" || reason === "no_common_window")
        never.add(reason, person.region, zonesUnder(definition, person));
    });
    await insertRejects(tx, importId, [...unread, ...refused, ...duplicates]);
    await rows(
      tx,
      sql`update imports set through_line = greatest(through_line, ${input.throughLine}::int), updated_at = ${at(nowMs)},
            never_dialed = ${json(never.all())},
            rows_read = rows_read + ${fresh.length}::int, rows_rejected = rows_rejected + ${unread.length + refused.length}::int,
            rows_duplicate = rows_duplicate + ${duplicates.length}::int, rows_accepted = rows_accepted + ${enrolled.length}::int
          where id = ${importId}`,
    );
    await putOutbox(
      tx,
      enrolled.map((subject) => ({ kind: "enrolment_bulk", subject, dueAtMs: nowMs })),
    );
  });
}

function sorted(
  people: readonly ReadContact[],
  outcomes: readonly PersonOutcome[],
): { enrolled: string[]; refused: ReadReject[]; duplicates: ReadReject[] } {
  const enrolled: string[] = [];
  const refused: ReadReject[] = [];
  const duplicates: ReadReject[] = [];
  people.forEach((person, index) => {
    const outcome = outcomes[index];
    const reject = (code: string, reason: string): ReadReject => ({
      line: person.line,
      kind: "rejected",
      code,
      reason,
      raw: person.phone,
    });
    if (outcome?.kind === "enrolled") enrolled.push(outcome.enrolmentId);
    else if (outcome?.kind === "refused") {
      if (outcome.reason === "sequence_closed") throw new CommandRefusedError(outcome.detail);
      refused.push(reject(outcome.reason, outcome.detail));
    } else {
      duplicates.push(
        reject(
          "duplicate",
          `${person.phone} is in this sequence already, or in a row before; nothing was changed`,
        ),
      );
    }
  });
  return { enrolled, refused, duplicates };
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

export async function completeEnrolmentImport(
  ledger: Ledger,
  input: { importId: number; nowMs: number },
): Promise<void> {
  await rows(
    ledger.db,
    sql`update imports set completed_at = coalesce(completed_at, ${at(input.nowMs)}), updated_at = ${at(input.nowMs)} where id = ${input.importId}`,
  );
}
