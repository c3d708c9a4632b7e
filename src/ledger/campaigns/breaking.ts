import { sql } from "drizzle-orm";

import { probeAtMs, probeRoom, verdictOf, type Verdict } from "../../domain/campaigns/breaker.ts";
import { breakerPolicyOf } from "../../domain/campaigns/breaker-spec.ts";
import { writeAudit } from "../ground/audit.ts";
import { raiseAttention, resolveAttention } from "../ground/attention.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { lockCampaign, type Campaign } from "./campaigns.ts";
import { moveCampaign } from "./campaign-moves.ts";
import { pauseIn, resumeIn, type CommandResult, type OwnPause } from "./commands.ts";

/*
 * Campaigns that pause themselves: by their breaker, and once their first calls are made (canary).
 *
 * 1. Each is a move of the campaign's state under its lock, decided by what stands in its row: no query more.
 * 2. A breaker opens after the settling that found it (open-breaker.ts), and before a planning leases anybody, whichever
 *    comes first.
 * 3. Its callbacks are paused with it, and do not probe: they go on once it is closed.
 * 4. Whoever resumes it by hand has looked: it is closed, and counts anew.
 */

const ENGINE = "engine";

/** Of an amendment, after the breaker opened: whether what opened it is mended, nobody but a person can say then. */
const WITHOUT_PROBE =
  "breaker: it has none any more, or none that probes; resume it once what opened it is mended";

/** What the newest calls of a campaign say, as far as it dials. */
export function saysBreaker({ spec, state, breaker, newestCalls, tallies }: Campaign): Verdict {
  // Where nobody is left to be called, it ends.
  const isThrough = tallies.open + tallies.leased === 0;
  if (!spec.breaker || state !== "running" || isThrough) return { kind: "undecided" };
  return verdictOf(newestCalls, breakerPolicyOf(spec.breaker), breaker);
}

/** Opens the breaker of a campaign whose newest calls say so; undefined where they do not, or not any more. */
export async function breakCampaign(
  ledger: Ledger,
  input: { campaignId: string; nowMs: number },
): Promise<
  { reason: string; stoppedBatchIds: readonly string[]; callbackCampaignIds: readonly string[] } | undefined
> {
  return ledger.transaction(async (tx) => {
    const campaign = await lockCampaign(tx, input.campaignId);
    return campaign && breakIn(tx, campaign, input.nowMs);
  });
}

/** The same of a campaign that is locked. */
async function breakIn(tx: Db, campaign: Campaign, nowMs: number) {
  const said = saysBreaker(campaign);
  if (said.kind !== "opens" || !campaign.spec.breaker) return undefined;
  const policy = breakerPolicyOf(campaign.spec.breaker);
  const opened = campaign.opened + 1;
  const probeMs = probeAtMs(policy, opened, nowMs);
  const isAgain = campaign.breaker === "probing" ? "its probe went no better: " : "";
  const then =
    probeMs === undefined
      ? "resume it once that is mended"
      : `it probes with ${callsText(policy.probe?.calls ?? 0)} at ${new Date(probeMs).toISOString()}, or resume it once that is mended`;
  const reason = `breaker: ${isAgain}${said.detail}; ${then}`;
  const { stoppedBatchIds, callbackCampaignIds = [] } = await pauseItself(tx, campaign, {
    reason,
    breaker: { state: "open", probeAtMs: probeMs, opened },
    nowMs,
  });
  await raiseAttention(tx, {
    kind: "breaker_open",
    subject: campaign.id,
    brand: campaign.brand,
    summary: `campaign ${campaign.name} paused itself: ${isAgain}${said.detail}`,
    remedy: `see what its calls come to (outdial campaign export); ${then}`,
    nowMs,
  });
  return { reason, stoppedBatchIds, callbackCampaignIds };
}

async function pauseItself(
  tx: Db,
  campaign: Campaign,
  { reason, nowMs, ...own }: OwnPause & { reason: string; nowMs: number },
): Promise<CommandResult> {
  const result = await pauseIn(tx, campaign, { actor: ENGINE, reason, nowMs }, { by: "itself", own });
  campaign.stateReason = reason;
  campaign.breaker = own.breaker?.state ?? "closed";
  campaign.probeAtMs = own.breaker?.probeAtMs;
  campaign.opened = own.breaker?.opened ?? 0;
  campaign.canary = own.canary ?? campaign.canary;
  return result;
}

/**
 * What a planning does about the breaker and the canary of a campaign that is locked, before it leases anybody: opens
 * or closes the one, begins a probe whose time has come or ends it, and pauses once the first calls are made.
 *
 * Batches that it has stopped are halted by whoever looks for stops that are overdue.
 */
export async function pauseByCalls(tx: Db, campaign: Campaign, nowMs: number): Promise<void> {
  await beginProbe(tx, campaign, nowMs);
  await breakIn(tx, campaign, nowMs);
  await endProbe(tx, campaign, nowMs);
  await askForApproval(tx, campaign, nowMs);
}

/** How many calls it may lease at all. */
export interface Bound {
  calls: number;
  /** Why no more, where there is a bound. */
  hold: { reason: "breaker" | "canary"; detail: string } | undefined;
}

/** How many calls a campaign may lease while it probes, or before somebody has approved of its first ones. */
export function boundOf(campaign: Campaign): Bound {
  const probe = boundOfProbe(campaign);
  const canary = boundOfCanary(campaign);
  return canary.calls < probe.calls ? canary : probe;
}

const BOUNDLESS: Bound = { calls: Number.POSITIVE_INFINITY, hold: undefined };

function boundOfProbe({ spec, breaker, newestCalls, tallies }: Campaign): Bound {
  if (breaker !== "probing" || !spec.breaker) return BOUNDLESS;
  const policy = breakerPolicyOf(spec.breaker);
  const calls = callsText(policy.probe?.calls ?? 0);
  const detail = `it probes with ${calls} after its breaker opened: ${newestCalls.length} are over`;
  return { calls: probeRoom(policy, newestCalls, tallies.leased), hold: { reason: "breaker", detail } };
}

function boundOfCanary({ spec, canary, tallies }: Campaign): Bound {
  if (spec.canary === undefined || canary === "approved") return BOUNDLESS;
  const calls = Math.max(0, spec.canary - tallies.attempts - tallies.leased);
  const detail = `of its first ${callsText(spec.canary)} ${tallies.attempts} are over; then somebody has to approve of them`;
  return { calls, hold: { reason: "canary", detail } };
}

async function beginProbe(tx: Db, campaign: Campaign, nowMs: number): Promise<void> {
  const { state, breaker, probeAtMs: dueMs, opened, spec } = campaign;
  if (state !== "paused" || breaker !== "open" || dueMs === undefined || nowMs < dueMs) return;
  const calls = spec.breaker && breakerPolicyOf(spec.breaker).probe?.calls;
  if (calls === undefined) {
    await rows(
      tx,
      sql`update campaigns set probe_at = null, state_reason = ${WITHOUT_PROBE} where id = ${campaign.id}::uuid`,
    );
    Object.assign(campaign, { probeAtMs: undefined, stateReason: WITHOUT_PROBE } satisfies Partial<Campaign>);
    await askPerson(tx, campaign, nowMs);
    return;
  }
  const reason = `breaker: it probes with ${callsText(calls)}, and goes on by itself if they go well; resume it to go on without waiting for that`;
  await moveCampaign(tx, {
    campaignId: campaign.id,
    from: ["paused"],
    to: "running",
    actor: ENGINE,
    reason,
    breaker: { state: "probing", opened },
    nowMs,
  });
  Object.assign(campaign, {
    state: "running",
    stateReason: reason,
    pausedBy: undefined,
    breaker: "probing",
    probeAtMs: undefined,
    newestCalls: "",
    runningSinceMs: nowMs,
  } satisfies Partial<Campaign>);
}

/** People were told that it probes by itself. */
async function askPerson(tx: Db, { id, brand, name }: Campaign, nowMs: number): Promise<void> {
  await raiseAttention(tx, {
    kind: "breaker_open",
    subject: id,
    brand,
    summary: `campaign ${name} is paused: it does not probe any more`,
    remedy: "see what its calls come to (outdial campaign export), and resume it once that is mended",
    nowMs,
  });
}

/**
 * A probe went well, or nobody is left for it: it goes on, and its callbacks with it. One that an amendment takes away
 * while it goes on has shown nothing: it waits for a person, as it does where it was taken away before.
 */
async function endProbe(tx: Db, campaign: Campaign, nowMs: number): Promise<void> {
  const { state, breaker, spec, opened, tallies } = campaign;
  if (state !== "running" || breaker !== "probing") return;
  const isThrough = tallies.open + tallies.leased === 0;
  if (!isThrough && spec.breaker?.probe === undefined) {
    const open = { state: "open", probeAtMs: undefined, opened } as const;
    await pauseItself(tx, campaign, { reason: WITHOUT_PROBE, breaker: open, nowMs });
    await askPerson(tx, campaign, nowMs);
    return;
  }
  if (!isThrough && saysBreaker(campaign).kind !== "goes_on") return;
  await rows(
    tx,
    sql`update campaigns set breaker = 'closed', opened = 0, newest_calls = '', state_reason = null
        where id = ${campaign.id}::uuid`,
  );
  Object.assign(campaign, {
    stateReason: undefined,
    breaker: "closed",
    opened: 0,
    newestCalls: "",
  } satisfies Partial<Campaign>);
  await writeAudit(tx, {
    nowMs,
    actor: ENGINE,
    action: "campaign.breaker_closed",
    campaignId: campaign.id,
    detail: {},
  });
  await resolveAttention(tx, {
    kind: "breaker_open",
    subject: campaign.id,
    by: ENGINE,
    resolution: isThrough ? "nobody is left to be called" : "its probe went well",
    nowMs,
  });
  await resumeIn(tx, campaign, { actor: ENGINE, reason: "the breaker of their campaign is closed", nowMs });
}

async function askForApproval(tx: Db, campaign: Campaign, nowMs: number): Promise<void> {
  const { spec, state, canary, tallies, name, brand, id } = campaign;
  if (spec.canary === undefined || state !== "running" || canary === "approved") return;
  if (tallies.leased > 0 || tallies.attempts < spec.canary) return;
  // Nobody is left to be called: it ends, and there is nothing to approve of.
  if (tallies.open === 0) return;
  const made = `its first ${callsText(tallies.attempts)} ${tallies.attempts === 1 ? "is" : "are"} made`;
  const approve = "listen to them (outdial campaign canary), then approve of them (outdial campaign approve)";
  const reason = `canary: ${made}; ${approve}`;
  await pauseItself(tx, campaign, { reason, canary: "waiting", nowMs });
  await raiseAttention(tx, {
    kind: "canary_waiting",
    subject: id,
    brand,
    summary: `campaign ${name} waits: ${made}`,
    remedy: approve,
    nowMs,
  });
}

function callsText(calls: number): string {
  return calls === 1 ? "1 call" : `${calls} calls`;
}
