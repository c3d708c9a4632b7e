import { sql, type SQL } from "drizzle-orm";

import type { AttemptStage } from "../../domain/campaigns/attempt-stage.ts";
import type { BatchState, StopReason } from "../../domain/campaigns/batch-state.ts";
import type { BatchTrouble } from "../../domain/campaigns/batch-trouble.ts";
import type { Disposition } from "../../domain/policy/disposition.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import {
  flag,
  from,
  moment,
  number,
  optional,
  record,
  text,
  texts,
  word,
  type RecordOf,
} from "../ground/record.ts";
import { at, listOf, ms } from "../ground/sql.ts";

/*
 * Batches of a campaign and their attempts, the newest first, page by page.
 *
 * Attempts have no order of their own that an index knows: they stand in the order of their batches, which one does
 * (batches_of_campaign), and each batch has a hundred at most. A page takes batches, as many as it may need, and then
 * their attempts by batch. Where a filter passes over many of them a page may be shorter than was asked for, or empty,
 * and still have another behind it.
 */

/** Said of an attempt `a` in its batch `b`: domain/campaigns/attempt-stage.ts. */
const STAGE = `(case when a.state = 'returned' then 'not_dialed' when a.state <> 'open' then 'ended'
  when b.start_sent_at is null or b.state in ('planned', 'created') then 'planned' else 'live' end)`;

const ATTEMPT = record(
  {
    id: number,
    contactId: number,
    campaignId: text,
    phone: text,
    zones: from("z.zones", texts),
    attemptNo: number,
    state: word<"open" | "provisional" | "ended" | "returned">(),
    stage: from(STAGE, word<AttemptStage>()),
    batchId: text,
    platformBatchId: from("b.platform_batch_id", optional(text)),
    agentId: from("b.agent_id", text),
    agentVersion: optional(number),
    agentChangedTo: optional(number),
    variant: from("b.variant", optional(text)),
    fromNumber: from("b.from_number", text),
    policyVersion: number,
    callId: optional(text),
    itemId: optional(text),
    itemStatus: optional(text),
    errorText: optional(text),
    disposition: optional(word<Disposition>()),
    dispositionReason: optional(text),
    plannedAtMs: moment,
    /** Of its batch: when the platform was let begin. */
    permittedAtMs: from("b.start_sent_at", optional(moment)),
    startedAtMs: optional(moment),
    endedAtMs: optional(moment),
    settledAtMs: optional(moment),
    durationSeconds: optional(number),
    /** Millionths of a US dollar. */
    costMicros: optional(number),
    costTold: flag,
    batchPlannedAtMs: from("b.planned_at", moment),
  },
  "a",
);

export interface ListedAttempt extends RecordOf<typeof ATTEMPT> {}

const FROM = sql`attempts a join batches b on b.id = a.batch_id join contacts c on c.id = a.contact_id
  join lanes l on l.id = c.lane_id join zone_sets z on z.id = l.zone_set_id`;

/** A place in a campaign's attempts: in a batch, before one of its attempts; 0: behind all of them. */
export interface AttemptPlace {
  batchPlannedAtMs: number;
  batchId: string;
  attemptId: number;
}

export interface AttemptFilter {
  /** Only these; absent: all. */
  stages?: readonly AttemptStage[] | undefined;
  disposition?: Disposition | undefined;
  phone?: string | undefined;
}

export interface AttemptPage {
  /** One more than was asked for, where there are as many. */
  attempts: ListedAttempt[];
  /** Where others may stand behind it that nobody looked at: the last place that was looked at. */
  lookedThrough: AttemptPlace | undefined;
}

/** Attempts that are looked at for one page: some ten milliseconds. */
const LOOKED_AT = 2_500;

/** Batches that a page is taken from, in which each has an attempt or more. */
const MOST_BATCHES = 1_000;

/** A campaign's attempts behind a place, the newest batches first. */
export async function listAttempts(
  db: Db,
  campaignId: string,
  { filter, after, limit }: { filter: AttemptFilter; after: AttemptPlace | undefined; limit: number },
): Promise<AttemptPage> {
  if (filter.phone !== undefined)
    return {
      attempts: await attemptsOfNumber(db, campaignId, { filter, after, limit }),
      lookedThrough: undefined,
    };
  const isFiltered = filter.stages !== undefined || filter.disposition !== undefined;
  const most = isFiltered ? LOOKED_AT : limit;
  const batches = await nextBatches(db, campaignId, {
    after,
    isUnsettledAlone: filter.stages?.every((stage) => stage === "live" || stage === "planned") ?? false,
  });
  const { taken, isCut } = enoughOf(batches, most);
  const last = taken.at(-1);
  if (!last) return { attempts: [], lookedThrough: undefined };
  const attempts = await rows(
    db,
    sql`select ${ATTEMPT.columns} from ${FROM}
        where a.batch_id in ${listOf(
          taken.map(({ id }) => id),
          "uuid",
        )} and ${isBehind(after)} and ${conditionsOf(filter)}
        order by b.planned_at desc, b.id desc, a.id desc limit ${limit}`,
    ATTEMPT,
  );
  const through = { batchPlannedAtMs: last.plannedAtMs, batchId: last.id, attemptId: 0 };
  return { attempts, lookedThrough: isCut ? through : undefined };
}

interface NextBatch {
  id: string;
  plannedAtMs: number;
  size: number;
}

function nextBatches(
  db: Db,
  campaignId: string,
  { after, isUnsettledAlone }: { after: AttemptPlace | undefined; isUnsettledAlone: boolean },
): Promise<NextBatch[]> {
  const behind = after
    ? sql`(b.planned_at, b.id) <= (${at(after.batchPlannedAtMs)}, ${after.batchId}::uuid)`
    : sql`true`;
  return rows<NextBatch>(
    db,
    sql`select b.id, ${ms(sql`b.planned_at`)} as "plannedAtMs", b.size from batches b
        where b.campaign_id = ${campaignId}::uuid and ${behind}
          and ${isUnsettledAlone ? sql`b.state <> 'settled'` : sql`true`}
        order by b.planned_at desc, b.id desc limit ${MOST_BATCHES}`,
  );
}

/** As many batches as have so many attempts together; cut: there are others behind them. */
function enoughOf(batches: readonly NextBatch[], most: number): { taken: NextBatch[]; isCut: boolean } {
  const taken: NextBatch[] = [];
  let attempts = 0;
  for (const batch of batches) {
    // Of the first one nothing may be left, and a page has to come further than that.
    if (taken.length > 1 && attempts >= most) break;
    taken.push(batch);
    attempts += batch.size;
  }
  return { taken, isCut: taken.length < batches.length || batches.length === MOST_BATCHES };
}

function isBehind(after: AttemptPlace | undefined): SQL {
  if (!after) return sql`true`;
  return sql`(b.planned_at, b.id, a.id) < (${at(after.batchPlannedAtMs)}, ${after.batchId}::uuid, ${after.attemptId}::bigint)`;
}

function conditionsOf({ stages, disposition }: AttemptFilter): SQL {
  return sql`${stages === undefined ? sql`true` : sql`${sql.raw(STAGE)} in ${listOf(stages, "text")}`}
    and ${disposition === undefined ? sql`true` : sql`a.disposition = ${disposition}`}`;
}

/** By the number's contacts in the campaign: one, or the calls that were placed to it. */
function attemptsOfNumber(
  db: Db,
  campaignId: string,
  { filter, after, limit }: { filter: AttemptFilter; after: AttemptPlace | undefined; limit: number },
): Promise<ListedAttempt[]> {
  return rows(
    db,
    sql`select ${ATTEMPT.columns} from ${FROM}
        where c.phone = ${filter.phone ?? ""} and c.campaign_id = ${campaignId}::uuid
          and ${isBehind(after)} and ${conditionsOf(filter)}
        order by b.planned_at desc, b.id desc, a.id desc limit ${limit}`,
    ATTEMPT,
  );
}

/** Attempts of one contact, the newest first. */
export function listAttemptsOfContact(db: Db, contactId: number, limit: number): Promise<ListedAttempt[]> {
  return rows(
    db,
    sql`select ${ATTEMPT.columns} from ${FROM} where a.contact_id = ${contactId} order by a.id desc limit ${limit}`,
    ATTEMPT,
  );
}

/** The attempts of a batch, in the order of its list. */
export function listAttemptsOfBatch(db: Db, batchId: string, limit: number): Promise<ListedAttempt[]> {
  return rows(
    db,
    sql`select ${ATTEMPT.columns} from ${FROM} where a.batch_id = ${batchId}::uuid order by a.id limit ${limit}`,
    ATTEMPT,
  );
}

/** The attempt that is a call of the platform; the newest, should the platform have used an id again. */
export function findAttemptOfCall(db: Db, callId: string): Promise<ListedAttempt | undefined> {
  return firstRow(
    db,
    sql`select ${ATTEMPT.columns} from ${FROM} where a.call_id = ${callId} order by a.id desc limit 1`,
    ATTEMPT,
  );
}

const BATCH = record(
  {
    id: text,
    campaignId: text,
    state: word<BatchState>(),
    agentId: text,
    variant: optional(text),
    fromNumber: text,
    policyVersion: number,
    size: number,
    returned: number,
    slots: number,
    held: number,
    platformBatchId: optional(text),
    dialByMs: optional(moment),
    plannedAtMs: moment,
    createdAtMs: optional(moment),
    permittedAtMs: from("b.start_sent_at", optional(moment)),
    startSeenAtMs: optional(moment),
    stopReason: optional(word<StopReason>()),
    stopRequestedAtMs: optional(moment),
    terminalSeenAtMs: optional(moment),
    settledAtMs: optional(moment),
    trouble: optional(word<BatchTrouble>()),
    troubleSinceMs: optional(moment),
  },
  "b",
);

export interface ListedBatch extends RecordOf<typeof BATCH> {}

/** A campaign's batches behind one of them, the newest first. */
export function listBatches(
  db: Db,
  campaignId: string,
  input: {
    state: BatchState | undefined;
    /** Only those that are not settled: what dials, is to dial, or is looked at until its end is seen. */
    unsettled: boolean;
    after: { plannedAtMs: number; id: string } | undefined;
    limit: number;
  },
): Promise<ListedBatch[]> {
  const { state, unsettled, after, limit } = input;
  // In these words an index has them alone, and they are few.
  const isUnsettled = unsettled || (state !== undefined && state !== "settled");
  return rows(
    db,
    sql`select ${BATCH.columns} from batches b where b.campaign_id = ${campaignId}::uuid
          and ${isUnsettled ? sql`b.state <> 'settled'` : sql`true`}
          and ${state === undefined ? sql`true` : sql`b.state = ${state}`}
          and ${after === undefined ? sql`true` : sql`(b.planned_at, b.id) < (${at(after.plannedAtMs)}, ${after.id}::uuid)`}
        order by b.planned_at desc, b.id desc limit ${limit}`,
    BATCH,
  );
}

export function findBatchOf(db: Db, campaignId: string, batchId: string): Promise<ListedBatch | undefined> {
  return firstRow(
    db,
    sql`select ${BATCH.columns} from batches b where b.id = ${batchId}::uuid and b.campaign_id = ${campaignId}::uuid`,
    BATCH,
  );
}
