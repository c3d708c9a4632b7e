import { sql, type SQL } from "drizzle-orm";
import { workWithin } from "../../domain/campaigns/account-lines.ts";
import { DEFAULT_HOLD_MS, type WorkLeft } from "../../domain/campaigns/batch-sizing.ts";
import { randomUUID } from "node:crypto";

import { campaignSpecSchema, type CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { MAX_NEWEST_CALLS, type BreakerState } from "../../domain/campaigns/breaker.ts";
import { ruleChanges } from "../../domain/campaigns/rule-changes.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import type { CampaignEnding, CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { resolveAttention } from "../ground/attention.ts";
import { writeAudit } from "../ground/audit.ts";
import { noteNews, type CampaignNews } from "./campaign-news.ts";
import { resolveStalled } from "./campaign-stalls.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { GRACE_MS, lookedAt } from "../ground/look-by.ts";
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
import { at, atOrNull, json } from "../ground/sql.ts";
import { standingKeyOf, type StandsFor } from "./stands-for.ts";

/** Contacts of a campaign by state. accepted = open + leased + done + excluded (I3). */
const TALLIES = {
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
  spec: document((spec) => campaignSpecSchema.parse(spec)),
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
    sql`ended_at is null and id <> ${id}::uuid and parent_id is null
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
 * @param page.open only those that are not over
 * @param page.standing standing ones as well
 * @param page.archived only those that are archived; by default only others
 */
export async function listCampaigns(
  db: Db,
  page: { skip: number; limit: number; open?: boolean; standing?: boolean; archived?: boolean },
): Promise<CampaignPage> {
  const condition = sql`(archived_at is not null) = ${page.archived ?? false} and (standing = false or ${page.standing ?? false}) and (ended_at is null or not ${page.open ?? false})`;
  const campaigns = await readMany(
    db,
    sql`${condition} order by created_at desc, id offset ${page.skip} limit ${page.limit}`,
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
  const { campaignId, version, spec, actor, nowMs } = input;
  // Whoever loosens a rule of a preset answers for it by name, in each version in which it is loosened.
  if (spec.override !== undefined)
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "campaign.override",
      campaignId,
      detail: { version, presets: spec.presets ?? [], override: spec.override },
    });
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
  const rules = ruleChanges(campaign.spec, spec);
  // What one answer said is no word on what another says.
  const asksAnew = campaign.spec.transfers?.answer !== spec.transfers?.answer;
  await rows(
    tx,
    sql`update campaigns set spec = ${json(spec)}, policy_version = ${version}, concurrency = ${spec.concurrency},
          transfer_known_count = case when ${asksAnew} then 0 else transfer_known_count end,
          transfer_count = case when ${asksAnew} then 0 else transfer_count end,
          look_by = case when look_by is not null then least(look_by, ${at(nowMs + GRACE_MS)}) end
        where id = ${campaign.id}::uuid`,
  );
  await writePolicyVersion(tx, { campaignId: campaign.id, version, spec, actor, nowMs });
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "campaign.amend",
    campaignId: campaign.id,
    detail: {
      version,
      fields: specDifference(campaign.spec, spec).map(({ field }) => field),
      ...(rules.length > 0 && { rules }),
      ...(input.commandId !== undefined && { commandId: input.commandId }),
    },
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
  /** Of one that pauses itself, or goes on to probe; by default its breaker is closed, and counts anew. */
  breaker?: { state: BreakerState; probeAtMs?: number | undefined; opened: number };
  /** Of one that pauses itself for its first calls, or whose were approved of; by default that stays. */
  canary?: CanaryState;
  nowMs: number;
}

/** Moves the campaign by compare-and-set. False where it was in none of the states. */
export async function moveCampaign(tx: Db, change: StateChange): Promise<boolean> {
  const over = change.to === "completed" || change.to === "cancelled";
  const pausedBy = change.to === "paused" ? (change.pausedBy ?? "itself") : undefined;
  const moved = await firstRow(
    tx,
    sql`update campaigns set state = ${change.to}, state_reason = ${change.reason ?? null}, offered_at = null,
          ending = ${change.ending ?? null}, paused_by = ${pausedBy ?? null},
          breaker = ${change.breaker?.state ?? "closed"}, probe_at = ${atOrNull(change.breaker?.probeAtMs)},
          short_of = case when ${change.to} in ('paused', 'running') then short_of end,
          opened = ${change.breaker?.opened ?? 0}, newest_calls = case when ${change.to} = 'running' then '' else newest_calls end,
          canary = coalesce(${change.canary ?? null}, case when canary = 'waiting' then null else canary end),
          started_at = case when ${change.to} = 'running' then coalesce(started_at, ${at(change.nowMs)}) else started_at end,
          running_since = case when ${change.to} = 'running' then ${at(change.nowMs)} else running_since end,
          ended_at = case when ${over} then ${at(change.nowMs)} else ended_at end,
          look_by = ${over ? sql`null` : sql`least(look_by, ${at(change.nowMs + GRACE_MS)})`}
        where id = ${change.campaignId}::uuid
          and state in (${sql.join(
            change.from.map((state) => sql`${state}`),
            sql`, `,
          )})
        returning ${MOVED.columns}`,
    MOVED,
  );
  if (!moved) return false;
  // Whoever resumed it has looked; and what is ending comes to dial nobody any more.
  if (change.to !== "paused") await resolveStalled(tx, change.campaignId, change.nowMs);
  if (over) await resolveUnpublished(tx, change);
  if (change.to !== "paused" && change.breaker === undefined) await resolveOwnPauses(tx, change);
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

/** It goes on, or is over: nobody has to look any more at why it had paused itself. */
async function resolveOwnPauses(tx: Db, { campaignId, to, actor, nowMs }: StateChange): Promise<void> {
  const kinds = ["breaker_open", "canary_waiting", "agent_changed"] as const;
  // One that goes on waits for money as before: planning tells when it does not.
  for (const kind of to === "running" ? kinds : ([...kinds, "out_of_money"] as const)) {
    await resolveAttention(tx, {
      kind,
      subject: campaignId,
      by: actor,
      resolution: "the campaign goes on, or is over",
      nowMs,
    });
  }
}

/** Nobody waits for its agents any more. */
async function resolveUnpublished(tx: Db, { campaignId, actor, nowMs }: StateChange): Promise<void> {
  await resolveAttention(tx, {
    kind: "agent_unpublished",
    subject: campaignId,
    by: actor,
    resolution: "the campaign is over",
    nowMs,
  });
}

const MOVED = record({ brand: text, name: text, run: number, ...TALLIES });

function newsOf(
  { campaignId, from, to, actor, reason }: StateChange,
  { brand, name, run, attempts, dispositions, ...contacts }: RecordOf<typeof MOVED>,
): CampaignNews {
  const { done, excluded } = contacts;
  const open = contacts.open + contacts.leased;
  return {
    campaignId,
    brand,
    name,
    run,
    from,
    to,
    actor,
    reason,
    contacts: { total: open + done + excluded, done, excluded, open },
    attempts,
    dispositions,
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
  conversations?: number;
  transfersKnown?: number;
  transfers?: number;
  /** A letter for each call that ended, where it has a breaker. */
  newestCalls?: string;
  /** What goes with attempts that are leased, end, or are given back. */
  money?: MoneyChange | undefined;
}

/** What is held and spent more, or less, in one stretch of spending. Millionths of a US dollar. */
export interface MoneyChange {
  /** When the stretch began in which the calls were leased. Unix milliseconds. */
  stretchMs: number;
  /** Where it is a lease: when. */
  leasedAtMs?: number;
  heldMicros: number;
  spentMicros?: number;
  /** Of what is spent: by the platform's word. */
  toldMicros?: number;
  /** Calls that are over. */
  calls?: number;
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
  campaign.newestCalls = `${campaign.newestCalls}${change.newestCalls ?? ""}`.slice(-MAX_NEWEST_CALLS);
  await rows(
    tx,
    sql`${change.money ? spendingBooked(campaign, change.money) : sql``}
        update campaigns set open_count = ${tallies.open}, leased_count = ${tallies.leased},
          done_count = ${tallies.done}, excluded_count = ${tallies.excluded}, attempt_count = ${tallies.attempts},
          dispositions = ${json(dispositions)}, hold_ms_sum = hold_ms_sum + ${change.holdMsSum ?? 0}::float8,
          hold_count = hold_count + ${change.holdCount ?? 0}::int,
          conversation_count = conversation_count + ${change.conversations ?? 0}::int,
          transfer_known_count = transfer_known_count + ${change.transfersKnown ?? 0}::int,
          transfer_count = transfer_count + ${change.transfers ?? 0}::int, newest_calls = ${campaign.newestCalls}
        where id = ${campaign.id}::uuid`,
  );
}

/** Goes with the tallies in one statement, so that money costs none. */
function spendingBooked({ id, parentId, brand }: Campaign, money: MoneyChange): SQL {
  const { stretchMs, leasedAtMs = stretchMs, heldMicros, spentMicros = 0, toldMicros = 0, calls = 0 } = money;
  return sql`with booked as (
    insert into spending as s (campaign_id, stretch, leased_at, brand, held_micros, spent_micros, told_micros, calls)
    values (${parentId ?? id}::uuid, ${at(stretchMs)}, ${at(Math.max(stretchMs, leasedAtMs))}, ${brand}, ${heldMicros}::bigint, ${spentMicros}::bigint, ${toldMicros}::bigint, ${calls}::int)
    on conflict (campaign_id, stretch) do update set leased_at = greatest(s.leased_at, excluded.leased_at), held_micros = s.held_micros + excluded.held_micros,
      spent_micros = s.spent_micros + excluded.spent_micros, told_micros = s.told_micros + excluded.told_micros,
      calls = s.calls + excluded.calls)`;
}

/** What planning leaves behind for those who end attempts, for those who share lines with it, and for its next look. */
export interface PlanningNote {
  campaignId: string;
  plannings: number;
  isOver: boolean;
  starved: boolean;
  nextLookAtMs: number;
  /** Lines of the account that it could use beside those that it holds. */
  waiting: number;
  /** How many of them it may count on; undefined: as many as its concurrency. */
  share: number | undefined;
  servedAtMs: number | undefined;
  /** What money it waits for, if it waits for some. */
  shortOf: ShortOf | undefined;
}

export async function notePlanning(tx: Db, note: PlanningNote): Promise<void> {
  await rows(
    tx,
    sql`update campaigns set plannings = ${note.plannings}, starved = ${note.starved}, next_look_at = ${at(note.nextLookAtMs)}, waiting = ${note.waiting},
          share = ${note.share ?? null}, served_at = ${atOrNull(note.servedAtMs)}, offered_at = null, short_of = ${note.shortOf ?? null},
          ${lookedAt(note.isOver ? undefined : note.nextLookAtMs + GRACE_MS)}
        where id = ${note.campaignId}::uuid`,
  );
}
