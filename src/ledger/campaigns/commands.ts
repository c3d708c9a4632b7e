import { sql } from "drizzle-orm";

import { callbackSpecOf } from "../../domain/campaigns/callback-spec.ts";
import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import {
  objectionTo,
  type CampaignCommand,
  type CampaignState,
} from "../../domain/campaigns/campaign-state.ts";
import { specDifference, whyFixed, type FieldDifference } from "../../domain/campaigns/spec-difference.ts";
import { putInForce } from "./amending.ts";
import { requestStopOfAll } from "./batches.ts";
import { lockCallbacksOf, lockCampaign, readCampaign, type Campaign, type PausedBy } from "./campaigns.ts";
import { moveCampaign, type StateChange } from "./campaign-moves.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { writeAudit } from "../ground/audit.ts";
import type { RequireSeen } from "../ground/require-seen.ts";
import { noteCommand } from "../ground/given-commands.ts";
import { listImports } from "./list-imports.ts";
import { putOutbox } from "../ground/outbox.ts";
import { wakeLater } from "./wake-ups.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";

/*
 * What people tell a campaign. Each is one transaction under the campaign's lock: once it is committed no start
 * is permitted against it, whatever else is under way. Each is safe to give twice.
 *
 * The callbacks of a campaign obey it: what it is told, their standing campaign is told in the same transaction.
 * Whoever needs both locks takes the campaign's first.
 */

/** There is no such campaign. */
export class UnknownCampaignError extends Error {
  override readonly name = "UnknownCampaignError";
}

export interface CommandInput {
  campaignId: string;
  /** Names this giving of the command: the same id again is the same command, however late it comes. */
  commandId: string;
  /** What was asked for under that id (request-keys.ts); absent: it is not compared. */
  request?: string;
  actor: string;
  reason: string | undefined;
  /** The outbox sees to its workflow, which is to look at what was told; otherwise the caller does. */
  ensured?: boolean;
  nowMs: number;
}

export interface CommandResult {
  state: CampaignState;
  /** Batches that were asked to stop, those of its callbacks included. */
  stoppedBatchIds: string[];
  /** Standing campaigns of its callbacks, which took the command with it; absent where it has none. */
  callbackCampaignIds?: string[];
}

async function command<T>(
  ledger: Ledger,
  input: CommandInput,
  name: CampaignCommand,
  already: CampaignState | undefined,
  work: (tx: Db, campaign: Campaign, again: boolean, isNew: boolean) => Promise<T>,
): Promise<T> {
  return ledger.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, input.campaignId);
    if (!campaign) throw new UnknownCampaignError(`there is no campaign ${input.campaignId}`);
    const isNew = await noteCommand(tx, { ...input, subject: campaign.id, request: input.request });
    const again = !isNew || campaign.state === already;
    const objection = again ? undefined : objectionTo(name, campaign.state);
    if (objection !== undefined) throw new CommandRefusedError(objection);
    const result = await work(tx, campaign, again, isNew);
    if (input.ensured === true)
      await putOutbox(tx, [{ kind: "campaign", subject: campaign.id, dueAtMs: input.nowMs }]);
    return result;
  });
}

/** @throws CommandRefusedError where a list was only taken in part, unless `allowPartial`. */
export function startCampaign(
  ledger: Ledger,
  input: CommandInput & { allowPartial: boolean },
): Promise<CommandResult> {
  return command(ledger, input, "start", "running", async (tx, campaign, again) => {
    if (again) return { state: campaign.state, stoppedBatchIds: [] };
    const imports = await listImports(tx, { campaignId: campaign.id });
    const partial = imports.find((one) => one.completedAtMs === undefined);
    if (partial && !input.allowPartial) {
      const again =
        "clone_of" in partial.settings ? "give the same clone again" : "import the same file again";
      throw new CommandRefusedError(
        `the list ${partial.sourceName} was only taken up to line ${partial.throughLine}: ${again}, which goes on from there, or allow a partial list`,
      );
    }
    await moveCampaign(tx, { ...input, from: ["scheduled"], to: "running" });
    return { state: "running", stoppedBatchIds: [] };
  });
}

export function pauseCampaign(ledger: Ledger, input: CommandInput): Promise<CommandResult> {
  return command(ledger, input, "pause", "paused", async (tx, campaign, again) =>
    again && campaign.state !== "paused" ? unchanged(campaign) : pauseIn(tx, campaign, input),
  );
}

/**
 * Resumes what is paused, and what only probes: whoever resumes it has looked, and asks for more than the probe's calls.
 *
 * @throws CommandRefusedError for the callbacks of a campaign, and the calls of a sequence, that is paused itself.
 */
export function resumeCampaign(ledger: Ledger, input: CommandInput): Promise<CommandResult> {
  return command(ledger, input, "resume", "running", async (tx, campaign, again, isNew) => {
    if (isNew && campaign.state === "running" && campaign.breaker === "probing") {
      // Its breaker is closed by that, and counts anew; what the probe has up does not decide it.
      await moveCampaign(tx, { ...input, from: ["running"], to: "running" });
      return resumeIn(tx, campaign, input);
    }
    if (again) return unchanged(campaign);
    if (campaign.canary === "waiting") {
      throw new CommandRefusedError(
        "its first calls wait for approval: listen to them (outdial campaign canary), then approve of them (outdial campaign approve)",
      );
    }
    const parent = campaign.parentId === undefined ? undefined : await readCampaign(tx, campaign.parentId);
    if (parent?.state === "paused") {
      throw new CommandRefusedError(
        `these are the callbacks of campaign "${parent.name}", which is paused: resume that`,
      );
    }
    const { pausedSequence } = parent ?? campaign;
    if (pausedSequence !== undefined) {
      throw new CommandRefusedError(
        `these are calls of sequence "${pausedSequence}", which is paused: resume that`,
      );
    }
    return resumeIn(tx, campaign, input);
  });
}

/**
 * Approves of a campaign's first calls: it goes on.
 *
 * @throws CommandRefusedError for one that does not wait for that.
 */
export function approveCampaign(ledger: Ledger, input: CommandInput): Promise<CommandResult> {
  return command(ledger, input, "approve", undefined, async (tx, campaign, again) => {
    if (again) return unchanged(campaign);
    if (campaign.canary !== "waiting") {
      throw new CommandRefusedError(
        campaign.spec.canary === undefined
          ? "it has no `canary`: it was not paused for approval, resume it"
          : "its first calls were approved of before: resume it",
      );
    }
    return resumeIn(tx, campaign, input, { canary: "approved" });
  });
}

/** Ends a campaign early. It drains first: calls that are up end by themselves. */
export function cancelCampaign(ledger: Ledger, input: CommandInput): Promise<CommandResult> {
  return command(ledger, input, "cancel", "draining", async (tx, campaign, again) =>
    again && campaign.state !== "draining" ? unchanged(campaign) : cancelIn(tx, campaign, input),
  );
}

function unchanged({ state }: Campaign): CommandResult {
  return { state, stoppedBatchIds: [] };
}

/** Who tells it, and why; without a command where it is told with its sequence. */
export type Told = Pick<CommandInput, "actor" | "reason" | "nowMs"> & { commandId?: string };

/** Of a campaign that pauses itself, and not of its callbacks. */
export type OwnPause = Pick<StateChange, "breaker" | "canary">;

/** Pauses a campaign that is locked, and its callbacks, as far as they are running. */
export function pauseIn(
  tx: Db,
  campaign: Campaign,
  told: Told,
  { by, own }: { by: Exclude<PausedBy, "parent">; own?: OwnPause } = { by: "itself" },
): Promise<CommandResult> {
  return withCallbacks(tx, campaign, told.nowMs, async (one) => {
    if (one.state === "running") {
      const pausedBy = one !== campaign && by === "itself" ? "parent" : by;
      await moveCampaign(tx, {
        ...told,
        ...(one === campaign && own),
        campaignId: one.id,
        from: ["running"],
        to: "paused",
        pausedBy,
      });
      one.state = "paused";
    } else if (own === undefined && by === "itself" && one === campaign && one.state === "paused") {
      await keepPaused(tx, one, told);
    }
    if (one.state !== "paused") return [];
    return requestStopOfAll(tx, { campaign: one, reason: "pause", nowMs: told.nowMs });
  });
}

/** Whoever pauses what is paused wants it to stay so: it does not probe by itself, nor go on with another one. */
async function keepPaused(tx: Db, campaign: Campaign, { actor, reason, commandId, nowMs }: Told) {
  const kept = await rows(
    tx,
    sql`update campaigns set paused_by = 'itself', probe_at = null, state_reason = coalesce(${reason ?? null}, state_reason)
        where id = ${campaign.id}::uuid and (probe_at is not null or paused_by <> 'itself') returning 1 as one`,
  );
  if (kept.length === 0) return;
  await writeAudit(tx, {
    nowMs,
    actor,
    action: "campaign.kept_paused",
    campaignId: campaign.id,
    detail: { reason: reason ?? null, ...(commandId !== undefined && { commandId }) },
  });
}

/** Resumes a campaign that is locked, and its callbacks, as far as they are paused and were not paused by themselves. */
export function resumeIn(
  tx: Db,
  campaign: Campaign,
  told: Told,
  own?: Pick<StateChange, "canary">,
): Promise<CommandResult> {
  return withCallbacks(tx, campaign, told.nowMs, async (one) => {
    if (one.state !== "paused") return [];
    if (one !== campaign && one.pausedBy === "itself") return [];
    await moveCampaign(tx, {
      ...told,
      ...(one === campaign && own),
      campaignId: one.id,
      from: ["paused"],
      to: "running",
    });
    one.state = "running";
    return [];
  });
}

/** Has a campaign that is locked, and its callbacks, come to their end early. */
function cancelIn(tx: Db, campaign: Campaign, told: Told): Promise<CommandResult> {
  const from: CampaignState[] = ["scheduled", "running", "paused"];
  return withCallbacks(tx, campaign, told.nowMs, async (one) => {
    if (from.includes(one.state)) {
      await moveCampaign(tx, { ...told, campaignId: one.id, from, to: "draining", ending: "cancelled" });
      one.state = "draining";
    }
    return requestStopOfAll(tx, { campaign: one, reason: "cancel", nowMs: told.nowMs });
  });
}

/**
 * Does the same to a campaign and to its callbacks, and collects the batches that were asked to stop. All locks come
 * first: what is given back is booked on a row that they share, for which whoever settles a callback's calls waits
 * under the callback's lock.
 */
async function withCallbacks(
  tx: Db,
  campaign: Campaign,
  nowMs: number,
  work: (one: Campaign) => Promise<string[]>,
): Promise<CommandResult> {
  const callbacks = await lockCallbacksOf(tx, campaign.id);
  const stoppedBatchIds = await work(campaign);
  if (callbacks.length === 0) return { state: campaign.state, stoppedBatchIds };
  for (const one of callbacks) stoppedBatchIds.push(...(await work(one)));
  const callbackCampaignIds = callbacks.map(({ id }) => id);
  await wakeLater(tx, callbackCampaignIds, nowMs);
  return { state: campaign.state, stoppedBatchIds, callbackCampaignIds };
}

export interface AmendResult extends CommandResult {
  policyVersion: number;
  differences: FieldDifference[];
}

export interface Amendment {
  spec: CampaignSpec;
  ifVersion?: number | undefined;
  requireSeen?: RequireSeen | undefined;
}

/** What an amendment of a campaign replaces. */
export function inForce({ id, policyVersion }: Campaign): { id: string; policy_version: number } {
  return { id, policy_version: policyVersion };
}

/**
 * Puts a changed spec in force, and what follows from it for the campaign's callbacks. Batches that the new
 * policy would not allow are asked to stop.
 *
 * @param input.ifVersion only while this version of the policy is in force: what was counted against another one is no
 * word on this
 * @param input.requireSeen told which version that is, as `inForce` says it
 * @throws CommandRefusedError where the change makes it another campaign, and for a standing campaign, whose
 * spec is that of what it stands for.
 */
export function amendSpec(
  ledger: Ledger,
  input: CommandInput & Amendment & { dialByMarginMs: number },
): Promise<AmendResult> {
  return command(ledger, input, "amend", undefined, async (tx, campaign, again) => {
    const differences = amendableDifference(campaign, input.spec);
    const { ifVersion = campaign.policyVersion } = input;
    if (!again && ifVersion !== campaign.policyVersion) {
      throw new CommandRefusedError(
        `policy version ${campaign.policyVersion} is in force, and not ${ifVersion} any more: see what the change would do now (--dry-run), and give it with that version`,
      );
    }
    if (differences.length === 0 || again) {
      return { ...unchanged(campaign), policyVersion: campaign.policyVersion, differences };
    }
    input.requireSeen?.(inForce(campaign));
    let { policyVersion } = campaign;
    const result = await withCallbacks(tx, campaign, input.nowMs, async (one) => {
      const spec = one === campaign ? input.spec : callbackSpecOf(input.spec);
      if (objectionTo("amend", one.state) !== undefined) return [];
      if (specDifference(one.spec, spec).length === 0) return [];
      const { amended, stoppedBatchIds } = await putInForce(tx, { ...input, campaign: one, spec });
      if (one === campaign) ({ policyVersion } = amended);
      return stoppedBatchIds;
    });
    return { ...result, policyVersion, differences };
  });
}

/** @throws CommandRefusedError as `amendSpec` does for what a campaign is */
function amendableDifference(
  { standing, spec: before }: Pick<Campaign, "standing" | "spec">,
  after: CampaignSpec,
): FieldDifference[] {
  if (standing) {
    throw new CommandRefusedError(
      "a standing campaign has the settings of what it stands for: amend the campaign whose callbacks these are, or apply a new version of the sequence",
    );
  }
  const differences = specDifference(before, after);
  const fixed = differences.filter((difference) => !difference.amendable);
  if (fixed.length === 0) return differences;
  const what = fixed
    .map(({ field, before: was, after: is }) => `${field} (${was}, now ${is}${whyFixed(field)})`)
    .join(", ");
  throw new CommandRefusedError(`a campaign can't be amended in ${what}: make a new run or another campaign`);
}

/**
 * What an amendment would differ in, where it would be taken now.
 *
 * @throws CommandRefusedError as `amendSpec` does
 */
export function amendmentOf(campaign: Campaign, spec: CampaignSpec): FieldDifference[] {
  const objection = objectionTo("amend", campaign.state);
  if (objection !== undefined) throw new CommandRefusedError(objection);
  return amendableDifference(campaign, spec);
}
