import { whyNever } from "../../../domain/policy/never-dialed.ts";
import { reachedDifference, reachedShare } from "../../../domain/campaigns/variants.ts";
import { withoutSecrets } from "../../../domain/ground/literal-secrets.ts";
import { budgetCapsOf } from "../../../domain/campaigns/budget-spec.ts";
import type { CampaignSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { isOver } from "../../../domain/campaigns/campaign-state.ts";
import { usdOf } from "../../../domain/campaigns/money.ts";
import type { Spending } from "../../../ledger/campaigns/budgets.ts";
import type { Campaign, Tallies } from "../../../ledger/campaigns/campaigns.ts";
import type { FirstCall } from "../../../ledger/campaigns/first-calls.ts";
import type { Explanation } from "../../../ledger/campaigns/explanations.ts";
import type { ListImport } from "../../../ledger/campaigns/list-imports.ts";
import type { OpenHold, Progress } from "../../../ledger/campaigns/progress.ts";
import type { CampaignReport, VariantReport } from "../../../ledger/campaigns/reports.ts";
import type { CampaignAgent } from "../../../ledger/campaigns/agents.ts";
import type {
  AgentWire,
  CampaignSummaryWire,
  CampaignWire,
  CanaryWire,
  ContactsWire,
  ExplanationWire,
  ListWire,
  NeverDialedWire,
  ProgressWire,
  ReportWire,
} from "../../wire/campaigns.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";

function contactsOf({ open, leased, done, excluded }: Tallies): ContactsWire {
  return { total: open + leased + done + excluded, done, excluded, open: open + leased, leased };
}

export function summaryOf(campaign: Campaign): CampaignSummaryWire {
  return {
    id: campaign.id,
    brand: campaign.brand,
    name: campaign.name,
    run: campaign.run,
    state: campaign.state,
    state_reason: campaign.stateReason ?? null,
    policy_version: campaign.policyVersion,
    concurrency: campaign.concurrency,
    contacts: contactsOf(campaign.tallies),
    attempts: campaign.tallies.attempts,
    dispositions: campaign.tallies.dispositions,
    standing: campaign.standing,
    standing_key: campaign.standingKey ?? null,
    parent_id: campaign.parentId ?? null,
    created_at: isoOf(campaign.createdAtMs),
    started_at: isoOrNull(campaign.startedAtMs),
    ended_at: isoOrNull(campaign.endedAtMs),
    archived_at: isoOrNull(campaign.archivedAtMs),
  };
}

function listOf(list: ListImport): ListWire {
  return {
    digest: list.digest,
    source_name: list.sourceName,
    rows: rowsOf(list),
    never_dialed: neverDialedView(list),
    through_line: list.throughLine,
    completed_at: isoOrNull(list.completedAtMs),
  };
}

/** In words as of when the list was taken. */
export function neverDialedView({ neverDialed, updatedAtMs }: ListImport): NeverDialedWire {
  return neverDialed.map((group) => ({
    ...group,
    zones: [...group.zones],
    ...whyNever(group, updatedAtMs),
  }));
}

export function rowsOf(list: ListImport): ListWire["rows"] {
  return {
    read: list.rowsRead,
    rejected: list.rowsRejected,
    duplicate: list.rowsDuplicate,
    accepted: list.rowsAccepted,
  };
}

export function campaignView(
  campaign: Campaign,
  lists: readonly ListImport[],
  held: { heldSlots: number; liveBatches: number },
): CampaignWire {
  return {
    ...summaryOf(campaign),
    // One that was stored before such were refused may hold a secret's value.
    spec: { ...Object(withoutSecrets(campaign.spec)) },
    lists: lists.map(listOf),
    held_slots: held.heldSlots,
    live_batches: held.liveBatches,
  };
}

export function progressView(
  { campaign, heldSlots, liveBatches, holds, agents, followUps, callbacks, spending, transferPace }: Progress,
  nowMs: number,
): ProgressWire {
  const {
    id,
    name,
    run,
    state,
    state_reason,
    contacts,
    attempts,
    dispositions,
    concurrency,
    started_at,
    ended_at,
  } = summaryOf(campaign);
  return {
    campaign_id: id,
    name,
    run,
    state,
    state_reason,
    contacts,
    attempts,
    dispositions,
    concurrency,
    held_slots: heldSlots,
    live_batches: liveBatches,
    // The last holds of a campaign that is over keep nobody from anything.
    holds: isOver(state) ? [] : holds.map(holdView),
    agents: agents.map(agentView),
    transfers: transfersView(campaign, transferPace),
    follow_ups: { open: followUps },
    callbacks: { open: callbacks },
    money: moneyView(spending, campaign.spec),
    started_at,
    ended_at,
    now: isoOf(nowMs),
  };
}

function transfersView(campaign: Campaign, pace: Progress["transferPace"]): ProgressWire["transfers"] {
  if (!pace) return null;
  const { conversations, transfersKnown: known, transfers: transferred } = campaign;
  return { ...pace, conversations, known, transferred };
}

function agentView(agent: CampaignAgent): AgentWire {
  return {
    agent_id: agent.agentId,
    name: agent.name,
    state: agent.state,
    version: agent.version ?? null,
    origin: agent.origin ?? null,
    was_version: agent.wasVersion ?? null,
    changed_at: isoOrNull(agent.changedAtMs),
    seen_at: isoOf(agent.seenAtMs),
    missing: [...agent.missing],
  };
}

function moneyView(
  { spentMicros, toldMicros, heldMicros, daySpentMicros, dayHeldMicros }: Spending,
  { budget }: Pick<CampaignSpec, "budget">,
): ProgressWire["money"] {
  const { totalMicros, perDayMicros, zone } = budgetCapsOf(budget);
  return {
    spent: usdOf(spentMicros),
    told: usdOf(toldMicros),
    held: usdOf(heldMicros),
    today: { spent: usdOf(daySpentMicros), held: usdOf(dayHeldMicros) },
    total: totalMicros === undefined ? null : usdOf(totalMicros),
    per_day: perDayMicros === undefined ? null : usdOf(perDayMicros),
    zone,
  };
}

function holdView({ reason, detail, zoneSets }: OpenHold): ProgressWire["holds"][number] {
  return { reason, detail, until: holdEnd(detail), zone_sets: zoneSets };
}

/** Holds that end by themselves say so at the beginning of their detail. */
export function holdEnd(detail: string): string | null {
  return /^until (\S+Z)(?::|$)/.exec(detail)?.[1] ?? null;
}

export function reportView(report: CampaignReport): ReportWire {
  const { batches } = report;
  const { open, openFailed, failed, done } = report.afterwards.followUps;
  return {
    campaign_id: report.campaignId,
    name: report.name,
    run: report.run,
    brand: report.brand,
    state: report.state,
    state_reason: report.stateReason ?? null,
    policy_version: report.policyVersion,
    presets: [...report.presets],
    overrides: report.overrides.map(({ rule, reason }) => ({ rule, reason })),
    rows: report.rows,
    contacts: report.contacts,
    contacts_dialed: report.contactsDialed,
    attempts: report.attempts,
    dispositions: report.dispositions,
    attempt_dispositions: report.attemptDispositions,
    excluded_reasons: report.excludedReasons,
    variants: report.variants.map((variant, index) => variantView(variant, index, report.variants[0])),
    agent_versions: report.agentVersions.map((one) => ({
      agent_id: one.agentId,
      version: one.version ?? null,
      attempts: one.attempts,
      changed_under_way: one.changedUnderWay,
      attempt_dispositions: one.attemptDispositions,
    })),
    batches: { total: batches.total, unsettled: batches.unsettled, held_slots: batches.heldSlots },
    talk_seconds: report.talkSeconds,
    money: {
      ...moneyView(report.spending, report),
      per_conversation:
        report.conversations > 0
          ? usdOf(Math.round(report.spending.spentMicros / report.conversations))
          : null,
    },
    follow_ups: { open, open_failed: openFailed, failed, done },
    callbacks: report.afterwards.callbacks,
    created_at: isoOf(report.createdAtMs),
    started_at: isoOrNull(report.startedAtMs),
    ended_at: isoOrNull(report.endedAtMs),
  };
}

function variantView(
  variant: VariantReport,
  index: number,
  first: VariantReport | undefined,
): ReportWire["variants"][number] {
  return {
    name: variant.name,
    contacts: variant.contacts,
    reached: variant.reached,
    reached_share: reachedShare(variant) ?? null,
    difference: (index > 0 && first && reachedDifference(variant, first)) || null,
    attempts: variant.attempts,
    attempt_dispositions: variant.attemptDispositions,
  };
}

export function canaryView(
  { id, name, state, canary, spec }: Campaign,
  calls: readonly FirstCall[],
): CanaryWire {
  return {
    campaign_id: id,
    name,
    state,
    canary: spec.canary ?? null,
    approval: spec.canary === undefined ? "none" : (canary ?? "calling"),
    calls: calls.map((call) => ({
      phone: call.phone,
      zones: call.zones,
      call_id: call.callId,
      disposition: call.disposition,
      disposition_reason: call.dispositionReason,
      started_at: isoOrNull(call.startedAtMs ?? undefined),
      ended_at: isoOrNull(call.endedAtMs ?? undefined),
      duration_seconds: call.durationSeconds,
    })),
  };
}

export function explanationView({ contact, attempts, refusals, holds }: Explanation): ExplanationWire {
  return {
    contact: {
      phone: contact.phone,
      line: contact.line,
      state: contact.state,
      reason: contact.reason,
      outcome: contact.outcome,
      zones: contact.zones,
      places: contact.places,
      due_at: isoOrNull(contact.dueAtMs ?? undefined),
      attempts: contact.attempts,
    },
    attempts: attempts.map((attempt) => ({
      attempt_no: attempt.attemptNo,
      state: attempt.state,
      batch_id: attempt.batchId,
      policy_version: attempt.policyVersion,
      agent_version: attempt.agentVersion,
      agent_changed_to: attempt.agentChangedTo,
      disposition: attempt.disposition,
      disposition_reason: attempt.dispositionReason,
      planned_at: isoOf(attempt.plannedAtMs),
      started_at: isoOrNull(attempt.startedAtMs),
      ended_at: isoOrNull(attempt.endedAtMs),
    })),
    refusals: refusals.map((refusal) => ({
      reason: refusal.reason,
      detail: refusal.detail,
      policy_version: refusal.policyVersion,
      times: refusal.times,
      first_at: isoOf(refusal.firstAtMs),
      last_at: isoOf(refusal.lastAtMs),
    })),
    holds: holds.map((hold) => ({
      reason: hold.reason,
      detail: hold.detail,
      policy_version: hold.policyVersion,
      from: isoOf(hold.fromAtMs),
      until: isoOrNull(hold.untilAtMs),
    })),
  };
}
