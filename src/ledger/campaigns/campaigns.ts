import { sql, type SQL } from "drizzle-orm";
import { workWithin } from "../../domain/campaigns/account-lines.ts";
import { DEFAULT_HOLD_MS, type WorkLeft } from "../../domain/campaigns/batch-sizing.ts";

import type { BreakerState } from "../../domain/campaigns/breaker.ts";
import type { CampaignEnding, CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import {
  document,
  flag,
  from,
  moment,
  number,
  optional,
  record,
  text,
  word,
  type FieldsOf,
  type RecordOf,
} from "../ground/record.ts";
import { storedSpec } from "./stored-spec.ts";
import { standingKeyOf, type StandsFor } from "./stands-for.ts";
import { at } from "../ground/sql.ts";

/** Contacts of a campaign by state. accepted = open + leased + done + excluded (I3). */
export const TALLIES = {
  open: from("open_count", number),
  leased: from("leased_count", number),
  done: from("done_count", number),
  excluded: from("excluded_count", number),
  attempts: from("attempt_count", number),
  /** Final dispositions of done contacts. */
  dispositions: document<Record<string, number>>(),
};

export interface Tallies extends FieldsOf<typeof TALLIES> {}

/** What money a campaign waits for: its own budgets', or credits of the platform's account. */
export type ShortOf = "budget" | "credit";

/** Whom a pause was for: just this campaign, or the one whose callbacks, or the sequence whose calls, these are. */
export type PausedBy = "itself" | "parent" | "sequence";

/** waiting: it paused itself for somebody to approve of its first calls. */
export type CanaryState = "waiting" | "approved";

const CAMPAIGN = record({
  id: text,
  brand: text,
  name: text,
  run: number,
  state: word<CampaignState>(),
  ending: optional(word<CampaignEnding>()),
  stateReason: optional(text),
  /** Of one that is paused. */
  pausedBy: optional(word<PausedBy>()),
  /** The name of the sequence whose calls these are, while that is paused; of one that is over, too. */
  pausedSequence: optional(text),
  breaker: word<BreakerState>(),
  /** When an open breaker probes by itself; undefined: a person resumes it. */
  probeAtMs: optional(moment),
  /** How often in a row the breaker opened. */
  opened: number,
  /** The newest calls since it was closed, or of the probe, a letter each (breaker.ts). */
  newestCalls: text,
  /** What became of its first calls: undefined before they are made, or where it has no canary. */
  canary: optional(word<CanaryState>()),
  /** Why one of its agents can't call; undefined: they can, as far as is known. */
  agentProblem: optional(text),
  spec: document(storedSpec),
  policyVersion: number,
  concurrency: number,
  /** How often it was planned. Nothing else raises it, so that whatever a restored ledger does before hides nothing. */
  plannings: number,
  followFence: number,
  starved: flag,
  /** The policy changed since it put contacts off. */
  asksAgain: flag,
  /** What money it waited for when it wanted to lease last. */
  shortOf: optional(word<ShortOf>()),
  nextLookAtMs: optional(moment),
  /** How many of the account's lines it may count on; undefined: as many as its concurrency. */
  share: optional(number),
  /** Lines of the account that it could use beside those that it holds, as of its last planning. */
  waiting: number,
  /** When it leased last, where an account's lines are shared. Unix milliseconds. */
  servedAtMs: optional(moment),
  ...TALLIES,
  holdMsSum: number,
  holdCount: number,
  /** Lines that came free while somebody waited, and the sum of when their calls ended. */
  freedCount: number,
  freedMsSum: number,
  /**
   * Of its calls: in which somebody was, or may have been, spoken with; of these, that say whether they were
   * transferred; that say they were.
   */
  conversations: from("conversation_count", number),
  transfersKnown: from("transfer_known_count", number),
  transfers: from("transfer_count", number),
  /** Calls are placed into it one by one; it has no list and does not end by being empty (standing.ts). */
  standing: flag,
  /** Of the calls of a sequence's step: that sequence. */
  sequenceId: optional(text),
  step: optional(text),
  digest: optional(text),
  /** Of the callbacks of a campaign: that campaign, whose commands it obeys. */
  parentId: optional(text),
  createdAtMs: moment,
  startedAtMs: optional(moment),
  /** When it was started, or resumed last. */
  runningSinceMs: optional(moment),
  endedAtMs: optional(moment),
  /** Since when lists pass over it. */
  archivedAtMs: optional(moment),
  /** The trace that created it. */
  traceParent: optional(text),
});

type StoredCampaign = RecordOf<typeof CAMPAIGN>;

export interface Campaign extends Omit<
  StoredCampaign,
  keyof Tallies | "holdMsSum" | "holdCount" | "step" | "digest"
> {
  tallies: Tallies;
  /** Mean time that an attempt held a slot, once some have. */
  meanHoldMs: number | undefined;
  /** What a standing campaign stands for, in one word. */
  standingKey: string | undefined;
}

type Standing = Pick<StoredCampaign, "parentId" | "sequenceId" | "step" | "digest">;

function keyOf({ parentId: callbacksOf, sequenceId, step, digest }: Standing): string | undefined {
  if (callbacksOf !== undefined) return standingKeyOf({ callbacksOf });
  if (sequenceId === undefined || step === undefined || digest === undefined) return undefined;
  return standingKeyOf({ sequenceId, step, digest });
}

function campaignOf(stored: StoredCampaign): Campaign {
  const { open, leased, done, excluded, attempts, dispositions, holdMsSum, holdCount, ...rest } = stored;
  const { step, digest, ...campaign } = rest;
  return {
    ...campaign,
    standingKey: keyOf({ ...campaign, step, digest }),
    tallies: { open, leased, done, excluded, attempts, dispositions },
    meanHoldMs: holdCount > 0 ? holdMsSum / holdCount : undefined,
  };
}

/** What is left to be dialed, those included who are due later: an upper bound of what planning would find. */
export function workLeftOf({ tallies, concurrency, share, meanHoldMs }: Campaign): WorkLeft {
  const holdMs = meanHoldMs ?? DEFAULT_HOLD_MS;
  return workWithin({ due: tallies.open, limit: concurrency, holdMs }, share);
}

async function readMany(db: Db, condition: SQL): Promise<Campaign[]> {
  const found = await rows(db, sql`select ${CAMPAIGN.columns} from campaigns where ${condition}`, CAMPAIGN);
  return found.map(campaignOf);
}

async function readOne(db: Db, condition: SQL): Promise<Campaign | undefined> {
  const [campaign] = await readMany(db, condition);
  return campaign;
}

export function readCampaign(db: Db, campaignId: string): Promise<Campaign | undefined> {
  return readOne(db, sql`id = ${campaignId}::uuid`);
}

/** The newest run of the campaign that a brand calls so. Standing campaigns are found by what they stand for. */
export function findCampaign(db: Db, brand: string, name: string): Promise<Campaign | undefined> {
  return readOne(db, sql`brand = ${brand} and name = ${name} and not standing order by run desc limit 1`);
}

/** The standing campaign that a brand calls so: of several, one that is not over, else the newest. */
export function findStandingByName(db: Db, brand: string, name: string): Promise<Campaign | undefined> {
  return readOne(
    db,
    sql`brand = ${brand} and name = ${name} and standing
        order by ended_at is null desc, state = 'paused' desc, created_at desc limit 1`,
  );
}

/** Takes the campaign's row lock: what every change of its contacts, attempts and batches holds. */
export function lockCampaign(tx: Db, campaignId: string): Promise<Campaign | undefined> {
  return readOne(tx, sql`id = ${campaignId}::uuid for update`);
}

/** The same of the campaign whose batch this is. */
export function lockCampaignOf(tx: Db, batchId: string): Promise<Campaign | undefined> {
  return readOne(tx, sql`id = (select campaign_id from batches where id = ${batchId}::uuid) for update`);
}

/** The same, where nobody holds it at the moment; undefined where somebody does, or it is not there. */
export function lockCampaignIfFree(tx: Db, campaignId: string): Promise<Campaign | undefined> {
  return readOne(tx, sql`id = ${campaignId}::uuid for update skip locked`);
}

/** Locks the campaign that stands for this now, if one does. */
export function lockStanding(tx: Db, what: StandsFor): Promise<Campaign | undefined> {
  return readOne(tx, sql`${isFor(what)} and state <> 'completed' for update`);
}

/** How many stood for this before, and made room. */
export async function countFormerStanding(tx: Db, what: StandsFor): Promise<number> {
  const row = await firstRow<{ n: number }>(
    tx,
    sql`select count(*)::int as n from campaigns where ${isFor(what)} and state = 'completed'`,
  );
  return row?.n ?? 0;
}

function isFor(what: StandsFor): SQL {
  return "callbacksOf" in what
    ? sql`parent_id = ${what.callbacksOf}::uuid`
    : sql`sequence_id = ${what.sequenceId}::uuid and step = ${what.step} and digest = ${what.digest}`;
}

/** Locks the callbacks of a campaign, as far as they are not over. Whoever needs both locks takes the parent's first. */
export function lockCallbacksOf(tx: Db, parentId: string): Promise<Campaign[]> {
  return readMany(tx, sql`parent_id = ${parentId}::uuid and ended_at is null order by id for update`);
}

/** The same, without their locks. */
export function listCallbacksOf(db: Db, parentId: string): Promise<Campaign[]> {
  return readMany(db, sql`parent_id = ${parentId}::uuid and ended_at is null order by id`);
}

/** Locks the standing campaigns of a sequence, as far as they are not over, in the order of their ids. */
export async function lockStandingOf(tx: Db, sequenceId: string): Promise<void> {
  await rows(
    tx,
    sql`select 1 as one from campaigns where sequence_id = ${sequenceId}::uuid and ended_at is null order by id for update`,
  );
}

/**
 * Others that may be dialing, and whose transferred calls go to the same people as a campaign's: those of its brand that
 * name the same team; of the calls of a sequence that names none, its other steps, and those of its earlier versions.
 */
export async function listSharingTransfers(
  db: Db,
  { id, brand, sequenceId, spec }: Campaign,
): Promise<Campaign[]> {
  const team = spec.transfers?.team;
  if (team === undefined && sequenceId === undefined) return [];
  const isShared =
    team === undefined
      ? sql`sequence_id = ${sequenceId ?? null}::uuid and spec -> 'transfers' ->> 'team' is null`
      : sql`brand = ${brand} and spec -> 'transfers' ->> 'team' = ${team}`;
  return readMany(
    db,
    // Of one that is over its callbacks may go on.
    sql`(ended_at is null or exists (select 1 from campaigns k where k.parent_id = campaigns.id and k.ended_at is null))
        and id <> ${id}::uuid and parent_id is null
        and spec -> 'transfers' -> 'capacity' is not null and ${isShared}`,
  );
}

/** The standing campaigns of a sequence, oldest first; those that are over included. */
export function listStandingOf(db: Db, sequenceId: string): Promise<Campaign[]> {
  return readMany(db, sql`sequence_id = ${sequenceId}::uuid order by created_at, id`);
}

export interface CampaignPage {
  /** Newest first. */
  campaigns: Campaign[];
  total: number;
}

/**
 * @param page.after goes on behind this one
 * @param page.open only those that are not over
 * @param page.standing standing ones as well
 * @param page.archived only those that are archived; by default only others
 */
export async function listCampaigns(
  db: Db,
  page: {
    after?: { atMs: number; id: string };
    limit: number;
    open?: boolean;
    standing?: boolean;
    archived?: boolean;
    /** Undefined: of all brands. */
    brand?: string | undefined;
  },
): Promise<CampaignPage> {
  const condition = sql`(archived_at is not null) = ${page.archived ?? false} and (standing = false or ${page.standing ?? false}) and (ended_at is null or not ${page.open ?? false}) and (${page.brand ?? null}::text is null or brand = ${page.brand ?? null}::text)`;
  const behind =
    page.after === undefined
      ? sql`true`
      : sql`(created_at, id) < (${at(page.after.atMs)}, ${page.after.id}::uuid)`;
  const campaigns = await readMany(
    db,
    sql`${condition} and ${behind} order by created_at desc, id desc limit ${page.limit}`,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from campaigns where ${condition}`,
  );
  return { campaigns, total: total?.n ?? 0 };
}

/** Ids of campaigns that must have their workflow: begun and not over. */
export async function listLiveCampaignIds(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from campaigns where ended_at is null and state <> 'scheduled' order by created_at`,
  );
  return found.map((row) => row.id);
}
