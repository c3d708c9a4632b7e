import { sql } from "drizzle-orm";

import { rows, type Db } from "../../ground/connection.ts";
import { ms } from "../../ground/sql.ts";
import type { StoryKind } from "../../../domain/people/story.ts";
import {
  campaignOf,
  CAMPAIGN_COLUMNS,
  isOfBrand,
  isoOrNull,
  momentOf,
  OF_CONTACT,
  pageOf,
  type CampaignColumns,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/* Calls to the number, and why it was not called. */

interface CallRow extends EntryRow, CampaignColumns {
  attemptId: number;
  attemptNo: number;
  state: string;
  batchState: string;
  policyVersion: number;
  fromNumber: string;
  agentId: string;
  agentVersion: number | null;
  agentChangedTo: number | null;
  batchId: string;
  platformBatchId: string | null;
  itemId: string | null;
  callId: string | null;
  itemStatus: string | null;
  errorText: string | null;
  disposition: string | null;
  dispositionReason: string | null;
  stopReason: string | null;
  plannedMs: number;
  permittedMs: number | null;
  dialByMs: number | null;
  startedMs: number | null;
  endedMs: number | null;
  settledMs: number | null;
  durationSeconds: number | null;
}

/** Attempts, when they rang, else when they were permitted, else when they were planned. */
export async function readCalls(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<CallRow>(
    db,
    pageOf(
      sql`select 'call:' || a.id as id, ${momentOf(sql`coalesce(a.started_at, b.start_sent_at, a.planned_at)`)},
            ${CAMPAIGN_COLUMNS}, a.id as "attemptId", a.attempt_no as "attemptNo", a.state, b.state as "batchState",
            a.policy_version as "policyVersion", b.from_number as "fromNumber", b.agent_id as "agentId", b.id as "batchId",
            a.agent_version as "agentVersion", a.agent_changed_to as "agentChangedTo",
            b.platform_batch_id as "platformBatchId", a.item_id as "itemId", a.call_id as "callId",
            a.item_status as "itemStatus", a.error_text as "errorText", a.disposition,
            a.disposition_reason as "dispositionReason", b.stop_reason as "stopReason", ${ms(sql`a.planned_at`)} as "plannedMs",
            ${ms(sql`b.start_sent_at`)} as "permittedMs", ${ms(sql`b.dial_by`)} as "dialByMs",
            ${ms(sql`a.started_at`)} as "startedMs", ${ms(sql`a.ended_at`)} as "endedMs",
            ${ms(sql`a.settled_at`)} as "settledMs", a.duration_seconds as "durationSeconds"
          from contacts c ${OF_CONTACT} join attempts a on a.contact_id = c.id join batches b on b.id = a.batch_id
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}`,
      question,
    ),
  );
  return found.map(callEntry);
}

function callEntry(row: CallRow): FoundEntry {
  const kind = kindOf(row);
  const { attemptId, permittedMs, startedMs } = row;
  return {
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    kind,
    policyVersion: row.policyVersion,
    what: callText(row, kind),
    facts: {
      attempt: row.attemptNo,
      state: row.state,
      disposition: row.disposition,
      decided_by: row.dispositionReason,
      from_number: row.fromNumber,
      agent_id: row.agentId,
      agent_version: row.agentVersion,
      agent_changed_to: row.agentChangedTo,
      call_id: row.callId,
      item_id: row.itemId,
      item_status: row.itemStatus,
      error: row.errorText,
      batch_id: row.batchId,
      platform_batch_id: row.platformBatchId,
      batch_stopped: row.stopReason,
      planned_at: isoOrNull(row.plannedMs),
      permitted_at: isoOrNull(permittedMs),
      dial_by: isoOrNull(row.dialByMs),
      started_at: isoOrNull(startedMs),
      ended_at: isoOrNull(row.endedMs),
      settled_at: isoOrNull(row.settledMs),
      duration_seconds: row.durationSeconds,
    },
    ...(kind === "called" &&
      permittedMs !== null && { dial: { attemptId, permittedMs, startedMs: startedMs ?? undefined } }),
  };
}

function kindOf({ state, batchState, permittedMs }: CallRow): StoryKind {
  if (state === "returned") return "not_dialed";
  // A start that the platform was seen not to have heard is permitted anew.
  const isPermitted = permittedMs !== null && batchState !== "planned" && batchState !== "created";
  // What was never permitted and has come to something was found by recovery: it counts as dialed.
  return state === "open" && !isPermitted ? "planned" : "called";
}

function callText(
  { disposition, fromNumber, startedMs, durationSeconds, stopReason, agentVersion, agentChangedTo }: CallRow,
  kind: StoryKind,
): string {
  if (kind === "planned") return "a call is planned";
  if (kind === "not_dialed")
    return `a planned call was not made${stopReason === null ? "" : `, since its batch was stopped (${stopReason})`}: it was proven not to have been dialed`;
  const meanwhile = agentChangedTo === null ? "" : ` or ${agentChangedTo}, which was published meanwhile`;
  const by = agentVersion === null ? "" : ` by version ${agentVersion} of the agent${meanwhile}`;
  const from = `called from ${fromNumber}${by}`;
  if (disposition === null) return `${from}: what it came to is not known yet`;
  const lasted = durationSeconds === null ? "" : `, ${Math.round(durationSeconds)} s`;
  // It counts as dialed, though nobody saw it ring.
  const unseen = startedMs === null ? ", counted as dialed (when it rang is not known)" : "";
  return `${from}: ${disposition}${lasted}${unseen}`;
}

interface RefusedRow extends EntryRow, CampaignColumns {
  reason: string;
  detail: string;
  policyVersion: number;
  times: number;
  lastMs: number;
  untilMs: number | null;
}

/** Rules that kept a contact who was due from being called. */
export async function readRefused(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<RefusedRow>(
    db,
    pageOf(
      sql`select 'refused:' || f.contact_id || ':' || f.policy_version || ':' || f.reason as id,
            ${ms(sql`f.first_at`)} as "atMs", ${ms(sql`f.last_at`)} as "reachMs", ${CAMPAIGN_COLUMNS}, f.reason, f.detail,
            f.policy_version as "policyVersion", f.times, ${ms(sql`f.last_at`)} as "lastMs", ${ms(sql`f.until_at`)} as "untilMs"
          from contacts c ${OF_CONTACT} join refusals f on f.contact_id = c.id
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    ...campaignOf(row),
    id: row.id,
    atMs: row.atMs,
    ...(row.times > 1 && { untilMs: row.lastMs }),
    kind: "refused",
    policyVersion: row.policyVersion,
    what: `was not called: ${row.reason} (${row.detail})${row.times > 1 ? `, ${row.times} times` : ""}`,
    facts: {
      reason: row.reason,
      detail: row.detail,
      times: row.times,
      last_at: isoOrNull(row.lastMs),
      put_off_until: isoOrNull(row.untilMs),
    },
  }));
}

interface UnbookedRow extends EntryRow {
  brand: string | null;
  platformBatchId: string;
  notedMs: number;
}

/** Dials that a recovery found, and could book on nobody. */
export async function readFoundDialed(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<UnbookedRow>(
    db,
    pageOf(
      sql`select 'found:' || md5(u.platform_batch_id) as id, ${momentOf(sql`u.dialed_until`)}, u.brand,
            u.platform_batch_id as "platformBatchId", ${ms(sql`u.noted_at`)} as "notedMs"
          from unbooked_dials u where u.phone = ${question.phone} and ${isOfBrand(sql`u.brand`, question)}`,
      question,
    ),
  );
  return found.map((row) => ({
    id: row.id,
    atMs: row.atMs,
    kind: "found_dialed",
    brand: row.brand ?? undefined,
    zones: [],
    what: "was called by this time, in a part of the ledger that was lost: recovery found the dial on the platform",
    facts: { platform_batch_id: row.platformBatchId, noted_at: isoOrNull(row.notedMs) },
  }));
}
