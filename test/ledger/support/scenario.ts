import { sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { expect } from "vitest";

import {
  readCampaignSpec,
  type CampaignSpec,
  type CampaignSpecInput,
} from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import type { Finding } from "../../../src/domain/campaigns/findings.ts";
import { readBatch, type Batch } from "../../../src/ledger/campaigns/batches.ts";
import { createCampaign } from "../../../src/ledger/campaigns/campaign-specs.ts";
import { readCampaign, type Campaign } from "../../../src/ledger/campaigns/campaigns.ts";
import {
  amendSpec,
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  startCampaign,
  type CommandResult,
} from "../../../src/ledger/campaigns/commands.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { beginImport, importChunk } from "../../../src/ledger/campaigns/imports.ts";
import type { PlanningPace } from "../../../src/ledger/ground/planning-pace.ts";
import type { CallRate } from "../../../src/domain/campaigns/call-rate.ts";
import { planBatches, type PlanInput, type PlanResult } from "../../../src/ledger/campaigns/planning.ts";
import { permitStart, type StartPermission } from "../../../src/ledger/campaigns/starting.ts";
import { given } from "../../support/ledgers.ts";
import {
  completeImport,
  type ListImport,
  type ReadContact,
  type ReadRow,
} from "../../../src/ledger/campaigns/list-imports.ts";
import { recordBegun, recordCreated, reserveCreate } from "../../../src/ledger/campaigns/batch-steps.ts";

/* What the ledger's tests have in common: campaigns that are made, filled, planned and started in one line. */

/** A Monday, noon in UTC. */
export const NOW_MS = Date.UTC(2026, 5, 1, 12);
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const PACE: PlanningPace = {
  gatherMs: 0,
  busyLookMs: 60_000,
  idleLookMs: 300_000,
  dialByMarginMs: 60_000,
  minLeadMs: 30_000,
  openAttemptWaitMs: 45_000,
};

let phonesGiven = 0;

/** Numbers that no other test of this file uses. */
export function freshPhones(count: number): string[] {
  const first = phonesGiven;
  phonesGiven += count;
  return Array.from({ length: count }, (_, index) => `+1${2_000_000_000 + first + index}`);
}

let namesGiven = 0;

export function specOf(changes: Partial<CampaignSpecInput> = {}): CampaignSpec {
  namesGiven += 1;
  const reading = readCampaignSpec({
    name: `campaign ${namesGiven}`,
    agent_id: "agent",
    from_numbers: ["+12025550100"],
    concurrency: 10,
    window: "always",
    least_gap: "0s",
    retry: { max_attempts: 3, delays: { busy: "10m", no_answer: "30m", failed: "5m" } },
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

export function contact(phone: string, line: number, changes: Partial<ReadContact> = {}): ReadContact {
  return {
    kind: "contact",
    line,
    phone,
    region: "US",
    zones: ["America/New_York"],
    strictZones: changes.zones ?? ["America/New_York"],
    variables: { row: String(line) },
    ...changes,
  };
}

/** A list as a file would have it: the heading is line 1. */
export function listOfContacts(phones: readonly string[], changes: Partial<ReadContact> = {}): ReadContact[] {
  return phones.map((phone, index) => contact(phone, index + 2, changes));
}

export function createScheduled(
  ledger: Ledger,
  changes: Partial<CampaignSpecInput> = {},
  nowMs = NOW_MS,
): Promise<Campaign> {
  const spec = specOf(changes);
  return ledger.transaction((tx) => createCampaign(tx, { spec, actor: "test", nowMs }));
}

/** A list that was begun for a campaign. */
export type BegunList = ListImport & { campaignId: string };

export async function begin(
  ledger: Ledger,
  campaignId: string,
  digest = "digest",
  nowMs = NOW_MS,
): Promise<BegunList> {
  const list = { digest, sourceName: `${digest}.csv`, settings: {} };
  return { ...(await beginImport(ledger, { campaignId, ...list, nowMs })), campaignId };
}

/** Takes rows in as one chunk, as far as the last of their lines. */
export async function giveChunk(
  ledger: Ledger,
  of: Pick<BegunList, "id" | "campaignId">,
  list: readonly ReadRow[],
  nowMs = NOW_MS,
): Promise<void> {
  await importChunk(ledger, {
    campaignId: of.campaignId,
    importId: of.id,
    rows: list,
    throughLine: list.at(-1)?.line ?? 1,
    nowMs,
  });
}

export async function importWhole(
  ledger: Ledger,
  campaignId: string,
  list: readonly ReadRow[],
  digest = "digest",
  nowMs = NOW_MS,
): Promise<void> {
  const begun = await begin(ledger, campaignId, digest, nowMs);
  await giveChunk(ledger, begun, list, nowMs);
  await completeImport(ledger, { importId: begun.id, nowMs });
}

export type Command = "start" | "pause" | "resume" | "cancel";

export function tell(
  ledger: Ledger,
  command: Command,
  campaignId: string,
  options: { commandId?: string; reason?: string; nowMs?: number; actor?: string } = {},
): Promise<CommandResult> {
  const { commandId = randomUUID(), reason, nowMs = NOW_MS, actor = "test" } = options;
  const input = { campaignId, commandId, actor, reason, nowMs };
  switch (command) {
    case "start":
      return startCampaign(ledger, { ...input, allowPartial: false });
    case "pause":
      return pauseCampaign(ledger, input);
    case "resume":
      return resumeCampaign(ledger, input);
    case "cancel":
      return cancelCampaign(ledger, input);
  }
}

/** Puts a campaign's spec with these changes in force. */
export async function amend(
  ledger: Ledger,
  campaignId: string,
  changes: Partial<CampaignSpecInput>,
  more: Partial<Omit<Parameters<typeof amendSpec>[1], "spec">> = {},
): Promise<Awaited<ReturnType<typeof amendSpec>>> {
  const { spec } = given(await readCampaign(ledger.db, campaignId));
  return amendSpec(ledger, {
    campaignId,
    commandId: randomUUID(),
    actor: "test",
    reason: undefined,
    spec: specOf({ ...spec, ...changes }),
    dialByMarginMs: PACE.dialByMarginMs,
    nowMs: NOW_MS,
    ...more,
  });
}

/** A campaign that dials the numbers, running since `nowMs`. */
export async function running(
  ledger: Ledger,
  people: readonly string[] | readonly ReadContact[],
  changes: Partial<CampaignSpecInput> = {},
  nowMs = NOW_MS,
): Promise<string> {
  const { id } = await createScheduled(ledger, changes, nowMs);
  const list = people.map((one, index) => (typeof one === "string" ? contact(one, index + 2) : one));
  await importWhole(ledger, id, list, "digest", nowMs);
  await tell(ledger, "start", id, { nowMs });
  return id;
}

export async function plan(
  ledger: Ledger,
  campaignId: string,
  nowMs = NOW_MS,
  changes: Partial<Omit<PlanInput, "pace">> & { pace?: Partial<PlanningPace> } = {},
): Promise<PlanResult> {
  return given(
    await planBatches(ledger, {
      campaignId,
      seenPlannings: 0,
      blockedBy: undefined,
      nowMs,
      ...changes,
      pace: { ...PACE, ...changes.pace },
    }),
  );
}

/** The batch as the platform would have it after its create. */
export async function create(ledger: Ledger, batchId: string, nowMs = NOW_MS): Promise<void> {
  await reserveCreate(ledger.db, batchId);
  expect(await recordCreated(ledger.db, batchId, `platform-${batchId}`, nowMs)).toBe(true);
}

export function permit(
  ledger: Ledger,
  batchId: string,
  nowMs = NOW_MS,
  blockedBy?: { reason: string; detail: string },
  rate?: CallRate,
): Promise<StartPermission> {
  return permitStart(ledger, { batchId, blockedBy, pace: PACE, rate, nowMs });
}

/** Creates and starts a planned batch, and sees it begun. */
export async function start(ledger: Ledger, batchId: string, nowMs = NOW_MS): Promise<void> {
  await create(ledger, batchId, nowMs);
  expect((await permit(ledger, batchId, nowMs)).kind).toBe("permitted");
  expect(await recordBegun(ledger.db, batchId, nowMs)).toBe(true);
}

/** Plans, and starts all that was planned. */
export async function planAndStart(ledger: Ledger, campaignId: string, nowMs = NOW_MS): Promise<string[]> {
  const { batchIds } = await plan(ledger, campaignId, nowMs);
  for (const batchId of batchIds) await start(ledger, batchId, nowMs);
  return batchIds;
}

export function finding(phone: string, changes: Partial<Finding> = {}): Finding {
  return {
    phone,
    itemId: `item-${phone}`,
    callId: `call-${phone}`,
    itemStatus: "ringing",
    errorText: undefined,
    startedAtMs: undefined,
    endedAtMs: undefined,
    durationSeconds: undefined,
    outcome: { kind: "up" },
    ...changes,
  };
}

export function ended(
  phone: string,
  disposition: Disposition = "answered",
  endedAtMs: number | undefined = NOW_MS + MINUTE_MS,
): Finding {
  return finding(phone, {
    itemStatus: disposition,
    startedAtMs: endedAtMs - 30_000,
    endedAtMs,
    durationSeconds: 20,
    outcome: { kind: "ended", disposition, reason: `item ${disposition}` },
  });
}

export async function tallies(ledger: Ledger, campaignId: string): Promise<Campaign["tallies"]> {
  return given(await readCampaign(ledger.db, campaignId)).tallies;
}

export async function batchOf(ledger: Ledger, batchId: string | undefined): Promise<Batch> {
  return given(await readBatch(ledger.db, given(batchId)));
}

/** By when something of this table is looked at, at the latest, and how often it was told since, in vain. */
export async function lookOf(
  ledger: Ledger,
  table: string,
  id: string,
): Promise<{ by_ms: number | null; unmoved: number }> {
  const [row] = await rows<{ by_ms: number | null; unmoved: number }>(
    ledger.db,
    sql`select round(extract(epoch from look_by) * 1000)::float8 as by_ms, unmoved from ${sql.raw(table)} where id = ${id}::uuid`,
  );
  return given(row);
}

/** Batches of every campaign that are under way, the oldest first. */
export async function allUnsettled(ledger: Ledger): Promise<Batch[]> {
  const found = await rows<{ id: string }>(
    ledger.db,
    sql`select id from batches where state <> 'settled' order by planned_at, id`,
  );
  return Promise.all(found.map(({ id }) => batchOf(ledger, id)));
}

export interface ContactRow {
  phone: string;
  state: string;
  reason: string | null;
  outcome: string | null;
  attempts: number;
  due_ms: number;
}

export function contactsOf(ledger: Ledger, campaignId: string): Promise<ContactRow[]> {
  return rows(
    ledger.db,
    sql`select phone, state, reason, outcome, attempts, round(extract(epoch from due_at) * 1000)::float8 as due_ms
        from contacts where campaign_id = ${campaignId}::uuid order by id`,
  );
}

export interface HoldRow {
  reason: string;
  detail: string;
  policy_version: number;
  from_ms: number;
  until_ms: number | null;
}

export function holdsOf(ledger: Ledger, campaignId: string): Promise<HoldRow[]> {
  return rows(
    ledger.db,
    sql`select reason, detail, policy_version, round(extract(epoch from from_at) * 1000)::float8 as from_ms,
          round(extract(epoch from until_at) * 1000)::float8 as until_ms
        from holds where campaign_id = ${campaignId}::uuid order by from_at, id`,
  );
}

/** Numbers of a batch's open attempts. */
export async function openPhones(ledger: Ledger, batchId: string): Promise<string[]> {
  const found = await rows<{ phone: string }>(
    ledger.db,
    sql`select phone from attempts where batch_id = ${batchId}::uuid and state = 'open' order by phone`,
  );
  return found.map((row) => row.phone);
}
