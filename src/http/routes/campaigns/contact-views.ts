import { usdOf } from "../../../domain/campaigns/money.ts";
import type { ListedAttempt, ListedBatch } from "../../../ledger/campaigns/attempt-listing.ts";
import type { ListedContact } from "../../../ledger/campaigns/contact-listing.ts";
import type { AttemptWire, BatchDetailWire, BatchWire, ContactWire } from "../../wire/campaigns/contacts.ts";
import { isoOf, isoOrNull } from "../../wire/instant.ts";

export function contactView(contact: ListedContact): ContactWire {
  return {
    contact_id: contact.id,
    campaign_id: contact.campaignId,
    campaign: contact.campaign,
    run: contact.run,
    brand: contact.brand,
    phone: contact.phone,
    region: contact.region ?? null,
    zones: [...contact.zones],
    places: [...contact.places],
    priority: contact.priority,
    line: contact.line ?? null,
    state: contact.state,
    attempts: contact.attempts,
    last_disposition: contact.lastDisposition ?? null,
    outcome: contact.outcome ?? null,
    reason: contact.reason ?? null,
    due_at: isoOrNull(contact.dueAtMs),
    held: contact.held,
    enrolment_id: contact.enrolmentId ?? null,
    call_no: contact.callNo ?? null,
    action_id: contact.actionId ?? null,
    ended_at: isoOrNull(contact.endedAtMs),
  };
}

export function attemptView(attempt: ListedAttempt): AttemptWire {
  return {
    attempt_id: attempt.id,
    contact_id: attempt.contactId,
    campaign_id: attempt.campaignId,
    phone: attempt.phone,
    zones: [...attempt.zones],
    attempt_no: attempt.attemptNo,
    state: attempt.stage,
    decided: attempt.state === "ended" || attempt.state === "returned",
    batch_id: attempt.batchId,
    platform_batch_id: attempt.platformBatchId ?? null,
    agent_id: attempt.agentId,
    agent_version: attempt.agentVersion ?? null,
    agent_changed_to: attempt.agentChangedTo ?? null,
    variant: attempt.variant ?? null,
    from_number: attempt.fromNumber,
    policy_version: attempt.policyVersion,
    call_id: attempt.callId ?? null,
    item_id: attempt.itemId ?? null,
    item_status: attempt.itemStatus ?? null,
    error: attempt.errorText ?? null,
    disposition: attempt.disposition ?? null,
    disposition_reason: attempt.dispositionReason ?? null,
    planned_at: isoOf(attempt.plannedAtMs),
    permitted_at: isoOrNull(attempt.permittedAtMs),
    started_at: isoOrNull(attempt.startedAtMs),
    ended_at: isoOrNull(attempt.endedAtMs),
    settled_at: isoOrNull(attempt.settledAtMs),
    duration_seconds: attempt.durationSeconds ?? null,
    cost: attempt.costMicros === undefined ? null : usdOf(attempt.costMicros),
    cost_told: attempt.costTold,
  };
}

export function batchView(batch: ListedBatch): BatchWire {
  return {
    batch_id: batch.id,
    campaign_id: batch.campaignId,
    state: batch.state,
    platform_batch_id: batch.platformBatchId ?? null,
    agent_id: batch.agentId,
    variant: batch.variant ?? null,
    from_number: batch.fromNumber,
    policy_version: batch.policyVersion,
    size: batch.size,
    returned: batch.returned,
    slots: batch.slots,
    held_slots: batch.held,
    planned_at: isoOf(batch.plannedAtMs),
    created_at: isoOrNull(batch.createdAtMs),
    permitted_at: isoOrNull(batch.permittedAtMs),
    started_at: isoOrNull(batch.startSeenAtMs),
    dial_by: isoOrNull(batch.dialByMs),
    stop_reason: batch.stopReason ?? null,
    stop_requested_at: isoOrNull(batch.stopRequestedAtMs),
    end_seen_at: isoOrNull(batch.terminalSeenAtMs),
    settled_at: isoOrNull(batch.settledAtMs),
    trouble: batch.trouble ?? null,
    trouble_since: isoOrNull(batch.troubleSinceMs),
  };
}

export function batchDetailView(batch: ListedBatch, attempts: readonly ListedAttempt[]): BatchDetailWire {
  const states = new Map<string, number>();
  const dispositions = new Map<string, number>();
  for (const { stage, disposition } of attempts) {
    states.set(stage, (states.get(stage) ?? 0) + 1);
    if (disposition !== undefined) dispositions.set(disposition, (dispositions.get(disposition) ?? 0) + 1);
  }
  return {
    ...batchView(batch),
    attempts: attempts.map(attemptView),
    states: Object.fromEntries(states),
    dispositions: Object.fromEntries(dispositions),
  };
}
