import { sql, type SQL } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import { CommandRefusedError } from "../ground/command-refused.ts";
import { readStoredSequence, type SequenceDefinition } from "../../domain/sequences/definition.ts";
import { writeAudit } from "../ground/audit.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { digestOf } from "../ground/digest.ts";
import { moment, number, optional, record, text, word, type RecordOf } from "../ground/record.ts";
import type { RequireSeen } from "../ground/require-seen.ts";
import { at, json, listOf, ms } from "../ground/sql.ts";

/** active: goes on. paused: nobody moves on. closed: takes nobody any more; those in it go on. */
export type SequenceState = "active" | "paused" | "closed";

const SEQUENCE = record({
  id: text,
  brand: text,
  name: text,
  state: word<SequenceState>(),
  stateReason: optional(text),
  /** Of one that is paused: what it is when it goes on. */
  resumesTo: optional(word<SequenceState>()),
  /** The version that new enrolments get. */
  version: number,
  createdAtMs: moment,
});

export interface Sequence extends RecordOf<typeof SEQUENCE> {}

function readOne(db: Db, condition: SQL): Promise<Sequence | undefined> {
  return firstRow(db, sql`select ${SEQUENCE.columns} from sequences where ${condition}`, SEQUENCE);
}

export function readSequenceById(db: Db, id: string): Promise<Sequence | undefined> {
  return readOne(db, sql`id = ${id}::uuid`);
}

/** The sequence that a brand calls so. */
export function findSequence(db: Db, brand: string, name: string): Promise<Sequence | undefined> {
  return readOne(db, sql`brand = ${brand} and name = ${name}`);
}

/**
 * The sequence as it is until the end of this transaction: pausing, resuming and closing wait for that. Taken
 * behind the rows of enrolments, before those of campaigns.
 */
export function shareSequence(tx: Db, id: string): Promise<Sequence | undefined> {
  return readOne(tx, sql`id = ${id}::uuid for share`);
}

/** For whoever changes it. Taken before the rows of campaigns; whoever holds it locks no enrolment. */
export function lockSequence(tx: Db, id: string): Promise<Sequence | undefined> {
  return readOne(tx, sql`id = ${id}::uuid for update`);
}

/** By brand and name; goes on behind `after`. */
export async function listSequences(
  db: Db,
  page: {
    after?: { brand: string; name: string };
    limit: number;
    brand?: string | undefined;
    /** The brands of whoever asks. Undefined: all. */
    within?: readonly string[] | undefined;
  },
): Promise<{ sequences: Sequence[]; total: number }> {
  const isWithin = page.within === undefined ? sql`true` : sql`brand in ${listOf(page.within, "text")}`;
  const condition = sql`(${page.brand ?? null}::text is null or brand = ${page.brand ?? null}::text) and ${isWithin}`;
  const behind =
    page.after === undefined ? sql`true` : sql`(brand, name) > (${page.after.brand}, ${page.after.name})`;
  const sequences = await rows(
    db,
    sql`select ${SEQUENCE.columns} from sequences where ${condition} and ${behind} order by brand, name limit ${page.limit}`,
    SEQUENCE,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from sequences where ${condition}`,
  );
  return { sequences, total: total?.n ?? 0 };
}

export interface SequenceVersion {
  version: number;
  digest: string;
  actor: string;
  createdAtMs: number;
}

/** Newest first. */
export async function listVersions(db: Db, sequenceId: string): Promise<SequenceVersion[]> {
  const found = await rows<Omit<SequenceVersion, "createdAtMs"> & { created_ms: number }>(
    db,
    sql`select version, digest, actor, ${ms(sql`created_at`)} as created_ms from sequence_versions
        where sequence_id = ${sequenceId}::uuid order by version desc`,
  );
  return found.map(({ created_ms: createdAtMs, ...row }) => ({ ...row, createdAtMs }));
}

/** Definitions that are kept parsed: versions never change. */
const MAX_PARSED = 200;
const parsed = new Map<string, SequenceDefinition>();

/** A version's definition. It was valid when it was written down, and every release reads what an older one wrote. */
export async function readDefinition(
  db: Db,
  sequenceId: string,
  version: number,
): Promise<SequenceDefinition> {
  const key = `${sequenceId} ${version}`;
  const known = parsed.get(key);
  if (known) return known;
  const row = await firstRow<{ definition: unknown }>(
    db,
    sql`select definition from sequence_versions where sequence_id = ${sequenceId}::uuid and version = ${version}`,
  );
  const reading = readStoredSequence(row?.definition);
  if (!reading.ok) {
    const told = reading.problems.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
    throw new Error(`version ${version} of sequence ${sequenceId} can't be read: ${told}`);
  }
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(key, reading.definition);
  return reading.definition;
}

export interface PutResult {
  sequence: Sequence;
  /** `same`: its newest version is this definition already. */
  kind: "created" | "new_version" | "same";
}

/** What the next version of a sequence comes after. */
export function newestOf({ id, version }: Sequence): { id: string; version: number } {
  return { id, version };
}

/**
 * What was sealed stays so: calls to people of earlier versions are made, and followed up, by what the newest one says.
 *
 * @throws CommandRefusedError
 */
function refuseUnsealing(before: SequenceDefinition, after: SequenceDefinition): void {
  const bared = before.sensitive?.filter((name) => !after.sensitive?.includes(name)) ?? [];
  if (bared.length > 0)
    throw new CommandRefusedError(
      `sensitive: ${bared.join(", ")} ${bared.length === 1 ? "is" : "are"} sensitive in the present version of sequence "${after.name}", and people may be in it whose values are sealed: leave it in, or put a sequence of another name`,
    );
}

export interface PutInput {
  definition: SequenceDefinition;
  /** Only while this version is the newest; 0: only where there is none yet. */
  ifVersion?: number | undefined;
  /** Told which version of it is the newest, as `newestOf` says it. */
  requireSeen?: RequireSeen | undefined;
  actor: string;
  nowMs: number;
}

/**
 * Writes a sequence down, or its next version. Those who are in it stay on the version that they began with.
 *
 * @throws CommandRefusedError where another version is the newest, and says something else; the caller's transaction
 * must not be committed then
 */
export async function putSequence(tx: Db, input: PutInput): Promise<PutResult> {
  const { definition, actor, nowMs } = input;
  const { brand, name } = definition;
  await rows(tx, sql`insert into brands (id) values (${brand}) on conflict do nothing`);
  const created = await rows(
    tx,
    sql`insert into sequences (id, brand, name, state, version, created_at)
        values (${randomUUID()}::uuid, ${brand}, ${name}, 'active', 1, ${at(nowMs)})
        on conflict (brand, name) do nothing returning 1 as one`,
  );
  const sequence = await readOne(tx, sql`brand = ${brand} and name = ${name} for update`);
  if (!sequence) throw new Error(`sequence "${name}" vanished while it was written`);
  const digest = digestOf(definition);
  const isNew = created.length > 0;
  if (!isNew) {
    const newest = await firstRow<{ digest: string }>(
      tx,
      sql`select digest from sequence_versions where sequence_id = ${sequence.id}::uuid and version = ${sequence.version}`,
    );
    if (newest?.digest === digest) return { sequence, kind: "same" };
  }
  requireVersion(sequence, isNew ? 0 : sequence.version, input.ifVersion);
  input.requireSeen?.(isNew ? undefined : newestOf(sequence));
  if (!isNew) {
    refuseUnsealing(await readDefinition(tx, sequence.id, sequence.version), definition);
    sequence.version += 1;
    await rows(tx, sql`update sequences set version = ${sequence.version} where id = ${sequence.id}::uuid`);
  }
  await rows(
    tx,
    sql`insert into sequence_versions (sequence_id, version, definition, digest, actor, created_at)
        values (${sequence.id}::uuid, ${sequence.version}, ${json(definition)}, ${digest}, ${actor}, ${at(nowMs)})`,
  );
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "sequence.put",
    // The audit is found by what an entry is about, be it a campaign or a sequence.
    campaignId: sequence.id,
    // Each version is kept whole.
    detail: {
      brand,
      name,
      version: sequence.version,
      before: isNew ? null : { version: sequence.version - 1 },
    },
  });
  return { sequence, kind: isNew ? "created" : "new_version" };
}

/** What was read of one version is not written over another that somebody put meanwhile. */
function requireVersion({ brand, name }: Sequence, newest: number, asked: number | undefined): void {
  if (asked === undefined || asked === newest) return;
  const which = `sequence ${JSON.stringify(name)} of brand ${JSON.stringify(brand)}`;
  throw new CommandRefusedError(
    newest === 0
      ? `there is no ${which}, and so no version ${asked} of it: write its first version with if_version 0, or without`
      : `version ${newest} of ${which} is the newest, and not ${asked}: read it, and give the change with that version`,
  );
}

export interface SequenceCommandInput {
  sequenceId: string;
  actor: string;
  reason: string | undefined;
  nowMs: number;
}

export type SequenceCommand = "pause" | "resume" | "close";

/**
 * Changes a sequence's state; the same command again changes nothing. One that was closed when it was paused is
 * closed again when it goes on; one that is closed is opened by `resume`.
 *
 * @throws CommandRefusedError
 */
export async function moveSequence(
  tx: Db,
  command: SequenceCommand,
  input: SequenceCommandInput,
): Promise<Sequence> {
  const sequence = await lockSequence(tx, input.sequenceId);
  if (!sequence) throw new Error(`there is no sequence ${input.sequenceId}`);
  const to = stateAfter(command, sequence);
  if (sequence.state === to) return sequence;
  const resumesTo = to === "paused" ? sequence.state : undefined;
  await rows(
    tx,
    sql`update sequences set state = ${to}, state_reason = ${input.reason ?? null}, resumes_to = ${resumesTo ?? null}
        where id = ${sequence.id}::uuid`,
  );
  await writeAudit(tx, {
    nowMs: input.nowMs,
    actor: input.actor,
    action: `sequence.${command}`,
    campaignId: sequence.id,
    detail: { name: sequence.name, before: sequence.state, after: to, reason: input.reason ?? null },
  });
  return { ...sequence, state: to, stateReason: input.reason, resumesTo };
}

function stateAfter(command: SequenceCommand, sequence: Sequence): SequenceState {
  if (command === "pause") return "paused";
  if (command === "close") {
    if (sequence.state !== "paused") return "closed";
    throw new CommandRefusedError(
      `sequence "${sequence.name}" is paused: \`resume\` it before you close it, or \`exit\` those who are in it`,
    );
  }
  return sequence.resumesTo ?? "active";
}

export interface EnrolmentCounts {
  total: number;
  active: number;
  /** Active, and its workflow has not begun: accepted, and waiting for its turn. */
  notStarted: number;
  paused: number;
  /** Of those that are over. */
  outcomes: Record<string, number>;
  /** Of those that are active, by the step that they are at. */
  steps: Record<string, number>;
}

/** How many are where, in one pass over the sequence's enrolments. */
export async function countEnrolments(db: Db, sequenceId: string): Promise<EnrolmentCounts> {
  const found = await rows<{
    state: "active" | "done";
    step: string | null;
    outcome: string | null;
    n: number;
    waiting: number;
    paused: number;
  }>(
    db,
    sql`select state, case when state = 'active' then step end as step, outcome, count(*)::int as n,
          (count(*) filter (where started_at is null and state = 'active'))::int as waiting,
          (count(*) filter (where paused and state = 'active'))::int as paused
        from enrolments where sequence_id = ${sequenceId}::uuid group by 1, 2, 3 order by 1, 2, 3`,
  );
  const counts: EnrolmentCounts = {
    total: 0,
    active: 0,
    notStarted: 0,
    paused: 0,
    outcomes: {},
    steps: {},
  };
  for (const { state, step, outcome, n, waiting, paused } of found) {
    counts.total += n;
    counts.notStarted += waiting;
    counts.paused += paused;
    if (state === "active") {
      counts.active += n;
      if (step !== null) counts.steps[step] = (counts.steps[step] ?? 0) + n;
    } else {
      const came = outcome ?? "none";
      counts.outcomes[came] = (counts.outcomes[came] ?? 0) + n;
    }
  }
  return counts;
}
