import { CommandRefusedError } from "../ground/command-refused.ts";
import { NoDataKeyError, type DataKeys } from "../ground/data-keys.ts";
import type { Ledger } from "../ground/connection.ts";
import { enrollPeople, whereUnder, type PersonOutcome } from "./enrolling.ts";
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
} from "../campaigns/list-imports.ts";
import { withheldIn } from "../campaigns/sealed-lists.ts";
import { recordConsents } from "../ground/consents.ts";
import { putOutbox } from "../ground/outbox.ts";
import { findSequence, readDefinition, readSequenceById, type Sequence } from "./sequences.ts";

/* Lists of people for a sequence. */

/**
 * Begins a list, or finds the one that was begun with the same file.
 *
 * @throws CommandRefusedError where the sequence takes nobody any more.
 */
export async function beginEnrolmentImport(
  ledger: Ledger,
  { sequenceId, ...list }: ListTaken & { sequenceId: string; nowMs: number },
): Promise<ListImport> {
  refuseWithoutRoom(ledger);
  return ledger.transaction(async (tx) => {
    refuseClosed(await readSequenceById(tx, sequenceId));
    return beginList(tx, { sequenceId }, list);
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
    /** Absent: there are none, and a sequence with sensitive variables takes no list. */
    dataKeys?: DataKeys | undefined;
    nowMs: number;
  },
): Promise<void> {
  refuseWithoutRoom(ledger);
  const { nowMs, importId } = input;
  await ledger.transaction(async (tx) => {
    // Nobody who holds anything else waits for this row.
    const { throughLine, never } = await lockImport(tx, importId);
    const sequence = await findSequence(tx, input.sequence.brand, input.sequence.name);
    if (!sequence) throw new CommandRefusedError("there is no such sequence any more");
    const definition = await readDefinition(tx, sequence.id, sequence.version);
    const { sensitive = [] } = definition;
    if (sensitive.length > 0 && input.dataKeys?.currentId === undefined)
      throw new CommandRefusedError(new NoDataKeyError().message);
    const fresh = withheldIn(
      input.rows.filter((row) => row.line > throughLine),
      sensitive,
    );
    const people = fresh.filter((row) => row.kind === "contact");
    await recordConsents(tx, {
      brand: sequence.brand,
      consents: consentsIn(people),
      source: "list",
      nowMs,
    });
    const outcomes = await enrollPeople(tx, {
      sequence,
      definition,
      people,
      source: "list",
      importId,
      dataKeys: input.dataKeys,
      nowMs,
    });
    const unread = fresh.filter((row) => row.kind === "rejected");
    const { enrolled, refused, duplicates } = sorted(people, outcomes);
    outcomes.forEach((outcome, index) => {
      const person = people[index];
      if (!person || outcome.kind !== "refused") return;
      const { reason } = outcome;
      if (reason === "no_time_zone" || reason === "no_common_window")
        never.add(reason, person.region, whereUnder(definition, person).zones);
    });
    await bookChunk(tx, {
      importId,
      throughLine: input.throughLine,
      rowsRead: fresh.length,
      rejected: [...unread, ...refused],
      duplicates,
      accepted: enrolled.length,
      never,
      nowMs,
    });
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
