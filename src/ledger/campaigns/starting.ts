import { sql, type SQL } from "drizzle-orm";

import type { StopReason } from "../../domain/campaigns/batch-state.ts";
import type { CallRate } from "../../domain/campaigns/call-rate.ts";
import { createWindowMemo } from "../../domain/policy/calling-window.ts";
import { policyOf } from "../../domain/campaigns/campaign-spec.ts";
import type { CampaignState } from "../../domain/campaigns/campaign-state.ts";
import { windowInForce } from "../ground/blackouts.ts";
import { lockBatch, moveBatch, requestStop, type Batch } from "./batches.ts";
import type { Campaign } from "./campaigns.ts";
import { rows, type Db, type Ledger } from "../ground/connection.ts";
import { recordRefusals } from "./explanations.ts";
import { askGate, type GateAnswer } from "./ask-gate.ts";
import { readSwitches, type DialingSwitches } from "../ground/installation.ts";
import { refuseContacts } from "./leasing.ts";
import { isOverspent } from "./money-left.ts";
import type { PlanningPace } from "../ground/planning-pace.ts";
import { at, atOrNull } from "../ground/sql.ts";
import { readSourcesInScope } from "../ground/suppression-sources.ts";
import { takeTurn } from "./start-turns.ts";

export type StartPermission =
  /** The batch is `starting` and the caller alone may send its one start request. */
  | { kind: "permitted"; batch: Batch }
  /** Policy or a person says no; its attempts are returned and it is to be taken off the platform. */
  | { kind: "stopped"; reason: StopReason; campaignId: string }
  /** Others began calls a moment ago: it is not its turn yet. */
  | { kind: "not_its_turn"; waitMs: number }
  /** Already started, stopped or settled: nothing to send. */
  | { kind: "elsewhere"; batch: Batch }
  | { kind: "missing" };

/**
 * The transaction that permits a start: the second time that policy is asked (I2), and the compare-and-set that
 * makes the start request the only one (I1).
 */
export async function permitStart(
  ledger: Ledger,
  input: {
    batchId: string;
    /** Why nothing may be dialed for a reason outside the ledger. */
    blockedBy: { reason: string; detail: string } | undefined;
    pace: Pick<PlanningPace, "dialByMarginMs" | "openAttemptWaitMs">;
    /** How many calls may begin in any stretch of time, over all campaigns. */
    rate?: CallRate | undefined;
    nowMs: number;
  },
): Promise<StartPermission> {
  return ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, input.batchId);
    if (!locked) return { kind: "missing" };
    const { campaign, batch } = locked;
    if (batch.state !== "created") return { kind: "elsewhere", batch };
    const stop = async (reason: StopReason): Promise<StartPermission> => {
      await requestStop(tx, { campaign, batchIds: [batch.id], reason, nowMs: input.nowMs });
      return { kind: "stopped", reason, campaignId: campaign.id };
    };
    // Asked to stop while an earlier start was in the air, which did not happen.
    if (batch.stopReason !== undefined) return stop(batch.stopReason);
    const switches = await readSwitches(tx);
    const objection =
      objectionToDialing(campaign, switches, input.blockedBy) ??
      (await objectionOfMoney(tx, campaign, { switches, nowMs: input.nowMs }));
    if (objection) return stop(objection);
    if (batch.dialByMs !== undefined && input.nowMs >= batch.dialByMs) return stop("window");
    const { cleared, ...no } = await askGateAgain(tx, campaign, batch, input);
    if (no.refusals.length > 0) {
      const { nowMs } = input;
      const stopped = await stop("policy");
      await refuseContacts(tx, campaign, { ...no, nowMs });
      await recordRefusals(tx, { refusals: no.refusals, policyVersion: campaign.policyVersion, nowMs });
      return stopped;
    }
    const untilMs = Math.min(...cleared.map((one) => one.untilMs));
    const dialByMs = Math.min(
      batch.dialByMs ?? Number.POSITIVE_INFINITY,
      untilMs - input.pace.dialByMarginMs,
    );
    if (input.nowMs >= dialByMs) return stop("window");
    if (input.rate) {
      // It was planned under another rate. Whoever is on it comes back in batches that are small enough.
      if (batch.size > input.rate.calls) return stop("policy");
      const waitMs = await takeTurn(tx, {
        batchId: batch.id,
        calls: batch.size,
        rate: input.rate,
        nowMs: input.nowMs,
      });
      if (waitMs > 0) return { kind: "not_its_turn", waitMs };
    }
    const version = campaign.policyVersion;
    await setStarting(
      tx,
      batch,
      sql`start_sent_at = ${at(input.nowMs)}, start_refusal = null, dial_by = ${atOrNull(dialByMs)}, policy_version = ${version}`,
    );
    if (version !== batch.policyVersion) {
      await rows(
        tx,
        sql`update attempts set policy_version = ${version} where batch_id = ${batch.id}::uuid and state = 'open'`,
      );
    }
    return {
      kind: "permitted",
      batch: {
        ...batch,
        state: "starting",
        startNo: batch.startNo + 1,
        startRefusal: undefined,
        dialByMs: Number.isFinite(dialByMs) ? dialByMs : undefined,
      },
    };
  });
}

/**
 * Takes a batch for started that the platform shows as begun, though it had answered its start with a no: it may be
 * dialing, so that nobody of it is given back, whatever policy says by now.
 */
export async function adoptBegun(ledger: Ledger, input: { batchId: string; nowMs: number }): Promise<void> {
  await ledger.transaction(async (tx) => {
    const locked = await lockBatch(tx, input.batchId);
    if (locked?.batch.state !== "created") return;
    await setStarting(tx, locked.batch, sql`start_sent_at = ${at(input.nowMs)}`);
  });
}

async function setStarting(tx: Db, batch: Batch, changes: SQL): Promise<void> {
  await moveBatch(tx, batch.id, "created", "starting", sql`start_no = start_no + 1, ${changes}`);
}

function objectionToDialing(
  campaign: Campaign,
  installation: DialingSwitches,
  blockedBy: { reason: string } | undefined,
): StopReason | undefined {
  if (installation.recoveryReason !== undefined) return "recovery";
  if (installation.stopped) return "stop_all";
  if (campaign.state !== "running") return STOP_BY_STATE[campaign.state] ?? "pause";
  return blockedBy ? "policy" : undefined;
}

/** What is held for it is held: but a cap may have been lowered since, calls cost more than was held, or credit ended. */
async function objectionOfMoney(
  tx: Db,
  campaign: Campaign,
  asked: { switches: DialingSwitches; nowMs: number },
): Promise<StopReason | undefined> {
  if (asked.switches.noCreditAtMs !== undefined) return "money";
  return (await isOverspent(tx, campaign, asked)) ? "money" : undefined;
}

const STOP_BY_STATE: Partial<Record<CampaignState, StopReason>> = { draining: "cancel", cancelled: "cancel" };

/** Of everyone who is leased on a batch. */
async function askGateAgain(
  tx: Db,
  campaign: Campaign,
  batch: Batch,
  { pace, nowMs }: { pace: Pick<PlanningPace, "openAttemptWaitMs">; nowMs: number },
): Promise<GateAnswer> {
  const policy = policyOf(campaign.spec, campaign.policyVersion);
  const { window } = policy;
  const windowOf = createWindowMemo(await windowInForce(tx, { window, brand: campaign.brand, nowMs }));
  const lists = await readSourcesInScope(tx, campaign.brand);
  const leased = await rows<{ contact_id: number }>(
    tx,
    sql`select contact_id from attempts where batch_id = ${batch.id}::uuid and state = 'open'`,
  );
  return askGate(
    { tx, campaign, policy, windowOf, lists, pace, nowMs, exceptBatch: batch.id },
    leased.map((row) => row.contact_id),
  );
}
