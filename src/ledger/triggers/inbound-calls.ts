import { sql } from "drizzle-orm";

import { campaignSpecSchema } from "../../domain/campaigns/campaign-spec.ts";
import { INBOUND_CALL_EVENT } from "../../domain/triggers/trigger.ts";
import { requestStop } from "../campaigns/batches.ts";
import { lockCampaign } from "../campaigns/campaigns.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { tellEnrolments } from "../sequences/enrolment-inbox.ts";
import { moment, optional, record, text, type RecordOf } from "../ground/record.ts";
import { at, atOrNull, listOf } from "../ground/sql.ts";
import { moveWatermark, readWatermark } from "../ground/watermarks.ts";
import { type AnalysisRule } from "../../domain/policy/dialing-policy.ts";

/*
 * Calls from people to our numbers, as far as they concern somebody whom we call.
 *
 * 1. A call is taken in once, by its id. What it does to a campaign's contacts follows from its row alone: the
 *    policy gate asks for it (contact-facts.ts). Sequences are told in the transaction that writes the row.
 * 2. It is settled when its processing is over, or is not waited for any longer; an opt-out in it suppresses.
 */

const INBOUND_CALL = record({
  callId: text,
  phone: text,
  atMs: moment,
  createdAtMs: moment,
  settledAtMs: optional(moment),
});

export interface InboundCall extends RecordOf<typeof INBOUND_CALL> {}

export interface NewInboundCall {
  callId: string;
  /** Whose call it is. */
  phone: string;
  /** The number of ours that was called. */
  toNumber: string | undefined;
  atMs: number;
  endedAtMs: number | undefined;
  nowMs: number;
}

/** Of several numbers, the first that belongs to somebody whom we call, or called. */
export async function whomWeCall(db: Db, phones: readonly string[]): Promise<string | undefined> {
  const known = await rows<{ phone: string }>(
    db,
    sql`select p.phone from ${listOf(phones, "text")} as p(phone)
        where exists (select 1 from contacts c where c.phone = p.phone)
           or exists (select 1 from enrolments e where e.phone = p.phone)`,
  );
  const phonesKnown = new Set(known.map((row) => row.phone));
  return phones.find((phone) => phonesKnown.has(phone));
}

/** Those of these calls that are taken in already. */
export async function knownInboundCalls(db: Db, callIds: readonly string[]): Promise<Set<string>> {
  if (callIds.length === 0) return new Set();
  const found = await rows<{ call_id: string }>(
    db,
    sql`select call_id from inbound_calls where call_id in ${listOf(callIds, "text")}`,
  );
  return new Set(found.map((row) => row.call_id));
}

export function readInboundCall(db: Db, callId: string): Promise<InboundCall | undefined> {
  return firstRow(
    db,
    sql`select ${INBOUND_CALL.columns} from inbound_calls where call_id = ${callId}`,
    INBOUND_CALL,
  );
}

/** Takes a call in and tells the sequences that its person is in. False where it was taken in before. */
export async function takeInboundCall(tx: Db, call: NewInboundCall): Promise<boolean> {
  const taken = await rows(
    tx,
    sql`insert into inbound_calls (call_id, phone, to_number, at, ended_at, created_at)
        values (${call.callId}, ${call.phone}, ${call.toNumber ?? null}, ${at(call.atMs)}, ${atOrNull(call.endedAtMs)}, ${at(call.nowMs)})
        on conflict (call_id) do nothing returning 1 as one`,
  );
  if (taken.length === 0) return false;
  await tellEnrolments(tx, {
    brand: undefined,
    phone: call.phone,
    event: {
      name: INBOUND_CALL_EVENT,
      data: { call_id: call.callId, to_number: call.toNumber ?? null },
      requestKey: `inbound:${call.callId}`,
      at: call.atMs,
    },
    actor: "engine",
  });
  return true;
}

/** Its processing is over, or is not waited for any longer. False where that was so before. */
export async function settleInboundCall(
  tx: Db,
  input: { callId: string; endedAtMs: number | undefined; optedOut: boolean; nowMs: number },
): Promise<boolean> {
  const settled = await rows(
    tx,
    sql`update inbound_calls set settled_at = ${at(input.nowMs)}, ended_at = coalesce(ended_at, ${atOrNull(input.endedAtMs)}),
          opted_out = ${input.optedOut}
        where call_id = ${input.callId} and settled_at is null returning 1 as one`,
  );
  return settled.length > 0;
}

/** Rules of campaigns before these speak of other agents. */
const NEWEST_CAMPAIGNS = 20;

export interface RulesOfBrand {
  brand: string;
  campaign: string;
  rules: readonly AnalysisRule[];
}

/** Analysis rules of the newest campaigns, and of the sequences' calls, that have a number. */
export async function readRulesAbout(db: Db, phone: string): Promise<RulesOfBrand[]> {
  const found = await rows<{ brand: string; name: string; spec: unknown }>(
    db,
    sql`select c.brand, c.name, c.spec from campaigns c
        where c.spec -> 'analysis' is not null
          and (c.id in (select campaign_id from contacts where phone = ${phone})
            or c.sequence_id in (select sequence_id from enrolments where phone = ${phone}))
        order by c.created_at desc, c.id limit ${NEWEST_CAMPAIGNS}`,
  );
  return found.map((row) => {
    const { analysis } = campaignSpecSchema.parse(row.spec);
    return { brand: row.brand, campaign: row.name, rules: analysis?.rules ?? [] };
  });
}

/** Whoever was called may call back so long after: a campaign that is over hears opt-outs for its next run, and others. */
const HEARD_AFTER_MS = 30 * 86_400_000;

/**
 * Whether anybody would do something about an inbound call now: a campaign with people left that closes or reschedules,
 * one that hears opt-outs, be it before its beginning or some time after its end, or anybody who is on the way through a
 * sequence that does.
 */
export async function heedsInboundCalls(db: Db, nowMs: number): Promise<boolean> {
  const row = await firstRow<{ heeds: boolean }>(
    db,
    sql`select exists (select 1 from campaigns
            where (ended_at is null and open_count + leased_count > 0 and coalesce(spec -> 'inbound', '"ignore"') <> '"ignore"')
              or ((ended_at is null or ended_at > ${at(nowMs - HEARD_AFTER_MS)})
                and spec @> '{"analysis": {"rules": [{"disposition": "opted_out"}]}}'))
          or exists (select 1 from sequence_versions v
            where (v.definition #>> '{inbound,do}' <> 'ignore' or v.definition @? '$.**.disposition ? (@ == "opted_out")')
              and exists (select 1 from enrolments e
                where e.sequence_id = v.sequence_id and e.version = v.version and e.state = 'active')) as heeds`,
  );
  return row?.heeds ?? false;
}

/**
 * Asks the batches that hold this number, and have not called it yet, to stop, where their campaign closes or
 * reschedules: the gate decides about it anew, and everybody else of theirs comes back in new batches.
 *
 * @returns those batches.
 */
export async function stopForInboundCall(ledger: Ledger, phone: string, nowMs: number): Promise<string[]> {
  const waiting = await rows<{ campaign_id: string; batch_id: string }>(
    ledger.db,
    sql`select a.campaign_id, a.batch_id from attempts a join campaigns c on c.id = a.campaign_id
        where a.phone = ${phone} and a.state = 'open' and a.call_id is null
          and coalesce(c.spec -> 'inbound', '"ignore"') <> '"ignore"'`,
  );
  for (const { campaign_id: campaignId, batch_id: batchId } of waiting) {
    await ledger.transaction(async (tx) => {
      const campaign = await lockCampaign(tx, campaignId);
      if (campaign) await requestStop(tx, { campaign, batchIds: [batchId], reason: "policy", nowMs });
    });
  }
  return waiting.map((row) => row.batch_id);
}

/** How far the list of inbound calls was read. */
const WATERMARK = "inbound_calls";

export function readInboundWatermark(db: Db): Promise<number | undefined> {
  return readWatermark(db, WATERMARK);
}

/** Never moves back. */
export function moveInboundWatermark(db: Db, toMs: number): Promise<void> {
  return moveWatermark(db, WATERMARK, toMs);
}
