import { sql } from "drizzle-orm";

import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { objectionTo } from "../../domain/campaigns/campaign-state.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import { putInForce } from "./amending.ts";
import { writeAudit } from "../ground/audit.ts";
import { listUnsettled } from "./batches.ts";
import {
  countFormerStanding,
  listStandingOf,
  lockCampaign,
  lockStanding,
  type Campaign,
  type PausedBy,
} from "./campaigns.ts";
import { moveCampaign } from "./campaign-moves.ts";
import { writePolicyVersion } from "./campaign-specs.ts";
import { pauseIn, resumeIn, type CommandResult, type Told } from "./commands.ts";
import { firstRow, rows, type Db } from "../ground/connection.ts";
import { readSwitches } from "../ground/installation.ts";
import { GRACE_MS } from "../ground/look-by.ts";
import { putOutbox } from "../ground/outbox.ts";
import { at, atOrNull, json, listOf } from "../ground/sql.ts";
import { standingIdOf, standingKeyOf, type SequenceStep, type StandsFor } from "./stands-for.ts";

export { listStandingOf } from "./campaigns.ts";

/*
 * Standing campaigns: what single calls are placed into (placements.ts; docs/adr, "Single calls are placed into
 * standing campaigns").
 *
 * 1. One for each thing that it stands for, of which its id is made. It is made when it is first needed.
 * 2. It does not end by being empty. The callbacks of a campaign end with it, once nobody is left in them; others
 *    when somebody closes them. One that has ended well makes room: who needs it anew makes another. One that was
 *    cancelled does not, and nobody is placed there any more.
 * 3. Whoever needs several locks takes a campaign's before those of its callbacks.
 */

/**
 * Batches under way that a changed spec does not allow any more have this long to stop before their window ends:
 * the same as planning gives them.
 */
const DIAL_BY_MARGIN_MS = 60_000;

export interface StandingInput {
  /** Of callbacks, the lock of the campaign that they obey is taken first. */
  standsFor: StandsFor;
  /** Its brand is the brand's that calls. */
  spec: CampaignSpec;
  actor: string;
  nowMs: number;
}

/**
 * The standing campaign for this, under its lock: made, running, where there is none; with the spec as its
 * next policy version where that has changed. Callbacks of a paused campaign, or sequence, begin paused.
 *
 * One that is ending or was cancelled comes back as it is. A new one is handed to the outbox, to get its workflow.
 */
export async function ensureStanding(tx: Db, input: StandingInput): Promise<Campaign> {
  const { standsFor } = input;
  const parent = "callbacksOf" in standsFor ? await lockCampaign(tx, standsFor.callbacksOf) : undefined;
  const found = (await lockStanding(tx, standsFor)) ?? (await makeStanding(tx, input, parent));
  if (objectionTo("amend", found.state) !== undefined) return found;
  if (specDifference(found.spec, input.spec).length === 0) return found;
  const { amended } = await putInForce(tx, {
    campaign: found,
    spec: input.spec,
    actor: input.actor,
    dialByMarginMs: DIAL_BY_MARGIN_MS,
    nowMs: input.nowMs,
  });
  return amended;
}

/** Two who make it at once: the second waits for the first, and finds it. */
async function makeStanding(
  tx: Db,
  { standsFor, spec, actor, nowMs }: StandingInput,
  parent: Campaign | undefined,
): Promise<Campaign> {
  await rows(tx, sql`insert into brands (id) values (${spec.brand}) on conflict do nothing`);
  const pause =
    "callbacksOf" in standsFor ? parent && pauseOf(parent) : await pauseOfStep(tx, standsFor, spec);
  const what =
    "callbacksOf" in standsFor
      ? sql`null, null, null, ${standsFor.callbacksOf}::uuid`
      : sql`${standsFor.sequenceId}::uuid, ${standsFor.step}, ${standsFor.digest}, null`;
  const id = standingIdOf(standsFor, await countFormerStanding(tx, standsFor));
  // A recovery has booked what one did that was lost: its workflow, which may be there yet, has nothing to tell any more.
  const { recoveredAtMs = 0 } = await readSwitches(tx);
  const made = await rows<{ id: string }>(
    tx,
    sql`insert into campaigns (id, brand, name, run, state, paused_by, state_reason, spec, policy_version, concurrency, standing,
          sequence_id, step, digest, parent_id, plannings, look_by, created_at, started_at)
        values (${id}::uuid, ${spec.brand}, ${spec.name}, 1, ${pause ? "paused" : "running"}, ${pause?.by ?? null},
                ${pause?.reason ?? null}, ${json(spec)}, 1, ${spec.concurrency}, true,
                ${what}, ${recoveredAtMs}, ${at(nowMs + GRACE_MS)}, ${at(nowMs)}, ${atOrNull(pause ? undefined : nowMs)})
        on conflict do nothing returning id`,
  );
  const [fresh] = made;
  if (fresh) {
    await writePolicyVersion(tx, { campaignId: fresh.id, version: 1, spec, actor, nowMs });
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "campaign.create",
      campaignId: fresh.id,
      detail: { name: spec.name, standing: standingKeyOf(standsFor) },
    });
    await putOutbox(tx, [{ kind: "campaign", subject: fresh.id, dueAtMs: nowMs }]);
  }
  const campaign = await lockStanding(tx, standsFor);
  if (!campaign)
    throw new Error(`the standing campaign ${standingKeyOf(standsFor)} vanished while it was made`);
  return campaign;
}

/**
 * Other settings of a step do not undo what paused it: somebody, or another version of its agent that nobody has
 * accepted. With another agent it begins anew.
 */
async function pauseOfStep(
  tx: Db,
  { sequenceId, step }: SequenceStep,
  { agent_id: agentId }: CampaignSpec,
): Promise<{ by: PausedBy; reason: string | undefined } | undefined> {
  const found = await firstRow<{ reason: string | null }>(
    tx,
    sql`select state_reason as reason from campaigns
        where sequence_id = ${sequenceId}::uuid and step = ${step} and state = 'paused' and paused_by = 'itself'
          and spec ->> 'agent_id' = ${agentId} order by created_at desc limit 1`,
  );
  return found && { by: "itself", reason: found.reason ?? undefined };
}

/** With what its callbacks begin paused, if they do. */
function pauseOf(parent: Campaign): { by: PausedBy; reason: string | undefined } | undefined {
  const { state, stateReason, breaker, pausedSequence } = parent;
  // Callbacks do not probe: they go on once its breaker is closed.
  if (state === "paused" || breaker === "probing") return { by: "parent", reason: stateReason };
  return pausedSequence === undefined
    ? undefined
    : { by: "sequence", reason: `sequence "${pausedSequence}" is paused` };
}

/**
 * Ends a standing campaign that nobody will use again.
 *
 * @returns false where somebody is in it, or a batch of it is not settled: ask again later. True as well where it
 * is over already.
 */
export async function closeStanding(
  tx: Db,
  input: { campaignId: string; actor: string; reason?: string; nowMs: number },
): Promise<boolean> {
  const campaign = await lockCampaign(tx, input.campaignId);
  if (!campaign?.standing) return false;
  if (campaign.endedAtMs !== undefined) return true;
  if (campaign.tallies.open + campaign.tallies.leased > 0) return false;
  if ((await listUnsettled(tx, campaign.id)).length > 0) return false;
  await moveCampaign(tx, {
    campaignId: campaign.id,
    from: [campaign.state],
    to: campaign.ending ?? "completed",
    actor: input.actor,
    reason: input.reason,
    nowMs: input.nowMs,
  });
  // Its workflow is to see that it is over.
  await putOutbox(tx, [{ kind: "campaign", subject: campaign.id, dueAtMs: input.nowMs }]);
  return true;
}

/** What a sequence is told, for the calls of its steps. */
export interface StandingCommand extends Omit<Told, "commandId"> {
  sequence: { id: string; name: string };
}

export interface StandingCommandResult {
  /** Those that were told, their callbacks included. */
  campaignIds: string[];
  /** To be halted once the transaction is committed: `haltBatches`. */
  stoppedBatchIds: string[];
}

/** Pauses all that stand for steps of a sequence, and their callbacks: no start is permitted in them from the commit on. */
export async function pauseStandingOf(tx: Db, command: StandingCommand): Promise<StandingCommandResult> {
  const { sequence, ...told } = command;
  await holdWith(tx, sequence.id, sequence.name);
  return tellStanding(tx, command, (campaign) => pauseIn(tx, campaign, told, { by: "sequence" }));
}

/** Resumes them, and their callbacks, but for those that somebody paused by themselves. */
export async function resumeStandingOf(tx: Db, command: StandingCommand): Promise<StandingCommandResult> {
  const { sequence, ...told } = command;
  await holdWith(tx, sequence.id, undefined);
  return tellStanding(tx, command, async (campaign) =>
    campaign.pausedBy === "itself"
      ? { state: campaign.state, stoppedBatchIds: [] }
      : resumeIn(tx, campaign, told),
  );
}

/** Writes down on all of a sequence's campaigns that it is paused, or not any more; locks them in the order of their ids. */
async function holdWith(tx: Db, sequenceId: string, name: string | undefined): Promise<void> {
  await rows(
    tx,
    sql`with own as (select id from campaigns where sequence_id = ${sequenceId}::uuid order by id for update)
        update campaigns c set paused_sequence = ${name ?? null} from own where c.id = own.id`,
  );
}

async function tellStanding(
  tx: Db,
  { sequence, nowMs }: StandingCommand,
  tell: (campaign: Campaign) => Promise<CommandResult>,
): Promise<StandingCommandResult> {
  const result: StandingCommandResult = { campaignIds: [], stoppedBatchIds: [] };
  for (const id of await listToTell(tx, sequence.id)) {
    const campaign = await lockCampaign(tx, id);
    if (!campaign) continue;
    const { stoppedBatchIds, callbackCampaignIds = [] } = await tell(campaign);
    if (campaign.endedAtMs === undefined) result.campaignIds.push(id);
    result.campaignIds.push(...callbackCampaignIds);
    result.stoppedBatchIds.push(...stoppedBatchIds);
  }
  await putOutbox(
    tx,
    result.campaignIds.map((subject) => ({ kind: "campaign", subject, dueAtMs: nowMs })),
  );
  return result;
}

/** Those that are not over, and those whose callbacks are not, in the order in which they are locked. */
async function listToTell(tx: Db, sequenceId: string): Promise<string[]> {
  const all = await listStandingOf(tx, sequenceId);
  const over = all.filter(({ endedAtMs }) => endedAtMs !== undefined).map(({ id }) => id);
  const calling = await rows<{ id: string }>(
    tx,
    sql`select distinct parent_id as id from campaigns where parent_id in ${listOf(over, "uuid")} and ended_at is null`,
  );
  const ids = new Set(calling.map(({ id }) => id));
  return all
    .filter(({ id, endedAtMs }) => endedAtMs === undefined || ids.has(id))
    .map(({ id }) => id)
    .toSorted();
}
