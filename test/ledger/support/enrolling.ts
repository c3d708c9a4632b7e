import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";

import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import {
  readSequence,
  readStoredSequence,
  type SequenceDefinition,
  type SequenceReading,
} from "../../../src/domain/sequences/definition.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { enroll, type EnrollInput, type EnrollResult } from "../../../src/ledger/sequences/enrolling.ts";
import { commandEnrolment } from "../../../src/ledger/sequences/enrolment-commands.ts";
import type { InboxEntry } from "../../../src/ledger/sequences/enrolment-inbox.ts";
import { takeEnrolmentTurn, type TurnResult } from "../../../src/ledger/sequences/enrolment-turns.ts";
import { readEnrolment, readJourney, type Enrolment } from "../../../src/ledger/sequences/enrolments.ts";
import { placementOf, readPlacement, type Placement } from "../../../src/ledger/campaigns/placements.ts";
import { putSequenceVersion } from "../../../src/ledger/sequences/sequence-commands.ts";
import type { PutResult } from "../../../src/ledger/sequences/sequences.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { given } from "../../support/ledgers.ts";
import { ended, freshPhones, MINUTE_MS, NOW_MS, planAndStart } from "./scenario.ts";

/* Sequences that are written, people who are enrolled, and their turns, in one line each. */

let namesGiven = 0;

/** Whether anything of an enrolment goes on: it is open, or one of its actions is to be tried. */
export async function isEnrolmentOpen(ledger: Ledger, id: string): Promise<boolean> {
  const found = await rows(
    ledger.db,
    sql`select 1 as one from enrolments e where e.id = ${id}::uuid
          and (e.state = 'active' or exists (select 1 from actions a where a.enrolment_id = e.id and a.state = 'due'))`,
  );
  return found.length > 0;
}

export function definitionOf(steps: readonly object[], changes: object = {}): SequenceDefinition {
  return definitionIn(readSequence(valueOf(steps, changes)));
}

/** One that an earlier release wrote down: its way may be one that nobody could put by now. */
export function storedDefinitionOf(steps: readonly object[]): SequenceDefinition {
  return definitionIn(readStoredSequence(valueOf(steps, {})));
}

function valueOf(steps: readonly object[], changes: object): object {
  namesGiven += 1;
  return {
    name: `sequence ${namesGiven}`,
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    window: "always",
    least_gap: "0s",
    steps,
    ...changes,
  };
}

function definitionIn(reading: SequenceReading): SequenceDefinition {
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.definition;
}

export const CALL_THEN_END = [{ id: "first", call: {} }];
export const HOOK = {
  id: "tell",
  webhook: { url: "https://example.com/hook" },
  on: { done: "end", failed: "end" },
};
export const END = { id: "end", exit: { outcome: "over" } };

export function put(ledger: Ledger, definition: SequenceDefinition, nowMs = NOW_MS): Promise<PutResult> {
  return ledger.transaction((tx) => putSequenceVersion(tx, { definition, actor: "test", nowMs }));
}

export async function written(
  ledger: Ledger,
  steps: readonly object[],
  changes: object = {},
): Promise<{ id: string; name: string; definition: SequenceDefinition }> {
  const definition = definitionOf(steps, changes);
  const { sequence } = await put(ledger, definition);
  return { id: sequence.id, name: sequence.name, definition };
}

export function enrollIn(
  ledger: Ledger,
  sequenceName: string,
  changes: Partial<EnrollInput> = {},
): Promise<EnrollResult> {
  return ledger.transaction((tx) =>
    enroll(tx, {
      sequenceName,
      brand: "default",
      phone: given(freshPhones(1)[0]),
      region: "US",
      zones: ["America/New_York"],
      strictZones: changes.zones ?? ["America/New_York"],
      variables: {},
      source: "test",
      nowMs: NOW_MS,
      ...changes,
    }),
  );
}

/** Enrolls somebody who is taken. */
export async function enrolled(
  ledger: Ledger,
  sequenceName: string,
  changes: Partial<EnrollInput> = {},
): Promise<string> {
  const result = await enrollIn(ledger, sequenceName, changes);
  if (result.kind === "refused") throw new Error(result.detail);
  return result.enrolmentId;
}

export async function turn(
  ledger: Ledger,
  enrolmentId: string,
  nowMs = NOW_MS,
  isTrying = false,
): Promise<TurnResult> {
  return given(await ledger.transaction((tx) => takeEnrolmentTurn(tx, { enrolmentId, isTrying, nowMs })));
}

export async function enrolmentOf(ledger: Ledger, id: string): Promise<Enrolment> {
  return given(await readEnrolment(ledger.db, id));
}

export async function callOf(ledger: Ledger, enrolmentId: string, callNo = 1): Promise<Placement> {
  return given(await readPlacement(ledger.db, placementOf({ enrolmentId, callNo })));
}

/** What happened on its way, each with its step. */
export async function wayOf(ledger: Ledger, enrolmentId: string): Promise<string[]> {
  const journey = await readJourney(ledger.db, enrolmentId, { after: 0, limit: 1_000 });
  return journey.map(({ step, what }) => (step === undefined ? what : `${step}: ${what}`));
}

/** Gives a command, or tells of an event. */
export async function say(
  ledger: Ledger,
  enrolmentId: string,
  kind: InboxEntry["kind"],
  changes: Partial<InboxEntry> = {},
): Promise<Enrolment> {
  const entry: InboxEntry = {
    kind,
    data: {},
    requestKey: randomUUID(),
    actor: "test",
    atMs: NOW_MS,
    ...changes,
  };
  const { enrolment } = await ledger.transaction((tx) =>
    commandEnrolment(tx, { enrolmentId, entry, nowMs: entry.atMs }),
  );
  return enrolment;
}

/** Dials the calls of a standing campaign that wait, and has them come to something. */
export async function dial(
  ledger: Ledger,
  campaignId: string,
  phone: string,
  disposition: Disposition | undefined,
  nowMs = NOW_MS,
): Promise<string> {
  const [batchId] = await planAndStart(ledger, campaignId, nowMs);
  if (batchId === undefined) throw new Error("nobody was dialed");
  if (disposition !== undefined) await hangUp(ledger, batchId, phone, disposition, nowMs);
  return batchId;
}

export async function hangUp(
  ledger: Ledger,
  batchId: string,
  phone: string,
  disposition: Disposition,
  nowMs = NOW_MS,
): Promise<void> {
  await settleFindings(ledger, {
    batchId,
    findings: [ended(phone, disposition, nowMs + MINUTE_MS)],
    nowMs: nowMs + MINUTE_MS,
  });
}

export async function standingOf(ledger: Ledger, sequenceId: string): Promise<string[]> {
  const found = await rows<{ id: string; state: string }>(
    ledger.db,
    sql`select id, state from campaigns where sequence_id = ${sequenceId}::uuid and ended_at is null order by id`,
  );
  return found.map(({ id, state }) => `${id} ${state}`);
}
