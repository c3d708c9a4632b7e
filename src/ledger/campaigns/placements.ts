import { sql } from "drizzle-orm";

import { meetsTransferHours, neverMeetText } from "../../domain/policy/common-hours.ts";
import { callbackSpecOf } from "../../domain/campaigns/callback-spec.ts";
import type { KeptFacts } from "../../domain/campaigns/kept-facts.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import { PLACEMENT_PRIORITY } from "../../domain/campaigns/list-order.ts";
import { objectionTo } from "../../domain/campaigns/campaign-state.ts";
import { windowStatus } from "../../domain/policy/calling-window.ts";
import type { Sealed } from "../../domain/ground/sealed.ts";
import type { ContactState } from "../../domain/campaigns/contact-state.ts";
import type { Disposition } from "../../domain/policy/disposition.ts";
import { bookTallies } from "./campaign-tallies.ts";
import { lockCampaign, readCampaign, type Campaign } from "./campaigns.ts";
import { firstRow, type Db } from "../ground/connection.ts";
import { traceToKeep } from "../../tracing/work.ts";
import { putOutbox } from "../ground/outbox.ts";
import { at, json, ms } from "../ground/sql.ts";
import { ensureStanding } from "./standing.ts";
import { suppressionOf } from "../ground/suppressions.ts";
import { wakeLater } from "./wake-ups.ts";
import { findWithdrawal } from "./withdrawing.ts";
import { zoneKeyOf, zoneSetIds } from "../ground/zone-sets.ts";

/*
 * Placements: single calls, each a contact of a standing campaign under a key of whoever placed it. They take the
 * one dialing path: the policy gate, slots, retries, settling and proof are those of every contact.
 *
 * 1. Placing the same key again changes nothing (I5).
 * 2. One person may be placed several times; one open attempt per number holds over all of them (I1), the next
 *    one waits.
 * 3. A placement is over, done or excluded, only when no attempt follows any more. Whoever ends it tells the enrolment
 *    that placed it in that transaction (`tellEnded`).
 * 4. It has priority: planning neither gathers it nor lets it wait for more slots than it needs.
 */

/** Why a call is not placed; nothing is recorded of it. */
export type PlaceRefusal =
  | "suppressed"
  | "withdrawn"
  | "no_time_zone"
  | "no_common_window"
  | "no_transfer_hours"
  | "after_end"
  | "campaign_over"
  | "max_per_contact";

export type PlaceResult =
  /** Wake the campaign up once the transaction is committed. */
  | { kind: "placed" | "already"; contactId: number; campaignId: string }
  | { kind: "refused"; reason: PlaceRefusal; detail: string };

/** Somebody to call. */
export interface Callee {
  phone: string;
  region: string | undefined;
  /** IANA names; in which of them the person is, is not known. */
  zones: readonly string[];
  /** Countries, and states as `US-FL`, that the person may be in; absent: not known beyond the zones. */
  places?: readonly string[];
  variables: Readonly<Record<string, string>>;
  /** Those of its variables that are sealed; absent: none is. */
  sealed?: Sealed;
}

/** Who asks for a call: one of an enrolment's calls, or the callback of an action. Asking again is the same call. */
export type Asker =
  | { enrolmentId: string; callNo: number }
  | {
      actionId: string;
      /** Where a person had it done again as something new: what tells it from the one before. */
      key?: string | undefined;
      /** What the person did before that says nothing about it. Unix milliseconds. */
      askedAtMs: number;
    };

/** The key under which a call is placed, and found again. Nobody reads it: whose call it is stands in columns. */
export function placementOf(asker: Asker | { actionId: string; key?: string | undefined }): string {
  if ("callNo" in asker) return `enrolment:${asker.enrolmentId}:${asker.callNo}`;
  return `callback:${asker.actionId}${asker.key === undefined ? "" : `:${asker.key}`}`;
}

export interface PlaceInput extends Callee {
  campaignId: string;
  asker: Asker;
  /** Not before this. Unix milliseconds. */
  dueAtMs: number;
  nowMs: number;
}

/** Places a call, under the campaign's lock. Refused where it is known already that it can't be made. */
export async function placeCall(tx: Db, input: PlaceInput): Promise<PlaceResult> {
  const campaign = await lockCampaign(tx, input.campaignId);
  const placed = await findPlaced(tx, input.asker);
  if (placed) return already(tx, placed, input);
  if (!campaign) return refused("campaign_over", "there is no such campaign");
  const refusal = (await refusalOf(tx, campaign)) ?? (await objectionToCalling(tx, campaign, input));
  if (refusal) return refusal;
  const contactId = await insertPlacement(tx, { ...input, dueAtMs: Math.max(input.dueAtMs, input.nowMs) });
  if (contactId === undefined) {
    // In another campaign, at the same moment.
    const other = await findPlaced(tx, input.asker);
    if (!other) throw new Error(`the placement ${placementOf(input.asker)} vanished while it was made`);
    return already(tx, other, input);
  }
  await bookTallies(tx, campaign, { open: 1 });
  await wakeLater(tx, [campaign.id], input.nowMs);
  return { kind: "placed", contactId, campaignId: campaign.id };
}

/**
 * Writes a call down. The caller holds the campaign's lock, and books it.
 *
 * @returns undefined where it is there already.
 */
export async function insertPlacement(
  tx: Db,
  call: Callee & Pick<PlaceInput, "campaignId" | "asker" | "dueAtMs">,
): Promise<number | undefined> {
  const { campaignId, asker, phone, region, variables, sealed, dueAtMs } = call;
  const whose =
    "callNo" in asker
      ? sql`${asker.enrolmentId}::uuid, ${asker.callNo}, null, null`
      : sql`null, null, ${asker.actionId}::uuid, ${at(asker.askedAtMs)}`;
  const inserted = await firstRow<{ id: number }>(
    tx,
    sql`insert into contacts (campaign_id, phone, region, lane_id, variables, sealed, sealed_with, state, due_at, placement,
          enrolment_id, call_no, action_id, asked_at, trace_parent)
        values (${campaignId}::uuid, ${phone}, ${region ?? null}, ${await laneOf(tx, campaignId, call)},
                ${json(variables)}, ${sealed ? json(sealed.values) : sql`null::jsonb`}, ${sealed?.with ?? null}, 'open', ${at(dueAtMs)}, ${placementOf(asker)},
                ${whose}, ${traceToKeep()})
        on conflict (placement) where placement is not null do nothing
        returning id`,
  );
  return inserted?.id;
}

/**
 * Places a callback to somebody whom a campaign, or its callbacks, called: into the standing campaign of that
 * campaign's callbacks. Refused where the campaign was cancelled; of one that is paused it waits.
 *
 * @param input.most callbacks that a number gets of the campaign. They are counted under its lock: two that are placed
 * at the same moment are not one too many.
 */
export async function placeCallback(
  tx: Db,
  input: PlaceInput & { actor: string; most: number },
): Promise<PlaceResult> {
  const called = await readCampaign(tx, input.campaignId);
  const parent = called && (await lockCampaign(tx, called.parentId ?? called.id));
  if (!parent) return refused("campaign_over", "there is no such campaign");
  const placed = await findPlaced(tx, input.asker);
  if (placed) return already(tx, placed, input);
  const refusal = refusalOfParent(parent);
  if (refusal) return refusal;
  const withdrawal = await findWithdrawal(tx, parent.id, input.phone);
  if (withdrawal) {
    const { actor, reason } = withdrawal;
    return refused("withdrawn", `they were withdrawn from campaign "${parent.name}" by ${actor}: ${reason}`);
  }
  const made = await countCallbacks(tx, parent.id, input.phone);
  if (made >= input.most) {
    return refused(
      "max_per_contact",
      `${made} callbacks were placed to this number already, and max_per_contact is ${input.most}: call by hand, or raise it for the calls to come`,
    );
  }
  const callbacks = await ensureStanding(tx, {
    standsFor: { callbacksOf: parent.id },
    spec: callbackSpecOf(parent.spec),
    actor: input.actor,
    nowMs: input.nowMs,
  });
  return placeCall(tx, { ...input, campaignId: callbacks.id });
}

/** How many callbacks a number has got of a campaign. */
async function countCallbacks(tx: Db, parentId: string, phone: string): Promise<number> {
  const row = await firstRow<{ n: number }>(
    tx,
    sql`select count(*)::int as n from contacts c join campaigns p on p.id = c.campaign_id
        where c.phone = ${phone} and c.action_id is not null and p.parent_id = ${parentId}::uuid`,
  );
  return row?.n ?? 0;
}

async function refusalOf(tx: Db, campaign: Campaign): Promise<PlaceResult | undefined> {
  const objection = objectionTo("append", campaign.state);
  if (objection !== undefined) return refused("campaign_over", `it is ${campaign.state}`);
  if (campaign.parentId === undefined) return undefined;
  const parent = await readCampaign(tx, campaign.parentId);
  return parent && refusalOfParent(parent);
}

function refusalOfParent({ name, state, ending }: Campaign): PlaceResult | undefined {
  return state === "cancelled" || ending === "cancelled"
    ? refused("campaign_over", `campaign "${name}" was cancelled`)
    : undefined;
}

/** What would keep planning from ever making the call. */
async function objectionToCalling(
  tx: Db,
  campaign: Campaign,
  { phone, zones, places, dueAtMs, nowMs }: PlaceInput,
): Promise<PlaceResult | undefined> {
  const found = await firstRow<{ suppression: { scope: string; source: string; reason: string } | null }>(
    tx,
    sql`select ${suppressionOf(sql`${phone}`, sql`${campaign.brand}`, nowMs)} as suppression`,
  );
  if (found?.suppression) {
    const { scope, source, reason } = found.suppression;
    return refused("suppressed", `${scope} suppression (${source}): ${reason}`);
  }
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const { window, endsAtMs, transfers } = policy;
  const fromMs = Math.max(dueAtMs, nowMs);
  if (endsAtMs !== undefined && fromMs >= endsAtMs) {
    return refused("after_end", `the campaign ends at ${new Date(endsAtMs).toISOString()}`);
  }
  const status = windowStatus(window, zones, fromMs, places);
  if (status.open || status.opensAtMs !== undefined) {
    if (transfers?.hours === undefined || meetsTransferHours(policy, { zones, places }, fromMs))
      return undefined;
    return refused("no_transfer_hours", neverMeetText(zones, transfers.hours));
  }
  return zones.length === 0
    ? refused("no_time_zone", "no time zone is known for the number")
    : refused("no_common_window", `zones ${zones.join(", ")}: no common opening within 14 days`);
}

function refused(reason: PlaceRefusal, detail: string): PlaceResult {
  return { kind: "refused", reason, detail };
}

interface Placed {
  contactId: number;
  campaignId: string;
  isOver: boolean;
}

function findPlaced(db: Db, asker: Asker): Promise<Placed | undefined> {
  return firstRow(
    db,
    sql`select id as "contactId", campaign_id as "campaignId", ended_at is not null as "isOver" from contacts
        where placement = ${placementOf(asker)}`,
  );
}

/** A call that a recovered ledger had before its enrolment did may be over: that is told once more. */
async function already(
  tx: Db,
  { contactId, campaignId, isOver }: Placed,
  { asker, nowMs }: PlaceInput,
): Promise<PlaceResult> {
  if (isOver && "callNo" in asker)
    await putOutbox(tx, [{ kind: "enrolment", subject: asker.enrolmentId, dueAtMs: nowMs }]);
  return { kind: "already", contactId, campaignId };
}

/**
 * The campaign's lane with priority for these zones and places, made where it is missing. The caller holds the campaign's
 * lock. There are few such campaigns, and places are kept whether it names presets or not: its next version may.
 */
async function laneOf(
  tx: Db,
  campaignId: string,
  { zones, places }: Pick<Callee, "zones" | "places">,
): Promise<number> {
  const key = zoneKeyOf(zones, places);
  const zoneSetId = (await zoneSetIds(tx, [key])).get(key);
  if (zoneSetId === undefined) throw new Error(`the zones ${key} could not be written down`);
  const find = () =>
    firstRow<{ id: number }>(
      tx,
      sql`select id from lanes where campaign_id = ${campaignId}::uuid and zone_set_id = ${zoneSetId} and priority = ${PLACEMENT_PRIORITY}`,
    );
  // Whoever adds lanes holds the campaign's lock: nobody else makes it meanwhile.
  const lane =
    (await find()) ??
    (await firstRow<{ id: number }>(
      tx,
      sql`insert into lanes (campaign_id, zone_set_id, priority) values (${campaignId}::uuid, ${zoneSetId}, ${PLACEMENT_PRIORITY}) returning id`,
    ));
  if (!lane) throw new Error(`campaign ${campaignId} got no lane`);
  return lane.id;
}

/** The call that somebody placed, as it stands. */
export interface Placement {
  contactId: number;
  campaignId: string;
  state: ContactState;
  /** Of one that is done. */
  outcome: Disposition | undefined;
  /** Why it is done or excluded. */
  reason: string | undefined;
  /** Attempts that count as dialed. */
  attempts: number;
  dueAtMs: number;
  /** Nobody calls it before it is released. */
  isHeld: boolean;
  endedAtMs: number | undefined;
  /** The last attempt that has ended, or whose call has. */
  lastCall: PlacedCall | undefined;
  /** Since when a call is up, as far as that is known. */
  upSinceMs: number | undefined;
}

export interface PlacedCall {
  attemptId: number;
  callId: string | undefined;
  /** Undefined: it depends on facts that are to come. */
  disposition: Disposition | undefined;
  /** What decided. */
  reason: string | undefined;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
  durationSeconds: number | undefined;
  itemStatus: string | undefined;
  errorText: string | undefined;
  /** What its campaign keeps of calls. */
  kept: KeptFacts;
}

interface PlacementRow {
  id: number;
  campaign_id: string;
  state: ContactState;
  outcome: Disposition | null;
  reason: string | null;
  attempts: number;
  due_ms: number;
  held: boolean;
  ended_ms: number | null;
  attempt_id: number | null;
  call_id: string | null;
  disposition: Disposition | null;
  disposition_reason: string | null;
  call_started_ms: number | null;
  call_ended_ms: number | null;
  duration_seconds: number | null;
  item_status: string | null;
  error_text: string | null;
  kept: KeptFacts | null;
  up_since_ms: number | null;
}

/** Undefined where nothing was placed under this key. Three probes of indexes. */
export async function readPlacement(db: Db, placement: string): Promise<Placement | undefined> {
  const row = await firstRow<PlacementRow>(
    db,
    sql`select c.id, c.campaign_id, c.state, c.outcome, c.reason, c.attempts, ${ms(sql`c.due_at`)} as due_ms, c.held,
          ${ms(sql`c.ended_at`)} as ended_ms, a.id as attempt_id, a.call_id, a.disposition, a.disposition_reason,
          ${ms(sql`a.started_at`)} as call_started_ms, ${ms(sql`a.ended_at`)} as call_ended_ms, a.duration_seconds,
          a.item_status, a.error_text, a.kept,
          (select ${ms(sql`o.started_at`)} from attempts o where o.contact_id = c.id and o.state = 'open') as up_since_ms
        from contacts c
        left join lateral (select * from attempts l where l.contact_id = c.id and l.state in ('ended', 'provisional')
                           order by l.attempt_no desc limit 1) a on true
        where c.placement = ${placement}`,
  );
  return (
    row && {
      contactId: row.id,
      campaignId: row.campaign_id,
      state: row.state,
      outcome: row.outcome ?? undefined,
      reason: row.reason ?? undefined,
      attempts: row.attempts,
      dueAtMs: row.due_ms,
      isHeld: row.held && row.state === "open",
      endedAtMs: row.ended_ms ?? undefined,
      upSinceMs: row.up_since_ms ?? undefined,
      lastCall:
        row.attempt_id === null
          ? undefined
          : {
              attemptId: row.attempt_id,
              callId: row.call_id ?? undefined,
              disposition: row.disposition ?? undefined,
              reason: row.disposition_reason ?? undefined,
              startedAtMs: row.call_started_ms ?? undefined,
              endedAtMs: row.call_ended_ms ?? undefined,
              durationSeconds: row.duration_seconds ?? undefined,
              itemStatus: row.item_status ?? undefined,
              errorText: row.error_text ?? undefined,
              kept: row.kept ?? {},
            },
    }
  );
}

/** Somebody who was called, to be called again. */
export interface CalledBefore extends Callee {
  campaignId: string;
  /** Its variables went by their age: whoever calls again would not know what to say. */
  isCleared: boolean;
}

/** Undefined where there is no such contact. */
export async function readCallee(db: Db, contactId: number): Promise<CalledBefore | undefined> {
  const row = await firstRow<
    Omit<CalledBefore, "region" | "sealed"> & {
      region: string | null;
      sealed: Sealed | null;
    }
  >(
    db,
    sql`select c.phone, c.region, z.zones, z.places, c.variables, c.campaign_id as "campaignId",
          c.cleared_at is not null as "isCleared",
          case when c.sealed is not null then jsonb_build_object('with', c.sealed_with, 'values', c.sealed) end as sealed
        from contacts c join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id where c.id = ${contactId}`,
  );
  if (!row) return undefined;
  const { sealed, region, ...callee } = row;
  return { ...callee, region: region ?? undefined, ...(sealed !== null && { sealed }) };
}
