import { sql } from "drizzle-orm";

import { callStepsOf } from "./call-steps.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { putEnrolmentsOf } from "../ground/outbox.ts";
import {
  lockSequence,
  moveSequence,
  putSequence,
  readDefinition,
  type PutInput,
  type PutResult,
  type Sequence,
  type SequenceCommandInput,
} from "./sequences.ts";
import {
  closeStanding,
  ensureStanding,
  listStandingOf,
  pauseStandingOf,
  resumeStandingOf,
} from "../campaigns/standing.ts";
import { standingKeyOf } from "../campaigns/stands-for.ts";

/*
 * What people tell a whole sequence. A sequence's row is locked before those of its standing campaigns, and who
 * holds it locks no enrolment: turns take theirs first.
 */

export interface SequenceCommandResult {
  sequence: Sequence;
  /** To be halted once the transaction is committed, and only then is an answer given. */
  stoppedBatchIds: string[];
}

/** Nobody in the sequence moves on, and nobody of it is dialed, from the commit on. */
export async function pauseSequence(tx: Db, input: SequenceCommandInput): Promise<SequenceCommandResult> {
  const sequence = await moveSequence(tx, "pause", input);
  const { stoppedBatchIds } = await pauseStandingOf(tx, { ...input, sequence });
  return { sequence, stoppedBatchIds };
}

/**
 * Goes on with a paused sequence, or opens one that is closed. Those who were stopped by the pause are handed to the
 * relay, all in one statement. A call step's campaign that somebody paused by itself stays paused.
 */
export async function resumeSequence(tx: Db, input: SequenceCommandInput): Promise<SequenceCommandResult> {
  const sequence = await moveSequence(tx, "resume", input);
  await resumeStandingOf(tx, { ...input, sequence });
  // Whoever is taking a turn holds the sequence's row: all who have parked are seen, and nobody parks from here on.
  await putEnrolmentsOf(
    tx,
    sql`select e.id::text as subject from enrolments e
        where e.sequence_id = ${sequence.id}::uuid and e.state = 'active' and e.parked`,
    input.nowMs,
  );
  return { sequence, stoppedBatchIds: [] };
}

/** Takes nobody any more; those who are in it go on to their ends. */
export async function closeSequence(tx: Db, input: SequenceCommandInput): Promise<SequenceCommandResult> {
  const sequence = await moveSequence(tx, "close", input);
  await closeUnusedCampaigns(tx, sequence, input);
  return { sequence, stoppedBatchIds: [] };
}

/**
 * Writes a version down, with the standing campaigns that its calls are placed into.
 *
 * @throws CommandRefusedError where another version than `ifVersion` is the newest
 */
export async function putSequenceVersion(tx: Db, input: PutInput): Promise<PutResult> {
  const result = await putSequence(tx, input);
  if (result.kind === "same") return result;
  const { sequence } = result;
  const steps = [...callStepsOf(sequence.id, input.definition).values()];
  for (const step of steps) {
    await ensureStanding(tx, { ...step, actor: input.actor, nowMs: input.nowMs });
  }
  if (sequence.state === "paused") {
    const { actor, nowMs } = input;
    await pauseStandingOf(tx, { sequence, actor, reason: sequence.stateReason, nowMs });
  }
  await closeUnusedCampaigns(tx, sequence, input);
  return result;
}

/**
 * Ends the standing campaigns of versions that nobody is on any more, where they are empty: each costs a look now
 * and then.
 */
async function closeUnusedCampaigns(
  tx: Db,
  sequence: Sequence,
  by: { actor: string; nowMs: number },
): Promise<void> {
  const used = new Set<string>();
  for (const version of await versionsInUse(tx, sequence)) {
    const definition = await readDefinition(tx, sequence.id, version);
    for (const { standsFor } of callStepsOf(sequence.id, definition).values())
      used.add(standingKeyOf(standsFor));
  }
  const standing = await listStandingOf(tx, sequence.id);
  const unused = standing.filter(
    ({ standingKey: key, endedAtMs }) => endedAtMs === undefined && key !== undefined && !used.has(key),
  );
  for (const { id } of unused.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await closeStanding(tx, {
      campaignId: id,
      actor: by.actor,
      reason: "no version that anybody is on calls like this",
      nowMs: by.nowMs,
    });
  }
}

async function versionsInUse(tx: Db, sequence: Sequence): Promise<number[]> {
  const found = await rows<{ version: number }>(
    tx,
    sql`select distinct version from enrolments where sequence_id = ${sequence.id}::uuid and state = 'active'`,
  );
  const versions = new Set(found.map(({ version }) => version));
  if (sequence.state !== "closed") versions.add(sequence.version);
  return [...versions].sort((a, b) => a - b);
}

/** Of all sequences: what ended meanwhile may have left standing campaigns behind. Returns how many sequences it looked at. */
export async function closeUnusedStanding(ledger: Ledger, nowMs: number): Promise<number> {
  const found = await rows<{ id: string }>(ledger.db, sql`select id from sequences order by id`);
  for (const { id } of found) {
    await ledger.transaction(async (tx) => {
      const sequence = await lockSequence(tx, id);
      if (sequence) await closeUnusedCampaigns(tx, sequence, { actor: "engine", nowMs });
    });
  }
  return found.length;
}
