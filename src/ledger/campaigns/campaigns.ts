import { sql, type SQL } from "drizzle-orm";
import { workWithin } from "../../domain/campaigns/account-lines.ts";
import { DEFAULT_HOLD_MS, type WorkLeft } from "../../domain/campaigns/batch-sizing.ts";
import { randomUUID } from "node:crypto";

import { campaignSpecSchema, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import type { CampaignEnding, CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { writeAudit } from "../ground/audit.ts";
import { noteNews, type CampaignNews } from "./campaign-news.ts";
import { resolveStalled } from "./campaign-stalls.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { at, atOrNull, json, ms } from "../ground/sql.ts";
import { standingKeyOf, type StandsFor } from "./stands-for.ts";

/** Contacts of a campaign by state. accepted = open + leased + done + excluded (I3). */
export interface Tallies {
  open: number;
  leased: number;
  done: number;
  excluded: number;
  attempts: number;
  /** Final dispositions of done contacts. */
  dispositions: Record<string, number>;
}

/** Whom a pause was for: just this campaign, or the one whose callbacks, or the sequence whose calls, these are. */
export type PausedBy = "itself" | "parent" | "sequence";

export interface Campaign {
  id: string;
  brand: string;
  name: string;
  run: number;
  state: CampaignState;
  ending: CampaignEnding | undefined;
  stateReason: string | undefined;
  /** Of one that is paused. */
  pausedBy: PausedBy | undefined;
  /** The name of the sequence whose calls these are, while that is paused; of one that is over, too. */
  pausedSequence: string | undefined;
  spec: CampaignSpec;
  policyVersion: number;
  concurrency: number;
  seq: number;
  followFence: number;
  starved: boolean;
  nextLookAtMs: number | undefined;
  /** How many of the account's lines it may count on; undefined: as many as its concurrency. */
  share: number | undefined;
  /** Lines of the account that it could use beside those that it holds, as of its last planning. */
  waiting: number;
  /** When it leased last, where an account's lines are shared. Unix milliseconds. */
  servedAtMs: number | undefined;
  tallies: Tallies;
  /** Mean time that an attempt held a slot, once some have. */
  meanHoldMs: number | undefined;
  /** Calls are placed into it one by one; it has no list and does not end by being empty (standing.ts). */
  standing: boolean;
  /** What a standing campaign stands for, in one word. */
  standingKey: string | undefined;
  /** Of the calls of a sequence's step: that sequence. */
  sequenceId: string | undefined;
  /** Of the callbacks of a campaign: that campaign, whose commands it obeys. */
  parentId: string | undefined;
  createdAtMs: number;
  startedAtMs: number | undefined;
  /** When it was started, or resumed last. */
  runningSinceMs: number | undefined;
  endedAtMs: number | undefined;
}

interface CampaignRow {
  id: string;
  brand: string;
  name: string;
  run: number;
  state: CampaignState;
  ending: CampaignEnding | null;
  state_reason: string | null;
  paused_by: PausedBy | null;
  paused_sequence: string | null;
  spec: unknown;
  policy_version: number;
  concurrency: number;
  seq: number;
  follow_fence: number;
  starved: boolean;
  next_look_ms: number | null;
  share: number | null;
  waiting: number;
  served_ms: number | null;
  open_count: number;
  leased_count: number;
  done_count: number;
  excluded_count: number;
  attempt_count: number;
  dispositions: Record<string, number>;
  hold_ms_sum: number;
  hold_count: number;
  standing: boolean;
  sequence_id: string | null;
  step: string | null;
  digest: string | null;
  parent_id: string | null;
  created_ms: number;
  started_ms: number | null;
  running_since_ms: number | null;
  ended_ms: number | null;
}

const COLUMNS = sql`id, brand, name, run, state, ending, state_reason, paused_by, paused_sequence, spec, policy_version, concurrency, seq, follow_fence,
  starved, ${ms(sql`next_look_at`)} as next_look_ms, share, waiting, ${ms(sql`served_at`)} as served_ms, open_count, leased_count, done_count, excluded_count, attempt_count,
  dispositions, hold_ms_sum, hold_count, standing, sequence_id, step, digest, parent_id, ${ms(sql`created_at`)} as created_ms, ${ms(sql`started_at`)} as started_ms,
  ${ms(sql`running_since`)} as running_since_ms,
  ${ms(sql`ended_at`)} as ended_ms`;

function keyOf(row: CampaignRow): string | undefined {
  const { parent_id: callbacksOf, sequence_id: sequenceId, step, digest } = row;
  if (callbacksOf !== null) return standingKeyOf({ callbacksOf });
  if (sequenceId === null || step === null || digest === null) return undefined;
  return standingKeyOf({ sequenceId, step, digest });
}

function campaignOf(row: CampaignRow): Campaign {
  return {
    id: row.id,
    brand: row.brand,
    name: row.name,
    run: row.run,
    state: row.state,
    ending: row.ending ?? undefined,
    stateReason: row.state_reason ?? undefined,
    pausedBy: row.paused_by ?? undefined,
    pausedSequence: row.paused_sequence ?? undefined,
    spec: campaignSpecSchema.parse(row.spec),
    policyVersion: row.policy_version,
    concurrency: row.concurrency,
    seq: row.seq,
    followFence: row.follow_fence,
    starved: row.starved,
    nextLookAtMs: row.next_look_ms ?? undefined,
    share: row.share ?? undefined,
    waiting: row.waiting,
    servedAtMs: row.served_ms ?? undefined,
    tallies: {
      open: row.open_count,
      leased: row.leased_count,
      done: row.done_count,
      excluded: row.excluded_count,
      attempts: row.attempt_count,
      dispositions: row.dispositions,
    },
    meanHoldMs: row.hold_count > 0 ? row.hold_ms_sum / row.hold_count : undefined,
    standing: row.standing,
    standingKey: keyOf(row),
    sequenceId: row.sequence_id ?? undefined,
    parentId: row.parent_id ?? undefined,
    createdAtMs: row.created_ms,
    startedAtMs: row.started_ms ?? undefined,
    runningSinceMs: row.running_since_ms ?? undefined,
    endedAtMs: row.ended_ms ?? undefined,
  };
}

/** What is left to be dialed, those included who are due later: an upper bound of what planning would find. */
export function workLeftOf({ tallies, concurrency, share, meanHoldMs }: Campaign): WorkLeft {
  const holdMs = meanHoldMs ?? DEFAULT_HOLD_MS;
  return workWithin({ due: tallies.open, limit: concurrency, holdMs }, share);
}

async function readOne(db: Db, condition: SQL): Promise<Campaign | undefined> {
  const row = await firstRow<CampaignRow>(db, sql`select ${COLUMNS} from campaigns where ${condition}`);
  return row && campaignOf(row);
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
    sql`brand = ${brand} and name = ${name} and standing order by ended_at is null desc, created_at desc limit 1`,
  );
}

/** Takes the campaign's row lock: what every change of its contacts, attempts and batches holds. */
export function lockCampaign(tx: Db, campaignId: string): Promise<Campaign | undefined> {
  return readOne(tx, sql`id = ${campaignId}::uuid for update`);
}

/** The same, where nobody holds it at the moment; undefined where somebody does, or it is not there. */
export function lockCampaignIfFree(tx: Db, campaignId: string): Promise<Campaign | undefined> {
  return readOne(tx, sql`id = ${campaignId}::uuid for update skip locked`);
}

/** Locks the campaign that stands for this now, if one does. */
export function lockStanding(tx: Db, what: StandsFor): Promise<Campaign | undefined> {
  const isIt =
    "callbacksOf" in what
      ? sql`parent_id = ${what.callbacksOf}::uuid`
      : sql`sequence_id = ${what.sequenceId}::uuid and step = ${what.step} and digest = ${what.digest}`;
  return readOne(tx, sql`${isIt} and state <> 'completed' for update`);
}

/** Locks the callbacks of a campaign, as far as they are not over. Whoever needs both locks takes the parent's first. */
export async function lockCallbacksOf(tx: Db, parentId: string): Promise<Campaign[]> {
  const found = await rows<CampaignRow>(
    tx,
    sql`select ${COLUMNS} from campaigns where parent_id = ${parentId}::uuid and ended_at is null order by id for update`,
  );
  return found.map(campaignOf);
}

/** Locks the standing campaigns of a sequence, as far as they are not over, in the order of their ids. */
export async function lockStandingOf(tx: Db, sequenceId: string): Promise<void> {
  await rows(
    tx,
    sql`select 1 as one from campaigns where sequence_id = ${sequenceId}::uuid and ended_at is null order by id for update`,
  );
}

/** The standing campaigns of a sequence, oldest first; those that are over included. */
export async function listStandingOf(db: Db, sequenceId: string): Promise<Campaign[]> {
  const found = await rows<CampaignRow>(
    db,
    sql`select ${COLUMNS} from campaigns where sequence_id = ${sequenceId}::uuid order by created_at, id`,
  );
  return found.map(campaignOf);
}

export interface CampaignPage {
  /** Newest first. */
  campaigns: Campaign[];
  total: number;
}

/** @param page.open only those that are not over. @param page.standing standing ones as well. */
export async function listCampaigns(
  db: Db,
  page: { skip: number; limit: number; open?: boolean; standing?: boolean },
): Promise<CampaignPage> {
  const condition = sql`(standing = false or ${page.standing ?? false}) and (ended_at is null or not ${page.open ?? false})`;
  const found = await rows<CampaignRow>(
    db,
    sql`select ${COLUMNS} from campaigns where ${condition} order by created_at desc, id offset ${page.skip} limit ${page.limit}`,
  );
  const total = await firstRow<{ n: number }>(
    db,
    sql`select count(*)::int as n from campaigns where ${condition}`,
  );
  return { campaigns: found.map(campaignOf), total: total?.n ?? 0 };
}

/** Ids of campaigns that must have their workflow: begun and not over. */
export async function listLiveCampaignIds(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from campaigns where ended_at is null and state <> 'scheduled' order by created_at`,
  );
  return found.map((row) => row.id);
}

/** The name's newest run is not over; a new run of it would call the same people beside it. */
export class CampaignNotOverError extends Error {
  override readonly name = "CampaignNotOverError";
}

export interface CreateCampaignInput {
  spec: CampaignSpec;
  actor: string;
  nowMs: number;
}

/**
 * Writes a campaign down, `scheduled`. Where its name exists already, this is the name's next run.
 *
 * @throws CampaignNotOverError where the name's newest run is not over.
 */
export async function createCampaign(tx: Db, input: CreateCampaignInput): Promise<Campaign> {
  const { spec, actor, nowMs } = input;
  await rows(tx, sql`insert into brands (id) values (${spec.brand}) on conflict do nothing`);
  // The brand's row stands for all its names: two creations of one name take turns.
  await rows(tx, sql`select 1 from brands where id = ${spec.brand} for update`);
  const newest = await findCampaign(tx, spec.brand, spec.name);
  if (newest && newest.endedAtMs === undefined) {
    throw new CampaignNotOverError(
      `campaign "${spec.name}" is ${newest.state}: carry on with it, amend it, or cancel it before a new run`,
    );
  }
  const id = randomUUID();
  await rows(
    tx,
    sql`insert into campaigns (id, brand, name, run, state, spec, policy_version, concurrency, created_at)
        values (${id}::uuid, ${spec.brand}, ${spec.name}, ${(newest?.run ?? 0) + 1}, 'scheduled', ${json(spec)}, 1,
                ${spec.concurrency}, ${at(nowMs)})`,
  );
  await writePolicyVersion(tx, { campaignId: id, version: 1, spec, actor, nowMs });
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "campaign.create",
    campaignId: id,
    detail: { name: spec.name },
  });
  const campaign = await readCampaign(tx, id);
  if (!campaign) throw new Error(`campaign ${id} vanished while it was created`);
  return campaign;
}

/** Writes down what dials are decided under from here on. */
export async function writePolicyVersion(
  tx: Db,
  input: { campaignId: string; version: number; spec: CampaignSpec; actor: string; nowMs: number },
): Promise<void> {
  await rows(
    tx,
    sql`insert into policy_versions (campaign_id, version, spec, actor, created_at)
        values (${input.campaignId}::uuid, ${input.version}, ${json(input.spec)}, ${input.actor}, ${at(input.nowMs)})`,
  );
}

/** Puts an amended spec in force under the campaign's lock. Every dial from here on cites the new version. */
export async function amendCampaign(
  tx: Db,
  input: {
    campaign: Campaign;
    spec: CampaignSpec;
    actor: string;
    commandId?: string;
    nowMs: number;
  },
): Promise<number> {
  const { campaign, spec, actor, nowMs } = input;
  const version = campaign.policyVersion + 1;
  await rows(
    tx,
    sql`update campaigns set spec = ${json(spec)}, policy_version = ${version}, concurrency = ${spec.concurrency}, seq = seq + 1
        where id = ${campaign.id}::uuid`,
  );
  await writePolicyVersion(tx, { campaignId: campaign.id, version, spec, actor, nowMs });
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "campaign.amend",
    campaignId: campaign.id,
    detail: { version, ...(input.commandId !== undefined && { commandId: input.commandId }) },
  });
  return version;
}

export interface StateChange {
  campaignId: string;
  from: readonly CampaignState[];
  to: CampaignState;
  actor: string;
  reason: string | undefined;
  commandId?: string;
  ending?: CampaignEnding;
  /** Of a pause; by default for this campaign alone. */
  pausedBy?: PausedBy;
  nowMs: number;
}

/** Moves the campaign by compare-and-set. False where it was in none of the states. */
export async function moveCampaign(tx: Db, change: StateChange): Promise<boolean> {
  const over = change.to === "completed" || change.to === "cancelled";
  const pausedBy = change.to === "paused" ? (change.pausedBy ?? "itself") : undefined;
  const moved = await firstRow<MovedRow>(
    tx,
    sql`update campaigns set state = ${change.to}, state_reason = ${change.reason ?? null}, seq = seq + 1, offered_at = null,
          ending = ${change.ending ?? null}, paused_by = ${pausedBy ?? null},
          started_at = case when ${change.to} = 'running' then coalesce(started_at, ${at(change.nowMs)}) else started_at end,
          running_since = case when ${change.to} = 'running' then ${at(change.nowMs)} else running_since end,
          ended_at = case when ${over} then ${at(change.nowMs)} else ended_at end
        where id = ${change.campaignId}::uuid
          and state in (${sql.join(
            change.from.map((state) => sql`${state}`),
            sql`, `,
          )})
        returning brand, name, run, open_count, leased_count, done_count, excluded_count, attempt_count, dispositions`,
  );
  if (!moved) return false;
  // Whoever resumed it has looked; and what is ending comes to dial nobody any more.
  if (change.to !== "paused") await resolveStalled(tx, change.campaignId, change.nowMs);
  noteNews(tx, newsOf(change, moved));
  await writeAudit(tx, {
    nowMs: change.nowMs,
    actor: change.actor,
    action: `campaign.${change.to}`,
    campaignId: change.campaignId,
    detail: {
      reason: change.reason ?? null,
      ...(pausedBy !== undefined && { pausedBy }),
      ...(change.commandId !== undefined && { commandId: change.commandId }),
    },
  });
  return true;
}

type MovedRow = Pick<
  CampaignRow,
  | "brand"
  | "name"
  | "run"
  | "open_count"
  | "leased_count"
  | "done_count"
  | "excluded_count"
  | "attempt_count"
  | "dispositions"
>;

function newsOf({ campaignId, from, to, actor, reason }: StateChange, row: MovedRow): CampaignNews {
  const open = row.open_count + row.leased_count;
  const { done_count: done, excluded_count: excluded } = row;
  return {
    campaignId,
    brand: row.brand,
    name: row.name,
    run: row.run,
    from,
    to,
    actor,
    reason,
    contacts: { total: open + done + excluded, done, excluded, open },
    attempts: row.attempt_count,
    dispositions: row.dispositions,
  };
}

/** How contacts moved between states in one transaction. Sums to nothing except where contacts are accepted. */
export interface TallyChange {
  open?: number;
  leased?: number;
  done?: number;
  excluded?: number;
  attempts?: number;
  dispositions?: Readonly<Record<string, number>>;
  holdMsSum?: number;
  holdCount?: number;
}

/** Books moved contacts. The caller holds the campaign's lock and read `campaign` under it. */
export async function bookTallies(tx: Db, campaign: Campaign, change: TallyChange): Promise<void> {
  const dispositions = { ...campaign.tallies.dispositions };
  for (const [disposition, n] of Object.entries(change.dispositions ?? {})) {
    dispositions[disposition] = (dispositions[disposition] ?? 0) + n;
  }
  const { tallies } = campaign;
  tallies.open += change.open ?? 0;
  tallies.leased += change.leased ?? 0;
  tallies.done += change.done ?? 0;
  tallies.excluded += change.excluded ?? 0;
  tallies.attempts += change.attempts ?? 0;
  tallies.dispositions = dispositions;
  await rows(
    tx,
    sql`update campaigns set seq = seq + 1, open_count = ${tallies.open}, leased_count = ${tallies.leased},
          done_count = ${tallies.done}, excluded_count = ${tallies.excluded}, attempt_count = ${tallies.attempts},
          dispositions = ${json(dispositions)}, hold_ms_sum = hold_ms_sum + ${change.holdMsSum ?? 0}::float8,
          hold_count = hold_count + ${change.holdCount ?? 0}::int
        where id = ${campaign.id}::uuid`,
  );
  campaign.seq += 1;
}

/** What planning leaves behind for those who end attempts, and for those who share lines with it. */
export interface PlanningNote {
  campaignId: string;
  starved: boolean;
  nextLookAtMs: number;
  /** Lines of the account that it could use beside those that it holds. */
  waiting: number;
  /** How many of them it may count on; undefined: as many as its concurrency. */
  share: number | undefined;
  servedAtMs: number | undefined;
}

export async function notePlanning(tx: Db, note: PlanningNote): Promise<void> {
  await rows(
    tx,
    sql`update campaigns set starved = ${note.starved}, next_look_at = ${at(note.nextLookAtMs)}, waiting = ${note.waiting},
          share = ${note.share ?? null}, served_at = ${atOrNull(note.servedAtMs)}, offered_at = null
        where id = ${note.campaignId}::uuid`,
  );
}
