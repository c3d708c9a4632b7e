import { sql } from "drizzle-orm";

import type { Fact } from "../../../domain/people/story.ts";
import { rows, type Db } from "../../ground/connection.ts";
import {
  isOfBrand,
  momentOf,
  pageOf,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/* The person's ways through sequences, and what other systems told of them. */

interface SequenceColumns {
  brand: string;
  sequenceName: string;
  version: number;
  zones: string[];
  places: string[];
}

/** Of enrolment `e`, its sequence `s` and its zones `z`. */
const SEQUENCE_COLUMNS = sql`s.brand, s.name as "sequenceName", e.version, z.zones, z.places`;
const OF_ENROLMENT = sql`join sequences s on s.id = e.sequence_id join zone_sets z on z.id = e.zone_set_id`;

function sequenceOf({ brand, sequenceName: name, version, zones, places }: SequenceColumns) {
  return { brand, sequence: { name, version }, zones, places };
}

interface EnrolledRow extends EntryRow, SequenceColumns {
  enrolmentId: string;
  source: string;
  listName: string | null;
  digest: string | null;
  line: number | null;
  state: string;
  outcome: string | null;
  reason: string | null;
}

/** Enrolments, when they were accepted. */
export async function readEnrolled(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<EnrolledRow>(
    db,
    pageOf(
      sql`select 'enrolled:' || e.id as id, ${momentOf(sql`e.created_at`)}, ${SEQUENCE_COLUMNS}, e.id as "enrolmentId",
            e.source, i.source_name as "listName", i.digest, e.line, e.state, e.outcome, e.reason
          from enrolments e ${OF_ENROLMENT} left join imports i on i.id = e.import_id
          where e.phone = ${question.phone} and ${isOfBrand(sql`s.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    ...sequenceOf(row),
    id: row.id,
    atMs: row.atMs,
    kind: "enrolled",
    what: `began the sequence ${row.sequenceName} in its version ${row.version}, by ${row.listName === null ? row.source : `line ${row.line ?? "?"} of the list ${row.listName}`}`,
    facts: {
      enrolment_id: row.enrolmentId,
      source: row.source,
      list: row.listName,
      list_sha256: row.digest,
      line: row.line,
      state: row.state,
      outcome: row.outcome,
      reason: row.reason,
    },
  }));
}

interface JourneyRow extends EntryRow, SequenceColumns {
  enrolmentId: string;
  step: string | null;
  word: string;
  detail: Record<string, unknown>;
}

/** What happened on the way, entry by entry. */
export async function readJourneys(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<JourneyRow>(
    db,
    pageOf(
      // Of an enrolment in their order, within a moment, too.
      sql`select 'journey:' || e.id || ':' || lpad(j.n::text, 10, '0') as id, ${momentOf(sql`j.at`)}, ${SEQUENCE_COLUMNS},
            e.id as "enrolmentId", j.step, j.what as word, j.detail
          from enrolments e ${OF_ENROLMENT} join journeys j on j.enrolment_id = e.id
          where e.phone = ${question.phone} and ${isOfBrand(sql`s.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => {
    const facts = factsOf(row.detail);
    const told = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
    return {
      ...sequenceOf(row),
      id: row.id,
      atMs: row.atMs,
      kind: "journey",
      what: `${row.step === null ? "" : `step ${row.step}: `}${row.word}${told.length === 0 ? "" : ` (${told.join(", ")})`}`,
      facts: { enrolment_id: row.enrolmentId, step: row.step, word: row.word, ...facts },
    };
  });
}

interface ToldRow extends EntryRow {
  trigger: string;
  deliveryId: string;
  word: string;
  result: Record<string, unknown> | null;
}

/**
 * Items of deliveries that were about the person, once for each thing that one asked for. They are of no brand: the
 * trigger may have named another by now.
 */
export async function readTold(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<ToldRow>(
    db,
    pageOf(
      sql`select 'told:' || md5(i.trigger_id || ' ' || i.key || ' ' || i.what) as id, ${momentOf(sql`i.at`)},
            t.name as trigger, i.delivery_id as "deliveryId", i.what as word, i.result
          from trigger_items i join triggers t on t.id = i.trigger_id where i.phone = ${question.phone}`,
      question,
    ),
  );
  return found.map((row) => {
    const facts = factsOf(row.result ?? {});
    return {
      id: row.id,
      atMs: row.atMs,
      kind: "told",
      brand: undefined,
      zones: [],
      what: `the trigger ${row.trigger} told of the person (${row.word})${cameOf(facts)}`,
      facts: { trigger: row.trigger, delivery_id: row.deliveryId, ...facts },
    };
  });
}

function cameOf({ reason, already }: Readonly<Record<string, Fact>>): string {
  if (typeof reason === "string") return `: ${reason}`;
  return already === true ? ": the person was in the sequence already" : "";
}

/** What is no word, number or list of words stays out: it is somebody else's document. */
function factsOf(detail: Readonly<Record<string, unknown>>): Record<string, Fact> {
  return Object.fromEntries(
    Object.entries(detail).flatMap(([name, value]): [string, Fact][] => {
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
        return [[name, value]];
      return Array.isArray(value) && value.every((one) => typeof one === "string") ? [[name, value]] : [];
    }),
  );
}
